#!/bin/bash
# Prints hit rates, occupancy and atomics of the rows of the voxelization benchmark, measured by Nsight Compute.
# usage: profile_voxelize.sh BENCH [ROW...]        BENCH is the path of scanloupe-bench
# The environment variables POINTS, SIZE, ORDERS and SCENE choose the input.
set -euo pipefail

bench=${1:?usage: profile_voxelize.sh PATH/TO/scanloupe-bench [ROW...]}
shift
points=${POINTS:-10M} size=${SIZE:-0.2} scene=${SCENE:-surface}
IFS=, read -ra orders <<<"${ORDERS:-scan,shuffled,morton}"
[ "$scene" != dense ] || orders=(random) # the only order of this scene
if [ $# -gt 0 ]; then rows=("$@"); else mapfile -t rows < <("$bench" voxelize --list | awk '$2 != "library" {print $1}'); fi

command -v ncu >/dev/null || { echo "ncu is not here: install Nsight Compute, which comes with the CUDA Toolkit." >&2; exit 1; }
for tool in python3 "$bench"; do
    command -v "$tool" >/dev/null || { echo "$tool is not here." >&2; exit 1; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

wanted=(
    gpu__time_duration.sum
    l1tex__t_sector_hit_rate.pct
    lts__t_sector_hit_rate.pct
    sm__warps_active.avg.pct_of_peak_sustained_active
    smsp__inst_executed_op_global_red.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum
    lts__t_sectors_op_red.sum
    lts__t_sectors_op_atom.sum
    dram__bytes.sum
)
# Names of metrics differ between chips: request those that this chip supports, or all if the query fails.
ncu --query-metrics >"$work/known" 2>&1 || true
metrics=()
for metric in "${wanted[@]}"; do
    if ! grep -q '^lts__t_sectors' "$work/known" || grep -q "^${metric%%.*} " "$work/known"; then
        metrics+=("$metric")
    else
        echo "this chip has no metric $metric: its column stays empty" >&2
    fi
done
list=$(IFS=,; echo "${metrics[*]}")

for order in "${orders[@]}"; do
    for row in "${rows[@]}"; do
        # The clocks stay as they are: another program may share the device.
        if ! ncu --metrics "$list" --csv --page raw --print-units base --print-kernel-base function \
            --clock-control none --log-file "$work/log" \
            "$bench" voxelize --profile "$row" --scene "$scene" --points "$points" --sizes "$size" \
            --order "$order" ${FRAME:+--frame "$FRAME"} >"$work/out" 2>&1; then
            failed=1
        else
            failed=0
        fi
        if grep -qE 'ERR_NVGPUCTRPERM|LibraryNotLoaded|Failed to initialize the profiler|ERR_NVGPU' "$work/log" "$work/out" 2>/dev/null; then
            echo "This machine does not let programs read the GPU's performance counters, so there is nothing to show." >&2
            echo "An administrator can allow it: https://developer.nvidia.com/ERR_NVGPUCTRPERM" >&2
            exit 2
        fi
        if [ $failed = 1 ] || ! grep -q '^"ID"' "$work/log"; then
            echo "$row, order $order: ncu gave no figures:" >&2
            tail -n 5 "$work/out" "$work/log" >&2 || true
            continue
        fi
        grep '^"' "$work/log" | sed "s/^/\"$order\",\"$row\",/" >>"$work/all"
    done
done
[ -s "$work/all" ] || { echo "No row gave figures." >&2; exit 1; }

python3 - "$work/all" <<'PYTHON'
import csv
import sys

COLUMNS = [  # head, metric, scale
    ("us", "gpu__time_duration.sum", 1e-3),  # nanoseconds
    ("L1 hit %", "l1tex__t_sector_hit_rate.pct", 1),
    ("L2 hit %", "lts__t_sector_hit_rate.pct", 1),
    ("occupancy %", "sm__warps_active.avg.pct_of_peak_sustained_active", 1),
    ("k red instr", "smsp__inst_executed_op_global_red.sum", 1e-3),
    ("k L1 red", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", 1e-3),
    ("k L1 atom", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", 1e-3),
    ("k L2 red", "lts__t_sectors_op_red.sum", 1e-3),
    ("k L2 atom", "lts__t_sectors_op_atom.sum", 1e-3),
    ("DRAM MB", "dram__bytes.sum", 1e-6),
]
PREPARATION = {"packPoints", "findMortonCodes", "gatherPoints"}

kernels = {}  # (order, row, kernel) -> metric -> values, in the order of the run
head = []
for line in csv.reader(open(sys.argv[1], newline="")):
    if line[2] == "ID":
        head = line[2:]
        continue
    order, row, cells = line[0], line[1], dict(zip(head, line[2:]))
    if not cells.get("ID"):  # the line of units
        continue
    name = cells["Kernel Name"]
    sorting = name.startswith("DeviceRadixSort")  # prepares the Morton order, unless the row itself sorts
    if name in PREPARATION or (sorting and order == "morton" and "sort" not in row):
        continue
    values = kernels.setdefault((order, row, name), {})
    for _, metric, _ in COLUMNS:
        text = cells.get(metric, "").replace(",", "")
        try:
            values.setdefault(metric, []).append(float(text))
        except ValueError:
            pass  # a metric that this chip has not

print(f"{'order':<9} {'row':<27} {'kernel':<28} {'runs':>4} " + " ".join(f"{c[0]:>11}" for c in COLUMNS))
for (order, row, name), values in kernels.items():
    runs = max((len(v) for v in values.values()), default=0)
    shown = []
    for _, metric, scale in COLUMNS:
        got = values.get(metric)
        shown.append(f"{sum(got) / len(got) * scale:>11.1f}" if got else f"{'':>11}")
    print(f"{order:<9} {row:<27} {name[:28]:<28} {runs:>4} " + " ".join(shown))
PYTHON
