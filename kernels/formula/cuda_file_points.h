#pragma once
// Declares functions of points that users write in CUDA.
#include "kernels/formula/formula_cuda.h"
#include "kernels/formula/trusted_code.h"

#include <stop_token>
#include <string>

namespace scanloupe {

namespace cuda {

/// Runs a file's function for each point: returns [N, 3] colours or [N] values, on the device; NaN at missing
/// points. The members of `Point` are x, y, z and height in the file's frame, and those in `names`, all of
/// type double. No thread runs longer than two seconds.
/// @param names names of the columns, as members of `Point`
/// @note Synchronizes with `stream`. @throws KernelError with the line of the file, see GuardedModule;
/// Cancelled
Buffer<float> runOnPoints(const TrustedCudaFile& file, const FormulaPoints& points,
                          std::span<const std::string> names, std::span<const FormulaColumn> columns,
                          const std::stop_token& stop, StreamView stream);

} // namespace cuda

} // namespace scanloupe
