// Builds the renderable scene of a snapshot on the host or on the device, and renders it.
#include "engine/picture/picture_scene.h"

#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/voxel_attributes.h"
#include "kernels/raster/operators.h"
#include "kernels/raster/points/points_cpu.h"
#include "kernels/raster/redraw.h"
#include "kernels/voxelize/operators.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace scanloupe {

namespace {

constexpr std::size_t kPartPoints = std::size_t{1} << 19; // points per part; takes about 10 ms on two cores
constexpr std::uint32_t kMaxParts = 4096;

/// Returns the `turn`-th part in a permuted order, in which the first few parts are spread evenly. As `all`
/// is a power of two, any odd step visits each part once; with a step near the golden ratio, successive parts
/// are far apart.
PointSubset partAt(std::uint32_t turn, std::uint32_t all) {
    const auto step = std::uint32_t(0.618 * all) | 1u;
    return {turn * step % all, all};
}

/// Whether the vertices that two meshes share have the same colours in both.
bool shareColours(const Colouring& before, const Colouring& now, std::span<const SharedRun> vertices) {
    constexpr std::size_t mapSize = 256;
    const auto isSameMap = [&] {
        return before.map == now.map ||
               (before.map && now.map && std::equal(now.map, now.map + mapSize, before.map));
    };
    if (before.uniform != now.uniform || before.discrete != now.discrete || before.low != now.low ||
        before.high != now.high || !before.values != !now.values || !before.rgba != !now.rgba || !isSameMap())
        return false;
    const auto areSame = [&](const auto* a, const auto* b) {
        return !a || std::ranges::all_of(vertices, [&](const SharedRun& run) {
            return std::memcmp(a + run.before, b + run.now, run.count * sizeof(*a)) == 0;
        });
    };
    return areSame(before.values, now.values) && areSame(before.rgba, now.rgba);
}

/// Returns the points that a buffer shows. A point that covers adjacent pixels is listed once.
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

PictureScene::PictureScene(const Snapshot& of, const Recipe& look, const DevicePlace& place,
                           const std::stop_token& stop)
    : m_of(of), m_look(look), m_sycl(place.sycl) {
    m_of.picture = nullptr; // the picture would stay in memory with this scene
    m_style.pointSize = float(look.pointSize);
    m_style.pointExtent = float(look.pointExtent);
    m_style.pointBlend = look.points;
    m_style.voxelScale = float(look.voxelScale);
    m_style.backFaces = look.backFaces;
    m_shading.light = look.light;
    m_shading.eyeDome = look.eyeDome;
    m_shading.eyeDomeStrength = float(look.eyeDomeStrength);
    const auto onDevice = [&](bool isPossible) {
        return isPossible && place.stream ? Execution{place.stream->view(), stop}
                                          : Execution{std::nullopt, stop};
    };
    m_device = orOnHost(onDevice(liesOnDevice(of, look, place)), [&](const Execution& on) {
        return on.onDevice() ? std::make_unique<DeviceScene>(of, look, place, m_style, stop) : nullptr;
    });
    if (m_device) {
        takeLimits(m_device->colours());
        return;
    }
    const HostScene& host = onHost(stop);
    takeLimits(host.colours);
    m_device = orOnHost(onDevice(true), [&](const Execution& on) {
        return on.onDevice() ? std::make_unique<DeviceScene>(host.scene, m_of.mesh, m_of.voxels, place.stream)
                             : nullptr;
    });
}

void PictureScene::takeLimits(const ColourValues& colours) {
    m_mapped = !colours.values.empty();
    m_low = colours.low;
    m_high = colours.high;
    if (colours.classes.count > 0)
        m_classes = std::make_shared<const ClassColours>(colours.classes);
}

std::unique_ptr<const PictureScene::HostScene>
PictureScene::makeHostScene(const std::stop_token& stop) const {
    auto host = std::make_unique<HostScene>();
    host->scene = m_style;
    const ColourSource source = colourSource(m_of);
    if (m_look->show == PictureContent::mesh || m_of.volume) {
        host->scene.mesh = &m_of.mesh.host();
        host->colours = colourMesh(m_look, source, *host->scene.mesh, stop);
        host->scene.meshColour = host->colours.colouring();
    } else if (m_look->show == PictureContent::voxels) {
        host->scene.voxels = &m_of.voxels.host();
        host->colours = colourVoxels(m_look, source, stop);
        host->scene.voxelColour = host->colours.colouring();
    } else {
        host->points = pointsInVoxels(m_of.points->all(stop).positions, m_of.voxels.host().pointVoxel,
                                      {std::nullopt, stop});
        host->scene.points = host->points.span();
        host->colours = colourPoints(m_look, source, stop);
        host->scene.pointColour = host->colours.colouring();
    }
    return host;
}

const PictureScene::HostScene& PictureScene::onHost(const std::stop_token& stop) const {
    const std::lock_guard lock(m_mutex);
    if (!m_host)
        m_host = makeHostScene(stop);
    return *m_host;
}

bool PictureScene::averagesPoints() const {
    return m_look->show == PictureContent::points && !m_of.volume &&
           m_style.pointBlend == PointBlend::averaged;
}

PictureScene::~PictureScene() = default;

Projection PictureScene::projection(Camera camera, int width, int height) const {
    camera.eye = camera.eye - m_of.origin();
    camera.target = camera.target - m_of.origin();
    return {camera, width, height};
}

Execution PictureScene::execution(const std::stop_token& stop) const {
    if (m_device)
        return {m_device->stream()->view(), stop};
    return {std::nullopt, stop, m_sycl && m_sycl->isUsable() ? m_sycl.get() : nullptr};
}

DrawnPixels PictureScene::draw(const Projection& projection, const std::stop_token& stop) const {
    return orOnHost(execution(stop), [&](const Execution& on) { return drawOn(on, projection); });
}

DrawnPixels PictureScene::drawOn(const Execution& on, const Projection& projection) const {
    return on.onDevice() ? drawOnDevice(projection, on.stop) : drawOnHost(on, projection);
}

DrawnPixels PictureScene::drawOnDevice(const Projection& projection, const std::stop_token& stop) const {
    DeviceFrame frame = m_device->draw(projection, m_shading, stop);
    return {std::move(frame.visibility), std::move(frame.image), m_device->stream(), frame.stats};
}

DrawnPixels PictureScene::drawOnHost(const Execution& on, const Projection& projection) const {
    DrawnPixels drawn;
    const RasterScene& scene = onHost(on.stop).scene;
    drawn.visibility = rasterize(scene, projection, drawn.stats, on);
    shade(drawn, scene, projection, on);
    return drawn;
}

void PictureScene::shade(DrawnPixels& drawn, const RasterScene& scene, const Projection& projection,
                         const Execution& on) const {
    const WallTimer timer;
    drawn.image = resolve(drawn.visibility, scene, projection, m_shading, on);
    drawn.resolveMs = timer.elapsedMs();
}

bool PictureScene::updatesFrom(const PictureScene& before) const {
    const auto showsMesh = [](const PictureScene& scene) {
        return !scene.m_device && (scene.m_look->show == PictureContent::mesh || scene.m_of.volume);
    };
    return showsMesh(*this) && showsMesh(before) && m_shading == before.m_shading &&
           m_style.backFaces == before.m_style.backFaces && m_of.origin() == before.m_of.origin();
}

DrawnPixels PictureScene::drawAgain(const Projection& projection, const PictureScene& before,
                                    const Picture& picture, const SharedMesh& shared,
                                    const std::stop_token& stop) const {
    const HostScene &now = onHost(stop), &then = before.onHost(stop);
    const cpu::PreviousPicture earlier{
        picture.visibility.host(), picture.image.host(), shared.triangles,
        shareColours(then.scene.meshColour, now.scene.meshColour, shared.vertices)};
    DrawnPixels drawn;
    cpu::RedrawnPixels pixels = cpu::rasterizeAgain(now.scene, projection, earlier, drawn.stats, stop);
    const WallTimer timer;
    cpu::resolveAgain(pixels, now.scene, projection, m_shading, earlier, stop);
    drawn.resolveMs = timer.elapsedMs();
    drawn.visibility = std::move(pixels.visibility);
    drawn.image = std::move(pixels.image);
    return drawn;
}

std::uint32_t PictureScene::parts() const {
    std::uint32_t parts = 1; // a power of two, as partAt() requires
    if (m_device)
        return parts; // a GPU draws a billion points in some milliseconds
    const bool points = m_look->show == PictureContent::points && !m_of.volume;
    while (points && parts < kMaxParts && m_of.points->size() / parts > kPartPoints)
        parts *= 2;
    return parts;
}

DrawnPixels PictureScene::drawFor(double ms, const VisibilityBuffer* seen, const Projection& projection,
                                  const std::stop_token& stop) const {
    const WallTimer timer;
    const RasterScene& scene = onHost(stop).scene;
    DrawnPixels drawn;
    drawn.visibility = cpu::emptyBuffer(projection, stop);
    drawn.parts.all = parts();
    if (seen)
        cpu::addPoints(drawn.visibility, scene, projection, pointsIn(*seen), stop);
    drawn.parts.drawn = 0;
    do {
        drawn.stats.rejectedNotFinite += cpu::addPoints(drawn.visibility, scene, projection,
                                                        partAt(drawn.parts.drawn++, drawn.parts.all), stop);
    } while (drawn.parts.drawn < drawn.parts.all && timer.elapsedMs() < ms);
    drawn.stats.drawnPixels = cpu::countDrawn(drawn.visibility, stop);
    RasterScene hurried = scene;
    hurried.pointBlend = PointBlend::nearest; // averages would need all points
    shade(drawn, drawn.parts.drawn < drawn.parts.all ? hurried : scene, projection, {std::nullopt, stop});
    return drawn;
}

DrawnPixels PictureScene::complete(const VisibilityBuffer& begun, PointParts from,
                                   const Projection& projection, const std::stop_token& stop) const {
    const RasterScene& scene = onHost(stop).scene;
    DrawnPixels drawn;
    drawn.visibility = {begun.width, begun.height, hostCopy(begun.pixels.span())};
    drawn.parts = from;
    while (drawn.parts.drawn < drawn.parts.all)
        cpu::addPoints(drawn.visibility, scene, projection, partAt(drawn.parts.drawn++, drawn.parts.all),
                       stop);
    drawn.stats.drawnPixels = cpu::countDrawn(drawn.visibility, stop);
    shade(drawn, scene, projection, {std::nullopt, stop});
    return drawn;
}

void PictureScene::addSamples(SampleSums& sums, const Projection& centred, int samples,
                              const std::stop_token& stop) const {
    orOnHost(execution(stop), [&](const Execution& on) {
        if (sums.count > 0 && (sums.pixels.space() == MemorySpace::device) != on.onDevice())
            sums = {};
        while (sums.count < samples) {
            const SampleOffset at = sampleOffset(sums.count);
            scanloupe::addSample(sums, drawOn(on, centred.sampledAt(at.x, at.y)).image, on);
        }
    });
}

void PictureScene::addSample(SampleSums& sums, const DeviceOrHost<Image>& image,
                             const std::stop_token& stop) const {
    const Execution on = image.onDevice() ? execution(stop) : execution(stop).onHost();
    scanloupe::addSample(sums, on.onDevice() ? image.device() : image.host(), on);
}

DeviceOrHost<Image> PictureScene::meanOf(const SampleSums& sums, const std::stop_token& stop) const {
    if (sums.pixels.space() != MemorySpace::device)
        return DeviceOrHost(meanOfSamples(sums, execution(stop).onHost()));
    const Execution on = execution(stop);
    Image mean = meanOfSamples(sums, on);
    on.device->synchronize(); // other threads read the result on other streams
    return {std::move(mean), m_device->stream()};
}

} // namespace scanloupe
