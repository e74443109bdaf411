"""The kind lineart: engravings, diagrams, plans and ink drawings."""

import math
from html import escape

from comics import panels
from svg import curve, polygon, polyline, svg
from tones import engraving


def tree(rng, x, y, length, angle, width, pen):
    if length < 6:
        return ""
    x2, y2 = x + length * math.cos(angle), y + length * math.sin(angle)
    out = polyline([(x, y), (x2, y2)], f"stroke='{pen}' stroke-width='{width:.1f}' stroke-linecap='round'")
    for _ in range(rng.choice((2, 2, 3))):
        out += tree(rng, x2, y2, length * rng.uniform(0.6, 0.8), angle + rng.uniform(-0.6, 0.6), width * 0.68, pen)
    return out


def hatched(rng, cx, cy, r, pen):
    """A sphere or cylinder shaded with parallel strokes."""
    out = f"<circle cx='{cx:.0f}' cy='{cy:.0f}' r='{r:.0f}' fill='#fff' stroke='{pen}' stroke-width='1.6'/>"
    light = rng.uniform(0, 2 * math.pi)
    for layer, limit in enumerate((-0.1, 0.25, 0.55)):
        a = light + 0.5 + layer * 0.8
        for k in range(int(-r), int(r), rng.choice((4, 5, 6))):
            reach = math.sqrt(max(0, r * r - k * k))
            inside = [
                t
                for t in range(int(-reach), int(reach) + 1, 2)
                if (
                    math.cos(light) * (t * math.cos(a) - k * math.sin(a))
                    + math.sin(light) * (t * math.sin(a) + k * math.cos(a))
                )
                / r
                > limit
            ]
            if len(inside) > 2:
                ends = [
                    (cx + t * math.cos(a) - k * math.sin(a), cy + t * math.sin(a) + k * math.cos(a))
                    for t in (inside[0], inside[-1])
                ]
                out += polyline(ends, f"stroke='{pen}' stroke-width='{rng.uniform(0.6, 1.2):.1f}'")
    return out


def flowchart(rng, source, style, width, height, pen, family):
    columns, rows = rng.randint(3, 5), rng.randint(3, 6)
    out = "<defs><marker id='a' markerWidth='10' markerHeight='8' refX='9' refY='4' orient='auto'><path d='M0 0L10 4L0 8z'/></marker></defs>"
    w, h = width / columns, height / rows
    for j in range(rows):
        for i in range(columns):
            x, y = w * (i + 0.5), h * (j + 0.5)
            if i + 1 < columns and rng.random() < 0.7:
                out += polyline(
                    [(x + w * 0.36, y), (x + w * 0.64, y)], f"stroke='{pen}' stroke-width='1.5' marker-end='url(#a)'"
                )
            if j + 1 < rows and rng.random() < 0.7:
                out += polyline(
                    [(x, y + h * 0.32), (x, y + h * 0.68)], f"stroke='{pen}' stroke-width='1.5' marker-end='url(#a)'"
                )
            shape = rng.choice(("box", "box", "round", "diamond", "ellipse"))
            look = f"fill='{rng.choice(('#fff', '#fff', style.pale()))}' stroke='{pen}' stroke-width='1.5'"
            if shape == "diamond":
                out += polygon([(x - w * 0.38, y), (x, y - h * 0.34), (x + w * 0.38, y), (x, y + h * 0.34)], look)
            elif shape == "ellipse":
                out += f"<ellipse cx='{x:.0f}' cy='{y:.0f}' rx='{w * 0.36:.0f}' ry='{h * 0.3:.0f}' {look}/>"
            else:
                out += (
                    f"<rect x='{x - w * 0.36:.0f}' y='{y - h * 0.3:.0f}' width='{w * 0.72:.0f}' "
                    f"height='{h * 0.6:.0f}' rx='{12 if shape == 'round' else 0}' {look}/>"
                )
            for k in range(2):
                out += (
                    f"<text x='{x:.0f}' y='{y - 3 + 16 * k:.0f}' text-anchor='middle' "
                    f"font-family='{family}' font-size='13' "
                    f"fill='{pen}'>{escape(source.phrase(rng, 2)[: int(w / 11)])}</text>"
                )
    return out


