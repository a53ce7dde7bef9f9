"""Checks an NPZ of voxels on standard input against hard voxelization in plain NumPy, as spconv and mmdet3d do it.

hard_voxels.py SWEEP.bin COLUMNS LIMIT SIZE RANGE: SIZE and RANGE as in --voxel-size and --range, 10 points a voxel.
"""
import io
import sys

import numpy as np


def hard_voxels(points, low, high, size, most_points, most_voxels):
    """Returns coordinates [V, 3] (z, y, x), counts [V], points [V, K, C], in the order of the first points, and the grid's
    shape (z, y, x)."""
    low, high, size = (np.asarray(v, np.float32) for v in (low, high, size))
    shape = np.round((high - low) / size).astype(np.int64)
    cells = np.floor((points[:, :3] - low) / size)
    inside = ((cells >= 0) & (cells < shape) & (points[:, :3] < high)).all(axis=1)  # mmdet3d filters by the range
    cells = np.where(inside[:, None], cells, 0).astype(np.int64)
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
    counts = np.array([len(own) for own in members], np.int32)
    return np.array(coordinates, np.int32), counts, table, shape[::-1].tolist()


def main():
    sweep, columns, limit = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    size, ends = ([float(number) for number in numbers.split(",")] for numbers in sys.argv[4:6])
    made = np.load(io.BytesIO(sys.stdin.buffer.read()))
    points = np.fromfile(sweep, np.float32).reshape(-1, columns)
    coordinates, counts, table, shape = hard_voxels(points, ends[:3], ends[3:], size, 10, limit)
    for name, expected in (("coordinates", coordinates), ("counts", counts), ("points", table)):
        assert made[name].dtype == expected.dtype, (name, made[name].dtype)
        assert np.array_equal(made[name], expected), name
    sums = table[:, :, :3].astype(np.float64).sum(axis=1)
    assert np.abs(made["means"][:, :3] - sums / counts[:, None]).max() < 1e-4
    assert str(made["order"]) == "first-point" and made["grid_shape"].tolist() == shape
    assert np.allclose(made["origin"], ends[:3]) and np.allclose(made["voxel_size"], size)
    assert made["point_columns"].tolist()[:3] == ["x", "y", "z"] and len(made["point_columns"]) == columns
    print(f"{len(counts)} voxels, {counts.sum()} points: as NumPy has them")


main()
