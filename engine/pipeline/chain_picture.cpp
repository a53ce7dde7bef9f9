// The last stage: the picture.
#include "engine/pipeline/chain.h"
#include "engine/pipeline/colouring.h"
#include "engine/pipeline/forecast.h"
#include "engine/pipeline/memoized.h"
#include "engine/pipeline/view.h"
#include "kernels/core/parallel.h"

#include <limits>

namespace scanloupe {

namespace {

/// The camera in the frame of the kernels' coordinates.
Camera relativeTo(Camera camera, Vec3d origin) {
    camera.eye = camera.eye - origin;
    camera.target = camera.target - origin;
    return camera;
}

Bounds lookedAt(const RunContext& run, const LatticeShape& lattice) {
    if (!run.volume)
        return {*run.recipe->rangeMin, *run.recipe->rangeMax};
    return {lattice.origin.as<double>(), lattice.position(lattice.dims).as<double>()};
}

/// The recipe with all that a picture doesn't depend on at its default, to tell whether a picture is stale.
Recipe pictureOnly(const Recipe& recipe) {
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
    only.view = defaults.view;
    only.camera = std::nullopt;
    return only;
}

/// The points, but those that are in no voxel are no numbers, so that nothing is drawn of them and indices
/// stay.
Buffer<Vec3f> pointsInRange(const UploadedPoints& points, const VoxelGrid& voxels,
                            const std::stop_token& stop) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    auto shown = Buffer<Vec3f>::host(points.positions.size());
    parallelFor(shown.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            shown[i] = voxels.pointVoxel[i] == kNoVoxel ? Vec3f{nan, nan, nan} : points.positions[i];
    });
    return shown;
}

} // namespace

std::shared_ptr<const Picture> Chain::computePicture(const RunContext& run, const Snapshot& of,
                                                     const Camera& camera) {
    requirePictureMemory(run);
    const Recipe& recipe = *run.recipe;
    const Vec3d origin = run.cloud ? run.cloud->origin() : Vec3d{};
    if (m_voxels.value)
        onHost(run, m_voxels.value); // colours are theirs
    const ColourSource source = colourSource(of);
    RasterScene scene;
    scene.pointSize = float(recipe.pointSize);
    scene.pointExtent = float(recipe.pointExtent);
    scene.voxelScale = float(recipe.voxelScale);
    scene.backFaces = recipe.backFaces;
    ColourValues colours;
    Buffer<Vec3f> shownPoints;
    if (recipe.show == PictureContent::mesh || run.volume) {
        scene.mesh = &onHost(run, m_surface);
        colours = colourMesh(recipe, source, *scene.mesh, run.stop);
        scene.meshColour = colours.colouring();
    } else if (recipe.show == PictureContent::voxels) {
        scene.voxels = &m_voxels.value.host();
        colours = colourVoxels(recipe, source, run.stop);
        scene.voxelColour = colours.colouring();
    } else {
        shownPoints = pointsInRange(*m_upload.value, m_voxels.value.host(), run.stop);
        scene.points = shownPoints.span();
        colours = colourPoints(recipe, source, run.stop);
        scene.pointColour = colours.colouring();
    }
    Shading shading;
    shading.light = recipe.light;
    shading.eyeDome = recipe.eyeDome;
    shading.eyeDomeStrength = float(recipe.eyeDomeStrength);

    auto picture = std::make_shared<Picture>();
    picture->camera = camera;
    picture->mapped = !colours.values.empty();
    picture->low = colours.low;
    picture->high = colours.high;
    const Projection projection(relativeTo(camera, origin), int(recipe.imageWidth), int(recipe.imageHeight));
    picture->visibility = cpu::rasterize(scene, projection, picture->stats, run.stop);
    const WallTimer resolveTimer;
    picture->image = cpu::resolve(picture->visibility, scene, projection, shading, run.stop);
    picture->resolveMs = resolveTimer.elapsedMs();
    return picture;
}

std::shared_ptr<const Picture> Chain::picture(const RunContext& run, const Snapshot& of) {
    const Recipe& recipe = *run.recipe;
    ViewSubject subject{lookedAt(run, m_field.value->lattice), {}, {}, run.cloud.get()};
    if (run.cloud) {
        subject.points = m_upload.value->positions.span();
        subject.origin = run.cloud->origin();
    }
    const Camera camera = cameraFor(recipe, subject);
    const std::shared_ptr<const void> surface = m_surface.identity(), voxels = m_voxels.value.identity();
    std::shared_ptr<const void> shown = surface, distances;
    if (!run.volume && recipe.show == PictureContent::voxels)
        shown = voxels;
    if (!run.volume && recipe.show == PictureContent::points)
        shown = m_upload.value;
    if (recipe.colourBy == kPointDistance)
        distances = shown == surface ? std::shared_ptr<const void>(of.vertexDistances) : of.quality;
    PictureKey key{shown, voxels, distances, pictureOnly(recipe), camera};
    const bool reused = m_picture.value && m_picture.key == key;
    StageTiming timing{"rasterize", "cpu", reused, 0, 0, 0, {}, {}};
    if (!reused) {
        const StageTimer timer(run);
        m_picture.value = computePicture(run, of, camera);
        m_picture.key = std::move(key);
        timing.wallMs = timer.elapsedMs() - m_picture.value->resolveMs;
    }
    const Picture& picture = *m_picture.value;
    timing.bytes = picture.visibility.pixels.bytes();
    timing.counts = {{"drawn_pixels", picture.stats.drawnPixels}};
    run.timings->stages.push_back(timing);
    run.timings->stages.push_back(
        {"resolve", "cpu", reused, reused ? 0 : picture.resolveMs, 0, picture.image.pixels.bytes(), {}, {}});
    return m_picture.value;
}

} // namespace scanloupe