def floor_plan(rng, source, width, height, pen, family):
    out = ""
    for x, y, w, h in panels(rng, 30, 30, width - 60, height - 60, 0, 4):
        out += (
            f"<rect x='{x:.0f}' y='{y:.0f}' width='{w:.0f}' height='{h:.0f}' fill='none' "
            f"stroke='{pen}' stroke-width='6'/>"
        )
        d = min(60, w * 0.4)
        dx, dy = x + w * 0.3, y + h
        out += (
            f"<rect x='{dx:.0f}' y='{dy - 5:.0f}' width='{d:.0f}' height='10' fill='#fff'/>"
            f"<path d='M{dx:.0f} {dy:.0f}v{-d:.0f}A{d:.0f} {d:.0f} 0 0 1 {dx + d:.0f} {dy:.0f}' "
            f"fill='none' stroke='{pen}'/>"
        )
        out += (
            f"<text x='{x + w / 2:.0f}' y='{y + h / 2:.0f}' text-anchor='middle' "
            f"font-family='{family}' font-size='14'>{escape(source.phrase(rng, 1)[:14])}</text>"
            f"<text x='{x + w / 2:.0f}' y='{y + h / 2 + 16:.0f}' text-anchor='middle' "
            f"font-family='{family}' font-size='11'>{w * h / 4000:.1f} m²</text>"
        )
        out += polyline([(x + 8, y + 16), (x + w - 8, y + 16)], f"stroke='{pen}' stroke-width='.8'") + (
            f"<text x='{x + w / 2:.0f}' y='{y + 13:.0f}' font-size='9' text-anchor='middle' "
            f"font-family='{family}'>{w * 12:.0f}</text>"
        )
        for _ in range(rng.randint(1, 4)):
            fx, fy, s = x + rng.uniform(0.1, 0.7) * w, y + rng.uniform(0.2, 0.7) * h, rng.uniform(20, 60)
            out += rng.choice(
                (
                    (
                        f"<rect x='{fx:.0f}' y='{fy:.0f}' width='{s:.0f}' height='{s * 0.6:.0f}' rx='3' "
                        f"fill='none' stroke='{pen}'/>"
                    ),
                    f"<circle cx='{fx:.0f}' cy='{fy:.0f}' r='{s / 2:.0f}' fill='none' stroke='{pen}'/>",
                )
            )
        if rng.random() < 0.3:
            out += "".join(
                polyline([(x + t, y), (x, y + t)], f"stroke='{pen}' stroke-width='.6'")
                for t in range(10, int(min(w, h)), 9)
            )
    return out


