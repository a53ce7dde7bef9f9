#pragma once
// The only place that starts threads: opens scans, runs the pipeline, writes exports; hands results to the GUI thread.
#include "engine/compute/backend.h"
#include "engine/pipeline/latest_wins.h"
#include "engine/pipeline/pipeline.h"
#include "kernels/synth/scan_generator.h"

#include <QFuture>
#include <QObject>
#include <QString>
#include <filesystem>
#include <memory>
#include <stop_token>

namespace scanloupe::gui {

using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// One scan and the results that follow its recipe. All signals arrive on the GUI thread. A request never waits: the
/// newest recipe wins, results come whole (see LatestWins). Failures keep what was there.
class ScanSession : public QObject {
    Q_OBJECT
public:
    explicit ScanSession(Backend wanted, QObject* parent = nullptr);
    /// Cancels what runs and waits for it (at most some 100 ms).
    ~ScanSession() override;

    const BackendChoice& backend() const { return m_backend; }
    /// The last whole or preview result; null before the first.
    const SnapshotPtr& snapshot() const { return m_snapshot; }
    const Recipe& recipe() const { return m_recipe; }
    bool isBusy() const { return m_busy; }

    /// Reads a scan or a volume beside what is shown, and takes its place once it is whole.
    /// A second call cancels the first.
    void open(const std::filesystem::path& path);
    /// Generates a scan instead of reading one.
    void openSample(const synth::ScanParams& params);
    /// Asks for results of `recipe`; returns at once.
    void setRecipe(const Recipe& recipe);
    /// Stops what runs; the last results stay.
    void cancel();
    /// Runs `write` (an export of the current results) on a worker; `what` is told in progress and failure.
    void exportFile(const QString& what, std::function<void(const Snapshot&, const ProgressFunction&, std::stop_token)> write);

signals:
    void opened(const QString& name); ///< a new scan has taken the place of the old; its results follow
    void snapshotReady(const scanloupe::gui::SnapshotPtr& snapshot);
    void exported(const QString& what);
    void failed(const QString& sentence, const QString& nextStep);
    void progressed(const QString& what, double done); ///< 0 to 1
    void busyChanged(bool busy);
    void logged(const QString& line);

private:
    struct Loaded;
    struct Request;
    void startLoad(const QString& what, std::function<Loaded(const ProgressFunction&, std::stop_token)> load);
    void take(Loaded loaded);
    void work();
    void updateBusy();

    BackendChoice m_backend;
    Recipe m_recipe;
    SnapshotPtr m_snapshot;
    bool m_busy = false;
    std::unique_ptr<LatestWins<Request>> m_requests;
    QFuture<void> m_worker, m_loading, m_exporting;
    std::stop_source m_loadStop, m_exportStop;
};

} // namespace scanloupe::gui

Q_DECLARE_METATYPE(scanloupe::gui::SnapshotPtr)
