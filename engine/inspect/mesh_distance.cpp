// Measures distances between meshes at sample points of their surfaces.
#include "engine/inspect/mesh_distance.h"

#include "engine/cloud/error.h"
#include "engine/inspect/repeated_items.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/operators.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scanloupe {

namespace {

Vec3d cornerOf(const TriangleMesh& mesh, std::size_t triangle, std::size_t corner) {
    return mesh.positions[mesh.indices[3 * triangle + corner]].as<double>();
}

/// Returns the cumulative areas of the triangles, [T + 1], beginning with 0.
std::vector<double> areasBefore(const TriangleMesh& mesh) {
    std::vector<double> sums(mesh.triangleCount() + 1);
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
        const Vec3d a = cornerOf(mesh, t, 0);
        sums[t + 1] = sums[t] + norm(cross(cornerOf(mesh, t, 1) - a, cornerOf(mesh, t, 2) - a)) / 2;
    }
    return sums;
}

/// A mesh and its search tree, in the memory space of the computation.
struct Measured {
    TriangleMesh mesh;
    Bvh tree;
};
Measured placed(const TriangleMesh& mesh, const Execution& on) {
    Measured there;
    there.mesh.positions = hostCopy(mesh.positions.span());
    there.mesh.indices = hostCopy(mesh.indices.span());
    removeRepeated(there.mesh, on.stop); // otherwise each sample would be compared with all coincident
                                         // triangles
    if (on.onDevice()) {
        there.mesh.positions = there.mesh.positions.copyTo(MemorySpace::device, *on.device);
        there.mesh.indices = there.mesh.indices.copyTo(MemorySpace::device, *on.device);
    }
    there.tree = buildTriangleBvh(there.mesh, on);
    return there;
}

PointDistances distancesOf(const Buffer<Vec3f>& places, const Measured& from, const Execution& on) {
    if (!on.onDevice())
        return pointToMesh(places, from.mesh, from.tree, on);
    return pointToMesh(places.copyTo(MemorySpace::device, *on.device), from.mesh, from.tree, on);
}

SurfaceDistance distanceOf(const TriangleMesh& mesh, const Measured& from, std::size_t samples,
                           const Execution& on) {
    SurfaceDistance result;
    const auto takeLargest = [&](const Buffer<Vec3f>& places, const PointDistances& found) {
        for (std::size_t i = 0; i < places.size(); ++i)
            if (double(found.values[i]) > result.largest || (i == 0 && result.largest == 0)) {
                result.largest = double(found.values[i]);
                result.at = places[i].as<double>();
            }
    };
    const Buffer<Vec3f> places = placesOn(mesh, samples, on.stop);
    const PointDistances spread = distancesOf(places, from, on);
    result.samples = spread.stats;
    takeLargest(places, spread);
    std::vector<Vec3f> used; // vertices without triangles are not on the surface
    std::vector<std::uint8_t> isUsed(mesh.vertexCount());
    for (const std::uint32_t vertex : mesh.indices.span())
        if (!isUsed[vertex]) {
            isUsed[vertex] = 1;
            used.push_back(mesh.positions[vertex]);
        }
    const Buffer<Vec3f> vertices = hostCopy(std::span<const Vec3f>(used));
    takeLargest(vertices, distancesOf(vertices, from, on));
    return result;
}

} // namespace

Buffer<Vec3f> placesOn(const TriangleMesh& mesh, std::size_t count, const std::stop_token& stop) {
    const std::vector<double> before = areasBefore(mesh);
    if (!(before.back() > 0))
        return {};
    auto places = Buffer<Vec3f>::host(count);
    parallelFor(count, 1 << 14, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const double area = before.back() * (double(i) + 0.5) / double(count);
            const auto next = std::upper_bound(before.begin() + 1, before.end() - 1, area);
            const auto t = std::size_t(next - before.begin()) - 1;
            constexpr double plastic = 1.32471795724474602596; // the real root of x^3 = x + 1
            double whole = 0;
            double u = std::modf(0.5 + double(i) / plastic, &whole),
                   v = std::modf(0.5 + double(i) / (plastic * plastic), &whole);
            if (u + v > 1) {
                u = 1 - u;
                v = 1 - v;
            }
            const Vec3d a = cornerOf(mesh, t, 0);
            places[i] = (a + (cornerOf(mesh, t, 1) - a) * u + (cornerOf(mesh, t, 2) - a) * v).as<float>();
        }
    });
    return places;
}

MeshDistance meshDistance(const TriangleMesh& first, const TriangleMesh& second, std::size_t samples,
                          const Execution& on) {
    const WallTimer timer;
    MeshDistance result;
    const TriangleMesh* const meshes[] = {&first, &second};
    for (const std::size_t i : {0, 1}) {
        result.areas[i] = areasBefore(*meshes[i]).back();
        if (!(result.areas[i] > 0))
            throw EngineError(i == 0 ? "The area of the first mesh is 0."
                                     : "The area of the second mesh is 0.",
                              "Use another mesh, or check its unit.");
    }
    result = orOnHost(on, [&](const Execution& where) {
        MeshDistance found = result;
        found.computedOnDevice = where.onDevice();
        found.forth = distanceOf(first, placed(second, where), samples, where);
        found.back = distanceOf(second, placed(first, where), samples, where);
        return found;
    });
    result.milliseconds = timer.elapsedMs();
    return result;
}

} // namespace scanloupe
