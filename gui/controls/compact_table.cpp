// Creates compact tables for item models.
#include "gui/controls/compact_table.h"

#include "gui/controls/column_fit.h"
#include "gui/controls/cut_text_tips.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QTableView>
#include <algorithm>

namespace scanloupe::gui {

namespace {

/// A header that shortens texts with an ellipsis where a section is too narrow; Qt's header cuts them off.
class ElidedHeader : public QHeaderView {
public:
    explicit ElidedHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
        setSectionsClickable(true);
        setHighlightSections(false);
        setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    }

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override {
        QHeaderView::initStyleOptionForIndex(option, section);
        const int margins = 2 * style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, this);
        option->text =
            option->fontMetrics.elidedText(option->text, Qt::ElideRight, sectionSize(section) - margins);
    }
};

void copySelection(const QTableView* table) {
    QModelIndexList rows = table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    QString text;
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (int c = 0; c < table->model()->columnCount(); ++c)
            cells << row.siblingAtColumn(c).data().toString();
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    QApplication::clipboard()->setText(text);
}

} // namespace

QTableView* compactTable(QAbstractItemModel* model, QWidget* parent) {
    auto* table = new QTableView(parent);
    table->setModel(model);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setWordWrap(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 4);
    table->setHorizontalHeader(new ElidedHeader(table));
    showCutTexts(table);
    auto* copy = new QAction(QTableView::tr("Copy"), table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(copy, &QAction::triggered, table, [table] { copySelection(table); });
    table->addAction(copy);
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
    return table;
}

QTableView* propertyTable(QAbstractItemModel* model, QWidget* parent) {
    QTableView* table = compactTable(model, parent);
    table->horizontalHeader()->hide();
    fitColumns(table);
    return table;
}

void fitHeight(QTableView* table, int most) {
    const int rows = std::min(table->model()->rowCount(), most);
    const int header =
        table->horizontalHeader()->isHidden() ? 0 : table->horizontalHeader()->sizeHint().height();
    table->setFixedHeight(rows * table->verticalHeader()->defaultSectionSize() + header + 2);
}

} // namespace scanloupe::gui
