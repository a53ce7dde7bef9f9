"""Compares poses of pairs of sweeps with those of small_gicp: how many are found, how exactly, in what CPU time.

small_gicp_sweeps.py BENCH [--place NAME ...] [--seeds FIRST-LAST] [--metres M=2] [--degrees D=10] [--nuscenes FILE]

BENCH is scanloupe-bench, which makes each pair with its truth and aligns it by surfaces ("sweeps"). A pose counts as
found within 5 cm and 0.2 degrees of the truth. small_gicp gets the same points and start, downsampled to 0.25 m
outdoors and 0.1 m indoors, with correspondences up to 1 and 2 m, or voxels as large. Times are CPU time of a pair:
planes or covariances of both scans, trees or maps, and the pose; small_gicp's runs on one thread.

With --nuscenes, FILE holds ten sweeps of a vehicle that drives 3.9 m, as x, y, z, intensity, time in float32, all in the
frame of the first. Each pair of them is put back into the frames of its sweeps and aligned from a start at which both
sensors coincide, with a heading that is off by up to 5 degrees. There, a pose counts as found within 10 cm and 0.5
degrees of the vehicle's poses, and correspondences of up to 4 m are tried, too.

Ends with 77 where small_gicp is not there.
"""
import argparse
import collections
import itertools
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import small_gicp
except ImportError:
    print("The Python module small_gicp is not installed: nothing is compared (pip install small_gicp).")
    sys.exit(77)

NEIGHBOURS = 16
OUTDOORS = ("street", "field", "world")
METHODS = ("GICP", "VGICP", "PLANE_ICP")
REACHES = (1.0, 2.0, 4.0)  # metres, of correspondences
# x, y of the sensor in each sweep, metres: where the rings on the ground are circles, to some 5 cm
SENSORS = np.array([(0.44, -0.38), (0.58, -0.86), (0.58, -1.28), (0.56, -1.7), (0.56, -2.1), (0.18, -2.48),
                    (-0.04, -2.82), (-0.08, -3.26), (-0.14, -3.74), (0.04, -4.22)])


def cpu_ms():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return 1000 * (used.ru_utime + used.ru_stime)


