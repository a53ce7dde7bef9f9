#!/usr/bin/env bash
# Collects the licences of third-party code in the programs, as stated by its Debian packages:
#   bash packaging/licences.sh FOLDER [SHIPPED] [CUDA TOOLKIT]
# FOLDER gets a file for each package, and in common-licenses the licences that these files refer to. SHIPPED has a line for
# each shipped file: its path in the bundle, a space, and the file of this machine that it was copied from. FOLDER/FILES lists
# the package of each shipped file. Packages of compiled_in.txt are always included, and CUDA if its toolkit is named.
set -euo pipefail
packaging=$(cd "$(dirname "$0")" && pwd)
laszip=$(realpath -m "$packaging/../build/laszip")
folder=${1:?the folder for licences} shipped=${2:-} toolkit=${3:-}

fail() {
    printf 'packaging/licences.sh: %s\n  %s\n' "$1" "Packages are made on Debian or Ubuntu, with the libraries of the system." >&2
    exit 1
}

# take PACKAGE FILE: keeps FILE as the licence of PACKAGE.
take() {
    [[ -s $2 ]] || fail "the licence of $1 was looked for at $2, and is not there"
    cp -L "$2" "$folder/$1"
}

mkdir -p "$folder"
: >"$folder/FILES"
while read -r package; do
    take "$package" "/usr/share/doc/$package/copyright"
done < <(grep -v '^#' "$packaging/compiled_in.txt")

# find_packages FILE...: fills package_of, a map from files of this machine to their packages.
declare -A package_of=()
find_packages() {
    local package file
    while IFS=' ' read -r package file; do
        package=${package%%:*}
        package_of[$file]=$package
        package_of[/usr$file]=$package # some packages have their files in /lib, which is /usr/lib
    done < <(dpkg -S "$@" "${@/#\/usr/}" 2>/dev/null)
}

places=() sources=()
if [[ -n $shipped ]]; then
    while read -r place source; do
        places+=("$place")
        sources+=("$(realpath "$source")")
    done <"$shipped"
    find_packages "${sources[@]}"
fi
for i in "${!places[@]}"; do
    if [[ ${sources[i]} == "$laszip"/* ]]; then
        package=liblaszip8
        take "$package" "$laszip/usr/share/doc/liblaszip8/copyright"
    else
        package=${package_of[${sources[i]}]:-}
        [[ -n $package ]] || fail "no package has ${sources[i]}, so that its licence is not known"
        take "$package" "/usr/share/doc/$package/copyright"
    fi
    printf '%s %s\n' "${places[i]}" "$package" >>"$folder/FILES"
done

# The CUDA runtime is linked statically, and CCCL consists of headers. The paths are those of NVIDIA's installer, PyPI and
# Debian.
if [[ -n $toolkit ]]; then
    found=no
    for licence in "$toolkit"/EULA.txt "$toolkit"/dist-info/nvidia_cuda_{runtime,cccl}-*/licenses/License.txt \
        /usr/share/doc/nvidia-cuda-dev/copyright; do
        if [[ ! -s $licence ]]; then continue; fi
        name=cuda
        if [[ $licence == *_cccl-* ]]; then name=cuda-cccl; fi
        take "$name" "$licence"
        found=yes
    done
    [[ $found == yes ]] || fail "the licence of CUDA is not in $toolkit"
fi

# Copies the licences that the collected files refer to.
mkdir -p "$folder/common-licenses"
{ grep -rhoE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$folder" || true; } | sort -u |
    while read -r licence; do
        if [[ -f $licence ]]; then cp -L "$licence" "$folder/common-licenses/$(basename "$licence")"; fi
    done
