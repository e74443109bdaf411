"""Kinds that are screens: code, terminal, screenshot."""

from html import escape

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from pages import picture_box, spreadsheet, text, web
from styles import CODE_STYLES, Style
from svg import document


def code(rng, sources, style, width, height, number):
    lexer, path, start, lines = sources.code(rng)
    scheme = CODE_STYLES[style.split][number % len(CODE_STYLES[style.split])]
    formatter = HtmlFormatter(style=scheme, nowrap=True)
    background = formatter.style.background_color
    dark = int(background[1:3], 16) < 128
    size = rng.choice((11, 12, 13, 13, 14, 15, 17))
    shades = ("#2b2b2b", "#3a3a3a", "#aaa", "#1e1e1e") if dark else ("#ececec", "#d8d8d8", "#555", "#f6f6f6")
    coloured = highlight("\n".join(lines), get_lexer_by_name(lexer), formatter).split("\n")
    current = rng.randrange(3, 25)
    rows = "".join(
        f"<div class='{'now' if i == current else ''}'><s>{start + i + 1}</s>{row or ' '}</div>"
        for i, row in enumerate(coloured)
    )
    names = [p.name for p in sources.file_names(rng, 26)]
    tabs = "".join(
        f"<b style='{'background:' + background if i == 0 else ''}'>{escape(n)} ×</b>"
        for i, n in enumerate([path.name] + names[:3])
    )
    tree = "".join(
        f"<p style='padding-left:{rng.choice((8, 22, 22, 36))}px'>{rng.choice('▸▾  ')} {escape(n)}</p>" for n in names
    )
    sidebar = f"<nav>{tree}</nav>" if rng.random() < 0.6 else ""
    accent = style.colour((0.6, 0.9), (0.5, 0.8))
    css = f"""{formatter.get_style_defs("pre")}
      body{{margin:0;height:100vh;display:grid;grid-template-rows:auto 1fr auto;background:{shades[0]};color:{shades[2]};
        font:12px '{style.font("sans")}';overflow:hidden}}
      header b{{display:inline-block;padding:7px 14px;font-weight:400;border-right:1px solid {shades[1]}}}
      section{{display:flex;min-height:0}} nav{{width:{rng.randint(150, 230)}px;background:{shades[3]};overflow:hidden;
        border-right:1px solid {shades[1]};flex:none}} nav p{{margin:4px 0;white-space:nowrap}}
      pre{{margin:0;flex:1;overflow:hidden;background:{background};font:{size}px/{rng.uniform(1.2, 1.6):.2f} '{style.font("mono")}'}}
      s{{display:inline-block;width:4em;padding-right:1em;text-align:right;opacity:.45;text-decoration:none}}
      .now{{background:{shades[1]}}} footer{{background:{accent};color:#fff;padding:3px 10px;word-spacing:12px}}"""
    return document(
        css,
        f"<header>{tabs}</header><section>{sidebar}<pre>{rows}</pre></section>"
        f"<footer>main {lexer} UTF-8 Ln{start + current},Col{rng.randint(1, 60)} Spaces:4</footer>",
    )


TERMINAL_SCHEMES = {
    "train": [("#000", "#ccc"), ("#300a24", "#eee"), ("#002b36", "#93a1a1"), ("#fff", "#000"), ("#0c0c0c", "#33ff66")],
    "val": [("#282a36", "#f8f8f2"), ("#fdf6e3", "#586e75")],
    "test": [("#1d2021", "#ebdbb2"), ("#012456", "#eeedf0"), ("#f5f5f5", "#333"), ("#101010", "#ffb000")],
}


