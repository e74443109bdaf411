"""The kind logo: emblems with names, and sheets of icons."""

import math
from html import escape

from svg import curve, polygon, regular, svg


def mark(rng, style, cx, cy, r, name):
    """One emblem within radius r."""
    a, b, c = style.colour(), style.colour(), style.pale()
    gradient, axis = rng.choice((("linear", "x2='0' y2='1'"), ("radial", "")))
    out = (
        f"<defs><{gradient}Gradient id='{name}' {axis}><stop stop-color='{a}'/>"
        f"<stop offset='1' stop-color='{b}'/></{gradient}Gradient></defs>"
    )
    paint = f"fill='{rng.choice((a, a, f'url(#{name})'))}'"
    sort = rng.choice(
        ("rings", "monogram", "star", "petals", "shield", "stripes", "hex", "bolt", "nested", "drops", "badge")
    )
    if sort == "rings":
        for i in range(rng.randint(2, 4)):
            out += (
                f"<circle cx='{cx + rng.uniform(-0.35, 0.35) * r:.0f}' "
                f"cy='{cy + rng.uniform(-0.35, 0.35) * r:.0f}' r='{r * 0.55:.0f}' fill='none' "
                f"stroke='{style.colour()}' stroke-width='{r * 0.14:.0f}' "
                f"opacity='{rng.choice((1, 0.8))}'/>"
            )
    elif sort == "monogram":
        shape = rng.choice(
            (
                f"<circle cx='{cx}' cy='{cy}' r='{r}' {paint}/>",
                (
                    f"<rect x='{cx - r}' y='{cy - r}' width='{2 * r}' height='{2 * r}' "
                    f"rx='{r * rng.choice((0, 0.2, 0.45)):.0f}' {paint}/>"
                ),
            )
        )
        out += shape + (
            f"<text x='{cx}' y='{cy + r * 0.42:.0f}' text-anchor='middle' "
            f"font-family='{style.font('display')}' font-weight='800' font-size='{r * 1.2:.0f}' "
            f"fill='{c}'>{chr(65 + rng.randrange(26))}{rng.choice(('', chr(65 + rng.randrange(26))))}"
            "</text>"
        )
    elif sort == "star":
        out += polygon(regular(cx, cy, r, rng.randint(5, 12), -math.pi / 2, r * rng.uniform(0.35, 0.75)), paint)
        out += f"<circle cx='{cx}' cy='{cy}' r='{r * 0.3:.0f}' fill='{c}'/>"
    elif sort == "petals":
        n = rng.randint(3, 9)
        for i in range(n):
            out += (
                f"<ellipse cx='{cx}' cy='{cy - r * 0.5:.0f}' rx='{r * rng.uniform(0.2, 0.3):.0f}' "
                f"ry='{r * 0.5:.0f}' fill='{(a, b)[i % 2]}' opacity='.85' "
                f"transform='rotate({360 * i / n:.0f} {cx} {cy})'/>"
            )
    elif sort == "shield":
        out += (
            f"<path d='M{cx - r * 0.8} {cy - r * 0.8}H{cx + r * 0.8}V{cy}Q{cx + r * 0.7} "
            f"{cy + r * 0.7} {cx} {cy + r}Q{cx - r * 0.7} {cy + r * 0.7} {cx - r * 0.8} {cy}z' "
            f"{paint} stroke='{style.dark()}' stroke-width='{r * 0.08:.0f}'/>"
        )
        out += polygon(regular(cx, cy - r * 0.05, r * 0.45, 5, -math.pi / 2, r * 0.18), f"fill='{c}'")
    elif sort == "stripes":
        out += f"<clipPath id='k{name}'><circle cx='{cx}' cy='{cy}' r='{r}'/></clipPath><g clip-path='url(#k{name})'>"
        n = rng.randint(4, 8)
        out += (
            "".join(
                (
                    f"<rect x='{cx - r * 1.5:.0f}' y='{cy - r + 2 * r * i / n:.0f}' width='{3 * r:.0f}' "
                    f"height='{r * rng.uniform(0.8, 2) / n:.0f}' fill='{style.colour()}' "
                    f"transform='rotate({rng.choice((0, -20, 45))} {cx} {cy})'/>"
                )
                for i in range(n)
            )
            + "</g>"
        )
    elif sort == "hex":
        out += polygon(regular(cx, cy, r, 6, math.pi / 6), paint)
        for k in range(3):
            t = math.pi / 6 + k * 2 * math.pi / 3
            out += polygon(
                [(cx, cy)]
                + [(cx + r * 0.95 * math.cos(t + d), cy + r * 0.95 * math.sin(t + d)) for d in (0, math.pi / 3)],
                f"fill='{(b, c, a)[k]}' opacity='.7'",
            )
    elif sort == "bolt":
        out += f"<rect x='{cx - r}' y='{cy - r}' width='{2 * r}' height='{2 * r}' rx='{r * 0.3:.0f}' {paint}/>"
        out += polygon(
            [
                (cx + r * 0.2, cy - r * 0.8),
                (cx - r * 0.5, cy + r * 0.15),
                (cx - r * 0.05, cy + r * 0.15),
                (cx - r * 0.25, cy + r * 0.8),
                (cx + r * 0.5, cy - r * 0.2),
                (cx + r * 0.05, cy - r * 0.2),
            ],
            f"fill='{c}'",
        )
    elif sort == "nested":
        for i in range(rng.randint(3, 6)):
            out += polygon(
                regular(cx, cy, r * (1 - 0.17 * i), rng.choice((3, 4, 6)), rng.uniform(0, 2)),
                f"fill='{(a, c, b)[i % 3]}'",
            )
    elif sort == "drops":
        out += (
            f"<path d='M{cx} {cy - r}C{cx + r * 0.3} {cy - r * 0.3} {cx + r * 0.8} {cy} "
            f"{cx + r * 0.7} {cy + r * 0.4}A{r * 0.7} {r * 0.7} 0 1 1 {cx - r * 0.7} "
            f"{cy + r * 0.4}C{cx - r * 0.8} {cy} {cx - r * 0.3} {cy - r * 0.3} {cx} {cy - r}z' "
            f"{paint}/>"
        )
        out += (
            f"<path d='M{cx - r * 0.4} {cy + r * 0.4}A{r * 0.4} {r * 0.4} 0 0 0 {cx} "
            f"{cy + r * 0.8}' stroke='{c}' stroke-width='{r * 0.1:.0f}' fill='none' "
            "stroke-linecap='round'/>"
        )
    else:
        out += (
            polygon(regular(cx, cy, r, 24, 0, r * 0.92), paint)
            + f"<circle cx='{cx}' cy='{cy}' r='{r * 0.78:.0f}' fill='none' stroke='{c}' stroke-width='{r * 0.03:.1f}'/>"
        )
        out += (
            f"<path id='p{name}' d='M{cx - r * 0.62} {cy}A{r * 0.62} {r * 0.62} 0 0 1 "
            f"{cx + r * 0.62} {cy}' fill='none'/><text font-family='{style.font('display')}' "
            f"font-size='{r * 0.2:.0f}' fill='{c}'><textPath href='#p{name}' startOffset='50%' "
            f"text-anchor='middle'>SINCE {rng.randint(1850, 2020)}</textPath></text>"
        )
        out += polygon(regular(cx, cy + r * 0.1, r * 0.35, 4, 0, r * 0.15), f"fill='{c}'")
    return out


