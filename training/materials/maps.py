"""The kind map: street maps, and contour maps with relief."""

import math
from html import escape

import numpy as np
from matplotlib import pyplot, rc_context
from matplotlib.colors import LightSource

from plots import figure_font, figure_picture
from svg import blob, curve, points, polygon, polyline, svg
from tones import noise

MAP_LOOKS = {  # land, block, water, park, main road, road, casing, ink
    "train": [
        ("#f2efe9", "#e0dcd2", "#aad3df", "#c8e6b0", "#fcd6a4", "#fff", "#b9a68c", "#333"),
        ("#ebe6dc", "#dcd3c4", "#9ec7f3", "#b5d29b", "#ffe168", "#fff", "#c9c2b4", "#444"),
        ("#fff", "#eee", "#d6e6f5", "#e3f0d9", "#e66", "#ccc", "#888", "#000"),
    ],
    "val": [
        ("#f8f4ea", "#e8dfcc", "#8fb9d6", "#a9c98a", "#f0a35e", "#fdfdfd", "#8c7a5e", "#222"),
        ("#22262e", "#2c313b", "#17324d", "#233a2a", "#8a6d3b", "#454c5a", "#15181d", "#ccd"),
    ],
    "test": [
        ("#f5f5f5", "#e8e8ea", "#c4def6", "#cfe8cf", "#ffc773", "#fff", "#d0d0d4", "#445"),
        ("#fdf8e4", "#efe3c0", "#b7dbe8", "#d0dfa8", "#d95f4b", "#fffdf5", "#6e5c40", "#3a2a18"),
        ("#1f2430", "#272d3a", "#0f2c44", "#1f3b2f", "#b48845", "#4b5468", "#10131a", "#dde"),
    ],
}


def relief(rng, sources, style, width, height):
    """A contour map, with shaded relief and a lake in some."""
    latin = sources.latin(rng)
    field = noise(width // 2, height // 2, rng.randint(4, 6), 0.45, rng.choice((2, 3, 4))) * rng.choice(
        (400, 900, 2400)
    )
    top = field.max()
    look = rng.choice(("shaded", "tinted", "plain", "tinted"))
    with rc_context(figure_font(rng, style)):
        figure = pyplot.figure(figsize=(width / 100, height / 100))
        ax = figure.add_axes([0, 0, 1, 1])
        ax.set_axis_off()
        x, y = np.linspace(0, width, field.shape[1]), np.linspace(0, height, field.shape[0])
        extent = (0, width, height, 0)
        tints = pyplot.get_cmap({"train": "terrain", "val": "gist_earth", "test": "YlGn"}[style.split])
        if look == "shaded":
            ax.imshow(
                LightSource(rng.randrange(360), 40).shade(field, tints, vert_exag=0.3, blend_mode="soft"),
                extent=extent,
                aspect="auto",
            )
        elif look == "tinted":
            ax.contourf(x, y, field, 9, cmap=tints, alpha=0.7)
        ax.set_xlim(0, width)
        ax.set_ylim(height, 0)
        step = top / rng.randint(14, 30)
        ink = rng.choice(("#8a5a2b", "#6b4a2a", "#444"))
        ax.contour(x, y, field, np.arange(0, top, step), colors=ink, linewidths=0.5)
        bold = ax.contour(x, y, field, np.arange(0, top, step * 5), colors=ink, linewidths=1.3)
        ax.clabel(bold, fmt="%d", fontsize=rng.choice((7, 8, 9)))
        ax.contourf(x, y, field, [-1, top * rng.uniform(0.12, 0.3)], colors=["#9cc8e8"])
        for _ in range(rng.randint(8, 22)):
            px, py = rng.randrange(width - 80), rng.randrange(20, height)
            if rng.random() < 0.5:
                ax.plot([px], [py], rng.choice(("k^", "ko", "rs")), ms=4)
            ax.text(
                px + 5,
                py,
                latin.phrase(rng, rng.choice((1, 1, 2))).title()[:22].replace("$", ""),
                fontsize=rng.choice((7, 8, 9, 12)),
                style=rng.choice(("normal", "italic")),
                color=rng.choice(("k", "k", "#124", "#523")),
            )
        for _ in range(rng.randint(1, 4)):
            t = np.linspace(0, 1, 60)
            road = rng.uniform(0, height) + (rng.uniform(-1, 1) * t + 0.2 * np.cumsum(np.random.randn(60)) / 8) * height
            ax.plot(t * width, road, color="k", lw=3.4)
            ax.plot(t * width, road, color=rng.choice(("#e33", "#fd6", "#fff")), lw=2.2)
        if rng.random() < 0.5:
            for i in range(0, width, 120):
                ax.axvline(i, color="#36c", lw=0.4)
                ax.axhline(i, color="#36c", lw=0.4)
        return figure_picture(figure)


