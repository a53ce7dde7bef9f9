// Removes coincident triangles and points.
#include "engine/inspect/repeated_items.h"

#include "engine/inspect/reference.h"
#include "kernels/core/first_occurrences.h"
#include "kernels/mesh/core/mesh_subset.h"
#include "kernels/mesh/distance/coinciding_points.h"

#include <algorithm>
#include <array>

namespace scanloupe {

namespace {

/// Returns the elements at some indices. @tparam T consists of three floats or three indices
template <class T, std::size_t width>
Buffer<T> rowsOf(const Buffer<T>& all, std::span<const std::uint64_t> rows) {
    auto some = Buffer<T>::host(width * rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::copy_n(all.data() + width * rows[i], width, some.data() + width * i);
    return some;
}

} // namespace

std::uint64_t removeRepeated(TriangleMesh& mesh, const std::stop_token& stop) {
    const std::size_t triangles = mesh.triangleCount();
    const auto cornersOf = [&](std::size_t t) {
        std::array corners{mesh.indices[3 * t], mesh.indices[3 * t + 1], mesh.indices[3 * t + 2]};
        std::rotate(corners.begin(), std::ranges::min_element(corners), corners.end());
        return corners;
    };
    const auto first = firstOccurrences(triangles, cornersOf, stop);
    const auto kept = selectIndices(triangles, stop, [&](std::size_t t) { return first[t] == t; });
    if (kept.size() < triangles)
        mesh.indices = rowsOf<std::uint32_t, 3>(mesh.indices, kept);
    return triangles - kept.size();
}

std::uint64_t removeRepeated(ReferenceScan& scan, const std::stop_token& stop) {
    if (!isCrowded(scan.tree, {std::nullopt, stop}))
        return 0;
    const std::size_t points = scan.points.size();
    const auto first = firstOccurrences(
        points, [&](std::size_t i) { return positionKey(scan.points[i]); }, stop);
    const auto kept = selectIndices(
        points, stop, [&](std::size_t i) { return first[i] == i || !isFinite(scan.points[i]); });
    if (kept.size() == points)
        return 0;
    scan.points = rowsOf<Vec3f, 1>(scan.points, kept);
    if (!scan.normals.empty())
        scan.normals = rowsOf<Vec3f, 1>(scan.normals, kept);
    scan.tree = cpu::buildPointBvh(scan.points.span(), stop);
    return points - kept.size();
}

} // namespace scanloupe
