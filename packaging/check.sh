#!/usr/bin/env bash
# Runs what takes too long to be part of .ci/run: the suite with the sanitizers of addresses and threads and with assertions,
# clang-tidy, the fuzzers, line coverage, and building the benchmarks. Without names it runs all of them, and goes on
# after a failure:
#   bash packaging/check.sh [asan] [dev] [bench] [tidy] [fuzz] [coverage] [tsan]
# Each reader is fuzzed for $SCANLOUPE_FUZZ_SECONDS (default: 20).
set -euo pipefail
packaging=$(dirname "$0")
# shellcheck source=packaging/steps.sh
source "$packaging/steps.sh"

steps=("$@")
if (($# == 0)); then steps=(asan dev bench tidy fuzz coverage tsan); fi
commands=()
for name in "${steps[@]}"; do
    case $name in
    asan) commands+=("sanitize.sh asan") ;;
    dev) commands+=("test.sh") ;;
    bench) commands+=("bench.sh") ;;
    tidy) commands+=("tidy.sh") ;;
    fuzz) commands+=("fuzz.sh ${SCANLOUPE_FUZZ_SECONDS:-20}") ;;
    coverage) commands+=("coverage.sh") ;;
    tsan) commands+=("sanitize.sh tsan") ;;
    *)
        printf 'packaging/check.sh: there is no step %s\n  Say: bash packaging/check.sh [asan] [dev] [bench] [tidy] [fuzz] [coverage] [tsan]\n' \
            "$name" >&2
        exit 1
        ;;
    esac
done

failed=0
for i in "${!steps[@]}"; do
    read -ra words <<<"${commands[i]}"
    timed "${steps[i]}" bash "$packaging/${words[0]}" "${words[@]:1}" || failed=1
done
print_steps
exit "$failed"
