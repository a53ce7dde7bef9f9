#pragma once
// Declares column widths that share what there is.
#include <vector>

class QTableView;

namespace scanloupe::gui {

/// Distributes a width: columns that need less than a fair share get what they need, the others share the
/// rest. What all of them leave goes to the last one. @return widths, whose sum is `width`
std::vector<int> fairWidths(const std::vector<int>& needed, int width);

/// Keeps the columns of a table at fairWidths() of their contents: it never scrolls sideways.
void fitColumns(QTableView* table);

} // namespace scanloupe::gui
