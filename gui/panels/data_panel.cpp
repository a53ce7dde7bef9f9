// Shows the properties of the open scan, the quality of its mesh, notes, and the picked point.
#include "gui/panels/data_panel.h"

#include "engine/cloud/point_cloud.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/base/raw_text.h"
#include "gui/controls/column_fit.h"
#include "gui/controls/column_scroll.h"
#include "gui/controls/compact_table.h"
#include "gui/controls/icon_label.h"
#include "gui/controls/icons.h"
#include "gui/controls/panel_section.h"
#include "gui/controls/wrapped_label.h"
#include "gui/jobs/failure.h"
#include "gui/models/attribute_model.h"
#include "gui/models/pick_properties.h"
#include "gui/models/quality_properties.h"
#include "gui/models/scan_properties.h"
#include "gui/panels/reference_form.h"
#include "gui/text/parameter_labels.h"
#include "gui/tools/picked_point.h"

#include <QGridLayout>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

namespace scanloupe::gui {

namespace {
constexpr int kFewestCharacters = 37; // per line: enough for a label and a map coordinate
constexpr int kRows = 24;             // longer tables scroll
constexpr int kOutdatedAfterMs = 400; // ms; while a slider moves, new metrics arrive sooner
} // namespace

DataPanel::DataPanel(QWidget* parent)
    : QWidget(parent), m_attributes(new AttributeModel(this)), m_scan(new PropertyModel(this)),
      m_quality(new PropertyModel(this)), m_picked(new PropertyModel(this)), m_title(new QLabel(this)),
      m_pickWorker(
          [this](const Picked& picked) {
              if (picked.number != m_pick)
                  return;
              m_picked->setProperties(picked.properties);
              m_pickedPoint = picked.point;
              showHint();
              if (picked.position)
                  emit pickMoved(picked.position);
          },
          [this](const std::exception_ptr& error) {
              const Failure failure = failureOf(error, tr("Close other scans and programs."));
              if (!failure.sentence.isEmpty())
                  emit failed(failure.sentence, failure.nextStep);
          }) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new ColumnScroll(this);
    QWidget* content = scroll->widget();
    outer->addWidget(scroll);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(4, 4, 4, 4);
    column->setSpacing(0);

    m_title->setContentsMargins(8, 4, 4, 2);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_title->setWordWrap(true);
    column->addWidget(m_title);
    auto* scan = new PanelSection(tr("Scan"), content);
    m_scanTable = propertyTable(m_scan, scan);
    scan->add(m_scanTable);
    m_form = new ReferenceForm(scan);
    scan->add(m_form);
    connect(m_form, &ReferenceForm::edited, this, &DataPanel::referenceEdited);
    column->addWidget(scan);
    m_qualitySection = new PanelSection(tr("Mesh quality"), content);
    m_qualityTable = propertyTable(m_quality, m_qualitySection);
    m_qualityTable->setAccessibleName(tr("Mesh quality"));
    m_qualitySection->add(m_qualityTable);
    m_qualityNote = new QLabel(m_qualitySection);
    m_qualityNote->setWordWrap(true);
    m_qualityNote->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_qualitySection->add(m_qualityNote);
    column->addWidget(m_qualitySection);
    m_outdatedTimer.setSingleShot(true);
    m_outdatedTimer.setInterval(kOutdatedAfterMs);
    connect(&m_outdatedTimer, &QTimer::timeout, this, [this] {
        m_qualityTable->setEnabled(false);
        m_qualityNote->setText(tr("Measuring…"));
        m_qualityNote->show();
    });
    auto* pick = new PanelSection(tr("Picked point"), content);
    m_pickHint = new QLabel(tr("Click in a view to show the values of a point."), pick);
    m_pickHint->setEnabled(false);
    m_pickHint->setWordWrap(true);
    m_pickTable = propertyTable(m_picked, pick);
    pick->add(m_pickHint);
    pick->add(m_pickTable);
    column->addWidget(pick);
    m_attributeSection = new PanelSection(tr("Attributes"), content);
    m_attributeTable = compactTable(m_attributes, m_attributeSection);
    fitColumns(m_attributeTable);
    m_attributeSection->add(m_attributeTable);
    column->addWidget(m_attributeSection);
    m_noteSection = new PanelSection(tr("Notes"), content);
    column->addWidget(m_noteSection);
    column->addStretch(1);
    setMinimumWidth(fontMetrics().averageCharWidth() * kFewestCharacters);
    setSnapshot(nullptr);
}

void DataPanel::setSnapshot(const SnapshotPtr& snapshot) {
    const bool sameScan = snapshot && m_snapshot && snapshot->input == m_snapshot->input &&
                          snapshot->volume == m_snapshot->volume;
    if (sameScan && (snapshot->shownVoxels != m_snapshot->shownVoxels || snapshot->mesh != m_snapshot->mesh))
        followPick(snapshot); // the number may refer to another primitive in the new results
    m_snapshot = snapshot;
    if (!sameScan)
        clearPick();
    QFont bold = font();
    bold.setBold(snapshot != nullptr);
    m_title->setFont(bold);
    m_title->setText(snapshot ? scanName(*snapshot) : tr("No scan is open."));
    m_title->setToolTip(snapshot && snapshot->cloud ? shownText(snapshot->cloud->path) : QString());
    showScan();
    m_attributes->setCloud(snapshot ? snapshot->cloud : nullptr);
    m_attributeSection->setVisible(m_attributes->rowCount() > 0);
    fitHeight(m_attributeTable, kRows);
    showQuality(sameScan);
    showSentences(snapshot.get());
}

