#pragma once
// Declares the common base class of the table models.
#include <QAbstractTableModel>
#include <QStringList>
#include <cstddef>
#include <utility>

namespace scanloupe::gui {

/// A table with fixed column headings. Subclasses have rows of one kind, and provide the contents of their
/// cells.
class TableModel : public QAbstractTableModel {
public:
    TableModel(QStringList heads, QObject* parent) : QAbstractTableModel(parent), m_heads(std::move(heads)) {}

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(rows()); }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : int(m_heads.size());
    }
    QVariant data(const QModelIndex& index, int role) const override {
        const bool isCell = checkIndex(index, CheckIndexOption::IndexIsValid);
        return isCell ? cell(std::size_t(index.row()), index.column(), role) : QVariant();
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        const bool isHead = orientation == Qt::Horizontal && role == Qt::DisplayRole;
        return isHead ? m_heads.value(section) : QVariant();
    }

protected:
    virtual std::size_t rows() const = 0;
    virtual QVariant cell(std::size_t row, int column, int role) const = 0;
    /// Calls `change`, which replaces the values; views keep place and selection if the rows are the same.
    template <class Change>
    void replace(bool hasSameRows, const Change& change) {
        if (!hasSameRows)
            beginResetModel();
        change();
        if (!hasSameRows)
            endResetModel();
        else if (rows() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
    static int rightAligned() { return int(Qt::AlignRight | Qt::AlignVCenter); }

private:
    QStringList m_heads;
};

} // namespace scanloupe::gui
