"""Prints the absolute trajectory error of KITTI poses on standard input: trajectory_error.py TRUTH.txt"""
import sys

import numpy as np

truth = np.loadtxt(sys.argv[1]).reshape(-1, 3, 4)
poses = np.loadtxt(sys.stdin).reshape(-1, 3, 4)
assert poses.shape == truth.shape, (poses.shape, truth.shape)
error = np.sqrt(((poses[:, :, 3] - truth[:, :, 3]) ** 2).sum(axis=1).mean())
assert error < 0.05, error
print(f"ATE {1000 * error:.1f} mm over {len(poses)} poses")
