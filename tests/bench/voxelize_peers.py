#!/usr/bin/env python3
"""Compares cpu::voxelize with Open3D and PCL on the `surface` cloud, in the same minutes, and prints ratios.

    cmake --build --preset release --target scanloupe-bench
    python3 tests/bench/voxelize_peers.py [--points 10000000] [--voxel-size 0.2] [--rounds 5]

All average the positions of each occupied voxel. Scanloupe also counts the points of each voxel, orders voxels by
z, y, x and sums exactly ("ids" also computes the voxel of each point); Open3D averages in double precision in no order;
PCL averages in single precision, in order. Times leave out reading the cloud and converting it to the peer's type.
The programs take turns, and the best time of each counts, since other programs may use the machine.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

PCL_PROGRAM = r"""
#include <chrono>
#include <cstdio>
#include <fstream>
#include <pcl/filters/voxel_grid.h>
#include <pcl/point_types.h>

int main(int, char** argv) {
    auto cloud = std::make_shared<pcl::PointCloud<pcl::PointXYZ>>();
    std::ifstream file(argv[1], std::ios::binary);
    for (float p[3]; file.read(reinterpret_cast<char*>(p), sizeof p);)
        cloud->push_back({p[0], p[1], p[2]});
    const float size = std::stof(argv[2]);
    pcl::VoxelGrid<pcl::PointXYZ> filter;
    filter.setInputCloud(cloud);
    filter.setLeafSize(size, size, size);
    pcl::PointCloud<pcl::PointXYZ> voxels;
    const auto start = std::chrono::steady_clock::now();
    filter.filter(voxels);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    std::printf("%.3f %zu\n", took.count(), voxels.size());
}
"""

OPEN3D_PROGRAM = r"""
import sys, time
import numpy, open3d
points = numpy.fromfile(sys.argv[1], dtype=numpy.float32).reshape(-1, 3)
cloud = open3d.geometry.PointCloud(open3d.utility.Vector3dVector(points.astype(numpy.float64)))
start = time.perf_counter()
voxels = cloud.voxel_down_sample(float(sys.argv[2]))
print(1e3 * (time.perf_counter() - start), len(voxels.points))
"""


def open3d_command():
    """The interpreter that has Open3D, with the program; nothing where none has."""
    for python in dict.fromkeys([sys.executable, "/usr/bin/python3"]):
        if subprocess.run([python, "-c", "import numpy, open3d"], capture_output=True).returncode == 0:
            return [python, "-c", OPEN3D_PROGRAM]
    print("skipped Open3D: no python3 can import it (Debian: apt install python3-open3d)")
    return None


def pcl_command(folder):
    """The built program; nothing where PCL isn't installed."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "pcl_filters"], capture_output=True, text=True)
    compiler = shutil.which("c++")
    if flags.returncode != 0 or not compiler:
        print("skipped PCL: pkg-config finds no pcl_filters, or there is no c++ (Debian: apt install libpcl-dev g++)")
        return None
    source, program = folder / "pcl_voxel_grid.cpp", folder / "pcl_voxel_grid"
    source.write_text(PCL_PROGRAM)
    subprocess.run([compiler, "-std=c++17", "-O3", str(source), "-o", str(program)] + flags.stdout.split(), check=True)
    return [str(program)]


def run_peer(command, cloud, size):
    """Milliseconds and voxels."""
    out = subprocess.run(command + [str(cloud), str(size)], capture_output=True, text=True, check=True).stdout
    time, voxels = out.split()
    return float(time), int(voxels)


def run_ours(bench, folder, arguments):
    """(order, with ids) -> (milliseconds, voxels)."""
    figures = folder / "figures.json"
    subprocess.run([bench, "voxelize-cpu", "--strategy", "auto", "--repeats", "3", "--json", str(figures),
                    "--points", str(arguments.points), "--voxel-size", str(arguments.voxel_size),
                    "--write-clouds", str(folder)], check=True, capture_output=True)
    return {(row["order"], row["point_voxels"]): (row["min_ms"], row["voxels"])
            for row in json.loads(figures.read_text())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=10_000_000)
    parser.add_argument("--voxel-size", type=float, choices=[0.2, 0.5], default=0.2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--bench", default=str(ROOT / "build/release/bin/scanloupe-bench"))
    arguments = parser.parse_args()
    if not pathlib.Path(arguments.bench).exists():
        sys.exit(f"{arguments.bench} is not there: cmake --build --preset release --target scanloupe-bench")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        peers = {"Open3D": open3d_command(), "PCL": pcl_command(folder)}
        times, voxels = {}, {}

        def note(order, who, result):
            times.setdefault((order, who), []).append(result[0])
            voxels[(order, who)] = result[1]

        for _ in range(arguments.rounds):
            for (order, ids), result in run_ours(arguments.bench, folder, arguments).items():
                note(order, "Scanloupe, ids" if ids else "Scanloupe", result)
            for order in ("scan", "shuffled"):
                for who, command in peers.items():
                    if command:
                        cloud = folder / f"{order}_{arguments.points}.f32"
                        note(order, who, run_peer(command, cloud, arguments.voxel_size))
        print(f"{arguments.points} points of the surface cloud, {arguments.voxel_size} m, "
              f"best of {arguments.rounds} rounds")
        print(f"{'order':9} {'program':15} {'voxels':>8} {'best ms':>9} {'median':>9} {'ratio':>7} {'with ids':>9}")
        for (order, who), taken in times.items():
            best, median = min(taken), sorted(taken)[len(taken) // 2]
            ratio = best / min(times[(order, "Scanloupe")])
            with_ids = best / min(times[(order, "Scanloupe, ids")])
            print(f"{order:9} {who:15} {voxels[(order, who)]:8} {best:9.1f} {median:9.1f} {ratio:7.2f} {with_ids:9.2f}")


if __name__ == "__main__":
    main()
