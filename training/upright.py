#!/usr/bin/env python3
"""Train the network that guesses which way up a picture is.

    python training/upright.py --pictures DIR --pages DIR... --out crates/fretsaw/src/upright/network.bin

training/README.md, section "Upright", says which pictures, and how good the result is. All of them
must be upright. The network gives a score to a square window of a picture; of the four turns of a
window, the one with the highest score is the guess. So nothing has to be labelled.
"""

import argparse
import json
import os
import struct
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

MAGIC = b"fretsaw upright\n"
VERSION = 1
SIDE = 48  # cells along a side of a window that a network sees
STORED = 64  # cells along a side of a stored training window, of which a part is seen
CHANNELS = (24, 32, 48, 48)
ZOOMS = (1, 2, 4, 9, 20)  # the picture's short side over that of the windows that the program looks at
PER_AXIS = 6  # positions of windows along an axis
MAX_WINDOWS = 12  # of each zoom: those of the highest contrast
NUM_TERMS = len(ZOOMS) + 1
FOLDS = 5
SCREENS = ("text", "code", "terminal", "web", "spreadsheet", "screenshot", "plot", "comic")
Image.MAX_IMAGE_PIXELS = None


# Pictures and their windows


def pictures(args):
    """(path, is a photograph, group). Pictures of one group are never split between folds."""
    split = json.loads((Path(__file__).parent / "split.json").read_text())
    photos = sorted((args.pictures / "photos-bsds").glob("*.jpg"))
    photos += [args.pictures / name for names in split.values() for name in names]
    found = [(path, True, str(path)) for path in photos]
    scans = sorted((args.pictures / "pages-isri").glob("*.tif"))
    found += [(path, False, path.stem.split("_")[0]) for path in scans]
    for kind in SCREENS:
        drawn = [path for folder in args.pages for path in sorted((folder / kind).glob("*.png"))]
        found += [(path, False, str(path)) for path in drawn]
    return found


def reduced(image, corner, side, size):
    """A square of a picture, area averaged to size x size cells."""
    (left, top) = corner
    box = (left, top, left + side, top + side)
    return np.asarray(image.resize((size, size), Image.Resampling.BOX, box=box))


def contrast(window):
    return window.mean(2).std()


def training_windows(job):
    """Random windows of a picture: (num, STORED, STORED, 3)."""
    path, num, seed = job
    image, rng = Image.open(path).convert("RGB"), np.random.default_rng(seed)
    short = min(image.size)
    windows = []
    for _ in range(num):
        # A third of the windows show most of the picture.
        low, high = (1.0, 1.8) if rng.uniform() < 0.35 else (1.8, 22.0)
        zoom = np.exp(rng.uniform(np.log(low), np.log(high)))
        side = min(short, max(SIDE + 8, short / zoom))
        # The program prefers windows of high contrast.
        drawn = [
            reduced(image, [rng.uniform(0, length - side) for length in image.size], side, STORED)
            for _ in range(3 if zoom > 1.8 else 1)
        ]
        windows.append(max(drawn, key=contrast))
    return np.stack(windows)


