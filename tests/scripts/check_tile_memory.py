"""Compares the memory forecast of jobs in tiles with the memory that they use.

check_tile_memory.py CLI FOLDER runs some jobs; check_tile_memory.py CLI --all FOLDER runs forty, with different voxel sizes,
tile sizes and numbers of ranks. Prints a table, and fails if a job uses more than its forecast, or less than 1/1.4 of it. It
compares the resident memory of the largest process; with several ranks, the forecast is that of each rank. Exits with 77 if
numpy is missing; without mpirun, it runs only jobs without ranks.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

# This process does not import numpy, because the peak memory of a child includes that of the process it was forked from.
CLI, FOLDER, ALL = sys.argv[1], pathlib.Path(sys.argv[-1]).resolve(), "--all" in sys.argv
PARTS, POINTS, EDGE = 6, 400_000, 10
LARGEST = 1.4
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",
                   OMPI_MCA_btl="self,vader", OMPI_MCA_plm_rsh_agent="")
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def write_survey(folder):
    code = ("import pathlib, sys, tile_survey; "
            f"tile_survey.write_survey(pathlib.Path(sys.argv[1]), {PARTS}, {POINTS}, {EDGE})")
    done = subprocess.run([sys.executable, "-c", code, str(folder)], cwd=pathlib.Path(__file__).parent)
    assert done.returncode == 0, "the survey could not be written"


def run(survey, voxel, tile, ranks):
    """The bytes that a job forecasts, and the bytes that it uses."""
    out = FOLDER / "job"
    shutil.rmtree(out, ignore_errors=True)
    iso = 0.3 * POINTS / (1.4 * EDGE * EDGE) / voxel  # a third of a voxel's density on the ground
    command = ["mpirun", "-n", str(ranks)] if ranks else []
    command += [CLI, "run", str(survey), "--backend", "cpu", "--tiles", str(out), "--tile-size", str(tile), "--voxel-size",
                str(voxel), "--field", "density", "--iso", f"{iso:.1f}"]
    with open(FOLDER / "log", "w+") as log:
        job = subprocess.Popen(command, stdout=log, stderr=log, env=ENVIRONMENT)
        _, status, usage = os.wait4(job.pid, 0)
        job.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        text = log.read()
    assert job.returncode == 0, (command, text)
    said = re.search(r"about ([0-9.]+) (B|KiB|MiB|GiB) of memory at most( in each of \d+ processes)?:", text)
    assert said and bool(said.group(3)) == (ranks > 1), text
    return float(said.group(1)) * UNITS[said.group(2)], usage.ru_maxrss << 10


def jobs():
    ranks = (0, 2) if shutil.which("mpirun") and (pathlib.Path(CLI).parent / "scanloupe-mpi.so").exists() else (0,)
    if not ALL:
        return [(0.4, 1000, 0), (0.2, 4, 0), (0.1, 10, ranks[-1]), (0.05, 20, 0), (0.03, 1000, 0)]
    return [(voxel, tile, n) for voxel in (0.4, 0.2, 0.1, 0.05, 0.03) for tile in (4, 10, 20, 1000) for n in ranks]


if subprocess.run([sys.executable, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode != 0:
    print("python3-numpy is not installed")
    sys.exit(77)
write_survey(FOLDER / "survey")
wrong = 0
print("voxel   tile  ranks   said MiB  taken MiB  ratio")
for voxel, tile, ranks in jobs():
    said, taken = run(FOLDER / "survey", voxel, tile, ranks)
    ratio = said / taken
    isRight = 1 <= ratio <= LARGEST
    wrong += not isRight
    print(f"{voxel:5} {tile:6} {ranks:6} {said / 2**20:10.0f} {taken / 2**20:10.0f} {ratio:6.2f}{'' if isRight else '  wrong'}",
          flush=True)
sys.exit(1 if wrong else 0)
