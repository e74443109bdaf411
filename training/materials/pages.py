"""Kinds that are pages: text, spreadsheet, web."""

import re
from html import escape

from sources import TEXTS
from styles import hsv
from svg import document

FLAGS = ["flag{sh1fted_and_turn3d}", "CTF{p1eces_of_m1nd}", "flag{0nly_th3_edges_kn0w}"]


def joined(paragraphs, least):
    """Longer paragraphs, each of this many characters or more."""
    out = [""]
    for paragraph in paragraphs:
        out[-1] += " " + paragraph
        if len(out[-1]) >= least:
            out.append("")
    return [p.strip() for p in out if p]


def text(rng, sources, style, width, height, number):
    is_test = style.split == "test"
    # Train and validation go through all languages; the six test pages are English, Russian, Chinese, Persian, Hindi
    # and Spanish.
    source = sources.text((0, 3, 5, 8, 9, 1)[number % 6] if is_test else number % len(TEXTS[style.split]))
    size = (
        rng.randint(14, 20) if is_test else rng.choice((9, 10, 11, 12, 12, 13, 14, 14, 15, 16, 17, 18, 20, 22, 24, 28))
    )
    if source.script not in ("latin", "cyrillic", "greek"):
        size = max(size, 12)
    columns = 2 if rng.random() < 0.35 and size < 19 else 1
    leading = rng.uniform(1.15, 1.6)
    margin = rng.choice((12, 20, 28, 40, 56))
    glyph = size * (1.0 if source.dense else 0.5)
    room = width * height / (glyph * size * leading)
    paper, ink = rng.choice(
        (
            ("#fff", "#000"),
            ("#fff", "#000"),
            ("#fff", "#222"),
            ("#fbf6e9", "#2a2016"),
            ("#f4f4f4", "#111"),
            (style.pale(), style.dark()),
            ("#1b1e24", "#d8dbe2"),
        )
    )
    parts, items = [], source.run(rng, int(room * 1.1) + 400)
    if is_test or rng.random() < 0.6:
        items = joined(items, 200 if source.dense else 420)
    if rng.random() < 0.6:
        parts.append(f"<h1>{escape(source.heading(rng))}</h1>")
    flag_at = rng.randrange(1, max(2, len(items) // 3)) if is_test and number % 2 == 0 else -1
    position = 0
    while position < len(items):
        chance = rng.random()
        if chance < 0.1:
            parts.append(f"<h2>{escape(source.heading(rng))}</h2>")
        if chance > 0.92 and position + 3 < len(items):
            tag = rng.choice(("ul", "ol"))
            parts.append(
                f"<{tag}>" + "".join(f"<li>{escape(p[:160])}" for p in items[position : position + 3]) + f"</{tag}>"
            )
            position += 3
            continue
        words = escape(items[position])
        if position == flag_at:
            words += f" <b>{FLAGS[number // 2 % 3]}</b>"
        if rng.random() < 0.15:
            words = re.sub(r"(\S+ \S+)$", r"<i>\1</i>", words)
        parts.append(f"<blockquote>{words}</blockquote>" if 0.1 < chance < 0.13 else f"<p>{words}</p>")
        position += 1
    indent = rng.choice(("p{margin:0;text-indent:1.5em}", "p{margin:0 0 .7em}"))
    css = f"""html,body{{margin:0;height:100%;background:{paper};color:{ink}}}
      body{{font:{size}px/{leading:.2f} '{style.font_for(source)}';padding:{margin}px;overflow:hidden}}
      main{{height:100%;columns:{columns};column-gap:{margin}px;column-fill:auto;
        text-align:{rng.choice(("justify", "start"))}{";column-rule:1px solid #999" if rng.random() < 0.3 else ""}}}
      main{{{"overflow:hidden" if columns == 1 else ""}}}
      h1{{font-size:1.7em;margin:0 0 .4em;line-height:1.2}} h2{{font-size:1.25em;margin:.6em 0 .3em}}
      blockquote{{border-left:3px solid #999;margin:.5em 1em;padding-left:.8em}} {indent}"""
    return document(
        css, "<main>" + "".join(parts) + "</main>", f"lang={source.language} dir={'rtl' if source.rtl else 'ltr'}"
    )


def spreadsheet(rng, sources, style, width, height, number):
    text_source = sources.any_text(rng) if rng.random() < 0.4 else sources.latin(rng)
    size = rng.choice((10, 11, 12, 13, 14))
    row_height = size + rng.choice((5, 7, 9, 12))
    grid = rng.choice(("#d4d4d4", "#c0c0c0", "#e2e2e2", "#999", "#000"))
    accent = style.colour((0.5, 0.9), (0.35, 0.7))
    columns, used = [], 40
    while used < width:
        sort = rng.choice(("words", "money", "integer", "percent", "date", "code", "decimal", "empty"))
        w = {"words": rng.randint(110, 220), "empty": 64}.get(sort, rng.randint(62, 100))
        columns.append((sort, w, rng.uniform(1, 6)))
        used += w

    def cell(sort, scale):
        if sort == "words":
            return escape(text_source.phrase(rng, rng.randint(1, 4)))
        if sort == "money":
            return f"{rng.choice('€$')} {10**scale * rng.random():,.2f}"
        if sort == "integer":
            return f"{int(10**scale * rng.random()):,}"
        if sort == "percent":
            return f"{rng.uniform(-20, 100):.1f}%"
        if sort == "date":
            return f"{rng.randint(2001, 2024)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        if sort == "code":
            return f"{rng.choice('ABCDEFX')}{rng.randint(100, 9999)}-{rng.randint(1, 99):02}"
        return f"{rng.gauss(0, 10 ** (scale / 3)):.3f}" if sort == "decimal" else ""

    bands, fill = rng.random() < 0.4, rng.random()
    empty_rows = rng.choice((0, 0, 0.1))
    rows = []
    header_row = rng.choice((1, 1, 2, 3))
    for r in range(1, height // row_height + 1):
        cells = []
        for i, (sort, _, scale) in enumerate(columns):
            css = "text-align:right;" if sort not in ("words", "code", "date") else ""
            value = cell(sort, scale)
            if r == header_row:
                value, css = escape(text_source.phrase(rng, 2)), f"background:{accent};color:#fff;font-weight:700;"
            elif r < header_row or rng.random() < empty_rows:
                value = escape(text_source.heading(rng)) if i == 0 and r == 1 else ""
            elif fill < 0.35 and sort == "percent":
                css += f"background:{hsv(0.33 * rng.random(), 0.45, 0.97)};"
            elif rng.random() < 0.02:
                css += f"background:{style.colour((0.3, 0.6), (0.9, 1))};"
            elif value.startswith("-"):
                css += "color:#c00;"
            if bands and r % 2 and r != header_row:
                css = f"background:{hsv(style.hue, 0.07, 0.97)};" + css
            cells.append(f"<td style='{css}'>{value}")
        rows.append(f"<tr><th>{r}" + "".join(cells))
    letters = "".join(f"<th>{chr(65 + i % 26)}" for i in range(len(columns)))
    cols = "<col style='width:40px'>" + "".join(f"<col style='width:{w}px'>" for _, w, _ in columns)
    bar = (
        (
            "<header>File&emsp;Edit&emsp;View&emsp;Insert&emsp;Format&emsp;Data&emsp;Help<div>"
            f"<b>{chr(65 + rng.randrange(8))}{rng.randint(2, 20)}</b>"
            f"<span><i>fx</i> =SUM(C{rng.randint(2, 9)}:C{rng.randint(10, 90)})</span></div></header>"
        )
        if rng.random() < 0.6
        else ""
    )
    tabs = (
        "<footer>" + "".join(f"<b>{escape(text_source.phrase(rng, 1))}</b>" for _ in range(4)) + "</footer>"
        if rng.random() < 0.4
        else ""
    )
    css = f"""body{{margin:0;overflow:hidden;background:#fff;font:{size}px '{style.font_for(text_source)}';color:#111}}
      table{{border-collapse:collapse;table-layout:fixed;width:{used}px}}
      td,th{{border:1px solid {grid};height:{row_height}px;
      padding:0 4px;overflow:hidden;white-space:nowrap}} th{{background:#f0f0f0;color:#444;font-weight:400}}
      header{{background:#f6f6f6;padding:6px 10px;border-bottom:1px solid #bbb}}
      header div{{display:flex;gap:8px;margin-top:6px}}
      header b{{border:1px solid #bbb;background:#fff;padding:2px 20px}}
      header span{{flex:1;border:1px solid #bbb;background:#fff;padding:2px 8px}}
      footer{{position:fixed;bottom:0;left:0;right:0;background:#e8e8e8;border-top:1px solid #aaa}}
      footer b{{display:inline-block;padding:4px 14px;border-right:1px solid #aaa;background:#fafafa;font-weight:400}}"""
    return document(css, f"{bar}<table>{cols}<tr><th>{letters}{''.join(rows)}</table>{tabs}")


def picture_box(rng, style, w, h):
    """A small drawn picture, where a page would have a photograph."""
    top, bottom = style.colour((0.2, 0.7), (0.6, 1)), style.colour((0.1, 0.5), (0.8, 1))
    hills = ""
    for layer in range(rng.randint(1, 4)):
        y = h * (0.45 + 0.15 * layer)
        points = " ".join(f"{x * w / 8:.0f},{y + rng.uniform(-0.12, 0.12) * h:.0f}" for x in range(9))
        hills += f"<polygon points='0,{h} {points} {w},{h}' fill='{style.colour((0.3, 0.8), (0.25, 0.8))}'/>"
    for _ in range(rng.randint(0, 4)):
        hills += (
            f"<circle cx='{rng.uniform(0, w):.0f}' cy='{rng.uniform(0, h):.0f}' r='{rng.uniform(4, h / 5):.0f}' "
            f"fill='{style.colour()}'/>"
        )
    name = f"g{rng.randrange(10**9)}"
    return (
        f"<svg width='{w}' height='{h}' viewBox='0 0 {w} {h}' preserveAspectRatio='none'>"
        f"<defs><linearGradient id='{name}' x2='0' y2='1'>"
        f"<stop stop-color='{top}'/><stop offset='1' stop-color='{bottom}'/></linearGradient></defs>"
        f"<rect width='{w}' height='{h}' fill='url(#{name})'/>{hills}</svg>"
    )


def web(rng, sources, style, width, height, number):
    if number % 3 == 2:
        return sources.documentation(rng)
    source = sources.any_text(rng) if rng.random() < 0.35 else sources.latin(rng)
    phrase = lambda words: escape(source.phrase(rng, words))
    dark = rng.random() < 0.25
    paper, ink, box, line = (
        ("#16181d", "#dcdfe4", "#23262e", "#3a3f4a")
        if dark
        else rng.choice(
            (
                ("#fff", "#222", "#f5f5f7", "#ddd"),
                (style.pale(), "#1a1a1a", "#fff", "#ccc"),
                ("#f0f2f5", "#1c1e21", "#fff", "#dadde1"),
            )
        )
    )
    accent = style.colour((0.6, 0.95), (0.45, 0.85))
    round_, size = rng.choice((0, 3, 6, 12)), rng.choice((12, 13, 14, 15, 16))
    menu = "".join(f"<a>{phrase(1)}</a>" for _ in range(rng.randint(4, 7)))
    across = rng.choice((3, 4, 5))
    w = width // across - 34

    def cards(count):
        return (
            "<div class=grid>"
            + "".join(
                "<div "
                f"class=card>{picture_box(rng, style, w, rng.randint(70, 71) * w // 110) if rng.random() < 0.8 else ''}"
                f"<h3>{phrase(3)}</h3><p>{phrase(rng.randint(8, 18))}</p><button>{phrase(1)}</button> "
                f"<small>{rng.randint(2, 999)}.{rng.randint(10, 99)}</small></div>"
                for _ in range(count)
            )
            + "</div>"
        )

    def article(length):
        return f"<h2>{escape(source.heading(rng))}</h2>" + "".join(
            f"<p>{escape(p)}</p>" for p in source.run(rng, length)
        )

    def table():
        head = "".join(f"<th>{phrase(1)}" for _ in range(5))
        return (
            f"<table><tr>{head}"
            + "".join(
                f"<tr><td>{phrase(2)}" + "".join(f"<td>{rng.randint(0, 99999):,}" for _ in range(4))
                for _ in range(rng.randint(6, 14))
            )
            + "</table>"
        )

    def form():
        return (
            "<form>"
            + "".join(f"<label>{phrase(2)}</label><input value='{phrase(2)}'>" for _ in range(4))
            + f"<button>{phrase(1)}</button></form>"
        )

    def comments():
        return "".join(
            f"<div class=talk><span style='background:{style.colour()}'></span><div><b>{phrase(2)}"
            f"</b> <small>{rng.randint(2, 59)} min</small>"
            f"<p>{phrase(rng.randint(10, 50))}</p></div></div>"
            for _ in range(6)
        )

    hero = (
        f"<div class=hero>{picture_box(rng, style, width, 200)}<h1>{escape(source.heading(rng))}</h1></div>"
        if rng.random() < 0.5
        else ""
    )
    aside = (
        "<aside>" + "".join(f"<li>{phrase(rng.randint(1, 3))}</li>" for _ in range(18)) + form() + "</aside>"
        if rng.random() < 0.6
        else ""
    )
    blocks = [
        lambda: cards(across * 2),
        lambda: article(1500),
        table,
        comments,
        lambda: article(700) + form(),
        lambda: cards(across),
    ]
    rng.shuffle(blocks)
    body = "".join(block() for block in blocks)
    css = f"""body{{margin:0;overflow:hidden;background:{paper};color:{ink};font:{size}px/1.45 '{style.font_for(source)}'}}
      header{{background:{rng.choice((accent, box))};padding:12px 24px;border-bottom:1px solid {line}}}
      header a{{margin-right:26px;font-weight:600}}
      .hero{{position:relative;height:200px;overflow:hidden}}
      .hero h1{{position:absolute;left:40px;top:60px;color:#fff;font-size:36px;margin:0;text-shadow:0 1px 4px #0008}}
      .grid{{display:grid;grid-template-columns:repeat({across},1fr);gap:16px;margin:16px 0}}
      .card,form,aside{{background:{box};border:1px solid {line};border-radius:{round_}px;padding:10px;overflow:hidden}}
      .card svg{{max-width:100%;margin:-10px -10px 0}} h3{{margin:.4em 0}}
      button{{background:{accent};color:#fff;border:0;border-radius:{round_}px;padding:6px 14px;font:inherit}}
      section{{display:flex;gap:20px;padding:10px 24px}} main{{flex:1;min-width:0}}
      aside{{width:220px;flex:none}}
      aside li{{padding:4px 2px;list-style:none;border-bottom:1px solid {line}}}
      table{{border-collapse:collapse;width:100%}}
      td,th{{border:1px solid {line};padding:4px 8px;text-align:start}} th{{background:{box}}}
      input{{display:block;width:100%;margin:2px 0 8px;padding:4px;border:1px solid {line};background:{paper};color:{ink}}}
      h2{{color:{accent};margin:.5em 0}}
      .talk{{display:flex;gap:10px;border-bottom:1px solid {line};padding:8px 0}}
      .talk span{{width:36px;height:36px;border-radius:50%;flex:none}} .talk p{{margin:2px 0}}"""
    return document(
        css,
        (
            f"<header><a style='font-size:1.4em'>{phrase(1)}</a>{menu}</header>{hero}"
            f"<section>{aside}<main>{body}</main></section>"
        ),
        f"lang={source.language} dir={'rtl' if source.rtl else 'ltr'}",
    )
