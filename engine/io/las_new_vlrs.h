#pragma once
// The header and the records of a LAS file whose cloud comes from elsewhere, or from several files.
#include "engine/io/las_plan.h"

namespace scanloupe::detail {

/// Fills in identity, records and, where they need it, a newer version. `extra` are those of the plan's
/// sources that are extra bytes, in their order.
void addNewVlrs(const PointCloud& cloud, std::span<const std::size_t> extra, LasPlan& plan);

} // namespace scanloupe::detail
