"""Trains the networks of the learned matcher, from pictures to the file that the program includes.

    python training/train.py --pictures DIR --out crates/fretsaw/src/matching/networks.bin

DIR holds folders of pictures; training/README.md says which, and how they are split. `fretsaw-lab features`
computes the features with the code of the matcher, so that training and inference see the same values. The
first network sees pairs of sides, every later one the loops that those before it make likely. Also writes a
card (.json) and the log (.log.jsonl). Needs Python 3.10, NumPy and PyTorch; uses a graphics card if there is
one.
"""

import argparse
import json
import pathlib
import shutil
import struct
import subprocess
import tempfile
import time

import numpy as np
import torch
from torch import nn

MAGIC = b"fretsaw judge\0\0\0"
VERSION = 3
MOST_CANDIDATES = 64
BORDER, UNLISTED = 254, 255
# The first seed of validation puzzles, far from those of training.
FIRST_VALIDATION_SEED = 1_000_001
# The settings that the card records.
SETTINGS = ["puzzles", "validation_puzzles", "networks", "hidden", "steps", "batch", "rate", "seed"]


class Features:
    """The features and right answers of many puzzles, as `fretsaw-lab features` wrote them."""

    def __init__(self, folder, device):
        folder = pathlib.Path(folder)
        self.described = json.loads((folder / "export.json").read_text())
        self.names = self.described["features"]
        lengths = np.fromfile(folder / "lengths.u8", np.uint8).astype(np.int64)
        labels = np.fromfile(folder / "labels.u8", np.uint8).astype(np.int64)
        values = np.fromfile(folder / "features.f32", np.float32).reshape(-1, len(self.names))
        # Border and unlisted come after the candidates.
        labels[labels == BORDER] = MOST_CANDIDATES
        labels[labels == UNLISTED] = MOST_CANDIDATES + 1
        self.values = torch.from_numpy(values).to(device)
        self.lengths = torch.from_numpy(lengths).to(device)
        self.labels = torch.from_numpy(labels).to(device)
        self.starts = torch.cumsum(self.lengths, 0) - self.lengths
        self.puzzle_of_side = np.repeat(
            np.arange(len(self.described["puzzles"])), [p["num_sides"] for p in self.described["puzzles"]]
        )

    def __len__(self):
        return len(self.lengths)

    def batch(self, sides):
        """Features padded to MOST_CANDIDATES, a mask of the candidates that exist, and the answers."""
        at = torch.arange(MOST_CANDIDATES, device=sides.device)
        there = at < self.lengths[sides, None]
        rows = (self.starts[sides, None] + at).clamp(max=len(self.values) - 1)
        return self.values[rows], there, self.labels[sides]


class Network(nn.Module):
    """The network as crates/fretsaw/src/matching/network.rs computes it."""

    def __init__(self, features, hidden):
        super().__init__()
        self.register_buffer("means", torch.zeros(features))
        self.register_buffer("scales", torch.ones(features))
        self.first = nn.Linear(features, hidden)
        self.second = nn.Linear(hidden, hidden)
        self.context = nn.Linear(2 * hidden, hidden)
        self.third = nn.Linear(hidden, hidden)
        self.none = nn.Linear(2 * hidden, 2)
        self.output = nn.Linear(hidden, 1)

    def standardise(self, features):
        sample = features.values[torch.randperm(len(features.values), device=features.values.device)[:2_000_000]]
        self.means.copy_(sample.mean(0))
        self.scales.copy_(1 / sample.std(0).clamp(min=1e-3))

    def forward(self, x, there):
        z = ((x - self.means) * self.scales).clamp(-6, 6)
        h = torch.relu(self.first(z))
        h = h + torch.relu(self.second(h))
        h = h * there[..., None]
        count = there.sum(1, keepdim=True).clamp(min=1)
        g = torch.cat([h.sum(1) / count, h.amax(1)], -1)
        h = torch.relu(h + self.context(g)[:, None])
        h = h + torch.relu(self.third(h))
        logits = self.output(h)[..., 0].masked_fill(~there, -1e9)
        return torch.log_softmax(torch.cat([logits, self.none(g)], 1), 1)

    def values(self):
        layers = [self.first, self.second, self.context, self.third, self.none, self.output]
        return [self.means, self.scales] + [v for layer in layers for v in (layer.weight, layer.bias)]

    @staticmethod
    def read(file, device):
        features, hidden = struct.unpack("<II", file.read(8))
        network = Network(features, hidden)
        for value in network.values():
            numbers = np.frombuffer(file.read(4 * value.numel()), "<f4").reshape(value.shape)
            value.data.copy_(torch.from_numpy(numbers.copy()))
        return network.to(device)

    def to_bytes(self):
        heading = struct.pack("<II", self.first.in_features, self.first.out_features)
        return heading + b"".join(v.detach().cpu().numpy().astype("<f4").tobytes() for v in self.values())


