#!/usr/bin/env bash
# Collects the licences of what the programs have from others, as Debian's packages of them state them:
#   bash packaging/licences.sh FOLDER [SHIPPED] [CUDA TOOLKIT]
# FOLDER gets a file for each package, with the licences that these refer to in common-licenses. SHIPPED has a line for each
# file that is shipped: its place in the bundle, a space, and the file of this machine that it was copied from. FOLDER/FILES
# says which package each belongs to. Packages of compiled_in.txt are always among them, CUDA where its toolkit is named.
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

# find_packages FILE...: fills package_of, from files of this machine to the packages that they are of.
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

# the runtime is linked statically, and CCCL is headers; by NVIDIA's installer, from PyPI, and by Debian
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

# licences that those refer to
mkdir -p "$folder/common-licenses"
{ grep -rhoE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$folder" || true; } | sort -u |
    while read -r licence; do
        if [[ -f $licence ]]; then cp -L "$licence" "$folder/common-licenses/$(basename "$licence")"; fi
    done
