#!/usr/bin/env bash
# Runs detector_day.sh on sweeps of KITTI and nuScenes, or on a generated sweep if there are none:
#   detector_days.sh PYTHON CLI FOLDER
set -euo pipefail
export PYTHON=$1 CLI=$2
folder=$3 here=$(dirname "$0") scans=${SCANLOUPE_SCANS:-$(dirname "$0")/../../../shared/scans}
if ! "$PYTHON" -c 'import numpy' 2>/dev/null; then
    echo "python3-numpy is not installed"
    exit 77
fi
run_on() { # SWEEP COLUMNS
    mkdir "$folder/work"
    bash "$here/detector_day.sh" "$1" "$2" "$folder/work"
    rm -r "$folder/work"
}
if [[ -d $scans/sweeps ]]; then
    run_on "$(ls "$scans"/sweeps/nuscenes_n015*.bin)" 5
    run_on "$(ls "$scans"/sweeps/nuscenes_10sweep*.bin)" 5
    run_on "$scans/sweeps/voxelize_cuda_0000000000.bin" 4
else
    "$CLI" synth "$folder/sweep.bin" --points 200000 --quiet
    run_on "$folder/sweep.bin" 4
fi
