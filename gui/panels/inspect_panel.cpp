// Shows a scan's deviations from a model or another scan.
#include "gui/panels/inspect_panel.h"

#include "engine/inspect/compare_options.h"
#include "engine/inspect/reference.h"
#include "engine/recipe/recipe.h"
#include "gui/base/length_text.h"
#include "gui/controls/column_scroll.h"
#include "gui/controls/compact_table.h"
#include "gui/controls/wheel_safe_combo_box.h"
#include "gui/models/inspection_properties.h"
#include "gui/models/region_model.h"
#include "gui/sliders/number_box.h"
#include "gui/sliders/range_slider.h"
#include "gui/sliders/value_control.h"
#include "gui/text/number_text.h"
#include "kernels/raster/colours/colour_map.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

namespace scanloupe::gui {

namespace {

constexpr double kFarthest = 1e15;

/// The colours of the bands between minus and plus the tolerance; the end colours are for values beyond.
std::array<std::uint32_t, 256> bandsWithin() {
    const auto all = toleranceMap();
    std::array<std::uint32_t, 256> within{};
    for (std::size_t i = 0; i < within.size(); ++i)
        within[i] = all[64 + i / 2];
    within.front() = all.front();
    within.back() = all.back();
    return within;
}

} // namespace

InspectPanel::InspectPanel(QWidget* parent)
    : QWidget(parent), m_model(new QPushButton(tr("&Compare with…"))),
      m_fit(new QPushButton(tr("&Fit to Reference"))), m_unitButton(new QPushButton),
      m_report(new QPushButton(tr("Save &Report…"))), m_fitChoices(new QToolButton),
      m_localModelLabel(new QLabel(tr("Local model"))), m_localModel(new WheelSafeComboBox),
      m_deviationLines(new WheelSafeComboBox), m_reference(new QLabel),
      m_tolerance(new ValueControl(tr("Tolerance"), {0, kFarthest, false, {}, tr("none")}, true)),
      m_histogram(new RangeSlider), m_properties(new PropertyModel(this)),
      m_figures(propertyTable(m_properties, this)), m_regions(new RegionModel(this)), m_worst(new QLabel),
      m_table(compactTable(m_regions, this)), m_pace([this] { showInspection(); }) {
    auto* whole = new QHBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new ColumnScroll(this);
    auto* column = new QVBoxLayout(scroll->widget());
    column->setContentsMargins(8, 4, 4, 4);
    column->setSpacing(4);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_model);
    m_fit->setToolTip(
        tr("Moves the scan onto the reference by the compared points; it must already be close to it"));
    buttons->addWidget(m_fit);
    addFitMenu(*m_fitChoices);
    buttons->addWidget(m_fitChoices);
    buttons->addWidget(m_report);
    buttons->addStretch(1);
    column->addLayout(buttons);
    m_reference->setWordWrap(true);
    m_reference->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_reference);
    column->addWidget(m_unitButton, 0, Qt::AlignLeft);
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("Tolerance"));
    label->setBuddy(m_tolerance->box());
    row->addWidget(label);
    row->addWidget(m_tolerance, 1);
    column->addLayout(row);
    addChoices();
    auto* choices = new QHBoxLayout;
    auto* deviationLines = new QLabel(tr("Deviation lines"));
    deviationLines->setBuddy(m_deviationLines);
    choices->addWidget(deviationLines);
    choices->addWidget(m_deviationLines);
    choices->addSpacing(8);
    choices->addWidget(m_localModelLabel);
    choices->addWidget(m_localModel);
    choices->addStretch(1);
    column->addLayout(choices);
    m_histogram->setAccessibleName(tr("Deviations, with the tolerance on both sides"));
    m_histogram->setColourMap(bandsWithin());
    m_histogram->setMinimumHeight(72);
    column->addWidget(m_histogram, 1);
    whole->addWidget(scroll, 4);

    m_figures->setAccessibleName(tr("Statistics of the deviations"));
    whole->addWidget(m_figures, 3);

    auto* places = new QVBoxLayout;
    places->setSpacing(2);
    places->addWidget(m_worst);
    m_table->setAccessibleName(tr("Worst regions"));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setStretchLastSection(true);
    places->addWidget(m_table, 1);
    whole->addLayout(places, 4);

    connect(m_model, &QPushButton::clicked, this, &InspectPanel::modelWanted);
    connect(m_fit, &QPushButton::clicked, this, &InspectPanel::fitWanted);
    connect(m_report, &QPushButton::clicked, this, &InspectPanel::reportWanted);
    connect(m_unitButton, &QPushButton::clicked, this, [this] {
        m_unitButton->hide(); // each factor is offered only once
        if (m_inspection && m_inspection->misfit && m_inspection->misfit->scale)
            emit scaleChosen(*m_inspection->misfit->scale);
    });
    connect(m_tolerance, &ValueControl::edited, this, &InspectPanel::toleranceEdited);
    connect(m_histogram, &RangeSlider::edited, this, [this](double lower, double upper) {
        // the moved handle determines the tolerance, and the other one follows
        const bool isLower = std::abs(-lower - m_shownTolerance) > std::abs(upper - m_shownTolerance);
        emit toleranceEdited(std::max(0.0, isLower ? -lower : upper));
    });
    connect(m_histogram, &RangeSlider::numberWanted, this, [this](int) { m_tolerance->box()->setFocus(); });
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { chooseRegion(index.row()); });
    connect(m_table, &QTableView::clicked, this,
            [this](const QModelIndex& index) { chooseRegion(index.row()); });
    setInspection(std::nullopt);
    setScan(false);
}

