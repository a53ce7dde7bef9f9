"""Writes and runs a survey for the scripts that run tiles with mpirun, and returns the checksum of its surface."""
import json
import os
import shutil
import subprocess
import time

import numpy

ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1",  # for Open MPI 4; the next line is for Open MPI 5
                   PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe")


def write_survey(folder, parts, points, edge=10):
    """Writes hilly ground as adjacent parts of `edge` metres, each with a house."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    dice = numpy.random.default_rng(5)
    for part in range(parts):
        x, y = (dice.random(points) + part) * edge, dice.random(points) * 1.4 * edge
        inside = (x % edge < 0.4 * edge) & (y > 0.5 * edge) & (y < edge)
        z = numpy.sin(x / 7) + numpy.cos(y / 5) + numpy.where(inside, 3, 0) + dice.random(points) * 0.03
        header = (f"ply\nformat binary_little_endian 1.0\nelement vertex {points}\n"
                  "property float x\nproperty float y\nproperty float z\nend_header\n")
        with open(folder / f"part{part}.ply", "wb") as file:
            file.write(header.encode())
            file.write(numpy.stack([x, y, z], axis=1).astype("<f4").tobytes())


def tiles_command(cli, survey, out, size):
    return [str(cli), "run", str(survey), "--backend", "cpu", "--tiles", str(out), "--tile-size", str(size), "--voxel-size",
            "0.2", "--field", "density", "--iso", "100"]


def run(command, out, environment, goes_on=False):
    """Returns the checksum, the elapsed seconds, and the manifest. goes_on: resumes the job of an earlier run."""
    if not goes_on:
        shutil.rmtree(out, ignore_errors=True)
    started = time.monotonic()
    done = subprocess.run(command, env=environment, capture_output=True, timeout=300)
    assert done.returncode == 0, (command, done.returncode, done.stderr.decode())
    left = [path.name for path in out.rglob("*") if path.name.startswith(("scratch-", ".sl-"))]
    assert not left, left  # files of earlier, killed runs are removed as well
    manifest = json.loads((out / "manifest.json").read_text())
    return manifest["mesh_sha256"], time.monotonic() - started, manifest
