"""Checks a tileset against the specification of 3D Tiles 1.1 and glTF 2.0, without a line of the program.

check_tileset.py FOLDER: FOLDER holds tileset.json. check_tileset.py CLI FOLDER: CLI makes a small survey and its tileset
in FOLDER first. Checked are: required properties and their types; errors that fall towards the leaves; boxes that hold those of
the children and the vertices of the content, after glTF's turn from y up to z up; URIs that lead to files, each used once;
headers and lengths of GLB; accessors within their buffers, limits that are those of the data, indices of vertices that are there, normals of
unit length; and no file that no document names. Ends with 1 and a sentence for each finding.
"""
import json
import pathlib
import struct
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    print("python3-numpy is not installed")
    sys.exit(77)

COMPONENTS = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
findings = []


def expect(condition, sentence):
    if not condition:
        findings.append(sentence)
    return bool(condition)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def rotation(q):
    x, y, z, w = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def local_matrix(node):
    matrix = np.eye(4)
    if "matrix" in node:
        return np.array(node["matrix"]).reshape(4, 4).T
    matrix[:3, :3] = rotation(node.get("rotation", [0, 0, 0, 1])) * np.array(node.get("scale", [1, 1, 1]))
    matrix[:3, 3] = node.get("translation", [0, 0, 0])
    return matrix


