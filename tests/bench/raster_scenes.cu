#include "tests/bench/raster_scenes.h"

#include "kernels/core/cuda_check.h"
#include "tests/support/bumpy_cell.h"

#include <cmath>

namespace scanloupe::bench {

using cuda::globalIndex;
using cuda::launch;

namespace {

constexpr std::uint64_t kCurveEdge = 64;

__global__ void makeVertices(test::CubeHull hull, Vec3f* positions, Vec3f* normals) {
    const std::size_t i = globalIndex();
    if (i >= hull.size())
        return;
    const test::SurfacePoint point = test::bumpySurface(hull.direction(i));
    positions[i] = point.position;
    normals[i] = point.normal;
}

__global__ void makeTriangles(test::CubeHull hull, std::uint64_t squares, bool shuffled,
                              std::uint32_t* indices) {
    const std::uint64_t i = globalIndex();
    if (i >= squares)
        return;
    std::uint32_t corners[6];
    hull.square(i, corners);
    for (std::uint64_t t = 0; t < 2; ++t) {
        const std::uint64_t place = 2 * i + t,
                            to = shuffled ? test::shuffledIndex(place, 2 * squares) : place;
        for (std::uint64_t k = 0; k < 3; ++k)
            indices[3 * to + k] = corners[3 * t + k];
    }
}

/// The even bits of `code`, as one number.
__device__ std::uint64_t evenBits(std::uint64_t code) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 6; ++i)
        bits |= (code >> (2 * i) & 1) << i;
    return bits;
}

__global__ void makePoints(std::uint64_t edge, PointRow order, Vec3f* points) {
    const std::uint64_t i = globalIndex(), side = edge * edge, count = 6 * side;
    if (i >= count)
        return;
    const std::uint64_t place = order == PointRow::shuffled ? test::shuffledIndex(i, count) : i;
    std::uint64_t u = place % side % edge, v = place % side / edge;
    if (order == PointRow::morton) {
        constexpr std::uint64_t square = kCurveEdge * kCurveEdge;
        const std::uint64_t tile = place % side / square, code = place % square, across = edge / kCurveEdge;
        u = tile % across * kCurveEdge + evenBits(code);
        v = tile / across * kCurveEdge + evenBits(code >> 1);
    }
    const std::uint64_t face = place / side, axis = face / 2;
    Vec3d direction;
    direction[static_cast<int>(axis)] = face % 2 ? 1 : -1;
    direction[static_cast<int>((axis + 1) % 3)] = (2 * static_cast<double>(u) + 1) / double(edge) - 1;
    direction[static_cast<int>((axis + 2) % 3)] = (2 * static_cast<double>(v) + 1) / double(edge) - 1;
    points[i] = test::bumpySurface(normalized(direction)).position;
}

} // namespace

TriangleMesh bumpyOnDevice(int n, bool shuffled, StreamView stream) {
    const auto edge = static_cast<std::uint64_t>(n), squares = 6 * edge * edge;
    const test::CubeHull hull(edge);
    TriangleMesh mesh;
    mesh.positions = Buffer<Vec3f>::in(MemorySpace::device, hull.size(), stream);
    mesh.normals = Buffer<Vec3f>::in(MemorySpace::device, hull.size(), stream);
    mesh.indices = Buffer<std::uint32_t>::in(MemorySpace::device, 6 * squares, stream);
    launch("makeVertices", hull.size(), stream, makeVertices, hull, mesh.positions.data(),
           mesh.normals.data());
    launch("makeTriangles", squares, stream, makeTriangles, hull, squares, shuffled, mesh.indices.data());
    stream.synchronize();
    return mesh;
}

Buffer<Vec3f> bumpyPointsOnDevice(std::uint64_t points, PointRow order, StreamView stream) {
    const auto wanted = std::sqrt(static_cast<double>(points) / 6) / static_cast<double>(kCurveEdge);
    const std::uint64_t edge = kCurveEdge * static_cast<std::uint64_t>(std::fmax(1.0, std::round(wanted)));
    auto cloud = Buffer<Vec3f>::in(MemorySpace::device, 6 * edge * edge, stream);
    launch("makePoints", cloud.size(), stream, makePoints, edge, order, cloud.data());
    stream.synchronize();
    return cloud;
}

} // namespace scanloupe::bench
