#!/usr/bin/env python3
"""Writes a LAS file of one point that names its coordinate system by an EPSG code, in GeoTIFF keys:
las_with_system.py FILE CODE"""

import struct
import sys

target, code = sys.argv[1], int(sys.argv[2])
keys = struct.pack("<12H", 1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, code)
record = struct.pack("<H16sHH32s", 0, b"LASF_Projection", 34735, len(keys), b"") + keys
point = struct.pack("<3iHBBbBH", 1, 2, 3, 0, 0, 0, 0, 0, 0)
header = struct.pack("<4sHH16sBB32s32sHHHIIBHI5I", b"LASF", 0, 0, b"", 1, 2, b"", b"", 1, 2026, 227, 227 + len(record), 1, 0,
                     len(point), 1, 1, 0, 0, 0, 0)
header += struct.pack("<12d", 0.001, 0.001, 0.001, 0, 0, 0, 0.001, 0.001, 0.002, 0.002, 0.003, 0.003)
assert len(header) == 227 and len(point) == 20
with open(target, "wb") as file:
    file.write(header + record + point)
