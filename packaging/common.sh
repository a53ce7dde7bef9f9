# shellcheck shell=bash
# Functions for the scripts of this folder: they install missing packages, log steps, build presets and run tests.
# A script sets `script` to its own name and sources this file.
set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$project"
# shellcheck source=packaging/packages.sh
source packaging/packages.sh

say() { printf '%s\n' "$*"; }

# fail SENTENCE NEXT_STEP
fail() {
    printf '%s: %s\n  %s\n' "packaging/${script:?}.sh" "$1" "$2" >&2
    exit 1
}

log=$project/build/logs/${script:?}.log
if ! { mkdir -p build/logs && : >"$log"; } 2>/dev/null; then
    fail "$project/build can't be written to" "Work in a copy of the project that is yours."
fi

# step WHAT NEXT_STEP COMMAND...: runs the command with its output in the log; on failure prints the end of the log.
step() {
    local what=$1 next=$2 started=$SECONDS
    shift 2
    say "== $what"
    printf '\n== %s: %s\n' "$what" "$*" >>"$log"
    if ! "$@" >>"$log" 2>&1 </dev/null; then
        tail -n 30 "$log" >&2
        fail "$what failed; all of it stands in $log" "$next"
    fi
    if ((SECONDS - started > 2)); then say "   done in $((SECONDS - started)) s"; fi
}

