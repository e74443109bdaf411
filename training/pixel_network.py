"""Trains the pixel network of the learned matcher: from pictures to the file that the program includes.

    python training/pixel_network.py --training DIR... --validation DIR... --out FILE

Each DIR holds pictures, in folders that name their kind; folders whose name begins with `photo` are scaled at
random, all others are mostly taken as they are. The network compares the pixels of two sides, deep into their
pieces. It has three parts, which crates/fretsaw/src/matching/pixel_network computes in the same way:

* an encoder turns each side into a short sequence of vectors along the side;
* an embedding makes of that sequence two vectors, so that the scores of all pairs of sides are one product;
* a scorer compares the sequences of two sides, for few candidates of each side.

Needs Python 3.10, NumPy, Pillow and PyTorch, and a graphics card to be done in minutes.
"""

import argparse
import json
import math
import pathlib
import random
import struct
import time
from typing import NamedTuple

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F
from PIL import Image
from torch import nn

MAGIC = b"fretsaw pixels\0\0"
VERSION = 3

# Lines of pixels by their depth below the side: eight single lines, then bands that get wider.
EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64]
FIRST_BAND = 8
SLOTS = len(EDGES) - 1
BANDS = SLOTS - FIRST_BAND
PROFILE = 64  # The most values of the profile of a piece below its side; deeper pieces have more lines per value.
CONSTANTS = SLOTS + 5 + 1  # Which slots exist, the orientation of the side, the length of the side.
CHANNELS = 3 * SLOTS + 2 * BANDS + CONSTANTS
SUMMARY_INPUTS = 2 * PROFILE + CONSTANTS
SUMMARY = 64
BINS = 8
PHASES = 6
FIRST_LAG = 5
NUM_TURNS = 4
PIECE_PX = [10, 12, 14, 16, 16, 16, 18, 20, 20, 24, 25, 28, 28, 30, 32, 32, 32, 35, 40, 48, 50, 56, 64, 64, 64, 72, 100, 150]


def opponent(rgb):
    """Grey and two differences of colours, of values from 0 to 1: n x 3 x height x width."""
    r, g, b = rgb.unbind(-3)
    return torch.stack([(r + g + b) / 3, (r - g) / 2, (b - (r + g) / 2) / 2], -3)


def sides_of(pieces):
    """Every side turned to the top and read clockwise: 4n x 3 x depth x length."""
    turned = [torch.rot90(pieces, turns, (2, 3)) for turns in range(NUM_TURNS)]
    return torch.stack(turned, 1).flatten(0, 1)


