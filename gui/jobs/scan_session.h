#pragma once
// Declares the session that opens scans, runs the pipeline and writes exports on worker threads, and delivers
// results to the GUI thread.
#include "engine/compute/backend.h"
#include "engine/io/scan_cache.h"
#include "engine/pipeline/latest_wins.h"
#include "engine/pipeline/pipeline.h"
#include "kernels/synth/scan_generator.h"

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace scanloupe::gui {

using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// How a scan is opened.
struct Opening {
    enum class As {
        another, ///< parameters that depend on place and scale are chosen from the new scan
        frame,   ///< a frame of the same sequence: recipe and camera stay
        before,  ///< shown before: its recipe and camera are restored
    };
    As as = As::another;
    Recipe recipe = {}; ///< to be restored
};

enum class OpeningEnd {
    shown,
    unreadable, ///< the file can't be read; its cache holds the reason
    notRun,     ///< the first run failed; reported by failed() or, for a frame, by runFailed()
    cancelled,
};

/// Holds one scan and computes the results of its recipe. All signals are emitted on the GUI thread. Requests
/// never block: the newest recipe wins, and results are delivered complete (see LatestWins). A failure leaves
/// the previous results in place.
class ScanSession : public QObject {
    Q_OBJECT
public:
    explicit ScanSession(Backend wanted, QObject* parent = nullptr);
    /// Cancels all running work and waits for it (at most some 100 ms).
    ~ScanSession() override;

    const BackendChoice& backend() const { return m_backend; }
    /// The latest result, complete or a preview; null before the first.
    const SnapshotPtr& snapshot() const { return m_snapshot; }
    const Recipe& recipe() const { return m_recipe; }
    bool isBusy() const { return m_running || m_loading || m_exporting; }
    bool isExporting() const { return m_exporting; }
    bool isLoading() const { return m_loading; }

    /// Reads and runs a scan or a volume beside the current one. It replaces the current one with its first
    /// results, so that a scan that can't be read or run changes nothing. A second call cancels the first.
    /// Parameters that depend on the old scan's place and scale are chosen from the data again.
    void open(const std::filesystem::path& path);
    /// Creates a cache of files for show(); scansChanged() is emitted when it has more details of them.
    std::shared_ptr<ScanCache> cacheOf(std::vector<std::filesystem::path> paths);
    /// Opens one of several files, as open() does, and reads ahead those after it. An unreadable file is
    /// reported by openingEnded() and the cache alone. Returns the number for openingEnded().
    int show(std::shared_ptr<ScanCache> scans, std::size_t index, const Opening& opening);
    using Make = std::function<PointCloud(const ProgressFunction&, const std::stop_token&)>;
    /// Opens a scan that `make` generates; `what` names the job in progress messages. Returns the number for
    /// openingEnded().
    int openMade(const QString& what, const QString& name, Make make, const Opening& opening = {});
    /// Opens a synthetic scan.
    void openSample(const synth::ScanParams& params);
    /// Requests results of `recipe`; returns at once.
    void setRecipe(const Recipe& recipe);
    /// Cancels one job: the opening, else the run, else the export. The last results stay.
    void cancel();

    using Export = std::function<void(const Snapshot&, const ProgressFunction&, const std::stop_token&)>;
    /// Runs `write` on `snapshot`; `what` names the job in messages of progress, success and failure. One
    /// export at a time.
    void exportFile(const QString& what, const SnapshotPtr& snapshot, Export write);

signals:
    void opened(const QString& name);   ///< a new scan replaces the old one; its results follow at once
    void advanced(const QString& name); ///< as opened(), for the next frame, which keeps recipe and camera
    /// The last open(), openMade(), openSample() or show() has ended. A superseded one never emits this.
    void openingEnded(int number, scanloupe::gui::OpeningEnd end);
    void scansChanged(); ///< a cache of cacheOf() has more details
    void snapshotReady(const scanloupe::gui::SnapshotPtr& snapshot);
    /// Quality metrics of the last results' mesh have been computed after them: snapshot() now includes them.
    void measured(const scanloupe::gui::SnapshotPtr& snapshot);
    /// The picture of the last results has been refined: snapshot() now includes it.
    void refined(const scanloupe::gui::SnapshotPtr& snapshot);
    /// The quality metrics of the mesh can't be computed; the results stay valid.
    void measureFailed(const QString& sentence, const QString& nextStep);
    void exported(const QString& what);
    /// Reading a scan, its first run, or an export failed.
    void failed(const QString& sentence, const QString& nextStep);
    /// The run of a recipe failed.
    void runFailed(const QString& sentence, const QString& nextStep);
    void progressed(const QString& what, double done); ///< 0 to 1
    void busyChanged(bool busy);
    void exportingChanged(bool exporting);
    void logged(const QString& line);

private:
    /// A scan that was read, with the time that this took, and how it was opened.
    struct Input {
        std::shared_ptr<const ScanInput> scan;
        QString name;
        Opening opening = {};
        std::shared_ptr<ScanCache> scans = {}; ///< null unless it is one of several
    };
    using InputPtr = std::shared_ptr<const Input>;
    /// A request to the worker.
    struct Request {
        Recipe recipe;
        InputPtr input;
        bool first = false; ///< first run of a new input, which fails if it can't be run
        int number = 0;     ///< sequence number; m_requested is that of the last request
    };
    using Work = LatestWins<Request>::Work;
    using Load = std::function<Input(const ProgressFunction&, const std::stop_token&)>;
    using Told = void (ScanSession::*)(const QString& sentence, const QString& nextStep);

    /// Initial recipe of a scan that follows one with `recipe`.
    static Recipe recipeFor(const Input& input, Recipe recipe);

    /// @param failure signal that reports an unreadable scan; null: none
    void load(const QString& what, Told failure, Load load);
    void tryOut(const InputPtr& input);
    void dropCandidate();
    void submit();
    /// Submits again the request that a candidate displaced.
    void resume();
    void work();
    SnapshotPtr run(Pipeline& pipeline, const Work& work);
    /// Refines delivered results unless a request interrupts it: quick metrics of the mesh, a finer picture,
    /// all metrics.
    void addExtras(Pipeline& pipeline, const Work& work, const SnapshotPtr& result);
    /// Both return the refined results, or `result` when there is nothing to refine; null when a request
    /// interrupted them.
    SnapshotPtr measure(Pipeline& pipeline, const Work& work, const SnapshotPtr& result,
                        QualityEffort effort);
    SnapshotPtr refine(Pipeline& pipeline, const Work& work, const SnapshotPtr& result);
    using Added = void (ScanSession::*)(const SnapshotPtr& snapshot);
    /// Replaces the snapshot `of` by `with`, and emits `added`.
    void postAdded(const SnapshotPtr& of, const SnapshotPtr& with, Added added);
    void takeOutcome(const Request& request, bool preview, const SnapshotPtr& result);
    void takeCandidate(const Request& request, const SnapshotPtr& result);
    /// Starts a thread that reads ahead in `scans`, and stops that of the previous cache. Null: stops only.
    void readAhead(const std::shared_ptr<ScanCache>& scans);

    /// Runs `job` on a thread of lower priority than the GUI thread.
    void start(std::function<void()> job);
    void setFlag(bool& flag, bool value);
    /// Queues `action` to the GUI thread; it is dropped once the session is destroyed.
    void post(std::function<void()> action);
    /// A progress function that notifies the GUI thread at most every 30 ms.
    ProgressFunction progressFor(const QString& what);
    /// Runs `action` and reports an exception by the signal `failure` (null: not at all). True when nothing
    /// was thrown.
    /// @param whenShort what to do when memory is short
    bool guarded(Told failure, const std::function<void()>& action,
                 const char* whenShort = QT_TR_NOOP("Take a larger voxel size or a smaller range."));

    BackendChoice m_backend;
    Recipe m_recipe;
    SnapshotPtr m_snapshot;
    InputPtr m_input;
    InputPtr m_candidate; ///< has been read, and runs for the first time
    bool m_running = false, m_loading = false, m_exporting = false;
    bool m_aside = false; ///< a request for the old scan was displaced by a candidate
    LatestWins<Request> m_requests;
    std::stop_source m_loadStop, m_exportStop, m_aheadStop;
    std::shared_ptr<ScanCache> m_ahead; ///< cache that is read ahead
    int m_loads = 0;                    ///< number of the current load; older ones are dropped
    int m_requested = 0;                ///< number of the last request; superseded ones don't end the work
    QThreadPool m_pool;
};

} // namespace scanloupe::gui

Q_DECLARE_METATYPE(scanloupe::gui::SnapshotPtr)
