#!/usr/bin/env python3
"""Fits the weights of engine/align/pose_verdict.cpp to alignments of known truth, and validates them.

usage: scanloupe-bench verdict --scans SCANS --csv train.csv --first-seed 1 --seeds 7
       scanloupe-bench verdict --scans SCANS --csv other.csv --first-seed 101 --seeds 7
       fit_verdict.py train.csv other.csv...

chance = 1 / (1 + exp(sum of weight * penalty - bias)). The fit is a maximum a posteriori: weights are around 4, give or
take 2, beforehand, so that a penalty that few poses of the training have is not taken for harmless. Poses that did not
converge are left out: they are never called right. Prints the weights, and for the training, for each other file, and
for each group of scenes by the weights fitted to all others: the counts, and the reliability, which is the mean chance
against the share of right poses, in bins.
"""
import csv
import sys

import numpy as np

MEAN, DEVIATION, RIGHT = 4.0, 2.0, 0.995
BINS = [0, 0.05, 0.2, 0.5, 0.8, 0.9, 0.98, 0.995, 1.001]


def load(path):
    with open(path, encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter=";") if row["converged"] == "1"]
    names = [name for name in rows[0] if name.startswith("penalty_")]
    penalties = np.array([[float(row[name]) for name in names] for row in rows])
    right = np.array([float(row["right"]) for row in rows])
    return [name.removeprefix("penalty_") for name in names], penalties, right, [row["group"] for row in rows]


def fit(penalties, right):
    """Newton's method. @returns the bias and the weights"""
    terms = np.c_[np.ones(len(penalties)), -penalties]
    prior = np.full(terms.shape[1], MEAN)
    weights = prior.copy()
    stiffness = np.eye(len(weights)) / DEVIATION**2
    for _ in range(200):
        chance = 1 / (1 + np.exp(-terms @ weights))
        gradient = terms.T @ (right - chance) - stiffness @ (weights - prior)
        hessian = (terms * (chance * (1 - chance))[:, None]).T @ terms + stiffness
        step = np.linalg.solve(hessian, gradient)
        weights += step * min(1, 1 / max(np.abs(step).max(), 1e-9))
        if np.abs(step).max() < 1e-9:
            break
    return weights


def chances(weights, penalties):
    return 1 / (1 + np.exp(penalties @ weights[1:] - weights[0]))


def report(name, chance, right):
    called = chance >= RIGHT
    print(f"{name}: {len(right)} alignments, {int(right.sum())} right; of the right ones {int((called * right).sum())}"
          f" called so; of the wrong ones {int((called * (1 - right)).sum())} called right")
    for low, high in zip(BINS, BINS[1:]):
        inside = (chance >= low) & (chance < high)
        if inside.any():
            print(f"  chance {low:4.2f} to {min(high, 1):4.2f}: {inside.sum():5} alignments, mean "
                  f"{chance[inside].mean():.3f}, share right {right[inside].mean():.3f}")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    names, penalties, right, groups = load(sys.argv[1])
    weights = fit(penalties, right)
    print(f"bias {weights[0]:.2f}")
    for name, weight in zip(names, weights[1:]):
        print(f"{name:16} {weight:.2f}")
    report("training", chances(weights, penalties), right)
    for path in sys.argv[2:]:
        _, others, truth, _ = load(path)
        report(path, chances(weights, others), truth)
    left_out = np.zeros(len(right))
    for group in set(groups):
        inside = np.array([other == group for other in groups])
        left_out[inside] = chances(fit(penalties[~inside], right[~inside]), penalties[inside])
    report("each group by the others", left_out, right)


if __name__ == "__main__":
    main()