def describe(sides, is_turned):
    """The inputs of the encoder: channels along each side, constants, and the profile of depths."""
    count, _, depth, length = sides.shape
    means, least, most, exists = [], [], [], []
    for slot in range(SLOTS):
        start, end = EDGES[slot], min(EDGES[slot + 1], depth)
        exists.append(float(start < depth))
        lines = sides[:, :, start:end] if start < depth else sides.new_zeros(count, 3, 1, length)
        means.append(lines.mean(2))
        if slot >= FIRST_BAND:
            least.append(lines[:, :1].amin(2))
            most.append(lines[:, :1].amax(2))
    orientation = torch.zeros(count, 5, device=sides.device)
    if is_turned:
        orientation[:, 4] = 1
    else:
        at = torch.arange(count, device=sides.device)
        orientation[at, at % NUM_TURNS] = 1
    exists = torch.tensor(exists, device=sides.device).expand(count, -1)
    size = torch.full((count, 1), math.log2(length / 28), device=sides.device)
    constants = torch.cat([exists, orientation, size], 1)
    along = torch.cat(means + least + most, 1)
    lines = lines_per_value(depth)
    grey = sides[:, 0, : depth // lines * lines].reshape(count, -1, lines * length)
    profile = F.pad(torch.stack([grey.mean(2), grey.std(2, unbiased=False)], 1), (0, PROFILE - grey.shape[1]))
    return along, constants, profile


def lines_per_value(depth):
    """How many lines a value of the profile takes together."""
    return -(-depth // PROFILE)


@torch.no_grad()
def rhythms(profile, depth):
    """The levels of each side by depth, less their mean; their variance; and their correlation by lag."""
    depth = depth // lines_per_value(depth)
    level = profile[:, 0, :depth].float()
    level = level - level.mean(1, keepdim=True)
    variance = level.square().mean(1) + 1e-5
    spectrum = torch.fft.rfft(level, 2 * depth)
    lag = torch.arange(depth, device=level.device)
    within = torch.fft.irfft(spectrum.abs().square(), 2 * depth)[:, :depth] / (depth - lag)
    return spectrum, variance, within[:, FIRST_LAG:], depth


@torch.no_grad()
def phases(rhythm, rows, others):
    """How well the lines of two pieces go on at the same pitch across their seam; for pairs of sides."""
    spectrum, variance, within, depth = rhythm
    spread = torch.log(torch.stack([variance[rows], variance[others]], 1))
    if depth <= FIRST_LAG:
        return torch.cat([torch.zeros(len(rows), 4, device=rows.device), spread], 1)
    scale = (variance[rows] + variance[others])[:, None] / 2
    # Line i of one piece lies i + j + 1 lines from line j of the other: a convolution.
    lag = torch.arange(FIRST_LAG, depth, device=rows.device)
    across = torch.fft.irfft(spectrum[rows] * spectrum[others], 2 * depth)[:, FIRST_LAG - 1 : depth - 1] / lag / scale
    within = (within[rows] + within[others]) / 2 / scale
    agreed = within.clamp(min=0) * across
    found = [(torch.softmax(beta * within, 1) * across).sum(1) for beta in (4.0, 16.0)]
    return torch.cat([torch.stack(found + [agreed.amax(1), agreed.amin(1)], 1), spread], 1)


class Sizes(NamedTuple):
    """What differs between pixel networks, in the order of the file's heading."""

    width: int  # Vectors along a side inside the encoder.
    features: int  # Vectors along a side that the encoder makes.
    embedding: int  # Each of the two vectors of an embedding.
    encoder_layers: int  # Convolutions of the encoder that add to their input.
    scorer_layers: int  # The same of the scorer.


GRAPHICS = Sizes(width=96, features=64, embedding=96, encoder_layers=2, scorer_layers=1)


class PixelNetwork(nn.Module):
    def __init__(self, sizes=GRAPHICS):
        super().__init__()
        width, features, embedding, encoder_layers, scorer_layers = self.sizes = sizes
        self.summary_1 = nn.Linear(SUMMARY_INPUTS, 128)
        self.summary_2 = nn.Linear(128, SUMMARY)
        self.encode_first = nn.Conv1d(CHANNELS + SUMMARY, width, 5, padding=2)
        self.encode_halve = nn.Conv1d(width, width, 4, stride=2, padding=1)
        self.encode_more = nn.ModuleList(nn.Conv1d(width, width, 3, padding=1) for _ in range(encoder_layers))
        self.encode_last = nn.Conv1d(width, features, 1)
        self.embed = nn.Linear(features * BINS + SUMMARY, 2 * embedding)
        self.score_there = nn.Linear(features, features)
        self.score_back = nn.Linear(features, features, bias=False)
        self.score_more = nn.ModuleList(nn.Conv1d(features, features, 3, padding=1) for _ in range(scorer_layers))
        self.score_mix = nn.Conv1d(features, features, 1)
        self.score_join = nn.Linear(2 * features + 1 + 2 * SUMMARY + PHASES, 64)
        self.score_last = nn.Linear(64, 1)
        self.none = nn.Parameter(torch.zeros(1))

    def encode(self, along, constants, profile):
        summary = torch.relu(self.summary_1(torch.cat([profile.flatten(1), constants], 1)))
        summary = torch.relu(self.summary_2(summary))
        length = along.shape[2]
        fixed = torch.cat([constants, summary], 1)[:, :, None].expand(-1, -1, length)
        h = torch.relu(self.encode_first(torch.cat([along, fixed], 1)))
        h = torch.relu(self.encode_halve(h))
        for layer in self.encode_more:
            h = h + torch.relu(layer(h))
        return self.encode_last(h), summary

    def embedding(self, features, summary):
        pooled = F.adaptive_avg_pool1d(features, BINS).flatten(1)
        return self.embed(torch.cat([pooled, summary], 1)).chunk(2, 1)

    def products(self, features, summary, num_puzzles=1):
        """The products of all pairs of sides, for each of several puzzles with equally many sides."""
        there, back = (v.unflatten(0, (num_puzzles, -1)) for v in self.embedding(features, summary))
        product = there @ back.mT
        return (product + product.mT) / math.sqrt(self.sizes.embedding)

    def scores(self, features, summary, product, phase, rows, others):
        """The logits of pairs: sides `rows` with sides `others`."""
        there = self.score_there(features.transpose(1, 2)).transpose(1, 2)
        back = self.score_back(features.transpose(1, 2)).transpose(1, 2).flip(2)
        h = torch.relu(there[rows] + back[others])
        for layer in (*self.score_more, self.score_mix):
            h = h + torch.relu(layer(h))
        pooled = torch.cat([h.mean(2), h.amax(2), product[:, None], summary[rows], summary[others], phase], 1)
        return self.score_last(torch.relu(self.score_join(pooled)))[:, 0]


def true_neighbors(rows, cols, device):
    """For each side the side that touches it, or -1."""
    piece = torch.arange(rows * cols, device=device).reshape(rows, cols)
    found = torch.full((rows, cols, 4), -1, dtype=torch.long, device=device)
    found[1:, :, 0] = 4 * piece[:-1] + 2
    found[:, :-1, 1] = 4 * piece[:, 1:] + 3
    found[:-1, :, 2] = 4 * piece[1:]
    found[:, 1:, 3] = 4 * piece[:, :-1] + 1
    return found.flatten()


def cut(picture, piece_px, lost_px):
    """Pieces of a 3 x height x width picture, with lines lost at all edges."""
    tiles = picture.unfold(1, piece_px, piece_px).unfold(2, piece_px, piece_px)
    tiles = tiles.permute(1, 2, 0, 3, 4).flatten(0, 1)
    return tiles[:, :, lost_px : piece_px - lost_px, lost_px : piece_px - lost_px].contiguous()


class Puzzle:
    """Pieces in their true order, and what a network may be told of them."""

    def __init__(self, pieces, rows, cols, is_turned):
        self.is_turned = is_turned
        if is_turned:
            turns = torch.randint(4, (len(pieces),), device=pieces.device)
            # A piece turned by t quarter turns counter-clockwise has its former side s as side s - t.
            turned = torch.stack([torch.rot90(pieces, turn, (2, 3)) for turn in range(NUM_TURNS)])
            pieces = turned[turns, torch.arange(len(pieces), device=pieces.device)]
            neighbor = true_neighbors(rows, cols, pieces.device)
            side = torch.arange(len(neighbor), device=pieces.device)
            moved = side // 4 * 4 + (side % 4 - turns[side // 4]) % 4
            self.neighbor = torch.full_like(neighbor, -1)
            has = neighbor >= 0
            self.neighbor[moved[has]] = moved[neighbor[has]]
        else:
            self.neighbor = true_neighbors(rows, cols, pieces.device)
        grey = opponent(pieces)
        grey = grey - grey.mean((0, 2, 3), keepdim=True)
        self.depth = pieces.shape[2]
        self.along, self.constants, self.profile = describe(sides_of(2 * grey), is_turned)
        # Sides of pieces that are the same pixel for pixel are equally right.
        weights = torch.linspace(0.3, 1.7, pieces[0].numel(), device=pieces.device, dtype=torch.float64)
        digest = (pieces.flatten(1).double() * 255).round() @ weights
        _, piece_class = digest.round(decimals=3).unique(return_inverse=True)
        side = torch.arange(4 * len(pieces), device=pieces.device)
        self.side_class = 4 * piece_class[side // 4] + side % 4
        piece = side // 4
        allowed = piece[:, None] != piece[None]
        if not is_turned:
            allowed &= (side[:, None] + 2) % 4 == side[None] % 4
        self.allowed = allowed
        self.has_neighbor = self.neighbor >= 0

    def positives(self):
        target = self.side_class[self.neighbor.clamp(min=0)]
        return (self.side_class[None] == target[:, None]) & self.has_neighbor[:, None] & self.allowed


class Pictures:
    def __init__(self, folders, device):
        self.kinds = {}
        for folder in folders:
            for path in sorted(pathlib.Path(folder).rglob("*")):
                if path.suffix.lower() in (".png", ".jpg", ".jpeg", ".tif", ".bmp"):
                    pixels = np.asarray(Image.open(path).convert("RGB"))
                    kind = path.parent.name
                    picture = torch.from_numpy(pixels.copy()).permute(2, 0, 1).contiguous().to(device)
                    self.kinds.setdefault(kind, []).append(picture)

    def draw(self, rng):
        photos = [kind for kind in self.kinds if kind.startswith("photo")]
        others = [kind for kind in self.kinds if not kind.startswith("photo")]
        kind = rng.choice(photos) if photos and (not others or rng.random() < 0.1) else rng.choice(others)
        return kind, rng.choice(self.kinds[kind])


def draw_puzzle(pictures, rng, max_pieces):
    kind, picture = pictures.draw(rng)
    is_photo = kind.startswith("photo")
    piece_px = rng.choice(PIECE_PX)
    lost_px = rng.choice([1, 1, 2]) if rng.random() < 0.15 and piece_px >= 16 else 0
    cell_px = piece_px + 2 * lost_px
    height, width = picture.shape[1:]
    scale = 1.0
    if is_photo:
        scale = rng.uniform(0.4, 1.0)
    elif rng.random() < 0.3:
        scale = rng.uniform(0.5, 1.5)
    scale = max(scale, 6 * cell_px / min(height, width))
    rows, cols = int(height * scale) // cell_px, int(width * scale) // cell_px
    wanted = rng.randint(max_pieces // 2, max_pieces)
    while rows * cols > wanted:
        if rows > 6 and (rng.random() < 0.5 or cols <= 6):
            rows -= 1
        else:
            cols -= 1
    needed = [math.ceil(rows * cell_px / scale), math.ceil(cols * cell_px / scale)]
    top = rng.randint(0, max(0, height - needed[0]))
    left = rng.randint(0, max(0, width - needed[1]))
    part = picture[:, top : top + needed[0], left : left + needed[1]].float() / 255
    board = (rows * cell_px, cols * cell_px)
    if scale != 1.0 or part.shape[1:] != board:
        part = F.interpolate(part[None], size=board, mode="bicubic", antialias=True)[0].clamp(0, 1)
    if rng.random() < 0.5:
        part = part.flip(2) if is_photo or rng.random() < 0.1 else part
    if rng.random() < 0.2:
        part = 1 - part
    if rng.random() < 0.3:
        part = part[torch.randperm(3, device=part.device)]
    if rng.random() < 0.15:
        part = part.mean(0, keepdim=True).expand(3, -1, -1)
    if rng.random() < 0.3:
        part = (part * rng.uniform(0.6, 1.2) + rng.uniform(-0.1, 0.2)).clamp(0, 1)
    if rng.random() < 0.2:
        part = (part + torch.randn_like(part) * rng.uniform(0.002, 0.025)).clamp(0, 1)
    pieces = cut(part, cell_px, lost_px)
    if rng.random() < 0.12:
        gains = 1 + (torch.rand(len(pieces), 1, 1, 1, device=pieces.device) - 0.5) * rng.uniform(0.05, 0.3)
        pieces = (pieces * gains).clamp(0, 1)
    pieces = (pieces * 255).round() / 255
    return kind, Puzzle(pieces, rows, cols, rng.random() < 0.35)


def losses(network, puzzle, candidates):
    """Of the product over all sides, and of the scores of the best candidates."""
    features, summary = network.encode(puzzle.along, puzzle.constants, puzzle.profile)
    product = network.products(features, summary)[0].masked_fill(~puzzle.allowed, -1e4)
    positive = puzzle.positives()
    has = positive.any(1)
    log_p = torch.log_softmax(product, 1)
    first = -torch.logsumexp(log_p.masked_fill(~positive, -1e4), 1)[has].mean()
    with torch.no_grad():
        # The best candidates, among them one that is right.
        ranked = product.detach() + 1e3 * torch.zeros_like(product).scatter_(
            1, puzzle.neighbor.clamp(min=0)[:, None], puzzle.has_neighbor[:, None].float()
        ) * (torch.rand(len(product), 1, device=product.device) < 0.5)
        chosen = ranked.topk(min(candidates, ranked.shape[1]), 1).indices
    rows = torch.arange(len(chosen), device=chosen.device)[:, None].expand_as(chosen).flatten()
    others = chosen.flatten()
    phase = phases(rhythms(puzzle.profile, puzzle.depth), rows, others)
    logits = network.scores(features, summary, product.detach()[rows, others], phase, rows, others)
    logits = logits.reshape(chosen.shape).masked_fill(~puzzle.allowed.gather(1, chosen), -1e4)
    log_p = torch.log_softmax(torch.cat([logits, network.none.expand(len(logits), 1)], 1), 1)
    right = positive.gather(1, chosen)
    right = torch.cat([right, ~right.any(1, keepdim=True)], 1)
    second = -torch.logsumexp(log_p.masked_fill(~right, -1e4), 1).mean()
    with torch.no_grad():
        hit = positive.gather(1, product.argmax(1, keepdim=True))[has].float().mean()
        listed = positive.gather(1, product.topk(min(16, product.shape[1]), 1).indices).any(1)[has].float().mean()
        best = chosen.gather(1, logits.argmax(1, keepdim=True))
        scored = positive.gather(1, best)[has].float().mean()
    return first + second, (hit, listed, scored)


def validate(network, pictures, max_pieces, count=12):
    rng = random.Random(7)
    found = {}
    with torch.no_grad():
        for kind in sorted(pictures.kinds):
            only = Pictures([], "cpu")
            only.kinds = {kind: pictures.kinds[kind]}
            shares = [losses(network, draw_puzzle(only, rng, max_pieces)[1], 32)[1] for _ in range(count)]
            found[kind] = [round(100 * float(torch.stack(x).nanmean()), 1) for x in zip(*shares)]
    return found


def to_bytes(network):
    """The sizes, then the values of all tensors, in half precision."""
    tensors = [value for name, value in network.state_dict().items() if name != "none"]
    heading = MAGIC + struct.pack("<6I", VERSION, *network.sizes)
    return heading + b"".join(value.float().cpu().numpy().astype("<f2").tobytes() for value in tensors)


def share_gradients(network):
    """Gives all processes the mean of their gradients."""
    gradients = [p.grad for p in network.parameters()]
    flat = torch.cat([g.flatten() for g in gradients]).cpu()
    dist.all_reduce(flat)
    flat = (flat / dist.get_world_size()).to(gradients[0].device)
    for gradient, mean in zip(gradients, flat.split([g.numel() for g in gradients])):
        gradient.copy_(mean.view_as(gradient))


def from_bytes(data):
    """The network of a file that `to_bytes` made."""
    if not data.startswith(MAGIC):
        raise ValueError("this is no file of a pixel network")
    version, *sizes = struct.unpack_from("<6I", data, len(MAGIC))
    if version != VERSION:
        raise ValueError(f"this is a pixel network of version {version}, not {VERSION}")
    network = PixelNetwork(Sizes(*sizes))
    values = torch.from_numpy(np.frombuffer(data, "<f2", offset=len(MAGIC) + 24).astype(np.float32))
    tensors = {name: value for name, value in network.state_dict().items() if name != "none"}
    parts = values.split([value.numel() for value in tensors.values()])
    network.load_state_dict({name: part.view_as(tensors[name]) for name, part in zip(tensors, parts)}, strict=False)
    return network


def meet(rank, args):
    """Joins the processes that train together, and returns the device they train on."""
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{args.port}", rank=rank, world_size=args.processes)
    torch.set_float32_matmul_precision("high")
    torch.backends.cudnn.allow_tf32 = True
    return "cuda" if torch.cuda.is_available() else "cpu"


def train_together(rank, network, add_gradients, args):
    """Trains for `args.seconds` and returns the number of steps. Processes draw puzzles of their own and share their
    gradients, which `add_gradients` adds up; it returns the loss. The first process reports."""
    optimizer = torch.optim.AdamW(network.parameters(), args.rate, weight_decay=1e-3)
    step, share, means = 0, torch.zeros(1), []
    dist.barrier()
    begun = time.time()
    while share < 1:
        rate = args.rate * min(1, (step + 1) / 200) * (0.01 + 0.99 * (1 + math.cos(math.pi * share.item())) / 2)
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad(set_to_none=False)
        loss = add_gradients()
        share_gradients(network)
        norm = nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        if torch.isfinite(norm):
            optimizer.step()
        step += 1
        # All processes stop after the same step.
        share = torch.tensor([min(1.0, (time.time() - begun) / args.seconds)])
        dist.broadcast(share, 0)
        if rank == 0:
            means.append(loss.detach())
            if step % 250 == 0:
                print(step, round(time.time() - begun), round(torch.stack(means).mean().item(), 3), flush=True)
                means = []
                args.out.write_bytes(to_bytes(network))
    dist.barrier()
    return step


def train(rank, args):
    """One of the processes that train together."""
    device = meet(rank, args)
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed + rank)
    training = Pictures(args.training, device)
    network = PixelNetwork().to(device)
    torch.manual_seed(args.seed + rank)
    if rank == 0:
        print({kind: len(pictures) for kind, pictures in training.kinds.items()}, flush=True)
        print("parameters", sum(p.numel() for p in network.parameters()), flush=True)

    def add_gradients():
        for _ in range(args.puzzles):
            loss, _ = losses(network, draw_puzzle(training, rng, args.pieces)[1], args.candidates)
            if torch.isfinite(loss):
                (loss / args.puzzles).backward()
        return loss

    step = train_together(rank, network, add_gradients, args)
    if rank == 0:
        finish(network, step, training, args)


def finish(network, step, training, args):
    """Writes the network and its card."""
    args.out.write_bytes(to_bytes(network))
    validation = Pictures(args.validation, next(network.parameters()).device)
    found = validate(network, validation, args.pieces)
    print("steps", step, flush=True)
    for kind, (product, listed, scored) in found.items():
        print(f"{kind:14s} product first {product}  listed {listed}  score first {scored}", flush=True)
    names = ("seconds", "processes", "puzzles", "pieces", "candidates", "rate", "seed")
    card = {
        "version": VERSION,
        "steps": step,
        "settings": {name: getattr(args, name) for name in names},
        "parameters": sum(p.numel() for p in network.parameters()),
        "training": {kind: len(pictures) for kind, pictures in training.kinds.items()},
        "validation": found,
        "torch": torch.__version__,
    }
    args.out.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--training", nargs="+", required=True)
    parser.add_argument("--validation", nargs="+", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=480, help="how long to train")
    parser.add_argument("--processes", type=int, default=10, help="processes that train together")
    parser.add_argument("--port", type=int, default=29501, help="the local port at which they meet")
    parser.add_argument("--puzzles", type=int, default=2, help="puzzles per step and process")
    parser.add_argument("--pieces", type=int, default=240, help="the most pieces of a puzzle")
    parser.add_argument("--candidates", type=int, default=24)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    mp.spawn(train, (args,), nprocs=args.processes)


if __name__ == "__main__":
    main()
