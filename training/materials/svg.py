"""Shapes and pages of SVG."""

import math


def document(css, body, attributes=""):
    return f"<!doctype html><meta charset=utf-8><style>*{{box-sizing:border-box}}{css}</style><body {attributes}>{body}"


def svg(width, height, body, css="", background="#fff"):
    return document(
        f"body{{margin:0;background:{background};overflow:hidden}}{css}",
        (
            f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' "
            f"viewBox='0 0 {width} {height}'>{body}</svg>"
        ),
    )


def points(pairs):
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in pairs)


def polygon(pairs, extra):
    return f"<polygon points='{points(pairs)}' {extra}/>"


def polyline(pairs, extra):
    return f"<polyline points='{points(pairs)}' fill='none' {extra}/>"


def curve(pairs, extra, closed=False):
    """A smooth line through the points (Catmull-Rom as Bezier curves)."""
    n = len(pairs)
    at = (lambda i: pairs[i % n]) if closed else (lambda i: pairs[min(max(i, 0), n - 1)])
    path = f"M{pairs[0][0]:.1f} {pairs[0][1]:.1f}"
    for i in range(n if closed else n - 1):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = at(i - 1), at(i), at(i + 1), at(i + 2)
        path += (
            f"C{bx + (cx - ax) / 6:.1f} {by + (cy - ay) / 6:.1f} {cx - (dx - bx) / 6:.1f} "
            f"{cy - (dy - by) / 6:.1f} {cx:.1f} {cy:.1f}"
        )
    return f"<path d='{path}{'z' if closed else ''}' {extra}/>"


def blob(rng, cx, cy, rx, ry, count=10, rough=0.2):
    return [
        (cx + rx * math.cos(a) * f, cy + ry * math.sin(a) * f)
        for a, f in ((2 * math.pi * i / count, 1 + rng.uniform(-rough, rough)) for i in range(count))
    ]


def regular(cx, cy, r, sides, turn=0.0, inner=None):
    """A regular polygon, or a star where an inner radius is given."""
    steps = sides * (2 if inner else 1)
    return [
        (
            cx + (inner if inner and i % 2 else r) * math.cos(turn + 2 * math.pi * i / steps),
            cy + (inner if inner and i % 2 else r) * math.sin(turn + 2 * math.pi * i / steps),
        )
        for i in range(steps)
    ]
