// Opens scans, runs the newest recipe, refines its results and writes exports, on worker threads.
#include "gui/jobs/scan_session.h"

#include "engine/compute/memory.h"
#include "engine/recipe/colour_mode.h"
#include "engine/synth/synthetic_cloud.h"
#include "gui/base/raw_text.h"
#include "gui/jobs/failure.h"
#include "kernels/core/thread_priority.h"

#include <algorithm>
#include <atomic>
#include <chrono>

namespace scanloupe::gui {

namespace {

constexpr std::chrono::milliseconds kBudget{150}; ///< of a run; longer ones are preceded by a preview
/// Time budget for drawing very many points while something moves; at rest all are drawn.
constexpr double kPictureMs = 60;
constexpr int kFirstSamples = 4; ///< per pixel, of the first refinement of a picture at rest

} // namespace

ScanSession::ScanSession(Backend wanted, QObject* parent)
    : QObject(parent), m_backend(chooseBackend(wanted)), m_requests(kBudget) {
    qRegisterMetaType<SnapshotPtr>();
    // one pipeline, one export, one load and one read-ahead, and cancelled ones that are still stopping
    m_pool.setMaxThreadCount(6);
    start([this] { work(); });
}

Recipe ScanSession::recipeFor(const Input& input, Recipe recipe) {
    if (input.opening.as == Opening::As::frame)
        return recipe;
    if (input.opening.as == Opening::As::before)
        return input.opening.recipe;
    recipe.rangeMin = recipe.rangeMax = recipe.voxelSize = std::nullopt;
    recipe.field = std::nullopt;
    recipe.sensor = std::nullopt; // the other scan's sensor was elsewhere
    recipe.up = std::nullopt;
    recipe.radius = recipe.iso = std::nullopt;
    recipe.minComponentTriangles = Recipe{}.minComponentTriangles; // chosen for the other scan's surface
    recipe.decimateTo = Recipe{}.decimateTo;
    recipe.pointExtent = Recipe{}.pointExtent; // metres that suit a street are too many for a statue
    recipe.camera = std::nullopt;
    const bool kept = colourModeOf(recipe.colourBy).data == ColourData::none ||
                      (colourModeOf(recipe.colourBy).data == ColourData::voxelValues && input.scan->cloud);
    if (!kept)
        recipe.colourBy = Recipe{}.colourBy;
    return recipe;
}

ScanSession::~ScanSession() {
    m_loadStop.request_stop();
    m_exportStop.request_stop();
    m_aheadStop.request_stop();
    m_requests.close();
    m_pool.waitForDone();
}

void ScanSession::start(std::function<void()> job) {
    m_pool.start([job = std::move(job)] {
        lowerThreadPriority();
        job();
    });
}

void ScanSession::post(std::function<void()> action) {
    QMetaObject::invokeMethod(this, std::move(action), Qt::QueuedConnection);
}

void ScanSession::setFlag(bool& flag, bool value) {
    const bool before = isBusy();
    flag = value;
    if (isBusy() != before)
        emit busyChanged(isBusy());
}

ProgressFunction ScanSession::progressFor(const QString& what) {
    auto last = std::make_shared<std::atomic<std::int64_t>>(0);
    return [this, what, last](double done) {
        const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
                             std::chrono::steady_clock::now().time_since_epoch())
                             .count();
        std::int64_t before = last->load();
        if (now - before < 30 || !last->compare_exchange_strong(before, now))
            return;
        post([this, what, done] { emit progressed(what, done); });
    };
}

bool ScanSession::guarded(Told failure, const std::function<void()>& action, const char* whenShort) {
    try {
        action();
        return true;
    } catch (...) {
        const auto [sentence, nextStep] = failureOf(std::current_exception(), tr(whenShort));
        if (failure != nullptr && !sentence.isEmpty())
            post([this, failure, sentence, nextStep] { emit(this->*failure)(sentence, nextStep); });
        return false;
    }
}

void ScanSession::open(const std::filesystem::path& path) {
    const QString name = shownText(path.filename().string());
    load(tr("Reading %1").arg(name), &ScanSession::failed,
         [path, name](const ProgressFunction& progress, const std::stop_token& stop) {
             const ReadOptions options{.progress = progress};
             return Input{std::make_shared<const ScanInput>(readInput(path, options, stop)), name};
         });
}

std::shared_ptr<ScanCache> ScanSession::cacheOf(std::vector<std::filesystem::path> paths) {
    const std::uint64_t budget = availableHostMemory() / 4; // results need more memory than scans
    // called from the session's own threads, which end before it
    return std::make_shared<ScanCache>(std::move(paths), budget,
                                       [this] { post([this] { emit scansChanged(); }); });
}

int ScanSession::show(std::shared_ptr<ScanCache> scans, std::size_t index, const Opening& opening) {
    const QString name = shownText(scans->path(index).filename().string());
    load(tr("Reading %1").arg(name), nullptr,
         [=](const ProgressFunction& progress, const std::stop_token& stop) {
             const ReadOptions options{.progress = progress};
             return Input{scans->read(index, options, stop), name, opening, scans};
         });
    return m_loads;
}

