#pragma once
// Declares the table of the kinds of measures.
#include "engine/inspect/measure/measure.h"

#include <span>
#include <string_view>
#include <vector>

namespace scanloupe {

/// One of the values of measures, which becomes a column of the CSV and a number in texts.
struct MeasureFigure {
    enum class Dimension : std::uint8_t { length, area, angle };
    const char* key; ///< name in the CSV's columns, for example "distance"
    Dimension dimension;
    double MeasureValues::*value;
};

/// Returns all figures in the order of the columns.
std::span<const MeasureFigure> measureFigures();

/// The lines and areas that views draw for a measure, in the frame of its points.
struct MeasureDrawing {
    std::vector<std::vector<Vec3d>> lines;       ///< polylines
    std::vector<std::vector<Vec3d>> dashedLines; ///< polylines, drawn dashed
    std::vector<Vec3d> area;                     ///< corners of a filled polygon
    Vec3d textAt;
};

/// Properties that all measures of a kind share.
struct MeasureKindRow {
    MeasureKind kind;
    std::string_view key; ///< name in files; the icon is "measure-KEY"
    const char* label;    ///< name of the kind, for example "Distance"
    const char* menuText; ///< text in menus, with its mnemonic
    const char* shortcut;
    std::size_t minPoints;
    std::size_t maxPoints;
    /// Values in the text of a measure, the most important one first; views show only the first. Empty: the
    /// text shows the measure's name and coordinates.
    std::vector<double MeasureValues::*> shown = {};
    /// Pattern of the text, with %1 for the first value: "%1 (height %2)".
    const char* text = "%1";
    /// Names of the points for hints, in the order of clicks. Further points are called "point 2", "corner
    /// 4", ...
    std::vector<const char*> clicks = {"the first point"};
    /// Sets the values of a measure.
    /// @param points at least minPoints, relative to the first point, so that map coordinates keep their
    /// precision
    /// @param up unit vector of the up axis
    void (*evaluate)(MeasureValues& values, const std::vector<Vec3d>& points, Vec3d up);
    MeasureDrawing (*draw)(const std::vector<Vec3d>& points, Vec3d up); ///< same parameters as `evaluate`
};

/// Returns all kinds in the order of MeasureKind.
std::span<const MeasureKindRow> measureKinds();
const MeasureKindRow& rowOf(MeasureKind kind);

/// Returns the drawing of a measure. @param measure has at least as many points as its kind needs
MeasureDrawing drawingOf(const Measure& measure, Vec3d up);

} // namespace scanloupe
