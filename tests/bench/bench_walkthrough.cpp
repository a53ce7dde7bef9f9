// Times the published walk-through by CUDA and by SYCL, step by step.
#include "tests/bench/bench_walkthrough.h"

#include "kernels/core/cost.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/sycl/sycl_device.h"
#include "tests/bench/surface_sample.h"
#include "tests/bench/sycl_sample/walkthrough_library.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>

namespace scanloupe::bench {

namespace {

/// The samples of a dense field, x fastest.
std::vector<float> samplesOf(const ScalarField& field) {
    const Vec3i dims = field.lattice.dims;
    std::vector<float> values(std::size_t(dims.x) * std::size_t(dims.y) * std::size_t(dims.z));
    for (std::size_t b = 0; b < field.brickCount(); ++b) {
        const Vec3i first = brickOf(field.brickKeys[b], field.brickDims) * kBrickEdge;
        for (int i = 0; i < kBrickNodes; ++i) {
            const Vec3i node = first + Vec3i{i % 8, i / 8 % 8, i / 64};
            if (node.x < dims.x && node.y < dims.y && node.z < dims.z)
                values[(std::size_t(node.z) * std::size_t(dims.y) + std::size_t(node.y)) *
                           std::size_t(dims.x) +
                       std::size_t(node.x)] = field.values[b * kBrickNodes + std::size_t(i)];
        }
    }
    return values;
}

/// Where our triangles have their corners, on average: the order of a soup differs.
Vec3d meanCorner(const TriangleMesh& mesh) {
    Vec3d sum;
    for (const std::uint32_t index : mesh.indices.span())
        sum += mesh.positions[index].as<double>();
    return sum / double(mesh.indices.size());
}

WalkthroughFunction libraryFunction() {
    std::error_code unknown;
    const auto path =
        std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path() / kWalkthroughLibrary;
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    return library ? reinterpret_cast<WalkthroughFunction>(dlsym(library, kWalkthroughSymbol)) : nullptr;
}

void printRow(const char* name, const double (&steps)[4], double all, const SoupSummary& soup,
              const TriangleMesh& ours) {
    const Vec3d mean = soup.cornerSum / (3.0 * double(soup.triangles)), off = mean - meanCorner(ours);
    std::printf("%-40s", name);
    for (const double step : steps) // 0: not known
        std::printf(" %9s", step > 0 ? fmt::format("{:.3f}", step).c_str() : "");
    std::printf(" %9s %9.3f  %llu voxels %s, %llu triangles %s, corners %.1e apart\n", "", all,
                (unsigned long long)soup.activeCells,
                soup.activeCells == ours.activeCells ? "alike" : "OTHER", (unsigned long long)soup.triangles,
                soup.triangles == ours.triangleCount() ? "alike" : "OTHER", norm(off));
    std::fflush(stdout);
}

} // namespace

void walkthrough(const ScalarField& dense, int rounds, const std::optional<Stream>& stream) {
    const TriangleMesh ours = cpu::extractSurface(dense, 0, {});
    const std::vector<float> values = samplesOf(dense);
    const int edge = dense.lattice.dims.x;
    if (stream) {
        SampleMarchingCubes sample(values, edge, 0, dense.insideBelow, stream->view());
        std::vector<double> times;
        for (int round = 0; round < rounds; ++round) {
            const WallTimer timer;
            sample.run(stream->view());
            stream->view().synchronize();
            times.push_back(timer.elapsedMs());
        }
        std::ranges::sort(times);
        printRow("walk-through, CUDA", {0, 0, 0, 0}, times[times.size() / 2], sample.summary(stream->view()),
                 ours);
    }
    const WalkthroughFunction run = libraryFunction();
    if (!run)
        return (void)std::printf("the walk-through was not compiled for SYCL\n");
    for (const auto& device : syclDevices().usable) {
        WalkthroughResult result;
        if (!run(device->info().name, values.data(), edge, 0, dense.insideBelow, rounds, result))
            continue;
        SoupSummary soup;
        soup.activeCells = result.occupied;
        soup.triangles = result.positions.size() / 3;
        for (const Vec3f p : result.positions)
            soup.cornerSum += p.as<double>();
        printRow(("walk-through, SYCL: " + device->info().name).c_str(),
                 {result.classifyMs, result.scanMs, result.compactMs, result.generateMs},
                 result.classifyMs + result.scanMs + result.compactMs + result.generateMs, soup, ours);
    }
}

} // namespace scanloupe::bench
