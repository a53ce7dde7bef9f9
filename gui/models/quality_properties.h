#pragma once
// Declares the quality metrics of a mesh as name-value pairs.
#include "gui/models/property_model.h"

#include <cstdint>

namespace scanloupe {
enum class LengthUnit : std::uint8_t;
struct MeshQuality;
struct Snapshot;
} // namespace scanloupe

namespace scanloupe::gui {

/// Quality of the mesh of these results: its own counts, and `figures`, which may be those of the previous
/// mesh while the new ones are computed. Null: the counts alone. @param unit of the coordinates
Properties qualityProperties(const Snapshot& snapshot, const MeshQuality* figures, LengthUnit unit);

} // namespace scanloupe::gui
