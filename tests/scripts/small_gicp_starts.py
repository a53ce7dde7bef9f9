"""Compares fits of scans onto scans, from many starts, with those of small_gicp: success, accuracy, time.

small_gicp_starts.py CLI SCANS [--starts N=50] [--minutes M] [--part generated|real|all] [--seed S=1] [--threads T=2]
[--overlap P=70]

Generated scans have a known truth: 30,000 points each of two samples of a room of 6 x 4 x 3 m with boxes and a column,
1 cm of noise in both, drawn again for each start; the scan is turned by up to 10 degrees about its middle, about a
uniform axis, and shifted by up to 0.3 m. Real scans are the two pairs of SCANS/ndt, with an overlap below 100 %. Times
are those of the fit: planes, trees of the source, searches; small_gicp's also has the preprocessing that each method
needs, scanloupe's the reference's tree; reading and writing is in neither. Both are pinned to T cores; the programs
take turns within each start, so that other load hits both.

Ends with 1 where a method of ours succeeds less often than small_gicp's without downsampling, or ends farther than 5 cm
or 1 degree from all poses of a real pair; with 77 where small_gicp or the scans are not there.
"""
import argparse
import importlib.metadata
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
    import small_gicp
except ImportError:
    print("The Python module small_gicp is not installed: nothing is compared (pip install small_gicp).")
    sys.exit(77)

NEIGHBOURS = 16  # number of points to fit planes to, as in scanloupe
SUCCESS_METRES, SUCCESS_DEGREES = 0.005, 0.1
NEAR_METRES, NEAR_DEGREES = 0.05, 1  # limits for the real pairs, as in fast_gicp's test
DOWNSAMPLING = 0.05  # metres
LOW, HIGH = 0, 1
# corners of boxes, metres; the first is the room
BOXES = np.array([[(-3, -2, 0), (3, 2, 3)], [(-2.5, -1.8, 0), (-1, -0.8, 0.8)], [(0.5, 0.4, 0), (2.2, 1.5, 0.7)],
                  [(1.8, -1.9, 0), (2.6, -1.2, 2)]])
REAL = ("251370668.pcd", "251371071.pcd", "room_scan1.pcd", "room_scan2.pcd", "fast_gicp_relative.txt",
        "small_gicp_T_target_source.txt")
# Pose of room_scan2 in room_scan1, by PCL 1.13's ICP after its NDT
PCL_ROOM = np.array([[0.757097, -0.653101, 0.0162154, 1.97772], [0.652933, 0.757271, 0.014824, 0.0608436],
                     [-0.021961, -0.000636, 0.999759, 0.024656], [0, 0, 0, 1]])


# ---- motions, 4 x 4

def rotation(axis, angle):
    k = axis / np.linalg.norm(axis)
    crossing = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return np.eye(3) + np.sin(angle) * crossing + (1 - np.cos(angle)) * crossing @ crossing


def start_within(random, metres, degrees, middle):
    """A motion about a place: uniform axis and direction, uniform angle and length."""
    motion = np.eye(4)
    motion[:3, :3] = rotation(random.normal(size=3), np.radians(degrees) * random.random())
    way = random.normal(size=3)
    shift = way / np.linalg.norm(way) * metres * random.random()
    motion[:3, 3] = middle + shift - motion[:3, :3] @ middle
    return motion


def moved(motion, points):
    return points @ motion[:3, :3].T + motion[:3, 3]


def apart(a, b, middle):
    """Metres at a place, and degrees, between two motions."""
    both = a[:3, :3].T @ b[:3, :3]
    sine = np.linalg.norm([both[2, 1] - both[1, 2], both[0, 2] - both[2, 0], both[1, 0] - both[0, 1]]) / 2
    degrees = np.degrees(np.arctan2(sine, (np.trace(both) - 1) / 2))  # exact near zero, where acos is not
    return np.linalg.norm(moved(a, middle) - moved(b, middle)), degrees


# ---- scans

