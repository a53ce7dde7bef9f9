#pragma once
// Declares tool tips of texts that are too long for their cells.
class QAbstractItemView;

namespace scanloupe::gui {

/// Gives a table or a tree tool tips with the whole texts of cells and of header sections that are too narrow
/// for them, before the tips that the model has.
void showCutTexts(QAbstractItemView* view);

} // namespace scanloupe::gui