int ScanSession::openMade(const QString& what, const QString& name, Make make, const Opening& opening) {
    load(what, &ScanSession::failed,
         [=, make = std::move(make)](const ProgressFunction& progress, const std::stop_token& stop) {
             ScanInput made;
             const WallTimer timer;
             made.cloud = std::make_shared<const PointCloud>(make(progress, stop));
             made.readMs = timer.elapsedMs();
             return Input{std::make_shared<const ScanInput>(std::move(made)), name, opening};
         });
    return m_loads;
}

void ScanSession::openSample(const synth::ScanParams& params) {
    openMade(tr("Generating a scan"), tr("sample scan"),
             [params](const ProgressFunction& progress, const std::stop_token& stop) {
                 return syntheticCloud(params, false, progress, stop);
             });
}

void ScanSession::load(const QString& what, Told failure, Load load) {
    m_loadStop.request_stop();
    m_loadStop = std::stop_source();
    const int number = ++m_loads;
    setFlag(m_loading, true);
    dropCandidate();
    emit logged(what);
    start([this, what, failure, number, load = std::move(load), stop = m_loadStop.get_token()] {
        InputPtr input;
        guarded(
            failure, [&] { input = std::make_shared<const Input>(load(progressFor(what), stop)); },
            QT_TR_NOOP("Close other scans and programs, or cut the scan into parts."));
        post([this, number, input] {
            if (number != m_loads)
                return; // superseded by a newer load, or cancelled
            if (input) {
                tryOut(input);
            } else {
                setFlag(m_loading, false);
                resume();
                emit openingEnded(number, OpeningEnd::unreadable);
            }
        });
    });
}

void ScanSession::tryOut(const InputPtr& input) {
    m_candidate = input;
    m_aside |= m_input != nullptr; // the old scan's run, or its refinements, are displaced
    // without a preview, which might fail where the whole run would not, and vice versa
    m_requests.submit({recipeFor(*input, m_recipe), input, true, ++m_requested}, true);
}

void ScanSession::dropCandidate() {
    if (!m_candidate)
        return;
    m_requests.cancel();
    m_candidate = nullptr;
    ++m_requested;
    setFlag(m_running, false);
}

void ScanSession::setRecipe(const Recipe& recipe) {
    m_recipe = recipe;
    submit();
}

void ScanSession::submit() {
    if (!m_input)
        return;
    m_aside = m_candidate != nullptr; // the first run of a candidate has precedence
    if (m_aside)
        return;
    setFlag(m_running, true);
    m_requests.submit({m_recipe, m_input, false, ++m_requested});
}

void ScanSession::resume() {
    if (m_aside && !m_candidate)
        submit();
}

void ScanSession::cancel() {
    if (m_loading) { // the old scan's run continues
        m_loadStop.request_stop();
        const int number = m_loads++;
        dropCandidate();
        resume();
        setFlag(m_loading, false);
        emit openingEnded(number, OpeningEnd::cancelled);
    } else if (m_running) {
        m_requests.cancel();
        ++m_requested;
        setFlag(m_running, false);
    } else {
        m_exportStop.request_stop();
    }
}

void ScanSession::work() {
    std::unique_ptr<Pipeline> pipeline; // of `held`
    InputPtr held;
    while (auto work = m_requests.next()) {
        const Request& request = work->request;
        // the pipeline of another scan is built beside the old one, whose results stay valid when it fails
        std::unique_ptr<Pipeline> other;
        if (request.input != held)
            guarded(request.first ? &ScanSession::failed : &ScanSession::runFailed, [&] {
                other = std::make_unique<Pipeline>(m_backend);
                const ScanInput& scan = *request.input->scan;
                if (scan.cloud)
                    other->setInput(scan.cloud, scan.readMs);
                else
                    other->setInput(scan.volume, scan.readMs);
            });
        SnapshotPtr result;
        if (Pipeline* runs = request.input == held ? pipeline.get() : other.get())
            result = run(*runs, *work);
        if (result && other) {
            pipeline = std::move(other);
            held = request.input;
        }
        post([this, request, preview = work->preview, result] { takeOutcome(request, preview, result); });
        if (result && request.input == held)
            addExtras(*pipeline, *work, result);
    }
}

void ScanSession::addExtras(Pipeline& pipeline, const Work& work, const SnapshotPtr& result) {
    SnapshotPtr last = measure(pipeline, work, result, QualityEffort::quick);
    if (last)
        last = refine(pipeline, work, last);
    if (last)
        measure(pipeline, work, last, QualityEffort::full);
}

