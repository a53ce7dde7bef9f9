#pragma once
class QAbstractItemModel;
class QTableView;
class QWidget;

namespace scanloupe::gui {

/// A table of tight rows for a model: no grid, no row numbers, whole rows are selected, Ctrl+C copies them as
/// tabbed text. The model must outlive it.
QTableView* compactTable(QAbstractItemModel* model, QWidget* parent);
/// The same for name and value: no header, values take the room that is left.
QTableView* propertyTable(QAbstractItemModel* model, QWidget* parent);
/// Makes the table as tall as its rows, up to `most` of them.
void fitHeight(QTableView* table, int most);

} // namespace scanloupe::gui
