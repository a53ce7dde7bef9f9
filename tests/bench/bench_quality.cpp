// Benchmark of mesh clean-up and quality figures, on the bumpy sphere of the benchmarks.
#include "engine/io/writers.h"
#include "kernels/core/buffer.h"
#include "kernels/core/device.h"
#include "kernels/core/stream.h"
#include "kernels/mesh/cleanup/mesh_cleanup.h"
#include "kernels/mesh/distance/signed_distance.h"
#include "kernels/mesh/distance/surface_distance.h"
#include "tests/bench/bench.h"
#include "tests/support/bench_scenes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe::bench {

namespace {

/// The bumpy sphere with approximately `triangles` triangles.
TriangleMesh bumpyOf(std::uint64_t triangles) {
    const test::BenchMesh made = test::bumpyMesh(std::max(1, int(std::sqrt(double(triangles) / 12))));
    TriangleMesh mesh;
    mesh.positions = hostCopy(std::span(made.positions));
    mesh.normals = hostCopy(std::span(made.normals));
    mesh.indices = hostCopy(std::span(made.indices));
    return mesh;
}

/// Points of the bumpy sphere, with radial noise of up to 1 mm.
std::vector<Vec3f> noisyPoints(std::uint64_t count) {
    std::vector<Vec3f> points = test::bumpyPoints(count);
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i] *= 1 + 0.002f * (float(test::shuffledIndex(i, count)) / float(count) - 0.5f);
    return points;
}

template <class F>
double medianMs(int repeats, F&& action) {
    std::vector<double> times;
    for (int i = 0; i < repeats + 1; ++i) {
        const WallTimer timer;
        action();
        times.push_back(timer.elapsedMs());
    }
    times.erase(times.begin()); // warm-up
    std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
    return times[times.size() / 2];
}

} // namespace

int quality(const QualityOptions& options) {
    const TriangleMesh mesh = bumpyOf(options.triangles);
    const std::vector<Vec3f> points = noisyPoints(options.points);
    const Bvh tree = cpu::buildTriangleBvh(mesh, {}), pointTree = cpu::buildPointBvh(points, {});
    const DecimatedMesh tenth = cpu::decimate(mesh, mesh.triangleCount() / 10, {});
    const std::vector<Vec3f> some = noisyPoints(32'768);
    const PointDistances all = cpu::pointToMesh(points, mesh, tree, {});
    fmt::print(
        "{} triangles, {} points; Euler number {}, distances: mean {:.3g}, 95 % {:.3g}, at most {:.3g} m; "
        "a tenth: {} triangles\n",
        mesh.triangleCount(), points.size(), analyseTopology(mesh).euler, all.stats.mean, all.stats.p95,
        all.stats.max, tenth.mesh.triangleCount());

    nlohmann::ordered_json json{{"triangles", mesh.triangleCount()}, {"points", points.size()}};
    const auto row = [&](const char* name, auto&& action) {
        const double ms = medianMs(options.repeats, action);
        fmt::print("{:<28} {:9.1f} ms\n", name, ms);
        json[name] = ms;
    };
    row("topology", [&] { analyseTopology(mesh); });
    row("small components", [&] { cpu::removeSmallComponents(mesh, 100, {}); });
    row("decimation to a tenth", [&] { cpu::decimate(mesh, mesh.triangleCount() / 10, {}); });
    row("tree of triangles", [&] { cpu::buildTriangleBvh(mesh, {}); });
    row("32,768 points to mesh", [&] { cpu::pointToMesh(some, mesh, tree, {}); });
    row("all points to mesh", [&] { cpu::pointToMesh(points, mesh, tree, {}); });
    row("welding", [&] { weldedMesh(mesh, {}); });
    row("pseudonormals", [&] { pseudonormalsOf(mesh, {}); });
    const Pseudonormals normals = pseudonormalsOf(mesh, {});
    row("all points to mesh, signed",
        [&] { cpu::signedDistances(points, mesh, tree, normals, kAnyDistance, {}); });
    row("tree of points", [&] { cpu::buildPointBvh(points, {}); });
    row("vertices to points", [&] { distancesToPoints(mesh.positions.span(), points, pointTree, {}); });
    if (probeDevice().usable) {
        const Stream stream;
        const auto onDevice = [&](const auto& buffer) { return buffer.copyTo(MemorySpace::device, stream); };
        TriangleMesh there;
        there.positions = onDevice(mesh.positions);
        there.indices = onDevice(mesh.indices);
        const auto pointsThere = onDevice(hostCopy(std::span<const Vec3f>(points)));
        const Bvh treeThere = cuda::buildTriangleBvh(there, {}, stream),
                  pointTreeThere = cuda::buildPointBvh(pointsThere, {}, stream);
        if (!std::ranges::equal(cuda::pointToMesh(pointsThere, there, treeThere, {}, stream).values.span(),
                                all.values.span()))
            throw KernelError("the device's distances differ from the host's", "Run the tests.");
        row("tree of triangles, CUDA", [&] {
            const Bvh made = cuda::buildTriangleBvh(there, {}, stream);
            stream.view().synchronize();
        });
        row("all points to mesh, CUDA",
            [&] { cuda::pointToMesh(pointsThere, there, treeThere, {}, stream); });
        const Pseudonormals normalsThere = normals.copyTo(MemorySpace::device, stream);
        const SignedDistances signedThere =
            cuda::signedDistances(pointsThere, there, treeThere, normalsThere, kAnyDistance, {}, stream);
        const SignedDistances signedHere =
            cpu::signedDistances(points, mesh, tree, normals, kAnyDistance, {});
        if (!std::ranges::equal(signedThere.values.span(), signedHere.values.span()) ||
            !std::ranges::equal(signedThere.features.span(), signedHere.features.span()))
            throw KernelError("the device's signed distances differ from the host's", "Run the tests.");
        row("all points to mesh, signed, CUDA", [&] {
            cuda::signedDistances(pointsThere, there, treeThere, normalsThere, kAnyDistance, {}, stream);
        });
        fmt::print("  on the device {:.2f} ms\n", signedThere.cost.deviceMs);
        row("tree of points, CUDA", [&] {
            const Bvh made = cuda::buildPointBvh(pointsThere, {}, stream);
            stream.view().synchronize();
        });
        row("vertices to points, CUDA", [&] {
            distancesToPoints(there.positions.view(), pointsThere.view(), pointTreeThere, {stream, {}});
        });
    }
    if (!options.json.empty())
        writeAtomically(options.json, [&](std::ostream& out) { out << json.dump(2) << '\n'; });
    return 0;
}

} // namespace scanloupe::bench
