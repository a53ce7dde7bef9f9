// Cuts LAS and LAZ files into slices: by rows, by chunks, or by the octree of COPC.
#include "engine/io/las/las_slices.h"

#include "engine/cloud/error.h"
#include "engine/io/las/laz/copc_octree.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace scanloupe {

Bounds boxOf(const LasHeader& header) {
    Bounds box;
    for (int axis = 0; axis < 3; ++axis) {
        const double slack = 2 * std::abs(header.scale[axis]);
        box.min[axis] = header.min[axis] - slack;
        box.max[axis] = header.max[axis] + slack;
    }
    return box;
}

namespace {

std::vector<LasSlice> slicesOfRows(const LasHeader& header, std::uint64_t most) {
    const std::uint64_t count = std::max<std::uint64_t>((header.points + most - 1) / most, 1);
    std::vector<LasSlice> slices;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t first = header.points / count * i + std::min(i, header.points % count),
                            points = header.points / count + (i < header.points % count ? 1 : 0);
        slices.push_back({points, boxOf(header), first});
    }
    return slices;
}

/// Collects chunks into slices of one box.
void addChunk(std::vector<LasSlice>& slices, std::size_t firstSlice, const LazChunk& chunk, const Bounds& box,
              std::uint64_t most) {
    if (slices.size() == firstSlice || slices.back().points + chunk.count > most)
        slices.push_back({0, box, 0});
    slices.back().points += chunk.count;
    slices.back().chunks.push_back(chunk);
}

/// Cuts an octree into subtrees.
class OctreeCutter {
public:
    OctreeCutter(const CopcOctree& octree, const LasHeader& header, std::uint64_t most)
        : m_octree(octree), m_header(header), m_box(boxOf(header)), m_most(most) {
        for (std::size_t i = 0; i < octree.nodes.size(); ++i) {
            const CopcNode& node = octree.nodes[i];
            m_nodes[keyOf(node.level, node.place)] = i;
            for (int level = node.level; level >= 0; --level) // of the subtrees that it is in
                m_points[keyOf(level, above(node.place, node.level - level))] += node.chunk.count;
            m_deepest = std::max(m_deepest, node.level);
        }
    }

    std::vector<LasSlice> cut() {
        std::vector<LasSlice> apart;
        visit(0, {}, apart);
        std::vector<LasSlice> slices = std::move(m_coarse);
        std::ranges::move(apart, std::back_inserter(slices));
        for (LasSlice& slice : slices)
            std::ranges::sort(slice.chunks, {}, &LazChunk::begin);
        return slices;
    }

private:
    using Key = std::tuple<int, int, int, int>;
    static Key keyOf(int level, Vec3i place) { return {level, place.x, place.y, place.z}; }
    static Vec3i above(Vec3i place, int levels) {
        return {place.x >> levels, place.y >> levels, place.z >> levels};
    }

    std::uint64_t pointsOf(int level, Vec3i place) const {
        const auto found = m_points.find(keyOf(level, place));
        return found == m_points.end() ? 0 : found->second;
    }
    /// Adds the subtree of a cube: as a whole where it is small enough, else its own chunk to the coarse
    /// ones, and its children.
    void visit(int level, Vec3i place, std::vector<LasSlice>& slices) {
        const std::uint64_t points = pointsOf(level, place);
        if (points == 0)
            return;
        if (points <= m_most || level == m_deepest) {
            LasSlice slice;
            addSubtree(level, place, slice);
            add(slices, std::move(slice));
            return;
        }
        if (const auto own = m_nodes.find(keyOf(level, place)); own != m_nodes.end())
            addChunk(m_coarse, 0, m_octree.nodes[own->second].chunk, m_box, m_most);
        std::vector<LasSlice> children; // small ones of one parent become one slice
        for (int bits = 0; bits < 8; ++bits)
            visit(level + 1, place * 2 + Vec3i{bits & 1, bits >> 1 & 1, bits >> 2}, children);
        std::ranges::move(children, std::back_inserter(slices));
    }
    void addSubtree(int level, Vec3i place, LasSlice& slice) {
        if (pointsOf(level, place) == 0)
            return;
        if (const auto own = m_nodes.find(keyOf(level, place)); own != m_nodes.end()) {
            const CopcNode& node = m_octree.nodes[own->second];
            for (int axis = 0; axis < 3; ++axis) {
                const double slack = 2 * std::abs(m_header.scale[axis]);
                const double low = std::max(node.cube.min[axis] - slack, m_box.min[axis]),
                             high = std::min(node.cube.max[axis] + slack, m_box.max[axis]);
                slice.bounds.min[axis] = slice.points > 0 ? std::min(slice.bounds.min[axis], low) : low;
                slice.bounds.max[axis] = slice.points > 0 ? std::max(slice.bounds.max[axis], high) : high;
            }
            slice.points += node.chunk.count;
            slice.chunks.push_back(node.chunk);
        }
        for (int bits = 0; bits < 8 && level < m_deepest; ++bits)
            addSubtree(level + 1, place * 2 + Vec3i{bits & 1, bits >> 1 & 1, bits >> 2}, slice);
    }
    void add(std::vector<LasSlice>& slices, LasSlice slice) const {
        if (slices.empty() || slices.back().points + slice.points > m_most) {
            slices.push_back(std::move(slice));
            return;
        }
        LasSlice& last = slices.back();
        last.points += slice.points;
        last.bounds = {min(last.bounds.min, slice.bounds.min), max(last.bounds.max, slice.bounds.max)};
        std::ranges::move(slice.chunks, std::back_inserter(last.chunks));
    }

    const CopcOctree& m_octree;
    const LasHeader& m_header;
    Bounds m_box;
    std::uint64_t m_most;
    std::map<Key, std::size_t> m_nodes;
    std::map<Key, std::uint64_t> m_points; // of subtrees
    std::vector<LasSlice> m_coarse;
    int m_deepest = 0;
};

} // namespace

std::vector<LasSlice> lasSlices(const InputFile& file, const LasHeader& header, std::uint64_t most,
                                const std::stop_token& stop) {
    if (!header.compressed)
        return slicesOfRows(header, most);
    const LaszipVlr vlr = readLaszipVlr(file, header);
    const LazChunks found = findLazChunks(file, header, vlr, stop);
    if (isCopc(header, vlr)) {
        const CopcOctree octree = readCopcOctree(file, header, CopcPages::all, stop);
        if (octree.points() == header.points)
            return OctreeCutter(octree, header, most).cut();
    }
    std::vector<LasSlice> slices;
    for (const LazChunk& chunk : found.chunks)
        addChunk(slices, 0, chunk, boxOf(header), most);
    return slices;
}

LasSlice lasSlice(const InputFile& file, const LasHeader& header, const FileSlice& wanted,
                  const std::stop_token& stop) {
    std::vector<LasSlice> slices = lasSlices(file, header, wanted.most, stop);
    if (wanted.index >= slices.size())
        throw EngineError(fmt::format("'{}' has changed while it was read", file.name()),
                          "Read it again once nothing writes to it.");
    return std::move(slices[wanted.index]);
}

} // namespace scanloupe
