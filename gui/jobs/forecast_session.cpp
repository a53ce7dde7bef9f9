// Samples the scan in the background, and answers there what recipes would make and take.
#include "gui/jobs/forecast_session.h"

#include "engine/compute/memory.h"

#include <QSettings>
#include <algorithm>
#include <exception>
#include <utility>

namespace scanloupe::gui {

namespace {

/// Results are learned from when no others follow: answers to a moving handle come first.
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

ForecastSession::ForecastSession(const BackendChoice& backend, QObject* parent)
    : QObject(parent), m_forecaster(backend),
      m_worker(std::make_unique<BackgroundWorker<Done>>(
          [this](const Done& done) { finish(done); }, [](const std::exception_ptr&) {})) { // it was cancelled
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &ForecastSession::learn);
    m_forecaster.timesFromJson(QSettings().value(kTimesKey).toString().toStdString());
}

ForecastSession::~ForecastSession() {
    m_worker.reset(); // ends its work
    QSettings().setValue(kTimesKey, QString::fromStdString(m_forecaster.timesToJson()));
}

void ForecastSession::setSnapshot(const SnapshotPtr& snapshot) {
    if (std::exchange(m_cloud, snapshot->input) != snapshot->input) {
        m_isKnown = false;
        m_last.reset();
        m_rest.stop();
        m_toLearn = snapshot->input ? snapshot : nullptr;
        m_next = {.backend = std::move(m_next.backend), .scan = snapshot->input, .runs = {}, .question = {}};
        start();
        reply({snapshot->recipe, m_asked}, {}); // who still waits can run: nothing will be known soon
    } else if (m_cloud && !snapshot->preview && (!m_isKnown || hasRun(*snapshot))) {
        m_toLearn = snapshot;
        if (m_isKnown)
            m_rest.start();
    }
}

void ForecastSession::setBackend(const BackendChoice& backend) {
    m_next.backend = backend;
    if (m_last) // what was answered differs now
        m_next.question = Question{std::exchange(m_last, std::nullopt)->recipe, ++m_asked};
    start();
}

void ForecastSession::ask(const Recipe& recipe) {
    const Question question{recipe, ++m_asked};
    if (!m_isKnown || answerTo(recipe)) {
        m_next.question.reset();
        reply(question, m_isKnown ? m_answer : ForecastAnswer{});
        return;
    }
    m_next.question = question;
    start();
}

const ForecastAnswer* ForecastSession::answerTo(const Recipe& recipe) const {
    return m_last && asksTheSame(recipe, m_last->recipe) ? &m_answer : nullptr;
}

void ForecastSession::learn() {
    if (const SnapshotPtr last = std::exchange(m_toLearn, nullptr)) {
        m_next.runs.push_back(last);
        if (!m_next.question) // what was answered may differ now
            m_next.question = m_last ? *m_last : Question{last->recipe, m_answered};
        start();
    }
}

void ForecastSession::start() {
    const bool isEmpty = !m_next.backend && !m_next.scan && m_next.runs.empty() && !m_next.question;
    if (isEmpty || m_worker->isBusy())
        return;
    m_worker->run([forecaster = &m_forecaster, next = std::exchange(m_next, {})](
                      const std::stop_token& stop) { return work(*forecaster, next, stop); });
}

ForecastSession::Done ForecastSession::work(Forecaster& forecaster, const Work& work,
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
        done.answer = {}; // such as memory: nothing is forecast, and the run that waits begins, and says why
    }
    done.scan = forecaster.cloud();
    return done;
}

void ForecastSession::finish(const Done& done) {
    if (m_cloud && done.scan == m_cloud && !std::exchange(m_isKnown, true))
        learn();
    if (done.question && done.scan == m_cloud && done.question->number >= m_answered)
        reply(*done.question, done.answer);
    start();
}

void ForecastSession::reply(const Question& question, const ForecastAnswer& answer) {
    m_answered = question.number;
    if (m_isKnown)
        m_last = question;
    m_answer = answer;
    emit answered(question.recipe, answer);
}

} // namespace scanloupe::gui
