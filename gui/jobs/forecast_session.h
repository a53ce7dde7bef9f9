#pragma once
// Declares the forecasts of a window: they follow the scan that is shown, and learn from its runs.
#include "engine/forecast/forecast.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/jobs/background_worker.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace scanloupe::gui {

/// A forecast, and whether the recipe can be run.
struct ForecastAnswer {
    std::optional<Forecast> forecast; ///< none while nothing is known, and of volumes
    bool fits = true;
    std::uint64_t available = 0;       ///< bytes of memory, if it doesn't fit
    std::optional<double> fittingSize; ///< metres: the nearest voxel size that fits, if any does
};

/// Forecasts recipes for the scan of the last results, on a worker thread. Its points are sampled first;
/// until then nothing is forecast, and every recipe runs. The times of runs are kept in the settings.
class ForecastSession : public QObject {
    Q_OBJECT
public:
    explicit ForecastSession(const BackendChoice& backend, QObject* parent = nullptr);
    ~ForecastSession() override;

    /// Learns from results, and follows them to another scan.
    void setSnapshot(const SnapshotPtr& snapshot);

    /// Where runs compute from now on.
    void setBackend(const BackendChoice& backend);

    /// Asks for a forecast; a question replaces the one that waits. answered() follows: at once if nothing is
    /// known of the scan or if only the camera differs from the recipe of the last answer, else in some 10
    /// ms.
    void ask(const Recipe& recipe);
    /// Whether an answer to ask() is still to come.
    bool isAsked() const { return m_asked != m_answered; }
    /// The last answer, if it was of this recipe; else null.
    const ForecastAnswer* answerTo(const Recipe& recipe) const;

signals:
    /// To ask(); and again, once runs have taught something. Without a forecast when the scan changes.
    void answered(const scanloupe::Recipe& recipe, const scanloupe::gui::ForecastAnswer& answer);

private:
    struct Question {
        Recipe recipe;
        int number = 0; ///< of ask()
    };
    /// What the worker does next, in this order.
    struct Work {
        std::optional<BackendChoice> backend;                  ///< another one
        std::optional<std::shared_ptr<const PointCloud>> scan; ///< another one; null for a volume
        std::vector<SnapshotPtr> runs;                         ///< to learn from
        std::optional<Question> question;
    };
    struct Done {
        std::shared_ptr<const PointCloud> scan; ///< that is known now
        std::optional<Question> question;
        ForecastAnswer answer;
    };
    static Done work(Forecaster& forecaster, const Work& work, const std::stop_token& stop);
    void start();
    void finish(const Done& done);
    void learn();
    void reply(const Question& question, const ForecastAnswer& answer);

    Forecaster m_forecaster;                   ///< of the worker, while that is busy
    std::shared_ptr<const PointCloud> m_cloud; ///< of the last results; null for a volume
    bool m_isKnown = false;                    ///< its points were sampled
    SnapshotPtr m_toLearn;                     ///< the last results that were not learned from yet
    QTimer m_rest;
    Work m_next;
    int m_asked = 0, m_answered = 0; ///< numbers of the last question, and of the last one that is settled
    std::optional<Question> m_last;  ///< that m_answer is for
    ForecastAnswer m_answer;
    std::unique_ptr<BackgroundWorker<Done>> m_worker;
};

} // namespace scanloupe::gui
