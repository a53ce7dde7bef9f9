#!/usr/bin/env bash
# Builds with instrumentation, runs the test suite and reports the line coverage of kernels and engine.
script="coverage"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

ensure_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}" "${PACKAGES_COVERAGE[@]}"
ensure_laszip
build_preset coverage
say "== Running the tests and counting lines"
cmake --build --preset coverage --target coverage 2>&1 | tee -a "$log"