void InspectPanel::addFitMenu(QToolButton& button) {
    auto* menu = new QMenu(&button);
    m_generalized = menu->addAction(tr("&Generalized ICP (Plane to Plane)"));
    m_generalized->setCheckable(true);
    m_freeScale = menu->addAction(tr("Also Find the &Scale"));
    m_freeScale->setCheckable(true);
    menu->addSeparator();
    connect(menu->addAction(tr("Match Picked &Pairs…")), &QAction::triggered, this,
            &InspectPanel::pairsWanted);
    button.setMenu(menu);
    button.setPopupMode(QToolButton::InstantPopup);
    button.setArrowType(Qt::DownArrow);
    button.setAutoRaise(true);
    button.setAccessibleName(tr("Fit options"));
    button.setToolTip(tr("Fit options"));
}

void InspectPanel::addChoices() {
    m_deviationLines->addItem(tr("none"), 0.0);
    for (const double times : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0})
        m_deviationLines->addItem(tr("× %1").arg(times), times);
    m_deviationLines->setToolTip(tr("Deviation vectors, exaggerated by this factor"));
    for (const QString& name : {tr("none"), tr("plane"), tr("quadric")})
        m_localModel->addItem(name);
    m_localModelLabel->setBuddy(m_localModel);
    m_localModel->setToolTip(tr("Local model of the reference between its points: none (the nearest point), "
                                "or a plane or quadric through the neighbours"));
    connect(m_deviationLines, &QComboBox::activated, this, &InspectPanel::deviationLinesChosen);
    connect(m_localModel, &QComboBox::activated, this,
            [this](int index) { emit localModelChosen(LocalModel(index)); });
}

FitOptions InspectPanel::fitOptions() const {
    FitOptions options;
    options.method = m_generalized->isChecked() ? FitMethod::generalized : FitMethod::pointToPlane;
    options.scales = m_freeScale->isChecked();
    return options;
}

double InspectPanel::deviationLineScale() const {
    return m_deviationLines->currentData().toDouble();
}

void InspectPanel::chooseRegion(int row) {
    if (std::size_t(row) < m_regions->regions().size())
        emit regionChosen(m_regions->regions()[std::size_t(row)]);
}

void InspectPanel::setScan(bool isOpen) {
    m_model->setEnabled(isOpen);
}

