// Reads the octree of COPC files and selects nodes.
#include "engine/io/las/laz/copc_octree.h"

#include "engine/io/common/little_endian.h"
#include "engine/io/common/read_options.h"
#include "engine/io/las/read_las.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace scanloupe {

namespace {

// Offsets in the info record (user id "copc", record 1), and in an entry of the hierarchy.
constexpr std::size_t kInfoSize = 160, kCenter = 0, kHalfSize = 24, kSpacing = 32, kRootOffset = 40,
                      kRootSize = 48;
constexpr std::size_t kEntrySize = 32, kOffset = 16, kByteSize = 24, kPointCount = 28;
constexpr int kDeepest = 31; // maximum level, since keys have 32 bits

/// A part of the file that consists of hierarchy entries.
struct Page {
    std::uint64_t offset = 0, size = 0;
};
using Key = std::array<std::int32_t, 4>; ///< level, x, y, z

/// Returns the entries of a page; empty if the page is outside the file.
std::vector<std::byte> readPage(const InputFile& file, const Page& page) {
    if (page.offset > file.size() || page.size > file.size() - page.offset)
        return {};
    std::vector<std::byte> entries(static_cast<std::size_t>(page.size));
    file.read(page.offset, entries);
    return entries;
}

} // namespace

std::uint64_t CopcOctree::points() const {
    std::uint64_t sum = 0;
    for (const CopcNode& node : nodes)
        sum += node.chunk.count;
    return sum;
}

bool isCopc(const LasHeader& header, const LaszipVlr& vlr) {
    const LasVlrHeader* const info = header.findVlr("copc", 1);
    return info && info->length >= kInfoSize && vlr.compressor == LaszipVlr::Compressor::layered;
}

bool hasOctree(const InputFile& file) {
    const LasHeader header = readLasHeader(file);
    return header.compressed && haveLaszip() && isCopc(header, readLaszipVlr(file, header));
}

CopcOctree readCopcOctree(const InputFile& file, const LasHeader& header, CopcPages pages,
                          const std::stop_token& stop) {
    std::byte head[kInfoSize];
    file.read(header.findVlr("copc", 1)->offset, std::span<std::byte>(head));
    const auto number = [&](std::size_t place) { return loadLittle<double>(head + place); };
    const Vec3d center{number(kCenter), number(kCenter + 8), number(kCenter + 16)};
    const double half = number(kHalfSize);
    CopcOctree octree;
    octree.spacing = number(kSpacing);
    if (!isFinite(center) || !std::isfinite(half) || !std::isfinite(octree.spacing) || half <= 0 ||
        octree.spacing <= 0)
        return octree;
    std::set<Key> seen;
    std::uint64_t pageBytes = 0;
    std::vector<Page> open{
        {loadLittle<std::uint64_t>(head + kRootOffset), loadLittle<std::uint64_t>(head + kRootSize)}};
    while (!open.empty()) {
        if (stop.stop_requested())
            throw Cancelled();
        const Page page = open.back();
        open.pop_back();
        if (page.size > file.size() - std::min(pageBytes, file.size()))
            return {octree.spacing, {}}; // pages overlap or refer to each other
        pageBytes += page.size;
        const std::vector<std::byte> entries = readPage(file, page);
        for (std::size_t at = 0; at + kEntrySize <= entries.size(); at += kEntrySize) {
            const std::byte* const entry = entries.data() + at;
            Key key;
            for (std::size_t i = 0; i < key.size(); ++i)
                key[i] = loadLittle<std::int32_t>(entry + 4 * i);
            const auto begin = loadLittle<std::uint64_t>(entry + kOffset);
            const auto bytes = loadLittle<std::int32_t>(entry + kByteSize);
            const auto points = loadLittle<std::int32_t>(entry + kPointCount);
            if (bytes <= 0 || key[0] < 0 || key[0] > kDeepest)
                continue;
            if (points == -1 && pages == CopcPages::all)
                open.push_back({begin, std::uint64_t(bytes)});
            if (points <= 0 || begin < header.pointOffset + 8 || begin > file.size() ||
                std::uint64_t(bytes) > file.size() - begin || !seen.insert(key).second)
                continue;
            const double edge = std::ldexp(2 * half, -key[0]);
            const Vec3d low = center - Vec3d{half, half, half} +
                              Vec3d{double(key[1]), double(key[2]), double(key[3])} * edge;
            octree.nodes.push_back({key[0],
                                    {key[1], key[2], key[3]},
                                    {low, low + Vec3d{edge, edge, edge}},
                                    {0, std::uint64_t(points), begin, begin + std::uint64_t(bytes)}});
        }
    }
    std::ranges::stable_sort(octree.nodes, {}, &CopcNode::level);
    return octree;
}

