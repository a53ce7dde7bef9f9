// Lets the user choose two parameters, and shows the result of each pair of values.
#include "gui/dialogs/sweep_dialog.h"

#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/base/length_text.h"
#include "gui/controls/fit_to_screen.h"
#include "gui/controls/wheel_safe_combo_box.h"
#include "gui/panels/parameters/parameter_row.h"
#include "gui/sliders/number_box.h"
#include "gui/text/number_text.h"
#include "gui/text/parameter_labels.h"

#include <QBuffer>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace scanloupe::gui {

namespace {

constexpr double kTilePixels = 36'000; // pixels of a picture on a screen of normal density
constexpr double kFlattest = 3;        // maximum aspect ratio of a picture: a view may be a strip
constexpr int kMaxValues = 12;         // maximum number of values of a parameter

/// The size of a picture that shows what a view of this aspect (width / height) shows.
QSize tileOf(double aspect) {
    const double shape = std::clamp(aspect, 1 / kFlattest, kFlattest);
    return QSizeF(std::sqrt(kTilePixels * shape), std::sqrt(kTilePixels / shape)).toSize();
}

QPixmap pixmapOf(const Image& image, double ratio) {
    QPixmap pixmap =
        QPixmap::fromImage(QImage(reinterpret_cast<const uchar*>(image.pixels.data()), image.width,
                                  image.height, qsizetype{4} * image.width, QImage::Format_RGBX8888)
                               .copy());
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

/// The first line below a picture.
QString costText(double ms, const QString& meanDistance) {
    return SweepDialog::tr("%1, mean distance %2").arg(timeText(ms), meanDistance);
}

/// A cell without its picture.
SweepCell figuresOf(const SweepCell& cell) {
    return {cell.column,    cell.row,          {},           cell.ms,      cell.voxels,
            cell.triangles, cell.meanDistance, cell.problem, cell.nextStep};
}

} // namespace

SweepDialog::SweepDialog(const PipelineRunner& runner, SavePathPrompt promptPath, QWidget* parent)
    : QDialog(parent), m_promptPath(std::move(promptPath)), m_hint(new QLabel), m_scroll(new QScrollArea),
      m_progress(new QProgressBar), m_run(new QPushButton), m_png(new QPushButton(tr("Save &Pictures…"))),
      m_csv(new QPushButton(tr("Save &Table…"))), m_window(runner) {
    setWindowTitle(tr("Parameter Sweep"));
    auto* choices = new QGridLayout;
    m_across = addAxis(choices, 0, tr("Co&lumns:"), 4);
    m_down = addAxis(choices, 1, tr("R&ows:"), 3);
    choices->setColumnStretch(8, 1);
    m_run->setObjectName(QStringLiteral("runSweep"));
    m_progress->setTextVisible(false);
    m_hint->setWordWrap(true);
    auto* state = new QHBoxLayout;
    state->addWidget(m_run);
    state->addWidget(m_progress, 1);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_png, QDialogButtonBox::ActionRole);
    buttons->addButton(m_csv, QDialogButtonBox::ActionRole);
    auto* column = new QVBoxLayout(this);
    column->addLayout(choices);
    column->addLayout(state);
    column->addWidget(m_hint);
    column->addWidget(m_scroll, 1);
    column->addWidget(buttons);
    resizeOnScreen(this, {1100, 820});

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(m_run, &QPushButton::clicked, this, [this] { m_runner.isBusy() ? m_runner.cancel() : start(); });
    connect(m_png, &QPushButton::clicked, this, &SweepDialog::savePictures);
    connect(m_csv, &QPushButton::clicked, this, &SweepDialog::saveFigures);
    connect(&m_runner, &SweepRunner::cellFinished, this, &SweepDialog::showCell);
    connect(&m_runner, &SweepRunner::failed, this, [this](const QString& sentence, const QString& nextStep) {
        emit failed(sentence, nextStep);
        m_hint->setText(withParameterLabels(sentence) + QLatin1Char(' ') + withParameterLabels(nextStep));
    });
    connect(&m_runner, &SweepRunner::busyChanged, this, &SweepDialog::showState);
    showState();
}