def apart(pose, truth):
    """Metres and degrees."""
    turn = pose[:3, :3].T @ truth[:3, :3]
    sine = np.linalg.norm([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
    return np.linalg.norm(pose[:3, 3] - truth[:3, 3]), np.degrees(np.arctan2(sine, (np.trace(turn) - 1) / 2))


def square(rows):
    return np.vstack([np.array(rows).reshape(3, 4), [0, 0, 0, 1]])


def ours(bench, *words):
    done = subprocess.run([bench, "sweeps", "--repeats", "1", *map(str, words)], capture_output=True, text=True,
                          check=True)
    told = json.loads(done.stdout)
    return square(told["pose"]), sum(step[1] for step in told["ms"].values()), told


def theirs(target, source, start, size, methods, reaches):
    """Yields name, pose and CPU milliseconds of each method and reach; preprocessing is counted in each."""
    before = cpu_ms()
    there, tree = small_gicp.preprocess_points(target, size, num_neighbors=NEIGHBOURS, num_threads=1)
    here, _ = small_gicp.preprocess_points(source, size, num_neighbors=NEIGHBOURS, num_threads=1)
    prepared = cpu_ms() - before
    for method, reach in itertools.product(methods, reaches):
        before = cpu_ms()
        if method == "VGICP":
            voxels = small_gicp.GaussianVoxelMap(reach)
            voxels.insert(there)
            found = small_gicp.align(voxels, here, init_T_target_source=start, max_iterations=100)
        else:
            found = small_gicp.align(there, here, tree, start, registration_type=method, num_threads=1,
                                     max_correspondence_distance=reach, max_iterations=100)
        yield f"small_gicp {method}, {reach:g} m", found.T_target_source, prepared + cpu_ms() - before


class Table:
    def __init__(self, metres, degrees):
        self.limits = metres, degrees
        self.rows = collections.defaultdict(list)

    def add(self, name, pose, truth, ms):
        metres, degrees = apart(pose, truth)
        is_found = metres < self.limits[0] and degrees < self.limits[1]
        self.rows[name].append((is_found, metres, ms))
        return is_found, metres, degrees

    def print(self):
        print(f"  {'method':28} {'found':>12} {'median mm':>10} {'median CPU ms':>14}")
        for name, rows in self.rows.items():
            found, metres, ms = np.array(rows).T
            good = 1000 * np.median(metres[found > 0]) if found.any() else np.nan
            print(f"  {name:28} {int(found.sum()):5} of {len(found):3} {good:10.1f} {np.median(ms):14.1f}", flush=True)


def generated(given, place, folder):
    first, last = map(int, given.seeds.split("-"))
    print(f"{place}, seeds {first} to {last}, starts off by up to {given.metres:g} m and {given.degrees:g} degrees")
    table, verdicts = Table(0.05, 0.2), collections.Counter()
    for seed in range(first, last + 1):
        pose, ms, told = ours(given.bench, "--place", place, "--seed", seed, "--folder", folder, "--metres",
                              given.metres, "--degrees", given.degrees)
        truth, start = square(told["truth"]), square(told["start"])
        is_found, metres, degrees = table.add("scanloupe GICP", pose, truth, ms)
        is_right = metres < 0.1 and degrees < 1
        verdicts["right pose" if is_right else "wrong pose", told["verdict"]] += 1
        if not is_found:
            print(f"    seed {seed}: {metres:.3f} m and {degrees:.2f} degrees off, {told['verdict']}", flush=True)
        target, source = (np.fromfile(folder / f"{name}.bin", "<f4").reshape(-1, 3).astype(float)
                          for name in ("target", "source"))
        size = 0.25 if place in OUTDOORS else 0.1
        for name, found, used in theirs(target, source, start, size, given.method, REACHES[:2]):
            table.add(name, found, truth, used)
    table.print()
    print("  verdicts on ours: " + ", ".join(f"{pose} {word} {n}" for (pose, word), n in sorted(verdicts.items())))


def write_ply(path, points):
    head = "".join(f"property float {axis}\n" for axis in "xyz")
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\n{head}end_header\n"
    path.write_bytes(head.encode() + points.astype("<f4").tobytes())


def nuscenes(given, folder):
    rows = np.fromfile(given.nuscenes, "<f4").reshape(-1, 5)
    sweeps = []
    for number, time in enumerate(np.unique(rows[:, 4])):
        points = rows[rows[:, 4] == time, :3].astype(float)
        points = points[np.linalg.norm(points, axis=1) > 0.01] - [*SENSORS[number], 0]
        write_ply(folder / f"{number}.ply", points)
        sweeps.append(points)
    random, tables = np.random.default_rng(1), collections.defaultdict(lambda: Table(0.1, 0.5))
    print("nuScenes, seed 1: sensors coincide at the start, headings are off by up to 5 degrees")
    for i, k in itertools.permutations(range(len(sweeps)), 2):
        truth, start = np.eye(4), np.eye(4)
        truth[:2, 3] = SENSORS[k] - SENSORS[i]
        yaw = np.radians(random.uniform(-5, 5))
        start[:2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
        distance = np.linalg.norm(truth[:3, 3])
        table = tables[int(distance)]
        pose, ms, told = ours(given.bench, "--target", folder / f"{i}.ply", "--source", folder / f"{k}.ply",
                              "--start", *start[:3].ravel())
        is_found, metres, degrees = table.add("scanloupe GICP", pose, truth, ms)
        if not is_found or told["verdict"] != "right":
            print(f"    {i} to {k}, {distance:.2f} m: {metres:.3f} m, {degrees:.2f} degrees off, {told['verdict']}")
        for name, found, used in theirs(sweeps[i], sweeps[k], start, 0.25, given.method, REACHES):
            table.add(name, found, truth, used)
    for metres in sorted(tables):
        print(f" sweeps {metres} to {metres + 1} m apart")
        tables[metres].print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("--place", nargs="*", default=["street", "cluttered corridor", "room", "field"])
    parser.add_argument("--seeds", default="1000-1019")
    parser.add_argument("--metres", type=float, default=2)
    parser.add_argument("--degrees", type=float, default=10)
    parser.add_argument("--method", nargs="*", default=METHODS, choices=METHODS)
    parser.add_argument("--nuscenes", type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if given.nuscenes:
            nuscenes(given, folder)
        else:
            for place in given.place:
                generated(given, place, folder)


main()
