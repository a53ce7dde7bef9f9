#!/usr/bin/env python3
"""Counts wording that readers stumble over, and keeps it from coming back.

    english_check.py [ROOT] [--list [GROUP]]   hits of each group; --list prints them with the words that matched
    english_check.py [ROOT] --check            fails when a group has more hits than the baseline, naming the new ones
    english_check.py [ROOT] --update           lowers the baseline to the hits of now; refuses to raise it

ROOT is the project's folder (default: the one that holds this file). The groups:
    texts     string literals of four words or more in product code: labels, errors, help
    prose     paragraphs and table rows of the Markdown documents
    comments  comment blocks of C++ and CUDA sources, trailing comments with their continuation lines
    scripts   comments and docstrings of Python, shell and CMake files
    names     identifiers that contain a word which the trade does not use

A hit is a place to look at, not a verdict: some uses are right. The baseline, english_baseline.txt next to this file, has
for each file the digests of its hits, so that moved or reflowed text is not new. `# reason` in EXCEPTIONS below
documents each use that is right everywhere.
"""
import argparse
import collections
import hashlib
import os
import pathlib
import re
import sys

GROUPS = ("texts", "prose", "comments", "scripts", "names")
FOLDERS = ("kernels", "engine", "gui", "tests", "packaging", "resources")
SOURCES = (".h", ".cpp", ".cu", ".cuh")
# kept variants of benchmarks are not maintained; the check and its test quote what they look for
SKIPPED = ("tests/bench/variants", "tests/tools/english_check.py", "tests/scripts/check_english.py")

WORDS = re.compile(
    r"\b(tells?|told|people|anew|goes on|go on|going on|so many|nobody|beside|mend(s|ed)?|as ever|"
    r"of (its|their|his|one's) own|by SYCL|is there already|can't be taken|can't be had|could not be had|"
    r"takes? over|and none is|such ones?|of before|thereby|hence|"
    r"what (is|was|are|were|has|had|it|they|this|that) |that which)\b|"
    r"\b(one's|of whose|to be had|(is|are|was|were) had|stands? (in(?! for)|there|here|behind)\b|"
    r"(?<!there )(?<!there'd )(is|are|was|were) none\b(?! of)|"
    r"(device|file|reader|kernel|driver|stage)s? (knows?|wants?|asks?))\b", re.I)
FRAGMENT = re.compile(
    r"^(which|(?i:of|that|behind|whose|and|but|than|or|nor|whence|so that|where it|if it|"
    r"(for|with|of|to|in|on|from|by|at|as) (which|whose|whom)))\s")
NAMES = re.compile(
    r"\b(k?[Mm]ost[A-Z]\w*|\w*(?:Told|Tells?|Beside|Anew|Mended|Whiskers?|Ban|Wish)\b|whiskers?\b|goes?On[A-Z]?\w*|"
    r"\w*Earlier[A-Z]?\w*|\w*[sS]ideBySide\w*)")

# uses that match above and are right everywhere, each with the reason
EXCEPTIONS = [
    re.compile(r"\btell(s|ing)? \w+( \w+){0,4} apart\b|\btold apart\b", re.I),  # standard for "distinguish"
    re.compile(r"^That (is|are|was|makes?|means?|would|takes?|keeps?|needs?)\b"),  # a subject with its verb
    re.compile(r"\band/or\b", re.I),  # a conjunction of two terms
    re.compile(r"`[^`]*`|\"[^\"]*\""),  # quoted names and texts are not the comment's words
]

STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
LITERAL_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:\\.[^\']{0,4}|[^\'\\])\'|(?<!:)//')
MARKER = re.compile(r"//[/!]?<?\s?")

Comment = collections.namedtuple("Comment", "path line text code")
Hit = collections.namedtuple("Hit", "path line text words")


def files(root):
    """Paths of the project's files relative to root, sorted, without build outputs and hidden folders."""
    found = [p.name for p in root.glob("*.md")] + [p.name for p in root.glob("CMakeLists.txt")]
    for folder in FOLDERS:
        for where, below, names in os.walk(root / folder):
            below[:] = [b for b in below if not b.startswith(".") and b not in ("build", "__pycache__")]
            found += [str((pathlib.Path(where) / name).relative_to(root)) for name in names]
    return sorted(f for f in found if not f.startswith(SKIPPED))


