#!/usr/bin/env python3
"""Draws the rooms of the layers gui, engine and kernels, and the includes between them, as an SVG.

draw_rooms.py [--check]   writes resources/pictures/rooms.svg; --check fails where the stored picture differs, and writes nothing

A room is a folder of a layer, with the folders in it. An arrow leads from a room to one that it includes; arrows that follow from
others are left out, and so are those between layers. A room stands as far below the top as the longest chain of arrows to it. Nested
folders include each other in one direction only (test_arrows), but the rooms that hold them may include each other: of such a cycle,
the arrows with the fewest includes are drawn dashed.
"""
import collections
import pathlib
import re
import sys

LAYERS = {"gui": "#d7e6f5", "engine": "#dcefd9", "kernels": "#f7e3cc"}
SOURCES = {".h", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
LETTER, PADDING, HEIGHT, GAP, ROW, MARGIN = 8.0, 12, 30, 26, 60, 24
TOP = pathlib.Path(__file__).resolve().parents[2]
PICTURE = TOP / "resources/pictures/rooms.svg"


def room_of(path):
    """The room of a file, by its path from the top of the tree; None for a file outside the rooms."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] in LAYERS and len(parts) > 2 else None


def read_includes():
    """All rooms, and the number of includes for each pair of rooms in a layer."""
    rooms, includes = set(), collections.Counter()
    for layer in LAYERS:
        for file in sorted((TOP / layer).rglob("*")):
            room = room_of(file.relative_to(TOP).as_posix())
            if file.suffix not in SOURCES or not room:
                continue
            rooms.add(room)
            for name in INCLUDE.findall(file.read_text(errors="replace")):
                other = room_of(name)
                if other and other != room and other.startswith(layer + "/") and (TOP / name).is_file():
                    includes[room, other] += 1
    return sorted(rooms), includes


def reached(arrows):
    """The rooms that each room reaches by one or more arrows."""
    nexts = collections.defaultdict(set)
    for a, b in arrows:
        nexts[a].add(b)
    found = {}
    for room in nexts:
        seen, waiting = set(), [room]
        while waiting:
            new = nexts.get(waiting.pop(), set()) - seen
            seen |= new
            waiting += new
        found[room] = seen
    return found


def without_cycles(includes):
    """The arrows without cycles, and those that were removed: the ones with the fewest includes."""
    arrows, removed = dict(includes), []
    while True:
        reach = reached(arrows)
        in_cycle = [arrow for arrow in arrows if arrow[0] in reach.get(arrow[1], ())]
        if not in_cycle:
            return sorted(arrows), sorted(removed)
        removed.append(min(in_cycle, key=lambda arrow: (arrows[arrow], arrow)))
        del arrows[removed[-1]]


def reduced(arrows):
    """The arrows that do not follow from others."""
    reach = reached(arrows)
    nexts = collections.defaultdict(set)
    for a, b in arrows:
        nexts[a].add(b)
    return [(a, b) for a, b in arrows if not any(b in reach.get(other, ()) for other in nexts[a])]


def levels_of(rooms, arrows):
    """The length of the longest chain of arrows to each room."""
    levels = dict.fromkeys(rooms, 0)
    for _ in rooms:
        for a, b in arrows:
            levels[b] = max(levels[b], levels[a] + 1)
    return levels


def ordered_rows(levels, arrows):
    """Rows of rooms, and of bends ("", a, b, level) where an arrow passes a row, with few crossings."""
    rows = [[] for _ in range(max(levels.values()) + 1)]
    for room in sorted(levels):
        rows[levels[room]].append(room)
    links = collections.defaultdict(list)
    chains = {}
    for a, b in arrows:
        chain = [a] + [("", a, b, level) for level in range(levels[a] + 1, levels[b])] + [b]
        for bend in chain[1:-1]:
            rows[bend[3]].append(bend)
        for upper, lower in zip(chain, chain[1:]):
            links[upper].append(lower)
            links[lower].append(upper)
        chains[a, b] = chain
    place = {}
    def count(row):
        for i, node in enumerate(row):
            place[node] = (i + 0.5) / len(row)
    for row in rows:
        count(row)
    for sweep in range(24):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            row.sort(key=lambda node: (sum(place[other] for other in links[node]) / len(links[node])
                                       if links[node] else place[node], str(node)))
            count(row)
    return rows, chains, links


def width_of(node):
    return len(node.split("/")[1]) * LETTER + 2 * PADDING if isinstance(node, str) else 4


def places_of(rows, links):
    """The centre of each node: rows are spread so that nodes stand below those that they are linked to."""
    x = {}
    for row in rows:
        at = 0.0
        for node in row:
            x[node] = at + width_of(node) / 2
            at += width_of(node) + GAP
        for node in row:
            x[node] -= (at - GAP) / 2
    for sweep in range(40):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = [sum(x[other] for other in links[node]) / len(links[node]) if links[node] else x[node] for node in row]
            ahead, back = wanted[:], wanted[:]
            for i in range(1, len(row)):
                ahead[i] = max(ahead[i], ahead[i - 1] + (width_of(row[i - 1]) + width_of(row[i])) / 2 + GAP)
            for i in range(len(row) - 2, -1, -1):
                back[i] = min(back[i], back[i + 1] - (width_of(row[i]) + width_of(row[i + 1])) / 2 - GAP)
            for node, left, right in zip(row, back, ahead):
                x[node] = (left + right) / 2
    return x


def curve(points):
    """A smooth path through points, vertical at each."""
    path = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
    for (ax, ay), (bx, by) in zip(points, points[1:]):
        middle = (ay + by) / 2
        path += f" C{ax:.1f},{middle:.1f} {bx:.1f},{middle:.1f} {bx:.1f},{by:.1f}"
    return path


def draw():
    rooms, includes = read_includes()
    bands = []
    for layer in LAYERS:
        own = [room for room in rooms if room.startswith(layer + "/")]
        arrows, against = without_cycles({pair: n for pair, n in includes.items() if pair[0] in own})
        shown = reduced(arrows)
        rows, chains, links = ordered_rows(levels_of(own, arrows), shown)
        bands.append((layer, rows, chains, against, places_of(rows, links)))
    left = {layer: min(x[node] - width_of(node) / 2 for node in x) for layer, _, _, _, x in bands}
    wide = {layer: max(x[node] + width_of(node) / 2 for node in x) - left[layer] for layer, _, _, _, x in bands}
    width = max(wide.values()) + 2 * MARGIN
    body, top = [], 8.0
    for layer, rows, chains, against, x in bands:
        height = len(rows) * ROW + 34
        body.append(f'<rect x="4" y="{top:.0f}" width="{width - 8:.0f}" height="{height}" rx="8" fill="{LAYERS[layer]}"/>')
        body.append(f'<text x="16" y="{top + 22:.0f}" class="layer">{layer}</text>')
        y = {node: top + 54 + i * ROW for i, row in enumerate(rows) for node in row}
        at = {node: x[node] - left[layer] + (width - wide[layer]) / 2 for node in x}
        for (a, b), chain in sorted(chains.items()):
            points = [(at[a], y[a] + HEIGHT / 2)]
            for bend in chain[1:-1]:
                points += [(at[bend], y[bend] - HEIGHT / 2), (at[bend], y[bend] + HEIGHT / 2)]
            points.append((at[b], y[b] - HEIGHT / 2 - 2))
            body.append(f'<path d="{curve(points)}" marker-end="url(#head)"><title>{a} includes {b}</title></path>')
        for a, b in against:
            side = 1 if at[b] >= at[a] else -1
            ends = (at[a] + side * width_of(a) / 4, y[a] - HEIGHT / 2, at[b] - side * width_of(b) / 4, y[b] + HEIGHT / 2 + 2)
            if y[a] == y[b]:
                ends = (at[a], y[a] + HEIGHT / 2, at[b], y[b] + HEIGHT / 2 + 2)
            body.append(f'<path class="against" d="M{ends[0]:.1f},{ends[1]:.1f} L{ends[2]:.1f},{ends[3]:.1f}" '
                        f'marker-end="url(#head)"><title>{a} includes {b}</title></path>')
        for row in rows:
            for room in row:
                if isinstance(room, str):
                    body.append(f'<rect class="room" x="{at[room] - width_of(room) / 2:.1f}" '
                                f'y="{y[room] - HEIGHT / 2:.1f}" width="{width_of(room):.1f}" height="{HEIGHT}" rx="5"/>')
                    body.append(f'<text x="{at[room]:.1f}" y="{y[room] + 5:.1f}" class="name">{room.split("/")[1]}</text>')
        top += height + 10
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{top:.0f}" viewBox="0 0 {width:.0f} {top:.0f}">',
        "<!-- made by tests/tools/draw_rooms.py -->",
        "<style>text{font:14px 'DejaVu Sans',Verdana,sans-serif;fill:#222}.name{text-anchor:middle}.layer{font-weight:bold}"
        "path{fill:none;stroke:#556;stroke-width:1.2}.against{stroke:#a33;stroke-dasharray:4 3}"
        ".room{fill:#fff;stroke:#556}</style>",
        '<defs><marker id="head" markerWidth="8" markerHeight="8" refX="6" refY="3" orient="auto">'
        '<polygon points="0,0 7,3 0,6" fill="#556"/></marker></defs>',
        f'<rect width="{width:.0f}" height="{top:.0f}" fill="#fff"/>', *body, "</svg>", ""])


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    picture = draw()
    if not sys.argv[1:]:
        PICTURE.write_text(picture)
    elif not PICTURE.is_file() or PICTURE.read_text() != picture:
        sys.exit(f"{PICTURE.relative_to(TOP)} does not show the includes of the sources. "
                 "Run: python3 tests/tools/draw_rooms.py")
