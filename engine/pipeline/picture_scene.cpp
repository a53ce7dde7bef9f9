#include "engine/pipeline/picture_scene.h"

#include "kernels/core/parallel.h"

#include <limits>

namespace scanloupe {

namespace {

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

PictureScene::PictureScene(const Snapshot& of, const Recipe& look, const std::stop_token& stop)
    : m_origin(of.origin()) {
    m_scene.pointSize = float(look.pointSize);
    m_scene.pointExtent = float(look.pointExtent);
    m_scene.voxelScale = float(look.voxelScale);
    m_scene.backFaces = look.backFaces;
    m_shading.light = look.light;
    m_shading.eyeDome = look.eyeDome;
    m_shading.eyeDomeStrength = float(look.eyeDomeStrength);
    const ColourSource source = colourSource(of);
    if (look.show == PictureContent::mesh || of.volume) {
        m_mesh = of.mesh;
        m_scene.mesh = &m_mesh.host();
        m_colours = colourMesh(look, source, *m_scene.mesh, stop);
        m_scene.meshColour = m_colours.colouring();
    } else if (look.show == PictureContent::voxels) {
        m_voxels = of.voxels;
        m_scene.voxels = &m_voxels.host();
        m_colours = colourVoxels(look, source, stop);
        m_scene.voxelColour = m_colours.colouring();
    } else {
        m_points = pointsInRange(*of.points, of.voxels.host(), stop);
        m_scene.points = m_points.span();
        m_colours = colourPoints(look, source, stop);
        m_scene.pointColour = m_colours.colouring();
    }
}

Projection PictureScene::projection(Camera camera, int width, int height) const {
    camera.eye = camera.eye - m_origin;
    camera.target = camera.target - m_origin;
    return {camera, width, height};
}

DrawnPixels PictureScene::draw(const Projection& projection, const std::stop_token& stop) const {
    DrawnPixels drawn;
    drawn.visibility = cpu::rasterize(m_scene, projection, drawn.stats, stop);
    const WallTimer timer;
    drawn.image = cpu::resolve(drawn.visibility, m_scene, projection, m_shading, stop);
    drawn.resolveMs = timer.elapsedMs();
    return drawn;
}

void PictureScene::addSamples(SampleSums& sums, const Projection& centred, int samples,
                              const std::stop_token& stop) const {
    while (sums.count < samples) {
        const SamplePlace at = samplePlace(sums.count);
        cpu::addSample(sums, draw(centred.sampledAt(at.x, at.y), stop).image, stop);
    }
}

} // namespace scanloupe
