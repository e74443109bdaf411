"""Kinds made of tones: halftone, nightsky; noise and engravings."""

import numpy as np
from PIL import Image, ImageFilter


def noise(width, height, octaves=5, roughness=0.5, first=2):
    """Smooth noise from 0 to 1, a sum of enlarged random grids."""
    total = np.zeros((height, width))
    for octave in range(octaves):
        cells = first * 2**octave
        grid = Image.fromarray(np.random.rand(max(2, cells * height // width + 2), cells + 2).astype(np.float32))
        total += roughness**octave * np.asarray(grid.resize((width, height), Image.BICUBIC))
    total -= total.min()
    return total / total.max()


def photo(rng, sources, width, height):
    image = Image.open(rng.choice(sources.photos)).convert("RGB")
    if (image.width > image.height) != (width > height):
        image = image.rotate(90, expand=True)
    scale = max(width / image.width, height / image.height)
    image = image.resize((int(image.width * scale) + 1, int(image.height * scale) + 1), Image.LANCZOS)
    return image.crop((0, 0, width, height))


def screen(width, height, period, degrees, sort):
    """A threshold field from 0 to 1 of one halftone screen."""
    y, x = np.mgrid[0:height, 0:width]
    a = np.radians(degrees)
    u, v = (x * np.cos(a) + y * np.sin(a)) / period, (-x * np.sin(a) + y * np.cos(a)) / period
    if sort == "line":
        return np.abs((u % 1) - 0.5) * 2
    if sort == "square":
        return np.maximum(np.abs((u % 1) - 0.5), np.abs((v % 1) - 0.5)) * 2
    return (2 + np.cos(2 * np.pi * u) + np.cos(2 * np.pi * v)) / 4


def halftone(rng, sources, style, width, height, number):
    image = photo(rng, sources, width, height)
    sorts = ["round", "dither", "cmyk", "bayer", "line", "palette", "square", "cmyk", "atkinson", "round"]
    sort = sorts[number % len(sorts)]
    grey = np.asarray(image.convert("L"), float) / 255
    period = rng.choice({"train": (4, 5, 6, 8, 10), "val": (4.5, 7), "test": (5.5, 6.5, 9)}[style.split])
    if sort == "dither":
        return image.convert("1").convert("L")
    if sort == "palette":
        return image.quantize(rng.choice((8, 16)), dither=Image.FLOYDSTEINBERG).quantize(16).convert("RGB")
    if sort == "bayer":
        matrix = np.array([[0]])
        for _ in range(rng.choice((2, 3))):
            matrix = np.block([[4 * matrix, 4 * matrix + 2], [4 * matrix + 3, 4 * matrix + 1]])
        threshold = np.tile(matrix / matrix.size, (height // len(matrix) + 1, width // len(matrix) + 1))[
            :height, :width
        ]
        scale = rng.choice((1, 2))
        bits = Image.fromarray(((grey > threshold) * 255).astype(np.uint8))
        if scale == 2:
            bits = bits.crop((0, 0, width // 2, height // 2)).resize((width, height), Image.NEAREST)
        return bits
    if sort == "atkinson":
        small = grey[::2, ::2].copy()
        padded = np.pad(small, ((0, 2), (1, 2)))
        for y in range(small.shape[0]):
            for x in range(1, small.shape[1] + 1):
                old = padded[y, x]
                padded[y, x] = old > 0.5
                for dy, dx in ((0, 1), (0, 2), (1, -1), (1, 0), (1, 1), (2, 0)):
                    padded[y + dy, x + dx] += (old - padded[y, x]) / 8
        bits = Image.fromarray((padded[: small.shape[0], 1 : small.shape[1] + 1] * 255).clip(0, 255).astype(np.uint8))
        return bits.resize((width, height), Image.NEAREST)
    soft = 1 if rng.random() < 0.5 else 12  # hard edges or antialiased ones
    if sort == "cmyk":
        inks = 1 - np.asarray(image, float) / 255
        black = inks.min(axis=2) * 0.8
        out = np.ones((height, width, 3))
        for ink, degrees, colour in (
            (inks[..., 0] - black, 15, (0, 1, 1)),
            (inks[..., 1] - black, 75, (1, 0, 1)),
            (inks[..., 2] - black, 0, (1, 1, 0)),
            (black, 45, (0, 0, 0)),
        ):
            dots = ink > screen(width, height, period, degrees, "round")
            out *= np.where(dots[..., None], np.array(colour), 1)
        return Image.fromarray((out * 255).astype(np.uint8))
    field = screen(width, height, period, rng.choice((0, 15, 30, 45, 60)), sort)
    value = np.clip((grey - field) * (period * 0.8 if soft == 1 else 400) + 0.5, 0, 1)
    if rng.random() < 0.3:  # coloured ink on coloured paper
        ink, paper = (np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)]) for c in (style.dark(), style.pale()))
        return (
            Image.fromarray((ink + value[..., None] * (paper - ink)).astype(np.uint8))
            .quantize(32, dither=Image.NONE)
            .convert("RGB")
        )
    return Image.fromarray((np.round(value * 15) * 17).astype(np.uint8))


def engraving(rng, sources, style, width, height):
    """A photograph as lines whose width follows the tone."""
    grey = np.asarray(photo(rng, sources, width, height).convert("L").filter(ImageFilter.GaussianBlur(2)), float) / 255
    bend = noise(width, height, 2) * rng.choice((0, 20, 60))
    y, x = np.mgrid[0:height, 0:width]
    value = np.ones((height, width))
    period = rng.choice((4, 5, 6, 8))
    for layer, degrees in enumerate(rng.sample((20, 65, 110, 155), rng.randint(1, 3))):
        a = np.radians(degrees)
        wave = (1 + np.cos(2 * np.pi * (x * np.cos(a) + y * np.sin(a) + bend) / period)) / 2
        value = np.minimum(value, np.clip((grey * 1.1 + 0.25 * layer - wave) * period * 0.6 + 0.5, 0, 1))
    return Image.fromarray((np.round(value * 15) * 17).astype(np.uint8))


def nightsky(rng, sources, style, width, height, number):
    y, x = np.mgrid[0:height, 0:width].astype(float)
    low, high = (
        np.array([rng.uniform(6, 30), rng.uniform(8, 34), rng.uniform(20, 60)]),
        np.array([2, 3, rng.uniform(6, 20)]),
    )
    sky = high + (low - high) * (y / height)[..., None] ** rng.uniform(0.8, 2.5)
    if rng.random() < 0.65:  # the milky way: a noisy band with dark clouds
        angle, offset = rng.uniform(-1, 1), rng.uniform(0.3, 0.7)
        distance = ((x - width * offset) * np.cos(angle) + (y - height / 2) * np.sin(angle)) / (
            height * rng.uniform(0.12, 0.25)
        )
        clouds = noise(width, height, 6, 0.6, 4)
        band = (
            np.exp(-(distance**2)) * (0.3 + 0.7 * clouds) * np.clip(1.6 - 1.8 * noise(width, height, 5, 0.6, 5), 0, 1)
        )
        sky += band[..., None] * np.array([rng.uniform(40, 75), rng.uniform(40, 65), rng.uniform(50, 85)])
    else:
        angle = distance = None
    count = int(width * height / rng.choice((250, 500, 900, 2000)))
    light = np.zeros((height, width, 3))
    brightness = np.minimum(255, 25 * np.random.pareto(1.3, count) + 15)
    tint = np.clip(1 + 0.2 * np.random.randn(count, 1) * np.array([[1, 0.1, -1]]), 0.5, 1.2)
    px, py = np.random.rand(count) * (width - 1), np.random.rand(count) * (height - 1)
    light[py.astype(int), px.astype(int)] += brightness[:, None] * tint
    soft = np.asarray(
        Image.fromarray(np.clip(light, 0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.6)), float
    )
    sky += light * 0.5 + soft * 1.6
    for i in np.argsort(brightness)[-rng.randint(5, 25) :]:
        radius = rng.uniform(1, 3)
        box = np.hypot(x - px[i], y - py[i])
        sky += (np.exp(-((box / radius) ** 2)) * 200 + np.exp(-box / (4 * radius)) * 22)[..., None] * tint[i]
    if rng.random() < 0.35:
        cx, cy, r = rng.uniform(0.2, 0.8) * width, rng.uniform(0.15, 0.5) * height, rng.uniform(0.06, 0.2) * height
        inside = np.hypot(x - cx, y - cy)
        surface = 190 + 50 * (noise(width, height, 6, 0.6, 8) - 0.5) * 2
        shade = np.clip((r - inside) + 0.5, 0, 1) * np.clip(
            1.0 - np.clip(np.hypot(x - cx - r * rng.uniform(-1, 1), y - cy) / r - 0.6, 0, 1), 0.05, 1
        )
        sky = (
            np.where((inside < r + 1)[..., None], sky * 0.2, sky)
            + (shade * surface)[..., None]
            + (np.exp(-np.maximum(0, inside - r) / (r * 0.6)) * 35 * (inside > r))[..., None]
        )
    if rng.random() < 0.6:  # hills at the horizon
        ridge = height * (0.85 - 0.2 * noise(width, 4, 5, 0.5, 3)[0])
        sky[y > ridge[None, :]] = (2, 3, 5)
    grain = rng.choice((0, 0, 0.8, 1.5))
    return Image.fromarray(np.clip(np.round(sky + grain * np.random.randn(height, width, 1)), 0, 255).astype(np.uint8))
