#!/usr/bin/env bash
# Formats the sources by .clang-format. With --check it changes no file. It then lists the files that it would change, and
# wording in comments, texts and names that the baseline of tests/tools/english_check.py does not allow, and fails if any:
#   bash packaging/format.sh [--check]
script="format"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

case $* in
'') check=no ;;
--check) check=yes ;;
*) fail "there is no option $*" "Say: bash packaging/format.sh [--check]" ;;
esac

# Other versions format differently with the same rules.
if ! { command -v clang-format-14 && command -v python3; } >/dev/null; then ensure_packages "${PACKAGES_FORMAT[@]}"; fi
command -v clang-format-14 >/dev/null || fail "there is no clang-format-14" "Install version 14 of clang-format under that name."

sources=(kernels engine gui tests -type f "(" -name "*.cpp" -o -name "*.h" -o -name "*.cu" -o -name "*.cuh" ")")
if [[ $check == no ]]; then
    find "${sources[@]}" -print0 | xargs -0 clang-format-14 -i
    exit
fi

if ! find "${sources[@]}" -print0 | xargs -0 clang-format-14 --dry-run --Werror >>"$log" 2>&1; then
    mapfile -t differing < <(sed -n 's/^\(.*\):[0-9]*:[0-9]*: error: .*clang-formatted.*/\1/p' "$log" | sort -u)
    ((${#differing[@]} > 0)) || fail "clang-format gave up; why stands in $log" "See whether .clang-format is whole."
    printf '%s\n' "${differing[@]}"
    fail "clang-format would change ${#differing[@]} files" "Say: bash packaging/format.sh"
fi
say "== The sources are formatted"

python3 tests/tools/english_check.py --check ||
    fail "new wording is above the baseline; the lines are listed above" "Reword them, see 'Words and style' in CONTRIBUTING.md."
say "== The wording is within its baseline"