void InspectPanel::setUnit(LengthUnit unit) {
    if (std::exchange(m_unit, unit) == unit)
        return; // unchanged: results arrive many times a second
    m_tolerance->setUnit(unitSymbol(unit));
    setInspection(m_inspection);
}

void InspectPanel::setRecipe(const Recipe& recipe) {
    m_shownTolerance = recipe.tolerance;
    m_localModel->setCurrentIndex(int(comparingOptions(recipe.edits).model));
    showTolerance();
}

void InspectPanel::showTolerance() {
    m_tolerance->setValue(m_shownTolerance);
    m_tolerance->setAutomatic(m_shownTolerance == 0);
    m_histogram->setValues(-m_shownTolerance, m_shownTolerance);
    m_histogram->setAutomatic(m_shownTolerance == 0);
    // figures of the previous tolerance are grey until those of this one arrive
    const bool isOutdated = m_inspection && m_inspection->tolerance != m_shownTolerance;
    m_figures->setEnabled(!isOutdated);
    m_table->setEnabled(!isOutdated);
    m_worst->setEnabled(m_inspection && !isOutdated);
}

QString InspectPanel::referenceText() const {
    return m_reference->text();
}

void InspectPanel::setInspection(const std::optional<Inspection>& inspection) {
    m_inspection = inspection;
    m_pace.request();
}

void InspectPanel::showInspection() {
    const std::optional<Inspection>& inspection = m_inspection;
    const bool isThere = inspection.has_value();
    m_reference->setText(
        isThere ? gui::referenceText(*inspection)
                : tr("Compare the scan with a reference: a CAD model, a plan, an earlier scan."));
    m_reference->setEnabled(isThere);
    const bool asksForUnit = isThere && inspection->misfit && inspection->misfit->scale;
    m_unitButton->setVisible(asksForUnit);
    if (asksForUnit)
        m_unitButton->setText(tr("Scale Reference by %1").arg(numberText(*inspection->misfit->scale)));
    m_report->setEnabled(isThere);
    m_fit->setEnabled(isThere && inspection->reference);
    m_fitChoices->setEnabled(m_fit->isEnabled());
    const bool isScan = isThere && inspection->reference && inspection->reference->scan();
    m_localModel->setVisible(isScan);
    m_localModelLabel->setVisible(isScan);
    m_deviationLines->setEnabled(isThere && inspection->reference);
    m_tolerance->setEnabled(isThere);
    m_histogram->setEnabled(isThere);
    m_properties->setProperties(isThere ? inspectionProperties(*inspection, m_unit) : Properties{});
    m_histogram->setHistogram(isThere ? inspection->histogram : nullptr, tr("points"), unitSymbol(m_unit));
    m_histogram->setGaussFit(isThere && inspection->figures.gauss.exists()
                                 ? std::optional(inspection->figures.gauss)
                                 : std::nullopt);
    if (isThere && inspection->histogram) {
        const double most = inspection->histogram->high;
        m_histogram->setSpan(-most, most);
        const double largest = std::max(std::abs(inspection->figures.largest), 1e-12);
        m_tolerance->setScale({largest / 1e4, largest, true, true, false});
    }
    const bool isJudged = isThere && inspection->tolerance > 0;
    m_regions->setRegions(isJudged ? inspection->figures.worst : std::vector<DeviationRegion>{}, m_unit);
    const std::uint64_t regions = isJudged ? inspection->figures.regions : 0;
    m_worst->setText(!isJudged      ? tr("Worst regions: set a tolerance")
                     : regions == 0 ? tr("All points are within tolerance")
                     : regions > inspection->figures.worst.size()
                         ? tr("The worst %1 of %2 regions out of tolerance")
                               .arg(countText(inspection->figures.worst.size()), countText(regions))
                         : tr("Regions out of tolerance: %1").arg(countText(regions)));
    showTolerance();
}

} // namespace scanloupe::gui
