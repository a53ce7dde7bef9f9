#pragma once
// Declares writing sections to files.
#include "engine/cloud/reference/length_unit.h"
#include "engine/inspect/section/section_drawing.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

struct SectionWriting {
    double scale = 100;                  ///< scale 1:scale on paper, for .svg
    LengthUnit unit = LengthUnit::metre; ///< unit of the drawing
    std::string ending = {};             ///< ending that selects the format; empty: that of the target
};

/// Returns the endings of the files that writeSection() can write.
const std::vector<std::string>& sectionEndings();

/// Writes a section in the format of the target's ending. A .dxf file (AutoCAD R12) has a 3D polyline for
/// each line, in the file's frame and in the unit that $INSUNITS names. An .svg file is to scale in
/// millimetres on paper, with a scale bar. Writes as writeAtomically().
/// @throws EngineError if there is no line, or if an .svg has no scale because the unit is not a length;
/// Cancelled
void writeSection(const std::filesystem::path& target, const SectionDrawing& drawing,
                  const SectionWriting& options, const std::stop_token& stop);

/// Returns the length of a scale bar for a drawing of `width`: 1, 2 or 5 times a power of ten, at most a
/// fifth of the width.
double scaleBarLength(double width);
/// Returns the length on paper, metres, of a length of 1 in the drawing, at the scale 1:scale.
/// @throws EngineError if the unit is not a length
double paperMetres(LengthUnit unit, double scale);

} // namespace scanloupe
