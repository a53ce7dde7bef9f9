#pragma once
// Declares what people do to a section: where it is put, and how it is moved.
#include "engine/recipe/range_cut.h"

namespace scanloupe::gui {

/// A section across a direction, through the middle of the range, some voxels thick.
/// @param resolved with a range and a voxel size
Section sectionAcross(Vec3d direction, const Recipe& resolved);
/// A section that stands upright through two points. None if one lies above the other.
std::optional<Section> sectionThrough(Vec3d a, Vec3d b, Vec3d up, const Recipe& resolved);
/// Moved along its direction by so many times its thickness.
Section stepped(Section section, double times);
/// How far the range reaches along the section's direction, as offsets of the section from where it is.
struct SectionSpan {
    double low = 0, high = 0; ///< metres
};
SectionSpan spanOf(const Section& section, const Recipe& resolved);

} // namespace scanloupe::gui
