// Resolves recipes and runs the stages in order.
#include "engine/run/pipeline/pipeline.h"

#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/compute/memory.h"
#include "engine/edit/edit_list.h"
#include "engine/graph/kept_results.h"
#include "engine/io/common/read_options.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/defaults.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/run/pipeline/run_notes.h"
#include "engine/run/pipeline/voxels_alone.h"
#include "engine/stages/attributes.h"
#include "engine/stages/clean.h"
#include "engine/stages/distances.h"
#include "engine/stages/edit.h"
#include "engine/stages/extract.h"
#include "engine/stages/field.h"
#include "engine/stages/picture.h"
#include "engine/stages/quality.h"
#include "engine/stages/sculpt.h"
#include "engine/stages/section.h"
#include "engine/stages/selection.h"
#include "engine/stages/shown_voxels.h"
#include "engine/stages/smooth.h"
#include "engine/stages/surface.h"
#include "engine/stages/voxelize.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scanloupe {

struct Pipeline::State {
    explicit State(BackendChoice choice) : backend(std::move(choice)) {
        if (backend.backend == Backend::cuda)
            stream = std::make_shared<const Stream>();
    }

    void forget() {
        cloud.reset();
        volume.reset();
        defaults.reset();
        resolvedFrom.reset();
        releaseResults();
    }
    void releaseResults() {
        whole = {};
        preview = {};
        kept.clear();
    }
    /// Returns the recipe with automatic values filled in from the data, except for the iso-value.
    Recipe resolve(const Recipe& recipe, const std::stop_token& stop);
    /// Creates a run that fills in `snapshot`, using the cached results of previews or of complete runs.
    StageRun stageRun(Snapshot& snapshot, const std::stop_token& stop);
    Snapshot run(const Recipe& recipe, const RunOptions& options, const std::stop_token& stop);

    BackendChoice backend;
    std::shared_ptr<const Stream> stream; ///< null on the CPU
    std::shared_ptr<const PointCloud> cloud;
    std::shared_ptr<const Volume> volume;
    std::optional<double> readMs; ///< time to read the input; reset after a run has reported it
    std::uint64_t memoryLimit = 0, deviceMemoryLimit = 0;
    std::shared_ptr<const TrustedCode> trusted;
    std::optional<DataDefaults> defaults;
    std::optional<Recipe> resolvedFrom;
    Recipe resolved;
    StageCache whole, preview;
    int coarser = 0;                     ///< value of RunOptions::coarser for `preview`
    KeptResults kept{kLastSurfaceStage}; ///< earlier results of `whole`, without pictures
};

Recipe Pipeline::State::resolve(const Recipe& recipe, const std::stop_token& stop) {
    if (volume) {
        Recipe used = recipe;
        if (recipe.colourBy == "auto")
            used.colourBy = "height"; // a volume has no attributes
        return used;
    }
    if (resolvedFrom == recipe)
        return resolved;
    if (!defaults && needsDefaults(recipe))
        defaults = defaultsFor(*cloud, stop);
    Recipe wanted = recipe;
    if (resolvedFrom && !recipe.voxelSize && resolvedFrom->rangeMin == recipe.rangeMin &&
        resolvedFrom->rangeMax == recipe.rangeMax && !resolvedFrom->voxelSize &&
        wholeMotion(resolvedFrom->edits.layers) == wholeMotion(recipe.edits.layers))
        wanted.voxelSize = resolved.voxelSize; // equal ranges have the same point density
    resolved = scanloupe::resolve(wanted, *cloud, defaults.value_or(DataDefaults{}), stop);
    resolvedFrom = recipe;
    return resolved;
}

StageRun Pipeline::State::stageRun(Snapshot& snapshot, const std::stop_token& stop) {
    RunContext run{
        &*snapshot.resolved, stream, backend.sycl, cloud, volume, memoryLimit, deviceMemoryLimit, {}, stop,
        &snapshot.timings};
    run.trusted = trusted;
    if (snapshot.preview)
        run.detail = {std::size_t(8) << coarser, 2 * std::pow(2.0, 0.5 * coarser)};
    if (stream)
        run.releaseKeptOnDevice = [this] {
            if (kept.size() == 0)
                return false;
            kept.clear();                 // new results have priority over old ones
            stream->view().synchronize(); // memory that is freed on the stream becomes available
            return true;
        };
    return {std::move(run), snapshot.preview ? preview : whole};
}

