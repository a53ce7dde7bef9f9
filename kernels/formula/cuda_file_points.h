#pragma once
// Declares functions of points that users write in CUDA.
#include "kernels/formula/formula_cuda.h"
#include "kernels/formula/trusted_code.h"

#include <stop_token>
#include <string>

namespace scanloupe {

namespace cuda {

/// The result of a file's function at each point: [N, 3] colours or [N] values, on the device; NaN at missing
/// points. `Point` has x, y, z and height in the file's frame, and the members in `names`, all as double. No
/// thread runs longer than two seconds.
/// @param names of the columns, as members of `Point`
/// @note Synchronizes with `stream`. @throws KernelError with the line of the file: see GuardedModule;
/// Cancelled
Buffer<float> runOnPoints(const TrustedCudaFile& file, const FormulaPoints& points,
                          std::span<const std::string> names, std::span<const FormulaColumn> columns,
                          const std::stop_token& stop, StreamView stream);

} // namespace cuda

} // namespace scanloupe
