#pragma once
// Declares the picture of a section to scale.
#include "engine/cloud/reference/length_unit.h"
#include "engine/inspect/section/section_drawing.h"
#include "gui/base/snapshot_ptr.h"

#include <QImage>
#include <stop_token>

namespace scanloupe {
struct Snapshot;
}

namespace scanloupe::gui {

/// The rasterized part of the scan in the section, seen along its direction, with its lines, and a bar below.
struct SectionPicture {
    double scale = 100; ///< 1:scale on paper
    int dotsPerInch = 300;
    LengthUnit unit = LengthUnit::metre; ///< unit of the drawing

    /// Pixels of the drawing with its rim and its bar. @throws as paperMetres
    QSize size(const SectionDrawing& drawing) const;
    /// @throws as paperMetres, PictureScene and PictureBands; Cancelled
    QImage draw(const Snapshot& snapshot, const SectionDrawing& drawing, const std::stop_token& stop) const;
};

} // namespace scanloupe::gui
