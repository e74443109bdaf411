"""The kind pixelart: sprites on tile maps."""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tones import noise


def sprite(rng, size, palette):
    """A mirrored creature with an outline, as indices; 0 is transparent."""
    half = size // 2
    body = np.random.rand(size, half) < np.linspace(0.25, 0.85, half)
    body[1:-1, 1:] |= (body[:-2, 1:].astype(int) + body[2:, 1:] + body[1:-1, :-1]) >= 2
    body[0] = body[-1] = False
    body[:, 0] = False
    zones = (noise(half + 2, size, 2)[:, :half] * (len(palette) - 2)).astype(int) + 2
    out = np.where(body, zones, 0)
    out = np.concatenate([out, out[:, ::-1]], 1)
    filled = np.pad(out > 0, 1)
    edge = (filled[:-2, 1:-1] | filled[2:, 1:-1] | filled[1:-1, :-2] | filled[1:-1, 2:]) & (out == 0)
    out[edge] = 1
    return out


def tile(rng, base, other, sort):
    """A 16 x 16 tile of two near colours: (grass, water, brick, plank, stone, flat)."""
    out = np.empty((16, 16, 3), np.uint8)
    out[:] = base
    y, x = np.mgrid[0:16, 0:16]
    if sort == "grass":
        spots = np.random.rand(16, 16) < 0.12
    elif sort == "water":
        spots = ((x + 3 * (y // 4)) % 8 < 4) & (y % 4 == 1)
    elif sort == "brick":
        spots = (y % 5 == 0) | ((x + 4 * ((y // 5) % 2)) % 8 == 0)
    elif sort == "plank":
        spots = (y % 4 == 0) | ((x == 7) & (y % 8 < 4))
    elif sort == "stone":
        spots = np.hypot(x % 8 - 4, y % 8 - 4) > 3.6
    else:
        spots = x < 0
    out[spots] = other
    return out


def pixelart(rng, sources, style, width, height, number):
    scale = rng.choice({"train": (2, 3, 4, 5, 8), "val": (3, 6), "test": (2, 4, 7)}[style.split])
    w, h = -(-width // scale), -(-height // scale)
    rgb = lambda c: tuple(int(c[i : i + 2], 16) for i in (1, 3, 5))
    palette = [(0, 0, 0), rgb(style.dark())] + [rgb(style.colour()) for _ in range(rng.randint(3, 6))]
    sorts = ["grass", "water", "brick", "plank", "stone", "flat"]
    tiles = []
    for sort in sorts:
        base = np.array(rgb(style.colour((0.3, 0.8), (0.35, 0.9))))
        variants = [tile(rng, base, (base * rng.uniform(0.65, 0.85)).astype(int), sort) for _ in range(3)]
        tiles.append(variants)
    canvas = np.zeros((h + 16, w + 16, 3), np.uint8)
    kind = number % 3
    rows, columns = h // 16 + 1, w // 16 + 1
    level = noise(columns + 1, rows + 1, 3, 0.5, 3)
    ground = (rows * 0.75 - 4 * noise(columns + 1, 4, 3)[0]).astype(int)
    sky = np.array(rgb(style.colour((0.2, 0.6), (0.6, 0.95))))
    for r in range(rows):
        for c in range(columns):
            if kind == 0:  # seen from above: water, plank, grass, stone by height
                index = (1, 3, 0, 0, 4)[min(4, int(level[r, c] * 5))]
            elif kind == 1:  # seen from the side
                index = None if r < ground[c] else (0 if r == ground[c] else (2 if (r + c) % 5 else 4))
                if index is None and level[r, c] > 0.8:
                    index = 2
            else:  # rooms
                index = 2 if r % 9 == 0 or c % 12 == 0 and r % 9 != 5 else (3 if (r // 9 + c // 12) % 2 else 4)
            patch = (
                np.broadcast_to((sky * (0.7 + 0.3 * r / rows)).astype(np.uint8), (16, 16, 3))
                if index is None
                else rng.choice(tiles[index])
            )
            canvas[r * 16 : r * 16 + 16, c * 16 : c * 16 + 16] = patch
    shapes = [sprite(rng, rng.choice((10, 14, 16, 24)), palette) for _ in range(8)]
    for _ in range(rng.randint(10, 16) + w * h // 6000):
        shape = rng.choice(shapes)
        if kind != 1 and rng.random() < 0.5:
            shape = np.where(shape > 0, np.maximum(1, (shape + rng.randrange(3)) % len(palette)), 0)
        y, x = rng.randrange(max(1, h - 24)), rng.randrange(max(1, w - 24))
        if rng.random() < 0.7:
            y, x = y // 16 * 16, x // 16 * 16
        view = canvas[y : y + shape.shape[0], x : x + shape.shape[1]]
        cut = shape[: view.shape[0], : view.shape[1]]
        view[cut > 0] = np.array(palette, np.uint8)[cut[cut > 0] % len(palette)]
    image = Image.fromarray(canvas[:h, :w])
    if rng.random() < 0.6:  # status bar with a bitmap font
        draw = ImageDraw.Draw(image)
        draw.fontmode = "1"
        font = ImageFont.load_default_imagefont()
        top = 0 if rng.random() < 0.5 else h - 30
        draw.rectangle((0, top, w, top + 30), palette[1])
        words = sources.latin(rng).phrase(rng, 12).encode("ascii", "replace").decode()
        draw.text(
            (4, top + 2),
            f"HP {rng.randint(1, 99)}  GOLD {rng.randint(0, 9999)}  LV {rng.randint(1, 40)}",
            (255, 255, 255),
            font=font,
        )
        draw.text((4, top + 15), words[: w // 6 - 1], (230, 230, 160), font=font)
    return image.resize((w * scale, h * scale), Image.NEAREST).crop((0, 0, width, height))
