// Runs the picture stages: scene, rasterization, and refinement by supersampling.
#include "engine/pipeline/chain.h"
#include "engine/pipeline/forecast.h"
#include "engine/pipeline/memoized.h"
#include "engine/pipeline/picture_scene.h"
#include "engine/pipeline/view.h"

namespace scanloupe {

namespace {

Bounds lookedAt(const RunContext& run, const LatticeShape& lattice) {
    if (!run.volume)
        return {*run.recipe->rangeMin, *run.recipe->rangeMax};
    return {lattice.origin.as<double>(), lattice.position(lattice.dims).as<double>()};
}

/// The recipe with all parameters that a scene doesn't depend on at their defaults: the scene's key.
Recipe sceneOnly(const Recipe& recipe) {
    Recipe only = recipe;
    const Recipe defaults;
    only.rangeMin = only.rangeMax = only.voxelSize = std::nullopt;
    only.maxVoxels = defaults.maxVoxels;
    only.maxPointsPerVoxel = defaults.maxPointsPerVoxel;
    only.voxelStrategy = defaults.voxelStrategy;
    only.field = std::nullopt;
    only.radius = only.iso = std::nullopt;
    only.sensor = std::nullopt;
    only.minComponentTriangles = defaults.minComponentTriangles;
    only.decimateTo = defaults.decimateTo;
    only.quality = defaults.quality;
    if (recipe.colourBy != "height")
        only.up = std::nullopt;
    only.view = defaults.view;
    only.camera = std::nullopt;
    only.imageWidth = defaults.imageWidth;
    only.imageHeight = defaults.imageHeight;
    only.samples = defaults.samples;
    return only;
}

} // namespace

Camera Chain::camera(const RunContext& run) const {
    ViewSubject subject{lookedAt(run, m_field.value->lattice), {}, {}, run.cloud.get()};
    if (run.cloud) {
        subject.points = m_upload.value->positions.span();
        subject.origin = run.cloud->origin();
    }
    return cameraFor(*run.recipe, subject);
}

Chain::SceneKey Chain::sceneKey(const RunContext& run, const Snapshot& of) const {
    const Recipe& recipe = *run.recipe;
    const std::shared_ptr<const void> surface = m_surface.identity(), voxels = m_voxels.value.identity();
    std::shared_ptr<const void> shown = surface, distances;
    if (!run.volume && recipe.show == PictureContent::voxels)
        shown = voxels;
    if (!run.volume && recipe.show == PictureContent::points)
        shown = m_upload.value;
    if (recipe.colourBy == kPointDistance)
        distances = shown == surface ? std::shared_ptr<const void>(of.vertexDistances) : of.quality;
    return {shown, voxels, distances, sceneOnly(recipe)};
}

void Chain::forgetScene() {
    m_scene = {};
    m_picture = {}; // its key keeps the scene alive
    m_samples = {};
}

void Chain::dropSceneOf(const std::shared_ptr<const void>& shown) {
    if (m_scene.value && m_scene.key->shown == shown)
        forgetScene();
}

std::shared_ptr<const PictureScene> Chain::scene(const RunContext& run, const Snapshot& of) {
    SceneKey key = sceneKey(run, of);
    if (m_scene.value && m_scene.key == key)
        return m_scene.value;
    forgetScene(); // releases its memory before the next one is built
    const DevicePlace place{run.stream, m_device};
    if (!liesOnDevice(of, *run.recipe, place)) {
        if (m_voxels.value)
            onHost(run, m_voxels.value); // colours are computed from the voxels
        if (run.recipe->show == PictureContent::mesh || run.volume)
            onHost(run, m_surface);
    }
    m_scene.value = std::make_shared<const PictureScene>(of, *run.recipe, place, run.stop);
    m_scene.key = std::move(key);
    return m_scene.value;
}

std::shared_ptr<const Picture> Chain::computePicture(const RunContext& run, const Camera& camera) {
    requirePictureMemory(run, 1);
    const PictureScene& scene = *m_scene.value;
    const Projection projection =
        scene.projection(camera, int(run.recipe->imageWidth), int(run.recipe->imageHeight));
    const bool inParts = run.pictureMs > 0 && scene.parts() > 1;
    const VisibilityBuffer* seen = inParts && m_picture.value && m_picture.key->scene == m_scene.value
                                       ? &m_picture.value->visibility.host()
                                       : nullptr;
    DrawnPixels drawn =
        inParts ? scene.drawFor(run.pictureMs, seen, projection, run.stop) : scene.draw(projection, run.stop);
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
    return picture;
}

std::shared_ptr<const Picture> Chain::picture(const RunContext& run, const Snapshot& of) {
    const Recipe& recipe = *run.recipe;
    const Camera from = camera(run);
    const StageTimer timer(run);
    PictureKey key{scene(run, of), from, recipe.imageWidth, recipe.imageHeight};
    const bool reused = m_picture.value && m_picture.key == key &&
                        m_picture.value->samples <= int(recipe.samples) &&
                        (run.pictureMs > 0 || m_picture.value->isWhole());
    StageTiming timing{"rasterize", "cpu", reused, 0, 0, 0, {}, {}};
    if (!reused) {
        m_samples = {};
        m_picture.value = computePicture(run, from);
        m_picture.key = std::move(key);
        timing.wallMs = timer.elapsedMs() - m_picture.value->resolveMs;
    }
    const Picture& picture = *m_picture.value;
    const char* const place = picture.image.onDevice() ? "cuda" : "cpu";
    timing.backend = place;
    timing.bytes = picture.visibility->pixels.bytes();
    timing.counts = {{"drawn_pixels", picture.stats.drawnPixels}};
    if (!picture.isWhole())
        timing.counts.push_back({"percent_of_points", 100ull * picture.parts.drawn / picture.parts.all});
    run.timings->stages.push_back(timing);
    run.timings->stages.push_back(
        {"resolve", place, reused, reused ? 0 : picture.resolveMs, 0, picture.image->pixels.bytes(), {}, {}});
    return m_picture.value;
}

std::shared_ptr<const Picture> Chain::completePicture(const RunContext& run) {
    const Picture& begun = *m_picture.value;
    const VisibilityBuffer& seen = begun.visibility.host();
    const PictureScene& scene = *m_scene.value;
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

std::shared_ptr<const Picture> Chain::refine(const RunContext& run, const Snapshot& of, int samples) {
    if (!m_picture.value || m_picture.value != of.picture)
        throw Fault("a picture that is not the last one was to be refined");
    requirePictureMemory(run, samples);
    const WallTimer timer;
    if (!m_picture.value->isWhole())
        m_picture.value = completePicture(run);
    if (samples == 1) {
        run.timings->stages.push_back({"refine", "cpu", false, timer.elapsedMs(), 0, 0, {}, {}});
        return m_picture.value;
    }
    const PictureScene& scene = *m_scene.value;
    const Picture& before = *m_picture.value;
    const Projection centred = scene.projection(before.camera, before.image->width, before.image->height);
    // a cancelled refinement has left its sums; without sums, the picture shown is the first sample
    if (m_samples.count < before.samples || m_samples.count > samples) {
        m_samples = {};
        if (before.samples == 1)
            scene.addSample(m_samples, before.image, run.stop);
    }
    scene.addSamples(m_samples, centred, samples, run.stop);
    auto refined = std::make_shared<Picture>(before);
    refined->image = scene.meanOf(m_samples, run.stop);
    refined->finished = std::chrono::steady_clock::now();
    refined->samples = samples;
    m_picture.value = refined;
    run.timings->stages.push_back({"refine",
                                   refined->image.onDevice() ? "cuda" : "cpu",
                                   false,
                                   timer.elapsedMs(),
                                   0,
                                   m_samples.pixels.bytes(),
                                   {{"samples", std::uint64_t(samples)}},
                                   {}});
    return refined;
}

} // namespace scanloupe
