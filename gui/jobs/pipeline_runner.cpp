// Runs the newest recipe on a worker thread, and refines its results.
#include "gui/jobs/pipeline_runner.h"

#include "engine/compute/backend.h"
#include "engine/io/common/read_options.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "engine/run/pipeline/warm_up.h"
#include "engine/stages/no_points_left.h"
#include "kernels/core/cost.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace scanloupe::gui {

namespace {

/// duration of a run; longer ones are preceded by a preview
constexpr std::chrono::milliseconds kBudget{150};
/// Previews that take longer become coarser by a step, those that take less than a third finer again. A step
/// halves the time, so that the two conditions do not alternate.
constexpr double kPreviewMs = 100;
constexpr int kCoarsest = 2; ///< steps; voxels of 4 times the size
/// Time budget for drawing very many points while something moves; at rest all are drawn.
constexpr double kPictureMs = 60;
/// Results that were shown for at least this time are kept, so that undo shows them immediately.
constexpr std::chrono::milliseconds kRest{200};
constexpr int kFirstSamples = 4; ///< samples per pixel of the first refinement of a picture at rest

/// Edits whose layers that remove points are hidden.
Edits withoutRemovals(Edits edits) {
    for (auto& layer : edits.layers)
        if (std::holds_alternative<RemoveAction>(layer->action) ||
            std::holds_alternative<KeepAction>(layer->action)) {
            auto hidden = std::make_shared<EditLayer>(*layer);
            hidden->isHidden = true;
            layer = std::move(hidden);
        }
    return edits;
}

} // namespace

PipelineRunner::PipelineRunner(const BackendRequest& wanted, QObject* parent)
    : QObject(parent), m_backend(std::make_shared<const BackendChoice>(chooseBackend(wanted))),
      m_ofFirstLooks(std::make_shared<const BackendChoice>(chooseBackend(Backend::cpu))), m_requests(kBudget),
      m_pool(*this, 2) {
    qRegisterMetaType<SnapshotPtr>();
    warmUpBackend();
    m_pool.start([this] { work(); });
}

void PipelineRunner::warmUpBackend() {
    if (m_backend->backend != Backend::cuda)
        return;
    m_pool.start([this, backend = m_backend, stop = m_warmUpStop.get_token()] {
        guarded(nullptr, [&] { warmUp(*backend, stop); });
    });
}

void PipelineRunner::setBackend(const BackendChoice& backend) {
    m_backend = std::make_shared<const BackendChoice>(backend);
    warmUpBackend();
    submit();
}

PipelineRunner::BackendPtr PipelineRunner::backendOf(const LoadedScan& scan) const {
    return scan.isFirstLook ? m_ofFirstLooks : m_backend;
}

PipelineRunner::~PipelineRunner() {
    m_warmUpStop.request_stop();
    m_requests.close();
}

void PipelineRunner::setBusy(bool busy) {
    if (std::exchange(m_busy, busy) != busy)
        emit busyChanged(busy);
}

bool PipelineRunner::guarded(FailureSignal failure, const std::function<void()>& action,
                             std::optional<int> request) {
    std::function<void(const Failure&)> report;
    if (failure != nullptr)
        report = [this, failure, request](const Failure& f) {
            if (!request || *request == m_requested) // otherwise the values have changed meanwhile
                emit(this->*failure)(f.sentence, f.nextStep);
        };
    return m_pool.guarded(std::move(report), action, tr("Use a larger voxel size or a smaller range."));
}

void PipelineRunner::setRecipe(const Recipe& recipe) {
    m_recipe = recipe;
    submit();
}

void PipelineRunner::submit() {
    if (!m_scan)
        return;
    m_displaced = m_candidate != nullptr; // the first run of a candidate has precedence
    if (m_displaced)
        return;
    setBusy(true);
    m_requests.submit({m_recipe, m_scan, false, ++m_requested, backendOf(*m_scan), m_trusted});
}

void PipelineRunner::resume() {
    if (m_displaced && !m_candidate)
        submit();
}

void PipelineRunner::cancel() {
    m_requests.cancel();
    ++m_requested;
    setBusy(false);
}

void PipelineRunner::runCandidate(const LoadedScanPtr& candidate) {
    m_candidate = candidate;
    m_hidesRemovals = false;
    m_displaced |= m_scan != nullptr; // the old scan's run, or its refinements, are displaced
    // without a preview, which could fail although the full run succeeds, or vice versa
    m_requests.submit(
        {recipeFor(*candidate, m_recipe), candidate, true, ++m_requested, backendOf(*candidate), m_trusted},
        true);
}

