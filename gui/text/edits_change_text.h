#pragma once
// Describes how edits differ.
#include <QString>

namespace scanloupe {
struct Edits;
}

namespace scanloupe::gui {

/// "Delete 1,234 points", "Layer hidden: Erase", "Selection". The edits must differ.
QString editsChangeText(const Edits& before, const Edits& after);

} // namespace scanloupe::gui
