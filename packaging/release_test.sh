#!/usr/bin/env bash
# Smoke test of a release: makes the bundle and, if there is dpkg, the .deb, unpacks both and runs their programs. The
# command line makes, runs and converts a scan; the window reports its display and OpenGL. If build/release has tests, the
# script also makes a bundle with some of them and runs them. CMake options are passed to the build:
#   bash packaging/release_test.sh [-DCMAKE_CUDA_ARCHITECTURES=90-real]
script="release_test"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

ensure_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}" "${PACKAGES_DEB[@]}" xz-utils
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check_compiler WHAT FILE: checks that the program that compiles CUDA code exists if, and only if, the build has CUDA.
check_compiler() {
    if is_cuda_built; then
        [[ -x $2 ]] || fail "the $1 lacks scanloupe-nvrtc" "See packaging/bundle.sh and ScanloupePackage.cmake."
    else
        [[ ! -e $2 ]] || fail "the $1 has scanloupe-nvrtc, and the build has no CUDA" "Remove build/release."
    fi
}

# check_licences ROOT FOLDER PLACE...: checks that FOLDER has the licence of every third-party file below each PLACE of ROOT,
# and of every package that is compiled in.
check_licences() {
    local root=$1 folder=$2 next="See packaging/licences.sh." file package
    shift 2
    while read -r package; do
        [[ -s $folder/$package ]] || fail "the licence of $package is not in $folder" "$next"
    done < <(grep -v '^#' packaging/compiled_in.txt)
    if is_cuda_built; then
        [[ -s $folder/cuda ]] || fail "the licence of CUDA is not in $folder" "$next"
    fi
    while read -r file; do
        package=$(awk -v file="$file" '$1 == file {print $2}' "$folder/FILES")
        [[ -n $package && -s $folder/$package ]] || fail "$file is shipped without its licence" "$next"
    done < <(if (($# > 0)); then cd "$root" && find "$@" -type f; fi)
    [[ -n $(ls -A "$folder/common-licenses") ]] ||
        fail "the licences that those of packages refer to are not in $folder" "$next"
}

# try_systems WHAT COMMAND...: checks that the command line, started by COMMAND, finds the EPSG dataset.
try_systems() {
    local what=$1
    shift
    python3 tests/scripts/las_with_system.py "$work/system.las" 2229
    step "Asking the $what for a coordinate system" "See whether it has PROJ and finds proj.db." \
        sh -c 'file=$1; shift; "$@" info "$file" | tee "$file.out"; grep -q "California zone 5 (ftUS)" "$file.out" &&
            grep -q "US survey foot" "$file.out"' sh "$work/system.las" "$@"
}

# try_programs WHAT BIN: runs the programs of the folder BIN in an empty working directory.
try_programs() {
    local what=$1 bin=$2 run
    run=$(mktemp -d -p "$work")
    step "Running the command line of the $what" "See what it says above." \
        sh -c 'cd "$1" && "$2" --version && "$2" synth street.ply --points 20000 &&
            "$2" run street.ply --backend cpu --mesh mesh.glb --voxels voxels.csv --image picture.png &&
            "$2" convert street.ply street.laz && "$2" info street.laz --json >info.json &&
            [ -s mesh.glb ] && [ -s voxels.csv ] && [ -s picture.png ] &&
            [ -s "$3/man/man1/scanloupe-cli-run.1" ] && [ -s "$3/scanloupe/schemas/run-1.schema.json" ] &&
            [ -s "$3/bash-completion/completions/scanloupe-cli" ]' sh "$run" "$bin/scanloupe-cli" "$(dirname "$bin")/share"
    step "Opening the window of the $what" "See what it says above." \
        sh -c 'sh "$1" "$2" --check | tee "$3/check" && grep -q "^window.ok" "$3/check"' \
        sh "$project/tests/gui/with_display.sh" "$bin/scanloupe" "$run"
}

has_tests=no
if grep -q '^SCANLOUPE_TESTS:BOOL=ON$' build/release/CMakeCache.txt 2>/dev/null; then has_tests=yes; fi
bash packaging/bundle.sh "$work/scanloupe.tar.xz" "$@"
cat build/logs/bundle.log >>"$log"
tar -C "$work" -xf "$work/scanloupe.tar.xz"
check_compiler bundle "$work/scanloupe/libexec/scanloupe-nvrtc"
check_licences "$work/scanloupe" "$work/scanloupe/share/licences" lib fallback plugins share/fonts share/proj
try_programs bundle "$work/scanloupe/bin"
# Hides the datasets of the machine and of other programs.
try_systems bundle env PROJ_DATA=/nowhere PROJ_LIB=/nowhere "$work/scanloupe/bin/scanloupe-cli"

if command -v dpkg-deb >/dev/null; then
    step "Making the .deb" "See what cpack says above." \
        cpack --config build/release/CPackConfig.cmake -B "$work/deb"
    packages=("$work"/deb/*.deb)
    [[ -f ${packages[0]} ]] || fail "cpack has made no .deb" "Install dpkg-dev and file, and remove build/release."
    dpkg-deb -x "${packages[0]}" "$work/installed"
    [[ $(dpkg-deb -f "${packages[0]}" Depends) == *libqt6widgets6* ]] ||
        fail "the .deb does not name the libraries that it needs" "Install dpkg-dev and file, and remove build/release."
    check_compiler .deb "$work/installed/usr/libexec/scanloupe/scanloupe-nvrtc"
    mapfile -t private < <(cd "$work/installed/usr" && find . -type f -name '*.so*' -printf '%P\n')
    check_licences "$work/installed/usr" "$work/installed/usr/share/doc/scanloupe/licences" "${private[@]}"
    try_programs .deb "$work/installed/usr/bin"
    try_systems .deb "$work/installed/usr/bin/scanloupe-cli"
    say "== $(basename "${packages[0]}"): $(($(stat -c %s "${packages[0]}") / 1000000)) MB"
fi

if [[ $has_tests == yes ]]; then # last: it configures the build with tests again
    bash packaging/bundle.sh "$work/tests.tar" --with-tests=tests_core,tests_views,scanloupe-bench "$@"
    cat build/logs/bundle.log >>"$log"
    mkdir "$work/tests"
    tar -C "$work/tests" -xf "$work/tests.tar"
    step "Running tests of the bundle" "See what it says above." \
        sh -c 'cd "$1" && bin/run-tests test_parallel test_linked_camera && bin/scanloupe-bench --help' \
        sh "$work/tests/scanloupe"
fi
