#!/usr/bin/env bash
# Installs missing packages, builds the preset release and opens a scan: in the window if there is a display, else with
# the command line, which writes mesh, voxels, picture and timings to out/. Without a scan it uses a generated street of
# a million points. With options of "scanloupe-cli run" it always uses the command line:
#   bash packaging/run.sh [SCAN|FOLDER] [--voxel-size 0.1 ...]
caller=$PWD
script="run"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

scan=
if (($# > 0)) && [[ $1 != -* ]]; then
    scan=$(cd "$caller" && realpath -m -- "$1") # relative to the user's working directory
    shift
    [[ -e $scan ]] || fail "there is no \"$scan\"" "Give a scan or a folder of scans, or nothing for the sample."
fi

ensure_packages "${PACKAGES_BUILD[@]}"
ensure_laszip
build_preset release -DSCANLOUPE_TESTS=OFF
cli=build/release/bin/scanloupe-cli

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]] && (($# == 0)) &&
    build/release/bin/scanloupe --check >/dev/null 2>&1; then
    say "== Opening the window"
    exec build/release/bin/scanloupe "${scan:---sample}"
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