def comment_column(line):
    """The column of the line's `//`, or -1; slashes in literals do not count."""
    return next((m.start() for m in LITERAL_OR_COMMENT.finditer(line) if m.group() == "//"), -1)


def source_comments(path, text):
    """Comments of a C++ source: blocks of lines, and trailing comments joined with their continuation lines; without the
    ends of namespaces."""
    lines = text.split("\n")
    found, i = [], 0
    while i < len(lines):
        column = comment_column(lines[i])
        if column < 0:
            i += 1
            continue
        start, trailing = i, bool(lines[i][:column].strip())
        words = [MARKER.sub("", lines[i][column:], count=1).strip()]
        i += 1
        # the continuation of a trailing comment begins in its column; a block continues over all comment lines
        while i < len(lines) and re.match(r"\s*//", lines[i]) and (not trailing or comment_column(lines[i]) == column):
            words.append(MARKER.sub("", lines[i].strip(), count=1).strip())
            i += 1
        code = lines[start][:column] if trailing else next((s for s in lines[i:] if s.strip()), "")
        if not words[0].startswith("namespace "):
            found.append(Comment(path, start + 1, " ".join(w for w in words if w), code.strip()))
    return found


def script_comments(path, text):
    """Comments of a script, and docstrings of Python."""
    found, block, start = [], [], 0
    lines = text.split("\n")
    for i, line in enumerate(lines + [""], 1):
        alone = re.match(r"\s*#(?!!)\s?(.*)", line)
        if alone:
            start = start if block else i
            block.append(alone.group(1).strip())
            continue
        if block:
            found.append(Comment(path, start, " ".join(block), line.strip()))
            block = []
        trailing = re.search(r"\S\s+# (.*)", STRING.sub('""', line))
        if trailing:
            found.append(Comment(path, i, trailing.group(1).strip(), line.strip()))
    if path.endswith(".py"):
        for m in re.finditer(r'^\s*r?"""(.*?)"""', text, re.M | re.S):
            at = text.count("\n", 0, m.start(1)) + 1
            found.append(Comment(path, at, " ".join(m.group(1).split()), lines[at - 2].strip() if at > 1 else ""))
    return found


def comments(root):
    """All comments of C++ and CUDA sources of the tree."""
    return [c for f in files(root) if f.endswith(SOURCES) for c in source_comments(f, (root / f).read_text(errors="replace"))]


def paragraphs(path, text):
    at, fenced = 1, False
    for p in re.split(r"\n\s*\n", text):
        if not fenced and not p.lstrip().startswith("```"):
            rows = enumerate(p.split("\n")) if p.lstrip().startswith("|") else [(0, " ".join(p.split()))]
            yield from (Comment(path, at + k, row.strip(), "") for k, row in rows if row.strip())
        fenced ^= p.count("```") % 2 == 1
        at += p.count("\n") + 2


def without_exceptions(text):
    for e in EXCEPTIONS:
        text = e.sub("…", text)
    return text


def words_of(text, fragments):
    """What matches in a text, or an empty string."""
    rest = without_exceptions(text)
    match = WORDS.search(rest) or (fragments and len(text.split()) > 3 and FRAGMENT.search(rest))
    return match.group(0).strip() if match else ""


