// Times the published walk-through in CUDA and in SYCL, step by step.
#include "tests/bench/bench_walkthrough.h"

#include "kernels/core/cost.h"
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

/// The mean over all corners of our triangles: comparable with a soup, whose order differs.
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
    for (const double step : steps) // 0: unknown
        std::printf(" %9s", step > 0 ? fmt::format("{:.3f}", step).c_str() : "");
    std::printf(" %9s %9.3f  %llu voxels %s, %llu triangles %s, corners %.1e apart\n", "", all,
                (unsigned long long)soup.activeCells,
                soup.activeCells == ours.activeCells ? "alike" : "OTHER", (unsigned long long)soup.triangles,
                soup.triangles == ours.triangleCount() ? "alike" : "OTHER", norm(off));
    std::fflush(stdout);
}

} // namespace

void walkthrough(const SurfaceScene& dense, int rounds, const std::optional<Stream>& stream) {
    const TriangleMesh ours = cpu::extractSurface(dense.field, dense.iso, {});
    const int edge = dense.edge;
    const float iso = dense.iso;
    const bool insideBelow = dense.field.insideBelow;
    if (stream) {
        SampleMarchingCubes sample(dense.values, edge, iso, insideBelow, stream->view());
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
        if (!run(device->info().name, dense.values.data(), edge, iso, insideBelow, rounds, result))
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