void DataPanel::setReference(const CoordinateReference& reference, const ChosenReference& chosen) {
    m_form->setReference(reference, chosen);
    if (reference == m_reference)
        return;
    m_reference = reference;
    showScan();
    m_quality->setProperties(m_snapshot ? qualityProperties(*m_snapshot, m_figures.get(), m_reference.unit)
                                        : Properties{});
    showSentences(m_snapshot.get());
}

void DataPanel::showScan() {
    m_scan->setProperties(m_snapshot ? scanProperties(*m_snapshot, m_reference.unit) : Properties{});
    fitHeight(m_scanTable, kRows);
    m_form->setVisible(m_snapshot != nullptr);
}

void DataPanel::showQuality(bool sameScan) {
    const bool off = m_snapshot && m_snapshot->recipe->quality == QualityChoice::off;
    const bool current = m_snapshot && m_snapshot->quality;
    if (current)
        m_figures = m_snapshot->quality;
    else if (!sameScan || off)
        m_figures = nullptr;
    m_qualitySection->setVisible(m_snapshot && m_snapshot->mesh);
    m_quality->setProperties(m_snapshot ? qualityProperties(*m_snapshot, m_figures.get(), m_reference.unit)
                                        : Properties{});
    fitHeight(m_qualityTable, kRows);
    if (current || off || !m_snapshot) {
        m_outdatedTimer.stop();
        m_qualityTable->setEnabled(true);
        m_qualityNote->setText(off ? tr("Measuring is off.") : QString());
        m_qualityNote->setVisible(off);
    } else if (!m_outdatedTimer.isActive() && m_qualityTable->isEnabled()) {
        m_outdatedTimer.start();
    }
}

void DataPanel::showMeasureProblem(const QString& sentence, const QString& nextStep) {
    m_outdatedTimer.stop();
    m_figures = nullptr;
    m_quality->setProperties(m_snapshot ? qualityProperties(*m_snapshot, nullptr, m_reference.unit)
                                        : Properties{});
    fitHeight(m_qualityTable, kRows);
    m_qualityTable->setEnabled(true);
    m_qualityNote->setText(withParameterLabels(sentence + QLatin1Char(' ') + nextStep));
    m_qualityNote->show();
}

void DataPanel::showSentences(const Snapshot* snapshot) {
    RunNotes notes;
    if (snapshot) {
        for (const std::string& note : m_reference.notes)
            notes.push_back({"read", note, true});
        if (snapshot->cloud)
            for (const std::string& warning : snapshot->cloud->warnings)
                notes.push_back({"read", warning, true});
        notes.insert(notes.end(), snapshot->notes.begin(), snapshot->notes.end());
    }
    QStringList sentences;
    for (const RunNote& note : notes)
        sentences << withParameterLabels(QString::fromStdString(note.text));
    m_noteSection->setVisible(!sentences.isEmpty());
    if (sentences == m_sentences)
        return; // unchanged: new results arrive many times a second
    m_sentences = sentences;
    delete m_notes;
    m_notes = new QWidget(m_noteSection);
    auto* grid = new QGridLayout(m_notes);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnStretch(1, 1);
    grid->setHorizontalSpacing(6);
    for (int row = 0; row < sentences.size(); ++row) {
        const bool isWarning = notes[std::size_t(row)].isWarning;
        auto* icon = new IconLabel(toolIcon(isWarning ? QStringLiteral("warning") : QStringLiteral("note")),
                                   14, m_notes);
        auto* text = new WrappedLabel(sentences[row], m_notes);
        text->setTextFormat(Qt::PlainText);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        grid->addWidget(icon, row, 0, Qt::AlignTop);
        grid->addWidget(text, row, 1);
    }
    m_noteSection->add(m_notes);
}

void DataPanel::showPick(const Hit& hit, const SnapshotPtr& snapshot) {
    if (!snapshot)
        return clearPick();
    const int number = ++m_pick;
    m_pickedPoint.reset();
    emit pickMoved(hit.position);
    m_pickWorker.run([hit, snapshot, number](const std::stop_token& stop) {
        const auto point = pickedPoint(hit, *snapshot, stop);
        return Picked{pickProperties(hit, *snapshot, point, stop), point,
                      point ? std::optional(snapshot->cloud->position(*point)) : std::nullopt, number};
    });
}

void DataPanel::followPick(const SnapshotPtr& snapshot) {
    if (!m_pickedPoint)
        return clearPick();
    if (snapshot->preview)
        return; // skipped, since the results of the whole scan follow
    const int number = ++m_pick;
    m_pickWorker.run([point = *m_pickedPoint, snapshot, number](const std::stop_token& stop) {
        return Picked{pickProperties(hitOfPoint(point, *snapshot), *snapshot, point, stop), point,
                      snapshot->cloud->position(point), number};
    });
}

void DataPanel::clearPick() {
    ++m_pick;
    m_pickedPoint.reset();
    m_picked->setProperties({});
    showHint();
    emit pickMoved(std::nullopt);
}

void DataPanel::showHint() {
    const bool any = m_picked->rowCount() > 0;
    m_pickHint->setVisible(!any);
    m_pickTable->setVisible(any);
    fitHeight(m_pickTable, kRows);
}

} // namespace scanloupe::gui
