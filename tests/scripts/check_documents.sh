#!/usr/bin/env bash
# Checks that the manual pages have no warnings, and that the completions of those of bash, zsh and fish that are installed
# list commands, options and choices: check_documents.sh FOLDER OF_THE_BUILD
set -euo pipefail
docs=$(realpath "$1") here=$(dirname "$(realpath "$0")") checked=''
wrong() {
    printf '%s\n' "$*" >&2
    exit 1
}

for page in "$docs"/man/*.1; do
    grep -q '^\.SH EXIT STATUS' "$page" || wrong "$page tells no exit codes"
    if command -v mandoc >/dev/null; then
        said=$(mandoc -T lint -W warning "$page") || wrong "$said"
        [[ -z $said ]] || wrong "$said"
        checked=" mandoc"
    elif command -v groff >/dev/null; then
        said=$(groff -man -ww -z "$page" 2>&1) || wrong "$said"
        [[ -z $said ]] || wrong "$said"
        checked=" groff"
    fi
done
[[ -f $docs/man/scanloupe-cli-run.1 ]] || wrong "there is no page of run"
grep -q -- '\\-\\-voxel\\-order' "$docs/man/scanloupe-cli-run.1" || wrong "run's page has no --voxel-order"

# shellcheck source=/dev/null
source "$docs/bash/scanloupe-cli"
completed() { # WORD...: what bash offers for the last word
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _scanloupe_cli
    printf '%s\n' "${COMPREPLY[@]}"
}
[[ $(completed scanloupe-cli al) == align ]] || wrong "bash: al"
[[ $(completed scanloupe-cli run --voxel-ord) == --voxel-order ]] || wrong "bash: --voxel-ord"
[[ $(completed scanloupe-cli run a.ply --voxel-order f) == first-point ]] || wrong "bash: --voxel-order f"
[[ $(completed scanloupe-cli run a.ply --voxel-type float1) == float16 ]] || wrong "bash: --voxel-type float1"
[[ $(completed scanloupe-cli run a.ply --stages = v) == voxels ]] || wrong "bash: --stages=v"
[[ $(completed scanloupe-cli compare a.ply --reference-unit mi) == millimetre ]] || wrong "bash: --reference-unit mi"
cd "$docs"
[[ $(completed scanloupe-cli info ma) == man ]] || wrong "bash: files"
checked+=" bash"

if command -v fish >/dev/null; then
    offered() { fish --no-config -c "source '$docs/fish/scanloupe-cli.fish'; complete -C '$1'" | cut -f1; }
    [[ $(offered "scanloupe-cli al") == align ]] || wrong "fish: al"
    [[ $(offered "scanloupe-cli run --voxel-ord") == --voxel-order ]] || wrong "fish: --voxel-ord"
    [[ $(offered "scanloupe-cli run a.ply --voxel-order f") == first-point ]] || wrong "fish: --voxel-order f"
    checked+=" fish"
fi
if command -v zsh >/dev/null; then
    said=$(zsh -f "$here/complete.zsh" "$docs/zsh" 'scanloupe-cli run --voxel-ord' 2>&1) || wrong "zsh: $said"
    [[ $said == *--voxel-order* ]] || wrong "zsh: --voxel-ord gives $said"
    said=$(zsh -f "$here/complete.zsh" "$docs/zsh" 'scanloupe-cli run a.ply --voxel-order=f' 2>&1)
    [[ $said == *first-point* ]] || wrong "zsh: --voxel-order=f gives $said"
    said=$(zsh -f "$here/complete.zsh" "$docs/zsh" 'scanloupe-cli al' 2>&1)
    [[ $said == *align* ]] || wrong "zsh: al gives $said"
    checked+=" zsh"
fi
echo "checked with$checked"
