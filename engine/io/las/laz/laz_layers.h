#pragma once
// Declares the layers of LAZ chunks of point formats 6 to 10. Each layer can be decompressed without the
// others.
#include "engine/io/las/las_layout.h"

#include <cstdint>
#include <span>

namespace scanloupe {

/// A set of layers, as flags of LASzip.
enum class LazLayers : std::uint32_t { all = 0xffffffff };

/// Returns the layers of the columns whose targets have memory. @param opaque whether to include the layers
/// of the opaque bytes
LazLayers lazLayers(const LasLayout& layout, int pointFormat, std::span<const ColumnTarget> targets,
                    bool opaque);

/// Returns whether a layer is in the set, or is always decompressed by LASzip. @param layer index of the
/// layer in a chunk
bool isWanted(std::size_t layer, int pointFormat, LazLayers layers);

} // namespace scanloupe