namespace {

/// Reports the finished fraction of a run.
class RunProgress {
public:
    explicit RunProgress(const ProgressFunction& report) : m_report(report) {}
    void add(double share) {
        m_done += share;
        if (m_report)
            m_report(std::min(m_done, 1.0));
    }

private:
    const ProgressFunction& m_report;
    double m_done = 0;
};

/// Returns the maximum number of points whose distance to the mesh is measured.
std::size_t pointsToMeasure(const Recipe& recipe, QualityEffort effort) {
    constexpr std::size_t quick = 8192; // about 20 ms on two cores
    constexpr std::size_t sample = 1'000'000;
    if (effort == QualityEffort::quick)
        return quick;
    return recipe.quality == QualityChoice::all ? std::numeric_limits<std::size_t>::max() : sample;
}

constexpr std::size_t kAllPoints = std::numeric_limits<std::size_t>::max();

/// Loads the attributes that the recipe uses, in one pass over the file. @returns whether there were any to
/// load
bool loadLookedAt(const PointCloud& cloud, const Recipe& resolved, const std::stop_token& stop) {
    const auto lookedAt = attributesLookedAt(resolved, cloud);
    if (std::ranges::all_of(lookedAt, &Attribute::isLoaded))
        return false;
    cloud.load(lookedAt, stop);
    return true;
}

/// Widens an automatic range so that it contains moved points.
void widenRange(Recipe& resolved, const Bounds& box) {
    for (int axis = 0; axis < 3; ++axis) { // upper faces are outside a range
        const double pad = (*resolved.voxelSize)[axis];
        (*resolved.rangeMin)[axis] = std::min((*resolved.rangeMin)[axis], box.min[axis] - pad);
        (*resolved.rangeMax)[axis] = std::max((*resolved.rangeMax)[axis], box.max[axis] + pad);
    }
}

/// Runs a stage if the recipe requires it, and adds its result to the snapshot.
template <class S>
void runInto(Snapshot& snapshot, const StageRun& run) {
    if (run.wants(S::stage))
        S::show(snapshot, run.get<S>());
}

/// Brings the points to the device or host, and applies edits, so that later stages use the edited cloud.
void runToPoints(StageRun& run, Snapshot& snapshot) {
    run.get<UploadStage>();
    if (run.wants(Stage::edit)) {
        const EditStage::Result& edited = run.get<EditStage>();
        run.cloud = edited->cloud;
        snapshot.reference = edited->reference;
        snapshot.missingReferences = edited->missingReferences;
        if (edited->movedTo && !snapshot.recipe->rangeMin)
            widenRange(snapshot.resolved, *edited->movedTo);
    }
    runInto<SelectionStage>(snapshot, run);
    snapshot.cloud = run.cloud;
    snapshot.points = pointsOf(run).host;
}

/// Runs the stages up to the surface, including its distances if it is coloured by them. Ends earlier if the
/// options say so.
void runToSurface(StageRun& run, Snapshot& snapshot, const RunOptions& options, RunProgress progress) {
    if (!run.isVolume()) {
        runToPoints(run, snapshot);
        const UploadedPoints& points = pointsOf(run);
        points.attributes->releaseFromDevice([&](const Attribute& attribute) {
            const auto lookedAt = attributesLookedAt(*run.recipe, *run.cloud);
            return std::ranges::find(lookedAt, &attribute) != lookedAt.end();
        });
        progress.add(0.1);
        runInto<VoxelizeStage>(snapshot, run);
        progress.add(0.2);
        const bool isEmpty = snapshot.voxels->stats.pointsInRange == 0;
        if (options.end == RunEnd::voxels || (isEmpty && options.mayBeEmpty))
            return;
        requireSurface(run);
    }
    if (options.end == RunEnd::voxels)
        return;
    runInto<FieldStage>(snapshot, run);
    progress.add(0.4);
    if (options.end == RunEnd::field)
        return;
    if (!snapshot.resolved->iso)
        snapshot.resolved->iso = run.get<AutoIsoStage>();
    runInto<SculptStage>(snapshot, run);
    runInto<ShownVoxelsStage>(snapshot, run);
    runInto<ExtractStage>(snapshot, run);
    runInto<CleanStage>(snapshot, run);
    runInto<SmoothStage>(snapshot, run);
    runInto<SectionStage>(snapshot, run);
    progress.add(0.2);
    runInto<DistancesStage>(snapshot, run);
}

/// Measures the quality if the scene shows the points' own distances.
void measureForScene(const StageRun& run, Snapshot& snapshot) {
    if (!takes(Stage::scene, Stage::quality, *run.recipe, run.isVolume()))
        return;
    const auto* known = run.ifFresh<QualityStage>();
    snapshot.quality = known && (*known)->ofAllPoints() ? *known : run.get<QualityStage>(kAllPoints);
}

/// Records the identities of the results. Must be called after all stages of a snapshot have run.
void noteIdentities(const StageRun& run, Snapshot& snapshot) {
    snapshot.identities = run.identities();
    if (!snapshot.quality || !snapshot.quality->ofAllPoints())
        snapshot.identities[std::size_t(Stage::quality)].reset();
}

/// Reuses the results of an earlier run, and recomputes those that are no longer cached. The timings of
/// `snapshot` do not change.
void takeAgain(StageRun& run, Snapshot& snapshot) {
    RunTimings elsewhere;
    run.timings = &elsewhere;
    runToSurface(run, snapshot, {}, RunProgress({}));
    run.timings = &snapshot.timings;
}

} // namespace

