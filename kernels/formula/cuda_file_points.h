#pragma once
// Declares functions of points that people write in CUDA.
#include "kernels/formula/cuda_file.h"
#include "kernels/formula/formula_cuda.h"

#include <string>

namespace scanloupe {

namespace cuda {

/// What a file's function gives at each point: [N, 3] colours or [N] values, on the device; NaN at points
/// that are not there. `Point` has x, y, z and height in the file's frame, and what `names` say, all as
/// double. Takes at most two seconds, beside compiling it.
/// @param names of the columns, as members of `Point`
/// @note Synchronizes with `stream`. @throws KernelError with the line of the file: see GuardedModule
Buffer<float> runOnPoints(const CudaFile& file, const FormulaPoints& points,
                          std::span<const std::string> names, std::span<const FormulaColumn> columns,
                          StreamView stream);

} // namespace cuda

} // namespace scanloupe
