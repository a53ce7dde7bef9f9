#include "tests/gui/panels/panel_test_support.h"

#include "engine/cloud/point_cloud.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"

#include <cmath>
#include <cstring>

namespace scanloupe::test {

namespace {

constexpr int kWide = 40, kLong = 50, kPoints = kWide * kLong;

template <class T>
Attribute attribute(const char* name, ScalarType type, const std::function<double(int)>& value) {
    Attribute a;
    a.name = name;
    a.type = type;
    a.allocate(kPoints);
    for (int i = 0; i < kPoints; ++i) {
        const T v = T(value(i));
        std::memcpy(a.dataToFill() + std::size_t(i) * sizeof(T), &v, sizeof(T));
    }
    return a;
}

Vec3d sheetPoint(int i) {
    const double x = 0.2 * (i % kWide), y = 0.2 * (i / kWide);
    return {x, y, 1.5 * std::sin(x) * std::cos(0.7 * y)};
}

Positions sheetPositions(Held held) {
    if (held == Held::floats) {
        FloatPositions p{Buffer<Vec3f>::host(kPoints)};
        for (int i = 0; i < kPoints; ++i)
            p.xyz[std::size_t(i)] = sheetPoint(i).as<float>();
        return p;
    }
    const Vec3d far{652000, 5408000, 300}; // a position with the size of map coordinates
    if (held == Held::texts) {
        DoublePositions p{Buffer<Vec3d>::host(kPoints), 2};
        for (int i = 0; i < kPoints; ++i)
            p.xyz[std::size_t(i)] = far + sheetPoint(i);
        return p;
    }
    ScaledPositions p{Buffer<Vec3i>::host(kPoints), {0.001, 0.001, 0.01}, far};
    for (int i = 0; i < kPoints; ++i) {
        const Vec3d q = sheetPoint(i);
        p.xyz[std::size_t(i)] = {int(std::lround(q.x * 1000)), int(std::lround(q.y * 1000)),
                                 int(std::lround(q.z * 100))};
    }
    return p;
}

} // namespace

std::shared_ptr<PointCloud> sheetCloud(Held held) {
    std::vector<Attribute> attributes;
    attributes.push_back(
        attribute<float>("intensity", ScalarType::float32, [](int i) { return 0.1f * float(i % 11); }));
    attributes.push_back(
        attribute<std::uint16_t>("ring", ScalarType::uint16, [](int i) { return i / kWide; }));
    attributes.push_back(
        attribute<double>("time", ScalarType::float64, [](int i) { return 1688000000.25 + i * 1e-4; }));
    for (const char* colour : {"red", "green", "blue"})
        attributes.push_back(
            attribute<std::uint8_t>(colour, ScalarType::uint8, [](int i) { return i % 256; }));
    auto cloud = std::make_shared<PointCloud>(sheetPositions(held), std::move(attributes), std::stop_token());
    cloud->path = "/scans/sheet.ply";
    cloud->format = "PLY binary_little_endian 1.0";
    return cloud;
}

RunTimings sampleTimings(double factor) {
    RunTimings t;
    const auto add = [&](const char* stage, double ms) -> StageTiming& {
        t.stages.push_back({stage, "cpu", ms <= 0, ms * factor, 0, 3'400'000, {}, {}});
        t.totalMs += ms * factor;
        return t.stages.back();
    };
    add("read", 812);
    t.totalMs = 0; // the file is read before the run
    add("upload", 0).counts = {{"points", 1'000'000}};
    StageTiming& voxelize = add("voxelize", 41.3);
    voxelize.backend = "cuda";
    voxelize.deviceMs = 18.2 * factor;
    voxelize.counts = {{"voxels", 301'224}, {"points_in_range", 998'004}, {"points_outside", 1'996}};
    add("field", 23.9).counts = {{"bricks", 5120}};
    StageTiming& extract = add("extract", 34.2);
    extract.counts = {{"vertices", 412'118}, {"triangles", 803'316}};
    extract.steps = {{"classify", 9.1 * factor},
                     {"scan", 3.2 * factor},
                     {"compact", 6.8 * factor},
                     {"generate", 15.1 * factor}};
    add("rasterize", 17.4);
    add("resolve", 6.2);
    return t;
}

std::shared_ptr<Snapshot> sheetSnapshot(Held held) {
    return cloudSnapshot(sheetCloud(held));
}

std::shared_ptr<Snapshot> cloudSnapshot(std::shared_ptr<const PointCloud> cloud) {
    auto s = std::make_shared<Snapshot>();
    s->cloud = cloud;
    s->points = std::make_shared<HostPoints>(cloud, 1);
    const Bounds b = cloud->bounds();
    s->resolved->rangeMin = b.min - Vec3d{0.01, 0.01, 0.01};
    s->resolved->rangeMax = b.max + Vec3d{0.01, 0.01, 0.01};
    s->resolved->voxelSize = Vec3d{0.5, 0.5, 0.5};
    s->resolved->field = FieldKind::density;
    s->resolved->radius = 1.0;
    s->resolved->iso = 42.5;
    const VoxelizeParams params{(*s->resolved->rangeMin - cloud->origin()).as<float>(),
                                (*s->resolved->rangeMax - cloud->origin()).as<float>(),
                                {0.5f, 0.5f, 0.5f}};
    s->voxels = DeviceOrHost(cpu::voxelize(s->points->all({}).view(), params, {}));
    s->attributes = std::make_shared<VoxelAttributes>(
        std::make_shared<const PointAttributes>(cloud, 1, nullptr), s->voxels);
    s->shownVoxels = s->voxels;
    s->shownAttributes = s->attributes;
    ScalarField field;
    field.kind = FieldKind::density;
    field.maxValue = 400;
    s->field = DeviceOrHost(std::move(field));
    TriangleMesh mesh;
    mesh.indices = Buffer<std::uint32_t>::host(3);
    s->mesh = DeviceOrHost(std::move(mesh));
    s->timings = sampleTimings();
    s->notes = {{"voxelize", "Voxel size chosen from the scan's density: 0.5 m."},
                {"extract", "Iso-value chosen: 42.5."}};
    return s;
}

std::shared_ptr<Snapshot> volumeSnapshot() {
    auto s = std::make_shared<Snapshot>();
    auto volume = std::make_shared<Volume>();
    volume->values = Buffer<float>::host(4 * 5 * 6);
    volume->lattice = {{0, 0, 0}, {1, 1, 2}, {4, 5, 6}};
    volume->path = "/scans/engine.raw";
    s->volume = volume;
    ScalarField field;
    field.kind = FieldKind::volume;
    field.maxValue = 1;
    s->field = DeviceOrHost(std::move(field));
    s->mesh = DeviceOrHost(TriangleMesh{});
    s->resolved->iso = 0.5;
    s->timings = sampleTimings();
    return s;
}

} // namespace scanloupe::test
