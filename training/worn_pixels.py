"""Trains the pixel network for worn pieces of photographs: from pictures to the file that the program includes.

    python training/worn_pixels.py --training DIR... --validation DIR... --out FILE

Each DIR holds photographs. They are cut into pieces that are then worn as real ones are: lines lost at every edge,
light that differs from piece to piece, rests of dirt, loss of JPEG, shifts, tilts, blur, noise. The network is that of
training/pixel_network.py, with other sizes. Many puzzles of equally large pieces are trained on at once.

Needs Python 3.10, NumPy, Pillow and PyTorch, and a graphics card to be done in minutes.
"""

import argparse
import hashlib
import json
import math
import pathlib
import random

import torch
import torch.multiprocessing as mp
import torch.nn.functional as F
from pixel_network import (
    NUM_TURNS,
    VERSION,
    Pictures,
    PixelNetwork,
    Sizes,
    describe,
    from_bytes,
    meet,
    opponent,
    phases,
    rhythms,
    sides_of,
    to_bytes,
    train_together,
    true_neighbors,
)

WORN = Sizes(width=128, features=96, embedding=128, encoder_layers=4, scorer_layers=2)
# Sizes of worn pieces and how often they come.
PIECE_PX = [20, 24, 28, 28, 32, 36, 40, 40, 44, 46, 48, 50, 50, 50, 50, 50, 56, 64, 72, 80, 96, 100]

# JPEG's example tables of quantization, for quality 50.
LUMA_STEPS = """16 11 10 16 24 40 51 61 12 12 14 19 26 58 60 55 14 13 16 24 40 57 69 56 14 17 22 29 51 87 80 62
18 22 37 56 68 109 103 77 24 35 55 64 81 104 113 92 49 64 78 87 103 121 120 101 72 92 95 98 112 100 103 99"""
CHROMA_STEPS = """17 18 24 47 99 99 99 99 18 21 26 66 99 99 99 99 24 26 56 99 99 99 99 99 47 66 99 99 99 99 99 99
99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99"""


def uniform(shape, most, device):
    return (2 * torch.rand(shape, device=device) - 1) * most


class Jpeg:
    """What is left of pictures that are saved as JPEG with halved resolution of colours, and read again."""

    def __init__(self, device):
        steps = [torch.tensor([float(x) for x in text.split()]).reshape(8, 8) for text in (LUMA_STEPS, CHROMA_STEPS)]
        self.steps = torch.stack(steps).to(device)
        k, x = torch.arange(8.0)[:, None], torch.arange(8.0)[None]
        waves = torch.cos((2 * x + 1) * k * math.pi / 16) / 2
        waves[0] /= math.sqrt(2)
        self.waves = waves.to(device)

    def quantized(self, plane, steps):
        """Of planes n x height x width, which are multiples of 8."""
        count, height, width = plane.shape
        blocks = plane.reshape(count, height // 8, 8, width // 8, 8).transpose(2, 3)
        values = self.waves @ blocks @ self.waves.T
        steps = steps[:, None, None]
        blocks = self.waves.T @ ((values / steps).round() * steps) @ self.waves
        return blocks.transpose(2, 3).reshape(count, height, width)

    def __call__(self, pictures, quality, is_halved=True):
        """Of pictures n x 3 x height x width of values from 0 to 1, with one quality for each."""
        height, width = pictures.shape[2:]
        padded = F.pad(255 * pictures, (0, -width % 16, 0, -height % 16), mode="replicate")
        r, g, b = padded.unbind(1)
        luma = 0.299 * r + 0.587 * g + 0.114 * b
        chroma = torch.stack([0.564 * (b - luma), 0.713 * (r - luma)], 1)
        scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality)[:, None, None] / 100
        of_luma, of_chroma = ((steps * scale).round().clamp(1, 255) for steps in self.steps)
        luma = self.quantized(luma - 128, of_luma) + 128
        if is_halved:
            chroma = F.avg_pool2d(chroma, 2)
        cb, cr = (self.quantized(plane, of_chroma) for plane in chroma.unbind(1))
        if is_halved:
            both = torch.stack([cb, cr], 1)
            cb, cr = F.interpolate(both, scale_factor=2, mode="bilinear", align_corners=False).unbind(1)
        r, b = luma + cr / 0.713, luma + cb / 0.564
        g = (luma - 0.299 * r - 0.114 * b) / 0.587
        out = torch.stack([r, g, b], 1)[:, :, :height, :width] / 255
        return out.clamp(0, 1)


