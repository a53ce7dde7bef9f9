// Generates the rows of all parameters from their declarations, and keeps them in step with the recipe.
#include "gui/panels/parameters/parameter_panel.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/base/length_text.h"
#include "gui/controls/column_scroll.h"
#include "gui/controls/icons.h"
#include "gui/controls/panel_section.h"
#include "gui/panels/parameters/colour_by_row.h"
#include "gui/panels/parameters/colour_limits_row.h"
#include "gui/panels/parameters/forecast_line.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/panels/parameters/position_row.h"
#include "gui/panels/parameters/range_row.h"
#include "gui/panels/parameters/section_row.h"
#include "gui/panels/parameters/slider_scales.h"
#include "gui/sliders/value_control.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>
#include <utility>

namespace scanloupe::gui {

ParameterPanel::ParameterPanel(QWidget* parent) : QWidget(parent) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* scroll = new ColumnScroll(this);
    m_content = scroll->widget();
    m_column = new QVBoxLayout(m_content);
    m_column->setContentsMargins(4, 4, 4, 4);
    m_column->setSpacing(0);
    outer->addWidget(scroll);
    m_forecast = new ForecastLine(this);
    outer->addWidget(m_forecast);
    m_hint = new QLabel(tr("Open a scan to see its parameters."), this);
    m_hint->setWordWrap(true);
    m_hint->setEnabled(false);
    m_hint->setMargin(8);
    m_hint->setAlignment(Qt::AlignTop);
    outer->addWidget(m_hint, 1);

    const auto isRange = [](const Parameter& p) {
        return p.key == "range" || p.key == "range_rotation" || p.key == "range_inverted" ||
               p.key == "section";
    };
    const auto isInside = [](const Parameter& p) { return p.key == "inside"; };
    PanelSection* range = addSection(tr("Range and section"), isRange);
    PanelSection* voxels = addSection(tr("Voxels"), [](const Parameter& p) { return p.key == "voxel_size"; });
    PanelSection* field =
        addSection(tr("Field"), [=](const Parameter& p) { return p.stage == Stage::field && !isInside(p); });
    addSection(tr("Surface"),
               [=](const Parameter& p) { return p.stage == Stage::shownVoxels || isInside(p); });
    addSection(tr("Clean-up and quality"),
               [](const Parameter& p) { return p.stage >= Stage::clean && p.stage <= Stage::quality; });
    PanelSection* limits = addSection(tr("Voxel limits"), [](const Parameter& p) {
        return p.stage == Stage::voxelize && (p.kind == ParameterKind::integer || p.key == "voxel_order");
    });
    limits->setOpen(false);
    PanelSection* method =
        addSection(tr("Voxelization"), [](const Parameter& p) { return p.key == "voxel_strategy"; });
    method->setOpen(false);
    m_cloudSections = {range, voxels, field, limits, method};

    const auto isOfLook = [](const Parameter& p) {
        return p.stage == Stage::scene || p.stage == Stage::picture;
    };
    PanelSection* look = addSection(
        tr("Appearance"), [=](const Parameter& p) { return isOfLook(p) && p.kind != ParameterKind::flag; });
    m_wireframe = new QCheckBox(tr("Wireframe"), this);
    m_wireframe->setToolTip(tr("Draw the edges of triangles over the mesh view's faces."));
    std::vector<QWidget*> flags;
    for (const Parameter& p : parameters()) {
        if (isOfLook(p) && p.kind == ParameterKind::flag)
            flags.insert(flags.begin(), makeRow(p));
    }
    flags.push_back(m_wireframe);
    std::vector<QWidget*> columns[2];
    for (std::size_t i = 0; i < flags.size(); ++i)
        columns[i % 2].push_back(flags[i]);
    look->addColumns(columns[0], columns[1]);
    connect(m_wireframe, &QCheckBox::clicked, this, [this](bool on) {
        m_style.wireframe = on;
        emit styleChanged(m_style);
    });

