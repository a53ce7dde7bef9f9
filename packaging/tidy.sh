#!/usr/bin/env bash
# Runs clang-tidy with the rules of .clang-tidy on the named sources, or on all of kernels, engine and window:
#   bash packaging/tidy.sh [FILE|FOLDER...]
# It uses the compile commands of the preset dev, and builds the targets of dev that generated sources depend on.
script="tidy"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

places=("$@")
if (($# == 0)); then places=(kernels engine gui); fi
for place in "${places[@]}"; do
    [[ -e $place ]] || fail "there is no \"$place\" in $project" "Name files or folders from there: engine/io gui/app/main.cpp"
done

ensure_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}"
# Other versions have different findings with the same rules.
if ! command -v clang-tidy-14 >/dev/null; then ensure_packages "${PACKAGES_TIDY[@]}"; fi
command -v clang-tidy-14 >/dev/null || fail "there is no clang-tidy-14" "Install version 14 of clang-tidy under that name."
ensure_laszip
configure_preset dev
step "Generating the sources that others include" "See what it says above." \
    cmake --build --preset dev --target scanloupe_commit scanloupe_gui_autogen

mapfile -d '' -t files < <(find "${places[@]}" -name '*.cpp' -print0 | sort -z)
say "== Reading ${#files[@]} files with $(build_jobs) at a time"
# The commands are for GCC, and clang does not support all of its warnings.
if ! printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(build_jobs)" clang-tidy-14 -p build/dev --quiet \
    --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-error >>"$log" 2>&1; then
    # Headers are checked with each file that includes them.
    grep -E '^[^ ].*: (warning|error): |^Error while processing' "$log" | sed "s|$project/||" | sort -u
    fail "clang-tidy found something; all of it stands in $log" \
        "Mend it; or, if a rule is wrong there, say so with // NOLINT(rule) and the reason."
fi
say "== clang-tidy finds nothing"