def machine(rng, source, width, height, pen, family):
    """Gears, centre lines, sections and dimensions."""
    out = ""
    for _ in range(rng.randint(5, 9)):
        cx, cy, r = rng.uniform(0.1, 0.9) * width, rng.uniform(0.1, 0.9) * height, rng.uniform(40, height * 0.28)
        teeth = int(r / 5)
        out += polygon(
            [
                (
                    cx + (r if i % 4 < 2 else r * 0.9) * math.cos(2 * math.pi * i / (4 * teeth)),
                    cy + (r if i % 4 < 2 else r * 0.9) * math.sin(2 * math.pi * i / (4 * teeth)),
                )
                for i in range(4 * teeth)
            ],
            f"fill='#fff' stroke='{pen}' stroke-width='1.6'",
        )
        for share in (0.75, 0.3, 0.15):
            out += (
                f"<circle cx='{cx:.0f}' cy='{cy:.0f}' r='{r * share:.0f}' fill='none' stroke='{pen}' "
                f"stroke-width='{rng.choice((0.8, 1.6))}'/>"
            )
        out += "".join(
            (
                f"<circle cx='{cx + r * 0.52 * math.cos(k * math.pi / 3):.0f}' "
                f"cy='{cy + r * 0.52 * math.sin(k * math.pi / 3):.0f}' r='{r * 0.1:.0f}' fill='none' "
                f"stroke='{pen}'/>"
            )
            for k in range(6)
        )
        out += polyline(
            [(cx - r * 1.2, cy), (cx + r * 1.2, cy)], f"stroke='{pen}' stroke-width='.7' stroke-dasharray='14 4 3 4'"
        ) + polyline(
            [(cx, cy - r * 1.2), (cx, cy + r * 1.2)], f"stroke='{pen}' stroke-width='.7' stroke-dasharray='14 4 3 4'"
        )
        out += polyline([(cx - r, cy + r * 1.15), (cx + r, cy + r * 1.15)], f"stroke='{pen}' stroke-width='.8'") + (
            f"<text x='{cx:.0f}' y='{cy + r * 1.15 - 4:.0f}' text-anchor='middle' "
            f"font-family='{family}' font-size='12'>⌀ {2 * r:.1f}</text>"
        )
    out += (
        f"<rect x='8' y='8' width='{width - 16}' height='{height - 16}' fill='none' "
        f"stroke='{pen}' stroke-width='2'/><rect x='{width - 308}' y='{height - 78}' "
        f"width='300' height='70' fill='#fff' stroke='{pen}' stroke-width='2'/>"
    )
    for k in range(3):
        out += (
            f"<text x='{width - 298}' y='{height - 56 + 20 * k}' font-family='{family}' "
            f"font-size='13'>{escape(source.phrase(rng, 4)[:38])}</text>"
        )
    return out


def rosette(rng, width, height, pen):
    out = ""
    for _ in range(rng.randint(1, 4)):
        cx, cy, r, p, q = (
            rng.uniform(0.25, 0.75) * width,
            rng.uniform(0.3, 0.7) * height,
            height * rng.uniform(0.2, 0.5),
            rng.randint(5, 31),
            rng.uniform(0.3, 0.9),
        )
        turns = rng.randint(3, 9)
        out += polyline(
            [
                (
                    cx + r * (math.cos(t) + q * math.cos(p * t / turns)) / (1 + q),
                    cy + r * (math.sin(t) + q * math.sin(p * t / turns)) / (1 + q),
                )
                for t in (2 * math.pi * turns * i / 2400 for i in range(2401))
            ],
            f"stroke='{pen}' stroke-width='{rng.uniform(0.6, 1.4):.1f}'",
        )
    return out


def landscape(rng, width, height, pen):
    """Hatched hills, spheres and bare trees in ink."""
    out = ""
    for layer in range(5):
        base = height * (0.3 + 0.15 * layer)
        ridge = [(width * i / 14, base + rng.uniform(-0.07, 0.07) * height) for i in range(-1, 16)]
        out += curve(
            [(-50, height + 50)] + ridge + [(width + 80, height + 50)], f"fill='#fff' stroke='{pen}' stroke-width='1.8'"
        )
        slope = rng.uniform(-1, 1)
        for i in range(int(width / 5)):
            x = i * 5 + rng.uniform(-1, 1)
            k = min(len(ridge) - 2, int(x / width * 14) + 1)
            t = x / width * 14 - (k - 1)
            y = ridge[k][1] * (1 - t) + ridge[k + 1][1] * t + 3
            if rng.random() < 0.8:
                length = rng.uniform(5, 45) * (1 + 0.3 * layer)
                out += polyline(
                    [(x, y), (x + slope * length * 0.5, y + length)],
                    f"stroke='{pen}' stroke-width='{rng.uniform(0.6, 1.2):.1f}'",
                )
        if layer in (1, 3):
            out += "".join(
                tree(
                    rng,
                    rng.uniform(0, width),
                    base + rng.uniform(30, 80),
                    rng.uniform(18, 34) * (1 + 0.25 * layer),
                    -math.pi / 2,
                    3 + layer,
                    pen,
                )
                for _ in range(rng.randint(1, 3))
            )
    for i in range(14):
        y = 14 + i * height * 0.018
        out = (
            polyline(
                [(rng.uniform(0, 0.3) * width, y), (rng.uniform(0.6, 1) * width, y)],
                f"stroke='{pen}' stroke-width='.8'",
            )
            + out
        )
    return out


