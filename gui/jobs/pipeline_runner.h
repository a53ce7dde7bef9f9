#pragma once
// Declares the runner of the pipeline, which delivers results to the GUI thread.
#include "engine/run/pipeline/latest_wins.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/jobs/job_pool.h"
#include "gui/jobs/opening.h"

namespace scanloupe {
struct BackendChoice;
struct BackendRequest;
class Pipeline;
enum class QualityEffort : std::uint8_t;
class TrustedCode;
} // namespace scanloupe

namespace scanloupe::gui {

/// Holds one scan and computes the results of its recipe on a worker thread, which owns the pipeline.
/// Requests never block: the newest recipe wins, and results are delivered complete (see LatestWins). A
/// failure leaves the previous results in place. All signals are emitted on the GUI thread.
class PipelineRunner : public QObject {
    Q_OBJECT
public:
    explicit PipelineRunner(const BackendRequest& wanted, QObject* parent = nullptr);
    /// Cancels the running work and waits for it (at most some 100 ms).
    ~PipelineRunner() override;

    const BackendChoice& backend() const { return *m_backend; }
    /// Makes the current scan, and those that follow, run on another backend.
    void setBackend(const BackendChoice& backend);
    /// The latest result, complete or a preview; null before the first.
    const SnapshotPtr& snapshot() const { return m_snapshot; }
    const Recipe& recipe() const { return m_recipe; }
    bool isBusy() const { return m_busy; } ///< only for the current scan, not for a candidate

    /// The CUDA code that layers may run; null: none.
    void setTrustedCode(std::shared_ptr<const TrustedCode> code) { m_trusted = std::move(code); }
    const std::shared_ptr<const TrustedCode>& trustedCode() const { return m_trusted; }
    /// Requests results of `recipe`; returns immediately.
    void setRecipe(const Recipe& recipe);
    /// Cancels the run. The last results stay.
    void cancel();

    /// Runs a scan in addition to the current one. Its first results make it the current one, so that a scan
    /// whose run fails changes nothing; candidateEnded() reports the outcome.
    void runCandidate(const LoadedScanPtr& candidate);
    /// Abandons the candidate, if there is one. The current scan's displaced request waits for resume().
    void dropCandidate();
    /// Repeats the request that a candidate displaced, unless there is a new candidate.
    void resume();

signals:
    /// Emitted when a new scan replaces the old one; its results follow immediately
    void opened(const QString& name);
    void advanced(const QString& name); ///< as opened(), if recipe and camera stay: the next frame, or the
                                        ///< whole scan after a first look
    /// Emitted when layers of the opened scan that remove points were hidden, since no point would be left.
    void removalsHidden();
    /// Emitted when the first run of a candidate has ended; `shown`: it has replaced the old scan, and its
    /// results follow.
    void candidateEnded(bool shown);
    void snapshotReady(const scanloupe::gui::SnapshotPtr& snapshot);
    /// Quality metrics of the last results' mesh have been computed after them: snapshot() now includes them.
    void measured(const scanloupe::gui::SnapshotPtr& snapshot);
    /// The picture of the last results has been refined: snapshot() now includes it.
    void refined(const scanloupe::gui::SnapshotPtr& snapshot);
    /// The quality metrics of the mesh cannot be computed; the results stay valid.
    void measureFailed(const QString& sentence, const QString& nextStep);
    /// The first run of a scan failed.
    void firstRunFailed(const QString& sentence, const QString& nextStep);
    /// The run of a recipe failed, or the first one of a frame.
    void runFailed(const QString& sentence, const QString& nextStep);
    void progressed(const QString& what, double done); ///< 0 to 1
    void busyChanged(bool busy);

private:
    using BackendPtr = std::shared_ptr<const BackendChoice>;
    /// A request to the worker.
    struct Request {
        StoredRecipe recipe;
        LoadedScanPtr scan;
        bool first = false; ///< first run of a scan that is being opened; opening fails if it fails
        int number = 0;     ///< sequence number; m_requested is that of the last request
        BackendPtr backend;
        std::shared_ptr<const TrustedCode> trusted;
    };
    using Work = LatestWins<Request>::Work;
    using FailureSignal = void (PipelineRunner::*)(const QString& sentence, const QString& nextStep);
    using RefinedSignal = void (PipelineRunner::*)(const SnapshotPtr& snapshot);

    void submit();
    /// The backend of a scan's runs.
    BackendPtr backendOf(const LoadedScan& scan) const;
    /// Prepares the device while the user chooses a scan.
    void warmUpBackend();
    void work();
    /// How a failure of the request is reported; null: not at all.
    static FailureSignal failureOf(const Request& request);
    /// @param isEmptied set if the edits of the opened scan leave no point: there is no result
    SnapshotPtr run(Pipeline& pipeline, const Work& work, bool& isEmptied);
    void runWithoutRemovals(const Request& request);
    /// Makes the next previews coarser or finer, depending on the duration of the last one.
    void fitPreviews(double tookMs);
    /// Refines delivered results unless a request interrupts it: quick metrics of the mesh, a finer picture,
    /// all metrics.
    void addRefinements(Pipeline& pipeline, const Work& work, const SnapshotPtr& result);
    /// Both return the refined results, or `result` when there is nothing to refine; null when a request
    /// interrupted them.
    SnapshotPtr measure(Pipeline& pipeline, const Work& work, const SnapshotPtr& result,
                        QualityEffort effort);
    SnapshotPtr refine(Pipeline& pipeline, const Work& work, const SnapshotPtr& result);
    /// Replaces the snapshot `of` by `with`, and emits `added`.
    void postAdded(const SnapshotPtr& of, const SnapshotPtr& with, RefinedSignal added);
    void onRunFinished(const Request& request, bool preview, const SnapshotPtr& result);
    void takeCandidate(const Request& request, const SnapshotPtr& result);
    void setBusy(bool busy);
    /// Runs `action` and reports an exception by the signal `failure` (null: not at all). True when nothing
    /// was thrown. A failure is not reported if `request` is not the last one.
    bool guarded(FailureSignal failure, const std::function<void()>& action,
                 std::optional<int> request = std::nullopt);

    BackendPtr m_backend;
    /// First looks run on the CPU: the device may still hold the previous scan or decode the whole one, and
    /// OpenGL would wait for it, since registering memory with CUDA waits for all kernels.
    BackendPtr m_ofFirstLooks;
    std::shared_ptr<const TrustedCode> m_trusted;
    StoredRecipe m_recipe;
    SnapshotPtr m_snapshot;
    LoadedScanPtr m_scan;
    LoadedScanPtr m_candidate; ///< a scan that was read and is in its first run
    bool m_busy = false;
    bool m_hidesRemovals = false; ///< whether layers of the candidate that remove points are hidden
    bool m_displaced = false;     ///< a request for the old scan was displaced by a candidate
    LatestWins<Request> m_requests;
    int m_coarser = 0;   ///< steps by which previews of this scan are coarser; used by the worker only
    int m_requested = 0; ///< number of the last request; superseded ones don't end the work
    std::stop_source m_warmUpStop;
    JobPool m_pool; ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
