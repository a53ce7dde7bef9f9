#pragma once
// Declares the session that keeps a second run of the scan beside the window's own.
#include "engine/results/same_results.h"
#include "gui/jobs/background_worker.h"
#include "gui/jobs/pipeline_runner.h"

#include <QSize>
#include <QTimer>
#include <memory>
#include <vector>

namespace scanloupe::gui {

/// The backends to compare another one with, the most different one first.
std::vector<Backend> otherBackends(Backend of);

/// Compares a run, A, with that of the window, B. A has a runner of its own, with its own results: it runs
/// when it starts, and then draws its picture when camera or size have changed. The results are compared when
/// B is at rest. All signals are emitted on the GUI thread.
class CompareSession : public QObject {
    Q_OBJECT
public:
    explicit CompareSession(QObject* parent = nullptr);
    /// Cancels a run of A and waits for it (at most some 100 ms).
    ~CompareSession() override;

    bool isActive() const { return m_runner != nullptr; }
    /// Whether A has the recipe of B, on another backend.
    bool isOfBackends() const { return m_ofBackends; }
    /// Whether A is of the scan that was kept, and not of a later frame.
    bool isOfKept() const { return m_isOfKept; }
    /// The CUDA code that layers may run, in the sessions that follow.
    void setTrustedCode(std::shared_ptr<const TrustedCode> code) { m_trusted = std::move(code); }
    /// Keeps these results of the window, with their recipe, as A. They must be whole.
    void keep(const SnapshotPtr& of, const BackendChoice& backend);
    /// Runs the recipe of B on another backend as A, now and whenever B has changed and is at rest.
    /// @throws EngineError when there is no such backend
    void runOn(Backend backend, const SnapshotPtr& b);
    void end();

    /// Follows the results of the window; they must be whole or previews of the scan that it shows.
    void setSnapshot(const SnapshotPtr& b);
    /// Camera (file's frame) and size of the picture that the window needs.
    void setView(const Camera& camera, QSize devicePixels);

    /// A's recipe; meaningless unless the session is active.
    const Recipe& recipe() const { return m_recipe; }
    const BackendChoice& backend() const { return m_runner->backend(); }
    /// The last results of A that are whole; null before the first, and without a session.
    const SnapshotPtr& a() const { return m_a; }
    const SnapshotPtr& b() const { return m_b; }
    /// How a() and b() differ; none until they were compared.
    const std::optional<ResultDifference>& difference() const { return m_difference; }

signals:
    /// a() has changed.
    void runChanged(const scanloupe::gui::SnapshotPtr& a);
    /// a(), b() or difference() has changed.
    void changed();
    /// A can't be run; the session has ended.
    void failed(const QString& sentence, const QString& nextStep);

private:
    struct Compared {
        SnapshotPtr a, b;
        ResultDifference difference;
    };
    void start(const BackendWish& backend);
    /// Has A run its recipe on the input of B.
    void runInput();
    void submit();
    void setA(const SnapshotPtr& a);
    /// To be called when B has been at rest for a moment.
    void onRest();
    bool isOfInput(const Snapshot& snapshot) const;

    Recipe m_recipe;
    bool m_ofBackends = false, m_isOfKept = false;
    std::optional<Camera> m_camera;
    QSize m_size;
    std::shared_ptr<const PointCloud> m_cloud; ///< the input of A; null for a volume
    std::shared_ptr<const Volume> m_volume;
    SnapshotPtr m_a, m_b;
    std::optional<ResultDifference> m_difference;
    QTimer m_rest;
    std::shared_ptr<const TrustedCode> m_trusted;
    std::unique_ptr<PipelineRunner> m_runner; ///< null without a session
    BackgroundWorker<Compared> m_comparer;
};

} // namespace scanloupe::gui