def circuit(rng, source, width, height, pen, family):
    out, step = "", rng.choice((60, 76, 90))
    for y in range(step, height, step):
        for x in range(step, width, step):
            chance = rng.random()
            wire = f"stroke='{pen}' stroke-width='1.5'"
            if chance < 0.35:
                out += polyline(
                    [(x - step, y), (x - 24, y)]
                    + [(x - 24 + 8 * k, y + (8 if k % 2 else -8)) for k in range(1, 6)]
                    + [(x + 24, y), (x + 0, y)],
                    wire,
                )
                out += (
                    f"<text x='{x - 14}' y='{y - 14}' font-family='{family}' "
                    f"font-size='11'>R{rng.randint(1, 99)}</text>"
                    f"<text x='{x - 14}' y='{y + 24}' font-family='{family}' "
                    f"font-size='10'>{rng.choice((1, 2.2, 4.7, 10, 47))}k</text>"
                )
            elif chance < 0.5:
                out += (
                    polyline([(x, y - step), (x, y - 5)], wire)
                    + polyline([(x - 14, y - 5), (x + 14, y - 5)], wire)
                    + polyline([(x - 14, y + 5), (x + 14, y + 5)], wire)
                    + polyline([(x, y + 5), (x, y + 30)], wire)
                )
                out += (
                    f"<text x='{x + 18}' y='{y + 4}' font-family='{family}' font-size='11'>C{rng.randint(1, 99)}</text>"
                )
            elif chance < 0.58:
                out += f"<rect x='{x - 26}' y='{y - 26}' width='52' height='52' fill='#fff' {wire}/>" + "".join(
                    polyline([(x - 36, y - 16 + 11 * k), (x - 26, y - 16 + 11 * k)], wire)
                    + polyline([(x + 26, y - 16 + 11 * k), (x + 36, y - 16 + 11 * k)], wire)
                    for k in range(4)
                )
                out += (
                    f"<text x='{x}' y='{y + 4}' text-anchor='middle' font-family='{family}' "
                    f"font-size='11'>U{rng.randint(1, 20)}</text>"
                )
            elif chance < 0.85:
                out += polyline([(x - step, y), (x, y)], wire) + (
                    polyline([(x, y), (x, y - step)], wire) + f"<circle cx='{x}' cy='{y}' r='3.5'/>"
                    if rng.random() < 0.6
                    else ""
                )
    return out


def lineart(rng, sources, style, width, height, number):
    source = sources.latin(rng)
    family = style.font("sans")
    sorts = ["engraving", "flowchart", "landscape", "machine", "plan", "rosette", "circuit", "spheres"]
    sort = (
        sorts[number % len(sorts)]
        if style.split != "test"
        else ("engraving", "machine", "landscape", "flowchart", "plan", "circuit")[number % 6]
    )
    if sort == "engraving":
        return engraving(rng, sources, style, width, height)
    pen = rng.choice(("#000", "#000", "#111", "#1c2a4a", "#3a2010"))
    if sort == "flowchart":
        body = flowchart(rng, source, style, width, height, pen, family)
    elif sort == "machine":
        body = machine(rng, source, width, height, pen, family)
    elif sort == "plan":
        body = floor_plan(rng, source, width, height, pen, family)
    elif sort == "rosette":
        body = rosette(rng, width, height, pen)
    elif sort == "circuit":
        body = circuit(rng, source, width, height, pen, family)
    elif sort == "landscape":
        body = landscape(rng, width, height, pen)
    else:
        body = "".join(
            hatched(
                rng,
                rng.uniform(0.05, 0.95) * width,
                rng.uniform(0.05, 0.95) * height,
                rng.uniform(30, height * 0.22),
                pen,
            )
            for _ in range(rng.randint(12, 24))
        )
    return svg(width, height, body, "", rng.choice(("#fff", "#fff", "#fff", "#f6efdd")))
