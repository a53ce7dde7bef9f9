// Resolves recipes, runs the stages, and writes the notes on chosen parameters and dropped data.
#include "engine/pipeline/pipeline.h"

#include "engine/io/volume/read_volume.h"
#include "engine/pipeline/chain.h"
#include "engine/pipeline/colouring.h"
#include "engine/pipeline/coordinate_text.h"
#include "engine/pipeline/parameters.h"
#include "engine/pipeline/vertex_channels.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

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
        whole = Chain(1, 1);
        preview = Chain(8, 2);
    }

    BackendChoice backend;
    std::shared_ptr<const Stream> stream; ///< null on the CPU
    std::shared_ptr<const PointCloud> cloud;
    std::shared_ptr<const Volume> volume;
    std::optional<double> readMs; ///< reset once a run has reported it
    std::uint64_t memoryLimit = 0, deviceMemoryLimit = 0;
    /// The context of a run that fills in `snapshot`.
    RunContext context(Snapshot& snapshot, const std::stop_token& stop) {
        return {&snapshot.resolved, &backend, stream,           cloud, volume, memoryLimit,
                deviceMemoryLimit,  stop,     &snapshot.timings};
    }

    std::optional<DataDefaults> defaults;
    std::optional<Recipe> resolvedFrom;
    Recipe resolved;
    Chain whole{1, 1};
    Chain preview{8, 2};
};

