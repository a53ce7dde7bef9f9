// Compares the scan with a later one.

#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/formats.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "engine/results/snapshot.h"
#include "gui/base/length_text.h"
#include "gui/base/raw_text.h"
#include "gui/controllers/inspect_controller.h"
#include "gui/controllers/run_controller.h"
#include "gui/jobs/export_runner.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/models/region_model.h"
#include "gui/text/number_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <cmath>

namespace scanloupe::gui {

namespace {

/// "Scans (*.ply *.las ...)".
QString scanFilter() {
    std::vector<std::string> endings;
    for (const FileFormat& format : fileFormats())
        endings.insert(endings.end(), format.endings.begin(), format.endings.end());
    return InspectController::tr("Scans (%1)").arg(patternsOf(endings));
}

/// "15.46 ± 0.38 m³": with the 95 % confidence interval, to its second digit, if that is known.
QString volumeText(const VolumeSum& volume, LengthUnit unit) {
    if (!(std::isfinite(volume.uncertainty) && volume.uncertainty > 0))
        return withUnit(numberText(volume.value), unit, 3);
    const double step = std::pow(10, std::floor(std::log10(volume.uncertainty)) - 1);
    const auto rounded = [&](double value) { return numberText(std::round(value / step) * step); };
    return withUnit(InspectController::tr("%1 ± %2").arg(rounded(volume.value), rounded(volume.uncertainty)),
                    unit, 3);
}

} // namespace

void InspectController::chooseLaterScan() {
    const SnapshotPtr& shown = m_work.results();
    if (!shown || !shown->cloud)
        return m_window.messages.showError(tr("Open a scan of points before comparing it for changes."),
                                           tr("Open the earlier scan, then choose the later one."));
    const QString folder = QFileInfo(rawText(shown->cloud->path)).path();
    const QString later = QFileDialog::getOpenFileName(&m_window.widget, tr("Detect changes to a later scan"),
                                                       folder, scanFilter());
    if (later.isEmpty())
        return;
    const QString target =
        m_window.promptPath(&m_window.widget, tr("Save the changes"), QStringLiteral("change.ply"),
                            tr("Scans (%1)").arg(patternsOf(cloudEndings())));
    if (!target.isEmpty())
        findChange(later, target);
}

void InspectController::findChange(const QString& later, const QString& target) {
    const SnapshotPtr shown = m_work.results(); // the results may be replaced while the dialog is open
    if (!m_run.mayExport())
        return;
    const auto found = std::make_shared<ScanChange>();
    ExportJob job{tr("the changes to %1").arg(shownText(target)), rawPath(target), shown, {}};
    job.inputs = {rawPath(later)};
    job.write = [unit = m_work.unit(), later = rawPath(later), target = job.target, found](
                    const Snapshot& snapshot, const ProgressFunction& progress, const std::stop_token& stop) {
        ReadOptions reading;
        reading.progress = progress;
        const auto second = readScan(later, reading, stop);
        requireSameUnit(unit, *second);
        *found = scanChange(*snapshot.cloud, *second, changeOptionsFor(*snapshot.cloud, stop),
                            {std::nullopt, stop});
        writeCloud(target, changeCloud(*snapshot.cloud, *found, stop), {}, stop);
    };
    job.whenWritten = [this, found, target] { tellChange(*found, target); };
    m_window.jobs.exporter().start(std::move(job));
}

void InspectController::tellChange(const ScanChange& change, const QString& path) {
    const LengthUnit unit = m_work.unit();
    const CutAndFill& volume = change.volume;
    m_window.messages.showNote(
        tr("%1 of %2 positions have changed with 95 % confidence: mean %3, maximum %4. Net volume of all "
           "cells: %5. Cells that have changed with 95 % confidence: gained %6, lost %7 (all cells, "
           "including noise: %8 and %9); they are %10 of %11 cells, and about %12 are expected without any "
           "change. The alignment error is not included. Written: %13; colour it by m3c2_distance.")
            .arg(countText(change.significant), countText(change.judged), signedLengthText(change.mean, unit),
                 signedLengthText(change.largest, unit), volumeText(volume.net, unit),
                 volumeText(volume.gained, unit), volumeText(volume.lost, unit), numberText(volume.rawGained),
                 withUnit(numberText(volume.rawLost), unit, 3), countText(volume.significant),
                 countText(volume.judged), countText(volume.judged / 20), shownText(path)));
}

} // namespace scanloupe::gui
