"""The kind comic: panels, people, scenery and balloons."""

import math
from html import escape

from styles import hsv
from svg import blob, curve, polygon, polyline, regular, svg


def panels(rng, x, y, w, h, gutter, depth):
    if depth == 0 or w * h < 60000 or min(w, h) < 180:
        return [(x, y, w, h)]
    share = rng.uniform(0.35, 0.65)
    if h > w * rng.uniform(0.6, 1.1):
        first = h * share
        return panels(rng, x, y, w, first - gutter / 2, gutter, depth - 1) + panels(
            rng, x, y + first + gutter / 2, w, h - first - gutter / 2, gutter, depth - 1
        )
    first = w * share
    return panels(rng, x, y, first - gutter / 2, h, gutter, depth - 1) + panels(
        rng, x + first + gutter / 2, y, w - first - gutter / 2, h, gutter, depth - 1
    )


def figure(rng, style, x, floor, tall, ink, fill):
    """A person of head, hair, trunk, arms; cut by the panel below."""
    r = tall * 0.2
    head_y = floor - tall * 0.72
    skin = fill(rng.choice(("#f6d2b3", "#e0ac86", "#a9714b", "#7c4f33", "#fbe3d0")))
    cloth, hair = fill(style.colour()), fill(rng.choice(("#222", "#5a3518", "#d9a441", "#888", "#a33", style.dark())))
    pen = f"stroke='{ink}' stroke-width='{rng.uniform(1.6, 3.4):.1f}' stroke-linejoin='round' stroke-linecap='round'"
    lean = rng.uniform(-0.15, 0.15) * r
    shoulder = head_y + r * 1.35
    out = polygon(
        [
            (x - r * 0.35, head_y + r * 0.7),
            (x + r * 0.35, head_y + r * 0.7),
            (x + r * 0.4, shoulder + 6),
            (x - r * 0.4, shoulder + 6),
        ],
        f"fill='{skin}' {pen}",
    )
    out += curve(
        [
            (x - r * 1.3, floor + 20),
            (x - r * 1.35, shoulder + r * 0.6),
            (x - r * 0.5, shoulder),
            (x + r * 0.5, shoulder),
            (x + r * 1.35, shoulder + r * 0.6),
            (x + r * 1.3, floor + 20),
        ],
        f"fill='{cloth}' {pen}",
    )
    hand = (x + r * rng.uniform(-2.6, 2.6), shoulder + rng.uniform(-1, 2) * r)
    side = 1 if hand[0] > x else -1
    elbow = (x + side * r * 1.9, shoulder + r * rng.uniform(0.9, 1.8))
    arm = [(x + side * r * 1.1, shoulder + r * 0.5), elbow, hand]
    out += polyline(arm, f"stroke='{ink}' stroke-width='{r * 0.5:.0f}' stroke-linecap='round' stroke-linejoin='round'")
    out += polyline(
        arm, f"stroke='{cloth}' stroke-width='{r * 0.5 - 4:.0f}' stroke-linecap='round' stroke-linejoin='round'"
    )
    out += f"<circle cx='{hand[0]:.0f}' cy='{hand[1]:.0f}' r='{r * 0.24:.0f}' fill='{skin}' {pen}/>"
    for _ in range(rng.randint(2, 6)):  # folds of the cloth
        fx, fy = x + rng.uniform(-1, 1) * r, shoulder + rng.uniform(0.5, 2.2) * r
        out += curve(
            [(fx, fy), (fx + rng.uniform(-6, 6), fy + r * 0.3), (fx + rng.uniform(-10, 10), fy + r * 0.6)],
            f"fill='none' {pen}",
        )
    out += f"<ellipse cx='{x + lean:.0f}' cy='{head_y:.0f}' rx='{r * 0.8:.0f}' ry='{r:.0f}' fill='{skin}' {pen}/>"
    top = [
        (
            x + lean + r * 0.85 * math.cos(a) * rng.uniform(0.95, 1.3),
            head_y - r * 0.15 + r * math.sin(a) * rng.uniform(0.95, 1.3),
        )
        for a in (math.pi + i * math.pi / 7 for i in range(8))
    ]
    fringe = [(x + lean + r * (0.7 - 0.28 * i), head_y - r * rng.uniform(0.25, 0.6)) for i in range(6)]
    out += polygon(top + fringe, f"fill='{hair}' {pen}")
    look = rng.uniform(-0.12, 0.12) * r
    for side in (-1, 1):
        ex = x + lean + side * r * 0.33
        out += (
            f"<ellipse cx='{ex:.1f}' cy='{head_y:.1f}' rx='{r * 0.17:.1f}' "
            f"ry='{r * rng.uniform(0.1, 0.2):.1f}' fill='#fff' {pen}/>"
        )
        out += f"<circle cx='{ex + look:.1f}' cy='{head_y:.1f}' r='{r * 0.07:.1f}' fill='{ink}'/>"
        out += polyline(
            [
                (ex - r * 0.2, head_y - r * rng.uniform(0.25, 0.35)),
                (ex + r * 0.2, head_y - r * rng.uniform(0.25, 0.35)),
            ],
            pen,
        )
    out += polyline(
        [
            (x + lean, head_y + r * 0.1),
            (x + lean + r * 0.1, head_y + r * 0.35),
            (x + lean - r * 0.05, head_y + r * 0.38),
        ],
        pen,
    )
    out += curve(
        [
            (x + lean - r * 0.28, head_y + r * 0.6),
            (x + lean, head_y + r * rng.uniform(0.5, 0.75)),
            (x + lean + r * 0.28, head_y + r * 0.6),
        ],
        f"fill='{rng.choice(('none', '#a33'))}' {pen}",
    )
    return out


