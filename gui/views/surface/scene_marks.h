#pragma once
// Declares what the views draw over the scan: markers, lines, areas and texts at places of the scan.
#include "kernels/core/vec3.h"

#include <QColor>
#include <QString>
#include <optional>
#include <vector>

namespace scanloupe::gui {

/// A mark over the scan. Coordinates are in the file's frame.
struct SceneMark {
    std::vector<Vec3d> markers; ///< drawn as dots; those behind the camera are not drawn
    /// Drawn as one line through all; its parts behind the camera are cut off.
    std::vector<std::vector<Vec3d>> lines = {};
    std::vector<std::vector<Vec3d>> dashedLines = {};
    std::vector<Vec3d> area = {}; ///< corners of a polygon, filled
    QString text = {};
    Vec3d textAt = {}; ///< the text stands beside it, that of an area upon it
    QColor colour = {};
    bool ring = false;  ///< markers are rings, through which one sees what they mark
    bool faint = false; ///< lines are thin and half transparent: a grid, which must not hide the scan
    bool operator==(const SceneMark&) const = default;
};

struct SceneMarks {
    std::vector<SceneMark> marks;
    std::optional<Vec3d> rubberFrom = {}; ///< a line in the last mark's colour goes from here to the cursor
    bool wantsHover = false;              ///< something follows the cursor, though no button is pressed
    bool operator==(const SceneMarks&) const = default;
};

} // namespace scanloupe::gui
