"""Reads the arrays of voxels that scanloupe-cli writes with NumPy, and compares them with each other.

check_voxel_arrays.py CLI FOLDER; ends with 77 where NumPy is missing.
"""
import json
import pathlib
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    print("python3-numpy is not installed")
    sys.exit(77)

CLI, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
VOXELS = ["--stages", "voxels", "--voxel-size", "0.4,0.5,0.3", "--backend", "cpu", "--quiet"]


def run(*arguments):
    return subprocess.run([CLI, *map(str, arguments)], check=True, capture_output=True, timeout=600)


def halves_and_batches(drive):
    """Compares frames as float16 with a batch index with the same frames as float32 without one."""
    run("run", drive, *VOXELS, "--voxels", FOLDER / "wide.npz", "--voxels", FOLDER / "wide.npy")
    run("run", drive, *VOXELS, "--voxels", FOLDER / "half.npz", "--voxels", FOLDER / "half.npy", "--voxel-type", "float16",
        "--voxel-batch")
    for number in range(3):
        wide, half = (np.load(FOLDER / f"{kind}_f_{number + 1:04}.npz") for kind in ("wide", "half"))
        voxels = len(wide["counts"])
        assert voxels > 50 and wide["means"].dtype != np.float16 and wide["coordinates"].shape == (voxels, 3)
        assert half["means"].dtype == np.float16 and half["means"].shape == wide["means"].shape
        with np.errstate(over="ignore"):
            assert np.array_equal(half["means"], wide["means"].astype(np.float16), equal_nan=True)
        with np.errstate(invalid="ignore"):
            near = np.abs(half["means"].astype(np.float64) - wide["means"]) <= 2.0**-11 * np.abs(wide["means"]) + 2.0**-25
        assert near[np.abs(wide["means"]) <= 65504].all()
        assert half["coordinates"].dtype == np.int32 and half["coordinates"].shape == (voxels, 4)
        assert (half["coordinates"][:, 0] == number).all()
        assert np.array_equal(half["coordinates"][:, 1:], wide["coordinates"])
        table, rows = (np.load(FOLDER / f"{kind}_f_{number + 1:04}.npy") for kind in ("half", "wide"))
        assert table.dtype.names[:5] == ("batch", "ix", "iy", "iz", "count") and rows.dtype.names[0] == "ix"
        assert (table["batch"] == number).all() and np.array_equal(table["iz"], wide["coordinates"][:, 0])
        for name in ("x", "y", "z"):
            assert table[name].dtype == np.float16 and np.array_equal(table[name], rows[name].astype(np.float16)), name


def dense_grids(scan):
    """Compares the dense grid with the occupied voxels."""
    run("run", scan, *VOXELS, "--voxels", FOLDER / "one.npz", "--dense-voxels", FOLDER / "counts.npy", "--dense-values",
        "counts")
    run("run", scan, *VOXELS, "--dense-voxels", FOLDER / "cells.npy")
    run("run", scan, *VOXELS, "--dense-voxels", FOLDER / "cells.raw")
    one, counts, cells = (np.load(FOLDER / name) for name in ("one.npz", "counts.npy", "cells.npy"))
    expected = np.zeros(one["grid_shape"], np.uint32)
    expected[tuple(one["coordinates"].T)] = one["counts"]
    assert counts.dtype == np.uint32 and np.array_equal(counts, expected)
    assert cells.dtype == np.uint8 and np.array_equal(cells, expected > 0)
    assert np.array_equal(np.fromfile(FOLDER / "cells.raw", np.uint8).reshape(cells.shape), cells)
    sidecar = json.loads((FOLDER / "cells.json").read_text())
    assert sidecar["dims"] == one["grid_shape"].tolist()[::-1] and sidecar["type"] == "uint8", sidecar
    assert np.allclose(sidecar["spacing"], one["voxel_size"], rtol=1e-6), sidecar


drive = FOLDER / "drive"
drive.mkdir()
run("synth", drive / "f.ply", "--frames", 3, "--points", 8000, "--quiet")
halves_and_batches(drive)
dense_grids(drive / "f_0001.ply")
print("float16, batches, dense grids: as NumPy has them")
