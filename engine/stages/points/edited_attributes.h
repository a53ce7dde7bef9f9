#pragma once
// Declares attributes of a cloud with other values at some of its rows.
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

/// The classes of a cloud with those of some rows set.
Attribute classesSet(const PointCloud& cloud, const PointSet& rows, std::int64_t value,
                     const std::stop_token& stop);
/// The scan's red, green or blue (`channel` 0 to 2), with others at some rows.
/// @param share of the whole range, of a row; NaN: it stays as it is
Attribute channelSet(const PointCloud& cloud, const PointSet& rows, std::size_t channel,
                     const std::function<double(std::size_t)>& share, const std::stop_token& stop);
/// Values of every `stride`-th point at some rows; at the others those that the cloud has, or NaN.
/// @param values NaN leaves what the cloud has where `keepsMissing`
Attribute valuesSet(const PointCloud& cloud, const PointSet& rows, const std::string& name,
                    const std::string& description, std::span<const float> values, std::size_t stride,
                    bool keepsMissing, const std::stop_token& stop);
/// The values of a formula at some rows; at the others those that the cloud has, or NaN.
Attribute valuesComputed(const PointCloud& cloud, const PointSet& rows, const ComputeAction& action,
                         std::size_t stride, const std::stop_token& stop);

} // namespace scanloupe
