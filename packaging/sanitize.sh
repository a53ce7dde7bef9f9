#!/usr/bin/env bash
# Builds with a sanitizer and runs the test suite; a test fails at its first finding. Further arguments go to ctest:
#   bash packaging/sanitize.sh asan|tsan [-R NAME]
script="sanitize"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

preset=${1:-}
[[ $preset == asan || $preset == tsan ]] || fail "which sanitizer?" "Say: bash packaging/sanitize.sh asan|tsan"
shift

ensure_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}"
ensure_laszip
unity=ON
if [[ $preset == tsan ]]; then unity=OFF; fi # finds missing includes, too
build_preset "$preset" "-DSCANLOUPE_UNITY=$unity"
# A failed allocation raises an exception that the program handles, so it is not a finding.
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1
export LSAN_OPTIONS=print_suppressions=0:suppressions=$project/packaging/lsan_suppressions.txt
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:allocator_may_return_null=1:suppressions=$project/packaging/tsan_suppressions.txt
run_suite "$preset" -LE long "$@"