def room(random, count, noise):
    sizes = BOXES[:, HIGH] - BOXES[:, LOW]
    faces = [(box, axis, side) for box in range(len(BOXES)) for axis in range(3) for side in (LOW, HIGH)]
    areas = np.array([np.prod(np.delete(sizes[box], axis)) for box, axis, _ in faces] + [2 * np.pi * 0.3 * 3])
    chosen = random.choice(len(areas), count, p=areas / areas.sum())
    points = np.empty((count, 3))
    for face, (box, axis, side) in enumerate(faces):
        own = chosen == face
        points[own] = BOXES[box, LOW] + sizes[box] * random.random((own.sum(), 3))
        points[own, axis] = BOXES[box, side, axis]
    own = chosen == len(faces)  # the column
    turn = 2 * np.pi * random.random(own.sum())
    points[own] = np.c_[-0.5 + 0.3 * np.cos(turn), 0.9 + 0.3 * np.sin(turn), 3 * random.random(own.sum())]
    return (points + random.normal(0, noise, points.shape)).astype("<f4")


def write_ply(path, points):
    head = "".join(f"property float {axis}\n" for axis in "xyz")
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\n{head}end_header\n"
    path.write_bytes(head.encode() + points.astype("<f4").tobytes())


def read_scan(cli, scan, folder):
    """Finite points of any scan that scanloupe reads."""
    copy = folder / "copy.ply"
    subprocess.run([cli, "convert", scan, copy, "-q"], check=True)
    head, data = copy.read_bytes().split(b"end_header\n", 1)
    types = {"float": "<f4", "uchar": "u1", "ushort": "<u2", "int": "<i4", "uint": "<u4"}
    fields = [line.split()[1:] for line in head.decode().splitlines() if line.startswith("property")]
    rows = np.frombuffer(data, [(field, types[kind]) for kind, field in fields])
    points = np.c_[rows["x"], rows["y"], rows["z"]]
    return points[np.isfinite(points).all(axis=1)]


# ---- methods: each returns T_reference_scan, wall seconds, CPU seconds

