#!/usr/bin/env bash
# Installs missing packages, builds the preset dev and runs the whole test suite. Further arguments go to ctest:
#   bash packaging/test.sh -R cli
script="test"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

ensure_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}"
ensure_laszip
build_preset dev -DSCANLOUPE_BENCH=OFF # a sixth of the time
run_suite dev "$@"
