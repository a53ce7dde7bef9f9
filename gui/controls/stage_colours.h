#pragma once
// Gives the stages of a run their colours.
#include "engine/graph/stage_costs.h"
#include "engine/graph/stage_table.h"

#include <QColor>
#include <string>

namespace scanloupe::gui {

/// A stage's colour in bars and history, from a palette for colour-blind readers, too: Okabe and Ito, "Color
/// Universal Design", 2008.
inline QColor stageColour(const std::string& stage) {
    const TimingRow* row = timingRow(stage);
    return QColor(QRgb(row ? row->colour : kPlainBar));
}

} // namespace scanloupe::gui
