#include "engine/pipeline/picture_scene.h"

#include "engine/pipeline/device_scene.h"
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

constexpr std::size_t kPartPoints = std::size_t{1} << 19; // some 10 ms on two cores
constexpr std::uint32_t kMostParts = 4096;

/// The part that is drawn as the `turn`-th: strewn, so that the first few are spread evenly. Any odd number
/// of steps meets each of a power of two once; near the golden section no two in a row are close.
PointPart partAt(std::uint32_t turn, std::uint32_t all) {
    const auto step = std::uint32_t(0.618 * all) | 1u;
    return {turn * step % all, all};
}

/// The points that a buffer shows; where a neighbour shows the same one, once.
std::vector<std::uint32_t> pointsIn(const VisibilityBuffer& seen) {
    std::vector<std::uint32_t> points;
    const auto idAt = [&seen](int x, int y) { return x < 0 || y < 0 ? 0 : seen.id(x, y); };
    for (int y = 0; y < seen.height; ++y) {
        for (int x = 0; x < seen.width; ++x) {
            const std::uint32_t id = idAt(x, y);
            if (primitiveKind(id) == PrimitiveKind::point && id != idAt(x - 1, y) && id != idAt(x, y - 1))
                points.push_back(primitiveIndex(id));
        }
    }
    return points;
}

} // namespace

PictureScene::PictureScene(const Snapshot& of, const Recipe& look, std::shared_ptr<const Stream> stream,
                           const std::stop_token& stop)
    : m_origin(of.origin()) {
    m_scene.pointSize = float(look.pointSize);
    m_scene.pointExtent = float(look.pointExtent);
    m_scene.pointBlend = look.points;
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
    if (!stream)
        return;
    try {
        m_device = std::make_unique<DeviceScene>(m_scene, m_mesh, m_voxels, std::move(stream));
    } catch (const DeviceMemoryShort&) {
        // the host has more, as a rule
    }
}

PictureScene::~PictureScene() = default;

Projection PictureScene::projection(Camera camera, int width, int height) const {
    camera.eye = camera.eye - m_origin;
    camera.target = camera.target - m_origin;
    return {camera, width, height};
}

DrawnPixels PictureScene::draw(const Projection& projection, const std::stop_token& stop) const {
    if (m_device) {
        try {
            return drawOnDevice(projection, stop);
        } catch (const DeviceMemoryShort&) {
            // as when the scene is made
        }
    }
    return drawOnHost(projection, stop);
}

DrawnPixels PictureScene::drawOnDevice(const Projection& projection, const std::stop_token& stop) const {
    DeviceFrame frame = m_device->draw(projection, m_shading, stop);
    return {std::move(frame.visibility), std::move(frame.image), m_device->stream(), frame.stats};
}

DrawnPixels PictureScene::drawOnHost(const Projection& projection, const std::stop_token& stop) const {
    DrawnPixels drawn;
    drawn.visibility = cpu::rasterize(m_scene, projection, drawn.stats, stop);
    shade(drawn, m_scene, projection, stop);
    return drawn;
}

void PictureScene::shade(DrawnPixels& drawn, const RasterScene& scene, const Projection& projection,
                         const std::stop_token& stop) const {
    const WallTimer timer;
    drawn.image = cpu::resolve(drawn.visibility, scene, projection, m_shading, stop);
    drawn.resolveMs = timer.elapsedMs();
}

std::uint32_t PictureScene::parts() const {
    std::uint32_t parts = 1; // a power of two, see partAt
    if (m_device)
        return parts; // a billion points take it some milliseconds
    while (parts < kMostParts && m_scene.points.size() / parts > kPartPoints)
        parts *= 2;
    return parts;
}

DrawnPixels PictureScene::drawFor(double ms, const VisibilityBuffer* seen, const Projection& projection,
                                  const std::stop_token& stop) const {
    const WallTimer timer;
    DrawnPixels drawn;
    drawn.visibility = cpu::emptyBuffer(projection, stop);
    drawn.parts.all = parts();
    if (seen)
        cpu::addPoints(drawn.visibility, m_scene, projection, pointsIn(*seen), stop);
    drawn.parts.drawn = 0;
    do {
        drawn.stats.rejectedNotFinite += cpu::addPoints(drawn.visibility, m_scene, projection,
                                                        partAt(drawn.parts.drawn++, drawn.parts.all), stop);
    } while (drawn.parts.drawn < drawn.parts.all && timer.elapsedMs() < ms);
    drawn.stats.drawnPixels = cpu::countDrawn(drawn.visibility, stop);
    RasterScene hurried = m_scene;
    hurried.pointBlend = PointBlend::nearest; // averages take a look at every point
    shade(drawn, drawn.parts.drawn < drawn.parts.all ? hurried : m_scene, projection, stop);
    return drawn;
}

DrawnPixels PictureScene::complete(const VisibilityBuffer& begun, PointParts from,
                                   const Projection& projection, const std::stop_token& stop) const {
    DrawnPixels drawn;
    drawn.visibility = {begun.width, begun.height, hostCopy(begun.pixels.span())};
    drawn.parts = from;
    while (drawn.parts.drawn < drawn.parts.all)
        cpu::addPoints(drawn.visibility, m_scene, projection, partAt(drawn.parts.drawn++, drawn.parts.all),
                       stop);
    drawn.stats.drawnPixels = cpu::countDrawn(drawn.visibility, stop);
    shade(drawn, m_scene, projection, stop);
    return drawn;
}

void PictureScene::addSamples(SampleSums& sums, const Projection& centred, int samples,
                              const std::stop_token& stop) const {
    const auto add = [&](bool device) {
        if (sums.count > 0 && (sums.pixels.space() == MemorySpace::device) != device)
            sums = {};
        while (sums.count < samples) {
            const SamplePlace at = samplePlace(sums.count);
            const Projection beside = centred.sampledAt(at.x, at.y);
            if (device)
                cuda::addSample(sums, drawOnDevice(beside, stop).image, *m_device->stream());
            else
                cpu::addSample(sums, drawOnHost(beside, stop).image, stop);
        }
    };
    if (m_device) {
        try {
            return add(true);
        } catch (const DeviceMemoryShort&) {
            // all of them on the host
        }
    }
    add(false);
}

void PictureScene::addSample(SampleSums& sums, const Resident<Image>& image,
                             const std::stop_token& stop) const {
    if (m_device && image.onDevice())
        cuda::addSample(sums, image.device(), *m_device->stream());
    else
        cpu::addSample(sums, image.host(), stop);
}

Resident<Image> PictureScene::meanOf(const SampleSums& sums, const std::stop_token& stop) const {
    if (sums.pixels.space() != MemorySpace::device)
        return Resident(cpu::meanOfSamples(sums, stop));
    Image mean = cuda::meanOfSamples(sums, *m_device->stream());
    m_device->stream()->view().synchronize(); // others read it on streams of their own
    return {std::move(mean), m_device->stream()};
}

} // namespace scanloupe
