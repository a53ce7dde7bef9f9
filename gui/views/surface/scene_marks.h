#pragma once
// Declares the marks that the views draw over the scan: markers, lines, areas, points and texts at places of
// the scan.
#include "kernels/core/vec3.h"

#include <QColor>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

namespace scanloupe::gui {

/// A mark over the scan. Coordinates are in the file's frame.
struct SceneMark {
    std::vector<Vec3d> markers; ///< drawn as dots; those behind the camera are not drawn
    /// Polylines; parts behind the camera are clipped.
    std::vector<std::vector<Vec3d>> lines = {};
    std::vector<std::vector<Vec3d>> dashedLines = {};
    std::vector<Vec3d> area = {}; ///< corners of a polygon, filled
    QString text = {};
    Vec3d textAt = {}; ///< position of the text, which is drawn next to it; for an area, centred on it
    QColor colour = {};
    bool ring = false;  ///< markers are rings, which leave the marked place visible
    bool faint = false; ///< lines are thin and half transparent: a grid, which must not hide the scan
    /// Lines are arrows, with a head at both ends; they end within the view.
    bool arrows = false;
    /// Drawn as translucent dots, also where the scan hides them; shared, since marks are copied often. Null:
    /// none. Marks are equal only if these are the same object.
    std::shared_ptr<const std::vector<Vec3d>> points = nullptr;
    /// The text moves down from the texts of marks before it, and from markers and arrows.
    bool textAvoidsOthers = false;
    bool operator==(const SceneMark&) const = default;
};

struct SceneMarks {
    std::vector<SceneMark> marks;
    std::optional<Vec3d> rubberFrom = {}; ///< a line in the last mark's colour goes from here to the cursor
    bool wantsHover = false;              ///< some marks follow the cursor, even without a pressed button
    bool operator==(const SceneMarks&) const = default;
};

} // namespace scanloupe::gui
