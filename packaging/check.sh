#!/usr/bin/env bash
# Runs the checks that take too long for .ci/run: the named steps, or all. Continues after a failure:
#   bash packaging/check.sh [--list] [--require STEP] [STEP...]
#
#   asan      all tests of kernels and engine with the address and undefined-behaviour sanitizers
#   tsan      the same with the thread sanitizer
#   dev       all tests with assertions
#   long      tests of many millions of points
#   bench     builds the benchmarks
#   tidy      clang-tidy
#   fuzz      the fuzzers, each reader for $SCANLOUPE_FUZZ_SECONDS (default: 20)
#   coverage  all tests, with their line coverage
#   sycl      builds and tests the SYCL backend; skipped without AdaptiveCpp and icpx, unless --require names it
set -euo pipefail
packaging=$(dirname "$0")
# shellcheck source=packaging/steps.sh
source "$packaging/steps.sh"

all=(asan tsan dev long bench tidy fuzz coverage sycl)
steps=() required=
usage() {
    printf 'packaging/check.sh: %s\n  Say: bash packaging/check.sh [--list] [--require STEP] [STEP...], with steps of: %s\n' \
        "$1" "${all[*]}" >&2
    exit 1
}
is_step() { [[ " ${all[*]} " == *" ${1:-} "* ]]; }
while (($# > 0)); do
    case $1 in
    --list)
        printf '%s\n' "${all[@]}"
        exit
        ;;
    --require)
        is_step "${2:-}" || usage "--require wants a step"
        required+=" $2"
        shift
        ;;
    *)
        is_step "$1" || usage "there is no step $1"
        steps+=("$1")
        ;;
    esac
    shift
done
if ((${#steps[@]} == 0)); then steps=("${all[@]}"); fi

# run_step NAME
# shellcheck disable=SC2317  # timed() calls it
run_step() {
    case $1 in
    asan | tsan) bash "$packaging/sanitize.sh" "$1" ;;
    dev) bash "$packaging/test.sh" ;;
    long) bash "$packaging/test.sh" --release --long ;;
    bench) bash "$packaging/bench.sh" ;;
    tidy) bash "$packaging/tidy.sh" ;;
    fuzz) bash "$packaging/fuzz.sh" "${SCANLOUPE_FUZZ_SECONDS:-20}" ;;
    coverage) bash "$packaging/coverage.sh" ;;
    sycl) if [[ $required == *" sycl"* ]]; then bash "$packaging/sycl.sh" --require; else bash "$packaging/sycl.sh"; fi ;;
    esac
}

failed=0
for name in "${steps[@]}"; do
    timed "$name" run_step "$name" || failed=1
done
print_steps
exit "$failed"
