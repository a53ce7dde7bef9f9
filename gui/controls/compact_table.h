#pragma once
// Declares compact tables for item models.
class QAbstractItemModel;
class QTableView;
class QWidget;

namespace scanloupe::gui {

/// Creates a table with tight rows, without grid and row numbers. Whole rows are selected, and Ctrl+C copies
/// them as tab-separated text; text that is too long for a cell appears in a tool tip. The model must outlive
/// it.
QTableView* compactTable(QAbstractItemModel* model, QWidget* parent);
/// Creates a compact table of names and values, without header. Names and values share its width.
QTableView* propertyTable(QAbstractItemModel* model, QWidget* parent);
/// Makes the table as tall as its rows, up to `most` of them.
void fitHeight(QTableView* table, int most);

} // namespace scanloupe::gui
