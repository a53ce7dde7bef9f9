"""Computes M3C2 distances with py4dgeo, and compares them with those of a file of places:
compare_m3c2.py BEFORE.xyz AFTER.xyz PLACES.csv NORMAL_SCALE CYLINDER DEPTH REGISTRATION_ERROR"""
import sys

import numpy as np
import py4dgeo
from scipy.stats import t

before, after, places, *lengths = sys.argv[1:]
normal_scale, cylinder, depth, registration = map(float, lengths)
rows = np.genfromtxt(places, delimiter=",", names=True)
compare = py4dgeo.M3C2(
    epochs=(py4dgeo.Epoch(np.loadtxt(before)), py4dgeo.Epoch(np.loadtxt(after))),
    corepoints=np.c_[rows["x"], rows["y"], rows["z"]],
    normal_radii=(normal_scale / 2,),
    cyl_radius=cylinder / 2,
    max_distance=depth,
    registration_error=registration,
)
distances, more = compare.run()
mine, detection = rows["m3c2_distance"], rows["m3c2_detection"]
assert (np.isnan(mine) == np.isnan(distances)).all()
there = ~np.isnan(mine)
apart = np.abs(mine - distances)[there]
print(f"{there.sum()} places; distances apart {apart.max():.2e}, their means {abs(apart.mean()):.2e}")
assert there.sum() > 1000
assert abs(np.mean(mine[there]) - np.mean(distances[there])) < 1e-6
# a point on the rim of a cylinder may be in it for one of the two
assert np.quantile(apart, 0.99) < 1e-6 and apart.max() < 1e-3
# py4dgeo takes the spread of few points as known
parts = [more[f"spread{i}"] ** 2 / more[f"num_samples{i}"] for i in (1, 2)]
freedom = sum(parts) ** 2 / sum(part**2 / (more[f"num_samples{i}"] - 1) for i, part in enumerate(parts, 1))
expected = (more["lodetection"] - 1.96 * registration) * t.ppf(0.975, freedom) / 1.96 + 1.96 * registration
assert np.nanquantile(np.abs(detection / expected - 1)[there], 0.99) < 0.003
assert np.abs(rows["m3c2_count_first"] - more["num_samples1"]).max() <= 2
