#include "tests/gui/views/view_scenes.h"

#include "engine/cloud/bounds.h"
#include "engine/picture/picture_scene.h"
#include "kernels/synth/scan_generator.h"

#include <QColor>
#include <cmath>
#include <numbers>

namespace scanloupe::test {

namespace {

bool isBackground(QRgb pixel) {
    constexpr std::uint32_t background = Shading{}.background;
    return qRed(pixel) == int(background & 0xff) && qGreen(pixel) == int(background >> 8 & 0xff) &&
           qBlue(pixel) == int(background >> 16 & 0xff);
}

} // namespace

gui::SnapshotPtr streetVoxels(std::uint64_t points, float voxel) {
    synth::ScanParams params;
    params.points = points;
    std::vector<synth::ScanPoint> scan(points);
    synth::generate(params, 0, scan, {});
    std::vector<Vec3f> positions(points);
    Vec3f low{1e9f, 1e9f, 1e9f}, high{-1e9f, -1e9f, -1e9f};
    for (std::size_t i = 0; i < points; ++i) {
        positions[i] = scan[i].position;
        low = scanloupe::min(low, positions[i]);
        high = scanloupe::max(high, positions[i]);
    }
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->resolved->colourBy = "height"; // as resolving does
    const VoxelizeParams voxelize{low, high + Vec3f{voxel, voxel, voxel}, {voxel, voxel, voxel}};
    snapshot->voxels = DeviceOrHost(cpu::voxelize({positions.data(), positions.size(), {}}, voxelize, {}));
    snapshot->shownVoxels = snapshot->voxels;
    snapshot->identities[std::size_t(Stage::voxelize)] = snapshot->voxels.identity();
    return snapshot;
}

gui::SnapshotPtr bumpyMesh(std::uint32_t triangles) {
    const auto rings = static_cast<std::uint32_t>(std::sqrt(triangles / 4.0));
    const std::uint32_t sides = 2 * rings;
    TriangleMesh mesh;
    mesh.positions = Buffer<Vec3f>::host((rings + 1) * sides);
    mesh.normals = Buffer<Vec3f>::host((rings + 1) * sides);
    mesh.indices = Buffer<std::uint32_t>::host(std::size_t{6} * rings * sides);
    const auto surface = [&](double u, double v) {
        const double r = 1 + 0.08 * std::sin(9 * u) * std::sin(7 * v);
        return Vec3d{r * std::sin(v) * std::cos(u), r * std::sin(v) * std::sin(u), r * std::cos(v)};
    };
    std::size_t out = 0;
    for (std::uint32_t i = 0; i <= rings; ++i) {
        for (std::uint32_t j = 0; j < sides; ++j) {
            const double v = std::numbers::pi * i / rings, u = 2 * std::numbers::pi * j / sides, step = 1e-4;
            const Vec3d p = surface(u, v);
            const Vec3d normal = cross(surface(u, v + step) - p, surface(u + step, v) - p);
            const std::size_t at = std::size_t{i} * sides + j;
            mesh.positions[at] = p.as<float>();
            mesh.normals[at] = (norm(normal) > 1e-12 ? normalized(normal) : normalized(p)).as<float>();
            if (i == rings)
                continue;
            const std::uint32_t a = i * sides + j, b = i * sides + (j + 1) % sides, c = a + sides,
                                d = b + sides;
            for (const std::uint32_t index : {a, c, b, b, c, d})
                mesh.indices[out++] = index;
        }
    }
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->resolved->colourBy = "height"; // as resolving does
    snapshot->mesh = DeviceOrHost(std::move(mesh));
    snapshot->identities[std::size_t(Stage::extract)] = snapshot->mesh.identity();
    return snapshot;
}

gui::SnapshotPtr withRecipe(const gui::SnapshotPtr& snapshot, const std::function<void(Recipe&)>& change) {
    auto copy = std::make_shared<Snapshot>(*snapshot);
    change(copy->resolved);
    return copy;
}

gui::SnapshotPtr withPicture(const gui::SnapshotPtr& snapshot, PictureContent show, const Camera& camera,
                             QSize size, bool eyeDome) {
    auto copy = std::make_shared<Snapshot>(*snapshot);
    copy->resolved->show = show;
    copy->resolved->eyeDome = eyeDome;
    const PictureScene scene(*copy, copy->resolved, {}, {});
    DrawnPixels drawn = scene.draw(scene.projection(camera, size.width(), size.height()), {});
    auto picture = std::make_shared<Picture>();
    picture->camera = camera;
    picture->visibility = DeviceOrHost(std::move(drawn.visibility));
    picture->image = DeviceOrHost(std::move(drawn.image));
    copy->picture = picture;
    return copy;
}

Bounds boundsOf(const Snapshot& snapshot) {
    Vec3d low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
    const auto add = [&](Vec3d p) {
        low = scanloupe::min(low, p);
        high = scanloupe::max(high, p);
    };
    if (snapshot.mesh)
        for (const Vec3f p : snapshot.mesh->positions.span())
            add(p.as<double>());
    if (snapshot.voxels)
        for (std::size_t i = 0; i < snapshot.voxels->size(); ++i)
            add(Vec3d{snapshot.voxels->mean(0)[i], snapshot.voxels->mean(1)[i], snapshot.voxels->mean(2)[i]});
    return {low, high};
}

QImage softwareImage(const Snapshot& snapshot) {
    const Image& image = snapshot.picture->image.host();
    return QImage(reinterpret_cast<const uchar*>(image.pixels.data()), image.width, image.height,
                  QImage::Format_RGBX8888)
        .convertToFormat(QImage::Format_RGB32);
}

double silhouetteOverlap(const QImage& a, const QImage& b) {
    if (a.size() != b.size())
        return 0;
    qint64 both = 0, either = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const bool inA = !isBackground(a.pixel(x, y)), inB = !isBackground(b.pixel(x, y));
            both += inA && inB;
            either += inA || inB;
        }
    }
    return either > 0 ? double(both) / double(either) : 0;
}

double meanDifference(const QImage& a, const QImage& b) {
    double sum = 0;
    qint64 count = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            if (isBackground(p) || isBackground(q))
                continue;
            sum +=
                std::abs(qRed(p) - qRed(q)) + std::abs(qGreen(p) - qGreen(q)) + std::abs(qBlue(p) - qBlue(q));
            count += 3;
        }
    }
    return count > 0 ? sum / double(count) : 255;
}

int drawnPixels(const QImage& image) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += !isBackground(image.pixel(x, y));
    return count;
}

} // namespace scanloupe::test