def scenery(rng, style, x, y, w, h, ink, fill):
    pen = f"stroke='{ink}' stroke-width='{rng.uniform(1, 2):.1f}'"
    sort = rng.choice(("city", "hills", "room", "rays", "flat", "trees", "night"))
    sky = fill(style.colour((0.1, 0.5), (0.75, 1)))
    out = f"<rect x='{x}' y='{y}' width='{w}' height='{h}' fill='{sky}'/>"
    if sort in ("city", "night"):
        if sort == "night":
            out += (
                f"<rect x='{x}' y='{y}' width='{w}' height='{h}' fill='{fill(style.dark())}'/>"
                f"<circle cx='{x + w * 0.8:.0f}' cy='{y + h * 0.25:.0f}' r='{h * 0.1:.0f}' "
                f"fill='#ffc' {pen}/>"
            )
        left = x
        while left < x + w:
            bw, bh = rng.uniform(30, 90), rng.uniform(0.3, 0.8) * h
            out += (
                f"<rect x='{left:.0f}' y='{y + h - bh:.0f}' width='{bw:.0f}' height='{bh:.0f}' "
                f"fill='{fill(style.colour((0.1, 0.4), (0.5, 0.8)))}' {pen}/>"
            )
            for wy in range(int(y + h - bh + 8), int(y + h) - 8, 18):
                for wx in range(int(left + 6), int(left + bw) - 10, 16):
                    out += (
                        f"<rect x='{wx}' y='{wy}' width='8' height='10' "
                        f"fill='{rng.choice(('#fff', '#fd8', ink))}' {pen}/>"
                    )
            left += bw
    elif sort in ("hills", "trees"):
        for layer in range(3):
            base = y + h * (0.5 + 0.16 * layer)
            line = [(x + w * i / 7, base + rng.uniform(-0.08, 0.08) * h) for i in range(8)]
            out += curve(
                [(x - 9, y + h + 9)] + line + [(x + w + 9, y + h + 9)],
                f"fill='{fill(style.colour((0.3, 0.7), (0.45, 0.85)))}' {pen}",
            )
        for _ in range(rng.randint(2, 7) if sort == "trees" else 1):
            tx, ty, s = x + rng.random() * w, y + h * rng.uniform(0.5, 0.85), rng.uniform(0.1, 0.25) * h
            out += (
                f"<rect x='{tx - s * 0.08:.0f}' y='{ty:.0f}' width='{s * 0.16:.0f}' height='{s:.0f}' "
                f"fill='{fill('#7a5230')}' {pen}/>"
            )
            out += curve(
                blob(rng, tx, ty, s * 0.6, s * 0.6, 12),
                f"fill='{fill(hsv(0.33, 0.6, rng.uniform(0.4, 0.7)))}' {pen}",
                True,
            )
    elif sort == "room":
        floor = y + h * 0.75
        out += (
            f"<rect x='{x}' y='{floor}' width='{w}' height='{h}' "
            f"fill='{fill(style.colour((0.3, 0.6), (0.4, 0.6)))}' {pen}/>"
        )
        out += (
            f"<rect x='{x + w * 0.55:.0f}' y='{y + h * 0.15:.0f}' width='{w * 0.3:.0f}' "
            f"height='{h * 0.35:.0f}' fill='{fill('#bfe3ff')}' {pen}/>"
        )
        out += "".join(polyline([(x + w * 0.7, y + h * 0.15), (x + w * 0.7, y + h * 0.5)], pen) for _ in range(1))
        for i in range(int(w // 40)):
            out += polyline([(x + i * 40, floor), (x + w / 2 + (i * 40 - w / 2) * 1.8, y + h)], pen)
    elif sort == "rays":
        cx, cy = x + w * rng.uniform(0.3, 0.7), y + h * rng.uniform(0.3, 0.7)
        for i in range(36):
            a, b = i * math.pi / 18, i * math.pi / 18 + rng.uniform(0.02, 0.08)
            out += polygon(
                [
                    (cx + 60 * math.cos(a), cy + 60 * math.sin(a)),
                    (cx + 2000 * math.cos(a), cy + 2000 * math.sin(a)),
                    (cx + 2000 * math.cos(b), cy + 2000 * math.sin(b)),
                ],
                f"fill='{ink}'",
            )
    if rng.random() < 0.5:
        dots = rng.choice(("d1", "d2", "h1"))
        out += (
            f"<rect x='{x}' y='{y + h * rng.choice((0, 0.3, 0.6)):.0f}' width='{w}' height='{h}' fill='url(#{dots})'/>"
        )
    return out


def comic(rng, sources, style, width, height, number):
    source = sources.any_text(rng) if rng.random() < 0.25 else sources.latin(rng)
    grey = number % 3 == 2
    ink = rng.choice(("#000", "#000", "#1a1020"))
    family = style.font("comic") if source.script == "latin" else style.font_for(source)

    def fill(colour):
        if not grey:
            return colour
        level = sum(int(colour.strip("#")[i * len(colour.strip("#")) // 3], 16) for i in range(3)) // 3
        return "#" + "0369cff"[min(6, level // 2)] * 3 if level < 14 else "#fff"

    gutter, margin = rng.choice((8, 12, 18, 24)), rng.choice((12, 24, 36))
    dot, gap = rng.uniform(0.8, 2.2), rng.choice((4, 5, 6, 8))
    tone = ink if grey else style.colour()
    body = (
        f"<defs><pattern id='d1' width='{gap}' height='{gap}' patternUnits='userSpaceOnUse' "
        f"patternTransform='rotate(45)'><circle cx='2' cy='2' r='{dot:.1f}' fill='{tone}'/>"
        "</pattern>"
        f"<pattern id='d2' width='{gap + 3}' height='{gap + 3}' patternUnits='userSpaceOnUse' "
        f"patternTransform='rotate(30)'><circle cx='3' cy='3' r='{dot + 0.6:.1f}' "
        f"fill='{ink}'/></pattern>"
        f"<pattern id='h1' width='{gap}' height='{gap}' patternUnits='userSpaceOnUse' "
        f"patternTransform='rotate({rng.randrange(180)})'>"
        f"<rect width='1.2' height='{gap}' fill='{ink}'/></pattern></defs>"
    )
    boxes = ""
    for i, (x, y, w, h) in enumerate(
        panels(rng, margin, margin, width - 2 * margin, height - 2 * margin, gutter, rng.choice((2, 3, 3)))
    ):
        body += (
            f"<clipPath id='c{i}'><rect x='{x:.1f}' y='{y:.1f}' width='{w:.1f}' height='{h:.1f}'/>"
            f"</clipPath><g clip-path='url(#c{i})'>"
        )
        body += scenery(rng, style, x, y, w, h, ink, fill)
        people = rng.choice((0, 1, 1, 2, 2, 3)) if w > 160 else 1
        places = sorted(x + w * (k + rng.uniform(0.3, 0.7)) / max(1, people) for k in range(people))
        tall = h * rng.uniform(0.55, 1.1)
        for place in places:
            body += figure(rng, style, place, y + h + tall * rng.uniform(0, 0.2), tall, ink, fill)
        size = rng.choice((11, 12, 13, 14, 16))
        for k, place in enumerate(places[:2] or [x + w / 2]):
            words = source.phrase(rng, rng.randint(4, 16 if w > 260 else 8))
            room = w * (0.9 if len(places) < 2 else 0.46) * h * 0.3 / (size * size * (1.2 if source.dense else 0.8))
            words = words[: int(room)]
            words = words.upper() if rng.random() < 0.7 else words
            bw = min(w * (0.9 if len(places) < 2 else 0.46), 80 + len(words) * 1.6 * (2 if source.dense else 1))
            bh = min(h * 0.42, 34 + len(words) * size * size * (1.0 if source.dense else 0.62) * 1.5 / max(50, bw - 30))
            left, right = (x, x + w) if len(places) < 2 else (x + k * w / 2, x + (k + 1) * w / 2)
            bx = min(max(place - bw / 2, left + 4), right - bw - 4)
            by = y + rng.uniform(6, 20) + (k * h * 0.1 if rng.random() < 0.5 else 0)
            if places:
                pen = f"fill='#fff' stroke='{ink}' stroke-width='2' stroke-linejoin='round'"
                tail = [
                    (bx + bw * 0.45, by + bh - 6),
                    (place, min(y + h - 10, by + bh + 26)),
                    (bx + bw * 0.6, by + bh - 6),
                ]
                body += polygon(tail, pen)
                if rng.random() < 0.15:
                    body += polygon(
                        regular(0, 0, 1, 18, 0, 0.85),
                        (
                            f"{pen} vector-effect='non-scaling-stroke' transform='translate({bx + bw / 2:.0f} "
                            f"{by + bh / 2:.0f}) scale({bw * 0.58:.0f} {bh * 0.62:.0f})'"
                        ),
                    )
                else:
                    radius = rng.choice((14, bh / 2, bh / 2))
                    body += (
                        f"<rect x='{bx:.0f}' y='{by:.0f}' width='{bw:.0f}' height='{bh:.0f}' rx='{radius:.0f}' {pen}/>"
                    )
                body += polygon(
                    [(tail[0][0] + 2, tail[0][1] - 3), (tail[1][0], tail[1][1] - 8), (tail[2][0] - 2, tail[2][1] - 3)],
                    "fill='#fff'",
                )
                colour = "none"
            else:
                colour = fill("#fff3b0")
            boxes += (
                "<div "
                f"style='position:absolute;left:{bx:.0f}px;top:{by:.0f}px;width:{bw:.0f}px;height:{bh:.0f}px;padding:5px "
                ""
                "12px;overflow:hidden;display:flex;align-items:center;justify-content:center;"
                f'text-align:center;font:{size}px/1.15 "{family}";background:{colour};{"border:2px solid " + ink if colour != "none" else ""}\'><span>{escape(words)}</span></div>'
            )
        if rng.random() < 0.15:
            body += (
                f"<text x='{x + w * 0.5:.0f}' y='{y + h * 0.7:.0f}' text-anchor='middle' "
                f"font-family='{style.font('display')}' font-weight='900' "
                f"font-size='{min(w, h) * 0.25:.0f}' fill='{fill(style.colour())}' "
                f"stroke='{ink}' stroke-width='3' transform='rotate({rng.randint(-20, 20)} "
                f"{x + w / 2:.0f} "
                f"{y + h / 2:.0f})'>{rng.choice(('POW!', 'KRAK!', 'ZZZ', 'BOOM', 'WHAM!', 'SPLASH'))}"
                "</text>"
            )
        body += (
            f"</g><rect x='{x:.1f}' y='{y:.1f}' width='{w:.1f}' height='{h:.1f}' fill='none' "
            f"stroke='{ink}' stroke-width='{rng.choice((2, 3, 4))}'/>"
        )
    page = svg(width, height, body, "svg{position:absolute}", rng.choice(("#fff", "#fff", "#faf3e0")))
    return page + boxes