SnapshotPtr ScanSession::measure(Pipeline& pipeline, const Work& work, const SnapshotPtr& result,
                                 QualityEffort effort) {
    if (work.request.recipe.quality == QualityChoice::off || isMeasured(*result, effort))
        return result;
    const bool brief = effort == QualityEffort::quick;
    if (!m_requests.startRefinement(brief))
        return nullptr;
    SnapshotPtr figures;
    guarded(&ScanSession::measureFailed, [&] {
        figures = std::make_shared<const Snapshot>(pipeline.measure(*result, effort, work.stop));
    });
    if (!figures)
        return work.stop.stop_requested() ? nullptr : result;
    if (brief)
        m_requests.endBriefRefinement();
    postAdded(result, figures, &ScanSession::measured);
    return figures;
}

SnapshotPtr ScanSession::refine(Pipeline& pipeline, const Work& work, const SnapshotPtr& result) {
    const int wanted = int(work.request.recipe.samples);
    SnapshotPtr last = result;
    for (const int samples : {1, std::min(kFirstSamples, wanted), wanted}) {
        if (!last->picture || (last->picture->isWhole() && last->picture->samples >= samples))
            continue;
        if (!m_requests.startRefinement(false))
            return nullptr;
        SnapshotPtr finer;
        // not reported for a whole picture, which stays valid with fewer samples
        guarded(last->picture->isWhole() ? nullptr : &ScanSession::runFailed, [&] {
            finer = std::make_shared<const Snapshot>(pipeline.refine(*last, samples, work.stop));
        });
        if (!finer)
            return work.stop.stop_requested() ? nullptr : last;
        postAdded(last, finer, &ScanSession::refined);
        last = finer;
    }
    return last;
}

void ScanSession::postAdded(const SnapshotPtr& of, const SnapshotPtr& with, Added added) {
    post([this, of, with, added] {
        if (m_snapshot != of)
            return; // newer results, or those of another scan, have replaced it
        m_snapshot = with;
        emit(this->*added)(with);
    });
}

SnapshotPtr ScanSession::run(Pipeline& pipeline, const Work& work) {
    SnapshotPtr result;
    RunOptions options;
    options.preview = work.preview;
    options.pictureMs = kPictureMs;
    options.progress = progressFor(tr("Computing"));
    const WallTimer timer;
    // a failed preview is not reported: the whole run may succeed, and reports its own failure
    const bool newScan = work.request.first && work.request.input->opening.as == Opening::As::another;
    const Told failure = work.preview ? nullptr : newScan ? &ScanSession::failed : &ScanSession::runFailed;
    guarded(failure, [&] {
        result = std::make_shared<const Snapshot>(pipeline.run(work.request.recipe, options, work.stop));
    });
    if (result && !result->preview) {
        const StageTiming* field = result->timings.find("field");
        // a run of camera or colours alone does not predict the time of other changes
        if (field && !field->reused)
            m_requests.wholeTook(std::chrono::milliseconds(std::int64_t(timer.elapsedMs())));
    }
    return result;
}

void ScanSession::takeOutcome(const Request& request, bool preview, const SnapshotPtr& result) {
    if (request.first && request.input == m_candidate)
        takeCandidate(request, result);
    if (request.input != m_input)
        return; // another scan has been opened
    const bool last = request.number == m_requested;
    if (last && (!preview || (result && !result->preview)))
        setFlag(m_running, false);
    if (result) {
        m_snapshot = result;
        emit snapshotReady(result);
    }
}

void ScanSession::takeCandidate(const Request& request, const SnapshotPtr& result) {
    m_candidate = nullptr;
    if (result) {
        m_input = request.input;
        const Recipe wanted = recipeFor(*m_input, m_recipe);
        m_recipe = wanted;
        m_aside = false;
        readAhead(m_input->scans);
        emit(this->*(m_input->opening.as == Opening::As::frame ? &ScanSession::advanced
                                                               : &ScanSession::opened))(m_input->name);
        if (m_recipe == wanted && wanted != request.recipe)
            submit(); // sliders were moved meanwhile
    } else {
        setFlag(m_running, false);
        resume();
    }
    setFlag(m_loading, false);
    emit openingEnded(m_loads, result ? OpeningEnd::shown : OpeningEnd::notRun);
}

void ScanSession::readAhead(const std::shared_ptr<ScanCache>& scans) {
    if (scans == m_ahead)
        return;
    m_aheadStop.request_stop();
    m_aheadStop = std::stop_source();
    m_ahead = scans;
    if (scans)
        start([this, scans, stop = m_aheadStop.get_token()] {
            guarded(nullptr, [&] { scans->readAhead(stop); });
        });
}

void ScanSession::exportFile(const QString& what, const SnapshotPtr& snapshot, Export write) {
    if (m_exporting)
        return;
    m_exportStop = std::stop_source();
    setFlag(m_exporting, true);
    emit exportingChanged(true);
    start([this, what, write = std::move(write), snapshot, stop = m_exportStop.get_token()] {
        const bool written =
            guarded(&ScanSession::failed, [&] { write(*snapshot, progressFor(what), stop); });
        post([this, what, written] {
            setFlag(m_exporting, false);
            emit exportingChanged(false);
            if (written)
                emit exported(what);
        });
    });
}

} // namespace scanloupe::gui
