#pragma once
// Declares formulas over the points of a cloud.
#include "engine/edit/expression/expression.h"
#include "kernels/core/execution.h"
#include "kernels/core/vec3.h"
#include "kernels/select/point_set.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

class PointAttributes;
class PointCloud;

/// Returns the names that a formula over a cloud may use: x, y, z and height in the file's frame, and all
/// attributes. In the names of attributes, _ replaces all characters except letters, digits and _.
std::vector<std::string> formulaNames(const PointCloud& cloud);

/// A formula over the points of a cloud. It uses the coordinates of the kernels, which are in single
/// precision relative to the cloud's origin, plus this origin.
class Formula {
public:
    /// @param up unit vector along which `height` is measured
    /// @throws as Expression
    Formula(const std::string& text, Vec3d up, const PointCloud& cloud);

    /// Evaluates the formula for every `stride`-th point. Calls `take(first, values)` for pieces of the
    /// result, from several threads; pieces begin at multiples of 32. @throws EngineError if an attribute
    /// can't be read any more; Cancelled
    void evaluate(std::size_t stride, std::size_t count, const std::stop_token& stop,
                  const std::function<void(std::size_t, std::span<const double>)>& take) const;

    /// Returns the set of points for which the formula is true, computed on the device; none if the device
    /// can't compute it, with the reason appended to `note`.
    std::optional<PointSet> selectOnDevice(const PointAttributes& attributes,
                                           std::span<const Vec3f> positions, const Execution& on,
                                           std::string& note) const;

private:
    const PointCloud& m_cloud;
    Vec3d m_up;
    Expression m_expression;
};

} // namespace scanloupe