Pipeline::Pipeline(BackendChoice backend) : m_state(std::make_unique<State>(std::move(backend))) {}
Pipeline::~Pipeline() = default;

void Pipeline::setInput(std::shared_ptr<const PointCloud> cloud, double readMs) {
    m_state->forget();
    m_state->cloud = std::move(cloud);
    m_state->readMs = readMs;
}

void Pipeline::setInput(std::shared_ptr<const Volume> volume, double readMs) {
    m_state->forget();
    m_state->volume = std::move(volume);
    m_state->readMs = readMs;
}

void Pipeline::releaseResults() {
    m_state->releaseResults();
}

void Pipeline::setMemoryLimit(std::uint64_t bytes) {
    m_state->memoryLimit = bytes;
}

void Pipeline::setTrustedCode(std::shared_ptr<const TrustedCode> code) {
    m_state->trusted = std::move(code);
}

void Pipeline::setDeviceMemoryLimit(std::uint64_t bytes) {
    m_state->deviceMemoryLimit = bytes;
}

const BackendChoice& Pipeline::backend() const {
    return m_state->backend;
}

Snapshot Pipeline::State::run(const Recipe& recipe, const RunOptions& options, const std::stop_token& stop) {
    const WallTimer timer;
    Snapshot snapshot;
    snapshot.recipe = recipe;
    const bool voxelsAlone = options.end == RunEnd::voxels && cloud;
    snapshot.resolved =
        voxelsAlone ? chosenForVoxels(recipe, resolve(forVoxelsAlone(recipe), stop)) : resolve(recipe, stop);
    snapshot.input = snapshot.cloud = cloud;
    snapshot.volume = volume;
    const bool hasLoaded = cloud && !voxelsAlone && loadLookedAt(*cloud, snapshot.resolved, stop);
    const std::size_t inputBytes = cloud ? cloud->bytes() : volume->values.bytes();
    const double inputMs = readMs.value_or(0) + (hasLoaded ? timer.elapsedMs() : 0);
    snapshot.timings.stages.push_back({"read", "cpu", !readMs && !hasLoaded, inputMs, 0, inputBytes, {}, {}});
    kept.recall(whole, snapshot.resolved, volume != nullptr);
    snapshot.preview = options.preview && !stageRun(snapshot, stop).isFresh(Stage::field);
    if (snapshot.preview && std::exchange(coarser, options.coarser) != options.coarser)
        preview = {};
    StageRun run = stageRun(snapshot, stop);
    run.releaseUnwanted();
    runToSurface(run, snapshot, options, RunProgress(options.progress));
    const bool toSurface = bool(snapshot.mesh);
    if (toSurface && recipe.quality != QualityChoice::off) {
        if (const auto* known = run.ifFresh<QualityStage>())
            snapshot.quality = *known;
    }
    if (toSurface && options.picture) {
        measureForScene(run, snapshot);
        snapshot.picture = runPicture(run, options.pictureMs);
    }
    if (stream)
        stream->view().synchronize(); // readers of the results use their own streams
    if (options.progress)
        options.progress(1);
    snapshot.timings.totalMs = timer.elapsedMs();

    const bool isQualityWanted = toSurface && options.quality && recipe.quality != QualityChoice::off;
    if (isQualityWanted && !isMeasured(snapshot, QualityEffort::full))
        snapshot.quality = run.get<QualityStage>(pointsToMeasure(recipe, QualityEffort::full));
    else if (snapshot.quality && !snapshot.timings.find("quality"))
        run.get<QualityStage>(1); // adds the timing of the cached quality
    noteIdentities(run, snapshot);
    readMs.reset();
    snapshot.notes = runNotes(recipe, snapshot, defaults ? &*defaults : nullptr);
    if (toSurface)
        run.addNotes(snapshot.notes);
    snapshot.finished = std::chrono::steady_clock::now();
    return snapshot;
}