SweepDialog::AxisChoice SweepDialog::addAxis(QGridLayout* rows, int row, const QString& label, int count) {
    AxisChoice axis{new WheelSafeComboBox, new NumberBox, new NumberBox, new QSpinBox};
    axis.parameter->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* name = new QLabel(label);
    name->setBuddy(axis.parameter);
    axis.count->setRange(1, kMaxValues);
    axis.count->setValue(count);
    axis.low->setAccessibleName(tr("Lowest value"));
    axis.high->setAccessibleName(tr("Highest value"));
    axis.count->setAccessibleName(tr("Number of values"));
    QWidget* const widgets[] = {name,       axis.parameter,          new QLabel(tr("from")),
                                axis.low,   new QLabel(tr("to")),    axis.high,
                                axis.count, new QLabel(tr("values"))};
    int at = 0;
    for (QWidget* widget : widgets)
        rows->addWidget(widget, row, at++);
    connect(axis.parameter, &QComboBox::currentIndexChanged, this, [this, axis] {
        if (m_snapshot && axis.parameter->currentIndex() >= 0)
            showRange(axis);
    });
    for (NumberBox* box : {axis.low, axis.high})
        connectNumberProblems(box, m_run, m_hint);
    return axis;
}

void SweepDialog::fillParameters(const AxisChoice& axis, const char* wanted) {
    const QSignalBlocker quiet(axis.parameter);
    axis.parameter->clear();
    for (const Parameter& p : parameters()) {
        if (!canBeSwept(p, m_snapshot->volume != nullptr))
            continue;
        axis.parameter->addItem(parameterText(p.label), QString::fromStdString(p.key));
        if (p.key == wanted)
            axis.parameter->setCurrentIndex(axis.parameter->count() - 1);
    }
    showRange(axis);
}

void SweepDialog::showRange(const AxisChoice& axis) {
    const Parameter& p = parameter(axis.parameter->currentData().toString().toStdString());
    const bool isNumber = p.kind == ParameterKind::real || p.kind == ParameterKind::integer;
    const SweepRange range = sweepRangeAround(p, m_snapshot->resolved);
    for (const auto& [box, value] : {std::pair{axis.low, range.low}, std::pair{axis.high, range.high}}) {
        box->setRange(p.min, p.max);
        box->setSuffix(p.unit.empty() ? QString() : QLatin1Char(' ') + parameterUnit(p, m_unit));
        box->showValue(sweepValues(p, value, value, 1).front());
        box->setEnabled(isNumber);
    }
    axis.count->setEnabled(isNumber);
}

void SweepDialog::setSnapshot(const SnapshotPtr& snapshot) {
    const bool isAnother =
        !m_snapshot || m_snapshot->input != snapshot->input || m_snapshot->volume != snapshot->volume;
    m_snapshot = snapshot;
    if (!isAnother)
        return;
    m_runner.cancel();
    m_cells.clear();
    m_tiles.clear();
    delete m_scroll->takeWidget();
    fillParameters(m_across, snapshot->volume ? "iso" : "voxel_size");
    fillParameters(m_down, snapshot->volume ? "min_component_triangles" : "iso");
    m_hint->setText(tr("Choose two parameters. Each pair of their values is run in the background with the "
                       "current camera. Click a picture to use its values."));
    showState();
}

void SweepDialog::setRecipe(const Recipe& recipe, double aspect) {
    m_recipe = recipe;
    m_tile = tileOf(aspect);
}

void SweepDialog::setUnit(LengthUnit unit) {
    m_unit = unit;
    for (const AxisChoice& axis : {m_across, m_down}) {
        if (axis.parameter->currentIndex() < 0)
            continue;
        const Parameter& p = parameter(axis.parameter->currentData().toString().toStdString());
        for (NumberBox* box : {axis.low, axis.high})
            box->setSuffix(p.unit.empty() ? QString() : QLatin1Char(' ') + parameterUnit(p, m_unit));
    }
}

