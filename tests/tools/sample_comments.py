#!/usr/bin/env python3
"""Prints a random sample of the comments in C++ and CUDA sources, each with its place and its code line, for reviews.

    sample_comments.py --seed N [--count 240] [--folder kernels/mesh] [ROOT]

The same seed and tree give the same sample. Read each comment once: what needs a second reading counts as a fault.
"""
import argparse
import pathlib
import random

import english_check


def main():
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent.parent)
    ask.add_argument("--seed", type=int, required=True)
    ask.add_argument("--count", type=int, default=240)
    ask.add_argument("--folder", default="", help="only files below this folder")
    args = ask.parse_args()
    all_comments = [c for c in english_check.comments(args.root)
                    if len(c.text) > 12 and (c.path + "/").startswith(args.folder)]
    chosen = random.Random(args.seed).sample(all_comments, min(args.count, len(all_comments)))
    print(f"{len(chosen)} of {len(all_comments)} comments, seed {args.seed}")
    for number, c in enumerate(sorted(chosen), 1):
        print(f"\n{number}. {c.path}:{c.line}\n   {c.text}\n   | {c.code}")


if __name__ == "__main__":
    main()
