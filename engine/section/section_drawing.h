#pragma once
// Declares a section as a drawing: its lines in its own plane.
#include "kernels/mesh/section/section_lines.h"

#include <array>
#include <vector>

namespace scanloupe {

struct Section;

/// The section's axes: in its plane to the right and upwards, and across it, as seen against its direction.
/// Unit, and right-handed in this order.
struct SectionFrame {
    Vec3d right, upwards, across;
};
/// @param up unit vector of the up axis. Upwards in a level section is the y axis, or z where that is up, as
/// in a plan.
SectionFrame frameOf(const Section& section, Vec3d up);

struct SectionDrawing {
    using Point = std::array<double, 2>; ///< metres to the right of and above Section::at
    struct Line {
        std::vector<Point> points;
        bool isClosed = false;
    };
    std::vector<Line> lines;
    Point low{}, high{}; ///< corners of the box around all lines; equal without any
    Vec3d at;            ///< Section::at, file's frame
    SectionFrame frame;

    double width() const { return high[0] - low[0]; }
    double height() const { return high[1] - low[1]; }
    /// A point of the drawing in the file's frame.
    Vec3d inFile(Point p) const { return at + frame.right * p[0] + frame.upwards * p[1]; }
};

/// @param origin of the mesh that was cut, in the file's frame
SectionDrawing drawingOf(const SectionLines& lines, Vec3d origin, const Section& section, Vec3d up);

} // namespace scanloupe
