"""Real texts, source code and documentation pages from Debian packages, divided by split."""

import functools
import html
import pathlib
import random
import re
import subprocess

SPLITS = ("train", "val", "test")

HANDBOOK = "debian-handbook/usr/share/doc/debian-handbook/html/"
HELP = "libreoffice-help-{0}/usr/share/libreoffice/help/{0}/text/"
FORTUNES = "usr/share/games/fortunes/"

# (language, script, files below the package folder). Every package or folder belongs to one split,
# except the Greek and Hindi help, of which the splits take different folders.
TEXTS = {
    "train": [
        ("en", "latin", HANDBOOK + "en-US/*.html"),
        ("de", "latin", HANDBOOK + "de-DE/*.html"),
        ("fr", "latin", HANDBOOK + "fr-FR/*.html"),
        ("vi", "latin", HANDBOOK + "vi-VN/*.html"),
        ("en", "latin", "fortunes/" + FORTUNES + "*"),
        ("ru", "cyrillic", HANDBOOK + "ru-RU/*.html"),
        ("el", "greek", HELP.format("el") + "scalc/*/*.html"),
        ("zh", "chinese", HANDBOOK + "zh-CN/*.html"),
        ("ja", "japanese", HANDBOOK + "ja-JP/*.html"),
        ("ko", "korean", HANDBOOK + "ko-KR/*.html"),
        ("ar", "arabic", HANDBOOK + "ar-MA/*.html"),
        ("hi", "devanagari", HELP.format("hi") + "scalc/*/*.html"),
    ],
    "val": [
        ("en", "latin", "debian-reference-en/usr/share/debian-reference/*.en.html"),
        ("it", "latin", "fortunes-it/" + FORTUNES + "it/*"),
        ("ru", "cyrillic", "debian-faq-ru/usr/share/doc/debian/FAQ/ru/*.html"),
        ("zh", "chinese", "debian-reference-zh-cn/usr/share/debian-reference/*.zh-cn.html"),
        ("ja", "japanese", "developers-reference-ja/usr/share/developers-reference/ja/*.html"),
        ("hi", "devanagari", HELP.format("hi") + "simpress/*/*.html"),
    ],
    "test": [
        ("en", "latin", "anarchism/usr/share/doc/anarchism/html/sec*.html"),
        ("es", "latin", "fortunes-es/" + FORTUNES + "es/*"),
        ("cs", "latin", "fortunes-cs/" + FORTUNES + "cs/*"),
        ("ru", "cyrillic", "fortunes-ru/" + FORTUNES + "ru/*"),
        ("el", "greek", HELP.format("el") + "swriter/*/*.html"),
        ("zh", "chinese", HELP.format("zh-TW").replace("help-zh-TW", "help-zh-tw") + "s*/guide/*.html"),
        ("ja", "japanese", "debian-reference-ja/usr/share/debian-reference/*.ja.html"),
        ("ko", "korean", HELP.format("ko") + "s*/guide/*.html"),
        ("fa", "arabic", HANDBOOK + "fa-IR/*.html"),
        ("hi", "devanagari", HELP.format("hi") + "swriter/*/*.html"),
    ],
}

# (pygments lexer, files).
CODE = {
    "train": [
        ("python", "python3-docutils/usr/lib/python3/dist-packages/docutils/**/*.py"),
        ("c", "linux-libc-dev/usr/include/linux/*.h"),
        ("javascript", "libjs-jquery/usr/share/javascript/jquery/jquery.js"),
        ("rust", "librust-regex-syntax-dev/usr/share/cargo/registry/*/src/**/*.rs"),
    ],
    "val": [
        ("python", "python3-flask/usr/lib/python3/dist-packages/flask/*.py"),
        ("rust", "librust-serde-dev/usr/share/cargo/registry/*/src/**/*.rs"),
        ("c", "libstb-dev/usr/include/stb/stb_image.h"),
    ],
    "test": [
        ("python", "python3-jinja2/usr/lib/python3/dist-packages/jinja2/*.py"),
        ("rust", "librust-rand-dev/usr/share/cargo/registry/*/src/**/*.rs"),
        ("go", "golang-golang-x-net-dev/usr/share/gocode/src/golang.org/x/net/**/*.go"),
        ("ruby", "ruby-rack/usr/share/rubygems-integration/all/gems/*/lib/**/*.rb"),
    ],
}

RUSTDOC = "rust-doc/usr/share/doc/rust-doc/html/"

# Finished HTML pages that are photographed as they are.
DOCUMENTATION = {
    "train": [HANDBOOK + "[!f]*-*/*.html", RUSTDOC + "std/*/struct.*.html", RUSTDOC + "reference/*.html"],
    "val": ["developers-reference-ja/usr/share/developers-reference/ja/*.html", RUSTDOC + "nomicon/*.html"],
    "test": [
        "debian-policy/usr/share/doc/debian-policy/policy.html/*.html",
        RUSTDOC + "proc_macro/*.html",
        RUSTDOC + "book/*.html",
    ],
}

PACKAGES = sorted(
    {
        pattern.split("/")[0]
        for split in SPLITS
        for pattern in [t[2] for t in TEXTS[split]] + [c[1] for c in CODE[split]] + DOCUMENTATION[split]
    }
)

