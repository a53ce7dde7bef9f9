"""Runs scanloupe-cli with every kind of JSON output, including failed runs, and validates each output against its schema.

check_outputs.py CLI SCHEMAS FOLDER; exits with 77 if the module jsonschema is missing.
"""
import json
import os
import pathlib
import subprocess
import sys
import time

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

CLI, SCHEMAS, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
seen_codes, seen_schemas = set(), set()


def schemas():
    loaded = {}
    for file in sorted(SCHEMAS.glob("*.schema.json")):
        schema = json.loads(file.read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["$id"] == file.name, file
        assert "--json FILE" not in schema["title"], file  # the file name after --json is optional
        name, version = file.name.removesuffix(".schema.json").rsplit("-", 1)
        loaded[f"scanloupe/{name}/{version}"] = jsonschema.Draft202012Validator(schema)
    return loaded


KNOWN = schemas()


def check(text, expected):
    """Validates a document, or each of a list, against the schema that it names."""
    document = json.loads(text)
    schema = next(name for name in KNOWN if name.split("/")[1] == expected)
    for one in document if isinstance(document, list) else [document]:
        assert one["schema"] == schema, (one.get("schema"), expected)
    KNOWN[schema].validate(document)
    seen_schemas.add(schema)
    return document


def run(*arguments, code=0, expected=None, stdin=None):
    process = subprocess.run([CLI, *map(str, arguments)], capture_output=True, input=stdin, timeout=600)
    assert process.returncode == code, (arguments, process.returncode, process.stderr.decode())
    seen_codes.add(process.returncode)
    if expected:
        document = check(process.stdout, expected)
        if expected == "error":
            assert document["exit_code"] == code, document
        return document
    return process.stdout


def file_of(path, expected):
    return check((FOLDER / path).read_text(), expected)


scan, drive = FOLDER / "scan.ply", FOLDER / "drive"
run("synth", scan, "--points", 20000, "--json", expected="synth")
drive.mkdir()
made = run("synth", drive / "f.ply", "--frames", 3, "--points", 8000, "--poses", FOLDER / "truth.txt", "--json",
           expected="synth")
assert len(made["files"]) == 3
made = run("synth", FOLDER / "sweep.pcd", "--sensor", "vlp16", "--pose", "0,0,1.8,0", "--pose", "1,0,1.8,0", "--poses",
           FOLDER / "sweeps.txt", "--json", expected="synth")
assert len(made["files"]) == len(made["points_of_files"]) == 2

one = run("run", scan, "--json", "--mesh", FOLDER / "m.ply", "--mesh", FOLDER / "m.stl", "--voxels", FOLDER / "v.npz",
          "--voxels", FOLDER / "v.csv", "--dense-voxels", FOLDER / "d.npy", "--image", FOLDER / "p.png", "--size",
          "64x64", "--save-recipe", FOLDER / "r.json", "--timings", FOLDER / "t.json", expected="run")
assert [o["kind"] for o in one["outputs"]] == [
    "mesh", "mesh", "voxels", "voxels", "dense", "picture", "recipe"], one["outputs"]
assert one["stages"]["voxelize"]["counts"]["voxels"] == one["voxels"] and "quality" in one
assert file_of("t.json", "run")["voxels"] == one["voxels"]
file_of("r.json", "recipe")
voxels = run("run", scan, "--stages", "voxels", "--json", expected="run")
assert set(voxels["stages"]) == {"read", "upload", "voxelize"}, voxels["stages"].keys()
assert voxels["recipe"]["field"] == "auto" and voxels["recipe"]["voxel_size"] != "auto"
assert set(run("run", scan, "--stages", "field", "--json", expected="run")["stages"]) == {
    "read", "upload", "voxelize", "field"}
tiles = run("run", scan, "--tiles", FOLDER / "tiles", "--tile-size", 5, "--voxel-size", 0.4, "--json", expected="tiles")
assert tiles == file_of("tiles/manifest.json", "tiles")
assert len(tiles["tiles"]) > 1 and sum(tile["points"] for tile in tiles["tiles"]) == tiles["points"] > 0
# the folder contains another job
run("run", scan, "--json", "--tiles", FOLDER / "tiles", "--voxel-size", 0.5, code=2, expected="error")
run("run", scan, "--json", "--tiles", FOLDER / "tiles", "--voxel-size", 0.4, "--mesh", FOLDER / "m2.ply", code=2,
    expected="error")
valued = run("run", scan, "--tiles", FOLDER / "valued", "--tile-size", 5, "--voxel-size", 0.4, "--tile-attributes",
             "intensity", "--tile-voxels", "las", "--min-component-triangles", 50, "--json", expected="tiles")
assert valued == file_of("valued/manifest.json", "tiles")
assert valued["clean_up"]["removed_triangles"] + valued["triangles"] == tiles["triangles"], valued["clean_up"]
assert [a["name"] for a in valued["values"]["attributes"]] == ["intensity"]
assert all((FOLDER / "valued" / tile["voxel_file"]["path"]).is_file() for tile in valued["tiles"] if tile["voxels"])
run("run", scan, "--json", "--tiles", FOLDER / "none", "--voxel-size", 0.4, "--tile-attributes", "nothing", code=2,
    expected="error")
frames = run("run", drive, "--stages", "voxels", "--json", expected="frames")
assert len(frames["frames"]) == 3 and "voxelize" in frames["stages"]
(drive / "broken.ply").write_bytes(b"ply\nformat ascii 1.0\n")
(drive / "notes.txt").write_text("not a scan\n")
(drive / "calib.json").write_text("{}\n")
broken = run("run", drive, "--json", "--timings", FOLDER / "broken.json", code=2, expected="frames")
assert [("error" in f) for f in broken["frames"]].count(True) == 1, broken["frames"]
file_of("broken.json", "frames")
assert len(run("info", drive, "--json", code=2, expected="info")) == 3
(drive / "broken.ply").unlink()
assert len(run("info", drive, "--json", expected="info")) == 3
nowhere = ["--range=900,900,900,901,901,901", "--voxel-size", 1]
empty = run("run", drive, "--json", "--stages", "voxels", *nowhere, "--voxels", FOLDER / "nowhere.csv", expected="frames")
assert [frame["voxels"] for frame in empty["frames"]] == [0, 0, 0], empty["frames"]
assert len((FOLDER / "nowhere_f_0002.csv").read_text().splitlines()) == 1  # only the header with column names
assert run("run", drive, "--json", *nowhere, "--voxels", FOLDER / "all.csv", expected="frames")["frames"][0]["voxels"] == 0
run("run", drive, "--json", *nowhere, "--mesh", FOLDER / "nowhere.ply", code=2, expected="frames")
far = run("align", drive, "--json", code=4, expected="align")
# the frames are 9 m apart, too far for an alignment without a search
assert [one["placed"] for one in far["scans"]] == [True, False, False], far["scans"]
close = FOLDER / "close"
close.mkdir()
run("synth", close / "f.ply", "--frames", 30, "--points", 16000, "--json", expected="synth")
near = run("align", close / "f_0001.ply", close / "f_0002.ply", "--json", expected="align")
assert [one["verdict"]["word"] for one in near["scans"]] == ["right", "right"], near["scans"]
run("align", drive / "f_0001.ply", "--json", code=2, expected="error")
run("info", scan, "--json", expected="info")
run("info", "-", "--json", stdin=scan.read_bytes(), expected="info")
run("info", FOLDER / "none.ply", "--json", code=2, expected="error")
run("convert", scan, FOLDER / "c.pcd", "--json", expected="convert")
run("convert", scan, FOLDER / "c.abc", "--json", code=2, expected="error")
run("convert", scan, "ply:-", "--json", code=2, expected="error")
run("run", scan, "--json", "--voxel-size", "-1", code=2, expected="error")
run("run", scan, "--json", "--voxel-sise", "1", code=2, expected="error")
run("run", scan, "--json", "--stages", "voxels", "--mesh", FOLDER / "m2.ply", code=2, expected="error")
run("rum", scan, "--json", code=2, expected="error")
run("synth", FOLDER / "s.ply", "--points", 1, "--json", code=2, expected="error")
run("recipe", expected="recipe")
run("recipe", scan, expected="recipe")
assert check(run("recipe", "--camera=0,-10,2,0,0,0,45"), "recipe")["camera"]["eye"] == [0, -10, 2]
run("doctor", "--json", expected="doctor")

run("compare", scan, FOLDER / "m.ply", "--json", FOLDER / "plain.json")
assert "worst" not in file_of("plain.json", "compare")
run("compare", scan, FOLDER / "m.stl", "--tolerance", 0.001, "--json", FOLDER / "judged.json", code=3)
judged = file_of("judged.json", "compare")
assert not judged["accepted"] and judged["worst"] and judged["points"] == 20000, judged["points"]
assert check(run("compare", scan, FOLDER / "m.ply", "--tolerance", 100, "--json", "-"), "compare")["accepted"]
run("compare", scan, scan, "--local-model", "none", "--json", FOLDER / "itself.json")
itself = file_of("itself.json", "compare")
assert itself["reference"]["kind"] == "scan" and itself["largest"] == 0
(FOLDER / "pairs.txt").write_text("# scan, reference\n0 0 0 1 0 0\n1,0,0,2,0,0\n0;1;0;1;1;0\n")
run("compare", scan, scan, "--pairs", FOLDER / "pairs.txt", "--json", FOLDER / "picked.json")
assert file_of("picked.json", "compare")["motion"][0][3] == 1
(FOLDER / "bad.txt").write_text("0 0 0 1 0\n")
run("compare", scan, scan, "--pairs", FOLDER / "bad.txt", code=2)
run("mesh-distance", FOLDER / "m.ply", FOLDER / "m.stl", "--samples", 1000, "--json", FOLDER / "both.json")
assert file_of("both.json", "mesh-distance")["hausdorff"] < 1e-5
run("compare", scan, FOLDER / "m.ply", "--fit", "--json", FOLDER / "fitted.json")
assert file_of("fitted.json", "compare")["fit"]["share"] > 0.5
run("change", scan, scan, "--places", 500, "--json", FOLDER / "change.json")
change = file_of("change.json", "change")
assert abs(change["mean"]) < 1e-9 and change["volume"]["net"]["volume"] == 0

temporary = FOLDER / "tmp"
temporary.mkdir()
in_temporary = {"env": {**os.environ, "TMPDIR": str(temporary)}, "stdout": subprocess.PIPE}


def wait_for_pipe():
    process = subprocess.Popen([CLI, "info", "-", "--json"], stdin=subprocess.PIPE, **in_temporary)
    while not list(temporary.glob("scanloupe-*/stdin")):  # until the program waits for data from the pipe
        time.sleep(0.01)
    return process


stopped = wait_for_pipe()
stopped.terminate()
assert check(stopped.stdout.read(), "error")["exit_code"] == 130
assert stopped.wait() == 130 and not list(temporary.iterdir())
seen_codes.add(130)
killed = wait_for_pipe()
killed.kill()
killed.wait()
assert len(list(temporary.iterdir())) == 1  # the next command removes this folder, but not those of other programs
(temporary / "scanloupe-abcdef").mkdir()
(temporary / "scanloupe-abcdef" / "stdin").write_text("of another program")
subprocess.run([CLI, "info", "-"], input=scan.read_bytes(), check=True, **in_temporary)
assert [path.name for path in temporary.rglob("*")] == ["scanloupe-abcdef", "stdin"]

of_window = {"scanloupe/project/1", "scanloupe/history/1"}  # check_kept_documents.py checks these
missing = set(KNOWN) - seen_schemas - of_window
assert not missing, f"no output was checked against {missing}"
assert {0, 2, 4, 130} <= seen_codes, seen_codes
print(f"{len(seen_schemas)} schemas hold; exit codes {sorted(seen_codes)}")
