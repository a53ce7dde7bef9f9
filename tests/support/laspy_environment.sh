#!/usr/bin/env bash
# Makes the Python environment of test_laspy, with laspy and lazrs from PyPI, in build/laspy or the given folder. Needs
# python3 with venv, and the network once.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=${1:-$project/build/laspy}
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet 'laspy[lazrs]>=2.5,<3'
"$folder/bin/python" -c 'import laspy; print("laspy", laspy.__version__)'