def positions(free, num):
    """At most `num` offsets from 0 to `free`, symmetric to the middle, as in windows.rs."""
    first = [free * k // (num - 1) for k in range(num // 2)]
    return sorted({*first, *(free - offset for offset in first)})


def windows_of(path):
    """The windows that the program looks at, for each of ZOOMS, and the picture's size."""
    image = Image.open(path).convert("RGB")
    width, height = image.size
    short = min(width, height)
    sets = []
    for zoom in ZOOMS:
        side = min(short, max(SIDE, short // zoom))
        columns, rows = (positions(length - side, PER_AXIS) for length in (width, height))
        windows = [reduced(image, (x, y), side, SIDE) for y in rows for x in columns]
        contrasts = [contrast(window) for window in windows]
        lowest = sorted(contrasts)[-min(MAX_WINDOWS, len(windows))]
        sets.append(np.stack([w for w, c in zip(windows, contrasts) if c >= lowest]))
    return sets, (width, height)


# Networks


def features(cells):
    """Cells in 0..1 as (N, 3, h, w) to what a network sees, as in windows.rs."""
    red, green, blue = cells.unbind(1)
    grey = (red + green + blue) / 3
    mean = grey.mean((1, 2), keepdim=True)
    deviation = ((grey - mean) ** 2).mean((1, 2), keepdim=True).sqrt()
    return torch.stack([(grey - mean) / (deviation + 0.02), red - blue, 2 * green - red - blue], 1)


class Network(torch.nn.Module):
    """Two numbers for a window: the score of its turn, and the logit of "a photograph"."""

    def __init__(self):
        super().__init__()
        c1, c2, c3, c4 = CHANNELS
        self.layers = torch.nn.ModuleList(
            [
                torch.nn.Conv2d(3, c1, 5, 2, 2),
                torch.nn.Conv2d(c1, c2, 3, 2, 1),
                torch.nn.Conv2d(c2, c3, 3, 2, 1),
                torch.nn.Conv2d(c3, c4, 3, 1, 1),
                torch.nn.Linear(c4 * (SIDE // 8) ** 2, 2),
            ]
        )

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.dropout2d(F.relu(layer(x)), 0.05, self.training)
        return self.layers[-1](F.dropout(x.flatten(1), 0.2, self.training))


def over_turns(network, x):
    """For each window: the scores of its turns by 0 to 3 clockwise, (N, 4), and the logit (N)."""
    turned = torch.cat([torch.rot90(x, -turn, (2, 3)) for turn in range(4)])
    out = network(turned).view(4, -1, 2)
    return out[:, :, 0].T, out[:, :, 1].mean(0)


def augmented(cells, is_photo, generator):
    """What a network sees of stored windows: shifted, scaled, leaning, mirrored, recoloured."""
    n, device = len(cells), cells.device

    def uniform(low, high, *shape):
        return low + (high - low) * torch.rand(n, *shape, device=device, generator=generator)

    def per_picture(values):
        return values[:, None, None, None]

    x = cells.permute(0, 3, 1, 2).float() / 255
    scale, stretch = uniform(0.75, 1.0), torch.exp(uniform(-0.15, 0.15))
    lean = torch.where(is_photo, uniform(-0.08, 0.08), uniform(-0.03, 0.03))
    mirror = torch.where(is_photo & (uniform(0, 1) < 0.5), -1.0, 1.0)
    cos, sin = torch.cos(lean) * scale, torch.sin(lean) * scale
    shift = uniform(-1, 1, 2) * (1 - scale)[:, None]
    across = torch.stack([cos * stretch * mirror, -sin * mirror, shift[:, 0]], 1)
    down = torch.stack([sin, cos / stretch, shift[:, 1]], 1)
    grid = F.affine_grid(torch.stack([across, down], 1), (n, 3, SIDE, SIDE), align_corners=False)
    x = F.grid_sample(x, grid, padding_mode="reflection", align_corners=False)
    # Gamma; saturation, with one picture in six grey; tint; brightness; some pages inverted; noise.
    x = x.clamp(0.002, 1) ** per_picture(torch.exp(uniform(-0.4, 0.4)))
    grey = x.mean(1, keepdim=True)
    x = grey + (x - grey) * per_picture(uniform(0.5, 1.4) * (uniform(0, 1) > 1 / 6))
    x = x * uniform(0.9, 1.1, 3)[:, :, None, None] * per_picture(uniform(0.6, 1.0))
    x = torch.where(per_picture(~is_photo & (uniform(0, 1) < 0.3)), 1 - x, x)
    noise = torch.randn(x.shape, device=device, generator=generator)
    return features(x + noise * per_picture(uniform(0, 0.03)))


def trained(job):
    """A network without the pictures of a fold, and its evidence for those pictures."""
    args, folder, fold = job
    torch.set_num_threads(1)
    torch.manual_seed(fold)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    generator = torch.Generator(device).manual_seed(fold)
    meta = np.load(folder / "pictures.npz")
    cells = torch.from_numpy(np.load(folder / "windows.npy")).to(device)
    num = len(cells) // len(meta["fold"])
    photo = torch.tensor(meta["photo"], device=device)
    # Photographs and pages have the same share of the windows.
    weights = np.where(meta["photo"], 1 / meta["photo"].sum(), 1 / (~meta["photo"]).sum())
    weights = torch.tensor(np.where(meta["fold"] == fold, 0.0, weights), device=device)

    network, averaged = Network().to(device), Network().to(device)
    averaged.load_state_dict(network.state_dict())
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, args.steps, pct_start=0.15)
    upright = torch.zeros(args.batch, dtype=torch.long, device=device)
    for step in range(args.steps):
        drawn = torch.multinomial(weights, args.batch, True, generator=generator)
        window = torch.randint(num, (args.batch,), device=device, generator=generator)
        is_photo = photo[drawn]
        x = augmented(cells[drawn * num + window], is_photo, generator)
        scores, logits = over_turns(network, x)
        loss = F.cross_entropy(scores, upright)
        kind_loss = F.binary_cross_entropy_with_logits(logits, is_photo.float())
        optimizer.zero_grad()
        (loss + 0.2 * kind_loss).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        decay = min(0.998, (step + 1) / (step + 10))
        with torch.no_grad():
            for mean, current in zip(averaged.parameters(), network.parameters()):
                mean.lerp_(current, 1 - decay)
        if (step + 1) % (args.steps // 4) == 0:
            print(f"  fold {fold}, step {step + 1}: loss {loss:.3f}, {kind_loss:.3f}", flush=True)
    averaged = averaged.eval()
    held_out = {}
    for index in np.flatnonzero(meta["fold"] == fold):
        held_out[int(index)] = evidence(averaged, np.load(folder / f"picture-{index}.npz"))
    return averaged.cpu(), held_out


# Evidence of whole pictures


@torch.no_grad()
def evidence(network, sets):
    """What a network says of a picture: for each zoom, the four turns and the logit of a photograph."""
    device = next(network.parameters()).device
    found = []
    for zoom in ZOOMS:
        x = torch.from_numpy(sets[f"zoom{zoom}"]).to(device).permute(0, 3, 1, 2).float() / 255
        scores, logits = over_turns(network, features(x))
        logs = torch.log_softmax(scores, 1).mean(0)
        found.append((logs.double().cpu().numpy(), logits.mean().item()))
    return found


def lying(size):
    """Evidence of the form alone: photographs are more often wide than high."""
    width, height = size
    sign = float(10 * width >= 11 * height) - float(10 * height >= 11 * width)
    return np.array([sign, -sign, sign, -sign])


def log_probabilities(weights, terms, photo):
    """`weights` are (2, terms): of pages and of photographs."""
    mixed = weights[0] + photo[:, None] * (weights[1] - weights[0])
    return torch.log_softmax(torch.einsum("nk,nkt->nt", mixed, terms), 1)


def fitted(terms, photo, kind_is_photo):
    """Weights of the terms that make the right answers most probable; not negative but for the form."""
    parameters = torch.zeros((2, NUM_TERMS), dtype=torch.double, requires_grad=True)
    counts = torch.where(kind_is_photo, 0.5 / kind_is_photo.sum(), 0.5 / (~kind_is_photo).sum())
    optimizer = torch.optim.Adam([parameters], 0.03)

    def weights():
        return torch.cat([parameters[:, :-1].exp(), parameters[:, -1:]], 1)

    for _ in range(1000):
        # A little decay: a few terms weigh the same, and the pages are few.
        loss = -(log_probabilities(weights(), terms, photo)[:, 0] * counts).sum()
        loss = loss + 0.002 * (parameters**2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return weights().detach()


def report(name, logs, chosen):
    logs = logs[chosen]
    right = logs.argmax(1) == 0
    best = logs.max(1).values.exp()
    said = f"{name}: {len(logs)} pictures, {100 * right.double().mean():.1f} % right, turned by 0, 90, 180, 270: "
    said += " ".join(str(count) for count in torch.bincount(logs.argmax(1), minlength=4).tolist())
    for limit in (0.5, 0.6, 0.7, 0.8, 0.9):
        sure = best >= limit
        said += f"; from {limit} {100 * sure.double().mean():.1f} % sure, of these {100 * right[sure].double().mean():.1f} % right"
    print(said, flush=True)


def write(path, network, weights):
    """magic, version, the weights of the terms, then weights and bias of each layer."""
    with open(path, "wb") as file:
        file.write(MAGIC + struct.pack("<I", VERSION))
        file.write(weights.numpy().astype("<f4").tobytes())
        for layer in network.layers:
            for values in (layer.weight, layer.bias):
                file.write(values.detach().numpy().astype("<f4").tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=Path, required=True, help="folder with photos-bsds, pages-isri and the Sholomon sets")
    parser.add_argument("--pages", type=Path, nargs="*", default=[], help="folders of drawn pages and screens: text, code, terminal, ...")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--windows", type=int, default=200, help="stored windows of each picture")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=384)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--parallel", type=int, default=min(6, os.cpu_count() or 1), help="trainings at a time")
    args = parser.parse_args()
    start = time.time()

    found = pictures(args)
    photo = np.array([is_photo for _, is_photo, _ in found])
    groups = sorted({group.removeprefix(str(args.pictures)) for _, _, group in found})
    order = np.random.default_rng(1).permutation(len(groups))
    fold_of = {groups[group]: k % FOLDS for k, group in enumerate(order)}
    fold = np.array([fold_of[group.removeprefix(str(args.pictures))] for _, _, group in found])
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        np.savez(folder / "pictures.npz", photo=photo, fold=fold)
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
            jobs = [(path, args.windows, seed) for seed, (path, _, _) in enumerate(found)]
            windows = list(pool.map(training_windows, jobs, chunksize=4))
            np.save(folder / "windows.npy", np.concatenate(windows))
            form = []
            for index, (sets, size) in enumerate(pool.map(windows_of, [path for path, _, _ in found], chunksize=4)):
                np.savez(folder / f"picture-{index}.npz", **{f"zoom{zoom}": windows for zoom, windows in zip(ZOOMS, sets)})
                form.append(lying(size))
        print(f"{photo.sum()} photographs, {(~photo).sum()} pages, {time.time() - start:.0f} s", flush=True)
        # Fold FOLDS leaves no picture out: its network is written.
        jobs = [(args, folder, k) for k in range(FOLDS + 1)]
        with ProcessPoolExecutor(args.parallel, mp_context=get_context("spawn")) as pool:
            results = list(pool.map(trained, jobs))

    terms = np.zeros((len(found), NUM_TERMS, 4))
    logits = np.zeros(len(found))
    terms[:, -1] = form
    for _, held_out in results:
        for index, of_terms in held_out.items():
            for term, (logs, logit) in enumerate(of_terms):
                terms[index, term] = logs
                logits[index] += logit / len(ZOOMS)
    terms, is_photo = torch.tensor(terms), torch.tensor(photo)
    gate = torch.sigmoid(torch.tensor(logits))
    print(f"photographs told from pages: {100 * ((gate > 0.5) == is_photo).double().mean():.1f} %")
    weights = fitted(terms, gate, is_photo)
    print("weights of the terms, pages and photographs:", [[round(w, 3) for w in row] for row in weights.tolist()])
    logs = log_probabilities(weights, terms, gate)
    for term in range(NUM_TERMS):
        report(f"term {term}, photographs", torch.log_softmax(terms[:, term], 1), is_photo)
        report(f"term {term}, pages", torch.log_softmax(terms[:, term], 1), ~is_photo)
    for name in sorted({path.parent.name for path, _, _ in found}):
        report(f"held out: {name}", logs, torch.tensor([path.parent.name == name for path, _, _ in found]))
    report("held out: photographs", logs, is_photo)
    report("held out: pages", logs, ~is_photo)
    network = results[FOLDS][0]
    write(args.out, network, weights)
    num = sum(values.numel() for values in network.parameters())
    print(f"{args.out}: {num} parameters, {time.time() - start:.0f} s")


if __name__ == "__main__":
    main()