def read_glb(path):
    """The positions of all vertices in the frame of the tile (z up), and the number of triangles."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    expect(magic == b"glTF" and version == 2 and length == len(data), f"{path}: its header is not that of GLB")
    size, kind = struct.unpack_from("<I4s", data, 12)
    expect(kind == b"JSON" and size % 4 == 0, f"{path}: its first chunk is no JSON of whole words")
    gltf = json.loads(data[20:20 + size])
    binary_size, kind = struct.unpack_from("<I4s", data, 20 + size)
    expect(kind == b"BIN\0" and binary_size % 4 == 0 and 28 + size + binary_size == len(data), f"{path}: its chunks don't fit")
    binary = data[28 + size:]
    expect(gltf["asset"]["version"] == "2.0", f"{path}: is of another version than 2.0")
    expect(gltf["buffers"][0]["byteLength"] <= len(binary), f"{path}: its buffer is cut off")

    def accessor(number):
        a = gltf["accessors"][number]
        view = gltf["bufferViews"][a["bufferView"]]
        kind = np.dtype(COMPONENTS[a["componentType"]])
        width = WIDTHS[a["type"]]
        begin = view.get("byteOffset", 0) + a.get("byteOffset", 0)
        expect(begin % kind.itemsize == 0, f"{path}: accessor {number} is not aligned")
        expect(a["count"] * width * kind.itemsize + a.get("byteOffset", 0) <= view["byteLength"] and
               view.get("byteOffset", 0) + view["byteLength"] <= len(binary), f"{path}: accessor {number} ends too late")
        values = np.frombuffer(binary, kind, a["count"] * width, begin).reshape(-1, width)
        if "min" in a:
            expect(np.allclose(values.min(0), a["min"]) and np.allclose(values.max(0), a["max"]),
                   f"{path}: limits of accessor {number} are not those of its values")
        return a, values

    vertices, triangles = [], 0

    def visit(number, above):
        nonlocal triangles
        node = gltf["nodes"][number]
        matrix = above @ local_matrix(node)
        for primitive in gltf["meshes"][node["mesh"]]["primitives"] if "mesh" in node else []:
            described, positions = accessor(primitive["attributes"]["POSITION"])
            expect("min" in described and "max" in described, f"{path}: positions without limits")
            expect(described["type"] == "VEC3" and described["componentType"] == 5126, f"{path}: positions of another type")
            _, normals = accessor(primitive["attributes"]["NORMAL"])
            expect(len(normals) == len(positions) and np.allclose(np.linalg.norm(normals, axis=1), 1, atol=5e-4),
                   f"{path}: normals are not of unit length")
            _, indices = accessor(primitive["indices"])
            expect(primitive.get("mode", 4) == 4 and len(indices) % 3 == 0, f"{path}: its primitives are no triangles")
            expect(indices.max() < len(positions), f"{path}: an index has no vertex")
            triangles += len(indices) // 3
            placed = positions @ matrix[:3, :3].T + matrix[:3, 3]
            vertices.append(np.stack([placed[:, 0], -placed[:, 2], placed[:, 1]], axis=1))  # z up
        for child in node.get("children", []):
            visit(child, matrix)

    for number in gltf["scenes"][gltf.get("scene", 0)]["nodes"]:
        visit(number, np.eye(4))
    return np.concatenate(vertices), triangles


def box_limits(volume, where):
    box = volume.get("box", [])
    if not expect(len(box) == 12 and all(map(is_number, box)), f"{where}: its volume is no box"):
        return np.zeros(3), np.zeros(3)
    reach = np.abs(np.array(box[3:]).reshape(3, 3)).sum(0)
    return np.array(box[:3]) - reach, np.array(box[:3]) + reach


def check_tile(tile, folder, where, parent, used, counts, depth):
    for name in ("boundingVolume", "geometricError"):
        if not expect(name in tile, f"{where}: has no {name}"):
            return
    low, high = box_limits(tile["boundingVolume"], where)
    error = tile["geometricError"]
    expect(is_number(error) and error >= 0, f"{where}: its error is no number of 0 or more")
    if parent is not None:
        rounding = 1e-6 * max(1, np.abs([low, high]).max())
        expect((low >= parent[0] - rounding).all() and (high <= parent[1] + rounding).all(), f"{where}: lies outside of its parent")
        expect(error <= parent[2], f"{where}: its error is larger than its parent's")
    expect(tile.get("refine", "REPLACE") in ("ADD", "REPLACE"), f"{where}: refines in an unknown way")
    if "transform" in tile:
        expect(len(tile["transform"]) == 16 and all(map(is_number, tile["transform"])), f"{where}: its transform is no matrix")
    content = tile.get("content")
    if content is not None:
        uri = content.get("uri")
        path = (folder / str(uri)).resolve()
        if expect(isinstance(uri, str) and path.is_file(), f"{where}: {uri} is not there"):
            expect(path not in used, f"{where}: {uri} is used twice")
            used.add(path)
            if path.suffix == ".json":
                expect("children" not in tile, f"{where}: has children beside another document")
                check_document(path, (low, high, error), used, counts, depth)
            else:
                vertices, triangles = read_glb(path)
                rounding = 1e-4 * max(1e-3, (high - low).max())
                expect((vertices >= low - rounding).all() and (vertices <= high + rounding).all(), f"{where}: {uri} reaches out of its box")
                expect(tile.get("extras", {}).get("vertices", len(vertices)) == len(vertices), f"{where}: has another number of vertices")
                counts.setdefault(depth, [0, 0])
                counts[depth][0] += 1
                counts[depth][1] += triangles
    for i, child in enumerate(tile.get("children", [])):
        check_tile(child, folder, f"{where}/{i}", (low, high, error), used, counts, depth + 1)


def check_document(path, parent, used, counts, depth):
    document = json.loads(path.read_text())
    for name in ("asset", "geometricError", "root"):
        if not expect(name in document, f"{path}: has no {name}"):
            return
    expect(document["asset"].get("version") == "1.1", f"{path}: is of another version than 1.1")
    expect(is_number(document["geometricError"]) and document["geometricError"] >= document["root"]["geometricError"],
           f"{path}: its error is below its root's")
    expect("refine" in document["root"], f"{path}: its root does not say how it refines")
    known = {"asset", "geometricError", "root", "properties", "extensionsUsed", "extensionsRequired", "extras", "schema"}
    expect(set(document) <= known, f"{path}: has unknown properties")
    check_tile(document["root"], path.parent, str(path.name), parent, used, counts, depth)


def main():
    folder = pathlib.Path(sys.argv[-1])
    if len(sys.argv) == 3:
        cli = sys.argv[1]
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([cli, "synth", str(folder / "street.ply"), "--points", "200000"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([cli, "run", str(folder / "street.ply"), "--backend", "cpu", "--tiles", str(folder / "tiles"), "--tileset", "--voxel-size", "0.1",
                        "--tile-size", "15"], check=True, stdout=subprocess.DEVNULL)
        folder = folder / "tiles"
    used, counts = set(), {}
    check_document((folder / "tileset.json").resolve(), None, used, counts, 0)
    files = {path.resolve() for path in (folder / "nodes").rglob("*") if path.is_file()}
    expect(files == used, f"{len(files ^ used)} files are of no tile")
    for depth, (nodes, triangles) in sorted(counts.items()):
        print(f"depth {depth}: {nodes} meshes, {triangles} triangles")
    for sentence in findings[:20]:
        print(sentence)
    print(f"{len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
