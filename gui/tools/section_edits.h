#pragma once
// Declares the user's edits of a section: its placement and its moves.
#include "kernels/core/vec3.h"

#include <optional>

namespace scanloupe {
struct Recipe;
struct Section;
} // namespace scanloupe

namespace scanloupe::gui {

/// A section across a direction, through the middle of the range, some voxels thick.
/// @param resolved with a range and a voxel size
Section sectionAcross(Vec3d direction, const Recipe& resolved);
/// A vertical section through two points. None if one lies above the other.
std::optional<Section> sectionThrough(Vec3d a, Vec3d b, Vec3d up, const Recipe& resolved);
/// The section moved along its direction by `times` times its thickness.
Section stepped(Section section, double times);
/// The extent of the range along the section's direction, as offsets from the section.
struct SectionSpan {
    double low = 0, high = 0; ///< metres
};
SectionSpan spanOf(const Section& section, const Recipe& resolved);

} // namespace scanloupe::gui
