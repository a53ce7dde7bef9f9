#!/usr/bin/env bash
# Installs missing packages, builds the program for this machine and opens a scan: in the window if there is a display,
# otherwise with the command line, which writes mesh, voxels, picture and timings to out/. Without a scan it uses a generated
# street of a million points. With options of "scanloupe-cli run" it always uses the command line:
#   bash packaging/run.sh [--cuda|--cuda=90] [SCAN|FOLDER] [--voxel-size 0.1 ...]
# Without a display the window is not built, and Qt is not needed. The CUDA backend takes minutes to compile, so it is only
# built if the machine has an NVIDIA GPU, for that GPU. --cuda builds it on any machine, for the architectures of the packages
# or for the named one.
caller=$PWD
script="run"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

wants_cuda=no architectures=
case ${1:-} in
--cuda | --cuda=*)
    wants_cuda=yes
    if [[ $1 == --cuda=* ]]; then architectures=${1#--cuda=}-real; fi
    shift
    ;;
esac

# Sets `cuda_options` to the options of CMake for CUDA.
choose_cuda() {
    if [[ -z $architectures ]]; then
        architectures=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sort -u |
            sed 's/$/-real/' | paste -sd ';') || true
    fi
    if [[ $architectures =~ ^([0-9]+-real;?)+$ ]]; then
        cuda_options=(-DSCANLOUPE_CUDA=AUTO "-DCMAKE_CUDA_ARCHITECTURES=$architectures")
    elif [[ $wants_cuda == yes ]]; then
        cuda_options=(-DSCANLOUPE_CUDA=AUTO -UCMAKE_CUDA_ARCHITECTURES)
    else
        cuda_options=(-DSCANLOUPE_CUDA=OFF)
        say "== No NVIDIA GPU here, so the CUDA backend is left out; \"bash packaging/run.sh --cuda\" builds it"
        return
    fi
    if [[ $wants_cuda == yes ]]; then cuda_options[0]=-DSCANLOUPE_CUDA=ON; fi
}

scan=
if (($# > 0)) && [[ $1 != -* ]]; then
    scan=$(cd "$caller" && realpath -m -- "$1") # relative to the user's working directory
    shift
    [[ -e $scan ]] || fail "there is no \"$scan\"" "Give a scan or a folder of scans, or nothing for the sample."
fi

cli=build/native/bin/scanloupe-cli window=build/native/bin/scanloupe
if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} || -e $window ]]; then
    with_window=ON packages=("${PACKAGES_BUILD[@]}")
else
    with_window=OFF packages=("${PACKAGES_COMMAND_LINE[@]}")
    say "== No display here, so the window is left out; where there is one, this script builds it"
fi
ensure_packages "${packages[@]}"
ensure_laszip
choose_cuda
build_preset native "-DSCANLOUPE_GUI=$with_window" "${cuda_options[@]}"

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]] && (($# == 0)) && "$window" --check >/dev/null 2>&1; then
    say "== Opening the window"
    exec "$window" "${scan:---sample}"
fi

if [[ -z $scan ]]; then
    scan=build/sample/street.ply
    if [[ ! -e $scan || $cli -nt $scan ]]; then
        mkdir -p build/sample
        step "Making the sample scan $scan" "Free some disk space and run this again." \
            "$cli" synth "$scan" --scene street --points 1000000
    fi
fi

mkdir -p out
outputs=()
for output in mesh:mesh.ply voxels:voxels.ply image:picture.png timings:timings.json; do
    case " $* " in # outputs given by options are written there instead
    *" --${output%%:*} "* | *" --${output%%:*}="*) ;;
    *) outputs+=("--${output%%:*}" "$project/out/${output#*:}") ;;
    esac
done
say "== Running $scan"
status=0
scan=$(realpath "$scan")
(cd "$caller" && "$project/$cli" run "$scan" "${outputs[@]}" "$@") || status=$?
if ((status == 0)); then say "== What was not asked for elsewhere lies in $project/out"; fi
exit "$status"
