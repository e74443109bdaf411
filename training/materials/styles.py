"""Fonts, colours and picture sizes. Each split has its own fonts and colours."""

import colorsys

# Families by script; "sans" and "serif" are for Latin, Cyrillic and Greek.
FONTS = {
    "train": {
        "sans": ["DejaVu Sans", "Liberation Sans", "Lato", "Noto Sans", "Play"],
        "serif": ["Liberation Serif", "Linux Libertine O", "Noto Serif", "DejaVu Serif"],
        "mono": ["DejaVu Sans Mono", "Hack", "Liberation Mono", "Terminus"],
        "display": ["Bebas Neue", "DejaVu Sans", "Lato"],
        "comic": ["Comic Neue", "Lato"],
        "chinese": ["Noto Sans CJK SC"],
        "japanese": ["Noto Sans CJK JP", "IPAPGothic"],
        "korean": ["Noto Sans CJK KR"],
        "arabic": ["Noto Naskh Arabic", "Noto Sans Arabic"],
        "devanagari": ["Noto Sans Devanagari"],
    },
    "val": {
        "sans": ["Open Sans", "FreeSans"],
        "serif": ["EB Garamond", "FreeSerif"],
        "mono": ["Inconsolata", "FreeMono"],
        "display": ["Open Sans", "FreeSerif"],
        "comic": ["Humor Sans"],
        "chinese": ["WenQuanYi Zen Hei"],
        "japanese": ["IPAGothic"],
        "korean": ["WenQuanYi Zen Hei"],
        "arabic": ["FreeSerif"],
        "devanagari": ["FreeSans"],
    },
    "test": {
        "sans": ["Roboto", "Carlito", "Cantarell"],
        "serif": ["Caladea", "Junicode", "Noto Serif Display"],
        "mono": ["JetBrains Mono", "Fira Code"],
        "display": ["Roboto", "Dancing Script", "Caladea"],
        "comic": ["Dancing Script", "Roboto"],
        "chinese": ["Noto Serif CJK TC", "AR PL UKai TW"],
        "japanese": ["Noto Serif CJK JP", "IPAPMincho"],
        "korean": ["Noto Serif CJK KR"],
        "arabic": ["Amiri"],
        "devanagari": ["Lohit Devanagari"],
    },
}

# Colour schemes of code editors, by their pygments names.
CODE_STYLES = {
    "train": ["default", "monokai", "friendly", "solarized-dark", "xcode", "manni", "fruity", "solarized-light"],
    "val": ["dracula", "tango", "material"],
    "test": ["github-dark", "one-dark", "vs", "nord", "gruvbox-light"],
}

# The base hues of drawn pages, in turns of the colour circle.
HUES = {"train": (0.0, 0.08, 0.16, 0.33, 0.55, 0.62, 0.8), "val": (0.05, 0.45, 0.7), "test": (0.12, 0.25, 0.5, 0.92)}

# Test sizes are multiples of 64. The others are drawn from a range: (least width, most width), aspect ratios.
TEST_SIZES = {
    "text": [(1024, 640)],
    "spreadsheet": [(1024, 640)],
    "comic": [(1024, 1280)],
    "logo": [(640, 640), (1024, 640)],
    "map": [(1024, 768)],
    "nightsky": [(1024, 640)],
    "code2d": [(640, 640), (1024, 640)],
    "pixelart": [(1024, 640), (1024, 768)],
    "halftone": [(960, 640)],
}
OTHER_TEST_SIZES = [(1024, 640), (1280, 960), (1024, 768), (1280, 704)]
WIDTHS = {
    "text": (720, 1120),
    "nightsky": (640, 704),
    "halftone": (640, 1024),
    "comic": (640, 880),
    "terminal": (720, 1120),
    "map": (640, 860),
    "code2d": (800, 1360),
    "pixelart": (800, 1600),
}
ASPECTS = (0.625, 0.75, 0.8, 0.6)


def picture_size(kind, split, number, rng):
    if split == "test":
        sizes = TEST_SIZES.get(kind, OTHER_TEST_SIZES)
        return sizes[number % len(sizes)]
    least, most = WIDTHS.get(kind, (800, 1200))
    width = rng.randrange(least, most + 1, 2)
    if kind == "comic":
        return width, max(640, int(width * rng.choice((1.25, 1.4, 0.75))))
    return width, max(480, int(width * rng.choice(ASPECTS)))


def hsv(hue, saturation, value):
    r, g, b = colorsys.hsv_to_rgb(hue % 1, saturation, value)
    return f"#{int(r * 255):02x}{int(g * 255):02x}{int(b * 255):02x}"


class Style:
    """The choices of one picture."""

    def __init__(self, rng, split):
        self.split, self.rng = split, rng
        self.hue = rng.choice(HUES[split]) + rng.uniform(-0.02, 0.02)

    def font(self, sort):
        return self.rng.choice(FONTS[self.split][sort])

    def font_for(self, text):
        if text.script in ("latin", "cyrillic", "greek"):
            return self.font(self.rng.choice(("sans", "serif")))
        return self.font(text.script)

    def colour(self, saturation=(0.3, 0.9), value=(0.4, 0.95)):
        hue = self.hue + self.rng.choice((0, 0, 0.5, 0.33, 0.08, -0.08))
        return hsv(hue, self.rng.uniform(*saturation), self.rng.uniform(*value))

    def pale(self):
        return self.colour((0.03, 0.2), (0.92, 1.0))

    def dark(self):
        return self.colour((0.2, 0.7), (0.08, 0.35))
