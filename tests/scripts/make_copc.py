"""Writes a generated scan of hilly ground and houses as COPC of any size, for trials with files larger than the memory.

make_copc.py FILE [--levels N=8] [--points P=60000] [--processes T]

Level L has 4^L nodes of P points each; with 8 levels there are 1.3 thousand million points on 4.1 km squared, in some 7 GB.
Points follow from their nodes' numbers. Needs lazrs and numpy; ends with 77 where they are not there. The format is COPC 1.0
(https://copc.io), point format 6.
"""
import argparse
import io
import multiprocessing
import struct
import sys

try:
    import lazrs
    import numpy as np
except ImportError:
    print("The Python modules lazrs and numpy are not installed: nothing is written (pip install lazrs numpy).")
    sys.exit(77)

EDGE, LOW = 4096.0, -8.0  # metres: the cube, and its lower face; heights stay below the upper face of the finest nodes
SCALE = 0.001
FORMAT, RECORD = 6, 30
POINT = np.dtype([("xyz", "<i4", 3), ("intensity", "<u2"), ("returns", "u1"), ("flags", "u1"), ("class", "u1"),
                  ("user", "u1"), ("angle", "<i2"), ("source", "<u2"), ("time", "<f8")])
HEADER, VLR_HEADER, EVLR_HEADER, INFO = 375, 54, 60, 160


def wave(t):
    return np.sin(2 * np.pi * t)


def height_and_class(x, y):
    """Heights of places, metres, and classes; 2: ground, 6: roofs."""
    ground = 2 * wave(x / 97) + 1.5 * wave(y / 71) + 0.3 * wave((x + y) / 13)
    column, row = np.floor(x / 30), np.floor(y / 30)
    dice = (column * 7919 + row * 104729) % 977
    is_house = (x - column * 30 < 18) & (y - row * 30 < 18) & (dice % 3 != 0)
    return np.where(is_house, 6 + dice / 90, ground), np.where(is_house, 6, 2)


def laszip_vlr():
    return lazrs.LazVlr.new_for_compression(FORMAT, 0, True)


def chunk_of(task):
    """The compressed points of a node."""
    level, column, row, points = task
    random = np.random.Generator(np.random.Philox(key=(level << 40) | (column << 20) | row))
    edge = EDGE / 2**level
    x = (column + random.random(points)) * edge
    y = (row + random.random(points)) * edge
    z, kind = height_and_class(x, y)
    z = z + 0.04 * (random.random(points) - 0.5)
    order = np.lexsort((y, np.floor(x / edge * 16)))  # as scanners do, in stripes: it packs better
    records = np.zeros(points, POINT)
    for axis, values in enumerate((x, y, z)):
        records["xyz"][:, axis] = np.round(values[order] / SCALE)
    records["intensity"] = (200 + 50 * wave(x[order] / 7)).astype("<u2")
    records["returns"] = 0x11
    records["class"] = kind[order]
    packed = bytes(lazrs.compress_points(laszip_vlr(), records.view(np.uint8).reshape(-1), False))
    return packed[8:struct.unpack("<q", packed[:8])[0]]


def vlr(user, record, data):
    return struct.pack("<H16sHH32s", 0, user, record, len(data), b"") + data


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--levels", type=int, default=8)
    parser.add_argument("--points", type=int, default=60000)
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    options = parser.parse_args()
    tasks = [(level, column, row, options.points) for level in range(options.levels)
             for column in range(2**level) for row in range(2**level)]
    total = len(tasks) * options.points
    laszip = vlr(b"laszip encoded", 22204, bytes(laszip_vlr().record_data()))
    start = HEADER + VLR_HEADER + INFO + len(laszip)
    entries, table = [], []
    with open(options.file, "wb") as out, multiprocessing.Pool(options.processes) as pool:
        out.seek(start + 8)
        at = start + 8
        for (level, column, row, points), chunk in zip(tasks, pool.imap(chunk_of, tasks, chunksize=8)):
            out.write(chunk)
            entries.append(struct.pack("<4iQ2i", level, column, row, 0, at, len(chunk), points))
            table.append((points, len(chunk)))
            at += len(chunk)
        packed = io.BytesIO()
        lazrs.write_chunk_table(packed, table, laszip_vlr())
        out.write(packed.getvalue())
        hierarchy = b"".join(entries)
        evlr = at + len(packed.getvalue())
        out.write(struct.pack("<H16sHQ32s", 0, b"copc", 1000, len(hierarchy), b"") + hierarchy)
        spacing = EDGE / options.points**0.5
        info = struct.pack("<5dQQ2d", EDGE / 2, EDGE / 2, LOW + EDGE / 2, EDGE / 2, spacing, evlr + EVLR_HEADER,
                           len(hierarchy), 0, 0)
        header = struct.pack("<4sHH16sBB32s32sHHHIIBHI5I", b"LASF", 0, 16, b"", 1, 4, b"generated", b"make_copc.py", 1, 2026,
                             HEADER, start, 2, FORMAT | 0x80, RECORD, 0, 0, 0, 0, 0, 0)
        header += struct.pack("<12d", SCALE, SCALE, SCALE, 0, 0, 0, EDGE, 0, EDGE, 0, 24, LOW)
        header += struct.pack("<QQIQ15Q", 0, evlr, 1, total, total, *[0] * 14)
        out.seek(0)
        out.write(header + vlr(b"copc", 1, info.ljust(INFO, b"\0")) + laszip + struct.pack("<q", at))
    print(f"{total} points in {len(tasks)} nodes")


if __name__ == "__main__":
    main()
