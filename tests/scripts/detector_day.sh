#!/usr/bin/env bash
# Runs typical tasks with a lidar in pipes: voxels of ten sweeps at three sizes, the input arrays of a detector, and the error
# of a trajectory: CLI=scanloupe-cli detector_day.sh SWEEP.bin COLUMNS FOLDER
set -euo pipefail
cli=${CLI:-scanloupe-cli} python=${PYTHON:-python3} here=$(dirname "$0") sweep=$1 columns=$2 work=$3

mkdir "$work/drive"
"$cli" synth "$work/drive/f.ply" --frames 10 --points 65536 --poses kitti:- --quiet >"$work/truth.txt"
for size in 0.1 0.2 0.4; do
    "$cli" run "$work/drive" --stages voxels --voxel-size $size --json --quiet |
        "$python" -c 'import json, sys; run = json.load(sys.stdin); print(json.dumps({"size": float(sys.argv[1]),
            "voxels": [f["voxels"] for f in run["frames"]], "ms": run["stages"]["voxelize"]["median_ms"]}))' $size
done >"$work/sizes.json"
while read -r limit size range; do # settings of nuScenes, and of PointPillars on KITTI
    gzip -c "$sweep" | zcat | "$cli" run bin:- --columns "$columns" --stages voxels --voxel-size "$size" \
        --range="$range" --max-points-per-voxel 10 --max-voxels "$limit" --voxel-order first-point \
        --voxels npz:- --timings >("$python" -c 'import json, sys; json.load(sys.stdin)') --quiet |
        "$python" "$here/hard_voxels.py" "$sweep" "$columns" "$limit" "$size" "$range"
done <<'END'
160000 0.075,0.075,0.2 -54,-54,-5,54,54,3
60000 0.075,0.075,0.2 -54,-54,-5,54,54,3
5000 0.075,0.075,0.2 -54,-54,-5,54,54,3
40000 0.16,0.16,4 0,-39.68,-3,69.12,39.68,1
END
"$cli" align "$work/drive" --poses - --quiet | "$python" "$here/trajectory_error.py" "$work/truth.txt"
