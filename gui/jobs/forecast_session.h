#pragma once
// Declares the forecasts of a window: they follow the scan that is shown, and learn from its runs.
#include "engine/forecast/forecast.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/jobs/background_worker.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace scanloupe::gui {

/// Forecasts recipes for the scan of the last results. Its points are sampled in the background; until then
/// nothing is forecast, and every recipe runs. The times of runs are kept in the settings.
class ForecastSession : public QObject {
    Q_OBJECT
public:
    explicit ForecastSession(const BackendChoice& backend, QObject* parent = nullptr);
    ~ForecastSession() override;

    /// Learns from results, and follows them to another scan.
    void setSnapshot(const SnapshotPtr& snapshot);

    /// A forecast, and whether the recipe can be run.
    struct Answer {
        std::optional<Forecast> forecast; ///< none while nothing is known, and of volumes
        bool fits = true;
        std::uint64_t available = 0;       ///< bytes of memory, if it doesn't fit
        std::optional<double> fittingSize; ///< metres: the nearest voxel size that fits, if any does
    };
    /// On the GUI thread, in some 6 ms; 25 ms if the recipe doesn't fit. An answer that was given is given
    /// again until a run teaches something.
    const Answer& ask(const Recipe& recipe);

signals:
    /// Answers may have changed.
    void changed();

private:
    struct Sampled {
        std::shared_ptr<const PointCloud> cloud;
        std::shared_ptr<const ScanSample> points;
    };
    void learn(const Snapshot& snapshot);

    Forecaster m_forecaster;
    std::shared_ptr<const PointCloud> m_cloud; ///< of the last results; null for a volume
    SnapshotPtr m_first;                       ///< its first results, until its points are sampled
    SnapshotPtr m_toLearn;                     ///< the last results that were not learned from yet
    QTimer m_rest;
    std::optional<Recipe> m_asked; ///< that m_answer is for
    Answer m_answer;
    BackgroundWorker<Sampled> m_sampler;
};

} // namespace scanloupe::gui
