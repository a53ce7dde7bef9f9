"""Compares deviations with those of CloudCompare, and both with an exact search in double precision.

cloudcompare_pairs.py CLI SCANS: SCANS holds the real scans of the tests. Both programs get the same bytes, binary PLY
with float32 coordinates near the origin, so that nothing is shifted or rounded again.

Clouds to meshes: the signed distance of each point by a layer that compares, by `CloudCompare -C2M_DIST`, and by a
search over all triangles whose sign is that of the angle-weighted pseudonormal (Baerentzen and Aanaes, "Signed distance
computation using the angle weighted pseudonormal", 2005). What CloudCompare 2.11 is known to do otherwise: triangles
with an edge of at most 0.000345 units are left out; its octree loses triangles in the boundaries of cells (with a point
more, far away, the octree is another one, and the distances are right); at edges and corners the sign is that of one of
the faces there. Its differences are counted by these reasons.

Clouds to clouds: distances to nearest points, by `-C2C_DIST` and local_model none; and to planes through the 8 points
nearest to the nearest one. `-MODEL LS KNN 8` is the lesser of the distances to point and plane, so the lesser of ours
is taken. Ours takes the nearest point instead where the foot on the plane lies outside the neighbourhood: these points
are counted, and left out.

Ends with 1 where the CLI's distances or signs are not exact and where a difference has another reason; with 77 where
CloudCompare or the scans are not there.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("python3-numpy is not installed")
    sys.exit(77)

LIMIT = 1e-5  # larger differences count, in units of the coordinates and of the distance
EPSILON = float(np.finfo("f4").eps)
LEAST_SQUARE = EPSILON  # CloudCompare leaves out triangles with an edge whose squared length is not above it
NEIGHBOURS = 8
BUNNIES = ("ply/stanford_bun045.ply", "ply/stanford_bun000.ply")
FRAMES = ("sweeps/voxelize_cuda_0000000001.bin", "sweeps/voxelize_cuda_0000000000.bin")
# name, scan, scan that the mesh is extracted from, whether their poses are applied, factor, options of the extraction
MESH_PAIRS = [
    ("bunny 045 on 000, m", *BUNNIES, True, 1, ["--voxel-size", "0.002"]),
    ("bunny in its hull, mm", *["e57/bunnyDouble.e57"] * 2, False, 1000, ["--voxel-size", "4", "--field", "occupancy"]),
    ("street, frame 1 on 0", *FRAMES, False, 1, ["--voxel-size", "0.5", "--field", "occupancy"]),
    ("office on itself", *["pcd/office1.pcd"] * 2, False, 1, ["--voxel-size", "0.02"]),
    ("survey on itself", *["las/pdal_autzen_trim.las"] * 2, False, 1, []),
]
CLOUD_PAIRS = [
    ("bunny 045 on 000, m", *BUNNIES, True),
    ("bunny on 000, m", "e57/bunnyDouble.e57", "ply/stanford_bun000.ply", False),
    ("street, frame 1 on 0", *FRAMES, False),
    ("street at a crossing", "ndt/251371071.pcd", "ndt/251370668.pcd", False),
    ("living room", "ndt/room_scan2.pcd", "ndt/room_scan1.pcd", False),
]
TYPES = dict(char="i1", uchar="u1", short="<i2", ushort="<u2", int="<i4", uint="<u4", float="<f4", double="<f8")
FACE = [("n", "u1"), ("corners", "<i4", 3)]


def read_ply(path):
    """The vertices with a field for each property, and the corners of the triangles, if any."""
    head, data = path.read_bytes().split(b"end_header\n", 1)
    lines = [line.split() for line in head.decode("latin-1").splitlines()]
    counts = {words[1]: int(words[2]) for words in lines if words[0] == "element"}
    fields = [(words[2], TYPES[words[1]]) for words in lines if words[0] == "property" and words[1] != "list"]
    vertices = np.frombuffer(data, fields, counts["vertex"])
    return vertices, np.frombuffer(data, FACE, counts.get("face", 0), vertices.nbytes)["corners"].astype(int)


def places_of(vertices):
    return np.c_[vertices["x"], vertices["y"], vertices["z"]]


def write_ply(path, points, triangles=()):
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\n"
    head += "".join(f"property float {axis}\n" for axis in "xyz")
    rows = np.empty(len(triangles), FACE)
    if len(triangles) > 0:  # CloudCompare takes a file with an empty element of faces for a mesh
        head += f"element face {len(triangles)}\nproperty list uchar int vertex_indices\n"
        rows["n"], rows["corners"] = 3, triangles
    path.write_bytes((head + "end_header\n").encode() + points.astype("<f4").tobytes() + rows.tobytes())


class Programs:
    """Runs both programs on files in a folder."""

    def __init__(self, cli, cloudcompare, scans, folder):
        self.cli, self.cloudcompare, self.scans, self.folder = cli, cloudcompare, scans, folder

    def run(self, *words):
        done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr}")

    def points(self, scan, is_posed):
        """The finite points of a scan, in double precision."""
        copy = self.folder / "copy.ply"
        self.run(self.cli, "convert", self.scans / scan, copy, "-q")
        points = places_of(read_ply(copy)[0]).astype(float)
        points = points[np.isfinite(points).all(axis=1)]
        return posed(self.scans / "ply/stanford_bun.conf", scan, points) if is_posed else points

    def mesh_of(self, points, options):
        cloud, mesh = self.folder / "source.ply", self.folder / "extracted.ply"
        write_ply(cloud, points)
        self.run(self.cli, "run", cloud, "--mesh", mesh, "--quality", "off", "--backend", "cpu", "-q", *options)
        vertices, triangles = read_ply(mesh)
        return places_of(vertices), triangles

    def ours(self, cloud, reference, points, **model):
        """The deviation of each point."""
        recipe, out = self.folder / "recipe.json", self.folder / "ours.ply"
        action = {"kind": "compare", "reference": str(reference.absolute()), "scale": 1, "largest": 0, **model}
        everything = [{"operation": "replace", "region": {"kind": "invert"}}]
        layer = {"name": "compare", "selection": everything, "action": action}
        recipe.write_text(json.dumps({"scanloupe_recipe": 1, "edits": {"layers": [layer]}}))
        self.run(self.cli, "convert", cloud, out, "--edits", recipe, "-q")
        vertices, _ = read_ply(out)
        assert (places_of(vertices) == points).all(), "the points are not those that were given"
        return vertices["deviation"].astype(float)

    def theirs(self, cloud, reference, points, *words):
        """The distances that CloudCompare computes."""
        written = cloud.with_name(f"{cloud.stem}_{words[0][1:]}.ply")
        written.unlink(missing_ok=True)  # CloudCompare does not report all failures
        self.run(self.cloudcompare, "-SILENT", "-NO_TIMESTAMP", "-C_EXPORT_FMT", "PLY", "-PLY_EXPORT_FMT", "BINARY_LE",
                 "-O", cloud, "-O", reference, *words)
        vertices, _ = read_ply(written)
        assert (places_of(vertices) == points).all(), "the points are not those that were given"
        field, = (name for name in vertices.dtype.names if name not in ("x", "y", "z"))
        return vertices[field].astype(float)


def posed(poses, scan, points):
    """A range scan of the Stanford bunny where its pose puts it; the file's rotations lead the other way."""
    name = pathlib.Path(scan).name.removeprefix("stanford_")
    words, = (line.split() for line in poses.read_text().splitlines() if line.split()[:2] == ["bmesh", name])
    *shift, x, y, z, w = map(float, words[2:])
    s = 2 / (x * x + y * y + z * z + w * w)
    return points @ np.array([[1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
                              [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
                              [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)]]) + shift


# ---- searches over all items, in double precision

def dots(a, b):
    return np.einsum("ij,ij->i", a, b)


def blocks(places, most):
    """Indices of places that lie together."""
    result, todo = [], [np.arange(len(places))]
    while todo:
        block = todo.pop()
        if len(block) <= most:
            result.append(block)
        else:
            axis, half = np.ptp(places[block], axis=0).argmax(), len(block) // 2
            order = np.argpartition(places[block, axis], half)
            todo += [block[order[:half]], block[order[half:]]]
    return result


def distances_between(points, places):
    return np.sqrt(sum((points[:, None, axis] - places[None, :, axis]) ** 2 for axis in range(3)))


def near_items(points, centres, low, high, count):
    """For blocks of points: their rows, the items of which some may be among the `count` nearest of a point, the
    distances to their centres, which are parts of them, and a bound on the distance of the last of the nearest."""
    groups = blocks(centres, 128)
    lows = np.array([low[group].min(axis=0) for group in groups])
    highs = np.array([high[group].max(axis=0) for group in groups])
    for rows in blocks(points, 64):
        own = points[rows]
        gaps = np.linalg.norm(np.maximum(0, np.maximum(lows - own.max(axis=0), own.min(axis=0) - highs)), axis=1)
        aside = np.linalg.norm((lows + highs) / 2 - own.mean(axis=0), axis=1)
        first = np.lexsort((aside, gaps))[:max(4, count // 64 + 1)]
        apart = distances_between(own, centres[np.concatenate([groups[g] for g in first])])
        bound = np.partition(apart, count - 1, axis=1)[:, count - 1].max()
        items = np.concatenate([groups[g] for g in np.flatnonzero(gaps <= bound)])
        apart = distances_between(own, centres[items])
        yield rows, items, apart, np.partition(apart, count - 1, axis=1)[:, count - 1]


def nearest_points(points, reference, count):
    """[N, count] the nearest points of the reference and their distances, ascending."""
    which, apart = np.empty((len(points), count), int), np.empty((len(points), count))
    for rows, items, distances, _ in near_items(points, reference, reference, reference, count):
        order = np.argsort(distances, axis=1)[:, :count]
        which[rows], apart[rows] = items[order], np.take_along_axis(distances, order, axis=1)
    return which, apart


def to_triangles(points, corners):
    """The vector from each point to its triangle, both in rows, and the nearest feature: 0 the face, 1 to 3 the edges
    ab, bc, ca, 4 to 6 the corners."""
    a, b, c = (corners[:, i] - points for i in range(3))
    best, way, feature = np.full(len(points), np.inf), np.zeros_like(points), np.zeros(len(points), int)
    for edge, (start, end) in enumerate(((a, b), (b, c), (c, a))):
        along = end - start
        whole = dots(along, along)
        share = np.clip(-dots(start, along) / np.where(whole > 0, whole, 1), 0, 1)
        to = np.where((share == 1)[:, None], end, start + along * share[:, None])
        square = dots(to, to)
        ends_at = np.where(share <= 0, 4 + edge, np.where(share >= 1, 4 + (edge + 1) % 3, 1 + edge))
        closer = square < best
        best[closer], way[closer], feature[closer] = square[closer], to[closer], ends_at[closer]
    normal = np.cross(b - a, c - a)
    size = dots(normal, normal)
    inside = (size > 0) & np.all([dots(np.cross(v - u, -u), normal) >= 0 for u, v in ((a, b), (b, c), (c, a))], axis=0)
    foot = normal * (dots(a, normal) / np.where(size > 0, size, 1))[:, None]
    inside &= dots(foot, foot) <= best * (1 + 1e-9)
    way[inside], feature[inside] = foot[inside], 0
    return way, feature


class ExactMesh:
    """Signed distances from a mesh: positive on the side that the triangles face."""

    def __init__(self, vertices, triangles):
        places, weld = np.unique(vertices + np.float32(0), axis=0, return_inverse=True)
        self.triangles = weld.reshape(-1)[triangles]
        self.corners = places.astype(float)[self.triangles]
        a, b, c = (self.corners[:, i] for i in range(3))
        self.scaled_normals = np.cross(b - a, c - a)
        areas = np.linalg.norm(self.scaled_normals, axis=1)
        self.edge_squares = np.stack([dots(v, v) for v in (b - a, c - b, a - c)], axis=1)
        self.normals = self.scaled_normals / np.where(areas > 0, areas, 1)[:, None]
        self.centres = self.corners.mean(axis=1)
        self.radii = np.linalg.norm(self.corners - self.centres[:, None], axis=2).max(axis=1)
        edges = np.sort(np.stack([self.triangles, np.roll(self.triangles, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
        _, edge_of = np.unique(edges, axis=0, return_inverse=True)
        sums = np.zeros((edge_of.max() + 1, 3))
        np.add.at(sums, edge_of.reshape(-1), np.repeat(self.normals, 3, axis=0))
        self.edge_normals = sums[edge_of.reshape(-1)].reshape(-1, 3, 3)
        self.corner_normals = np.zeros((len(places), 3))
        for corner in range(3):
            one, other = (self.corners[:, (corner + i) % 3] - self.corners[:, corner] for i in (1, 2))
            angles = np.arctan2(np.linalg.norm(np.cross(one, other), axis=1), dots(one, other))
            np.add.at(self.corner_normals, self.triangles[:, corner], self.normals * angles[:, None])

    def measure(self, points):
        """For each point the distance, its sign, whether that is certain (no other place is as near, and the
        pseudonormal is not perpendicular), and the sign by the faces of all equally near triangles: 0 if they disagree."""
        pairs = []
        boxes = self.corners.min(axis=1), self.corners.max(axis=1)
        for own, near, apart, bound in near_items(points, self.centres, *boxes, 1):
            row, item = np.nonzero(apart - self.radii[near] <= bound[:, None] * (1 + 1e-12))
            pairs.append((own[row], near[item]))
        row, item = (np.concatenate(part) for part in zip(*pairs))
        order = np.argsort(row, kind="stable")
        row, item = row[order], item[order]
        parts = [slice(begin, begin + 1_000_000) for begin in range(0, len(row), 1_000_000)]  # for short memory
        found = [to_triangles(points[row[part]], self.corners[item[part]]) for part in parts]
        ways, features = (np.concatenate(part) for part in zip(*found))
        lengths = np.sqrt(dots(ways, ways))
        least = np.minimum.reduceat(lengths, np.searchsorted(row, np.arange(len(points))))
        tied = np.flatnonzero(lengths <= least[row] * (1 + 1e-7) + 1e-300)
        nearest = tied[lengths[tied] <= least[row[tied]]]
        best = np.full(len(points), len(row))
        np.minimum.at(best, row[nearest], nearest)
        feature, triangle, way = features[best], item[best], ways[best]
        edge, corner = np.clip(feature - 1, 0, 2), np.clip(feature - 4, 0, 2)
        pseudo = np.select([(feature == 0)[:, None], (feature < 4)[:, None]], [
            self.normals[triangle], self.edge_normals[triangle, edge]],
            self.corner_normals[self.triangles[triangle, corner]])
        side = -dots(way, pseudo)
        # from the first corners, as CloudCompare takes them
        by_face = dots(points[row[tied]] - self.corners[item[tied], 0], self.scaled_normals[item[tied]]) < 0
        below, above = np.zeros(len(points), bool), np.zeros(len(points), bool)
        below[row[tied][by_face]] = True
        above[row[tied][~by_face]] = True
        sure = (np.abs(side) > 1e-6 * least * np.linalg.norm(pseudo, axis=1)) & (least > 1e-9)
        sure[row[tied][np.linalg.norm(ways[tied] - way[row[tied]], axis=1) > 1e-3 * least[row[tied]] + 1e-12]] = False
        return {"distance": least, "sign": np.where(side < 0, -1, 1), "sure": sure,
                "faces": above.astype(int) - below}


def compare_mesh_pair(programs, name, scan, model, is_posed, scale, options):
    """Prints a line. @returns whether ours is right, and all differences are explained"""
    points, source = programs.points(scan, is_posed), programs.points(model, is_posed)
    origin = np.round(source.mean(axis=0)) if np.abs(source).max() > 10_000 else np.zeros(3)
    points = ((points - origin) * scale).astype("f4")
    vertices, triangles = programs.mesh_of((source - origin) * scale, options)
    cloud, mesh, more = (programs.folder / f"{stem}.ply" for stem in ("cloud", "mesh", "more"))
    write_ply(cloud, points)
    write_ply(mesh, vertices, triangles)
    mine, other = programs.ours(cloud, mesh, points), programs.theirs(cloud, mesh, points, "-C2M_DIST")
    exact, own = ExactMesh(vertices, triangles), points.astype(float)
    truth = exact.measure(own)
    lengths = truth["distance"]
    error = (np.abs(np.abs(mine) - lengths) / np.maximum(lengths, 1e-9)).max()
    wrong = ((np.sign(mine) != truth["sign"]) & truth["sure"]).sum()

    off, signed_off = np.abs(np.abs(mine) - np.abs(other)), np.abs(mine - other)
    limit, counts = LIMIT * np.minimum(1, np.maximum(lengths, 1e-12)), {}
    open_rows = np.flatnonzero(signed_off > limit)
    kept = (exact.edge_squares > LEAST_SQUARE).all(axis=1)
    explained = np.zeros(len(open_rows), bool)
    if len(open_rows) > 0 and not kept.all():  # CloudCompare is right by the triangles that it keeps
        rest = ExactMesh(vertices, triangles[kept]).measure(own[open_rows])
        same = np.abs(np.abs(other[open_rows]) - rest["distance"]) <= 1e-6 * np.maximum(rest["distance"], 1e-9)
        same &= rest["faces"] * np.sign(other[open_rows]) >= 0
        explained = (rest["distance"] > lengths[open_rows] * (1 + 1e-9)) & same
    counts["short edges"], open_rows = explained.sum(), open_rows[~explained]
    explained = (off[open_rows] <= limit[open_rows]) & (truth["faces"][open_rows] == 0)
    counts["signs"], open_rows = explained.sum(), open_rows[~explained]
    explained = np.zeros(len(open_rows), bool)
    if len(open_rows) > 0:  # CloudCompare is right in another octree
        added = np.vstack([points, points.max(axis=0) + np.float32(0.213) * np.ptp(points, axis=0)])
        write_ply(more, added)
        again = programs.theirs(more, mesh, added, "-C2M_DIST")[open_rows]
        explained = np.abs(np.abs(again) - lengths[open_rows]) <= 1e-6 * lengths[open_rows]
    counts["octree"], counts["rest"] = explained.sum(), (~explained).sum()
    print(f"{name:22} {len(points):7} {len(triangles):9} {off.max():10.2g} {np.mean(off > LIMIT):8.3%} "
          f"{signed_off.max():9.2g} {np.mean(signed_off > LIMIT):8.3%} {error:11.2g} {wrong:6}"
          + "".join(f" {counts[key]:11}" for key in ("short edges", "octree", "signs", "rest")), flush=True)
    return error < 1e-6 and wrong == 0 and counts["rest"] == 0


def unsure_planes(points, reference):
    """Where the plane near a point is a matter of choice: its nearest points, the last neighbours, or the directions
    across the plane are tied."""
    which, apart = nearest_points(points, reference, 4)
    elsewhere = (reference[which] != reference[which[:, :1]]).any(axis=2)
    unsure = (elsewhere & (apart <= apart[:, :1] * (1 + 1e-6))).any(axis=1)
    around, lengths = nearest_points(reference[which[:, 0]], reference, NEIGHBOURS + 1)
    unsure |= (lengths[:, -1] <= lengths[:, -2] * (1 + 1e-6)) & (
        reference[around[:, -1]] != reference[around[:, -2]]).any(axis=1)
    near = reference[around[:, :-1]]
    near = near - near.mean(axis=1, keepdims=True)
    values = np.linalg.eigvalsh(np.einsum("nki,nkj->nij", near, near))
    return apart[:, 0], unsure | (values[:, 1] - values[:, 0] <= 1e-6 * np.maximum(values[:, 2], 1e-300))


def compare_cloud_pair(programs, name, scan, model, is_posed):
    """Prints a line. @returns whether all differences are within rounding"""
    points, reference = (programs.points(file, is_posed).astype("f4") for file in (scan, model))
    cloud, other = programs.folder / "cloud.ply", programs.folder / "reference.ply"
    write_ply(cloud, points)
    write_ply(other, reference)
    mine, plane = (np.abs(programs.ours(cloud, other, points, local_model=kind, neighbours=NEIGHBOURS, largest_angle=0))
                   for kind in ("none", "plane"))
    theirs = programs.theirs(cloud, other, points, "-C2C_DIST")
    their_plane = programs.theirs(cloud, other, points, "-C2C_DIST", "-MODEL", "LS", "KNN", str(NEIGHBOURS))
    nearest, unsure = unsure_planes(points.astype(float), reference.astype(float))
    error = (np.abs(mine - nearest) / np.maximum(nearest, 1e-9)).max()
    # CloudCompare keeps differences of coordinates and the equations of planes in single precision
    rounding = 4 * EPSILON * max(np.abs(points).max(), np.abs(reference).max())
    used = np.abs(plane - mine) > 1e-6 * mine  # else the foot lay outside the neighbourhood
    off, plane_off = np.abs(mine - theirs), np.abs(np.minimum(mine, plane) - their_plane)
    sure = used & ~unsure
    rest = (off > rounding).sum() + (plane_off[sure] > rounding).sum()
    print(f"{name:22} {len(points):7} {len(reference):9} {error:9.2g} {off.max():9.2g} {rounding:9.2g} {used.sum():11} "
          f"{sure.sum():9} {np.median(plane_off[sure]):9.2g} {plane_off[sure].max():9.2g} "
          f"{(plane_off[used & unsure] > rounding).sum():7} {rest:6}", flush=True)
    return error < 1e-6 and rest == 0


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    cli, scans = sys.argv[1], pathlib.Path(sys.argv[2])
    cloudcompare = shutil.which("CloudCompare") or shutil.which("cloudcompare.CloudCompare")
    if not cloudcompare:
        print("CloudCompare is not installed: nothing is compared (apt install cloudcompare).")
        sys.exit(77)
    files = {file for pair in MESH_PAIRS + CLOUD_PAIRS for file in pair[1:3]} | {"ply/stanford_bun.conf"}
    if missing := [file for file in sorted(files) if not (scans / file).exists()]:
        print(f"{scans} has no {missing[0]}: nothing is compared.")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(cli, cloudcompare, scans, pathlib.Path(folder))
        print(f"Clouds to meshes: largest differences to CloudCompare, shares above {LIMIT:g}; ours against the exact\n"
              "search: largest part of a distance, wrong signs; points that differ from CloudCompare, by the reason")
        print(f"{'':22}  points triangles  magnitude    above    signed    above ours: exact  signs short edges"
              "      octree       signs        rest")
        right = [compare_mesh_pair(programs, *pair) for pair in MESH_PAIRS]
        print("\nClouds to clouds: ours against the exact search; largest difference to CloudCompare of nearest\n"
              f"points; of planes through {NEIGHBOURS} where ours took them and nothing is tied; points above that")
        print(f"{'':22}  points reference     exact   nearest   allowed  plane used  and sure    median   largest"
              "    tied   rest")
        right += [compare_cloud_pair(programs, *pair) for pair in CLOUD_PAIRS]
    sys.exit(0 if all(right) else 1)


main()
