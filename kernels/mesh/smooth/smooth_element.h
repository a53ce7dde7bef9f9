#pragma once
// Finds the neighbours of a vertex, moves the vertex, and computes its normal, for both backends. Lists are
// sorted, so that sums are computed in a fixed order.
#include "kernels/core/hd.h"
#include "kernels/core/square_root.h"
#include "kernels/core/vec3.h"

#include <cstdint>

namespace scanloupe {

/// Marks an edge from a vertex to itself; greater than all other values.
inline constexpr std::uint64_t kNoEdge = ~std::uint64_t{0};

/// Moves an item of a heap down to its place. @param count number of items in the heap
HD inline void siftDown(std::uint64_t* items, std::uint64_t at, std::uint64_t count) {
    const std::uint64_t item = items[at];
    for (std::uint64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && items[child + 1] > items[child])
            ++child;
        if (items[child] <= item)
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = item;
}

/// Sorts the few items of a vertex in place, by insertion sort, or by heap sort if there are many.
HD inline void sortItems(std::uint64_t* items, std::uint64_t count) {
    constexpr std::uint64_t few = 32; // a typical vertex has six triangles and twelve edges
    if (count > few) {
        for (std::uint64_t i = count / 2; i-- > 0;)
            siftDown(items, i, count);
        for (std::uint64_t last = count - 1; last > 0; --last) {
            const std::uint64_t largest = items[0];
            items[0] = items[last];
            items[last] = largest;
            siftDown(items, 0, last);
        }
        return;
    }
    for (std::uint64_t i = 1; i < count; ++i) {
        const std::uint64_t item = items[i];
        std::uint64_t at = i;
        for (; at > 0 && items[at - 1] > item; --at)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/// All edges between a vertex and one of its neighbours.
struct EdgeGroup {
    std::uint64_t neighbour;
    std::uint64_t end; ///< index of the next neighbour's first edge
    bool isBoundary;   ///< true if the edges in both directions differ in number
};

/// Returns the group of edges that starts at `begin`. @param edges sorted numbers: neighbour << 1 | (1 if the
/// edge starts at the neighbour)
HD inline EdgeGroup edgeGroup(const std::uint64_t* edges, std::uint64_t begin, std::uint64_t count) {
    const std::uint64_t neighbour = edges[begin] >> 1;
    std::uint64_t end = begin, incoming = 0;
    for (; end < count && edges[end] >> 1 == neighbour; ++end)
        incoming += edges[end] & 1;
    return {neighbour, end, 2 * incoming != end - begin};
}

/// Sorts the edges of a vertex, and replaces the first ones by the neighbours that the vertex is moved
/// towards, ascending: the neighbours along boundary edges if there are any, otherwise all neighbours.
/// @returns the number of these neighbours
HD inline std::uint64_t selectNeighbours(std::uint64_t* edges, std::uint64_t count) {
    sortItems(edges, count);
    while (count > 0 && edges[count - 1] == kNoEdge)
        --count;
    bool onBoundary = false;
    for (std::uint64_t i = 0; i < count;) {
        const EdgeGroup group = edgeGroup(edges, i, count);
        onBoundary = onBoundary || group.isBoundary;
        i = group.end;
    }
    std::uint64_t kept = 0;
    for (std::uint64_t i = 0; i < count;) {
        const EdgeGroup group = edgeGroup(edges, i, count);
        if (group.isBoundary == onBoundary)
            edges[kept++] = group.neighbour;
        i = group.end;
    }
    return kept;
}

/// The triangles and neighbours of all vertices, in the memory of the backend.
struct SmoothLists {
    const std::uint32_t* indices;        ///< [T, 3] vertices of the triangles
    const std::uint64_t* firstCorner;    ///< [M + 1] index of each vertex's first corner in `corners`
    std::uint64_t* corners;              ///< [3 T] positions in `indices`, grouped by vertex
    std::uint64_t* edges;                ///< [6 T] two edges per corner
    const std::uint64_t* firstNeighbour; ///< [M + 1] index of each vertex's first neighbour
    std::uint32_t* neighbours;

    /// Sorts the corners of a vertex and lists its edges. @returns the number of its neighbours
    HD std::uint64_t listEdges(std::uint64_t vertex) const {
        const std::uint64_t begin = firstCorner[vertex], count = firstCorner[vertex + 1] - begin;
        sortItems(corners + begin, count);
        std::uint64_t* const own = edges + 2 * begin;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t corner = corners[begin + i], first = corner / 3 * 3;
            const std::uint32_t next = indices[first + (corner + 1) % 3],
                                last = indices[first + (corner + 2) % 3];
            own[2 * i] = next == vertex ? kNoEdge : std::uint64_t{next} << 1;
            own[2 * i + 1] = last == vertex ? kNoEdge : std::uint64_t{last} << 1 | 1;
        }
        return selectNeighbours(own, 2 * count);
    }
    HD void packNeighbours(std::uint64_t vertex) const {
        const std::uint64_t begin = firstNeighbour[vertex], count = firstNeighbour[vertex + 1] - begin;
        const std::uint64_t* const own = edges + 2 * firstCorner[vertex];
        for (std::uint64_t i = 0; i < count; ++i)
            neighbours[begin + i] = static_cast<std::uint32_t>(own[i]);
    }
    /// Returns the position of a vertex after moving it by `factor` times its Laplacian, the mean offset to
    /// its neighbours.
    HD Vec3f moved(std::uint64_t vertex, const Vec3f* positions, float factor) const {
        const Vec3f at = positions[vertex];
        const std::uint64_t begin = firstNeighbour[vertex], end = firstNeighbour[vertex + 1];
        if (begin == end)
            return at;
        Vec3f sum{};
        for (std::uint64_t i = begin; i < end; ++i)
            sum += positions[neighbours[i]] - at;
        return at + sum * (factor / static_cast<float>(end - begin));
    }
    /// Returns the unit normal of a triangle, times twice its area.
    HD Vec3d areaVector(std::uint64_t triangle, const Vec3f* positions) const {
        const Vec3d a = positions[indices[3 * triangle]].as<double>();
        const Vec3d b = positions[indices[3 * triangle + 1]].as<double>();
        const Vec3d c = positions[indices[3 * triangle + 2]].as<double>();
        return cross(b - a, c - a);
    }
    /// Returns the unit normal of a vertex; `given` if its area vectors sum to zero.
    HD Vec3f normal(std::uint64_t vertex, const Vec3f* positions, Vec3f given) const {
        Vec3d sum{};
        for (std::uint64_t i = firstCorner[vertex]; i < firstCorner[vertex + 1]; ++i)
            sum += areaVector(corners[i] / 3, positions);
        const double squared = squaredNorm(sum);
        if (!(squared >= 1e-300 && squared <= 1e300)) // the square root of smaller values is not exact
            return given;
        return (sum / squareRoot(squared)).as<float>();
    }
};

} // namespace scanloupe
