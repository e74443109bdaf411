"""Renders the non-photographic pictures. See README.md in this folder."""

import argparse
import collections
import pathlib
import random
import zlib

import numpy as np
import oxipng
from PIL import Image

import codes
import comics
import lineart
import logos
import maps
import pages
import plots
import screens
import sprites
import tones
from browser import Browser
from sources import SPLITS, Sources, fetch
from styles import Style, picture_size

KINDS = {
    "text": pages.text,
    "code": screens.code,
    "terminal": screens.terminal,
    "spreadsheet": pages.spreadsheet,
    "web": pages.web,
    "screenshot": screens.screenshot,
    "comic": comics.comic,
    "logo": logos.logo,
    "map": maps.map_,
    "lineart": lineart.lineart,
    "plot": plots.plot,
    "halftone": tones.halftone,
    "code2d": codes.code2d,
    "pixelart": sprites.pixelart,
    "nightsky": tones.nightsky,
}
PALETTE_KINDS = ("code", "terminal", "spreadsheet", "web", "screenshot", "comic", "logo", "map", "plot")
COUNTS = {"train": 22, "val": 4, "test": 6}
# Files of night skies are large; pages vary most and are hardest.
OTHER_COUNTS = {("train", "nightsky"): 14, **{("train", kind): 60 for kind in ("text", "spreadsheet", "code", "web")}}
NAMES = {"text": "page", "code2d": "code"}


def black_and_white(kind, split, number):
    """One page of text in five has no grey."""
    return kind == "text" and number % 5 == (1 if split == "test" else 2)


def few_colours(key, kind, split):
    """Three of four training and validation pictures of these kinds have 256 colours, like many pictures of the web.

    This keeps the files small. Test pictures keep all their colours.
    """
    return split != "test" and kind in PALETTE_KINDS and random.Random(key + "/colours").random() < 0.75


def picture(kind, split, number, sources, browser):
    key = f"{split}/{kind}/{number}"
    rng = random.Random(key)
    np.random.seed(zlib.crc32(key.encode()))
    width, height = picture_size(kind, split, number, rng)
    made = KINDS[kind](rng, sources, Style(rng, split), width, height, number)
    if not isinstance(made, Image.Image):
        made = browser.photograph(
            made, width, height, scroll=rng.uniform(0.1, 0.9) if isinstance(made, pathlib.Path) else 0
        )
    if black_and_white(kind, split, number):
        made = made.convert("L").point(lambda v: 255 * (v > 150))
    if few_colours(key, kind, split):
        made = made.quantize(256, dither=Image.Dither.NONE).convert("RGB")
    return made


def save(made, path):
    """Writes the smallest PNG that oxipng finds: grey, palette or bits where that loses nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made.save(path)
    oxipng.optimize(path, level=3, strip=oxipng.StripChunks.safe())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for train/, val/ and test/")
    parser.add_argument(
        "--photos", type=pathlib.Path, required=True, help="folder of photographs for halftones and engravings"
    )
    parser.add_argument("--sources", type=pathlib.Path, required=True, help="folder for unpacked Debian packages")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--kinds", default=",".join(KINDS), help="only these kinds, with commas")
    parser.add_argument("--splits", default=",".join(SPLITS), help="only these splits, with commas")
    parser.add_argument("--most", type=int, default=99, help="at most this many pictures of a kind and split")
    parser.add_argument("--keep", action="store_true", help="do not render pictures that exist")
    args = parser.parse_args()
    fetch(args.sources)
    browser = Browser(args.chromium)
    sizes = collections.Counter()
    for split in args.splits.split(","):
        sources = Sources(args.sources, args.photos, split)
        for kind in args.kinds.split(","):
            for number in range(min(OTHER_COUNTS.get((split, kind), COUNTS[split]), args.most)):
                path = args.out / split / kind / f"{NAMES.get(kind, kind)}-{number + 1}.png"
                if not (args.keep and path.exists()):
                    save(picture(kind, split, number, sources, browser), path)
                sizes[split, kind] += path.stat().st_size
            print(f"{split} {kind}: {sizes[split, kind] / 1e6:.2f} MB", flush=True)
    browser.close()


if __name__ == "__main__":
    main()
