#!/usr/bin/env bash
# Writes a source that defines the CUDA variants of operators with one body, as functions that end the program:
#   bash operators_unavailable.sh LIBRARY SOURCE
# A build without CUDA does not refer to them, so that it needs no stubs; objects of a build with CUDA do.
set -euo pipefail
exec >"$2"
echo '#include <cstdlib>'
nm -g --defined-only "$1" | sed -n 's/^[0-9a-f]* T \(_ZN9scanloupe[A-Za-z0-9_]*RNS_9CudaQueueE[A-Za-z0-9_]*\)$/\1/p' | sort -u |
    awk '{printf "extern \"C\" void unavailable%d() asm(\"%s\");\nvoid unavailable%d() { std::abort(); }\n", NR, $1, NR}'
