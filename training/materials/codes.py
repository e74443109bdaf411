"""The kind code2d: QR codes and bar codes."""

import io

import barcode
import numpy as np
import segno
from matplotlib import font_manager
from PIL import Image, ImageDraw, ImageFont


def qr(made, module, dark="#000", light="#fff", border=4):
    buffer = io.BytesIO()
    made.save(buffer, kind="png", scale=module, dark=dark, light=light, border=border)
    return Image.open(buffer).convert("RGB")


def bars(rng, latin, module, height, font):
    sort = rng.choice(("code128", "ean13", "code39"))
    value = str(rng.randrange(10**11, 10**12)) if sort == "ean13" else f"{rng.choice('ABXZ')}{rng.randrange(10**7)}"
    made = barcode.get(sort, value)
    bits = made.build()[0]
    row = np.array([[0 if c != "0" else 255 for c in bits]], np.uint8).repeat(module, 1).repeat(height, 0)
    image = Image.new("RGB", (row.shape[1] + 20 * module, height + 30), "white")
    image.paste(Image.fromarray(row), (10 * module, 6))
    ImageDraw.Draw(image).text((image.width / 2, height + 8), made.get_fullcode(), "black", font=font, anchor="ma")
    return image


def code2d(rng, sources, style, width, height, number):
    latin = sources.latin(rng)
    sizes = {"train": (12, 14, 18, 24), "val": (13, 20), "test": (15, 17, 22)}[style.split]
    path = font_manager.findfont(style.font("sans"))
    font = ImageFont.truetype(path, rng.choice(sizes))
    content = lambda n: latin.phrase(rng, 40)[:n]
    paper = "#ffffff" if rng.random() < 0.6 else style.pale()
    page = Image.new("RGB", (width, height), paper)
    single = number % 2 == 0 if style.split != "test" else number % 2 == 0 or number == 1
    if single:  # one code that fills the picture
        made = segno.make(content((20, 60, 120, 300)[number // 2 % 4]), error=rng.choice("lmqh"), micro=False)
        module = min(width, height) // made.symbol_size(1, 4)[0] - rng.choice((0, 0, 1))
        if style.split == "test":  # the first has modules of 8 px, the others of sizes that divide no usual tile
            module = 8 if number == 0 else module - (module % 4 == 0)
        dark, light = ("#000", "#fff") if rng.random() < 0.6 else (style.dark(), style.pale())
        code = qr(made, module, dark, light)
        page.paste(light if rng.random() < 0.7 else paper, (0, 0, width, height))
        x, y = (width - code.width) // 2, (height - code.height) // 2
        page.paste(code, (x, y))
        draw = ImageDraw.Draw(page)
        if rng.random() < 0.3:
            r = code.width // 9
            middle = (x + code.width // 2, y + code.height // 2)
            draw.ellipse((middle[0] - r, middle[1] - r, middle[0] + r, middle[1] + r), style.colour(), "white", 4)
        if width > code.width + 200:
            draw.multiline_text(
                (10, height // 3), "\n".join(content(60)[i : i + 14] for i in range(0, 60, 14)), "black", font=font
            )
        return page
    draw = ImageDraw.Draw(page)
    x, y, row = 16, 16, 0
    while y < height:  # a sheet of labels, set like words in lines
        module = rng.choice((2, 3, 3, 4, 5, 6))
        code = (
            qr(segno.make(content(rng.choice((10, 30, 90))), error=rng.choice("lmqh"), micro=False), module, border=2)
            if rng.random() < 0.55
            else bars(rng, latin, rng.choice((1, 2, 3)), rng.randint(40, 130), font)
        )
        if x + code.width > width and x > 16:
            x, y, row = 16, y + row + 20, 0
            continue
        page.paste(code, (x, y))
        draw.text((x, y + code.height + 2), content(26)[: max(4, code.width // 9)], "black", font=font)
        if rng.random() < 0.5:
            draw.rectangle((x - 5, y - 5, x + code.width + 5, y + code.height + 24), outline="#888")
        row = max(row, code.height + 24)
        x += code.width + rng.randint(14, 40)
    return page
