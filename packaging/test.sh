#!/usr/bin/env bash
# Installs missing packages, then builds and runs all tests: with the preset dev, which has assertions, or with --release as
# users get the program. --long runs only the tests that take minutes, which are otherwise skipped. CMake options are passed
# to the build, further arguments to ctest:
#   bash packaging/test.sh [--release] [--long] [-DCMAKE_CUDA_ARCHITECTURES=90-real] [-R cli]
script="test"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

preset=dev selection=(-LE long) cmake_options=(-DSCANLOUPE_BENCH=OFF) ctest_options=() # benchmarks are a sixth of the time
for argument in "$@"; do
    case $argument in
    --release)
        preset=release
        cmake_options+=(-DSCANLOUPE_TESTS=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DSCANLOUPE_UNITY=ON)
        ;;
    --long) selection=(-L long) ;;
    -D*=*) cmake_options+=("$argument") ;;
    *) ctest_options+=("$argument") ;;
    esac
done

ensure_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}"
ensure_laszip
build_preset "$preset" "${cmake_options[@]}"
run_suite "$preset" "${selection[@]}" "${ctest_options[@]}"
