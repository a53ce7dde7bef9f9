#!/usr/bin/env bash
# Builds the preset fuzz with clang, and runs libFuzzer on every reader and on formulas for SECONDS each (default: 60), one
# per core at a time:
#   bash packaging/fuzz.sh [SECONDS] [READER...]
# The seed corpus consists of the small files among the tests' real scans. Inputs that crash a reader are kept in
# build/fuzz/findings, and the output of each reader in build/fuzz/READER.log.
script="fuzz"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

seconds=${1:-60}
[[ $seconds =~ ^[0-9]+$ ]] || fail "\"$seconds\" is no number of seconds" "Say: bash packaging/fuzz.sh [SECONDS] [READER...]"
shift $(($# > 0))
readers=("$@")

ensure_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_FUZZ[@]}"
ensure_laszip
build_preset fuzz -DSCANLOUPE_UNITY=ON
# A failed allocation raises an exception that the program handles, so it is not a finding.
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
export LSAN_OPTIONS=print_suppressions=0:suppressions=$project/packaging/lsan_suppressions.txt
scans=$(scans_folder)
findings=build/fuzz/findings
mkdir -p "$findings"
if ((${#readers[@]} == 0)); then mapfile -t readers < <(build/fuzz/bin/fuzz_reader --endings | sed 's/^.//'; echo formula); fi

# fuzz READER: fuzzes the reader, prints its findings, and fails if there are any.
fuzz() {
    local reader=$1 corpus=build/fuzz/corpus/$1 out=build/fuzz/$1.log program=fuzz_reader status=0
    mkdir -p "$corpus"
    if [[ $reader == formula ]]; then
        program=fuzz_formula
        printf 'height > 2 && intensity < 0.1 ? min(a, b) : !(a - 1e3)' >"$corpus/seed"
    elif [[ -n $scans ]]; then
        find "$scans" -name "*.$reader" -size -64k -exec cp -t "$corpus" {} +
    fi
    SCANLOUPE_FUZZ_ENDING=.$reader build/fuzz/bin/$program -max_total_time="$seconds" -timeout=5 -rss_limit_mb=3000 \
        -max_len=65536 -print_final_stats=1 -artifact_prefix="$findings/$reader-" "$corpus" >"$out" 2>&1 || status=1
    say "   $reader: $(sed -n 's/.*number_of_executed_units: *//p' "$out" | tail -n 1) inputs$( ((status == 0)) || echo ', and a finding')"
    return "$status"
}
export -f fuzz say
export scans findings seconds
say "== ${#readers[@]} readers, $seconds s each, $(build_jobs) at a time"
if ! printf '%s\n' "${readers[@]}" | xargs -P "$(build_jobs)" -I{} bash -euo pipefail -c 'fuzz {}'; then
    fail "something was found" "The inputs lie in $findings; what went wrong stands in build/fuzz/READER.log."
fi
