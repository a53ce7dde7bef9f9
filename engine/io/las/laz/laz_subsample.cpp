// Chooses points of LAZ files for a first look: chunks can be decompressed from their beginnings only.
#include "engine/io/las/laz/laz_subsample.h"

#include "engine/io/common/little_endian.h"

#include <algorithm>

namespace scanloupe {

namespace {

/// A node of COPC's octree.
struct CopcNode {
    std::int32_t level = 0;
    LazChunk chunk;
};

// COPC 1.0, https://copc.io/copc-specification-1.0.pdf
constexpr std::uint64_t kCopcInfoSize = 160, kRootOffset = 40, kRootSize = 48;
constexpr std::size_t kEntrySize = 32;

/// The nodes of the root page of COPC's hierarchy, which holds the coarse levels; none of a file that is not
/// COPC.
std::vector<CopcNode> readRootPage(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr) {
    constexpr std::uint64_t maxPage = std::uint64_t{64} << 20;
    const LasVlrHeader* const info = header.findVlr("copc", 1);
    if (!info || info->length < kCopcInfoSize)
        return {};
    std::byte head[kCopcInfoSize];
    file.read(info->offset, std::span<std::byte>(head));
    const auto offset = loadLittle<std::uint64_t>(head + kRootOffset),
               size = loadLittle<std::uint64_t>(head + kRootSize);
    if (size > maxPage || offset > file.size() || size > file.size() - offset)
        return {};
    std::vector<std::byte> page(static_cast<std::size_t>(size));
    file.read(offset, page);
    std::vector<CopcNode> nodes;
    for (std::size_t at = 0; at + kEntrySize <= page.size(); at += kEntrySize) {
        const auto begin = loadLittle<std::uint64_t>(page.data() + at + 16);
        const auto bytes = loadLittle<std::int32_t>(page.data() + at + 24);
        const auto points = loadLittle<std::int32_t>(page.data() + at + 28); // -1: a page of more nodes
        if (points <= 0 || bytes <= 0 || begin < header.pointOffset + 8 || begin > file.size() ||
            std::uint64_t(bytes) > file.size() - begin)
            continue;
        std::vector<std::byte> own(
            std::min<std::size_t>(header.recordLength + 4 + 4 * vlr.layers, static_cast<std::size_t>(bytes)));
        file.read(begin, own);
        const LayeredChunkSize held =
            readLayeredChunkSize(own.data(), own.size(), header, vlr, std::uint64_t(bytes));
        nodes.push_back(
            {loadLittle<std::int32_t>(page.data() + at),
             {0, std::min(std::uint64_t(points), held.points), begin, begin + std::uint64_t(bytes)}});
    }
    std::ranges::stable_sort(nodes, {}, &CopcNode::level);
    return nodes;
}

/// The first levels with at most twice `wanted` points in all, but the first of them in any case. Parts of a
/// level would show one side of the scan more densely than the other.
std::vector<LazChunk> coarseLevels(std::span<const CopcNode> nodes, std::size_t wanted) {
    std::vector<LazChunk> chunks;
    std::uint64_t points = 0;
    for (auto level = nodes.begin(); level != nodes.end() && points < wanted;) {
        const auto end = std::find_if(level, nodes.end(),
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

} // namespace

std::vector<LazChunk> subsampleLazChunks(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                                         const LazChunks& found, std::size_t wanted) {
    constexpr std::size_t fewChunks = 8; // their beginnings would show parts of the scan alone
    std::vector<LazChunk> sample = coarseLevels(readRootPage(file, header, vlr), wanted);
    if (!sample.empty() || !found.fromTable || found.chunks.size() < fewChunks)
        return sample;
    // many short pieces show more of a scan than few long ones, but each costs its first point and its tables
    constexpr std::size_t mostPieces = 256;
    const std::size_t pieces = std::min({found.chunks.size(), mostPieces, wanted});
    for (std::size_t i = 0; i < pieces; ++i) {
        LazChunk chunk = found.chunks[i * found.chunks.size() / pieces];
        chunk.count = std::min<std::uint64_t>(chunk.count, (wanted + pieces - 1) / pieces);
        sample.push_back(chunk);
    }
    return sample;
}

} // namespace scanloupe
