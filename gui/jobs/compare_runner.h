#pragma once
// Declares a second run of the scan, in addition to the window's run.
#include "engine/results/same_results.h"
#include "gui/jobs/background_worker.h"
#include "gui/jobs/pipeline_runner.h"
#include "kernels/raster/core/camera.h"

#include <QSize>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

namespace scanloupe {
enum class Backend;
struct BackendChoice;
struct BackendRequest;
class PointCloud;
struct Snapshot;
class TrustedCode;
struct Volume;
} // namespace scanloupe

namespace scanloupe::gui {

/// The backends that another backend can be compared with, the most different one first.
std::vector<Backend> otherBackends(Backend of);

/// Compares a run, A, with that of the window, B. A has a separate runner and results: it runs once when it
/// starts, and then draws a new picture when camera or size change. The results are compared when no run of B
/// is active. All signals are emitted on the GUI thread.
class CompareRunner : public QObject {
    Q_OBJECT
public:
    explicit CompareRunner(QObject* parent = nullptr);
    /// Cancels a run of A and waits for it (at most some 100 ms).
    ~CompareRunner() override;

    bool isActive() const { return m_runner != nullptr; }
    /// Whether A has the recipe of B, on another backend.
    bool isOfBackends() const { return m_ofBackends; }
    /// Whether A is of the scan that was kept, as opposed to a later frame.
    bool isOfKept() const { return m_isOfKept; }
    /// Sets the CUDA code that layers may run in the following comparisons.
    void setTrustedCode(std::shared_ptr<const TrustedCode> code) { m_trusted = std::move(code); }
    /// Keeps complete results of the window, with their recipe, as A.
    void keep(const SnapshotPtr& of, const BackendChoice& backend);
    /// Runs the recipe of B on another backend as A, now and after each change of B. @throws EngineError when
    /// there is no such backend
    void runOn(Backend backend, const SnapshotPtr& b);
    void end();

    /// Must be called with new results of the window: complete ones, or previews of the displayed scan.
    void setSnapshot(const SnapshotPtr& b);
    /// Camera (file's frame) and size of the picture that the window needs.
    void setView(const Camera& camera, QSize devicePixels);

    /// A's recipe; meaningless unless isActive().
    const Recipe& recipe() const { return m_recipe; }
    const BackendChoice& backend() const { return m_runner->backend(); }
    /// The last complete results of A; null before the first, and while inactive.
    const SnapshotPtr& a() const { return m_a; }
    const SnapshotPtr& b() const { return m_b; }
    /// How a() and b() differ; nullopt until they are compared.
    const std::optional<ResultDifference>& difference() const { return m_difference; }

signals:
    /// Emitted when a() has changed.
    void runChanged(const scanloupe::gui::SnapshotPtr& a);
    /// Emitted when a(), b() or difference() has changed.
    void changed();
    /// Emitted when A can't be run and the comparison has ended.
    void failed(const QString& sentence, const QString& nextStep);

private:
    struct Compared {
        SnapshotPtr a, b;
        ResultDifference difference;
    };
    void start(const BackendRequest& backend);
    /// Makes A run its recipe on the input of B.
    void runInput();
    void submit();
    void setA(const SnapshotPtr& a);
    /// Called after B has been idle for a moment.
    void onRest();
    bool isOfInput(const Snapshot& snapshot) const;

    StoredRecipe m_recipe;
    bool m_ofBackends = false, m_isOfKept = false;
    std::optional<Camera> m_camera;
    QSize m_size;
    std::shared_ptr<const PointCloud> m_cloud; ///< the input of A; null for a volume
    std::shared_ptr<const Volume> m_volume;
    SnapshotPtr m_a, m_b;
    std::optional<ResultDifference> m_difference;
    QTimer m_rest;
    std::shared_ptr<const TrustedCode> m_trusted;
    std::unique_ptr<PipelineRunner> m_runner; ///< null while inactive
    BackgroundWorker<Compared> m_comparer;
};

} // namespace scanloupe::gui
