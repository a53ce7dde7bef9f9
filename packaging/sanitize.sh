#!/usr/bin/env bash
# Builds with a sanitizer and runs the test suite; a test fails at its first finding. --part builds and runs those programs
# of it that read files and handle raw memory. Further arguments go to ctest:
#   bash packaging/sanitize.sh asan|tsan [--part]
script="sanitize"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

preset=${1:-}
[[ $preset == asan || $preset == tsan ]] || fail "which sanitizer?" "Say: bash packaging/sanitize.sh asan|tsan [--part]"
shift
selection=() cmake_options=()
if [[ ${1:-} == --part ]]; then
    shift
    build_target=sanitized_part
    selection=(-L sanitized_part)
    # the numbers of lines in traces are a third of the time to compile
    cmake_options=(-DCMAKE_CXX_FLAGS_DEBUG=-O1 -DSCANLOUPE_SANITIZER_PART=ON)
fi

ensure_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}"
ensure_laszip
unity=ON
if [[ $preset == tsan ]]; then unity=OFF; fi # which finds missing includes
build_preset "$preset" "-DSCANLOUPE_UNITY=$unity" "${cmake_options[@]}"
# a failed allocation raises an exception that is handled: no finding
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1
export LSAN_OPTIONS=print_suppressions=0:suppressions=$project/packaging/lsan_suppressions.txt
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:allocator_may_return_null=1:suppressions=$project/packaging/tsan_suppressions.txt
run_suite "$preset" -LE long "${selection[@]}" "$@"
