// Lists, filters and copies the messages of the session.
#include "gui/panels/messages_panel.h"

#include "engine/cloud/point_cloud.h"
#include "engine/results/snapshot.h"
#include "gui/controls/compact_table.h"
#include "gui/controls/icons.h"
#include "gui/controls/wheel_safe_combo_box.h"
#include "gui/models/stage_timing_model.h"
#include "gui/text/parameter_labels.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTableView>
#include <QTime>
#include <QToolButton>
#include <QVBoxLayout>
#include <string>
#include <utility>

namespace scanloupe::gui {

namespace {

constexpr int kLevelRole = Qt::UserRole;

QString withoutNumbers(QString text) {
    static const QRegularExpression digits(QStringLiteral("[0-9]+([.,][0-9]+)*"));
    return text.remove(digits);
}

} // namespace

MessagesPanel::MessagesPanel(QWidget* parent)
    : QWidget(parent), m_rows(new QStandardItemModel(0, columns, this)),
      m_shown(new QSortFilterProxyModel(this)), m_table(compactTable(m_shown, this)),
      m_filter(new WheelSafeComboBox(this)) {
    m_rows->setHorizontalHeaderLabels({tr("Time"), tr("Level"), tr("Stage"), tr("Message")});
    m_shown->setSourceModel(m_rows);
    m_shown->setFilterKeyColumn(level);
    m_shown->setFilterRole(kLevelRole);
    m_table->setAccessibleName(tr("Messages"));
    m_table->setLocale(QLocale::c()); // sentences of the engine are English
    QHeaderView* header = m_table->horizontalHeader();
    header->setResizeContentsPrecision(0); // the visible rows
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setStretchLastSection(true);
    m_filter->setAccessibleName(tr("Shown messages"));
    const std::pair<QString, const char*> choices[] = {
        {tr("All"), ""}, {tr("Warnings and Errors"), "[12]"}, {tr("Errors"), "2"}};
    for (const auto& [label, levels] : choices)
        m_filter->addItem(label, QString::fromLatin1(levels));
    connect(m_filter, &QComboBox::currentIndexChanged, this, [this] {
        m_shown->setFilterRegularExpression(m_filter->currentData().toString());
        m_table->scrollToBottom();
    });
    QToolButton* copies = iconButton(QStringLiteral("copy"), tr("Copy the messages"), this);
    connect(copies, &QToolButton::clicked, this, &MessagesPanel::copy);
    QToolButton* clears = iconButton(QStringLiteral("close"), tr("Clear the messages"), this);
    connect(clears, &QToolButton::clicked, this, &MessagesPanel::clear);

    auto* row = new QHBoxLayout;
    row->addWidget(m_filter);
    row->addStretch(1);
    row->addWidget(copies);
    row->addWidget(clears);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(row);
    column->addWidget(m_table, 1);
}

void MessagesPanel::addMessage(bool isError, const QString& sentence) {
    const bool isLike = withoutNumbers(sentence) == withoutNumbers(m_ofWindow.text);
    m_ofWindow = add(isError ? Level::error : Level::note, {}, sentence, isLike ? m_ofWindow : Row());
}

void MessagesPanel::addLoad(const QString& sentence) {
    add(Level::note, stageText("read"), withParameterLabels(sentence));
}

void MessagesPanel::addRun(const SnapshotPtr& run) {
    if (!run || run->preview)
        return;
    RunNotes notes;
    if (run->cloud)
        for (const std::string& warning : run->cloud->warnings)
            notes.push_back({"read", warning, true});
    notes.insert(notes.end(), run->notes.begin(), run->notes.end());
    QMap<QString, Row> ofRun;
    for (const RunNote& note : notes) {
        const QString sentence = withParameterLabels(QString::fromStdString(note.text));
        QString key = QString::fromStdString(note.stage) + withoutNumbers(sentence);
        while (ofRun.contains(key)) // such as two files that are missing
            key += QLatin1Char('+');
        Row row = m_ofRun.value(key);
        if (row.text != sentence)
            row = add(note.isWarning ? Level::warning : Level::note,
                      note.stage.empty() ? QString() : stageText(note.stage), sentence, row);
        ofRun.insert(key, row);
    }
    m_ofRun = ofRun;
}

void MessagesPanel::beginScan() {
    m_ofRun.clear();
}

MessagesPanel::Row MessagesPanel::add(Level of, const QString& ofStage, const QString& sentence,
                                      const Row& replaced) {
    const QModelIndex last = m_shown->index(m_shown->rowCount() - 1, 0);
    const bool isAtEnd = !last.isValid() || m_table->visualRect(last).intersects(m_table->viewport()->rect());
    if (replaced.index.isValid())
        m_rows->removeRow(replaced.index.row());
    else if (m_rows->rowCount() >= kRows)
        m_rows->removeRow(0);
    static constexpr const char* icons[] = {"note", "warning", "error"};
    const QString names[] = {tr("Note"), tr("Warning"), tr("Error")};
    auto* levelCell = new QStandardItem(toolIcon(QLatin1String(icons[int(of)])), names[int(of)]);
    levelCell->setData(int(of), kLevelRole);
    m_rows->appendRow({new QStandardItem(QTime::currentTime().toString(QStringLiteral("HH:mm:ss"))),
                       levelCell, new QStandardItem(ofStage), new QStandardItem(sentence)});
    if (isAtEnd) // otherwise the user reads an earlier message
        m_table->scrollToBottom();
    return {sentence, m_rows->index(m_rows->rowCount() - 1, 0)};
}

void MessagesPanel::copy() {
    QString lines;
    for (int row = 0; row < m_shown->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < columns; ++column)
            cells << m_shown->index(row, column).data().toString();
        lines += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    QApplication::clipboard()->setText(lines);
}

void MessagesPanel::clear() {
    m_rows->removeRows(0, m_rows->rowCount());
}

} // namespace scanloupe::gui