Snapshot Pipeline::run(const Recipe& recipe, const RunOptions& options, const std::stop_token& stop) {
    State& state = *m_state;
    if (!state.cloud && !state.volume)
        throw EngineError("No scan is open.", "Open a scan first.");
    checkLimits(recipe);
    return withoutKeptIfShort(state.kept, [&] { return state.run(recipe, options, stop); });
}

void Pipeline::keepResults() {
    State& state = *m_state;
    constexpr std::uint64_t share = 4; // kept results may use 1 / share of the free memory
    std::uint64_t limit = state.memoryLimit > 0 ? state.memoryLimit : availableHostMemory(), onDevice = 0;
    if (state.stream)
        onDevice = state.deviceMemoryLimit > 0 ? state.deviceMemoryLimit : freeDeviceBytes();
    state.kept.keep(state.whole, {limit / share, onDevice / share});
}

Snapshot Pipeline::measure(const Snapshot& last, QualityEffort effort, const std::stop_token& stop) {
    Snapshot snapshot = last;
    std::erase_if(snapshot.timings.stages, [](const StageTiming& t) { return t.stage == "quality"; });
    withoutKeptIfShort(m_state->kept, [&] {
        StageRun run = m_state->stageRun(snapshot, stop);
        takeAgain(run, snapshot);
        snapshot.quality = run.get<QualityStage>(pointsToMeasure(last.recipe, effort));
        noteIdentities(run, snapshot);
    });
    snapshot.finished = std::chrono::steady_clock::now();
    return snapshot;
}

Snapshot Pipeline::refine(const Snapshot& last, int samples, const std::stop_token& stop) {
    Snapshot snapshot = last;
    if (!last.picture || (last.picture->isWhole() && last.picture->samples >= samples))
        return snapshot;
    const StageTiming* begun = last.timings.find("refine"); // the times of all refinements are added
    const double before = begun ? begun->wallMs : 0;
    std::erase_if(snapshot.timings.stages, [](const StageTiming& t) { return t.stage == "refine"; });
    const StageRun run = m_state->stageRun(snapshot, stop);
    const auto* held = run.ifFresh<PictureStage>();
    if (!held || (*held)->picture != last.picture)
        throw Fault("only the picture of the last run can be refined");
    snapshot.picture = withoutKeptIfShort(m_state->kept, [&] { return refinePicture(run, samples); });
    snapshot.timings.stages.back().wallMs += before;
    snapshot.finished = std::chrono::steady_clock::now();
    return snapshot;
}

PictureSource Pipeline::pictureSource(Snapshot& last, const std::stop_token& stop) {
    return withoutKeptIfShort(m_state->kept, [&]() -> PictureSource {
        StageRun run = m_state->stageRun(last, stop);
        takeAgain(run, last);
        measureForScene(run, last);
        return {run.get<SceneStage>(), pictureCamera(run)};
    });
}

bool isMeasured(const Snapshot& snapshot, QualityEffort effort) {
    if (!snapshot.quality || !snapshot.points)
        return snapshot.quality != nullptr;
    const std::size_t points = snapshot.points->size();
    return snapshot.quality->stride <=
           chunkCount(points, std::min(points, pointsToMeasure(snapshot.recipe, effort)));
}

} // namespace scanloupe