def session(rng, sources, columns, rows):
    """The lines of a terminal session as HTML."""
    latin = sources.latin(rng)
    out = []
    user = rng.choice(("ada", "grace", "root", "kim", "alan")) + "@" + rng.choice(("desk", "build7", "pi", "srv-02"))

    def paint(colour, words):
        return f"<i style='color:{colour}'>{escape(words)}</i>"

    def listing():
        out.append(f"total {rng.randint(40, 4000)}")
        for path in sources.file_names(rng, rng.randint(6, 20)):
            date = (
                f"{rng.choice(('Jan', 'Mar', 'May', 'Aug', 'Nov')):>3} {rng.randint(1, 28):>2} "
                f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
            )
            name = paint("#5c9dff", path.stem + "/") if rng.random() < 0.3 else escape(path.name)
            out.append(f"-rw-r--r-- 1 {user[:4]:<5} users {rng.randint(100, 999999):>7} {date} " + name)

    def log():
        for second in range(rng.randint(8, 24)):
            level, colour = rng.choice(
                (("INFO ", "#3a3"), ("INFO ", "#3a3"), ("WARN ", "#b90"), ("ERROR", "#d44"), ("DEBUG", "#69c"))
            )
            out.append(
                (
                    f"2024-0{rng.randint(1, 9)}-{rng.randint(10, 28)}T{rng.randint(10, 23)}:{rng.randint(10, 59)}:{second % 60:02} "
                    ""
                    ""
                )
                + paint(colour, level)
                + " "
                + escape(latin.phrase(rng, rng.randint(4, 10))[: columns - 30])
            )

    def dump():
        data = latin.phrase(rng, 60).encode()[: rng.randint(10, 18) * 16]
        for offset in range(0, len(data), 16):
            chunk = data[offset : offset + 16]
            readable = "".join(chr(b) if 32 <= b < 127 else "." for b in chunk)
            out.append(escape(f"{offset:08x}  {chunk.hex(' '):<47}  |{readable}|"))

    def processes():
        out.append("<u>  PID USER      PR  NI    VIRT    RES  S  %CPU  %MEM     TIME+ COMMAND</u>")
        for _ in range(rng.randint(10, 22)):
            name = rng.choice(sources.file_names(rng, 5)).stem
            out.append(
                f"{rng.randint(1, 32000):>5} {user[:4]:<9} 20   0 {rng.randint(9999, 9999999):>7} "
                f"{rng.randint(999, 999999):>6}"
                f"  {rng.choice('SSSRD')} {rng.uniform(0, 99):>5.1f} {rng.uniform(0, 9):>5.1f} "
                f"{rng.uniform(0, 900):>9.2f} {escape(name)}"
            )

    def manual():
        out.append(f"<b>{escape(latin.heading(rng).upper()[:columns])}</b>")
        for paragraph in latin.run(rng, 700):
            line = "      "
            for word in paragraph.split():
                if len(line) + len(word) > columns - 4:
                    out.append(escape(line))
                    line = "      "
                line += " " + word
            out.extend([escape(line), ""])

    def changes():
        for line in sources.code(rng)[3][: rng.randint(10, 25)]:
            sign = rng.choice(" " * 6 + "+-")
            shown = sign + line[: columns - 2]
            out.append(paint("#d33", shown) if sign == "-" else paint("#2a2", shown) if sign == "+" else escape(shown))

    commands = {
        "ls -la": listing,
        "tail -f service.log": log,
        "xxd dump.bin": dump,
        "top -b": processes,
        "man page": manual,
        "git diff": changes,
    }
    while len(out) < rows:
        command = rng.choice(list(commands))
        out.append(paint("#4b4", user) + ":" + paint("#58f", "~/src") + f"$ {command}")
        commands[command]()
    return out[:rows]


def terminal(rng, sources, style, width, height, number):
    schemes = TERMINAL_SCHEMES[style.split]
    background, ink = schemes[number % len(schemes)]
    size = rng.choice((11, 12, 13, 14, 15, 16, 18))
    leading = rng.uniform(1.05, 1.35)
    lines = session(rng, sources, int(width / size / 0.6), int(height / size / leading) + 1)
    css = f"""body{{margin:0;background:{background};color:{ink};overflow:hidden;padding:{rng.choice((2, 6, 12))}px}}
      pre{{margin:0;font:{size}px/{leading:.2f} '{style.font("mono")}'}}
      i{{font-style:normal;font-weight:{rng.choice((400, 700))}}}
      u{{text-decoration:none;background:{ink};color:{background}}}"""
    return document(css, "<pre>" + "\n".join(lines) + "</pre>")


