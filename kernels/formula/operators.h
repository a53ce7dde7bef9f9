#pragma once
// Operators of this folder. They exist only on the device; on the host, the engine evaluates formulas.
#include "kernels/formula/cuda_file_points.h"
#include "kernels/formula/formula_cuda.h"

namespace scanloupe {

/// Returns the points for which a formula is true, see cuda::FormulaKernel; all data is on the device.
/// @param expression see Expression::deviceText() @throws KernelError if it cannot be compiled
inline PointSet selectByFormula(const std::string& expression, const FormulaPoints& points,
                                std::span<const FormulaColumn> columns, StreamView stream) {
    return cuda::FormulaKernel(expression, columns.size()).select(points, columns, stream);
}

/// Returns the value of a user's function at each point, see cuda::runOnPoints; all data is on the device.
inline Buffer<float> runOnPoints(const TrustedCudaFile& file, const FormulaPoints& points,
                                 std::span<const std::string> names, std::span<const FormulaColumn> columns,
                                 const std::stop_token& stop, StreamView stream) {
    return cuda::runOnPoints(file, points, names, columns, stop, stream);
}

} // namespace scanloupe
