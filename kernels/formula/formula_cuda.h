#pragma once
// Declares formulas over points on the device, compiled by NVRTC, which is loaded when it is first needed.
#include "kernels/core/buffer.h"
#include "kernels/core/scalar_type.h"
#include "kernels/core/stream.h"
#include "kernels/core/vec3.h"
#include "kernels/select/point_set.h"

#include <memory>
#include <span>
#include <string>

namespace scanloupe {

/// A variable of a formula, with a value for each point.
struct FormulaColumn {
    /// [N] values of the attribute, on the device. Null: the column is the `coordinate`.
    const void* data = nullptr;
    ScalarType type = ScalarType::float32;
    int coordinate = 0; ///< 0, 1, 2, 3: x, y, z, height
};

/// Maximum number of columns of a formula.
inline constexpr std::size_t kMaxFormulaColumns = 32;

/// The points for which a formula is computed.
struct FormulaPoints {
    std::span<const Vec3f> positions; ///< [N] metres, relative to the origin; on the device
    Vec3d origin;
    Vec3d up; ///< unit vector along which heights are measured
};

namespace cuda {

/// A formula that is compiled to a kernel.
class FormulaKernel {
public:
    /// Compiles a formula. @param expression C++ with the variables `Num` v0, v1, …, see
    /// Expression::deviceText()
    /// @throws KernelError with the reason if NVRTC is missing or rejects the expression
    FormulaKernel(const std::string& expression, std::size_t columns);
    ~FormulaKernel();
    FormulaKernel(const FormulaKernel&) = delete;
    FormulaKernel& operator=(const FormulaKernel&) = delete;

    /// Returns the present points for which the formula is neither 0 nor NaN. @note Synchronizes with
    /// `stream`, so that the kernel may be unloaded afterwards. @throws KernelError
    PointSet select(const FormulaPoints& points, std::span<const FormulaColumn> columns,
                    StreamView stream) const;

private:
    struct Code;
    std::unique_ptr<const Code> m_code;
};

} // namespace cuda

} // namespace scanloupe
