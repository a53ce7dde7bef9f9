// Lists, edits and saves the measures of a scan.
#include "gui/panels/measures_panel.h"

#include "gui/controls/compact_table.h"
#include "gui/controls/icons.h"
#include "gui/text/measure_text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QColorDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

namespace scanloupe::gui {

QColor promptColour(QWidget* parent, const QColor& present) {
    return QColorDialog::getColor(present, parent, MeasuresPanel::tr("Colour of the measurement"));
}

MeasuresPanel::MeasuresPanel(SavePathPrompt promptPath, ColourPrompt promptColour, QWidget* parent)
    : QWidget(parent), m_promptSavePath(std::move(promptPath)), m_promptColour(std::move(promptColour)),
      m_model(new MeasureModel(this)), m_table(compactTable(m_model, this)), m_hint(new QLabel(this)) {
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setAccessibleName(tr("Measurements"));
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setStretchLastSection(true);
    m_hint->setWordWrap(true);
    m_hint->setContentsMargins(8, 4, 8, 4);

    auto* buttons = new QWidget(this);
    auto* buttonColumn = new QVBoxLayout(buttons);
    buttonColumn->setContentsMargins(4, 4, 4, 4);
    buttonColumn->setSpacing(4);
    m_remove = addAction(buttons, {}, tr("Delete"), QKeySequence::Delete, &MeasuresPanel::removeSelected);
    m_clear = addAction(buttons, {}, tr("Clear"), {}, &MeasuresPanel::removeAll);
    m_copy = addAction(buttons, QStringLiteral("copy"), tr("Copy Value"), tr("Ctrl+Shift+C"),
                       &MeasuresPanel::copyValues);
    m_colour = addAction(buttons, {}, tr("Colour…"), {}, &MeasuresPanel::chooseColour);
    m_save = addAction(buttons, QStringLiteral("save"), tr("CSV…"), {}, &MeasuresPanel::saveCsv);
    buttonColumn->addStretch(1);

    auto* list = new QVBoxLayout;
    list->setSpacing(0);
    list->addWidget(m_hint);
    list->addWidget(m_table, 1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addLayout(list, 1);
    row->addWidget(buttons);
    connect(m_model, &MeasureModel::edited, this, &MeasuresPanel::edited);
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.column() == MeasureModel::colour)
            chooseColour();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &MeasuresPanel::enableActions);
    setHint({});
    enableActions();
}

QAction* MeasuresPanel::addAction(QWidget* buttons, const QString& icon, const QString& text,
                                  const QKeySequence& keys, void (MeasuresPanel::*slot)()) {
    auto* action = new QAction(icon.isEmpty() ? QIcon() : toolIcon(icon), text, this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, slot);
    m_table->addAction(action);
    auto* button = new QToolButton(buttons);
    button->setDefaultAction(action);
    button->setToolButtonStyle(icon.isEmpty() ? Qt::ToolButtonTextOnly : Qt::ToolButtonTextBesideIcon);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setFocusPolicy(Qt::TabFocus);
    buttons->layout()->addWidget(button);
    return action;
}

void MeasuresPanel::setMeasures(const MeasureList& measures, Vec3d up, LengthUnit unit) {
    m_model->setMeasures(measures, up, unit);
    enableActions();
}

void MeasuresPanel::setHint(const QString& hint) {
    m_hint->setText(hint.isEmpty() ? tr("Choose a tool in the Measure menu, then click in a view.") : hint);
    m_hint->setEnabled(!hint.isEmpty());
}

std::vector<int> MeasuresPanel::selectedRows() const {
    std::vector<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::ranges::sort(rows);
    return rows;
}

void MeasuresPanel::enableActions() {
    const bool isSelected = m_table->selectionModel()->hasSelection();
    for (QAction* action : {m_remove, m_copy, m_colour})
        action->setEnabled(isSelected);
    for (QAction* action : {m_clear, m_save})
        action->setEnabled(m_model->rowCount() > 0);
}

void MeasuresPanel::removeSelected() {
    m_model->removeMeasures(selectedRows());
}

void MeasuresPanel::removeAll() {
    emit edited({});
}

void MeasuresPanel::copyValues() {
    QStringList lines;
    for (const int row : selectedRows()) {
        const Measure& measure = m_model->measures()[std::size_t(row)];
        // the value of a point is its position; its text in the views is its name
        const auto textOf = measure.kind == MeasureKind::point ? valuesText : valueText;
        lines << textOf(measure, m_model->up(), m_model->unit());
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void MeasuresPanel::chooseColour() {
    const std::vector<int> rows = selectedRows();
    if (rows.empty())
        return;
    const QModelIndex first = m_model->index(rows.front(), MeasureModel::colour);
    const QColor chosen = m_promptColour(this, first.data(Qt::EditRole).value<QColor>());
    if (!chosen.isValid())
        return;
    MeasureList measures = m_model->measures();
    for (const int row : rows)
        if (std::size_t(row) < measures.size())
            measures[std::size_t(row)].colour = chosen.rgb() & 0xffffff;
    if (measures != m_model->measures())
        emit edited(measures);
}

void MeasuresPanel::saveCsv() {
    const std::string csv = toCsv(m_model->measures(), m_model->up(), m_model->unit());
    const QString path = m_promptSavePath(this, tr("Save the measurements"), QStringLiteral("measures.csv"),
                                          tr("Tables (*.csv)"));
    saveText(*this, path, csv);
}

} // namespace scanloupe::gui