def screenshot(rng, sources, style, width, height, number):
    windows = []
    makers = [text, code, terminal, spreadsheet, web]
    rng.shuffle(makers)
    dark, round_ = rng.random() < 0.5, rng.choice((0, 4, 10))
    bar, ink = ("#2f343f", "#eee") if dark else ("#e4e4e4", "#222")
    for i, maker in enumerate(makers[: rng.randint(2, 4)]):
        w, h = rng.randint(int(width * 0.35), int(width * 0.62)), rng.randint(int(height * 0.4), int(height * 0.65))
        x, y = rng.randint(20, max(21, width - w - 20)), rng.randint(30, max(31, height - h - 60))
        number_ = rng.randrange(30) // 3 * 3  # no finished documentation page inside a window
        page = maker(rng, sources, Style(rng, style.split), w, h, number_)
        windows.append(
            f"<div class=w style='left:{x}px;top:{y}px;width:{w}px;height:{h + 28}px'>"
            f"<div class=t>{rng.choice(('● ● ●', '— ▢ ✕'))}"
            f"&emsp;{escape(sources.latin(rng).phrase(rng, 3))}</div>"
            f"<iframe scrolling=no style='width:{w}px;height:{h}px' "
            f'srcdoc="{escape(page, quote=True)}"></iframe></div>'
        )
    icons = "".join(
        f"<div class=i style='left:{16 + 84 * (k // 7)}px;top:{44 + 90 * (k % 7)}px'>"
        f"<svg width=44 height=44><rect width=44 height=44 rx={rng.choice((2, 8, 22))} "
        f"fill='{style.colour()}'/><path d='M{rng.randint(5, 20)} 34L22 "
        f"{rng.randint(6, 16)}L{rng.randint(26, 40)} 34z' fill='{style.pale()}'/></svg><br>"
        f"{escape(sources.latin(rng).phrase(rng, 1)[:12])}</div>"
        for k in range(rng.randint(3, 12))
    )
    dock = "".join(f"<span style='background:{style.colour()}'></span>" for _ in range(rng.randint(6, 12)))
    sky = picture_box(rng, style, width, height) if rng.random() < 0.6 else ""
    angle = rng.randrange(360)
    css = f"""body{{margin:0;overflow:hidden;height:100vh;font:13px '{style.font("sans")}';
      background:linear-gradient({angle}deg,{style.colour()},{style.colour()} {rng.randint(30, 70)}%,{style.colour()})}}
      body>svg{{position:absolute;left:0;top:0}}
      .w{{position:absolute;border-radius:{round_}px;overflow:hidden;border:1px solid #0006;
      box-shadow:0 {rng.choice((2, 8, 14))}px {rng.choice((4, 20, 36))}px #0007}}
      .t{{height:28px;line-height:28px;padding:0 10px;background:{bar};color:{ink}}}
      iframe{{border:0;display:block;background:#fff}}
      .i{{position:absolute;width:80px;text-align:center;color:#fff;text-shadow:0 1px 2px #000;font-size:12px}}
      .bar{{position:absolute;left:0;right:0;{rng.choice(("top", "bottom"))}:0;background:{bar};color:{ink};padding:5px 12px;display:flex;gap:8px;align-items:center}}
      .bar span{{width:22px;height:22px;border-radius:5px}}"""
    return document(
        css,
        (
            f"{sky}{icons}{''.join(windows)}<div class=bar>Menu {dock}"
            f"<div style='margin-left:auto'>{rng.randint(0, 23):02}:{rng.randint(0, 59):02}</div>"
            "</div>"
        ),
    )
