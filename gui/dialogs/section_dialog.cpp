// Asks for the file and the scale of a section.
#include "gui/dialogs/section_dialog.h"

#include "engine/cloud/point_cloud.h"
#include "engine/inspect/section/write_section.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/common/write/write_atomically.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/base/length_text.h"
#include "gui/base/raw_text.h"
#include "gui/controls/save_file.h"
#include "gui/jobs/failure.h"
#include "gui/marks/section_picture.h"

#include <QBuffer>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {

constexpr int kMaxPixels = 16384; // limit of the rasterizer for width and height

/// A scale at which the drawing fills an A4 page at most.
int suggestedScale(const SectionDrawing& drawing, LengthUnit unit) {
    constexpr double page = 0.25; // metres
    const double least = std::max(drawing.width(), drawing.height()) * rowOf(unit).metres / page;
    for (int tens = 1; tens < 1'000'000; tens *= 10)
        for (const int times : {1, 2, 5})
            if (times * tens >= least)
                return times * tens;
    return 1'000'000;
}

} // namespace

SectionDialog::SectionDialog(SnapshotPtr snapshot, Vec3d up, LengthUnit unit,
                             std::vector<std::filesystem::path> scans, QWidget* parent)
    : QDialog(parent), m_snapshot(std::move(snapshot)), m_scans(std::move(scans)),
      m_drawing(drawingOf(*m_snapshot->section, m_snapshot->origin(), *m_snapshot->resolved->section, up)),
      m_unit(unit), m_path(new QLineEdit), m_scale(new QComboBox), m_resolution(new QSpinBox),
      m_hint(new QLabel) {
    setWindowTitle(tr("Save the section"));
    auto* column = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    auto* file = new QHBoxLayout;
    auto* browseButton = new QPushButton(tr("&Browse…"));
    file->addWidget(m_path, 1);
    file->addWidget(browseButton);
    auto* label = new QLabel(tr("&File:"));
    label->setBuddy(m_path);
    form->addRow(label, file);
    m_scale->setEditable(true);
    for (int tens = 1; tens <= 1000; tens *= 10)
        for (const int times : {1, 2, 5})
            m_scale->addItem(QStringLiteral("1:%1").arg(times * tens));
    m_scale->setCurrentText(QStringLiteral("1:%1").arg(suggestedScale(m_drawing, m_unit)));
    m_scale->setAccessibleName(tr("Scale"));
    form->addRow(tr("Sc&ale:"), m_scale);
    m_resolution->setRange(36, 1200);
    m_resolution->setValue(300);
    m_resolution->setSuffix(tr(" dpi"));
    form->addRow(tr("&Resolution:"), m_resolution);
    column->addLayout(form);
    m_hint->setWordWrap(true);
    column->addWidget(m_hint);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    m_save = buttons->button(QDialogButtonBox::Save);
    column->addWidget(buttons);
    connect(browseButton, &QPushButton::clicked, this, &SectionDialog::browse);
    connect(m_path, &QLineEdit::textChanged, this, &SectionDialog::showValidity);
    connect(m_scale, &QComboBox::currentTextChanged, this, &SectionDialog::showValidity);
    connect(m_resolution, &QSpinBox::valueChanged, this, &SectionDialog::showValidity);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::accepted, this, [this] { keepExportFolder(path()); });
    setMinimumWidth(520);
    const std::string& source = m_snapshot->cloud ? m_snapshot->cloud->path : m_snapshot->volume->path;
    const QString base =
        source.empty() ? QStringLiteral("scan") : QFileInfo(rawText(source)).completeBaseName();
    setPath(QDir(exportFolder(QDir::homePath())).filePath(base + "_section.dxf"));
    showValidity();
}

QString SectionDialog::path() const {
    return m_path->text().trimmed();
}

void SectionDialog::setPath(const QString& path) {
    m_path->setText(path);
}

double SectionDialog::scaleNumber() const {
    const QString text = m_scale->currentText();
    bool isNumber = false;
    const double number =
        QLocale().toDouble(text.mid(text.indexOf(QLatin1Char(':')) + 1).trimmed(), &isNumber);
    return isNumber && std::isfinite(number) ? number : 0;
}

