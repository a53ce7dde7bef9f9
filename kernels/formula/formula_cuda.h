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
    /// The attribute's values, [N] on the device. Null: the `coordinate` is the value.
    const void* data = nullptr;
    ScalarType type = ScalarType::float32;
    int coordinate = 0; ///< x, y, z, height
};

/// Maximum number of columns of a formula.
inline constexpr std::size_t kMaxFormulaColumns = 32;

/// The points for which formulas are computed; positions are on the device.
struct FormulaPoints {
    std::span<const Vec3f> positions; ///< [N] relative to the origin
    Vec3d origin;
    Vec3d up; ///< unit vector that heights are measured along
};

namespace cuda {

/// A formula as a kernel.
class FormulaKernel {
public:
    /// @param expression C++ of `Num`s v0, v1, … see Expression::deviceText()
    /// @throws KernelError with the reason when NVRTC is missing, or rejects it
    FormulaKernel(const std::string& expression, std::size_t columns);
    ~FormulaKernel();
    FormulaKernel(const FormulaKernel&) = delete;
    FormulaKernel& operator=(const FormulaKernel&) = delete;

    /// The present points whose value is neither 0 nor NaN. @note Synchronizes with `stream`: the kernel may
    /// be unloaded afterwards. @throws KernelError
    PointSet select(const FormulaPoints& points, std::span<const FormulaColumn> columns,
                    StreamView stream) const;

private:
    struct Code;
    std::unique_ptr<const Code> m_code;
};

} // namespace cuda

} // namespace scanloupe