SweepAxis SweepDialog::chosen(const AxisChoice& axis) const {
    const Parameter& p = parameter(axis.parameter->currentData().toString().toStdString());
    const bool isNumber = p.kind == ParameterKind::real || p.kind == ParameterKind::integer;
    const int count = isNumber ? axis.count->value() : int(p.max - p.min) + 1;
    return {&p, sweepValues(p, axis.low->value(), axis.high->value(), count)};
}

void SweepDialog::start() {
    if (!m_snapshot || m_runner.isBusy())
        return;
    SweepGrid grid{m_recipe, chosen(m_across), chosen(m_down)};
    if (grid.columns.parameter == grid.rows.parameter) {
        m_hint->setText(tr("Both parameters are the same: choose two different ones."));
        return;
    }
    const QSizeF pixels = QSizeF(m_tile) * devicePixelRatioF();
    grid.base->imageWidth = std::uint32_t(pixels.width());
    grid.base->imageHeight = std::uint32_t(pixels.height());
    grid.base->samples = 1;
    m_grid = std::move(grid);
    m_cells.clear();
    m_hint->setText(tr("Click a picture to use its values."));
    buildSheet();
    m_runner.start(m_snapshot, m_grid, m_window.backend(), m_window.trustedCode());
}

QString SweepDialog::valueText(const SweepAxis& axis, std::size_t index) const {
    const Parameter& p = *axis.parameter;
    QString text = QString::fromStdString(sweepValueText(p, axis.values[index]));
    if (p.kind == ParameterKind::real || p.kind == ParameterKind::integer)
        text = numberText(axis.values[index]);
    if (!p.unit.empty())
        text += QLatin1Char(' ') + parameterUnit(p, m_unit);
    return tr("%1 %2", "parameter and value").arg(parameterText(p.label), text);
}

void SweepDialog::buildSheet() {
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setSpacing(6);
    m_tiles.clear();
    for (std::size_t column = 0; column < m_grid.columns.values.size(); ++column) {
        auto* head = new QLabel(valueText(m_grid.columns, column));
        head->setAlignment(Qt::AlignCenter);
        grid->addWidget(head, 0, int(column) + 1);
    }
    // the same for all, so that no tile moves when pictures arrive
    const int widest =
        fontMetrics().horizontalAdvance(costText(888.8, withUnit(QStringLiteral("8888.88"), m_unit)));
    for (std::size_t row = 0; row < m_grid.rows.values.size(); ++row) {
        auto* head = new QLabel(valueText(m_grid.rows, row).replace(QLatin1Char(' '), QLatin1Char('\n')));
        head->setAlignment(Qt::AlignCenter);
        grid->addWidget(head, int(row) + 1, 0);
        for (std::size_t column = 0; column < m_grid.columns.values.size(); ++column) {
            auto* tile = new QToolButton;
            tile->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
            tile->setIconSize(m_tile);
            tile->setAutoRaise(true);
            tile->setText(QStringLiteral("…\n"));
            tile->setFixedSize(std::max(m_tile.width(), widest) + 12,
                               m_tile.height() + 12 + 2 * fontMetrics().lineSpacing());
            tile->setEnabled(false);
            tile->setAccessibleName(valueText(m_grid.columns, column) + QStringLiteral(", ") +
                                    valueText(m_grid.rows, row));
            connect(tile, &QToolButton::clicked, this, [this, column, row] { emit taken(column, row); });
            grid->addWidget(tile, int(row) + 1, int(column) + 1);
            m_tiles.push_back(tile);
        }
    }
    grid->setRowStretch(int(m_grid.rows.values.size()) + 1, 1);
    grid->setColumnStretch(int(m_grid.columns.values.size()) + 1, 1);
    m_scroll->setWidget(content);
}