def collect(root):
    """Hits and the number of texts for each group."""
    hits = {g: [] for g in GROUPS}
    totals = collections.Counter()

    def look(group, rows, fragments=False):
        for row in rows:
            if len(row.text) > 12:
                totals[group] += 1
                if words := words_of(row.text, fragments):
                    hits[group].append(Hit(row.path, row.line, row.text, words))

    names = {}
    for f in files(root):
        if not f.endswith(SOURCES + (".md", ".py", ".sh", ".cmake", "CMakeLists.txt")):
            continue
        text = (root / f).read_text(errors="replace")
        if f.endswith(SOURCES):
            look("comments", source_comments(f, text), fragments=True)
            code = [line if (c := comment_column(line)) < 0 else line[:c] for line in text.split("\n")]
            for i, line in enumerate(code, 1):
                for n in NAMES.finditer(STRING.sub('""', line)):
                    names.setdefault(n.group(1), Hit(f, i, n.group(1), n.group(1)))
            if not f.startswith("tests/"):
                code = re.sub(r"^\s*#include.*$", "", "\n".join(code), flags=re.M)
                rows = []
                for m in TEXT.finditer(code):
                    t = "".join(s[1:-1] for s in STRING.findall(m.group()))
                    if len(t.split()) >= 4 and re.search(r"[a-z]{3}", t):
                        rows.append(Comment(f, code.count("\n", 0, m.start()) + 1, t, ""))
                look("texts", rows)
        elif f.endswith(".md"):
            if not f.startswith("tests/"):
                look("prose", paragraphs(f, text))
        else:
            look("scripts", script_comments(f, text), fragments=True)
    hits["names"] = [names[n] for n in sorted(names)]
    return hits, totals


def digest(hit):
    return hashlib.sha1("".join(hit.text.split()).encode()).hexdigest()[:8]


def read_baseline(path):
    """Digests of the known hits for each group, or nothing where there is no baseline."""
    if not path.exists():
        return None
    known = {g: collections.Counter() for g in GROUPS}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            group, _, *digests = line.split()
            known[group].update(digests)
    return known


def write_baseline(path, hits):
    rows = ["# Known hits of english_check.py: group, file, digests. Written by --update, which only lowers the counts."]
    for group in GROUPS:
        by_file = collections.defaultdict(list)
        for hit in hits[group]:
            by_file[hit.path].append(digest(hit))
        rows += [f"{group} {f} {' '.join(by_file[f])}" for f in sorted(by_file)]
    path.write_text("\n".join(rows) + "\n")


def new_hits(hits, known):
    """For each group above its baseline the hits that the baseline does not have."""
    found = {}
    for group in GROUPS:
        if len(hits[group]) > known[group].total():
            left = collections.Counter(known[group])
            found[group] = []
            for hit in hits[group]:
                if left[digest(hit)] > 0:
                    left[digest(hit)] -= 1
                else:
                    found[group].append(hit)
    return found


def line_of(hit):
    return f"{hit.path}:{hit.line}: \"{hit.words}\" in: {hit.text[:150]}"


def main():
    here = pathlib.Path(__file__).resolve().parent
    ask = argparse.ArgumentParser(description="Counts wording that readers stumble over; see the head of this file.")
    ask.add_argument("root", nargs="?", type=pathlib.Path, default=here.parent.parent)
    ask.add_argument("--list", nargs="?", const="all", choices=("all", *GROUPS))
    ask.add_argument("--check", action="store_true")
    ask.add_argument("--update", action="store_true")
    ask.add_argument("--baseline", type=pathlib.Path, help="default: tests/tools/english_baseline.txt of ROOT")
    args = ask.parse_args()
    baseline = args.baseline or args.root / "tests" / "tools" / "english_baseline.txt"
    hits, totals = collect(args.root)
    known = read_baseline(baseline)

    if args.check or args.update:
        if known is None and args.check:
            sys.exit(f"{baseline} is missing. Write it: python3 tests/tools/english_check.py --update")
        new = new_hits(hits, known) if known else {}
        for group, rows in new.items():
            for hit in rows:
                print(line_of(hit))
            print(f"{group}: {len(hits[group])} hits, but the baseline allows {known[group].total()}. "
                  "Reword the lines above: full sentences, standard terms (CONTRIBUTING.md, Words and style).")
        if new:
            sys.exit(1)
        if args.update:
            write_baseline(baseline, hits)
        elif lower := [g for g in GROUPS if len(hits[g]) < known[g].total()]:
            print(f"fewer hits than the baseline allows ({', '.join(lower)}); "
                  "lower it: python3 tests/tools/english_check.py --update")
        return
    for group in GROUPS:
        per = f" of {totals[group]} ({1000 * len(hits[group]) / totals[group]:.0f} per 1,000)" if totals[group] else ""
        print(f"{group}: {len(hits[group])}{per}")
        if args.list in ("all", group):
            for hit in hits[group]:
                print("  " + line_of(hit))


if __name__ == "__main__":
    main()