void PipelineRunner::dropCandidate() {
    if (!m_candidate)
        return;
    m_candidate = nullptr;
    cancel();
}

void PipelineRunner::work() {
    std::unique_ptr<Pipeline> pipeline; // the pipeline of `held`, on `heldBackend`
    LoadedScanPtr held;
    BackendPtr heldBackend;
    SnapshotPtr shown; // the last results of `pipeline`, unless they are a preview
    while (auto work = m_requests.next()) {
        const Request& request = work->request;
        // Another scan gets a new pipeline while the old one exists: its results stay valid if the new one
        // fails.
        std::unique_ptr<Pipeline> other;
        const auto isHeld = [&] { return request.scan == held && request.backend == heldBackend; };
        if (request.scan == held && request.backend != heldBackend)
            pipeline->releaseResults(); // frees its memory before another device computes them
        if (!isHeld())
            guarded(failureOf(request), [&] {
                other = std::make_unique<Pipeline>(*request.backend);
                other->setTrustedCode(request.trusted);
                const ScanInput& scan = *request.scan->scan;
                const double readMs = request.scan == held ? 0 : scan.readMs;
                if (scan.cloud)
                    other->setInput(scan.cloud, readMs);
                else
                    other->setInput(scan.volume, readMs);
            });
        if (isHeld() && shown && std::chrono::steady_clock::now() - shown->finished > kRest)
            guarded(nullptr, [&] { pipeline->keepResults(); });
        SnapshotPtr result;
        bool isEmptied = false;
        if (Pipeline* runs = isHeld() ? pipeline.get() : other.get())
            result = run(*runs, *work, isEmptied);
        if (result && other) {
            pipeline = std::move(other);
            held = request.scan;
            heldBackend = request.backend;
            m_coarser = 0;
        }
        if (isHeld()) // a run that failed leaves a mix of old and new results in the pipeline
            shown = result && !result->preview ? result : nullptr;
        if (work->preview && result && !result->preview)
            m_requests.previewWasWhole();
        m_pool.post([this, request, preview = work->preview, result, isEmptied] {
            isEmptied ? runWithoutRemovals(request) : onRunFinished(request, preview, result);
        });
        const bool isFirstLook = request.first && request.scan->isFirstLook; // more points follow immediately
        if (result && isHeld() && !isFirstLook)
            addRefinements(*pipeline, *work, result);
    }
}

void PipelineRunner::addRefinements(Pipeline& pipeline, const Work& work, const SnapshotPtr& result) {
    SnapshotPtr last = measure(pipeline, work, result, QualityEffort::quick);
    if (last)
        last = refine(pipeline, work, last);
    if (last)
        measure(pipeline, work, last, QualityEffort::full);
}

SnapshotPtr PipelineRunner::measure(Pipeline& pipeline, const Work& work, const SnapshotPtr& result,
                                    QualityEffort effort) {
    if (work.request.recipe->quality == QualityChoice::off || isMeasured(*result, effort))
        return result;
    const bool brief = effort == QualityEffort::quick;
    if (!m_requests.startRefinement(brief))
        return nullptr;
    SnapshotPtr figures;
    guarded(&PipelineRunner::measureFailed, [&] {
        figures = std::make_shared<const Snapshot>(pipeline.measure(*result, effort, work.stop));
    });
    if (!figures)
        return work.stop.stop_requested() ? nullptr : result;
    if (brief)
        m_requests.endBriefRefinement();
    postAdded(result, figures, &PipelineRunner::measured);
    return figures;
}

SnapshotPtr PipelineRunner::refine(Pipeline& pipeline, const Work& work, const SnapshotPtr& result) {
    const int wanted = int(work.request.recipe->samples);
    SnapshotPtr last = result;
    for (const int samples : {1, std::min(kFirstSamples, wanted), wanted}) {
        if (!last->picture || (last->picture->isWhole() && last->picture->samples >= samples))
            continue;
        if (!m_requests.startRefinement(false))
            return nullptr;
        SnapshotPtr finer;
        // not reported for a whole picture, which stays valid with fewer samples
        guarded(last->picture->isWhole() ? nullptr : &PipelineRunner::runFailed, [&] {
            finer = std::make_shared<const Snapshot>(pipeline.refine(*last, samples, work.stop));
        });
        if (!finer)
            return work.stop.stop_requested() ? nullptr : last;
        postAdded(last, finer, &PipelineRunner::refined);
        last = finer;
    }
    return last;
}