namespace {

/// The largest number of points whose distance to the mesh is measured.
std::size_t pointsToMeasure(const Recipe& recipe, QualityEffort effort) {
    constexpr std::size_t quick = 8192; // some 20 ms on two cores
    constexpr std::size_t sample = 1'000'000;
    if (effort == QualityEffort::quick)
        return quick;
    return recipe.quality == QualityChoice::all ? std::numeric_limits<std::size_t>::max() : sample;
}

/// Adds notes on the triangles that clean-up has removed.
void noteCleanUp(const CleanUp& done, const Recipe& used, std::size_t left, std::vector<std::string>& notes) {
    if (done.removedComponents > 0)
        notes.push_back(fmt::format("Parts of fewer than {} triangles removed: {} parts, {} triangles.",
                                    used.minComponentTriangles, done.removedComponents,
                                    done.removedTriangles));
    if (done.trianglesBefore > 0 && left == 0)
        notes.push_back("Clean-up has left nothing of the surface: take a smaller smallest part.");
    if (done.cellSize > 0)
        notes.push_back(fmt::format("Decimated from {} to {} triangles: vertices within {:.3g} m became one.",
                                    done.trianglesBefore - done.removedTriangles, left, done.cellSize));
    if (done.branchingBefore > 0)
        notes.push_back(fmt::format("The surface had {} branching edges before; decimation has parted them.",
                                    done.branchingBefore));
    else if (done.partedEdges > 0)
        notes.push_back(fmt::format("The coarser surface would touch itself along {} edges; it was parted "
                                    "there, so that none branches.",
                                    done.partedEdges));
    if (!done.reachedTarget)
        notes.push_back(fmt::format(
            "No fewer than {} triangles can be left: coarser, and the surface would be gone.", left));
}

/// The note on the field that was chosen from the data, with the reason.
std::string fieldChoice(const DataDefaults& defaults) {
    if (defaults.sideKnown)
        return "Field chosen: distance, since the scan tells the side that it was seen from.";
    const SurfaceShare& surface = defaults.surface;
    if (!surface.isClear())
        return "Field chosen: occupancy, since the scan has neither normals nor a sensor position, and too "
               "few points that lie close together to tell a surface.";
    const double percent = 100 * surface.share();
    if (surface.isSurface())
        return fmt::format("Field chosen: distance, since the points lie on surfaces: {:.0f} % of the voxels "
                           "looked at are flat.",
                           percent);
    return fmt::format(
        "Field chosen: occupancy, since the points don't lie on surfaces, as in vegetation: only "
        "{:.0f} % of the voxels looked at are flat, and the scan has neither normals nor a "
        "sensor position.",
        percent);
}

/// The note on the up axis, if it is not z by convention.
std::string upChoice(const DataDefaults& defaults) {
    Recipe chosen;
    chosen.up = defaults.up.up;
    return fmt::format("Up guessed: {}, since the points {}.", toText(chosen, parameter("up")),
                       defaults.up.reason == UpGuess::Reason::base
                           ? "stand on a broad base there"
                           : "lie before a depth camera, whose frame has y downwards");
}

/// All notes on a run: parameters chosen from the data, and data left out.
std::vector<std::string> notesOn(const Recipe& asked, const Snapshot& s, const DataDefaults* defaults) {
    std::vector<std::string> notes;
    const Recipe& used = s.resolved;
    if (s.cloud) {
        const Bounds range{*used.rangeMin, *used.rangeMax};
        if (!asked.rangeMin && defaults->outliers > 0)
            notes.push_back(fmt::format("Range chosen: {}; {} points lie far outside and are left out.",
                                        coordinateText(range), defaults->outliers));
        else if (!asked.rangeMin)
            notes.push_back(fmt::format("Range chosen from the scan's bounds: {}.", coordinateText(range)));
        else if (asked.rangeMin != used.rangeMin || asked.rangeMax != used.rangeMax)
            notes.push_back(
                fmt::format("The range reaches far beyond the scan; cut to where its points are: {}.",
                            coordinateText(range)));
        if (!asked.voxelSize)
            notes.push_back(
                fmt::format("Voxel size chosen from the scan's density: {:g} m.", used.voxelSize->x));
        if (!asked.field)
            notes.push_back(fieldChoice(*defaults));
        if (!asked.sensor && defaults->sensorGuessed && *used.field == FieldKind::signedDistance)
            notes.push_back(fmt::format("Sensor's position guessed from how the points lie: {}.",
                                        coordinateText(*used.sensor, norm(range.max - range.min))));
        if (!asked.up && defaults->up.reason != UpGuess::Reason::convention)
            notes.push_back(upChoice(*defaults));
        for (std::size_t f = 0; f < s.points->features.size(); ++f) {
            const FeatureView& feature = s.points->features[f];
            if (!canBeAveraged(feature))
                notes.push_back(
                    fmt::format("The values of '{}' go from {:g} to {:g}, too far to be averaged: voxels "
                                "and surface are without it.",
                                s.points->channels[f].name, feature.min, feature.max));
        }
        const VoxelStats& stats = s.voxels->stats;
        if (stats.pointsNotFinite > 0)
            notes.push_back(
                fmt::format("{} points have no finite coordinates and are left out.", stats.pointsNotFinite));
        if (stats.voxelsDropped > 0)
            notes.push_back(fmt::format("{} voxels with {} points were dropped by the limit of voxels.",
                                        stats.voxelsDropped, stats.pointsDroppedWithVoxels));
        if (stats.pointsDroppedInVoxels > 0)
            notes.push_back(
                fmt::format("{} of {} points in range were dropped by the limit of points a voxel.",
                            stats.pointsDroppedInVoxels, stats.pointsInRange));
    }
    if (!asked.iso)
        notes.push_back(fmt::format("Iso-value chosen: {:g}.", *used.iso));
    if (s.cleanUp)
        noteCleanUp(*s.cleanUp, used, s.mesh->triangleCount(), notes);
    if (s.mesh->triangleCount() == 0 && !(s.cleanUp && s.cleanUp->trianglesBefore > 0))
        notes.push_back(
            fmt::format("There is no surface at the iso-value {:g}: the field goes from {:g} to {:g}.",
                        *used.iso, s.field->minValue, s.field->maxValue));
    if (s.field->normalsGuessed > 0)
        notes.push_back(fmt::format("The side of {} normals was guessed: neither file nor sensor tells it.",
                                    s.field->normalsGuessed));
    return notes;
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

void Pipeline::setMemoryLimit(std::uint64_t bytes) {
    m_state->memoryLimit = bytes;
}

void Pipeline::setDeviceMemoryLimit(std::uint64_t bytes) {
    m_state->deviceMemoryLimit = bytes;
}

const BackendChoice& Pipeline::backend() const {
    return m_state->backend;
}

Snapshot Pipeline::run(const Recipe& recipe, const RunOptions& options, const std::stop_token& stop) {
    State& state = *m_state;
    if (!state.cloud && !state.volume)
        throw EngineError("There is no scan to work on.", "Open one first.");
    checkLimits(recipe);
    const WallTimer timer;
    Snapshot snapshot;
    snapshot.recipe = recipe;
    snapshot.cloud = state.cloud;
    snapshot.volume = state.volume;
    if (state.cloud && state.resolvedFrom != recipe) {
        if (!state.defaults)
            state.defaults = defaultsFor(*state.cloud, stop);
        Recipe wanted = recipe;
        if (state.resolvedFrom && !recipe.voxelSize && state.resolvedFrom->rangeMin == recipe.rangeMin &&
            state.resolvedFrom->rangeMax == recipe.rangeMax && !state.resolvedFrom->voxelSize)
            wanted.voxelSize = state.resolved.voxelSize; // the same range has the same density
        state.resolved = resolve(wanted, *state.cloud, *state.defaults, stop);
        state.resolvedFrom = recipe;
    }
    snapshot.resolved = state.cloud ? state.resolved : recipe;
    if (state.volume && recipe.colourBy == "auto")
        snapshot.resolved.colourBy = "height"; // a volume has no attributes

    std::size_t inputBytes = state.cloud ? state.cloud->bytes() : state.volume->values.bytes();
    const std::optional<double> readMs = state.readMs;
    snapshot.timings.stages.push_back({"read", "cpu", !readMs, readMs.value_or(0), 0, inputBytes, {}, {}});
    RunContext run = state.context(snapshot, stop);
    run.pictureMs = options.pictureMs;
    snapshot.preview = options.preview && !state.whole.isFresh(run);
    Chain& chain = snapshot.preview ? state.preview : state.whole;

    double done = 0;
    const auto progress = [&](double share) {
        done += share;
        if (options.progress)
            options.progress(std::min(done, 1.0));
    };
    if (state.cloud) {
        snapshot.points = chain.upload(run);
        progress(0.1);
        snapshot.voxels = chain.voxelize(run);
        progress(0.2);
    }
    snapshot.field = chain.field(run);
    progress(0.4);
    snapshot.resolved.iso = chain.isoFor(run);
    snapshot.mesh = chain.extract(run, *snapshot.resolved.iso);
    if (const auto clean = chain.clean(run)) {
        snapshot.mesh = clean->mesh;
        snapshot.cleanUp = {clean, &clean->counts};
    }
    progress(0.2);
    if (recipe.quality != QualityChoice::off)
        snapshot.quality = chain.knownQuality(snapshot);
    snapshot.vertexDistances = chain.vertexDistances(run);
    const bool needsFigures =
        snapshot.vertexDistances && options.picture && snapshot.resolved.show != PictureContent::mesh;
    if (needsFigures && !(snapshot.quality && snapshot.quality->ofAllPoints()))
        snapshot.quality = chain.quality(run, snapshot, snapshot.cloud->size()); // the points' own distances
    if (options.picture)
        snapshot.picture = chain.picture(run, snapshot);
    if (state.stream)
        state.stream->view().synchronize(); // readers of the results use their own streams
    progress(1);
    snapshot.timings.totalMs = timer.elapsedMs();
    const bool wanted = options.quality && recipe.quality != QualityChoice::off;
    if (wanted && !isMeasured(snapshot, QualityEffort::full))
        snapshot.quality = chain.quality(run, snapshot, pointsToMeasure(recipe, QualityEffort::full));
    else if (snapshot.quality && !snapshot.timings.find("quality"))
        chain.quality(run, snapshot, 1); // adds the timing of the cached quality
    state.readMs.reset();
    snapshot.notes = notesOn(recipe, snapshot, state.defaults ? &*state.defaults : nullptr);
    snapshot.finished = std::chrono::steady_clock::now();
    return snapshot;
}

Snapshot Pipeline::measure(const Snapshot& last, QualityEffort effort, const std::stop_token& stop) {
    Snapshot snapshot = last;
    std::erase_if(snapshot.timings.stages, [](const StageTiming& t) { return t.stage == "quality"; });
    const RunContext run = m_state->context(snapshot, stop);
    Chain& chain = last.preview ? m_state->preview : m_state->whole;
    snapshot.quality = chain.quality(run, last, pointsToMeasure(last.recipe, effort));
    snapshot.finished = std::chrono::steady_clock::now();
    return snapshot;
}

Snapshot Pipeline::refine(const Snapshot& last, int samples, const std::stop_token& stop) {
    Snapshot snapshot = last;
    if (!last.picture || (last.picture->isWhole() && last.picture->samples >= samples))
        return snapshot;
    const StageTiming* begun = last.timings.find("refine"); // a picture may be refined in several steps
    const double before = begun ? begun->wallMs : 0;
    std::erase_if(snapshot.timings.stages, [](const StageTiming& t) { return t.stage == "refine"; });
    const RunContext run = m_state->context(snapshot, stop);
    Chain& chain = last.preview ? m_state->preview : m_state->whole;
    snapshot.picture = chain.refine(run, last, samples);
    snapshot.timings.stages.back().wallMs += before;
    snapshot.finished = std::chrono::steady_clock::now();
    return snapshot;
}

PictureSource Pipeline::pictureSource(Snapshot& last, const std::stop_token& stop) {
    const RunContext run = m_state->context(last, stop);
    Chain& chain = last.preview ? m_state->preview : m_state->whole;
    const bool needsFigures = last.vertexDistances && last.resolved.show != PictureContent::mesh;
    if (needsFigures && !(last.quality && last.quality->ofAllPoints()))
        last.quality = chain.quality(run, last, last.cloud->size()); // the points' own distances
    return {chain.scene(run, last), chain.camera(run)};
}

bool isMeasured(const Snapshot& snapshot, QualityEffort effort) {
    if (!snapshot.quality || !snapshot.points)
        return snapshot.quality != nullptr;
    const std::size_t points = snapshot.points->positions.size();
    return snapshot.quality->stride <=
           chunkCount(points, std::min(points, pointsToMeasure(snapshot.recipe, effort)));
}

ColourSource colourSource(const Snapshot& snapshot) {
    return colourSource(snapshot, snapshot.points.get(), snapshot.voxels ? &snapshot.voxels.host() : nullptr);
}

ColourSource colourSource(const Snapshot& snapshot, const KernelPoints* points, const VoxelGrid* voxels) {
    ColourSource source;
    source.cloud = snapshot.cloud.get();
    source.points = points;
    source.voxels = voxels;
    source.origin = snapshot.origin();
    if (snapshot.vertexDistances)
        source.vertexDistances = snapshot.vertexDistances->span();
    if (snapshot.quality && snapshot.quality->ofAllPoints())
        source.pointDistances = snapshot.quality->distances.values.span();
    return source;
}

std::vector<std::uint32_t> meshVertexColours(const Snapshot& snapshot, const std::stop_token& stop) {
    return colourMesh(snapshot.resolved, colourSource(snapshot), snapshot.mesh.host(), stop)
        .toRgba(snapshot.mesh->vertexCount());
}

std::vector<MeshChannel> meshVertexChannels(const Snapshot& snapshot, const std::stop_token& stop) {
    if (!snapshot.voxels)
        return {};
    return voxelChannels(snapshot.voxels.host(), snapshot.points->channels, snapshot.points->categories,
                         snapshot.mesh.host().positions.span(), stop);
}

} // namespace scanloupe
