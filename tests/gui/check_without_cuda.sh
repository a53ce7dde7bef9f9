#!/usr/bin/env bash
# The window without CUDA starts, has no code of CUDA's runtime, and says that it computes on the CPU: PROGRAM
set -euo pipefail
! grep -q cudaLaunchKernel "$1" || { echo "the window without CUDA has CUDA's runtime in it"; exit 1; }
QT_QPA_PLATFORM=offscreen "$1" --version