def draw_board(pictures, rows, cols, cell_px, rng):
    """A part of a picture, scaled to the size of a board: 3 x height x width."""
    size = (rows * cell_px, cols * cell_px)
    for _ in range(50):
        picture = rng.choice(pictures)
        height, width = picture.shape[1:]
        if min(height / size[0], width / size[1]) > 0.75:
            break
    # Picture pixels per board pixel, and how much more of them in one direction than in the other.
    most = min(height / size[0], width / size[1])
    scale = min(most, rng.choice([1.0, rng.uniform(0.75, 1.5), rng.uniform(0.75, 1.5), rng.uniform(1, 4)]))
    stretch = [1.0, 1.0]
    if rng.random() < 0.4:
        stretch[rng.randrange(2)] = rng.uniform(0.7, 1.0)
    if scale < 1 and rng.random() < 0.7:
        scale = min(most, 1.0)
    needed = [min(limit, round(px * scale * s)) for px, s, limit in zip(size, stretch, (height, width))]
    top, left = rng.randint(0, height - needed[0]), rng.randint(0, width - needed[1])
    part = picture[:, top : top + needed[0], left : left + needed[1]].float() / 255
    if tuple(needed) != size:
        part = F.interpolate(part[None], size=size, mode="bicubic", antialias=True)[0].clamp(0, 1)
    if rng.random() < 0.5:
        part = part.flip(2)
    if rng.random() < 0.12:
        part = part.mean(0, keepdim=True).expand(3, -1, -1)
    if rng.random() < 0.25:
        part = (part ** rng.uniform(0.7, 1.4) * rng.uniform(0.7, 1.2)).clamp(0, 1)
    return part


