#!/usr/bin/env bash
# Builds the preset fuzz with clang and runs libFuzzer on every reader, and on formulas, for SECONDS each (default: 60):
#   bash packaging/fuzz.sh [SECONDS] [READER...]
# The seed corpus is the small files among the tests' real scans. Crashing inputs are kept in build/fuzz/findings.
script="fuzz"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

seconds=${1:-60}
[[ $seconds =~ ^[0-9]+$ ]] || fail "\"$seconds\" is no number of seconds" "Say: bash packaging/fuzz.sh [SECONDS] [READER...]"
shift $(($# > 0))
readers=("$@")

ensure_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_FUZZ[@]}"
ensure_laszip
build_preset fuzz
# a failed allocation raises an exception that is handled: no finding
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
export LSAN_OPTIONS=print_suppressions=0:suppressions=$project/packaging/lsan_suppressions.txt
scans=$(scans_folder)
findings=build/fuzz/findings
mkdir -p "$findings"
if ((${#readers[@]} == 0)); then mapfile -t readers < <(build/fuzz/bin/fuzz_reader --endings | sed 's/^.//'; echo formula); fi
failed=()
for reader in "${readers[@]}"; do
    corpus=build/fuzz/corpus/$reader
    mkdir -p "$corpus"
    program=fuzz_reader
    if [[ $reader == formula ]]; then
        program=fuzz_formula
        printf 'height > 2 && intensity < 0.1 ? min(a, b) : !(a - 1e3)' >"$corpus/seed"
    elif [[ -n $scans ]]; then
        find "$scans" -name "*.$reader" -size -64k -exec cp -t "$corpus" {} +
    fi
    say "== $reader for $seconds s"
    export SCANLOUPE_FUZZ_ENDING=.$reader
    if ! build/fuzz/bin/$program -max_total_time="$seconds" -timeout=5 -rss_limit_mb=3000 -max_len=65536 \
        -print_final_stats=1 -artifact_prefix="$findings/$reader-" "$corpus" >>"$log" 2>&1; then
        failed+=("$reader")
    fi
    say "   $(grep 'number_of_executed_units' "$log" | tail -n 1 | sed 's/.*: */inputs: /')"
done
if ((${#failed[@]} > 0)); then
    fail "found something in: ${failed[*]}" "The inputs lie in $findings; what went wrong stands in $log."
fi
