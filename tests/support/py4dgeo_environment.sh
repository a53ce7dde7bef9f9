#!/usr/bin/env bash
# Makes the Python environment in which test_change compares with py4dgeo (PyPI), in build/py4dgeo or the given folder.
# Needs python3 with venv, and the network once.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=${1:-$project/build/py4dgeo}
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet 'py4dgeo>=1,<2'
"$folder/bin/python" -c 'import py4dgeo; print("py4dgeo", py4dgeo.__version__)'
