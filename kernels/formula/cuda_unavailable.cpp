// Provides stubs for the sources of a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/formula/cuda_file_points.h"
#include "kernels/formula/formula_cuda.h"

namespace scanloupe::cuda {

struct FormulaKernel::Code {};

FormulaKernel::FormulaKernel(const std::string&, std::size_t) {
    detail::throwNoCuda();
}
FormulaKernel::~FormulaKernel() = default;
PointSet FormulaKernel::select(const FormulaPoints&, std::span<const FormulaColumn>, StreamView) const {
    detail::throwNoCuda();
}
Buffer<float> runOnPoints(const TrustedCudaFile&, const FormulaPoints&, std::span<const std::string>,
                          std::span<const FormulaColumn>, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
