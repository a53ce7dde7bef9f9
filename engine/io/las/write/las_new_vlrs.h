#pragma once
// Declares the VLRs of a new LAS file, whose cloud comes from another format or from several files.
#include "engine/io/las/write/las_plan.h"

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::detail {

/// Sets the plan's identity, its VLRs and, where these need it, a newer version. `extra` are the indices of
/// the plan's sources that are extra bytes, in their order.
void addNewVlrs(const PointCloud& cloud, std::span<const std::size_t> extra, LasPlan& plan);

} // namespace scanloupe::detail
