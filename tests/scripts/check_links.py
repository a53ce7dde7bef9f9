"""Checks that all targets of links, anchors and pictures in the documents exist, and that the manual is complete.

check_links.py PROJECT. Follows the links of the documents in the project's folder and in resources/manual. Every page of the manual is
linked from its first one, and its pages and pictures are in the program's resources.
"""
import pathlib
import re
import sys

project = pathlib.Path(sys.argv[1]).resolve()
manual = project / "resources" / "manual"
wrong = []


def prose(page):
    """The page without code, in which brackets are not links."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(page):
    """Anchors of the headings, as GitHub and the window's headingAnchor() make them. Repeated headings are errors."""
    found = set()
    for heading in re.findall(r"^#{1,6} (.+)$", re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S), re.M):
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        if anchor in found:
            wrong.append(f"{page.relative_to(project)} has two headings {heading!r}")
        found.add(anchor)
    return found


pages = sorted(project.glob("*.md")) + sorted(manual.glob("*.md"))
pictures, links = set(), 0
for page in pages:
    name = page.relative_to(project)
    for is_picture, target in re.findall(r"(!?)\[[^\]]*\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"\w+:", target):
            continue
        links += 1
        path, _, anchor = target.partition("#")
        goal = (page.parent / path).resolve() if path else page
        if not goal.exists() or not goal.is_relative_to(project):
            wrong.append(f"{name}: {target} does not exist")
        elif anchor and anchor not in anchors(goal):
            wrong.append(f"{name}: {target} has no such heading")
        elif page.parent == manual and is_picture:
            pictures.add(goal.name)
        elif page.parent == manual and goal.parent != manual:
            wrong.append(f"{name}: {target} is not in the manual, so the window cannot show it")
for page in pages:
    anchors(page)

first = prose(manual / "manual.md")
resources = (project / "resources" / "resources.qrc").read_text(encoding="utf-8")
for page in manual.glob("*.md"):
    if f"({page.name})" not in first and page.name != "manual.md":
        wrong.append(f"manual.md does not list {page.name}")
    if f"<file>manual/{page.name}</file>" not in resources:
        wrong.append(f"resources.qrc lacks manual/{page.name}")
for picture in sorted(pictures):
    if f"<file>pictures/{picture}</file>" not in resources:
        wrong.append(f"resources.qrc lacks pictures/{picture}")

for line in sorted(set(wrong)):
    print(line)
assert links > 50 and pictures, f"only {links} links, {len(pictures)} pictures"
print(f"{links} links in {len(pages)} documents")
sys.exit(bool(wrong))
