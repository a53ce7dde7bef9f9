// Samples the scan in the background, and answers what recipes would make and take.
#include "gui/jobs/forecast_session.h"

#include "engine/compute/memory.h"

#include <QSettings>
#include <algorithm>
#include <utility>

namespace scanloupe::gui {

namespace {

/// Results are learned from when no others follow: that takes some milliseconds of the GUI thread.
constexpr int kRestMs = 100;

const QString kTimesKey = QStringLiteral("forecast/times");

/// Whether two recipes differ in nothing that is forecast; the camera moves often.
bool asksTheSame(Recipe a, const Recipe& b) {
    a.camera = b.camera;
    return a == b;
}

/// Whether there is something to learn: while the camera moves, pictures alone are new.
bool hasRun(const Snapshot& snapshot) {
    return std::ranges::any_of(snapshot.timings.stages, [](const StageTiming& stage) {
        return !stage.reused &&
               (stage.stage == "voxelize" || stage.stage == "field" || stage.stage == "extract");
    });
}

} // namespace

ForecastSession::ForecastSession(const BackendChoice& backend, QObject* parent)
    : QObject(parent), m_forecaster(backend),
      m_sampler(
          [this](const Sampled& sampled) {
              if (!m_first || sampled.cloud != m_first->cloud)
                  return; // of a scan that another has replaced meanwhile, whose own sample follows
              const SnapshotPtr first = std::exchange(m_first, nullptr);
              m_forecaster.setScan(first->cloud, sampled.points);
              learn(*first);
          },
          [](const std::exception_ptr&) {}) { // without a sample there are no forecasts
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        if (const SnapshotPtr last = std::exchange(m_toLearn, nullptr))
            learn(*last);
    });
    m_forecaster.timesFromJson(QSettings().value(kTimesKey).toString().toStdString());
}

ForecastSession::~ForecastSession() {
    QSettings().setValue(kTimesKey, QString::fromStdString(m_forecaster.timesToJson()));
}

void ForecastSession::setSnapshot(const SnapshotPtr& snapshot) {
    if (std::exchange(m_cloud, snapshot->cloud) != snapshot->cloud) {
        m_forecaster.setScan(nullptr, nullptr);
        m_toLearn.reset();
        m_asked.reset();
        m_first = snapshot->cloud ? snapshot : nullptr;
        if (m_first)
            m_sampler.run([cloud = m_cloud](const std::stop_token& stop) {
                return Sampled{cloud, std::make_shared<const ScanSample>(sampleScan(*cloud, stop))};
            });
        emit changed();
    } else if (m_first) {
        m_first = snapshot;
    } else if (m_cloud && !snapshot->preview && hasRun(*snapshot)) {
        m_toLearn = snapshot;
        m_rest.start();
    }
}

void ForecastSession::learn(const Snapshot& snapshot) {
    m_forecaster.learn(snapshot);
    m_asked.reset();
    emit changed();
}

const ForecastSession::Answer& ForecastSession::ask(const Recipe& recipe) {
    if (m_asked && asksTheSame(recipe, *m_asked))
        return m_answer;
    m_asked = recipe;
    m_answer = {};
    m_answer.forecast = m_forecaster.forecast(recipe);
    if (!m_answer.forecast)
        return m_answer;
    m_answer.available = availableHostMemory();
    m_answer.fits = m_answer.forecast->neededBytes.low <= double(m_answer.available);
    if (!m_answer.fits)
        m_answer.fittingSize = m_forecaster.fittingVoxelSize(recipe, m_answer.available);
    return m_answer;
}

} // namespace scanloupe::gui