QToolButton* SweepDialog::tile(std::size_t column, std::size_t row) const {
    const std::size_t at = row * m_grid.columns.values.size() + column;
    return at < m_tiles.size() ? m_tiles[at] : nullptr;
}

void SweepDialog::showCell(const SweepRunner::CellPtr& cell) {
    QToolButton* shown = tile(cell->column, cell->row);
    if (!shown)
        return; // the cell belongs to the sheet of another scan
    m_cells.push_back(std::make_shared<const SweepCell>(figuresOf(*cell))); // the tile keeps the picture
    if (cell->problem.empty()) {
        shown->setIcon(pixmapOf(cell->image, devicePixelRatioF()));
        const QString second = tr("%1 triangles").arg(countText(cell->triangles));
        const QString first = cell->meanDistance ? costText(cell->ms, lengthText(*cell->meanDistance, m_unit))
                                                 : timeText(cell->ms);
        shown->setText(first + QLatin1Char('\n') + second);
        shown->setToolTip(tr("Use these values: %1").arg(shown->accessibleName()));
        shown->setEnabled(true);
    } else {
        shown->setText(tr("run failed") + QLatin1Char('\n'));
        shown->setToolTip(withParameterLabels(QString::fromStdString(cell->problem + " " + cell->nextStep)));
    }
    showState();
}

void SweepDialog::showState() {
    const bool busy = m_runner.isBusy();
    m_run->setText(busy ? tr("&Cancel") : tr("&Run"));
    m_run->setEnabled(m_snapshot != nullptr);
    m_progress->setRange(0, std::max(1, int(m_tiles.size())));
    m_progress->setValue(int(m_cells.size()));
    for (QWidget* choice :
         {static_cast<QWidget*>(m_across.parameter), static_cast<QWidget*>(m_down.parameter)})
        choice->setEnabled(!busy && m_snapshot);
    m_png->setEnabled(!busy && !m_cells.empty());
    m_csv->setEnabled(!busy && !m_cells.empty());
    for (std::size_t i = 0; i < m_tiles.size(); ++i)
        if (!busy && !m_tiles[i]->isEnabled() && m_tiles[i]->text().startsWith(QChar(0x2026)))
            m_tiles[i]->setText(tr("not run") + QLatin1Char('\n'));
}

QPixmap SweepDialog::sheet() const {
    return m_scroll->widget() ? m_scroll->widget()->grab() : QPixmap();
}

std::string SweepDialog::csv() const {
    std::vector<SweepCell> cells;
    for (const SweepRunner::CellPtr& cell : m_cells)
        cells.push_back(figuresOf(*cell));
    return toCsv(m_grid, cells, m_unit);
}

Recipe SweepDialog::withValuesOf(Recipe recipe, std::size_t column, std::size_t row) const {
    const Recipe of = m_grid.recipeAt(column, row);
    if (m_grid.comparesFields())
        recipe.iso = of.iso; // a given iso-value belongs to the field of the shown results
    for (const SweepAxis* axis : {&m_grid.columns, &m_grid.rows})
        axis->parameter->set(recipe, axis->parameter->get(of));
    return recipe;
}

void SweepDialog::savePictures() {
    const QPixmap pictures = sheet(); // as shown now: pictures may arrive while the dialog is open
    const QString path =
        m_promptPath(this, tr("Save the pictures"), QStringLiteral("sweep.png"), tr("Pictures (*.png)"));
    if (path.isEmpty())
        return;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    pictures.save(&buffer, "PNG");
    saveText(*this, path, bytes.toStdString());
}

void SweepDialog::saveFigures() {
    const std::string figures = csv();
    const QString path =
        m_promptPath(this, tr("Save the table"), QStringLiteral("sweep.csv"), tr("Tables (*.csv)"));
    saveText(*this, path, figures);
}

} // namespace scanloupe::gui