QSize SectionDialog::pixels() const {
    return SectionPicture{scaleNumber(), m_resolution->value(), m_unit}.size(m_drawing);
}

void SectionDialog::browse() {
    const QString filter = tr("Sections (*.dxf *.svg *.png)");
    const QString chosen = QFileDialog::getSaveFileName(this, windowTitle(), path(), filter, nullptr,
                                                        QFileDialog::DontConfirmOverwrite);
    if (!chosen.isEmpty())
        setPath(withEnding(chosen, filter));
}

void SectionDialog::showValidity() {
    const std::string ending = lowerEnding(rawPath(path()));
    const bool isPicture = ending == ".png", toScale = isPicture || ending == ".svg";
    const bool exists = isThere(path());
    m_scale->setEnabled(toScale);
    m_resolution->setEnabled(isPicture);
    QString problem, hint;
    if (m_drawing.lines.empty())
        problem = tr("The section plane does not cut the surface. Move the section.");
    else if (!isPicture && std::ranges::find(sectionEndings(), ending) == sectionEndings().end())
        problem = tr("The file extension sets the format: .dxf, .svg or .png.");
    else if (toScale && !hasScale())
        problem =
            tr("No scale is possible, since the unit of the coordinates is not a length: %1. Set the unit in "
               "the Data panel, under Scan; project a geographic scan first. A .dxf needs no scale.")
                .arg(unitName(m_unit));
    else if (toScale && !(scaleNumber() > 0))
        problem = tr("Enter the scale in the form 1:100.");
    else if (isPicture && std::max(pixels().width(), pixels().height()) > kMaxPixels)
        problem = tr("The picture would have %1 × %2 pixels; the maximum is %3 per side. Use a smaller scale "
                     "or resolution.")
                      .arg(pixels().width())
                      .arg(pixels().height())
                      .arg(kMaxPixels);
    else if (exists) {
        const Failure refusal = checkOutput(path(), outputCheckFor(m_scans));
        if (!refusal.sentence.isEmpty())
            problem = refusal.sentence + QLatin1Char(' ') + refusal.nextStep;
        else
            hint = tr("This file exists and will be replaced.") + QLatin1Char(' ');
    }
    // millimetres on paper for one unit
    const double millimetres = 1000 * rowOf(m_unit).metres / std::max(scaleNumber(), 1e-9);
    const QString paper = tr("%1 × %2 mm on paper.")
                              .arg(std::ceil(m_drawing.width() * millimetres))
                              .arg(std::ceil(m_drawing.height() * millimetres));
    if (isPicture && problem.isEmpty())
        hint += tr("View of the scan along the section, with its lines: %1 × %2 pixels, %3")
                    .arg(pixels().width())
                    .arg(pixels().height())
                    .arg(paper);
    else if (toScale)
        hint += tr("Lines in the section's plane, in millimetres: %1").arg(paper);
    else
        hint += tr("3D polylines in the scan's own frame and unit: %1.").arg(unitName(m_unit));
    m_hint->setText(problem.isEmpty() ? hint : problem);
    m_save->setEnabled(problem.isEmpty());
    m_save->setText(exists && problem.isEmpty() ? tr("&Replace") : tr("&Save"));
}

QString SectionDialog::description() const {
    return tr("section to %1").arg(shownText(QFileInfo(path()).fileName()));
}

ExportJob SectionDialog::job() const {
    ExportJob job{description(), rawPath(path()), m_snapshot, {}};
    job.write = [target = job.target, drawing = m_drawing, scale = scaleNumber(),
                 dots = m_resolution->value(),
                 unit = m_unit](const Snapshot& s, const ProgressFunction&, const std::stop_token& stop) {
        if (lowerEnding(target) != ".png")
            return writeSection(target, drawing, {scale, unit}, stop);
        QByteArray bytes;
        QBuffer buffer(&bytes);
        SectionPicture{scale, dots, unit}.draw(s, drawing, stop).save(&buffer, "PNG");
        writeAtomically(
            target, [&bytes](std::ostream& out) { out.write(bytes.constData(), bytes.size()); }, stop);
    };
    return job;
}

} // namespace scanloupe::gui
