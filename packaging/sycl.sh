#!/usr/bin/env bash
# Builds the SYCL backend, scanloupe-sycl.so, with AdaptiveCpp (acpp) or icpx from PATH, and runs its tests. Without such a
# compiler it does nothing, or fails with --require:
#   bash packaging/sycl.sh [--require] [-DSCANLOUPE_SYCL_FLAGS=...]
script="sycl"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

required=no
if [[ ${1:-} == --require ]]; then
    required=yes
    shift
fi
if ! command -v acpp >/dev/null && ! command -v icpx >/dev/null; then
    [[ $required == no ]] ||
        fail "there is neither AdaptiveCpp's acpp nor icpx on PATH" "Install one, or leave out --require."
    say "== Neither acpp nor icpx is on PATH: the SYCL backend is not built"
    exit
fi

ensure_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}"
ensure_laszip
build_preset release -DSCANLOUPE_TESTS=ON -DSCANLOUPE_UNITY=ON -DSCANLOUPE_SYCL=ON "$@"
[[ -f build/release/bin/scanloupe-sycl.so ]] || fail "the build has made no scanloupe-sycl.so" "See $log."
run_suite release -R sycl
