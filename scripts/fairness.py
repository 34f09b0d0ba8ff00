#!/usr/bin/env python3
"""Seeds and chance of farside, written a second time from docs/fairness.md with the standard library alone.

    fairness.py seed --server-seed HEX [--creator NONCE] [--acceptor NONCE]
    fairness.py start --seed HEX --size N --pieces N --random-rows N     row 0 first, `1`, `2` and `.`
    fairness.py check VECTORS.json                                       0 when every vector agrees
    fairness.py vectors                                                  prints the vectors that this script derives
"""

import argparse
import hashlib
import json
import struct
import sys

MASK = 0xFFFFFFFF


def rotated(word, by):
    return ((word << by) | (word >> (32 - by))) & MASK


def quarter_round(state, a, b, c, d):
    state[a] = (state[a] + state[b]) & MASK
    state[d] = rotated(state[d] ^ state[a], 16)
    state[c] = (state[c] + state[d]) & MASK
    state[b] = rotated(state[b] ^ state[c], 12)
    state[a] = (state[a] + state[b]) & MASK
    state[d] = rotated(state[d] ^ state[a], 8)
    state[c] = (state[c] + state[d]) & MASK
    state[b] = rotated(state[b] ^ state[c], 7)


COLUMNS_AND_DIAGONALS = [
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
]


def chacha20_block(key, counter):
    """The 16 words of one block: nonce zero, the counter in words 12 and 13."""
    start = list(struct.unpack("<4I", b"expand 32-byte k")) + list(struct.unpack("<8I", key))
    start += [counter & MASK, counter >> 32, 0, 0]
    state = list(start)
    for _ in range(10):
        for squares in COLUMNS_AND_DIAGONALS:
            quarter_round(state, *squares)
    return [(one + two) & MASK for one, two in zip(state, start)]


class Stream:
    """Random words for one purpose."""

    def __init__(self, seed, label):
        self.key = hashlib.sha256(label.encode("ascii") + seed).digest()
        self.counter = 0
        self.words = []

    def word(self):
        if not self.words:
            self.words = chacha20_block(self.key, self.counter)
            self.counter += 1
        return self.words.pop(0)

    def below(self, bound):
        limit = (1 << 32) // bound * bound
        while True:
            word = self.word()
            if word < limit:
                return word % bound

    def choose(self, items, count):
        items = list(items)
        for at in range(count):
            other = at + self.below(len(items) - at)
            items[at], items[other] = items[other], items[at]
        return items[:count]


def set_seed(server_seed, creator, acceptor):
    parts = [b"farside/v1/set-seed", server_seed, creator.encode("utf-8"), acceptor.encode("utf-8")]
    return hashlib.sha256(b"".join(struct.pack(">I", len(part)) + part for part in parts)).digest()


def random_start(seed, size, pieces, random_rows):
    stream = Stream(seed, "farside/v1/start-position")
    home = [(row, col) for row in range(random_rows) for col in range(size)]
    cells = [["."] * size for _ in range(size)]
    for row, col in stream.choose(home, pieces):
        cells[row][col] = "1"
    for row, col in stream.choose(home, pieces):
        cells[size - 1 - row][size - 1 - col] = "2"
    return ["".join(row) for row in cells]


def strength(seed):
    return 1 + Stream(seed, "farside/v1/house-strength").below(3)


def derived():
    """Vectors over a fixed choice of inputs."""
    counting = bytes(range(32))
    server_seeds = [(bytes(32), "", ""), (counting, "alpha", ""), (counting, "alpha", "βήτα 😀"), (bytes([255]) * 32, "", "x" * 64)]
    set_seeds = [
        {
            "server_seed": server.hex(), "creator_nonce": creator, "acceptor_nonce": acceptor,
            "seed_hash": hashlib.sha256(server).hexdigest(), "seed": set_seed(server, creator, acceptor).hex(),
        }
        for server, creator, acceptor in server_seeds
    ]
    seeds = [bytes.fromhex(vector["seed"]) for vector in set_seeds]
    labels = ["farside/v1/start-position", "farside/v1/house-strength", "farside/v1/house-choice/1/0", "farside/v1/house-choice/2/137"]
    bounds = [2, 3, 6, 24, 48, 1000, 4294967295, 3000000000, 2147483649, 7]
    words = []
    for seed, label in zip(seeds, labels):
        stream = Stream(seed, label)
        drawn = [stream.word() for _ in range(20)]
        stream = Stream(seed, label)
        words.append({"seed": seed.hex(), "label": label, "words": drawn, "below": [[bound, stream.below(bound)] for bound in bounds]})
    shapes = [(8, 16, 3), (6, 8, 2), (12, 36, 4), (7, 21, 3), (8, 24, 3)]
    starts = [
        {"seed": seed.hex(), "size": size, "pieces": pieces, "random_rows": rows, "board": random_start(seed, size, pieces, rows)}
        for seed, (size, pieces, rows) in zip(seeds + seeds, shapes)
    ]
    strengths = [{"seed": bytes([byte] * 32).hex(), "strength": strength(bytes([byte] * 32))} for byte in range(8)]
    return {"set_seeds": set_seeds, "words": words, "starts": starts, "strengths": strengths}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    seed = commands.add_parser("seed")
    seed.add_argument("--server-seed", required=True)
    seed.add_argument("--creator", default="")
    seed.add_argument("--acceptor", default="")
    start = commands.add_parser("start")
    start.add_argument("--seed", required=True)
    for option in ("--size", "--pieces", "--random-rows"):
        start.add_argument(option, type=int, required=True)
    commands.add_parser("check").add_argument("file")
    commands.add_parser("vectors")
    args = parser.parse_args()
    if args.command == "seed":
        server = bytes.fromhex(args.server_seed)
        print("seed_hash", hashlib.sha256(server).hexdigest())
        print("seed", set_seed(server, args.creator, args.acceptor).hex())
    elif args.command == "start":
        print("\n".join(random_start(bytes.fromhex(args.seed), args.size, args.pieces, args.random_rows)))
    elif args.command == "vectors":
        print(json.dumps(derived(), indent=1, ensure_ascii=False))
    else:
        with open(args.file, encoding="utf-8") as file:
            if json.load(file) != derived():
                sys.exit("the vectors differ from what this script derives")


if __name__ == "__main__":
    main()
