#pragma once
// Declares the layers of LAZ chunks of point formats 6 to 10. Each layer can be decompressed without the
// others.
#include "engine/io/las/las_layout.h"

#include <cstdint>
#include <span>

namespace scanloupe {

/// A set of layers in the numbering of LASzip.
enum class LazLayers : std::uint32_t { all = 0xffffffff };

/// Returns the layers of the columns whose targets have memory; with `opaque`, also those of the opaque
/// bytes.
LazLayers lazLayers(const LasLayout& layout, int pointFormat, std::span<const ColumnTarget> targets,
                    bool opaque);

/// Whether a set contains a chunk's layer, or LASzip always decompresses it. @param layer its index in the
/// file
bool isWanted(std::size_t layer, int pointFormat, LazLayers layers);

} // namespace scanloupe
