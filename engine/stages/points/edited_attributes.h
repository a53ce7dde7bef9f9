#pragma once
// Declares copies of attributes with new values at some of the rows.
#include "kernels/select/point_set.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>

namespace scanloupe {

class Attribute;
struct ComputeAction;
class PointCloud;

/// Returns the classes of a cloud, with the rows in the set changed to `value`.
Attribute classesSet(const PointCloud& cloud, const PointSet& rows, std::int64_t value,
                     const std::stop_token& stop);
/// Returns the scan's red, green or blue (`channel` 0 to 2), with new values at the rows in the set.
/// @param share returns the new value of a row as a fraction of the full range; NaN keeps the old value
Attribute channelSet(const PointCloud& cloud, const PointSet& rows, std::size_t channel,
                     const std::function<double(std::size_t)>& share, const std::stop_token& stop);
/// Returns an attribute with new values at the rows in the set. The other rows have the values of the cloud,
/// or NaN.
/// @param values values of every `stride`-th point; with `keepsMissing`, NaN keeps the old value
Attribute valuesSet(const PointCloud& cloud, const PointSet& rows, const std::string& name,
                    const std::string& description, std::span<const float> values, std::size_t stride,
                    bool keepsMissing, const std::stop_token& stop);
/// Returns an attribute with the values of a formula at the rows in the set. The other rows have the values
/// of the cloud, or NaN.
Attribute valuesComputed(const PointCloud& cloud, const PointSet& rows, const ComputeAction& action,
                         std::size_t stride, const std::stop_token& stop);

} // namespace scanloupe