LETTERS = {
    "latin": r"[A-Za-zÀ-ỹ]",
    "cyrillic": r"[Ѐ-ӿ]",
    "greek": r"[Ͱ-Ͽἀ-῿]",
    "chinese": r"[一-鿿]",
    "japanese": r"[぀-ヿ一-鿿]",
    "korean": r"[가-힣]",
    "arabic": r"[؀-ۿ]",
    "devanagari": r"[ऀ-ॿ]",
}


def fetch(folder):
    """Downloads and unpacks the packages that are not in the folder yet. Installs nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        if (folder / package).exists():
            continue
        subprocess.run(["apt-get", "download", package], cwd=folder, check=True)
        archive = next(folder.glob(f"{package}_*.deb"))
        subprocess.run(["dpkg-deb", "-x", archive, folder / package], check=True)
        archive.unlink()


class Text:
    """The paragraphs and headings of one document set, in their order."""

    def __init__(self, language, script, paragraphs, headings):
        self.language, self.script = language, script
        self.paragraphs, self.headings = paragraphs, headings
        self.rtl = script == "arabic"
        self.dense = script in ("chinese", "japanese", "korean")

    def run(self, rng, characters):
        """Consecutive paragraphs with at least this many characters."""
        start = rng.randrange(len(self.paragraphs))
        out, total = [], 0
        while total < characters:
            out.append(self.paragraphs[(start + len(out)) % len(self.paragraphs)])
            total += len(out[-1])
        return out

    def heading(self, rng):
        return rng.choice(self.headings)

    def phrase(self, rng, words):
        """A few consecutive words of the text; a few characters where words are not separated."""
        paragraph = rng.choice(self.paragraphs)
        if self.script in ("chinese", "japanese"):
            start = rng.randrange(max(1, len(paragraph) - 2 * words))
            return paragraph[start : start + 2 * words]
        parts = paragraph.split()
        start = rng.randrange(max(1, len(parts) - words))
        return " ".join(parts[start : start + words])


def plain(fragment):
    text = re.sub(r"<[^>]*>", " ", fragment)
    return re.sub(r"\s+([,.;:)])", r"\1", re.sub(r"\s+", " ", html.unescape(text))).strip()


def read_text(path):
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return ""


class Sources:
    """What one split may use."""

    def __init__(self, folder, photos, split):
        self.folder, self.split = folder, split
        numbered = sorted(p for p in pathlib.Path(photos).glob("*") if p.suffix in (".jpg", ".png"))
        part = {"train": range(0, 7), "val": range(7, 8), "test": range(8, 10)}[split]
        self.photos = [p for i, p in enumerate(numbered) if i % 10 in part]

    @functools.cache
    def text(self, index):
        language, script, pattern = TEXTS[self.split][index]
        paragraphs, headings = [], []
        for path in sorted(p for p in self.folder.glob(pattern) if p.is_file()):
            content = read_text(path)
            if path.suffix == ".html":
                paragraphs += map(plain, re.findall(r'<(?:p\b|div class="para")[^>]*>(.*?)</(?:p|div)>', content, re.S))
                headings += map(plain, re.findall(r"<h[1-4]\b[^>]*>(.*?)</h[1-4]>", content, re.S))
            elif path.suffix in ("", ".u8"):
                paragraphs += [plain(f) for f in re.split(r"\n%\n", content)]
        letter = LETTERS[script]
        least = {"latin": 80, "cyrillic": 80, "greek": 60, "arabic": 60}.get(script, 30)

        def real(text):
            return len(re.findall(letter, text)) > 0.55 * len(text.replace(" ", ""))

        paragraphs = [p for p in paragraphs if least <= len(p) <= 1500 and real(p)]
        headings = [h for h in headings if 3 <= len(h) <= 60 and real(h)]
        if len(paragraphs) < 20:
            raise SystemExit(f"{pattern}: only {len(paragraphs)} paragraphs of {script}")
        text = Text(language, script, paragraphs, headings)
        if len(headings) < 5:
            rng = random.Random(pattern)
            text.headings = [text.phrase(rng, 4) for _ in range(30)]
        return text

    def any_text(self, rng):
        return self.text(rng.randrange(len(TEXTS[self.split])))

    def latin(self, rng):
        return self.text(rng.choice([i for i, t in enumerate(TEXTS[self.split]) if t[1] == "latin"]))

    @functools.cache
    def _files(self, pattern, least):
        return sorted(p for p in self.folder.glob(pattern) if p.is_file() and p.stat().st_size > least)

    def code(self, rng):
        """A lexer, a file and its lines from a random place on."""
        lexer, pattern = rng.choice(CODE[self.split])
        path = rng.choice(self._files(pattern, 3000))
        lines = read_text(path).replace("\t", "    ").split("\n")
        start = rng.randrange(max(1, len(lines) - 80))
        return lexer, path, start, lines[start : start + 90]

    def documentation(self, rng):
        return rng.choice(self._files(rng.choice(DOCUMENTATION[self.split]), 8000))

    def file_names(self, rng, count):
        _, pattern = rng.choice(CODE[self.split])
        files = self._files(pattern, 0)
        return [p for p in rng.sample(files, min(count, len(files)))]
