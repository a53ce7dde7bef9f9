// Samples the scan and forecasts the results and costs of recipes in the background.
#include "gui/jobs/forecast_runner.h"

#include "engine/compute/memory.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/base/settings.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace scanloupe::gui {

namespace {

/// The forecaster learns from results after a pause, since questions of a moving slider come first.
constexpr int kRestMs = 100;

/// Whether two recipes have the same forecast; the camera changes often.
bool asksTheSame(Recipe a, const Recipe& b) {
    a.camera = b.camera;
    return a == b;
}

/// Whether a run has new timings: while the camera moves, only pictures are new.
bool hasRun(const Snapshot& snapshot) {
    return std::ranges::any_of(snapshot.timings.stages, [](const StageTiming& stage) {
        return !stage.reused &&
               (stage.stage == "voxelize" || stage.stage == "field" || stage.stage == "extract");
    });
}

ForecastAnswer answerOf(Forecaster& forecaster, const Recipe& recipe) {
    ForecastAnswer answer;
    answer.forecast = forecaster.forecast(recipe);
    if (!answer.forecast)
        return answer;
    answer.available = availableHostMemory();
    answer.fits = answer.forecast->neededBytes.low <= double(answer.available);
    if (!answer.fits)
        answer.fittingSize = forecaster.fittingVoxelSize(recipe, answer.available);
    return answer;
}

} // namespace

ForecastRunner::ForecastRunner(const BackendChoice& backend, QObject* parent)
    : QObject(parent), m_forecaster(backend),
      m_worker(std::make_unique<BackgroundWorker<Done>>(
          // a cancelled job has no result
          [this](const Done& done) { finish(done); }, [](const std::exception_ptr&) {})) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &ForecastRunner::learn);
    m_forecaster.timesFromJson(settings::forecastTimes.value().toStdString());
}

ForecastRunner::~ForecastRunner() {
    m_worker.reset(); // ends its work
    settings::forecastTimes.set(QString::fromStdString(m_forecaster.timesToJson()));
}

void ForecastRunner::setSnapshot(const SnapshotPtr& snapshot) {
    if (std::exchange(m_cloud, snapshot->input) != snapshot->input) {
        m_isKnown = false;
        m_last.reset();
        m_rest.stop();
        m_toLearn = snapshot->input ? snapshot : nullptr;
        m_next = {.backend = std::move(m_next.backend), .scan = snapshot->input, .runs = {}, .question = {}};
        start();
        // lets the waiting recipe run, since no forecast will arrive soon
        reply({snapshot->recipe, m_asked}, {});
    } else if (m_cloud && !snapshot->preview && (!m_isKnown || hasRun(*snapshot))) {
        m_toLearn = snapshot;
        if (m_isKnown)
            m_rest.start();
    }
}

void ForecastRunner::setBackend(const BackendChoice& backend) {
    m_next.backend = backend;
    if (m_last) // asks again, since the last answer is for another backend
        m_next.question = Question{std::exchange(m_last, std::nullopt)->recipe, ++m_asked};
    start();
}

void ForecastRunner::ask(const Recipe& recipe) {
    const Question question{recipe, ++m_asked};
    if (!m_isKnown || answerTo(recipe)) {
        m_next.question.reset();
        reply(question, m_isKnown ? m_answer : ForecastAnswer{});
        return;
    }
    m_next.question = question;
    start();
}

const ForecastAnswer* ForecastRunner::answerTo(const Recipe& recipe) const {
    return m_last && asksTheSame(recipe, m_last->recipe) ? &m_answer : nullptr;
}

void ForecastRunner::learn() {
    if (const SnapshotPtr last = std::exchange(m_toLearn, nullptr)) {
        m_next.runs.push_back(last);
        if (!m_next.question) // asks again, since the last answer may be out of date
            m_next.question = m_last ? *m_last : Question{last->recipe, m_answered};
        start();
    }
}

void ForecastRunner::start() {
    const bool isEmpty = !m_next.backend && !m_next.scan && m_next.runs.empty() && !m_next.question;
    if (isEmpty || m_worker->isBusy())
        return;
    m_worker->run([forecaster = &m_forecaster, next = std::exchange(m_next, {})](
                      const std::stop_token& stop) { return work(*forecaster, next, stop); });
}

ForecastRunner::Done ForecastRunner::work(Forecaster& forecaster, const Work& work,
                                          const std::stop_token& stop) {
    Done done{nullptr, work.question, {}};
    try {
        if (work.backend)
            forecaster.setBackend(*work.backend);
        if (work.scan) {
            forecaster.setScan(nullptr, nullptr);
            if (*work.scan)
                forecaster.setScan(*work.scan,
                                   std::make_shared<const ScanSample>(sampleScan(**work.scan, stop)));
        }
        for (const SnapshotPtr& run : work.runs)
            forecaster.learn(*run);
        if (work.question)
            done.answer = answerOf(forecaster, work.question->recipe);
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception&) {
        // for example out of memory: without a forecast, the waiting run begins and reports the error
        done.answer = {};
    }
    done.scan = forecaster.cloud();
    return done;
}

void ForecastRunner::finish(const Done& done) {
    if (m_cloud && done.scan == m_cloud && !std::exchange(m_isKnown, true))
        learn();
    if (done.question && done.scan == m_cloud && done.question->number >= m_answered)
        reply(*done.question, done.answer);
    start();
}

void ForecastRunner::reply(const Question& question, const ForecastAnswer& answer) {
    m_answered = question.number;
    if (m_isKnown)
        m_last = question;
    m_answer = answer;
    emit answered(question.recipe, answer);
}

} // namespace scanloupe::gui
