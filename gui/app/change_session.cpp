// Compares the scan with a later one.
#include "gui/app/change_session.h"

#include "engine/io/formats.h"
#include "engine/io/output_check.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "gui/app/edit_host.h"
#include "gui/base/length_text.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/controls/save_file.h"
#include "gui/jobs/export_runner.h"
#include "gui/models/number_text.h"
#include "gui/models/region_model.h"

#include <QFileDialog>
#include <QFileInfo>

namespace scanloupe::gui {

namespace {

/// "Scans (*.ply *.las ...)".
QString scanFilter() {
    QStringList patterns;
    for (const FileFormat& format : fileFormats())
        for (const std::string& ending : format.endings)
            patterns << QStringLiteral("*") + QString::fromStdString(ending);
    return ChangeSession::tr("Scans (%1)").arg(patterns.join(QLatin1Char(' ')));
}

} // namespace

ChangeSession::ChangeSession(EditHost& host, MessageBar& messages, ExportRunner& exporter, QWidget* window)
    : QObject(window), m_host(host), m_messages(messages), m_exporter(exporter), m_window(window) {
    connect(&exporter, &ExportRunner::exported, this, [this](const QString& what) {
        if (what == m_running) // after the window has said that a file was written
            QMetaObject::invokeMethod(
                this, [this, change = m_change, target = m_target] { tell(*change, target); },
                Qt::QueuedConnection);
    });
}

void ChangeSession::choose() {
    const SnapshotPtr& shown = m_host.results();
    if (!shown || !shown->cloud)
        return m_messages.showError(tr("Change is found from a scan of points that is open, and none is."),
                                    tr("Open the earlier scan, then choose the later one."));
    const QString folder = QFileInfo(rawText(shown->cloud->path)).path();
    const QString later =
        QFileDialog::getOpenFileName(m_window, tr("Change to a later scan"), folder, scanFilter());
    if (later.isEmpty())
        return;
    const QString target = m_host.promptSavePath(
        m_window, tr("Save the change"), QStringLiteral("change.ply"), tr("Scans (*.ply *.las *.laz *.pcd)"));
    if (!target.isEmpty())
        compareWith(later, target);
}

void ChangeSession::compareWith(const QString& later, const QString& target) {
    if (!m_host.isWhole())
        return;
    if (m_exporter.isBusy())
        return m_messages.showNote(tr("A file is being written: wait until it is done."));
    m_target = target;
    m_change = std::make_shared<ScanChange>();
    m_running = tr("the change to %1").arg(target);
    m_exporter.start(m_running, m_host.results(),
                     [unit = m_host.unit(), later = rawPath(later), target = rawPath(target),
                      scans = m_host.openScans(),
                      found = m_change](const Snapshot& snapshot, const ProgressFunction& progress,
                                        const std::stop_token& stop) {
                         auto all = scans;
                         all.push_back(later);
                         outputCheckFor(all).addOutput(target, {});
                         ReadOptions reading;
                         reading.progress = progress;
                         const auto second = readScan(later, reading, stop);
                         requireSameUnit(unit, *second);
                         *found = scanChange(*snapshot.cloud, *second,
                                             changeOptionsFor(*snapshot.cloud, stop), {std::nullopt, stop});
                         writeCloud(target, changeCloud(*snapshot.cloud, *found, stop), {}, stop);
                     });
}

void ChangeSession::tell(const ScanChange& change, const QString& path) {
    const LengthUnit unit = m_host.unit();
    m_messages.showNote(tr("%1 of %2 places have changed with 95 % confidence; on average %3, at most %4. "
                           "Gained %5, lost %6 %7. "
                           "Written: %8, to be coloured by m3c2_distance.")
                            .arg(countText(change.significant), countText(change.judged),
                                 signedLengthText(change.mean, unit), signedLengthText(change.largest, unit),
                                 numberText(change.volume.gained), numberText(change.volume.lost),
                                 unitSymbol(unit, 3), shownText(path)));
    emit written(path);
}

} // namespace scanloupe::gui
