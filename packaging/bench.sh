#!/usr/bin/env bash
# Installs missing packages, and builds the benchmarks, build/dev/bin/scanloupe-bench.
script="bench"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

ensure_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}"
ensure_laszip
build_preset dev -DSCANLOUPE_BENCH=ON