def cut_worn(board, rows, cols, cell_px, window_px, piece_px, shift_px, tilt):
    """Pieces that show a window in the middle of their cell, scaled to the size of pieces: n x 3 x px x px.

    Windows are shifted and tilted by up to so much, but show no pixel of another cell.
    """
    device, count = board.device, rows * cols
    cell = torch.arange(count, device=device)
    first = torch.stack([cell % cols, cell // cols], 1).float() * cell_px  # x, y
    at = ((torch.arange(piece_px, device=device) + 0.5) / piece_px - 0.5) * window_px
    y, x = torch.meshgrid(at, at, indexing="ij")
    angle = uniform((count, 1, 1), tilt, device)
    cos, sin = angle.cos(), angle.sin()
    inside = torch.stack([cos * x - sin * y, sin * x + cos * y], -1) + cell_px / 2
    inside = (inside + uniform((count, 1, 1, 2), shift_px, device)).clamp(0.5, cell_px - 0.5)
    place = first[:, None, None] + inside
    extent = torch.tensor([cols * cell_px, rows * cell_px], device=device)
    grid = (2 * place / extent - 1).reshape(1, count * piece_px, piece_px, 2)
    sampled = F.grid_sample(board[None], grid, mode="bicubic", padding_mode="border", align_corners=False)
    return sampled[0].reshape(3, count, piece_px, piece_px).transpose(0, 1).clamp(0, 1)


def lit(pieces, most, has_colour, has_gamma):
    """Pieces under light that differs by up to `most` from piece to piece."""
    count, device = len(pieces), pieces.device
    shape = (count, 1, 1, 1)
    if has_gamma:
        pieces = pieces ** (1 + uniform(shape, most, device))
    gain = 1 + uniform(shape, most, device)
    if has_colour:
        gain = gain * (1 + uniform((count, 3, 1, 1), most / 2, device))
    return (pieces * gain + uniform(shape, most / 3, device)).clamp(0, 1)


def blurred(pieces, sigma):
    at = torch.arange(-3, 4, device=pieces.device)
    weights = torch.exp(-((at / sigma) ** 2) / 2)
    weights = (weights / weights.sum()).view(1, 1, 1, 7)
    planes = pieces.flatten(0, 1)[:, None]
    planes = F.conv2d(F.pad(planes, (3, 3, 0, 0), mode="replicate"), weights)
    planes = F.conv2d(F.pad(planes, (0, 0, 3, 3), mode="replicate"), weights.transpose(2, 3))
    return planes[:, 0].unflatten(0, (-1, 3))


def soiled(pieces, share):
    """Pieces with rests of dirt, of one colour, on up to so much of their outermost lines."""
    count, device, px = len(pieces), pieces.device, pieces.shape[-1]
    is_edge = torch.ones(px, px, dtype=torch.bool, device=device)
    is_edge[1:-1, 1:-1] = False
    is_soiled = torch.rand((count, 1, px, px), device=device) < share * torch.rand((count, 1, 1, 1), device=device)
    colour = torch.rand((), device=device) + uniform((1, 3, 1, 1), 0.1, device)
    strength = torch.rand((count, 1, px, px), device=device) * (is_soiled & is_edge)
    return (pieces + strength * (colour - pieces)).clamp(0, 1)


def turned(pieces, turns):
    """Each piece turned by so many quarter turns, counter-clockwise."""
    all_turns = torch.stack([torch.rot90(pieces, turn, (2, 3)) for turn in range(NUM_TURNS)])
    return all_turns[turns, torch.arange(len(pieces), device=pieces.device)]


def draw_wear(rng, piece_px):
    """What happened to the pieces of one puzzle. It is never nothing."""
    wear = {
        "erosion": rng.uniform(0.005, 0.12) if rng.random() < 0.8 else 0.0,
        "scale_back": rng.random() < 0.5,
        "light": rng.uniform(0.02, 0.2) if rng.random() < 0.45 else 0.0,
        "shift_px": rng.uniform(0, min(2.0, 0.03 * piece_px)) if rng.random() < 0.3 else 0.0,
        "tilt": math.radians(rng.uniform(0, 1.5)) if rng.random() < 0.25 else 0.0,
        "blur": rng.uniform(0.3, 1.0) if rng.random() < 0.15 else 0.0,
        "dirt": rng.uniform(0.05, 0.6) if rng.random() < 0.12 else 0.0,
        "noise": rng.uniform(0.5, 8) / 255 if rng.random() < 0.25 else 0.0,
        "jpeg": rng.uniform(50, 95) if rng.random() < 0.3 else 0.0,
        "sheet_jpeg": rng.uniform(60, 95) if rng.random() < 0.15 else 0.0,
    }
    return wear if any(wear[name] for name in wear if name != "scale_back") else draw_wear(rng, piece_px)


def draw_pieces(pictures, rows, cols, piece_px, wear, is_turned, jpeg, rng):
    """The worn pieces of a puzzle in their true order, and by how many quarter turns each is turned."""
    if wear["scale_back"]:
        cell_px = piece_px
        lost_px = round(wear["erosion"] * cell_px)
    else:
        lost_px = round(wear["erosion"] * piece_px / (1 - 2 * wear["erosion"]))
        cell_px = piece_px + 2 * lost_px
    board = draw_board(pictures, rows, cols, cell_px, rng)
    window_px = cell_px - 2 * lost_px
    pieces = cut_worn(board, rows, cols, cell_px, window_px, piece_px, wear["shift_px"], wear["tilt"])
    count, device = len(pieces), pieces.device
    if wear["blur"]:
        pieces = blurred(pieces, wear["blur"])
    if wear["light"]:
        pieces = lit(pieces, wear["light"], rng.random() < 0.5, rng.random() < 0.5)
    if wear["dirt"]:
        pieces = soiled(pieces, wear["dirt"])
    if wear["noise"]:
        pieces = (pieces + wear["noise"] * torch.randn_like(pieces)).clamp(0, 1)
    turns = torch.randint(NUM_TURNS, (count,), device=device) if is_turned else torch.zeros(count, dtype=torch.long, device=device)
    pieces = (turned(pieces, turns) * 255).round() / 255
    if wear["sheet_jpeg"]:
        order = torch.randperm(count, device=device)
        sheet = pieces[order].reshape(rows, cols, 3, piece_px, piece_px).permute(2, 0, 3, 1, 4)
        sheet = sheet.reshape(1, 3, rows * piece_px, cols * piece_px)
        sheet = jpeg(sheet, torch.tensor([wear["sheet_jpeg"]], device=device))[0]
        tiles = sheet.unfold(1, piece_px, piece_px).unfold(2, piece_px, piece_px).permute(1, 2, 0, 3, 4).flatten(0, 1)
        pieces = torch.empty_like(pieces)
        pieces[order] = tiles
        pieces = (pieces * 255).round() / 255
    elif wear["jpeg"]:
        pieces = jpeg(pieces, torch.full((count,), wear["jpeg"], device=device), rng.random() < 0.6)
        pieces = (pieces * 255).round() / 255
    return pieces, turns


class Puzzles:
    """Several puzzles whose pieces are equally large and equally many, as the network sees them."""

    def __init__(self, pieces, turns, rows, cols, is_turned):
        self.count, self.num_sides = len(pieces), 4 * rows * cols
        device = pieces.device
        side = torch.arange(self.num_sides, device=device)
        neighbor = true_neighbors(rows, cols, device)
        # A piece turned by t quarter turns counter-clockwise has its former side s as side s - t.
        moved = side // 4 * 4 + (side % 4 - turns[:, side // 4]) % 4
        self.neighbor = torch.full((self.count, self.num_sides), -1, device=device)
        has = neighbor >= 0
        self.neighbor.scatter_(1, moved[:, has], moved[:, neighbor[has]])
        self.has_neighbor = self.neighbor >= 0
        colours = opponent(pieces)
        colours = colours - colours.mean((1, 3, 4), keepdim=True)
        self.depth = pieces.shape[-1]
        sides = sides_of(2 * colours.flatten(0, 1))
        self.along, self.constants, self.profile = describe(sides, is_turned)
        self.allowed = side[:, None] // 4 != side[None] // 4
        if not is_turned:
            self.allowed &= (side[:, None] + 2) % 4 == side[None] % 4


def draw_puzzles(pictures, count, max_pieces, jpeg, rng, protocol=None):
    """Puzzles of random wear, or of a protocol: cells of 50 px, so many lines lost, scaled back, no turns."""
    if protocol is None:
        piece_px = rng.choice(PIECE_PX)
        is_turned = rng.random() < 0.5
        rows = rng.randint(6, 12)
        cols = min(rng.randint(6, 14), max_pieces // rows)
    else:
        piece_px, rows, cols, is_turned = 50, 8, 8, protocol["is_turned"]
    pieces, turns = [], []
    for _ in range(count):
        wear = draw_wear(rng, piece_px)
        if protocol is not None:
            wear = {**dict.fromkeys(wear, 0.0), "erosion": protocol["lost_px"] / 50, "scale_back": True}
        one, turn = draw_pieces(pictures, rows, cols, piece_px, wear, is_turned, jpeg, rng)
        pieces.append(one)
        turns.append(turn)
    return Puzzles(torch.stack(pieces), torch.stack(turns), rows, cols, is_turned)


def losses(network, puzzles, candidates, share_of_sides=1.0):
    """Of the product over all sides, and of the scores of the best candidates of some sides; and shares that are right."""
    features, summary = network.encode(puzzles.along, puzzles.constants, puzzles.profile)
    product = network.products(features, summary, puzzles.count).masked_fill(~puzzles.allowed, -1e4)
    product, neighbor, has = (x.flatten(0, 1) for x in (product, puzzles.neighbor, puzzles.has_neighbor))
    first = F.cross_entropy(product[has], neighbor[has])
    with torch.no_grad():
        scored = torch.arange(len(product), device=product.device)
        if share_of_sides < 1:
            scored = scored[torch.rand(len(scored), device=scored.device) < share_of_sides]
        target = neighbor[scored].clamp(min=0)
        # The best candidates, among them the right one in half of the cases.
        is_forced = has[scored] & (torch.rand(len(scored), device=scored.device) < 0.5)
        ranked = product[scored].detach().scatter_add(1, target[:, None], 1e3 * is_forced[:, None].float())
        chosen = ranked.topk(min(candidates, ranked.shape[1]), 1).indices
        allowed = ranked.gather(1, chosen) > -5e3
        offset = scored // puzzles.num_sides * puzzles.num_sides
        rows = scored[:, None].expand_as(chosen).flatten()
        others = (chosen + offset[:, None]).flatten()
        phase = phases(rhythms(puzzles.profile, puzzles.depth), rows, others)
    of_pairs = product[scored].gather(1, chosen).detach().flatten()
    logits = network.scores(features, summary, of_pairs, phase, rows, others)
    logits = logits.reshape(chosen.shape).masked_fill(~allowed, -1e4)
    right = (chosen == target[:, None]) & has[scored][:, None]
    label = torch.where(right.any(1), right.float().argmax(1), chosen.shape[1])
    second = F.cross_entropy(torch.cat([logits, network.none.expand(len(logits), 1)], 1), label)
    with torch.no_grad():
        hit = (product.argmax(1) == neighbor)[has].float().mean()
        listed = (product.topk(16, 1).indices == neighbor[:, None]).any(1)[has].float().mean()
        best = chosen.gather(1, logits.argmax(1, keepdim=True))[:, 0]
        ranked_first = (best == target)[has[scored]].float().mean()
    return first + second, (hit, listed, ranked_first)


@torch.no_grad()
def validate(network, pictures, jpeg):
    """Shares of true neighbours: first by the product, among 16 by the product, first by the score of 32."""
    found = {}
    for is_turned in (False, True):
        for lost_px in (0, 2, 5):
            rng = random.Random(7)
            torch.manual_seed(7)
            protocol = {"is_turned": is_turned, "lost_px": lost_px}
            shares = [losses(network, draw_puzzles(pictures, 8, 64, jpeg, rng, protocol), 32)[1] for _ in range(8)]
            name = f"type {1 + is_turned}, {lost_px} px lost"
            found[name] = [round(100 * float(torch.stack(x).mean()), 1) for x in zip(*shares)]
    return found


def train(rank, args):
    """One of the processes that train together."""
    device = meet(rank, args)
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed + rank)
    training = [p for kind in Pictures(args.training, device).kinds.values() for p in kind]
    # Large pictures have more parts that differ: they are drawn more often.
    training = [p for p in training for _ in range(1 + min(3, p[0].numel() // 500_000))]
    jpeg = Jpeg(device)
    network = from_bytes(args.start.read_bytes()) if args.start else PixelNetwork(WORN)
    network = network.to(device)
    torch.manual_seed(args.seed + rank)

    def add_gradients():
        puzzles = draw_puzzles(training, args.puzzles, args.pieces, jpeg, rng)
        loss, _ = losses(network, puzzles, args.candidates, args.scored)
        loss.backward()
        return loss

    step = train_together(rank, network, add_gradients, args)
    if rank == 0:
        finish(network, step, len(training), jpeg, args)


def finish(network, step, num_pictures, jpeg, args):
    """Writes the network and its card."""
    args.out.write_bytes(to_bytes(network))
    device = next(network.parameters()).device
    validation = [p for kind in Pictures(args.validation, device).kinds.values() for p in kind]
    found = validate(network, validation, jpeg)
    print("steps", step, flush=True)
    for name, shares in found.items():
        print(f"{name}: product first {shares[0]}  listed {shares[1]}  score first {shares[2]}", flush=True)
    names = ("seconds", "processes", "puzzles", "pieces", "candidates", "scored", "rate", "seed")
    card = {
        "version": VERSION,
        "started_from": args.start and hashlib.sha256(args.start.read_bytes()).hexdigest(),
        "steps": step,
        "settings": {name: getattr(args, name) for name in names},
        "parameters": sum(p.numel() for p in network.parameters()),
        "pictures": num_pictures,
        "validation": found,
        "torch": torch.__version__,
    }
    args.out.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--training", nargs="+", required=True)
    parser.add_argument("--validation", nargs="+", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--start", type=pathlib.Path, help="go on with the network of this file")
    parser.add_argument("--seconds", type=float, default=500, help="how long to train")
    parser.add_argument("--processes", type=int, default=6, help="processes that train together")
    parser.add_argument("--port", type=int, default=29501, help="the local port at which they meet")
    parser.add_argument("--puzzles", type=int, default=16, help="puzzles per step and process")
    parser.add_argument("--pieces", type=int, default=100, help="the most pieces of a puzzle")
    parser.add_argument("--candidates", type=int, default=20)
    parser.add_argument("--scored", type=float, default=0.6, help="the share of sides whose candidates are scored")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    mp.spawn(train, (args,), nprocs=args.processes)


if __name__ == "__main__":
    main()
