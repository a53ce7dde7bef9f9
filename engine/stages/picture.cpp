// Builds scenes, renders their pictures, and refines the last picture.
#include "engine/stages/picture.h"

#include "engine/cloud/point_cloud.h"
#include "engine/graph/memory_check.h"
#include "engine/graph/placement.h"
#include "engine/inspect/reference.h"
#include "engine/picture/picture_bands.h"
#include "engine/picture/view.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/stages/distances.h"
#include "engine/stages/edit.h"
#include "engine/stages/extract.h"
#include "engine/stages/field.h"
#include "engine/stages/quality.h"
#include "engine/stages/sculpt.h"
#include "engine/stages/selection.h"
#include "engine/stages/shown_voxels.h"
#include "engine/stages/surface.h"
#include "engine/stages/views.h"
#include "engine/stages/voxelize.h"

#include <chrono>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace scanloupe {

namespace {

bool showsVoxels(const Recipe& recipe, bool isVolume) {
    return !isVolume && recipe.show == PictureContent::voxels;
}
bool showsMesh(const Recipe& recipe, bool isVolume) {
    return isVolume || recipe.show == PictureContent::mesh;
}
bool showsDistancesOfPoints(const Recipe& recipe, bool isVolume) {
    return DistancesStage::isWanted(recipe, isVolume) && !showsMesh(recipe, isVolume);
}
/// Whether the picture is drawn from scratch. The picture of an edited mesh is updated instead, unless other
/// stages change the mesh after its extraction.
bool isRedrawn(const Recipe& recipe, bool isVolume) {
    return !showsMesh(recipe, isVolume) || changesSurface(recipe, isVolume) ||
           (!EditStage::isWanted(recipe, isVolume) && !SculptStage::isWanted(recipe, isVolume));
}

bool hasNoCamera(const Recipe& recipe, bool) {
    return !recipe.camera;
}

double pixelsOf(const Recipe& recipe) {
    return double(recipe.imageWidth) * double(recipe.imageHeight);
}

/// Checks that a picture with `samples` samples per pixel fits in memory. @throws HostMemoryShort
void requirePictureMemory(const StageRun& run, int samples) {
    const Recipe& recipe = *run.recipe;
    const std::uint64_t pixels = std::uint64_t(recipe.imageWidth) * recipe.imageHeight;
    const bool averaged =
        !run.volume && recipe.show == PictureContent::points && recipe.points == PointBlend::averaged;
    requireFit(run, {fmt::format("A picture of {} x {} pixels", recipe.imageWidth, recipe.imageHeight),
                     pictureBytes(pixels, samples, averaged), "Use a smaller picture (--size)."});
}

Bounds lookedAt(const RunContext& run, const LatticeShape& lattice) {
    if (!run.volume)
        return gridBounds(*run.recipe);
    return {lattice.origin.as<double>(), lattice.position(lattice.dims).as<double>()};
}

/// Returns the results of this run that its scene needs.
Snapshot takenByScene(const StageRun& run) {
    const auto isTaken = [&](Stage other) { return takes(Stage::scene, other, *run.recipe, run.isVolume()); };
    Snapshot of;
    of.resolved = *run.recipe;
    of.cloud = run.cloud;
    of.volume = run.volume;
    if (isTaken(Stage::upload))
        of.points = pointsOf(run).host;
    if (isTaken(Stage::selection))
        of.chosen = run.taken<SelectionStage>();
    if (isTaken(Stage::voxelize)) {
        of.voxels = run.taken<VoxelizeStage>().grid;
        of.attributes = run.taken<VoxelizeStage>().attributes;
    }
    if (isTaken(Stage::shownVoxels)) {
        of.voxels = run.taken<ShownVoxelsStage>().voxels.grid;
        of.attributes = run.taken<ShownVoxelsStage>().voxels.attributes;
    }
    if (isTaken(Stage::extract))
        of.mesh = surfaceOf(run);
    if (isTaken(Stage::distances))
        of.vertexDistances = run.taken<DistancesStage>().values;
    if (isTaken(Stage::quality))
        of.quality = run.taken<QualityStage>();
    return of;
}

/// Returns the part of the mesh that the scene shares with the last picture; null if that picture can't be
/// reused.
const SharedMesh* sharedWith(const StageRun& run, const PictureInProgress& last, const PictureScene& scene) {
    if (changesSurface(*run.recipe, run.isVolume()) ||
        !takes(Stage::scene, Stage::extract, *run.recipe, run.isVolume()))
        return nullptr;
    const ExtractedSurface& surface = run.taken<ExtractStage>();
    const bool isIncremental = surface.trace && areSame(surface.lastMesh, last.scene->meshIdentity()) &&
                               scene.updatesFrom(*last.scene) && last.picture->isWhole() &&
                               last.picture->samples == 1;
    return isIncremental ? &surface.trace->shared : nullptr;
}

const char* backendOf(const Picture& picture) {
    return picture.image.onDevice() ? "cuda" : picture.stats.cost.bySycl ? "sycl" : "cpu";
}

std::shared_ptr<const Picture> completed(const StageRun& run, const Picture& begun) {
    const VisibilityBuffer& seen = begun.visibility.host();
    const PictureScene& scene = *run.taken<SceneStage>();
    DrawnPixels drawn =
        scene.complete(seen, begun.parts, scene.projection(begun.camera, seen.width, seen.height), run.stop);
    auto whole = std::make_shared<Picture>(begun);
    whole->visibility = DeviceOrHost(std::move(drawn.visibility));
    whole->image = DeviceOrHost(std::move(drawn.image));
    whole->stats.drawnPixels = drawn.stats.drawnPixels;
    whole->parts = drawn.parts;
    whole->finished = std::chrono::steady_clock::now();
    return whole;
}

} // namespace

