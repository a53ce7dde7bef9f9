#pragma once
// Says in words how edits differ.
#include "engine/edit/edits.h"

#include <QString>

namespace scanloupe::gui {

/// "Delete 1,234 points", "Layer hidden: Erase", "Selection". For two that differ.
QString editsChangeText(const Edits& before, const Edits& after);

} // namespace scanloupe::gui
