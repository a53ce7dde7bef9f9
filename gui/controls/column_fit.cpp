// Shares the width of a table among its columns.
#include "gui/controls/column_fit.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QHeaderView>
#include <QTableView>
#include <QTimer>
#include <algorithm>
#include <numeric>

namespace scanloupe::gui {

namespace {

/// Sets the widths immediately after the table or its model has changed, but at most ten times a second.
class ColumnFit : public QObject {
public:
    explicit ColumnFit(QTableView* table) : QObject(table), m_table(table) {
        m_later.setSingleShot(true);
        connect(&m_later, &QTimer::timeout, this, &ColumnFit::fit);
        const auto start = [this] {
            constexpr qint64 least = 100; // minimum time between two updates, ms
            const qint64 since = m_sinceLast.isValid() ? m_sinceLast.elapsed() : least;
            if (!m_later.isActive())
                m_later.start(int(std::clamp<qint64>(least - since, 0, least)));
        };
        connect(table->model(), &QAbstractItemModel::dataChanged, this, start);
        connect(table->model(), &QAbstractItemModel::modelReset, this, start);
        connect(table->model(), &QAbstractItemModel::rowsInserted, this, start);
        connect(table->model(), &QAbstractItemModel::rowsRemoved, this, start);
        table->viewport()->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange)
            fit();
        return QObject::eventFilter(watched, event);
    }

private:
    void fit() {
        m_sinceLast.start();
        QHeaderView* header = m_table->horizontalHeader();
        std::vector<int> needed;
        for (int column = 0; column < m_table->model()->columnCount(); ++column)
            needed.push_back(std::max(static_cast<QAbstractItemView*>(m_table)->sizeHintForColumn(column),
                                      header->isHidden() ? 0 : header->sectionSizeHint(column)));
        const std::vector<int> widths = fairWidths(needed, m_table->viewport()->width());
        for (std::size_t column = 0; column < widths.size(); ++column)
            m_table->setColumnWidth(int(column), widths[column]);
    }

    QTableView* m_table;
    QTimer m_later;
    QElapsedTimer m_sinceLast;
};

} // namespace

std::vector<int> fairWidths(const std::vector<int>& needed, int width) {
    std::vector<int> widths(needed.size());
    std::vector<std::size_t> order(needed.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t column) { return needed[column]; });
    int left = width;
    for (std::size_t i = 0; i < order.size(); ++i) {
        widths[order[i]] = std::min(needed[order[i]], left / int(order.size() - i));
        left -= widths[order[i]];
    }
    if (!widths.empty())
        widths.back() += left;
    return widths;
}

void fitColumns(QTableView* table) {
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->horizontalHeader()->setMinimumSectionSize(1);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    new ColumnFit(table);
}

} // namespace scanloupe::gui
