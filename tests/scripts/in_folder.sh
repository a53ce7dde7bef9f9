#!/usr/bin/env bash
# Runs a command with a new folder as its last argument, and removes the folder afterwards: in_folder.sh COMMAND...
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" "$folder"
