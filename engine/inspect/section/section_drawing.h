#pragma once
// Declares a section as a drawing: its lines in the coordinates of its plane.
#include "kernels/mesh/section/section_lines.h"

#include <array>
#include <vector>

namespace scanloupe {

struct Section;

/// The axes of a section seen against its direction: to the right and upwards in its plane, and across it.
/// They are unit vectors and right-handed in this order.
struct SectionFrame {
    Vec3d right, upwards, across;
};
/// Returns the axes of a section. In a level section, upwards is the y axis, as on a plan (the z axis if y is
/// the up axis).
/// @param up unit vector of the up axis
SectionFrame frameOf(const Section& section, Vec3d up);

struct SectionDrawing {
    using Point = std::array<double, 2>; ///< metres to the right of Section::at, and metres above it
    struct Line {
        std::vector<Point> points;
        bool isClosed = false;
    };
    std::vector<Line> lines;
    Point low{}, high{}; ///< corners of the box around all lines; equal if there are no lines
    Vec3d at;            ///< Section::at, in the file's frame
    SectionFrame frame;

    double width() const { return high[0] - low[0]; }
    double height() const { return high[1] - low[1]; }
    /// Converts a point of the drawing to the file's frame.
    Vec3d inFile(Point p) const { return at + frame.right * p[0] + frame.upwards * p[1]; }
};

/// Returns the drawing of a section's lines. @param origin origin of the mesh that was cut, in the file's
/// frame
/// @param up unit vector of the up axis
SectionDrawing drawingOf(const SectionLines& lines, Vec3d origin, const Section& section, Vec3d up);

} // namespace scanloupe
