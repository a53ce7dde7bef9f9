// Shows and saves the timings of runs.
#include "gui/panels/timings_panel.h"

#include "engine/results/snapshot.h"
#include "gui/controls/compact_table.h"
#include "gui/controls/icons.h"
#include "gui/models/history_export.h"
#include "gui/models/partial_result.h"
#include "gui/models/scan_properties.h"
#include "gui/models/stage_timing_model.h"
#include "gui/panels/history_strip.h"
#include "gui/panels/stage_bars.h"
#include "gui/text/number_text.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace scanloupe::gui {

TimingsPanel::TimingsPanel(SavePathPrompt promptPath, QWidget* parent)
    : QWidget(parent), m_promptSavePath(std::move(promptPath)), m_history(new RunHistoryModel(this)),
      m_stages(new StageTimingModel(this)), m_counts(new PropertyModel(this)), m_bars(new StageBars(this)),
      m_summary(new QLabel(this)), m_pace([this] { showWaiting(); }) {
    auto* left = new QWidget(this);
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(6, 4, 6, 4);
    leftColumn->setSpacing(4);
    auto* scroll = new QScrollArea(left);
    scroll->setWidget(m_bars);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    leftColumn->addWidget(scroll, 1);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setWordWrap(true);
    leftColumn->addWidget(m_summary);

    auto* runs = new QWidget(this);
    auto* runsColumn = new QVBoxLayout(runs);
    runsColumn->setContentsMargins(0, 0, 0, 0);
    runsColumn->setSpacing(2);
    runsColumn->addWidget(new HistoryStrip(m_history, runs));
    QTableView* table = compactTable(m_history, runs);
    table->horizontalHeader()->setDefaultSectionSize(76);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table->setColumnWidth(RunHistoryModel::run, 96);
    runsColumn->addWidget(table, 1);

    auto* tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->addTab(runs, tr("History"));
    QTableView* stages = compactTable(m_stages, tabs);
    stages->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    tabs->addTab(stages, tr("Stages"));
    tabs->addTab(propertyTable(m_counts, tabs), tr("Counts"));
    auto* corner = new QWidget(tabs);
    auto* buttons = new QHBoxLayout(corner);
    buttons->setContentsMargins(0, 0, 4, 2);
    buttons->setSpacing(4);
    m_csv = addButton(tr("CSV…"), tr("Save the history as a table"));
    m_json = addButton(tr("JSON…"), tr("Save the history with all counts and steps"));
    buttons->addWidget(m_csv);
    buttons->addWidget(m_json);
    tabs->setCornerWidget(corner);
    connect(m_csv, &QPushButton::clicked, this, &TimingsPanel::saveCsv);
    connect(m_json, &QPushButton::clicked, this, &TimingsPanel::saveJson);

    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(left);
    splitter->addWidget(tabs);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setChildrenCollapsible(false);
    auto* row = new QVBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(splitter);
    setSnapshot(nullptr);
}

QPushButton* TimingsPanel::addButton(const QString& text, const QString& tip) {
    auto* button = new QPushButton(toolIcon(QStringLiteral("save")), text, this);
    button->setToolTip(tip);
    return button;
}

void TimingsPanel::setSnapshot(const SnapshotPtr& snapshot) {
    if (snapshot && snapshot == m_snapshot)
        return;
    m_snapshot = snapshot;
    if (!snapshot) {
        m_pace.flush();
        showRun({});
        m_summary->clear();
        showSavable();
        return;
    }
    const RunTimings& timings = snapshot->timings;
    if (std::ranges::all_of(timings.stages, &StageTiming::reused))
        return; // results whose stages were all reused are not a run
    m_waiting.push_back({timings, isPart(*snapshot)});
    m_pace.request();
}

void TimingsPanel::showWaiting() {
    for (const Run& run : m_waiting)
        m_history->add(run.timings, run.isPart);
    const Run last = std::move(m_waiting.back());
    m_waiting.clear();
    showRun(last);
    m_summary->setText(tr("%1 voxels, %2 vertices, %3 triangles")
                           .arg(countText(last.timings.count("voxels")),
                                countText(last.timings.count("vertices")),
                                countText(last.timings.count("triangles"))));
    showSavable();
}

void TimingsPanel::showSavable() {
    m_csv->setEnabled(m_history->rowCount() > 0);
    m_json->setEnabled(m_history->rowCount() > 0);
}

RunHistoryModel* TimingsPanel::history() {
    m_pace.flush();
    return m_history;
}

StageTimingModel* TimingsPanel::stages() {
    m_pace.flush();
    return m_stages;
}

PropertyModel* TimingsPanel::counts() {
    m_pace.flush();
    return m_counts;
}

void TimingsPanel::amendRun(const SnapshotPtr& snapshot) {
    m_pace.flush();
    m_snapshot = snapshot;
    if (m_history->rowCount() == 0)
        return;
    RunTimings timings = m_stages->timings(); // timings of the last run that computed something
    for (const char* name : {"refine", "quality"}) {
        const StageTiming* late = snapshot->timings.find(name);
        if (!late)
            continue;
        std::erase_if(timings.stages, [name](const StageTiming& stage) { return stage.stage == name; });
        timings.stages.push_back(*late);
    }
    showRun({timings, isPart(*snapshot)});
    m_history->amend(timings);
}

void TimingsPanel::showRun(const Run& run) {
    m_stages->setTimings(run.timings);
    m_counts->setProperties(countProperties(run.timings));
    m_bars->setRun(run.timings, run.isPart);
}

void TimingsPanel::saveCsv() {
    save(QStringLiteral("timings.csv"), tr("Tables (*.csv)"), historyCsv);
}

void TimingsPanel::saveJson() {
    save(QStringLiteral("timings.json"), tr("JSON (*.json)"), historyJson);
}

void TimingsPanel::save(const QString& suggested, const QString& filter,
                        std::string (*text)(const RunHistoryModel&)) {
    m_pace.flush();
    const QString path = m_promptSavePath(this, tr("Save the timings"), suggested, filter);
    saveText(*this, path, text(*m_history));
}

} // namespace scanloupe::gui
