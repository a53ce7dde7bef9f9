#pragma once
// Declares alignment by CUDA graphs, for CUDA sources.
#include "kernels/register/ndt/cuda_ndt_run.cuh"
#include "tests/bench/variants/ndt_variants.h"

namespace scanloupe::cuda {

/// Aligns by a graph of an iteration's two kernels: launched for each iteration, or, where it `repeats`,
/// once.
/// @returns the local pose, see NdtFrame @note Synchronizes. @throws KernelError
NdtVariantResult alignByGraph(bool repeats, const NdtRun& run, const NdtDeviceJob& job, StreamView stream);

} // namespace scanloupe::cuda
