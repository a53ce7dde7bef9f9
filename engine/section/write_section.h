#pragma once
// Declares the files of sections.
#include "engine/reference/length_unit.h"
#include "engine/section/section_drawing.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

struct SectionWriting {
    double scale = 100;                  ///< 1:scale, for .svg
    LengthUnit unit = LengthUnit::metre; ///< unit of the drawing
    std::string ending = {};             ///< selects the format; empty: the target's ending
};

/// Endings of the files that writeSection() can write.
const std::vector<std::string>& sectionEndings();

/// .dxf (AutoCAD R12: a 3D polyline for each line, in the file's frame and unit, which $INSUNITS names) or
/// .svg (millimetres on paper, to scale, with a bar), by the target's ending. As writeAtomically.
/// @throws EngineError when there is no line, or no scale because the unit is no length; Cancelled
void writeSection(const std::filesystem::path& target, const SectionDrawing& drawing,
                  const SectionWriting& options, const std::stop_token& stop);

/// The length of a scale bar on a drawing of `width`: 1, 2 or 5 times a power of ten, at most a fifth of the
/// width.
double scaleBarLength(double width);
/// Metres on paper of a length of 1 in the drawing, at 1:scale. @throws EngineError for a unit that is no
/// length
double paperMetres(LengthUnit unit, double scale);

} // namespace scanloupe