Camera pictureCamera(const StageRun& run) {
    if (run.recipe->camera)
        return *run.recipe->camera;
    ViewSubject subject{lookedAt(run, run.taken<FieldStage>().field->lattice), {}, {}, run.cloud.get(), {}};
    if (run.cloud) {
        subject.points = pointsOf(run).host->framingSample();
        subject.origin = run.cloud->origin();
        subject.cut = pointCut(*run.recipe, subject.origin);
    }
    return cameraFor(*run.recipe, subject);
}

StageDeclaration SceneStage::declaration() {
    using enum Stage;
    std::vector<ReadParameter> all = readByColours();
    all.insert(all.end(), {{"show"},
                           {"point_size"},
                           {"point_extent"},
                           {"points"},
                           {"voxel_scale"},
                           {"back_faces"},
                           {"light"},
                           {"eye_dome"},
                           {"eye_dome_strength"}});
    return {.stage = scene,
            .name = "scene",
            .reads = std::move(all),
            .takes = withSurface({{upload},
                                  {edit},
                                  {selection},
                                  {voxelize}, // needed for the colours
                                  {shownVoxels, showsVoxels},
                                  {distances, showsMesh},
                                  {quality, showsDistancesOfPoints}},
                                 showsMesh),
            .isReleasedFirst = isRedrawn};
}

std::shared_ptr<const PictureScene> SceneStage::compute(const StageRun& run) {
    run.release<SceneStage>(); // releases the old scene before the new one is built, unless the last picture
                               // is reused
    const Snapshot of = takenByScene(run);
    const DevicePlace place{run.stream, run.isVolume() ? nullptr : pointsOf(run).device, run.sycl};
    if (!liesOnDevice(of, *run.recipe, place)) {
        if (of.voxels)
            onHost(run, of.voxels); // colours are computed from the voxels
        if (of.mesh)
            onHost(run, of.mesh);
    }
    return std::make_shared<const PictureScene>(of, *run.recipe, place, run.stop);
}

StageDeclaration PictureStage::declaration() {
    using enum Stage;
    return {.stage = picture,
            .name = "rasterize",
            .reads = {{"samples", nullptr, true},
                      {"image_width"},
                      {"image_height"},
                      {"view", hasNoCamera},
                      {"up", hasNoCamera}},
            .takes = {{upload}, {edit}, {field, ofVolume}, {scene}},
            .isReleasedFirst = isRedrawn,
            .readsCamera = true,
            .label = "Rasterize",
            .colour = 0xd55e00,
            .rows = {{"resolve", "Shade", kPlainBar,
                      [](const RunSize&, const Recipe& resolved) {
                          return StageWork{"", pixelsOf(resolved), 35};
                      }},
                     {"refine", "Refine", 0xb0b0b0}},
            .bySycl = true};
}

PictureStage::Result PictureStage::compute(const StageRun& run, const Recipe& recipe, double ms) {
    const Camera camera = pictureCamera(run);
    const std::shared_ptr<const PictureScene>& shown = run.get<SceneStage>();
    const PictureScene& scene = *shown;
    const Result* last = run.last<PictureStage>();
    const bool isOfThisScene = last && (*last)->scene == shown;
    const bool isFromHere = last && (*last)->picture->camera == camera &&
                            (*last)->picture->image->width == int(run.recipe->imageWidth) &&
                            (*last)->picture->image->height == int(run.recipe->imageHeight);
    if (isOfThisScene && isFromHere && isEnough(*last, recipe, ms)) {
        (*last)->isDrawnBefore = true;
        return *last;
    }
    if (last)
        (*last)->samples = {}; // frees memory before the next picture is drawn
    requirePictureMemory(run, 1);
    const Projection projection =
        scene.projection(camera, int(run.recipe->imageWidth), int(run.recipe->imageHeight));
    const bool inParts = ms > 0 && scene.parts() > 1;
    const VisibilityBuffer* seen = inParts && isOfThisScene ? &(*last)->picture->visibility.host() : nullptr;
    const SharedMesh* shared = isFromHere ? sharedWith(run, **last, scene) : nullptr;
    DrawnPixels drawn =
        inParts  ? scene.drawFor(ms, seen, projection, run.stop)
        : shared ? scene.drawAgain(projection, *(*last)->scene, *(*last)->picture, *shared, run.stop)
                 : scene.draw(projection, run.stop);
    auto picture = std::make_shared<Picture>();
    picture->visibility = {std::move(drawn.visibility), drawn.stream};
    picture->image = {std::move(drawn.image), drawn.stream};
    picture->finished = std::chrono::steady_clock::now();
    picture->stats = drawn.stats;
    picture->resolveMs = drawn.resolveMs;
    picture->parts = drawn.parts;
    picture->camera = camera;
    picture->mapped = scene.mapped();
    picture->low = scene.low();
    picture->high = scene.high();
    picture->classes = scene.classes();
    return std::make_shared<PictureInProgress>(PictureInProgress{shown, std::move(picture), {}});
}