def file_of(networks):
    return MAGIC + struct.pack("<II", VERSION, len(networks)) + b"".join(n.to_bytes() for n in networks)


def read_networks(path, device):
    with open(path, "rb") as file:
        assert file.read(len(MAGIC)) == MAGIC, f"{path} holds no networks"
        _, count = struct.unpack("<II", file.read(8))
        return [Network.read(file, device) for _ in range(count)]


GROUPS = {
    "all": lambda r: True,
    "plain type 2": lambda r: r["puzzle_type"] == "2" and plain(r) and r["piece_px"] == 28 and not large(r),
    "plain type 1": lambda r: r["puzzle_type"] == "1" and plain(r) and r["piece_px"] == 28 and not large(r),
    "large boards": lambda r: plain(r) and large(r),
    "small pieces": lambda r: plain(r) and r["piece_px"] < 28,
    "large pieces": lambda r: plain(r) and r["piece_px"] > 28,
    "grey": lambda r: r["grey"],
    "noise": lambda r: r["noise"] > 0,
    "corrupted": lambda r: r["corrupt_rate"] > 0,
}


def plain(recipe):
    return not recipe["grey"] and recipe["noise"] == 0 and recipe["corrupt_rate"] == 0


def large(recipe):
    return recipe["rows"] * recipe["cols"] > 1000


@torch.no_grad()
def validate(network, features, batch=16384):
    """Per group of puzzles: cross-entropy, share of true neighbours ranked first, calibration error."""
    losses, confidences, rights, firsts = [], [], [], []
    for start in range(0, len(features), batch):
        sides = torch.arange(start, min(start + batch, len(features)), device=features.lengths.device)
        x, there, labels = features.batch(sides)
        logs = network(x, there)
        losses.append(-logs.gather(1, labels[:, None])[:, 0])
        confidence, answer = logs.exp().max(1)
        confidences.append(confidence)
        rights.append(answer == labels)
        has_neighbor = labels != MOST_CANDIDATES
        first = (logs[:, :MOST_CANDIDATES].argmax(1) == labels).float()
        firsts.append(torch.where(has_neighbor, first, torch.full_like(first, torch.nan)))
    losses, confidences, rights, firsts = (
        torch.cat(x).float().cpu().numpy() for x in (losses, confidences, rights, firsts)
    )
    recipes = [p["recipe"] for p in features.described["puzzles"]]
    results = {}
    for name, belongs in GROUPS.items():
        chosen = np.array([belongs(r) for r in recipes])[features.puzzle_of_side]
        if chosen.any():
            results[name] = {
                "loss": float(losses[chosen].mean()),
                "first": float(100 * np.nanmean(firsts[chosen])),
                "ece": calibration_error(confidences[chosen], rights[chosen]),
            }
    return results


def calibration_error(confidences, rights, bins=15):
    bin_of = np.minimum((confidences * bins).astype(int), bins - 1)
    counts = np.bincount(bin_of, minlength=bins)
    predicted = np.bincount(bin_of, confidences, bins)
    actual = np.bincount(bin_of, rights, bins)
    return float(np.abs(predicted - actual).sum() / counts.sum())


