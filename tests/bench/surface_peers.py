#!/usr/bin/env python3
"""Compares cpu::extractSurface with VTK's Flying Edges and scikit-image on the `gyroid`, in the same minutes, and
prints ratios.

    cmake --build --preset release --target scanloupe-bench
    python3 tests/bench/surface_peers.py [--edge 256] [--rounds 5]

All take a dense field of single precision to an indexed mesh with normals. VTK takes its own threads, scikit-image
has one. Times leave out making the field and handing it over. The programs take turns, and the best time of each
counts, since other programs may use the machine.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

FIELD = r"""
import sys, time
import numpy
edge, repeats = int(sys.argv[1]), int(sys.argv[2])
wave = numpy.arange(edge) * (2 * numpy.pi / 128)
x, y, z = wave[None, None, :], wave[None, :, None], wave[:, None, None]
field = (numpy.sin(x) * numpy.cos(y) + numpy.sin(y) * numpy.cos(z)
         + numpy.sin(z) * numpy.cos(x) + 0.0137)
field = field.astype(numpy.float32)
"""

VTK = FIELD + r"""
import vtk
from vtk.util.numpy_support import numpy_to_vtk
image = vtk.vtkImageData()
image.SetDimensions(edge, edge, edge)
image.GetPointData().SetScalars(numpy_to_vtk(field.ravel(), deep=True))
best = 1e9
for _ in range(repeats):
    edges = vtk.vtkFlyingEdges3D()
    edges.SetInputData(image)
    edges.SetValue(0, 0.0)
    edges.ComputeNormalsOn()
    edges.ComputeGradientsOff()
    edges.ComputeScalarsOff()
    start = time.perf_counter()
    edges.Update()
    best = min(best, time.perf_counter() - start)
print(1e3 * best, edges.GetOutput().GetNumberOfPolys())
"""

SKIMAGE = FIELD + r"""
from skimage.measure import marching_cubes
best = 1e9
for _ in range(repeats):
    start = time.perf_counter()
    vertices, faces, normals, values = marching_cubes(field, 0.0)
    best = min(best, time.perf_counter() - start)
print(1e3 * best, len(faces))
"""


def command_for(name, module, program, package):
    """The interpreter that has a module, with a program; nothing where none has."""
    for python in dict.fromkeys([sys.executable, "/usr/bin/python3"]):
        if subprocess.run([python, "-c", f"import numpy, {module}"], capture_output=True).returncode == 0:
            return [python, "-c", program]
    print(f"skipped {name}: no python3 can import it ({package})")
    return None


def run_peer(command, edge, repeats):
    """Milliseconds and triangles."""
    out = subprocess.run(command + [str(edge), str(repeats)], capture_output=True, text=True, check=True).stdout
    time, triangles = out.split()
    return float(time), int(triangles)


def run_ours(bench, folder, edge):
    figures = folder / "figures.json"
    subprocess.run([bench, "surface", "--scene", "gyroid", "--edges", str(edge), "--only", "cpu", "--repeats", "9",
                    "--json", str(figures)], check=True, capture_output=True)
    row = json.loads(figures.read_text())["rows"][0]
    return row["min_ms"], row["triangles"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edge", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--bench", default=str(ROOT / "build/release/bin/scanloupe-bench"))
    arguments = parser.parse_args()
    if not pathlib.Path(arguments.bench).exists():
        sys.exit(f"{arguments.bench} is not there: cmake --build --preset release --target scanloupe-bench")
    peers = {"VTK Flying Edges": (command_for("VTK", "vtk", VTK, "Debian: apt install python3-vtk9"), 7),
             "scikit-image": (command_for("scikit-image", "skimage", SKIMAGE, "pip install scikit-image"), 2)}
    times, triangles = {}, {}

    def note(who, result):
        times.setdefault(who, []).append(result[0])
        triangles[who] = result[1]

    with tempfile.TemporaryDirectory() as name:
        for _ in range(arguments.rounds):
            note("Scanloupe", run_ours(arguments.bench, pathlib.Path(name), arguments.edge))
            for who, (command, repeats) in peers.items():
                if command:
                    note(who, run_peer(command, arguments.edge, repeats))
    print(f"gyroid of {arguments.edge}^3, best of {arguments.rounds} rounds")
    print(f"{'program':17} {'triangles':>10} {'best ms':>9} {'median':>9} {'ratio':>7}")
    for who, taken in times.items():
        best, median = min(taken), sorted(taken)[len(taken) // 2]
        print(f"{who:17} {triangles[who]:10} {best:9.1f} {median:9.1f} {best / min(times['Scanloupe']):7.2f}")


if __name__ == "__main__":
    main()
