#pragma once
// Declares the forecasts of a window: they follow the displayed scan, and learn from its runs.
#include "engine/run/forecast/forecast.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/jobs/background_worker.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::gui {

/// A forecast, and whether the recipe can be run.
struct ForecastAnswer {
    std::optional<Forecast> forecast; ///< none while nothing is known, and for volumes
    bool fits = true;
    std::uint64_t available = 0;       ///< bytes of memory, if it doesn't fit
    std::optional<double> fittingSize; ///< metres: the nearest voxel size that fits, if any does
};

/// Forecasts recipes for the scan of the last results, on a worker thread. Until the scan's points are
/// sampled there is no forecast, and every recipe runs. The times of runs are kept in the settings.
class ForecastRunner : public QObject {
    Q_OBJECT
public:
    explicit ForecastRunner(const BackendChoice& backend, QObject* parent = nullptr);
    ~ForecastRunner() override;

    /// Learns from results. Results of another scan start a new sample.
    void setSnapshot(const SnapshotPtr& snapshot);

    /// Sets the backend of runs from now on.
    void setBackend(const BackendChoice& backend);

    /// Requests a forecast; a new question replaces a waiting one. answered() follows: immediately if the
    /// scan is not sampled or if only the camera differs from the recipe of the last answer, otherwise in
    /// some 10 ms.
    void ask(const Recipe& recipe);
    /// Whether an answer to ask() is pending.
    bool isAsked() const { return m_asked != m_answered; }
    /// The last answer, if it was for this recipe; otherwise null.
    const ForecastAnswer* answerTo(const Recipe& recipe) const;

signals:
    /// Answers ask(), and is emitted again when runs have improved the forecast. Has no forecast when the
    /// scan changes.
    void answered(const scanloupe::Recipe& recipe, const scanloupe::gui::ForecastAnswer& answer);

private:
    struct Question {
        StoredRecipe recipe;
        int number = 0; ///< of ask()
    };
    /// What the worker does next, in this order.
    struct Work {
        std::optional<BackendChoice> backend;                  ///< the next backend
        std::optional<std::shared_ptr<const PointCloud>> scan; ///< the next scan; null for a volume
        std::vector<SnapshotPtr> runs;                         ///< runs to learn from
        std::optional<Question> question;
    };
    struct Done {
        std::shared_ptr<const PointCloud> scan; ///< the scan whose points were sampled
        std::optional<Question> question;
        ForecastAnswer answer;
    };
    static Done work(Forecaster& forecaster, const Work& work, const std::stop_token& stop);
    void start();
    void finish(const Done& done);
    void learn();
    void reply(const Question& question, const ForecastAnswer& answer);

    Forecaster m_forecaster;                   ///< owned by the worker while it is busy
    std::shared_ptr<const PointCloud> m_cloud; ///< cloud of the last results; null for a volume
    bool m_isKnown = false;                    ///< its points were sampled
    SnapshotPtr m_toLearn;                     ///< the last results that were not learned from yet
    QTimer m_rest;
    Work m_next;
    /// numbers of the last question, and of the last answered or cancelled one
    int m_asked = 0, m_answered = 0;
    std::optional<Question> m_last; ///< the question of m_answer
    ForecastAnswer m_answer;
    std::unique_ptr<BackgroundWorker<Done>> m_worker;
};

} // namespace scanloupe::gui