bool PictureStage::isEnough(const Result& result, const Recipe& recipe, double ms) {
    const Picture& picture = *result->picture;
    return picture.samples <= int(recipe.samples) && (ms > 0 || picture.isWhole());
}

void PictureStage::describe(StageTiming& timing, const StageRun& run, const Result& result) {
    const Picture& picture = *result->picture;
    timing.reused |= result->isDrawnBefore;
    timing.wallMs = timing.reused ? 0 : timing.wallMs - picture.resolveMs;
    timing.backend = backendOf(picture);
    if (run.sycl && !run.sycl->isUsable())
        timing.why = run.sycl->failure();
    timing.bytes = picture.visibility->pixels.bytes();
    timing.counts = {{"drawn_pixels", picture.stats.drawnPixels}};
    if (!picture.isWhole())
        timing.counts.push_back({"percent_of_points", 100ull * picture.parts.drawn / picture.parts.all});
}

StageMemory PictureStage::bytes(const RunSize& size, const Recipe& resolved) {
    double scene = 0; // bytes of the colours and primitives to draw
    switch (resolved.show) {
    case PictureContent::points:
        scene = 16 * size.points;
        break;
    case PictureContent::voxels:
        scene = 24 * size.voxels;
        break;
    case PictureContent::mesh:
        scene = 8 * double(size.extracted.vertices) + 8 * double(size.extracted.triangles);
        break;
    }
    const bool averaged = resolved.show == PictureContent::points && resolved.points == PointBlend::averaged;
    const auto bytes = std::uint64_t(scene) + pictureBytes(std::uint64_t(pixelsOf(resolved)), 1, averaged);
    return {bytes, bytes};
}

StageWork PictureStage::work(const RunSize& size, const Recipe& resolved) {
    const double pixels = 0.6 * pixelsOf(resolved);
    switch (resolved.show) {
    case PictureContent::points:
        return {"points", size.pointsInRange + pixels, 15};
    case PictureContent::voxels:
        return {"voxels", 4 * size.voxels + pixels, 20};
    case PictureContent::mesh:
        break;
    }
    return {"mesh", size.triangles + pixels, 30};
}

std::shared_ptr<const Picture> runPicture(const StageRun& run, double ms) {
    std::shared_ptr<const Picture> picture = run.get<PictureStage>(*run.recipe, ms)->picture;
    std::vector<StageTiming>& stages = run.timings->stages;
    const bool reused = stages.back().reused;
    const std::string place = stages.back().backend;
    stages.push_back({"resolve",
                      place,
                      reused,
                      reused ? 0 : picture->resolveMs,
                      0,
                      picture->image->pixels.bytes(),
                      {},
                      {}});
    return picture;
}

std::shared_ptr<const Picture> refinePicture(const StageRun& run, int samples) {
    const PictureScene& scene = *run.taken<SceneStage>();
    PictureInProgress& held = *run.taken<PictureStage>();
    requirePictureMemory(run, samples);
    const WallTimer timer;
    if (!held.picture->isWhole())
        held.picture = completed(run, *held.picture);
    if (samples == 1) {
        run.timings->stages.push_back({"refine", "cpu", false, timer.elapsedMs(), 0, 0, {}, {}});
        return held.picture;
    }
    const Picture& before = *held.picture;
    SampleSums& sums = held.samples;
    const Projection centred = scene.projection(before.camera, before.image->width, before.image->height);
    // A cancelled refinement leaves its sums. Without sums, the current picture is the first sample.
    if (sums.count < before.samples || sums.count > samples) {
        sums = {};
        if (before.samples == 1)
            scene.addSample(sums, before.image, run.stop);
    }
    scene.addSamples(sums, centred, samples, run.stop);
    auto refined = std::make_shared<Picture>(before);
    refined->image = scene.meanOf(sums, run.stop);
    refined->finished = std::chrono::steady_clock::now();
    refined->samples = samples;
    held.picture = refined;
    run.timings->stages.push_back({"refine",
                                   backendOf(*refined),
                                   false,
                                   timer.elapsedMs(),
                                   0,
                                   sums.pixels.bytes(),
                                   {{"samples", std::uint64_t(samples)}},
                                   {}});
    return refined;
}

} // namespace scanloupe
