#!/usr/bin/env bash
# Runs a command with a new folder as its last argument, which goes with it: in_folder.sh COMMAND...
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" "$folder"
