#!/usr/bin/env python3
"""Prints the SHA-256 of what the program makes of real and of generated scans, a line each. A change of the code's shape
leaves every line as it is:

    python3 tests/support/output_digests.py build/release/bin/scanloupe-cli SCANS >before.txt
    python3 tests/support/output_digests.py build/release/bin/scanloupe-cli SCANS | diff before.txt -

SCANS is a folder of scans, or "-" for generated ones alone. --backend cuda compares what a GPU makes.

Of each file in SCANS: what `info --json` says, and mesh, voxels, picture and counts of a run with everything chosen from
the data; refusals with their words. Of generated scenes: also each field, picture and export format, clean-up, decimation,
conversions and an alignment. Times, memory and thread counts are left out.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SECONDS = 600  # a run that takes longer has failed
LEFT_OUT = ("_ms", "bytes", "_bytes", "memory", "threads", "device", "version")
SCENES = {"street": 200_000, "room": 200_000, "bumpy": 100_000}
FIELDS = ("occupancy", "density", "distance")
PICTURES = ("mesh", "voxels", "points")
MESHES = ("ply", "stl", "obj", "glb")
VOXELS = ("ply", "csv", "npy")
CLOUDS = ("ply", "pcd", "las", "laz", "csv", "xyz", "bin")


def without_times(value):
    """JSON without what differs from run to run."""
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if not k.endswith(LEFT_OUT)}
    if isinstance(value, list):
        return [without_times(v) for v in value]
    return value


def digest(data):
    return hashlib.sha256(data).hexdigest()


class Digests:
    def __init__(self, program, scans, backend):
        self.program, self.scans, self.backend = program, scans, backend

    def call(self, folder, *arguments):
        """Runs the program in `folder`, so that no machine's paths come into its words."""
        try:
            done = subprocess.run([self.program, *map(str, arguments)], cwd=folder, capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return None, b"", b"took too long"
        return done.returncode, done.stdout, done.stderr

    def run(self, folder, out, name, scan, *options, mesh="ply", voxels="ply"):
        """Lines of a run's files, `out` being an empty folder for them."""
        files = {"mesh": out / f"mesh.{mesh}", "voxels": out / f"voxels.{voxels}", "image": out / "picture.png"}
        timings = out / "timings.json"
        arguments = ["run", scan, "--backend", self.backend, "--samples", 2, *options, "--timings", timings]
        for option, path in files.items():
            arguments += [f"--{option}", path]
        code, _, words = self.call(folder, *arguments)
        if code != 0:
            words = words.replace(os.fsencode(out), b"OUT")
            return [f"{digest(words)}  {name}: run refused ({code})"]
        lines = [f"{digest(path.read_bytes())}  {name}: {option}" for option, path in files.items() if path.exists()]
        counts = without_times(json.loads(timings.read_bytes()))
        return lines + [f"{digest(json.dumps(counts, sort_keys=True).encode())}  {name}: counts"]

    def scan(self, path):
        name = path.relative_to(self.scans)
        code, said, words = self.call(self.scans, "info", "--json", name)
        lines = [f"{digest(said + words)}  {name}: info ({code})"]
        with tempfile.TemporaryDirectory() as out:
            return lines + self.run(self.scans, pathlib.Path(out), name, name)

    def scene(self, scene, points):
        lines = []
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made)

            def run(what, *options, **files):
                out = folder / "out"
                out.mkdir()
                lines.extend(self.run(folder, out, f"{scene} {what}", "scan.ply", *options, **files))
                for path in out.iterdir():
                    path.unlink()
                out.rmdir()

            self.call(folder, "synth", "scan.ply", "--scene", scene, "--points", points)
            lines.append(f"{digest((folder / 'scan.ply').read_bytes())}  {scene}: synth")
            for field in FIELDS:
                run(f"field {field}", "--field", field)
            for picture in PICTURES:
                run(f"picture of {picture}", "--show", picture, "--colour-by", "intensity")
            for mesh in MESHES:
                run(f"mesh {mesh}", mesh=mesh)
            for voxels in VOXELS:
                run(f"voxels {voxels}", voxels=voxels)
            run("clean-up", "--min-component-triangles", 100, "--decimate-to", 5000, "--quality", "all")
            for cloud in CLOUDS:
                target = folder / f"converted.{cloud}"
                code, _, _ = self.call(folder, "convert", "scan.ply", target.name)
                lines.append(f"{digest(target.read_bytes()) if code == 0 else code}  {scene}: convert to {cloud}")
        return lines

    def drive(self):
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made)
            frames = folder / "frames"
            frames.mkdir()
            self.call(folder, "synth", "frames/f.ply", "--frames", 6, "--points", 30_000)
            code, _, words = self.call(folder, "align", "frames", "--backend", self.backend, "--poses", "poses.txt",
                                       "--merged", "merged.ply")
            if code != 0:
                return [f"{digest(words)}  drive: align refused ({code})"]
            return [f"{digest((folder / file).read_bytes())}  drive: {file}" for file in ("poses.txt", "merged.ply")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="scanloupe-cli")
    parser.add_argument("scans", help='a folder of scans, or "-"')
    parser.add_argument("--backend", choices=("cpu", "cuda"), default="cpu")
    chosen = parser.parse_args()
    scans = None if chosen.scans == "-" else pathlib.Path(chosen.scans).resolve()
    digests = Digests(chosen.program.resolve(), scans, chosen.backend)
    files = sorted(p for p in scans.rglob("*") if p.is_file() and p.suffix != ".tsv") if scans else []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = [pool.submit(digests.scan, file) for file in files]
        tasks += [pool.submit(digests.scene, *scene) for scene in SCENES.items()] + [pool.submit(digests.drive)]
        for task in tasks:
            print("\n".join(task.result()), flush=True)


if __name__ == "__main__":
    sys.exit(main())