def map_(rng, sources, style, width, height, number):
    if number % 2:
        return relief(rng, sources, style, width, height)
    source = sources.latin(rng) if rng.random() < 0.7 else sources.any_text(rng)
    land, block, water, park, main, road, casing, ink = rng.choice(MAP_LOOKS[style.split])
    family = style.font_for(source)
    turn, pitch = rng.uniform(-0.6, 0.6), rng.randint(60, 120)
    wob = rng.uniform(0, 0.3) * pitch
    n = int(math.hypot(width, height) / pitch) + 3
    bend = rng.uniform(-0.25, 0.25)

    def place(i, j):
        x, y = (
            (i - n / 2) * pitch + rng.uniform(-wob, wob),
            (j - n / 2) * pitch * rng.choice((1, 1)) + rng.uniform(-wob, wob),
        )
        t = turn + bend * math.hypot(x, y) / width * 2
        return width / 2 + x * math.cos(t) - y * math.sin(t), height / 2 + x * math.sin(t) + y * math.cos(t)

    node = {(i, j): place(i, j) for i in range(n + 1) for j in range(n + 1)}
    body = f"<rect width='{width}' height='{height}' fill='{land}'/>"
    for i in range(n):
        for j in range(n):
            corners = [node[i, j], node[i + 1, j], node[i + 1, j + 1], node[i, j + 1]]
            cx, cy = (sum(c[k] for c in corners) / 4 for k in (0, 1))
            if not (-80 < cx < width + 80 and -80 < cy < height + 80):
                continue
            chance = rng.random()
            shrunk = [(cx + 0.86 * (x - cx), cy + 0.86 * (y - cy)) for x, y in corners]
            if chance < 0.08:
                body += polygon(corners, f"fill='{park}'")
                body += "".join(
                    (
                        f"<circle cx='{cx + rng.uniform(-0.3, 0.3) * pitch:.0f}' "
                        f"cy='{cy + rng.uniform(-0.3, 0.3) * pitch:.0f}' r='3' fill='#7a5' opacity='.6'/>"
                    )
                    for _ in range(8)
                )
            elif chance < 0.75:
                for _ in range(rng.randint(2, 7)):  # buildings
                    u, v, du, dv = (
                        rng.random() * 0.75,
                        rng.random() * 0.75,
                        rng.uniform(0.12, 0.25),
                        rng.uniform(0.12, 0.25),
                    )
                    at = lambda s, t: tuple(
                        (1 - s) * (1 - t) * shrunk[0][k]
                        + s * (1 - t) * shrunk[1][k]
                        + s * t * shrunk[2][k]
                        + (1 - s) * t * shrunk[3][k]
                        for k in (0, 1)
                    )
                    body += polygon(
                        [at(u, v), at(u + du, v), at(u + du, v + dv), at(u, v + dv)],
                        f"fill='{block}' stroke='{casing}' stroke-width='.6'",
                    )
            else:
                body += polygon(shrunk, f"fill='{block}'")
    if rng.random() < 0.7:
        y0 = rng.uniform(0.1, 0.9) * height
        river = [(width * (i - 1) / 8, y0 + rng.uniform(-0.12, 0.12) * height) for i in range(11)]
        if rng.random() < 0.4:
            river = [(y * width / height, x * height / width) for x, y in river]
        body += curve(
            river, f"fill='none' stroke='{water}' stroke-width='{rng.randint(18, 70)}' stroke-linecap='round'"
        )
    if rng.random() < 0.5:
        body += curve(
            blob(rng, rng.random() * width, rng.random() * height, rng.uniform(60, 180), rng.uniform(50, 140)),
            f"fill='{water}' stroke='{casing}'",
            True,
        )
    lines = []
    for i in range(n + 1):
        for line in ([node[i, j] for j in range(n + 1)], [node[j, i] for j in range(n + 1)]):
            big = rng.random() < 0.2
            if not big and rng.random() < 0.3:
                cut = rng.randrange(2, n)
                line = line[:cut] if rng.random() < 0.5 else line[cut:]
            if len(line) > 1:
                lines.append((rng.randint(9, 14) if big else rng.randint(4, 7), main if big else road, line))
    lines.sort(key=lambda road_: road_[0])
    for w, _, line in lines:
        body += polyline(line, f"stroke='{casing}' stroke-width='{w + 2}' stroke-linejoin='round'")
    for w, colour, line in lines:
        body += polyline(line, f"stroke='{colour}' stroke-width='{w}' stroke-linejoin='round'")
    rail = [
        (rng.uniform(0, width), -20),
        (rng.uniform(0.2, 0.8) * width, height / 2),
        (rng.uniform(0, width), height + 20),
    ]
    body += curve(rail, f"fill='none' stroke='{ink}' stroke-width='3'") + curve(
        rail, f"fill='none' stroke='{land}' stroke-width='1.6' stroke-dasharray='8 8'"
    )
    halo = f"paint-order:stroke;stroke:{land};stroke-width:3px"
    for k, (w, _, line) in enumerate(lines):
        if len(line) < 4 or rng.random() < 0.35:
            continue
        line = line if line[0][0] < line[-1][0] else line[::-1]
        start = rng.randrange(len(line) - 3)
        body += f"<path id='s{k}' d='M{points(line[start : start + 4]).replace(' ', 'L')}' fill='none'/>"
        body += (
            f"<text font-family='{family}' "
            f"font-size='{rng.choice((9, 10, 11)) if w < 9 else rng.choice((12, 13))}' "
            f"fill='{ink}' dy='.35em' style='{halo}'><textPath href='#s{k}' "
            f"startOffset='10%'>{escape(source.phrase(rng, 2)[:24]).title()}</textPath></text>"
        )
    for _ in range(rng.randint(6, 16)):
        x, y = rng.uniform(20, width - 60), rng.uniform(20, height - 20)
        body += rng.choice(
            (
                f"<circle cx='{x:.0f}' cy='{y:.0f}' r='6' fill='{style.colour()}' stroke='#fff' stroke-width='1.5'/>",
                f"<rect x='{x - 6:.0f}' y='{y - 6:.0f}' width='12' height='12' rx='2' fill='{style.colour()}'/>",
            )
        )
        body += (
            f"<text x='{x + 10:.0f}' y='{y + 4:.0f}' font-family='{family}' "
            f"font-size='{rng.choice((10, 11, 12, 18))}' font-weight='{rng.choice((400, 700))}' "
            f"fill='{ink}' style='{halo}'>{escape(source.phrase(rng, rng.choice((1, 2)))[:22])}"
            "</text>"
        )
    return svg(width, height, body)
