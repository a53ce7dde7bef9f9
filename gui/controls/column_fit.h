#pragma once
// Declares column widths that share the available width.
#include <vector>

class QTableView;

namespace scanloupe::gui {

/// Distributes a width: columns that need less than a fair share get the width that they need, the others
/// share the rest. The last column gets any remaining width, so that the sum is `width`.
std::vector<int> fairWidths(const std::vector<int>& needed, int width);

/// Keeps the columns of a table at fairWidths() of their contents: it never scrolls sideways.
void fitColumns(QTableView* table);

} // namespace scanloupe::gui
