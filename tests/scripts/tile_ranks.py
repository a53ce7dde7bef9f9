"""Runs a survey in tiles by mpirun, with ranks that are killed, and compares the checksums of its surface.

tile_ranks.py CLI FOLDER [KILLS]; ends with 77 where mpirun or numpy is missing.
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

try:
    import tile_survey
except ImportError:
    print("python3-numpy is not installed")
    sys.exit(77)

CLI, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 3
if not shutil.which("mpirun") or not (pathlib.Path(CLI).parent / "scanloupe-mpi.so").exists():
    print("there is no mpirun, or this build has no MPI")
    sys.exit(77)
ENVIRONMENT = dict(tile_survey.ENVIRONMENT, OMPI_MCA_btl="self,vader", OMPI_MCA_plm_rsh_agent="")
random.seed(os.environ.get("SCANLOUPE_SEED", "7"))


def command(out, size, ranks):
    launcher = ["mpirun", "-n", str(ranks)] if ranks else []
    return launcher + tile_survey.tiles_command(CLI, FOLDER / "survey", out, size)


def run(out, size, ranks=0, goes_on=False):
    return tile_survey.run(command(out, size, ranks), out, ENVIRONMENT, goes_on)


def ranks_of(launcher):
    """The processes that mpirun has started."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, fields = stat.read_text().rsplit(")", 1)
        except OSError:
            continue
        if int(fields.split()[1]) == launcher and "scanloupe" in name:
            found.append(int(stat.parent.name))
    return found


tile_survey.write_survey(FOLDER / "survey", 6, 60_000)
expected, alone, manifest = run(FOLDER / "one", 1000)
assert manifest["triangles"] > 10_000 and len(manifest["tiles"]) == 1
for size in (3, 8, 25):
    for ranks in (0, 1, 2, 4):
        found, took, manifest = run(FOLDER / f"r{ranks}s{size}", size, ranks)
        assert found == expected, (size, ranks)
        print(f"tiles of {size} m, {ranks} ranks: {len(manifest['tiles'])} tiles, {took:.2f} s, "
              f"{manifest['run']['points_read']} points read")
took = run(FOLDER / "timed", 3, 3)[1]
survived = 0
for kill in range(KILLS):
    out = FOLDER / f"k{kill}"
    shutil.rmtree(out, ignore_errors=True)
    job = subprocess.Popen(command(out, 3, 3) + ["--tile-memory", "0.0005"], env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    time.sleep(random.random() * took)
    ranks = ranks_of(job.pid)
    if ranks:
        try:
            os.kill(random.choice(ranks), signal.SIGKILL)
        except ProcessLookupError:
            pass  # the process has just ended
    survived += job.wait(timeout=300) == 0
    scratch = len(list(out.glob("scratch-*")))  # the next run removes them
    found, _, manifest = run(out, 3, 2, goes_on=True)
    assert found == expected, kill
    print(f"kill {kill}: {manifest['run']['tiles_before']} of {len(manifest['tiles'])} tiles were there, {scratch} scratch folders")
print(f"{KILLS} kills, {survived} of them too late; one process alone took {alone:.2f} s")