def train(features, validation, args, log):
    torch.manual_seed(args.seed)
    device = features.values.device
    network = Network(len(features.names), args.hidden).to(device)
    network.standardise(features)
    optimizer = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, args.steps, pct_start=0.05)
    for step in range(1, args.steps + 1):
        sides = torch.randint(len(features), (args.batch,), device=device)
        x, there, labels = features.batch(sides)
        loss = nn.functional.nll_loss(network(x, there), labels)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % (args.steps // 5) == 0:
            results = validate(network, validation)
            log({"step": step, "train_loss": loss.item(), "validation": results})
    return network


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=pathlib.Path, required=True, help="the folder of folders of pictures")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the file of networks to write")
    parser.add_argument("--fretsaw-lab", help="the program fretsaw-lab, if it is built already")
    parser.add_argument("--split", type=pathlib.Path, default=pathlib.Path(__file__).with_name("split.json"))
    parser.add_argument("--puzzles", type=int, default=1200, help="training puzzles")
    parser.add_argument("--validation-puzzles", type=int, default=240)
    parser.add_argument("--networks", type=int, default=5, help="number of networks, trained one after the other")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the networks of this file, and train those that follow")
    parser.add_argument("--pixel-network", type=pathlib.Path, help="train networks that see the scores of this network")
    parser.add_argument("--worn", action="store_true", help="train on worn pieces, with a pixel network for these")
    parser.add_argument("--bled", action="store_true", help="train on pieces of compressed sheets, with the same")
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--batch", type=int, default=4096, help="sides per step")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=pathlib.Path, help="the folder for features [default: a temporary one]")
    args = parser.parse_args()

    device = "cuda" if torch.cuda.is_available() else "cpu"
    split = json.loads(args.split.read_text())
    build_and_run = ["cargo", "run", "--release", "--quiet", "--package", "fretsaw-lab", "--"]
    program = [args.fretsaw_lab] if args.fretsaw_lab else build_and_run
    work = args.work or pathlib.Path(tempfile.mkdtemp(prefix="fretsaw-training-"))
    log_path = args.out.with_suffix(".log.jsonl")
    log_file = open(log_path.with_name(log_path.name + ".part"), "w")
    begun = time.time()

    def log(entry):
        entry = {"seconds": round(time.time() - begun, 1), **entry}
        log_file.write(json.dumps(entry) + "\n")
        log_file.flush()
        shown = {k: v for k, v in entry.items() if k != "validation"}
        print(shown, flush=True)
        for name, figures in entry.get("validation", {}).items():
            print("   %-14s loss %.4f  first %.2f  ece %.4f" % (name, *figures.values()), flush=True)

    def export(kind, puzzles, first_seed):
        folder = work / kind
        pictures = [str(args.pictures / name) for name in split[kind]]
        command = program + ["features", "--puzzles", str(puzzles)]
        command += ["--first-seed", str(first_seed), "--out", str(folder)]
        if networks:
            so_far = work / "networks.bin"
            so_far.write_bytes(file_of(networks))
            command += ["--networks", str(so_far)]
        if args.pixel_network:
            command += ["--pixel-network", str(args.pixel_network)]
        if args.worn:
            command += ["--worn"]
        if args.bled:
            command += ["--bled"]
        subprocess.run(command + pictures, check=True)
        return Features(folder, device)

    networks = read_networks(args.keep, device) if args.keep else []
    num_kept = len(networks)
    for number in range(num_kept, args.networks):
        features = export("training", args.puzzles, 1)
        validation = export("validation", args.validation_puzzles, FIRST_VALIDATION_SEED)
        log({"network": number, "features": len(features.names), "sides": len(features), "device": device})
        networks.append(train(features, validation, args, log))
        args.out.with_suffix(".part").write_bytes(file_of(networks))
        digests = [[p["fnv1a"] for p in f.described["pictures"]] for f in (features, validation)]
    log_file.close()
    card = {
        "version": VERSION,
        "command": "python training/train.py --pictures DIR"
        + (" --pixel-network FILE" if args.pixel_network else "")
        + (" --worn" if args.worn else "")
        + (" --bled" if args.bled else "")
        + f" --out {args.out.name}",
        "kept_networks": num_kept,
        "settings": {name: getattr(args, name) for name in SETTINGS},
        "torch": torch.__version__,
        "device": torch.cuda.get_device_name() if device == "cuda" else device,
        "parameters": sum(p.numel() for n in networks for p in n.parameters()),
        "digests": "FNV-1a, 64 bit, of the pictures' files",
        "training": dict(zip(split["training"], digests[0])),
        "validation": dict(zip(split["validation"], digests[1])),
    }
    args.out.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")
    shutil.move(log_file.name, log_path)
    part = args.out.with_name(args.out.name + ".part")
    part.write_bytes(file_of(networks))
    part.rename(args.out)
    if args.work is None:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
