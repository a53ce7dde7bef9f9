"""Compares LAS and LAZ files with those that were written from them, by laspy and by their bytes.

compare_las.py FILE WRITTEN [FILE WRITTEN ...]: the same in header, records and points; a sentence for each difference.
compare_las.py --opens FILE ...: laspy reads each.
Ends with 1 when something differs, or laspy refuses a written file.
"""
import struct
import sys
from pathlib import Path

import laspy
import numpy as np

REPLACED = {("laszip encoded", 22204)}  # describes the compression, not the scan


class RawFile:
    """Header and records by their bytes, since laspy drops or changes some and trusts every count."""

    def __init__(self, path):
        self.path = Path(path)
        data = self.data = self.path.read_bytes()
        self.minor = data[25]
        self.packed = bool(data[104] & 0x80)
        self.header_size, self.offset, record_count = struct.unpack_from("<HII", data, 94)
        self.record_length, self.legacy_count = struct.unpack_from("<HI", data, 105)
        self.point_format = data[104] & 0x3F
        self.count = self.legacy_count
        extended_at = extended_count = 0
        if self.minor == 4:
            extended_at, extended_count, wide = struct.unpack_from("<QIQ", data, 235)
            self.count = wide or self.legacy_count
        self.records = self.read_records(self.header_size, record_count, 54)
        self.extended = self.read_records(extended_at, extended_count, 60)
        self.waves = b""
        waves_at = struct.unpack_from("<Q", data, 227)[0] if self.minor >= 3 else 0
        if waves_at and data[6] & 2:
            self.waves = data[waves_at:waves_at + 60 + struct.unpack_from("<Q", data, waves_at + 20)[0]]

    def read_records(self, at, count, head):
        end = min(self.offset, len(self.data)) if head == 54 else len(self.data)
        records = []
        for _ in range(count):
            if at + head > end:
                break
            length = struct.unpack_from("<H" if head == 54 else "<Q", self.data, at + 20)[0]
            if at + head + length > end:
                break
            record = self.data[at:at + head + length]
            user = record[2:18].split(b"\0")[0].decode("latin-1").rstrip()
            name = (user, struct.unpack_from("<H", record, 18)[0])
            if name not in REPLACED and user != "copc":
                records.append(record)
            at += head + length
        return records

    def points(self):
        """Whole points, as they lie in a file that is not packed."""
        if self.packed:
            return laspy.read(self.path).points.array.tobytes()
        return self.data[self.offset:self.offset + self.whole() * self.record_length]

    def whole(self):
        return min(self.count, max(0, len(self.data) - self.offset) // self.record_length)

    def header(self):
        data = self.data
        frame = struct.unpack_from("<6d", data, 131)
        return {
            "version": (data[24], self.minor),
            "file source id": struct.unpack_from("<H", data, 4)[0],
            "global encoding": struct.unpack_from("<H", data, 6)[0],
            "GUID": data[8:24],
            "system identifier": data[26:58],
            "creation date": data[90:94],
            "point format": self.point_format,
            "record length": self.record_length,
            "scales": frame[:3],
            "offsets": frame[3:],
        }


def compare(source_path, written_path):
    source, written = RawFile(source_path), RawFile(written_path)
    wrong = []

    def same(what, a, b):
        if a != b:
            wrong.append(f"{what}: {a!r:.80} became {b!r:.80}")

    for (what, a), b in zip(source.header().items(), written.header().values()):
        same(what, a, b)
    same("records", source.records, written.records)
    same("records behind the points", source.extended, written.extended)
    same("waveforms", source.waves, written.waves)
    las = laspy.read(written_path)  # refuses what the standard does not allow
    points = source.points()
    same("points", len(points) // source.record_length, len(las.points))
    if points != las.points.array.tobytes():
        wrong.append("bytes of points differ")
    allowed = written.minor < 4 or written.point_format < 6
    same("legacy count", len(las.points) if allowed else 0, written.legacy_count)
    returns = np.bincount(np.asarray(las.return_number), minlength=16)[1:]
    counted = np.zeros(15, dtype=np.int64)
    counted[:len(las.header.number_of_points_by_return)] = las.header.number_of_points_by_return
    kept = 5 if written.minor < 4 else 15
    same("points by return", list(returns[:kept]), list(counted[:kept]))
    if len(las.points):
        for axis, name in enumerate("xyz"):
            values = np.asarray(getattr(las, name))
            for what, claimed in (("min", las.header.mins[axis]), ("max", las.header.maxs[axis])):
                if abs(getattr(values, what)() - claimed) > abs(las.header.scales[axis]) / 2:
                    wrong.append(f"{what} of {name}: {claimed} in the header")
    return wrong


def opens(path):
    las = laspy.read(path)
    if list(las.point_format.dimension_names) != list(dict.fromkeys(las.point_format.dimension_names)):
        return ["two dimensions of one name"]
    return []


def main(arguments):
    pairs = [(a,) for a in arguments[1:]] if arguments[0] == "--opens" else zip(arguments[::2], arguments[1::2])
    bad = False
    for pair in pairs:
        try:
            wrong = opens(*pair) if len(pair) == 1 else compare(*pair)
        except Exception as error:  # what laspy throws has no common type
            wrong = [f"{type(error).__name__}: {error}"]
        for sentence in wrong:
            print(f"{' -> '.join(Path(p).name for p in pair)}: {sentence}")
        bad = bad or bool(wrong)
    return 1 if bad else 0


sys.exit(main(sys.argv[1:]))
