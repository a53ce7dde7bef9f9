"""Compares surveys in tiles with Open3D on the same files: time and peak memory per point.

tile_peers.py CLI FOLDER [--points N=20000000] [--rounds R=3]; ends with 77 where open3d or numpy is missing.

Scanloupe reads the files, computes voxels, field and mesh in tiles, and writes them. Open3D has nothing that works in tiles:
it reads all files, and finds the means of the points in voxels of the same size, which is a part of that work. Programs take
turns; it prints the medians. PDAL, untwine and entwine cut points into tiles; they are no packages of the distribution, and
the module pdal has no library with it.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

try:
    import numpy
    import open3d
except ImportError:
    print("The Python modules open3d and numpy are not installed: nothing is compared (pip install open3d numpy).")
    sys.exit(77)
import tile_survey

VOXEL, PARTS = 0.5, 8
OPEN3D = """
import sys, time, open3d
started = time.monotonic()
cloud = open3d.geometry.PointCloud()
for name in sys.argv[2:]:
    cloud += open3d.io.read_point_cloud(name)
cloud.voxel_down_sample(float(sys.argv[1]))
print(time.monotonic() - started)
"""


def measured(command):
    """Seconds; of Open3D without its import."""
    started = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = child.communicate()
    seconds = time.monotonic() - started
    assert child.returncode == 0, (command, said)
    return float(said[0]) if OPEN3D in command else seconds


def peak(command):
    """Bytes that a process took at most, by its own children's figures."""
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, capture_output=True); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)")
    return int(subprocess.run([sys.executable, "-c", code, *command], check=True, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--points", type=int, default=20_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    survey, tiles = options.folder / "survey", options.folder / "tiles"
    tile_survey.write_survey(survey, PARTS, options.points // PARTS, 400)
    files = [str(path) for path in sorted(survey.iterdir())]
    ours = [options.cli, "run", str(survey), "--backend", "cpu", "--tiles", str(tiles), "--tile-size", "250", "--voxel-size",
            str(VOXEL), "--field", "density", "--iso", "10", "--tile-memory", "0.25"]
    theirs = [sys.executable, "-c", OPEN3D, str(VOXEL), *files]
    times = {"scanloupe": [], "Open3D": []}
    for _ in range(options.rounds):
        shutil.rmtree(tiles, ignore_errors=True)
        times["scanloupe"].append(measured(ours))
        times["Open3D"].append(measured(theirs))
    shutil.rmtree(tiles, ignore_errors=True)
    memory = {"scanloupe": peak(ours), "Open3D": peak(theirs)}
    print(f"{options.points} points in {PARTS} files, {os.cpu_count()} cores, Open3D {open3d.__version__}, numpy {numpy.__version__}")
    for name, seconds in times.items():
        middle = statistics.median(seconds)
        print(f"{name}: {middle:.2f} s, {middle / options.points * 1e9:.0f} ns a point, {memory[name] / 1e9:.2f} GB at most, "
              f"{memory[name] / options.points:.0f} bytes a point")
    print(f"{statistics.median(times['Open3D']) / statistics.median(times['scanloupe']):.2f} times as fast, with "
          f"{memory['Open3D'] / memory['scanloupe']:.2f} times less memory")


if __name__ == "__main__":
    main()
