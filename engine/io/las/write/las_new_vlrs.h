#pragma once
// Declares the VLRs of a new LAS file, that is, of a cloud from another format or from several files.
#include "engine/io/las/write/las_plan.h"

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::detail {

/// Sets the plan's identity and VLRs, and a newer version if the VLRs require it. @param extra indices of the
/// plan's sources that are extra bytes, in the order of the record
void addNewVlrs(const PointCloud& cloud, std::span<const std::size_t> extra, LasPlan& plan);

} // namespace scanloupe::detail
