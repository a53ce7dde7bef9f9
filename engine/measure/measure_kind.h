#pragma once
// Declares the table of the kinds of measures.
#include "engine/measure/measure.h"

#include <span>
#include <string_view>
#include <vector>

namespace scanloupe {

/// A value of measures: a column of the CSV, and a number in texts.
struct MeasureFigure {
    enum class Dimension : std::uint8_t { length, area, angle };
    const char* key; ///< "distance", in the names of columns
    Dimension dimension;
    double MeasureValues::*value;
};

/// All figures, in the order of the columns.
std::span<const MeasureFigure> measureFigures();

/// What the views draw of a measure, in the frame of its points.
struct MeasureDrawing {
    std::vector<std::vector<Vec3d>> lines;       ///< polylines
    std::vector<std::vector<Vec3d>> dashedLines; ///< likewise
    std::vector<Vec3d> area;                     ///< corners of a filled polygon
    Vec3d textAt;
};

/// What is the same for all measures of a kind.
struct MeasureKindRow {
    MeasureKind kind;
    std::string_view key; ///< in files; its icon is "measure-KEY"
    const char* label;    ///< "Distance"
    const char* menuText; ///< with its mnemonic
    const char* shortcut;
    std::size_t minPoints;
    std::size_t maxPoints;
    /// What the text of a measure shows, the most important one first; the views show that alone. Empty: its
    /// name and coordinates.
    std::vector<double MeasureValues::*> shown = {};
    /// The text of these values, with %1 for the first: "%1 (height %2)".
    const char* text = "%1";
    /// What is clicked next, after 0, 1, 2 ... points; "point 2", "corner 4" beyond its end.
    std::vector<const char*> clicks = {"its first point"};
    /// Sets the values. @param points relative to the first, so that map coordinates lose no digits, at least
    /// minPoints; @param up unit vector of the up axis
    void (*evaluate)(MeasureValues& values, const std::vector<Vec3d>& points, Vec3d up);
    MeasureDrawing (*draw)(const std::vector<Vec3d>& points, Vec3d up); ///< parameters likewise
};

/// All kinds, in the order of the enumeration.
std::span<const MeasureKindRow> measureKinds();
const MeasureKindRow& rowOf(MeasureKind kind);

/// @param measure with at least as many points as its kind needs
MeasureDrawing drawingOf(const Measure& measure, Vec3d up);

} // namespace scanloupe
