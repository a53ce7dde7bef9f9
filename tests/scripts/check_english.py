"""english_check.py finds the wording that it documents, names new hits, and its baseline only falls.

check_english.py PROJECT FOLDER. Writes small trees into FOLDER and runs the project's check on them.
"""
import pathlib
import subprocess
import sys

project, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]) / "tree"
tools = project / "tests" / "tools"
source = folder / "kernels" / "a.cpp"
script = folder / "packaging" / "a.sh"
baseline = folder / "tests" / "tools" / "english_baseline.txt"


def check(*options):
    run = subprocess.run([sys.executable, str(tools / "english_check.py"), str(folder), *options], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def expect(condition, what, *details):
    if not condition:
        sys.exit("\n".join([f"FAIL: {what}", *map(str, details)]))


def write(code):
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(code)


GOOD = """// Sums of points in cells.
int sum = 0; // counts every point, including
             // that of the border
const char* url = "https://example.org"; // the address that `beside` documents
"""
baseline.parent.mkdir(parents=True)
write(GOOD)
code, out = check("--check")
expect(code and "missing" in out, "a missing baseline is an error", out)
code, out = check("--update")
expect(code == 0 and "comments" not in baseline.read_text(), "good comments are no hits; quotes and continuations do not count", out,
       baseline.read_text())
expect(check("--check") == (0, ""), "a tree without hits passes in silence", check("--check"))

# each kind of hit fails, and its file and line are reported
for kind, text, place in (
    ("comments", "int x = 1; // of which the nearest few are taken\n", "kernels/a.cpp:5"),
    ("comments", "// The device tells the number.\nint x = 1;\n", "kernels/a.cpp:5"),
    ("comments", "int f(int a, // a count\n      int b);\n// Computed anew.\n", "kernels/a.cpp:7"),
    ("names", "constexpr int kMostCells = 3;\n", "kernels/a.cpp:5"),
    ("texts", 'const char* t = "this value can\'t be taken "\n                "at all";\n', "kernels/a.cpp:5"),
):
    write(GOOD + text)
    code, out = check("--check")
    expect(code == 1 and place in out and f"{kind}: 1 hits" in out, f"a new hit in {kind} fails and is named", text, out)
    code, out = check("--update")
    expect(code == 1 and kind not in baseline.read_text(), "--update does not raise the baseline", out)
write(GOOD)
script.parent.mkdir()
script.write_text("# Files lie beside it.\necho\n")
code, out = check("--check")
expect(code == 1 and "packaging/a.sh:1" in out, "comments of scripts count", out)
script.unlink()
page = folder / "README.md"
page.write_text("# Title\n\nWrong values are told.\n")
code, out = check("--check")
expect(code == 1 and "README.md:3" in out, "paragraphs of documents count", out)
page.unlink()

# moved and reflowed hits are recognised; a lower number of hits lowers the baseline, which then stays low
baseline.unlink()
write("// The device tells\n// the number.\nint x;\n// Computed anew.\nint y;\n")
expect(check("--update")[0] == 0, "the first baseline holds all hits")
source.unlink()
source = folder / "engine" / "b.cpp"
write("int x;\n\n// The device tells the number.\nint y;\n// Computed anew.\n")
expect(check("--check") == (0, ""), "moved and reflowed comments are known", check("--check"))
write("int x;\n// Computed anew.\n")
code, out = check("--check")
expect(code == 0 and "--update" in out, "fewer hits pass with a hint", out)
expect(check("--update")[0] == 0, "--update lowers the baseline")
write("int x;\n// Computed anew.\nint y; // Computed anew.\n")
code, out = check("--check")
expect(code == 1 and "engine/b.cpp:3" in out and "engine/b.cpp:2" not in out, "a second copy of a known hit is new", out)

# a seed always gives the same samples, with file, line and code
run = [sys.executable, str(tools / "sample_comments.py"), str(folder), "--count", "1", "--seed"]
first, again = (subprocess.run([*run, "1"], capture_output=True, text=True, check=True).stdout for _ in range(2))
expect(first == again and "1 of 2 comments" in first and "engine/b.cpp:" in first, "samples repeat", first)
print("english_check.py finds, names and only lowers")