def logo(rng, sources, style, width, height, number):
    latin = sources.latin(rng)
    paper = rng.choice(("#fff", "#fff", style.pale(), style.dark(), style.colour((0.5, 0.9), (0.5, 0.8))))
    body = f"<rect width='{width}' height='{height}' fill='{paper}'/>"
    if rng.random() < 0.3:
        body += (
            f"<defs><linearGradient id='bg' x2='{rng.random():.2f}' y2='1'>"
            f"<stop stop-color='{style.colour()}'/><stop offset='1' "
            f"stop-color='{style.colour()}'/></linearGradient></defs>"
            f"<rect width='{width}' height='{height}' fill='url(#bg)'/>"
        )
    ink = style.colour((0.5, 1), (0.2, 0.9)) if rng.random() < 0.5 else style.dark()
    name = escape(latin.phrase(rng, rng.choice((1, 1, 2))).title().strip(".,;:()\"'")[:18])
    family, weight = style.font("display"), rng.choice((400, 700, 900))
    layout = number % 4
    if layout == 3:  # a sheet of icons
        n = rng.choice((3, 4, 5))
        step = width / n
        for j in range(int(height // step) + 1):
            for i in range(n):
                body += mark(
                    rng,
                    style,
                    round(step * (i + 0.5)),
                    round(step * (j + 0.5)),
                    round(step * rng.uniform(0.28, 0.4)),
                    f"m{i}{j}",
                )
    else:
        # the whole line of the name must fit in the picture
        size = min(height * rng.uniform(0.14, 0.24), 1.5 * width * (0.55 if layout == 1 else 0.85) / max(4, len(name)))
        r = round(min(width, height) * rng.uniform(0.24, 0.32))
        if layout == 1:
            r = round(min(r, width * 0.17))
            body += mark(rng, style, round(width * 0.2), height // 2, r, "m") + (
                f"<text x='{width * 0.41:.0f}' y='{height / 2 + size * 0.35:.0f}' "
                f"font-family='{family}' font-weight='{weight}' font-size='{size:.0f}' "
                f"fill='{ink}'>{name}</text>"
            )
            body += (
                f"<text x='{width * 0.41:.0f}' y='{height / 2 + size:.0f}' "
                f"font-family='{style.font('sans')}' font-size='{size * 0.28:.0f}' letter-spacing='2' "
                f"fill='{ink}'>{escape(latin.phrase(rng, 4)[:28])}</text>"
            )
        else:
            body += mark(rng, style, width // 2, round(height * 0.4), r, "m") + (
                f"<text x='{width / 2:.0f}' y='{height * 0.4 + r + size:.0f}' text-anchor='middle' "
                f"font-family='{family}' font-weight='{weight}' font-size='{size:.0f}' "
                f"letter-spacing='{rng.choice((0, 0, 3))}' fill='{ink}'>{name}</text>"
            )
            if rng.random() < 0.6:
                for k in range(rng.randint(1, 4)):
                    body = body.replace(
                        "fill='url(#bg)'/>",
                        "fill='url(#bg)'/>"
                        + curve(
                            [(width * i / 5, height * (0.7 + 0.08 * k) + rng.uniform(-40, 40)) for i in range(6)],
                            f"fill='none' stroke='{style.colour()}' stroke-width='{rng.randint(6, 40)}' opacity='.5'",
                        ),
                        1,
                    )
    return svg(width, height, body)
