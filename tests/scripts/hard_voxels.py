"""Checks an NPZ of voxels on standard input against hard voxelization in plain NumPy, as spconv and mmdet3d do it.

hard_voxels.py SWEEP.bin COLUMNS LIMIT: 0.075 x 0.075 x 0.2 m in [-54, 54) x [-54, 54) x [-5, 3) m, 10 points a voxel.
"""
import io
import sys

import numpy as np


def hard_voxels(points, low, high, size, most_points, most_voxels):
    """Returns coordinates [V, 3] (z, y, x), counts [V] and points [V, K, C], in the order of the first points."""
    low, high, size = (np.asarray(v, np.float32) for v in (low, high, size))
    shape = np.ceil((high - low) / size).astype(np.int64)
    inside = ((points[:, :3] >= low) & (points[:, :3] < high)).all(axis=1)
    cells = np.minimum(np.floor((points[:, :3] - low) / size).astype(np.int64), shape - 1)
    voxels, coordinates, members = {}, [], []
    for i in np.flatnonzero(inside):
        cell = tuple(cells[i, ::-1])
        if cell not in voxels:
            if len(coordinates) == most_voxels:
                continue
            voxels[cell] = len(coordinates)
            coordinates.append(cell)
            members.append([])
        if len(members[voxels[cell]]) < most_points:
            members[voxels[cell]].append(i)
    table = np.zeros((len(members), most_points, points.shape[1]), np.float32)
    for voxel, own in enumerate(members):
        table[voxel, : len(own)] = points[own]
    return np.array(coordinates, np.int32), np.array([len(own) for own in members], np.int32), table


def main():
    sweep, columns, limit = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    made = np.load(io.BytesIO(sys.stdin.buffer.read()))
    points = np.fromfile(sweep, np.float32).reshape(-1, columns)
    coordinates, counts, table = hard_voxels(points, (-54, -54, -5), (54, 54, 3), (0.075, 0.075, 0.2), 10, limit)
    for name, expected in (("coordinates", coordinates), ("counts", counts), ("points", table)):
        assert made[name].dtype == expected.dtype, (name, made[name].dtype)
        assert np.array_equal(made[name], expected), name
    sums = table[:, :, :3].astype(np.float64).sum(axis=1)
    assert np.abs(made["means"][:, :3] - sums / counts[:, None]).max() < 1e-4
    assert str(made["order"]) == "first-point" and made["grid_shape"].tolist() == [40, 1440, 1440]
    assert np.allclose(made["origin"], (-54, -54, -5)) and np.allclose(made["voxel_size"], (0.075, 0.075, 0.2))
    assert made["point_columns"].tolist()[:3] == ["x", "y", "z"] and len(made["point_columns"]) == columns
    print(f"{len(counts)} voxels, {counts.sum()} points: as NumPy has them")


main()
