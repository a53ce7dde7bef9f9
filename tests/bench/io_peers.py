"""Reads a cloud with Open3D and prints a line of JSON: ms, points, cloud (its bytes), peak (bytes of memory)."""
import json
import sys
import time

import open3d


def status(name):
    with open("/proc/self/status") as lines:
        for line in lines:
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
    return 0


before = status("VmRSS")
start = time.perf_counter()
cloud = open3d.io.read_point_cloud(sys.argv[1])
ms = (time.perf_counter() - start) * 1000
count = len(cloud.points)
print(json.dumps({"ms": ms, "points": count, "cloud": 24 * count, "peak": status("VmHWM") - before,
                  "version": open3d.__version__}))