std::vector<LazChunk> chooseNodes(const CopcOctree& octree, const OctreeReading& wanted) {
    std::vector<LazChunk> chunks;
    for (const CopcNode& node : octree.nodes) {
        const double spacingAbove = std::ldexp(octree.spacing, 1 - node.level);
        if (node.level > octree.nodes.front().level && wanted.resolution > 0 &&
            spacingAbove <= wanted.resolution)
            continue;
        bool meets = true;
        for (int axis = 0; axis < 3 && wanted.range; ++axis)
            meets = meets && node.cube.min[axis] <= wanted.range->max[axis] &&
                    node.cube.max[axis] >= wanted.range->min[axis];
        if (meets)
            chunks.push_back(node.chunk);
    }
    std::ranges::sort(chunks, {}, &LazChunk::begin);
    return chunks;
}

ViewChunks chooseNodes(const CopcOctree& octree, const ViewDetail& view) {
    std::vector<DetailNode> nodes; // in order of levels, so that parents precede their children
    std::map<Key, std::uint32_t> numbers;
    std::vector<char> hasChildren(octree.nodes.size());
    for (const CopcNode& node : octree.nodes) {
        DetailNode detail{node.cube, std::ldexp(octree.spacing, -node.level), node.chunk.count};
        detail.refinement = DetailRefinement::add;
        for (int up = 1; up <= node.level && detail.parent == DetailNode::kNoParent; ++up) {
            // Nodes without points are not in the list, so the nearest ancestor with points is used.
            const auto parent =
                numbers.find({node.level - up, node.place.x >> up, node.place.y >> up, node.place.z >> up});
            if (parent != numbers.end())
                detail.parent = parent->second;
        }
        if (detail.parent != DetailNode::kNoParent)
            hasChildren[detail.parent] = 1;
        numbers[{node.level, node.place.x, node.place.y, node.place.z}] = std::uint32_t(nodes.size());
        nodes.push_back(detail);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (!hasChildren[i])
            nodes[i].spacing = 0;
    const ViewNodes chosen = nodesForView(nodes, view);
    ViewChunks result{{}, chosen.isWhole, chosen.spacing};
    for (const std::size_t node : chosen.nodes)
        result.chunks.push_back(octree.nodes[node].chunk);
    std::ranges::sort(result.chunks, {}, &LazChunk::begin);
    return result;
}

std::vector<LazChunk> coarseLevels(const CopcOctree& octree, std::size_t wanted) {
    std::vector<LazChunk> chunks;
    std::uint64_t points = 0;
    for (auto level = octree.nodes.begin(); level != octree.nodes.end() && points < wanted;) {
        const auto end = std::find_if(level, octree.nodes.end(),
                                      [&](const CopcNode& node) { return node.level != level->level; });
        std::uint64_t ofLevel = 0;
        for (auto node = level; node != end; ++node)
            ofLevel += node->chunk.count;
        if (!chunks.empty() && points + ofLevel > 2 * std::uint64_t{wanted})
            break;
        for (; level != end; ++level)
            chunks.push_back(level->chunk);
        points += ofLevel;
    }
    return chunks;
}

void limitToHeld(std::vector<LazChunk>& chunks, const InputFile& file, const LasHeader& header,
                 const LaszipVlr& vlr, const std::stop_token& stop) {
    parallelFor(chunks.size(), 16, stop, [&](std::size_t begin, std::size_t end) {
        std::vector<std::byte> head(header.recordLength + 4 + 4 * vlr.layers);
        for (LazChunk& chunk : std::span(chunks).subspan(begin, end - begin)) {
            const std::uint64_t bytes = chunk.end - chunk.begin;
            const std::size_t size = std::min<std::uint64_t>(head.size(), bytes);
            file.read(chunk.begin, std::span(head).first(size));
            chunk.count =
                std::min(chunk.count, readLayeredChunkSize(head.data(), size, header, vlr, bytes).points);
        }
    });
}

} // namespace scanloupe
