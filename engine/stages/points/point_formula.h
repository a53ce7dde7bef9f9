#pragma once
// Declares formulas over the points of a cloud.
#include "engine/expression/expression.h"
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

/// The names that a formula over a cloud may use: x, y, z and height, in the file's frame, and all
/// attributes; in their names, _ replaces everything but letters, digits and _.
std::vector<std::string> formulaNames(const PointCloud& cloud);

/// A formula over the points of a cloud. Coordinates are those that kernels compute with: single precision,
/// relative to the cloud's origin, which is added.
class Formula {
public:
    /// @param up unit vector of `height` @throws EngineError as Expression
    Formula(const std::string& text, Vec3d up, const PointCloud& cloud);

    /// Calls `take(first, values)` for the values of every `stride`-th point, from many threads; pieces begin
    /// at multiples of 32. @throws EngineError when an attribute can't be read any more; Cancelled
    void evaluate(std::size_t stride, std::size_t count, const std::stop_token& stop,
                  const std::function<void(std::size_t, std::span<const double>)>& take) const;

    /// The same as a set of the points that it holds for, computed on the device; none when it can't be. Why
    /// is appended to `note`.
    std::optional<PointSet> selectOnDevice(const PointAttributes& attributes,
                                           std::span<const Vec3f> positions, const Execution& on,
                                           std::string& note) const;

private:
    const PointCloud& m_cloud;
    Vec3d m_up;
    Expression m_expression;
};

} // namespace scanloupe