    auto* reset = new QPushButton(toolIcon(QStringLiteral("reset")), tr("Reset all"), this);
    reset->setObjectName(QStringLiteral("resetAll"));
    reset->setToolTip(tr("Set all parameters to the values from the data and the defaults"));
    connect(reset, &QPushButton::clicked, this, &ParameterPanel::resetAll);
    m_column->addSpacing(6);
    m_column->addWidget(reset, 0, Qt::AlignRight);
    m_column->addStretch(1);
    // with space for the scroll bar, which appears in low windows
    setMinimumWidth(m_content->minimumSizeHint().width() +
                    QWidget::style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    setSnapshot(nullptr);
}

PanelSection* ParameterPanel::addSection(const QString& title,
                                         const std::function<bool(const Parameter&)>& isIn) {
    auto* section = new PanelSection(title, m_content);
    m_column->addWidget(section);
    int widest = fontMetrics().horizontalAdvance(QStringLiteral("Colour map"));
    std::vector<ParameterRow*> rows;
    for (const Parameter& p : parameters()) {
        if (p.setByViews || !isIn(p))
            continue;
        rows.push_back(makeRow(p));
        widest = std::max(widest, rows.back()->labelWidth());
        section->add(rows.back());
    }
    for (ParameterRow* row : rows)
        row->setLabelWidth(widest);
    return section;
}

ParameterRow* ParameterPanel::makeRow(const Parameter& p) {
    ParameterRow* row = nullptr;
    if (p.key == "range")
        row = new RangeRow(p, m_content);
    else if (p.key == "colour_limits")
        row = new ColourLimitsRow(p, m_content);
    else if (p.key == "section")
        row = new SectionRow(p, m_content);
    else if (p.key == "voxel_size")
        row = new VoxelSizeRow(p, m_content);
    else if (p.key == "sensor")
        row = new PositionRow(p, m_content);
    else if (p.kind == ParameterKind::text)
        row = new ColourByRow(p, m_content);
    else if (p.kind == ParameterKind::choice)
        row = new ChoiceRow(p, m_content);
    else if (p.kind == ParameterKind::flag)
        row = new FlagRow(p, m_content);
    else
        row = new NumberRow(p, p.kind == ParameterKind::real, m_content);
    m_rows.push_back(row);
    connect(row, &ParameterRow::edited, this, &ParameterPanel::changeRecipe);
    return row;
}

ParameterRow* ParameterPanel::row(const std::string& key) const {
    const auto found = std::find_if(m_rows.begin(), m_rows.end(),
                                    [&](const ParameterRow* r) { return r->parameter().key == key; });
    return found == m_rows.end() ? nullptr : *found;
}

void ParameterPanel::changeRecipe(Recipe recipe) {
    if (recipe.field != m_recipe->field)
        recipe.iso.reset(); // an iso-value in another field's unit is meaningless
    if (recipe.colourBy != m_recipe->colourBy)
        // limits of another quantity are meaningless, too
        recipe.colourLow = recipe.colourHigh = std::nullopt;
    if (recipe == m_recipe)
        return;
    m_recipe = std::move(recipe);
    showAll();
    emit recipeChanged(m_recipe);
}

void ParameterPanel::setRecipe(const Recipe& recipe) {
    m_recipe = recipe;
    showAll();
}

void ParameterPanel::setStyle(const ViewStyle& style) {
    m_style = style;
    m_wireframe->setChecked(style.wireframe);
}

void ParameterPanel::setUnit(LengthUnit unit) {
    if (unit == m_style.unit)
        return;
    m_style.unit = unit;
    for (ParameterRow* one : m_rows)
        one->setUnit(unit);
    m_forecast->setUnit(unit);
    setHistograms(m_histograms); // updates the labels, which contain the unit
    showAll();
    emit styleChanged(m_style);
}

void ParameterPanel::setSnapshot(const SnapshotPtr& snapshot) {
    ScanHistograms histograms = m_histograms; // without histograms of quantities that are no longer shown
    if (!snapshot || !m_snapshot || snapshot->resolved->colourBy != m_snapshot->resolved->colourBy)
        histograms.colours = nullptr, histograms.classes = nullptr;
    if (!snapshot || !m_snapshot || snapshot->resolved->field != m_snapshot->resolved->field)
        histograms.field = nullptr;
    m_snapshot = snapshot;
    if (histograms != m_histograms)
        setHistograms(histograms);
    m_content->parentWidget()->parentWidget()->setVisible(snapshot != nullptr);
    m_hint->setVisible(!snapshot);
    for (PanelSection* section : m_cloudSections)
        section->setVisible(!snapshot || snapshot->cloud);
    // an empty grid to paint in holds depths, which are larger inside
    row("inside")->setVisible(snapshot && snapshot->volume && !snapshot->volume->values.empty());
    showScales();
    showAll();
}

void ParameterPanel::setHistograms(const ScanHistograms& histograms) {
    m_histograms = histograms;
    static_cast<RangeRow*>(row("range"))->setHistograms(histograms.axes);
    static_cast<ColourLimitsRow*>(row("colour_limits"))
        ->setHistogram(histograms.colours, m_snapshot && m_snapshot->volume);
    static_cast<ColourByRow*>(row("colour_by"))->setClasses(histograms.classes);
    showFieldHistogram();
    showScales();
}

void ParameterPanel::showFieldHistogram() {
    HistogramSlider* slider = static_cast<NumberRow*>(row("iso"))->control()->slider();
    if (!m_snapshot || !m_snapshot->field) {
        slider->setHistogram(nullptr, {}, {}, HistogramSlider::Chosen::above);
        return;
    }
    const FieldKind kind = m_snapshot->field->kind;
    // most samples of fields other than distances lie in air: linear counts would show nothing else
    if (std::exchange(m_shownField, kind) != kind)
        slider->setLogarithmic(kind != FieldKind::signedDistance);
    slider->setHistogram(m_histograms.field, tr("samples of the field"), isoUnit(),
                         m_snapshot->field->insideBelow ? HistogramSlider::Chosen::below
                                                        : HistogramSlider::Chosen::above);
}

void ParameterPanel::resetAll() {
    Recipe recipe = m_recipe; // keeps values that are not parameters of this panel, such as the camera
    for (const ParameterRow* row : m_rows) {
        const Parameter& p = row->parameter();
        if (p.kind == ParameterKind::text)
            p.setText(recipe, p.getText(Recipe{}));
        else
            p.set(recipe, std::nullopt);
    }
    changeRecipe(recipe);
}

void ParameterPanel::showColours() {
    const bool isMapped = m_snapshot && m_snapshot->picture && m_snapshot->picture->mapped;
    auto* limits = static_cast<ColourLimitsRow*>(row("colour_limits"));
    limits->setVisible(isMapped);
    if (isMapped)
        limits->setLegend(
            legendOf(m_snapshot->resolved, 0, 1, m_recipe->show == PictureContent::mesh, m_style.unit));
}

void ParameterPanel::showAll() {
    Recipe resolved = m_snapshot ? m_snapshot->resolved : m_recipe;
    // the limits are chosen together with the colours
    if (m_snapshot && m_snapshot->picture && m_snapshot->picture->mapped) {
        resolved.colourLow = double(m_snapshot->picture->low);
        resolved.colourHigh = double(m_snapshot->picture->high);
    }
    showColours();
    for (ParameterRow* row : m_rows)
        row->showRecipe(m_recipe, resolved);
    static_cast<NumberRow*>(row("iso"))->control()->setUnit(isoUnit());
    static_cast<ChoiceRow*>(row("colour_map"))->combo()->setEnabled(!coloursByClass());
}

void ParameterPanel::showScales() {
    if (m_snapshot && m_snapshot->cloud)
        static_cast<RangeRow*>(row("range"))->setSpan(rangeSpan(*m_snapshot, m_histograms));
    if (m_snapshot)
        static_cast<ColourByRow*>(row("colour_by"))->setSource(*m_snapshot);
    for (ParameterRow* r : m_rows) {
        // a preview's field has other limits: the scale would alternate during a drag
        if (r->parameter().key == "iso" && m_snapshot && m_snapshot->preview)
            continue;
        const ValueScale scale = sliderScale(r->parameter(), m_snapshot.get());
        if (auto* number = qobject_cast<NumberRow*>(r))
            number->control()->setScale(scale);
        else if (auto* voxelSize = qobject_cast<VoxelSizeRow*>(r))
            voxelSize->setScale(scale);
    }
}

bool ParameterPanel::coloursByClass() const {
    const bool isAttribute = colourModeOf(m_recipe->colourBy).data == ColourData::attribute;
    const Attribute* attribute = isAttribute && m_snapshot && m_snapshot->cloud
                                     ? m_snapshot->cloud->attribute(colourAttribute(m_recipe->colourBy))
                                     : nullptr;
    return attribute && isCategorical(*attribute);
}

QString ParameterPanel::isoUnit() const {
    const FieldKind ofResult =
        m_snapshot && m_snapshot->field ? m_snapshot->field->kind : FieldKind::occupancy;
    const FieldKind kind =
        m_snapshot && m_snapshot->volume ? FieldKind::volume : m_recipe->field.value_or(ofResult);
    if (kind == FieldKind::density)
        return tr("1/%1", "points a cubic unit of length").arg(unitSymbol(m_style.unit, 3));
    return kind == FieldKind::signedDistance ? unitSymbol(m_style.unit) : QString();
}

void ParameterPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showAll(); // greyed values use the palette's grey
}

} // namespace scanloupe::gui