void PipelineRunner::postAdded(const SnapshotPtr& of, const SnapshotPtr& with, RefinedSignal added) {
    m_pool.post([this, of, with, added] {
        if (m_snapshot != of)
            return; // newer results, or results of another scan, have replaced this one
        m_snapshot = with;
        emit(this->*added)(with);
    });
}

PipelineRunner::FailureSignal PipelineRunner::failureOf(const Request& request) {
    if (request.first && request.scan->isFirstLook)
        return nullptr; // the whole scan, which is read next, reports its own failure
    const Opening::As as = request.scan->opening.as;
    return request.first && (as == Opening::As::another || as == Opening::As::rest)
               ? &PipelineRunner::firstRunFailed
               : &PipelineRunner::runFailed;
}

void PipelineRunner::fitPreviews(double tookMs) {
    if (tookMs > kPreviewMs)
        m_coarser = std::min(m_coarser + 1, kCoarsest);
    else if (tookMs < kPreviewMs / 3)
        m_coarser = std::max(m_coarser - 1, 0);
}

void PipelineRunner::runWithoutRemovals(const Request& request) {
    if (request.scan != m_candidate)
        return;
    auto scan = std::make_shared<LoadedScan>(*request.scan);
    scan->opening.recipe->edits = withoutRemovals(scan->opening.recipe->edits);
    runCandidate(scan);
    m_hidesRemovals = true;
}

SnapshotPtr PipelineRunner::run(Pipeline& pipeline, const Work& work, bool& isEmptied) {
    // an opened scan is shown in any case, so that the user can undo the edits that removed all points
    const auto mayBeEmptied = [&] {
        const Opening& opening = work.request.scan->opening;
        return work.request.first && opening.as == Opening::As::before &&
               withoutRemovals(opening.recipe->edits) != opening.recipe->edits;
    };
    SnapshotPtr result;
    RunOptions options;
    options.preview = work.preview;
    options.coarser = m_coarser;
    options.pictureMs = kPictureMs;
    options.progress = m_pool.progress([this](double done) { emit progressed(tr("Computing"), done); });
    const WallTimer timer;
    // a failed preview is not reported: the whole run may succeed, and reports its own failure
    guarded(
        work.preview ? nullptr : failureOf(work.request),
        [&] {
            try {
                result =
                    std::make_shared<const Snapshot>(pipeline.run(work.request.recipe, options, work.stop));
            } catch (const NoPointsLeft&) {
                isEmptied = mayBeEmptied();
                if (!isEmptied)
                    throw;
            }
        },
        work.request.number);
    const StageTiming* field = result ? result->timings.find("field") : nullptr;
    const bool isFieldNew = field && !field->reused;
    if (isFieldNew && result->preview)
        fitPreviews(timer.elapsedMs());
    else if (isFieldNew) // a run that changes only the camera or colours does not predict the time of other
                         // changes
        m_requests.wholeTook(std::chrono::milliseconds(std::int64_t(timer.elapsedMs())));
    return result;
}

void PipelineRunner::onRunFinished(const Request& request, bool preview, const SnapshotPtr& result) {
    if (request.first && request.scan == m_candidate)
        takeCandidate(request, result);
    if (request.scan != m_scan)
        return; // another scan has been opened
    const bool last = request.number == m_requested;
    if (last && (!preview || (result && !result->preview)))
        setBusy(false);
    if (result) {
        m_snapshot = result;
        emit snapshotReady(result);
    }
}

void PipelineRunner::takeCandidate(const Request& request, const SnapshotPtr& result) {
    m_candidate = nullptr;
    if (result) {
        m_scan = request.scan;
        const Recipe wanted = recipeFor(*m_scan, m_recipe);
        m_recipe = wanted;
        m_displaced = false;
        const bool follows =
            m_scan->opening.as == Opening::As::frame || m_scan->opening.as == Opening::As::rest;
        emit(this->*(follows ? &PipelineRunner::advanced : &PipelineRunner::opened))(m_scan->name);
        if (std::exchange(m_hidesRemovals, false))
            emit removalsHidden();
        const bool isOutdated = wanted != request.recipe || request.backend != backendOf(*m_scan);
        if (m_recipe == wanted && isOutdated)
            submit(); // sliders were moved meanwhile, or the device changed
    } else {
        setBusy(false);
        resume();
    }
    emit candidateEnded(result != nullptr);
}

} // namespace scanloupe::gui
