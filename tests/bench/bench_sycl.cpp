// Times marching cubes and the whole chain from points to picture with SYCL and in the other backends.
#include "tests/bench/bench_sycl.h"
#include "engine/cloud/point_cloud.h"
#include "tests/bench/median.h"

#include "engine/io/synth/synthetic_cloud.h"
#include "kernels/core/device.h"
#include "kernels/core/device_copy.h"
#include "kernels/field/operators.h"
#include "kernels/mesh/operators.h"
#include "kernels/raster/frame_renderer.h"
#include "kernels/raster/operators.h"
#include "kernels/voxelize/operators.h"
#include "tests/bench/bench_walkthrough.h"
#include "tests/bench/surface_scenes.h"
#include "tests/support/uploaded_field.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>

namespace scanloupe::bench {

namespace {

template <class T>
bool same(const Buffer<T>& a, const Buffer<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

/// A backend with the name of its row.
struct Row {
    std::string name;
    Execution on;
};

std::vector<Row> rows(const std::optional<Stream>& stream) {
    std::vector<Row> all{{"CPU", {}}};
    if (stream)
        all.push_back({"CUDA", {stream->view(), {}}});
    for (const auto& device : syclDevices().usable)
        all.push_back({"SYCL: " + device->info().name, {std::nullopt, {}, device.get()}});
    return all;
}

/// Times all backends. The field is in pageable host memory: its copies to a GPU by SYCL are included in
/// `wall`, but in no step.
bool extractAll(const SurfaceScene& scene, int rounds, const std::vector<Row>& backends) {
    const ScalarField& field = scene.field;
    const TriangleMesh expected = cpu::extractSurface(field, scene.iso, {});
    std::printf("marching cubes, %s of %d^3 nodes, %zu triangles\n%-40s %9s %9s %9s %9s %9s %9s\n",
                scene.name.c_str(), scene.edge, expected.triangleCount(), "ms", "classify", "scan", "compact",
                "generate", "device", "wall");
    bool agree = true;
    for (const Row& row : backends) {
        const ScalarField there = row.on.onDevice() ? test::uploaded(field, *row.on.device) : ScalarField();
        const ScalarField& input = row.on.onDevice() ? there : field;
        std::vector<double> classify, scan, compact, generate, device, wall;
        TriangleMesh mesh;
        for (int round = 0; round < rounds; ++round) {
            mesh = {};
            const WallTimer timer;
            mesh = extractSurface(input, scene.iso, row.on);
            wall.push_back(timer.elapsedMs());
            classify.push_back(mesh.classifyMs);
            scan.push_back(mesh.scanMs);
            compact.push_back(mesh.compactMs);
            generate.push_back(mesh.generateMs);
            device.push_back(mesh.cost.deviceMs);
        }
        const TriangleMesh here = row.on.onDevice() ? mesh.download(*row.on.device) : std::move(mesh);
        const bool isSame = same(here.positions, expected.positions) &&
                            same(here.normals, expected.normals) && same(here.indices, expected.indices);
        agree = agree && isSame;
        std::printf("%-40s %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f%s\n", row.name.c_str(), median(classify),
                    median(scan), median(compact), median(generate), median(device), median(wall),
                    isSame ? "" : "  OTHER BYTES");
        std::fflush(stdout);
    }
    return agree;
}

/// The results of the chain from points to picture.
struct ChainResults {
    VoxelGrid voxels;
    ScalarField field;
    TriangleMesh mesh;
    VisibilityBuffer visibility;
    Image image;
};

/// Runs the chain on the backend of a row, and records the time of each operator.
ChainResults runChain(const Row& row, const Buffer<Vec3f>& points, const VoxelizeParams& params,
                      const Projection& projection, std::vector<double> (&times)[6]) {
    ChainResults made;
    const WallTimer whole;
    std::size_t next = 0;
    const auto timed = [&](auto&& operation) {
        const WallTimer timer;
        operation();
        if (row.on.onDevice())
            row.on.device->synchronize();
        times[next++].push_back(timer.elapsedMs());
    };
    FieldParams distance{FieldKind::signedDistance, 0, {}};
    distance.normals.sensor = Vec3f{0, 0, 1.8f};
    timed([&] {
        made.voxels = voxelize({points.data(), points.size(), {}}, points.space(), params, row.on);
    });
    timed([&] { made.field = computeField(made.voxels, distance, row.on); });
    timed([&] { made.mesh = extractSurface(made.field, 0, row.on); });
    RasterScene scene;
    scene.mesh = &made.mesh;
    RasterStats stats;
    if (row.on.onDevice()) {
        FrameRenderer renderer(scene, *row.on.device);
        timed([&] {
            DeviceFrame frame = renderer.draw(projection, {}, {});
            made.visibility = std::move(frame.visibility);
            made.image = std::move(frame.image);
        });
        times[next++].push_back(0); // shading is part of the same graph
    } else {
        timed([&] { made.visibility = rasterize(scene, projection, stats, row.on); });
        timed([&] { made.image = resolve(made.visibility, scene, projection, {}, row.on); });
    }
    times[next].push_back(whole.elapsedMs());
    return made;
}

bool chainAll(std::uint64_t points, int rounds, const std::vector<Row>& backends) {
    synth::ScanParams scan;
    scan.points = points;
    const PointCloud cloud = syntheticCloud(scan, false, {}, {});
    const Buffer<Vec3f> positions = cloud.floatView({});
    VoxelizeParams params;
    params.rangeMin = {-40, -40, -3};
    params.rangeMax = {40, 40, 13};
    params.voxelSize = {0.1f, 0.1f, 0.1f};
    Camera camera;
    camera.eye = {-45, -45, 40};
    camera.target = {0, 0, 0};
    const Projection projection(camera, 1280, 720);
    ChainResults expected;
    std::printf("the chain, %zu points\n%-40s %9s %9s %9s %9s %9s %9s\n", positions.size(), "ms", "voxelize",
                "field", "extract", "rasterize", "resolve", "whole");
    bool agree = true;
    for (const Row& row : backends) {
        Buffer<Vec3f> there;
        if (row.on.onDevice())
            there = positions.copyTo(MemorySpace::device, *row.on.device);
        else if (row.on.bySycl())
            there = row.on.sycl->shared(positions.span());
        const Buffer<Vec3f>& input = there.empty() ? positions : there;
        std::vector<double> times[6];
        ChainResults made;
        for (int round = 0; round < rounds; ++round)
            made = runChain(row, input, params, projection, times);
        if (row.on.onDevice()) {
            const StreamView stream = *row.on.device;
            made = {made.voxels.download(stream), made.field.download(stream), made.mesh.download(stream),
                    made.visibility.download(stream), made.image.download(stream)};
        }
        const bool isReference = !row.on.onDevice() && !row.on.bySycl();
        if (isReference)
            expected = std::move(made);
        const bool isSame = isReference || (same(made.voxels.keys, expected.voxels.keys) &&
                                            same(made.voxels.means, expected.voxels.means) &&
                                            same(made.voxels.counts, expected.voxels.counts) &&
                                            same(made.voxels.pointVoxel, expected.voxels.pointVoxel) &&
                                            same(made.field.values, expected.field.values) &&
                                            same(made.field.cellMask, expected.field.cellMask) &&
                                            same(made.mesh.positions, expected.mesh.positions) &&
                                            same(made.mesh.normals, expected.mesh.normals) &&
                                            same(made.mesh.indices, expected.mesh.indices) &&
                                            same(made.visibility.pixels, expected.visibility.pixels) &&
                                            same(made.image.pixels, expected.image.pixels));
        agree = agree && isSame;
        std::printf("%-40s", row.name.c_str());
        for (const std::vector<double>& stage : times)
            std::printf(" %9.3f", median(stage));
        std::printf("%s\n", isSame ? "" : "  OTHER BYTES");
        std::fflush(stdout);
    }
    std::printf("%zu voxels, %zu triangles\n", expected.voxels.size(), expected.mesh.triangleCount());
    return agree;
}

} // namespace

void addSyclOptions(CLI::App& app, SyclOptions& options) {
    app.add_option("--scenes", options.scenes, "gyroid, spheres or shell; several")
        ->check(CLI::IsMember({"gyroid", "spheres", "shell"}));
    app.add_option("--edges", options.edges, "nodes of the scenes along an axis; several numbers");
    app.add_option("--points", options.points, "of the generated street; several numbers");
    app.add_option("--rounds", options.rounds, "of which the median is told")->check(CLI::PositiveNumber);
}

int sycl(const SyclOptions& options) {
    std::optional<Stream> stream;
    if (probeDevice().usable)
        stream.emplace();
    for (const std::string& sentence : syclDevices().refused)
        std::printf("%s\n", sentence.c_str());
    const std::vector<Row> backends = rows(stream);
    bool agree = true;
    for (const int edge : options.edges)
        for (const std::string& name : options.scenes) {
            const SurfaceScene scene = name == "shell" ? shellScene(edge) : denseScene(name, edge);
            agree = extractAll(scene, options.rounds, backends) && agree;
            if (!scene.values.empty())
                walkthrough(scene, options.rounds, stream);
        }
    for (const std::uint64_t points : options.points)
        agree = chainAll(points, options.rounds, backends) && agree;
    return agree ? 0 : 1;
}

} // namespace scanloupe::bench
