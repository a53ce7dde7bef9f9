// Times marching cubes and voxelization by SYCL beside the other backends.
#include "tests/bench/bench_sycl.h"

#include "engine/synth/synthetic_cloud.h"
#include "kernels/core/device.h"
#include "kernels/core/device_copy.h"
#include "kernels/mesh/operators.h"
#include "kernels/voxelize/operators.h"
#include "tests/support/uploaded_field.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>

namespace scanloupe::bench {

namespace {

/// Milliseconds of a step in several rounds.
double median(std::vector<double> times) {
    std::ranges::sort(times);
    return times[times.size() / 2];
}

ScalarField gyroid(int edge) {
    const double step = 8 * 3.14159265358979 / edge;
    std::vector<float> values;
    values.reserve(std::size_t(edge) * std::size_t(edge) * std::size_t(edge));
    std::vector<float> sine, cosine;
    for (int i = 0; i < edge; ++i) {
        sine.push_back(float(std::sin(i * step)));
        cosine.push_back(float(std::cos(i * step)));
    }
    const auto at = [](const std::vector<float>& table, int i) { return table[std::size_t(i)]; };
    for (int z = 0; z < edge; ++z)
        for (int y = 0; y < edge; ++y)
            for (int x = 0; x < edge; ++x)
                values.push_back(at(sine, x) * at(cosine, y) + at(sine, y) * at(cosine, z) +
                                 at(sine, z) * at(cosine, x));
    return cpu::volumeField(values, {{}, {1, 1, 1}, {edge, edge, edge}}, false, false, {});
}

template <class T>
bool same(const Buffer<T>& a, const Buffer<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

/// A backend with a name for its row.
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

/// A field in memory that SYCL reaches without a copy, as the stage before would leave it.
bool extractAll(int edge, int rounds, const std::vector<Row>& backends) {
    const ScalarField field = gyroid(edge);
    const TriangleMesh expected = cpu::extractSurface(field, 0, {});
    std::printf("marching cubes, gyroid of %d^3 nodes, %zu triangles\n%-40s %9s %9s %9s %9s %9s %9s\n", edge,
                expected.triangleCount(), "ms", "classify", "scan", "compact", "generate", "device", "wall");
    bool agree = true;
    for (const Row& row : backends) {
        const ScalarField there = row.on.onDevice() ? test::uploaded(field, *row.on.device) : ScalarField();
        const ScalarField& input = row.on.onDevice() ? there : field;
        std::vector<double> classify, scan, compact, generate, device, wall;
        TriangleMesh mesh;
        for (int round = 0; round < rounds; ++round) {
            mesh = {};
            const WallTimer timer;
            mesh = extractSurface(input, 0, row.on);
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

bool voxelizeAll(std::uint64_t points, int rounds, const std::vector<Row>& backends) {
    synth::ScanParams scan;
    scan.points = points;
    const PointCloud cloud = syntheticCloud(scan, false, {}, {});
    const Buffer<Vec3f> positions = cloud.floatView({});
    VoxelizeParams params;
    params.rangeMin = {-40, -40, -3};
    params.rangeMax = {40, 40, 13};
    params.voxelSize = {0.1f, 0.1f, 0.1f};
    const VoxelGrid expected = cpu::voxelize({positions.data(), positions.size(), {}}, params, {});
    std::printf("voxelization, %zu points, %zu voxels\n%-40s %9s %9s\n", positions.size(), expected.size(),
                "ms", "device", "wall");
    bool agree = true;
    for (const Row& row : backends) {
        Buffer<Vec3f> there;
        if (row.on.onDevice())
            there = positions.copyTo(MemorySpace::device, *row.on.device);
        else if (row.on.bySycl())
            there = row.on.sycl->shared(positions.span());
        const Buffer<Vec3f>& input = there.empty() ? positions : there;
        std::vector<double> device, wall;
        VoxelGrid grid;
        for (int round = 0; round < rounds; ++round) {
            grid = {};
            const WallTimer timer;
            grid = voxelize({input.data(), input.size(), {}}, input.space(), params, row.on);
            wall.push_back(timer.elapsedMs());
            device.push_back(grid.cost.deviceMs);
        }
        const VoxelGrid here = row.on.onDevice() ? grid.download(*row.on.device) : std::move(grid);
        const bool isSame = same(here.keys, expected.keys) && same(here.means, expected.means) &&
                            same(here.counts, expected.counts) && same(here.pointVoxel, expected.pointVoxel);
        agree = agree && isSame;
        std::printf("%-40s %9.3f %9.3f%s\n", row.name.c_str(), median(device), median(wall),
                    isSame ? "" : "  OTHER BYTES");
        std::fflush(stdout);
    }
    return agree;
}

} // namespace

void addSyclOptions(CLI::App& app, SyclOptions& options) {
    app.add_option("--edges", options.edges, "nodes of the gyroid along an axis; several numbers");
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
        agree = extractAll(edge, options.rounds, backends) && agree;
    for (const std::uint64_t points : options.points)
        agree = voxelizeAll(points, options.rounds, backends) && agree;
    return agree ? 0 : 1;
}

} // namespace scanloupe::bench