def cpu_seconds(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


class Ours:
    def __init__(self, cli, method, *options):
        self.cli, self.method, self.options = cli, method, options
        self.name = " ".join(["scanloupe", method, *options]).replace("--", "")
        self.aside = 0.0  # CPU seconds for reading and distances

    def run(self, folder, *words):
        figures = folder / "figures.json"
        before = cpu_seconds(resource.RUSAGE_CHILDREN)
        done = subprocess.run([self.cli, "compare", folder / "scan.ply", folder / "reference.ply", *words,
                               "--local-model", "none", "--backend", "cpu", "--json", figures, "-q"],
                              capture_output=True, text=True)
        used = cpu_seconds(resource.RUSAGE_CHILDREN) - before
        return (json.loads(figures.read_text()) if done.returncode == 0 else None), used

    def prepare(self, folder):
        self.aside = np.median([self.run(folder)[1] for _ in range(3)])

    def fit(self, folder, _reference, _scan):
        told, used = self.run(folder, "--fit", "--fit-method", self.method, *self.options)
        if told is None:
            return None, np.nan, np.nan
        wall = (told["fit"]["milliseconds"] + told["milliseconds"]["tree"]) / 1000
        return np.array(told["fit"]["motion"] + [[0, 0, 0, 1]])[:4], wall, used - self.aside


class Theirs:
    def __init__(self, method, threads, downsampling=0.0):
        self.method, self.threads, self.downsampling = method, threads, downsampling
        self.name = f"small_gicp {method}" + (f" {downsampling:g} m" if downsampling else "")

    def prepare(self, _folder):
        pass

    def prepared(self, points, is_target):
        """As little preprocessing as the method needs."""
        cloud = small_gicp.PointCloud(points)
        if self.downsampling:
            cloud = small_gicp.voxelgrid_sampling(cloud, self.downsampling, num_threads=self.threads)
        if not is_target and self.method == "PLANE_ICP":
            return cloud, None
        tree = small_gicp.KdTree(cloud, num_threads=self.threads)
        estimate = small_gicp.estimate_normals if self.method == "PLANE_ICP" else small_gicp.estimate_covariances
        estimate(cloud, tree, num_neighbors=NEIGHBOURS, num_threads=self.threads)
        return cloud, tree

    def fit(self, _folder, reference, scan):
        reference, scan = reference.astype(float), scan.astype(float)
        began, before = time.perf_counter(), cpu_seconds(resource.RUSAGE_SELF)
        target, tree = self.prepared(reference, True)
        source, _ = self.prepared(scan, False)
        found = small_gicp.align(target, source, tree, registration_type=self.method, num_threads=self.threads,
                                 max_correspondence_distance=1.0, max_iterations=100)
        wall, used = time.perf_counter() - began, cpu_seconds(resource.RUSAGE_SELF) - before
        return found.T_target_source, wall, used


def fits_of(methods, folder, reference, scan, first):
    """All methods on one pair, beginning with another one each time."""
    write_ply(folder / "reference.ply", reference)
    write_ply(folder / "scan.ply", scan)
    if first == 0:
        for method in methods:
            method.prepare(folder)
    found = [None] * len(methods)
    for i in range(len(methods)):
        which = (first + i) % len(methods)
        found[which] = methods[which].fit(folder, reference, scan)
    return found


# ---- reports

def times_of(rows):
    return f"{1e3 * np.nanmedian([r[0] for r in rows]):9.0f} {1e3 * np.nanmedian([r[1] for r in rows]):9.0f}"


def generated(methods, starts, minutes, random, folder):
    """@returns success rates by the methods' names"""
    print(f"Generated scans; success: below {1e3 * SUCCESS_METRES:g} mm and {SUCCESS_DEGREES:g} degrees")
    rows = {method.name: [] for method in methods}
    latest = time.monotonic() + 60 * minutes
    for start in range(starts):
        if time.monotonic() > latest:
            break
        reference, scan = room(random, 30_000, 0.01), room(random, 30_000, 0.01)
        middle = scan.mean(axis=0, dtype=float)
        away = start_within(random, 0.3, 10, middle)
        scan = moved(away, scan.astype(float)).astype("<f4")
        for method, (motion, wall, used) in zip(methods, fits_of(methods, folder, reference, scan, start)):
            off = (np.inf, np.inf) if motion is None else apart(motion @ away, np.eye(4), middle)
            rows[method.name].append((wall, used, *off))
            if off[0] >= SUCCESS_METRES or off[1] >= SUCCESS_DEGREES:
                metres, degrees = apart(away, np.eye(4), middle)
                print(f"  start {start} ({metres:.3f} m, {degrees:.1f} degrees): {method.name} is "
                      f"{1e3 * off[0]:.3g} mm, {off[1]:.3g} degrees off", flush=True)
        if start % 50 == 49:
            print(f"  {start + 1} starts", file=sys.stderr, flush=True)
    print(f"  {len(rows[methods[0].name])} starts\n  {'method':28} {'success':>8} {'median mm':>10} {'worst mm':>9} "
          f"{'median deg':>11} {'worst deg':>10} {'<= 1 mm':>8} {'wall ms':>9} {'CPU ms':>9}")
    rates = {}
    for name, own in rows.items():
        table = np.array(own)
        good = table[(table[:, 2] < SUCCESS_METRES) & (table[:, 3] < SUCCESS_DEGREES)]
        rates[name] = len(good) / len(table)
        if len(good):
            print(f"  {name:28} {rates[name]:8.1%} {1e3 * np.median(good[:, 2]):10.3f} {1e3 * good[:, 2].max():9.3f} "
                  f"{np.median(good[:, 3]):11.4f} {good[:, 3].max():10.4f} {np.mean(table[:, 2] <= 1e-3):8.1%} "
                  f"{times_of(own)}")
        else:
            print(f"  {name:28} {0:8.1%}")
    return rates


def real_pair(label, methods, starts, poses, reference, scan, folder):
    """Prints a table against poses that others found, and against the same method of small_gicp.
    @returns whether ours, without options, are near one of the poses from each start"""
    middle = scan.mean(axis=0, dtype=float)
    print(f"{label}: {len(reference)} and {len(scan)} points, {len(starts)} starts; median (largest) mm and degrees")
    counterparts = {"icp": "small_gicp PLANE_ICP", "gicp": "small_gicp GICP"}
    rows = {method.name: [] for method in methods}
    for index, start in enumerate(starts):
        placed = moved(start, scan.astype(float)).astype("<f4")
        found = {}
        for method, (motion, wall, used) in zip(methods, fits_of(methods, folder, reference, placed, index)):
            found[method.name] = np.full((4, 4), np.nan) if motion is None else motion @ start
            rows[method.name].append([wall, used])
        for method in methods:
            own = found[method.name]
            for pose in (*poses.values(), found[counterparts.get(method.method, method.name)]):
                rows[method.name][-1].append(apart(own, pose, middle))
    heads = "".join(f"{'to ' + name:>36}" for name in [*poses, "small_gicp's result"])
    print(f"  {'method':28}{heads}   wall ms    CPU ms")
    for name, own in rows.items():
        cells = ""
        for column in range(2, 3 + len(poses)):
            metres, degrees = np.array([row[column] for row in own]).T
            cells += f"{1e3 * np.median(metres):10.1f} ({1e3 * metres.max():7.1f})"
            cells += f"{np.median(degrees):8.3f} ({degrees.max():6.3f})"
        print(f"  {name:28}{cells} {times_of(own)}", flush=True)
    return all(any(off[0] < NEAR_METRES and off[1] < NEAR_DEGREES for off in row[2 : 2 + len(poses)])
               for method in methods if isinstance(method, Ours) and not method.options for row in rows[method.name])


def real(methods, given, random, folder):
    """The pairs of the folder ndt. @returns whether ours are right"""
    files = [given.scans / "ndt" / name for name in REAL]
    scans = [read_scan(given.cli, file, folder) for file in files[:4]]
    poses = {f"{file.name.split('_T')[0].split('_rel')[0]}'s file": np.loadtxt(file) for file in files[4:]}
    between = apart(*poses.values(), scans[1].mean(axis=0, dtype=float))
    print(f"The two reference poses of the street are {1e3 * between[0]:.1f} mm and {between[1]:.3f} degrees apart.")
    is_right = real_pair("Street, from identity", methods, [np.eye(4)] * 3, poses, *scans[:2], folder)
    middle = scans[3].mean(axis=0, dtype=float)
    starts = [PCL_ROOM @ start_within(random, 0.3, 10, middle) for _ in range(min(given.starts, 20))]
    return real_pair("Living room", methods, starts, {"PCL's pose": PCL_ROOM}, *scans[2:], folder) and is_right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("scans", type=pathlib.Path)
    parser.add_argument("--starts", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=np.inf, help="after which no more starts are made")
    parser.add_argument("--part", choices=("generated", "real", "all"), default="all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--overlap", type=float, default=70, help="per cent, of the real pairs")
    given = parser.parse_args()
    missing = [name for name in REAL if given.part != "generated" and not (given.scans / "ndt" / name).exists()]
    if missing:
        print(f"{given.scans} has no ndt/{missing[0]}: nothing is compared.")
        sys.exit(77)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: given.threads])
    random = np.random.default_rng(given.seed)
    print(f"seed {given.seed}, {given.threads} threads, small_gicp {importlib.metadata.version('small_gicp')}")
    ours = [Ours(given.cli, "icp"), Ours(given.cli, "gicp")]
    partial = [Ours(given.cli, method, "--overlap", f"{given.overlap:g}") for method in ("icp", "gicp")]
    theirs = [Theirs(method, given.threads, size) for size in (0.0, DOWNSAMPLING) for method in ("PLANE_ICP", "GICP")]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        is_right = given.part == "generated" or real([*ours, *partial, *theirs], given, random, folder)
        if given.part != "real":
            rates = generated(ours + theirs, given.starts, given.minutes, random, folder)
            pairs = (("scanloupe icp", "small_gicp PLANE_ICP"), ("scanloupe gicp", "small_gicp GICP"))
            is_right &= all(rates[own] >= rates[other] for own, other in pairs)
    sys.exit(0 if is_right else 1)


main()
