// Divides LAZ files into slices of chunks; COPC files are divided along their octree.
#include "engine/io/las/laz/laz_slices.h"

#include "engine/io/las/laz/copc_octree.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace scanloupe {

namespace {

std::uint64_t pointsOf(const std::vector<LazSlice>& slices) {
    std::uint64_t points = 0;
    for (const LazSlice& slice : slices)
        points += slice.share.points;
    return points;
}

/// Appends a chunk to the last slice, or to a new slice with the bounds `box` if the last one would exceed
/// `most` points. @param firstSlice number of leading slices that must not change
void addChunk(std::vector<LazSlice>& slices, std::size_t firstSlice, const LazChunk& chunk, const Bounds& box,
              std::uint64_t most) {
    if (slices.size() == firstSlice || slices.back().share.points + chunk.count > most)
        slices.emplace_back().share.bounds = box;
    slices.back().share.points += chunk.count;
    slices.back().chunks.push_back(chunk);
}

/// Divides an octree into slices of subtrees.
class OctreeCutter {
public:
    OctreeCutter(const CopcOctree& octree, const LasHeader& header, std::uint64_t most)
        : m_octree(octree), m_header(header), m_box(boxOf(header)), m_most(most) {
        for (std::size_t i = 0; i < octree.nodes.size(); ++i) {
            const CopcNode& node = octree.nodes[i];
            m_nodes[keyOf(node.level, node.place)] = i;
            // adds the node's points to all subtrees that contain the node
            for (int level = node.level; level >= 0; --level)
                m_points[keyOf(level, above(node.place, node.level - level))] += node.chunk.count;
            m_deepest = std::max(m_deepest, node.level);
        }
    }

    std::vector<LazSlice> cut() {
        std::vector<LazSlice> apart;
        visit(0, {}, apart);
        std::vector<LazSlice> slices = std::move(m_coarse);
        std::ranges::move(apart, std::back_inserter(slices));
        for (LazSlice& slice : slices)
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
    /// Adds the subtree of a cube to `slices`. A subtree that is too large is split: its root goes to the
    /// coarse slices, and the children are visited.
    void visit(int level, Vec3i place, std::vector<LazSlice>& slices) {
        const std::uint64_t points = pointsOf(level, place);
        if (points == 0)
            return;
        if (points <= m_most || level == m_deepest) {
            LazSlice slice;
            addSubtree(level, place, slice);
            add(slices, std::move(slice));
            return;
        }
        if (const auto own = m_nodes.find(keyOf(level, place)); own != m_nodes.end())
            addChunk(m_coarse, 0, m_octree.nodes[own->second].chunk, m_box, m_most);
        std::vector<LazSlice> children; // slices of the children; small siblings share a slice
        for (int bits = 0; bits < 8; ++bits)
            visit(level + 1, place * 2 + Vec3i{bits & 1, bits >> 1 & 1, bits >> 2}, children);
        std::ranges::move(children, std::back_inserter(slices));
    }
    void addSubtree(int level, Vec3i place, LazSlice& slice) {
        if (pointsOf(level, place) == 0)
            return;
        if (const auto own = m_nodes.find(keyOf(level, place)); own != m_nodes.end()) {
            const CopcNode& node = m_octree.nodes[own->second];
            for (int axis = 0; axis < 3; ++axis) {
                const double slack = 2 * std::abs(m_header.scale[axis]);
                const double low = std::max(node.cube.min[axis] - slack, m_box.min[axis]),
                             high = std::min(node.cube.max[axis] + slack, m_box.max[axis]);
                slice.share.bounds.min[axis] =
                    slice.share.points > 0 ? std::min(slice.share.bounds.min[axis], low) : low;
                slice.share.bounds.max[axis] =
                    slice.share.points > 0 ? std::max(slice.share.bounds.max[axis], high) : high;
            }
            slice.share.points += node.chunk.count;
            slice.chunks.push_back(node.chunk);
        }
        for (int bits = 0; bits < 8 && level < m_deepest; ++bits)
            addSubtree(level + 1, place * 2 + Vec3i{bits & 1, bits >> 1 & 1, bits >> 2}, slice);
    }
    void add(std::vector<LazSlice>& slices, LazSlice slice) const {
        if (slices.empty() || slices.back().share.points + slice.share.points > m_most) {
            slices.push_back(std::move(slice));
            return;
        }
        LazSlice& last = slices.back();
        last.share.points += slice.share.points;
        last.share.bounds = {min(last.share.bounds.min, slice.share.bounds.min),
                             max(last.share.bounds.max, slice.share.bounds.max)};
        std::ranges::move(slice.chunks, std::back_inserter(last.chunks));
    }

    const CopcOctree& m_octree;
    const LasHeader& m_header;
    Bounds m_box;
    std::uint64_t m_most;
    std::map<Key, std::size_t> m_nodes;
    std::map<Key, std::uint64_t> m_points; // number of points in each subtree
    std::vector<LazSlice> m_coarse;
    int m_deepest = 0;
};

} // namespace

std::vector<LazSlice> lazSlices(const InputFile& file, const LasHeader& header, std::uint64_t most,
                                const std::stop_token& stop) {
    const LaszipVlr vlr = readLaszipVlr(file, header);
    std::vector<LazSlice> slices;
    if (isCopc(header, vlr)) {
        const CopcOctree octree = readCopcOctree(file, header, CopcPages::all, stop);
        if (octree.points() == header.points)
            slices = OctreeCutter(octree, header, most).cut();
        if (pointsOf(slices) != header.points)
            slices.clear(); // the octree is damaged, so the file is divided by its chunks
    }
    if (slices.empty())
        for (const LazChunk& chunk : findLazChunks(file, header, vlr, stop).chunks)
            addChunk(slices, 0, chunk, boxOf(header), most);
    return slices;
}

std::vector<LasSlice> compressedLasSlices(const InputFile& file, const LasHeader& header, std::uint64_t most,
                                          const std::stop_token& stop) {
    std::vector<LasSlice> shares;
    for (const LazSlice& slice : lazSlices(file, header, most, stop))
        shares.push_back(slice.share);
    return shares;
}

} // namespace scanloupe