# Prints the arguments that are neither installed packages nor virtual packages that an installed one provides.
missing_packages() {
    local package installed
    # shellcheck disable=SC2016  # dpkg-query expands it
    installed=$(dpkg-query -W -f='${db:Status-Abbrev}|${Package}|${Provides}\n' | awk -F'|' '
        $1 ~ /^ii/ {print $2; count = split($3, names, ", *")
                    for (i = 1; i <= count; ++i) {sub(/ .*/, "", names[i]); print names[i]}}')
    for package in "$@"; do
        grep -qxF "$package" <<<"$installed" || printf '%s\n' "$package"
    done
}

# ensure_packages PACKAGE...: installs missing packages, as root or with sudo.
ensure_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "== No apt here: taking it that these, or what they stand for, are installed: $*"
        return
    fi
    local missing by_hand apt
    mapfile -t missing < <(missing_packages "$@")
    if ((${#missing[@]} == 0)); then return; fi
    by_hand="Install them yourself and run this again: apt-get install ${missing[*]}"
    apt=(env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=300)
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            fail "these packages are missing, and without root or sudo they can't be installed: ${missing[*]}" "$by_hand"
        # sudo can prompt for a password on a terminal only.
        if [[ -t 0 ]]; then sudo -v || fail "sudo refused to install ${missing[*]}" "$by_hand"; fi
        sudo -n true 2>/dev/null || fail "sudo wants a password, and there is no terminal to ask for it" "$by_hand"
        apt=(sudo -n "${apt[@]}")
    fi
    say "== Missing: ${missing[*]}"
    # Package lists are fetched unless they are less than a day old and contain every package.
    if [[ -z $(find /var/lib/apt/lists -name '*_Packages*' -mtime -1 -print -quit 2>/dev/null) ]] ||
        ! apt-get install -s --no-install-recommends "${missing[@]}" >/dev/null 2>&1; then
        step "Fetching the package lists" "See whether this machine reaches its package archive." "${apt[@]}" update
    fi
    step "Installing with apt" "$by_hand" "${apt[@]}" install --no-install-recommends "${missing[@]}"
}

# Prints the number of parallel compilers: one per core, and fewer if there is less than 1.5 GiB of memory for each.
build_jobs() {
    local cores kib limit jobs
    cores=$(nproc)
    kib=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
    limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max) # the memory limit of a container
    if [[ $limit != max ]] && ((limit / 1024 < kib)); then kib=$((limit / 1024)); fi
    jobs=$((kib / (1536 * 1024)))
    if ((jobs > cores)); then jobs=$cores; fi
    if ((jobs < 1)); then jobs=1; fi
    echo "$jobs"
}

# Copies ninja's output to the log, and prints a line for every 10 % of its steps.
show_build_progress() {
    local line shown=0 tenth
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$log"
        if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
            tenth=$((BASH_REMATCH[1] * 10 / BASH_REMATCH[2]))
            if ((tenth > shown)); then
                shown=$tenth
                say "   $((tenth * 10)) % of ${BASH_REMATCH[2]} steps"
            fi
        fi
    done
}

# configure_preset PRESET [CMAKE OPTION...]
configure_preset() {
    local preset=$1 version
    shift
    command -v cmake >/dev/null || fail "there is no cmake" "Install CMake 3.24 or newer."
    version=$(cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')
    if [[ $(printf '%s\n' 3.24 "$version" | sort -V | head -n 1) != 3.24 ]]; then
        fail "CMake $version is too old: 3.24 or newer is needed" \
            "Take a newer one, for example from https://apt.kitware.com, and run this again."
    fi
    # The installer of the CUDA toolkit does not add nvcc to PATH.
    if ! command -v nvcc >/dev/null && [[ -x /usr/local/cuda/bin/nvcc ]]; then PATH=$PATH:/usr/local/cuda/bin; fi
    step "Configuring build/$preset" "If a package is missing, install it; else remove build/$preset and run this again." \
        cmake --preset "$preset" "$@"
    sed -n 's/^-- \(CUDA backend: .*\)/   \1/p' "$log" | tail -n 1
}

# build_preset PRESET [CMAKE OPTION...]: configures and builds incrementally.
build_preset() {
    local preset=$1 started
    configure_preset "$@"
    say "== Building build/$preset with $(build_jobs) at a time"
    started=$SECONDS
    if ! cmake --build --preset "$preset" -j "$(build_jobs)" 2>&1 | show_build_progress; then
        # The messages begin at the first step that failed. Searching for "error" would also find names of sources.
        # Long command lines of compilers are truncated.
        { grep -A 30 -m 1 -E '^FAILED|^ninja: error|: error:' "$log" || tail -n 30 "$log"; } | cut -c 1-600 >&2
        fail "the build failed; all of it stands in $log" \
            "If a compiler was killed, there was too little memory: close other programs. Then run this again."
    fi
    if ((SECONDS - started > 2)); then say "   done in $((SECONDS - started)) s"; fi
}

# Whether build/release was configured with CUDA.
is_cuda_built() { grep -q '^scanloupe_has_cuda:INTERNAL=ON$' build/release/CMakeCache.txt; }

# Prints the folder of the CUDA toolkit of build/release; nothing if it was configured without CUDA.
cuda_toolkit() { sed -n 's/^scanloupe_cuda_toolkit:INTERNAL=//p' build/release/CMakeCache.txt; }

# Prints the folder of real scans, where the tests look for it; nothing if there is none.
scans_folder() {
    local folder=${SCANLOUPE_SCANS:-$project/../shared/scans}
    if [[ -d $folder ]]; then realpath "$folder"; fi
}

# Prints a new folder for temporary files of tests. Tests of projects and tiles spend most of their time waiting for the
# disk. The folder is therefore in memory if 6 GiB of memory are free and programs may be run from there, as some tests do.
scratch_folder() {
    local free
    free=$({ df --output=avail -k /dev/shm | tail -n 1; awk '/^MemAvailable:/ {print $2}' /proc/meminfo; } 2>/dev/null |
        sort -n | head -n 1)
    if [[ -n ${TMPDIR:-} || ! -w /dev/shm ]] || ((${free:-0} < 6 * 1024 * 1024)) ||
        ! awk '$2 == "/dev/shm" {options = $4} END {exit options ~ /noexec/}' /proc/mounts; then
        mktemp -d
    else
        mktemp -d -p /dev/shm
    fi
}

# run_suite PRESET [CTEST OPTION...]: runs the tests, prints their output and the slowest ones. If SCANLOUPE_SKIPS names a
# file of patterns, a test that is skipped for a reason that matches none of them is a failure.
run_suite() {
    local preset=$1 scans out scratch status=0
    shift
    scans=$(scans_folder)
    scratch=$(scratch_folder)
    chmod 755 "$scratch" # tests write there as other users
    # shellcheck disable=SC2064  # expands the name of the folder now
    trap "rm -rf --one-file-system '$scratch'" EXIT
    out=build/$preset/suite.out
    say "== Running the tests of build/$preset; ${scans:+real scans: }${scans:-tests of real scans skip, there are none}"
    TMPDIR=$scratch ctest --test-dir "build/$preset" --output-on-failure -j2 "$@" 2>&1 | tee "$out" || status=$?
    cat "$out" >>"$log"
    say "== The slowest of $(grep -cE '^ *[0-9]+/[0-9]+ Test' "$out") tests, in seconds"
    sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([a-zA-Z0-9_]+) .* ([0-9.]+) sec.*/\2 \1/p' "$out" | sort -rn |
        awk 'NR <= 15 {printf "   %7.1f  %s\n", $1, $2}'
    if [[ -n ${SCANLOUPE_SKIPS:-} ]]; then require_known_skips "$preset" || status=1; fi
    return "$status"
}

# require_known_skips PRESET: fails if the last run of ctest skipped tests for reasons that $SCANLOUPE_SKIPS does not list.
require_known_skips() {
    local unknown
    # Lists tests that are skipped as a whole, with the last line that they print, and skipped functions of Qt Test.
    unknown=$(awk 'NR == FNR {if (/\*\*\*Skipped/) skipped[$4] = 1; next}
        /^SKIP   : / {sub(/^SKIP   : /, ""); print}
        /^[0-9]+\/[0-9]+ Test: / {name = $3}
        /^<end of output>/ && skipped[name] {print name ": " said}
        {said = $0}' "build/$1/suite.out" "build/$1/Testing/Temporary/LastTest.log" |
        grep -vEf "$SCANLOUPE_SKIPS" || true)
    if [[ -n $unknown ]]; then
        say "== Skipped, and not for a reason that $SCANLOUPE_SKIPS names:"
        say "$unknown"
        return 1
    fi
}

# shellcheck source=packaging/laszip.sh
source packaging/laszip.sh
