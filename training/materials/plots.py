"""The kind plot: charts."""

import io

import matplotlib
import numpy as np
from PIL import Image

from tones import noise

matplotlib.use("Agg")
from matplotlib import font_manager, pyplot  # noqa: E402

PLOT_STYLES = {
    "train": ["default", "ggplot", "seaborn-v0_8-whitegrid", "classic", "bmh", "dark_background"],
    "val": ["fivethirtyeight", "seaborn-v0_8-dark"],
    "test": ["Solarize_Light2", "seaborn-v0_8-ticks", "grayscale", "default"],
}

COLOUR_MAPS = {
    "train": ["viridis", "magma", "RdBu", "Blues", "terrain", "tab20"],
    "val": ["cividis", "PuOr"],
    "test": ["plasma", "coolwarm", "Greens", "twilight"],
}


def figure_picture(figure):
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=100)
    pyplot.close(figure)
    return Image.open(buffer).convert("RGB")


def figure_font(rng, style):
    known = {f.name for f in font_manager.fontManager.ttflist}
    name = style.font(rng.choice(("sans", "serif")))
    return {
        "font.family": [name, "DejaVu Sans"] if name in known else ["DejaVu Sans"],
        "axes.unicode_minus": False,
        "font.size": rng.choice((8, 9, 10, 11, 12, 14)),
    }


def plot(rng, sources, style, width, height, number):
    latin = sources.latin(rng)
    words = lambda n: latin.phrase(rng, n).replace("$", "")[:40]
    colours = pyplot.get_cmap(rng.choice(COLOUR_MAPS[style.split]))
    random = np.random

    def line(ax):
        x = np.linspace(0, rng.choice((1, 10, 365)), 200)
        for k in range(rng.randint(1, 6)):
            ax.plot(
                x,
                np.cumsum(random.randn(200)) * rng.uniform(0.5, 3),
                rng.choice(("-", "-", "--", ":", "-.")),
                label=words(2),
                marker=rng.choice(("", "", "", "o", "^")),
                markevery=10,
                lw=rng.uniform(0.7, 2.5),
            )
        ax.legend()

    def bars(ax):
        n, groups = rng.randint(4, 14), rng.randint(1, 3)
        for g in range(groups):
            ax.bar(
                np.arange(n) + g * 0.8 / groups,
                random.rand(n) * 100,
                0.8 / groups,
                label=words(1),
                hatch=rng.choice(("", "", "//", "xx", "..")),
                edgecolor=rng.choice(("none", "k")),
            )
        ax.set_xticks(np.arange(n), [words(1)[:10] for _ in range(n)], rotation=rng.choice((0, 30, 90)))
        ax.legend()

    def horizontal(ax):
        n = rng.randint(5, 16)
        ax.barh(
            [f"{words(1)[:12]} {i}" for i in range(n)], np.sort(random.rand(n)), color=colours(np.linspace(0.2, 0.9, n))
        )

    def scatter(ax):
        for _ in range(rng.randint(1, 4)):
            n = rng.randint(40, 300)
            centre, spread = random.randn(2, 1) * 2, random.rand() + 0.2
            ax.scatter(
                *(random.randn(2, n) * spread + centre),
                s=rng.uniform(5, 60),
                alpha=rng.choice((0.5, 1)),
                marker=rng.choice("osx^+"),
                label=words(1),
            )
        ax.legend()

    def histogram(ax):
        for _ in range(rng.randint(1, 3)):
            ax.hist(
                random.randn(800) * rng.uniform(0.5, 2) + rng.uniform(-3, 3),
                rng.randint(15, 60),
                alpha=0.7,
                histtype=rng.choice(("bar", "step", "stepfilled")),
            )

    def heat(ax):
        n, m = rng.randint(5, 14), rng.randint(5, 18)
        data = random.rand(n, m)
        shown = ax.imshow(data, cmap=colours, aspect="auto")
        if n * m < 110:
            for i in range(n):
                for j in range(m):
                    ax.text(
                        j,
                        i,
                        f"{data[i, j]:.1f}",
                        ha="center",
                        va="center",
                        color="w" if data[i, j] < 0.5 else "k",
                        fontsize=8,
                    )
        ax.figure.colorbar(shown, ax=ax)
        ax.grid(False)

    def pie(ax):
        n = rng.randint(3, 8)
        ax.pie(
            random.rand(n) + 0.1,
            labels=[words(1)[:12] for _ in range(n)],
            autopct="%1.1f%%",
            colors=colours(np.linspace(0.1, 0.95, n)),
            wedgeprops={"width": rng.choice((1, 0.4)), "edgecolor": "w"},
        )

    def boxes(ax):
        data = [random.randn(60) * rng.uniform(0.5, 3) + rng.uniform(-2, 2) for _ in range(rng.randint(4, 10))]
        ax.boxplot(data) if rng.random() < 0.6 else ax.violinplot(data, showmedians=True)

    def area(ax):
        x = np.arange(60)
        ax.stackplot(x, np.abs(np.cumsum(random.randn(rng.randint(3, 6), 60), axis=1)) + 2, alpha=0.85)

    def contours(ax):
        field = noise(120, 80, 4)
        (ax.contourf if rng.random() < 0.6 else ax.contour)(field, rng.randint(6, 16), cmap=colours)
        ax.clabel(ax.contour(field, 6, colors="k", linewidths=0.6), fontsize=7)

    def errors(ax):
        x = np.linspace(1, 10, 18)
        for _ in range(2):
            ax.errorbar(
                x,
                x ** rng.uniform(0.3, 2) + random.rand(18),
                yerr=random.rand(18),
                fmt=rng.choice(("o-", "s", "^--")),
                capsize=3,
                label=words(1),
            )
        ax.set_yscale(rng.choice(("log", "linear")))
        ax.legend()

    def steps(ax):
        ax.step(np.arange(40), np.cumsum(random.randn(40)), where="mid")
        ax.fill_between(np.arange(40), np.cumsum(random.randn(40)), alpha=0.3, step="mid")

    def arrows(ax):
        x, y = np.meshgrid(np.linspace(-2, 2, 18), np.linspace(-2, 2, 14))
        ax.quiver(x, y, -y + rng.random(), x * rng.uniform(-1, 1), np.hypot(x, y), cmap=colours)

    kinds = [line, bars, scatter, histogram, heat, pie, boxes, area, contours, errors, horizontal, steps, arrows]
    styles = PLOT_STYLES[style.split]
    rows, columns = rng.choice(((1, 1), (1, 1), (1, 1), (1, 2), (2, 1), (2, 2), (2, 3)))
    with pyplot.style.context(styles[number % len(styles)]), matplotlib.rc_context(figure_font(rng, style)):
        figure, axes = pyplot.subplots(
            rows, columns, figsize=(width / 100, height / 100), squeeze=False, layout="constrained"
        )
        for i, ax in enumerate(axes.flat):
            kind = kinds[(number + 5 * i) % len(kinds)]
            kind(ax)
            ax.set_title(words(rng.randint(2, 5)))
            if kind is not pie:
                ax.set_xlabel(words(2))
                ax.set_ylabel(words(2))
                if kind is not heat and rng.random() < 0.5:
                    ax.grid(True, ls=rng.choice(("-", ":", "--")))
        return figure_picture(figure)
