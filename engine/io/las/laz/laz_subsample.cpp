// Selects points of LAZ files for a preview. Chunks can only be decompressed from their beginnings.
#include "engine/io/las/laz/laz_subsample.h"

#include "engine/io/las/laz/copc_octree.h"

#include <algorithm>

namespace scanloupe {

std::vector<LazChunk> subsampleLazChunks(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                                         const LazChunks& found, std::size_t wanted,
                                         const std::stop_token& stop) {
    constexpr std::size_t fewChunks =
        8; // minimum number of chunks; the beginnings of fewer chunks would show only parts of the scan
    std::vector<LazChunk> sample;
    if (isCopc(header, vlr))
        sample = coarseLevels(readCopcOctree(file, header, CopcPages::root, stop), wanted);
    limitToHeld(sample, file, header, vlr, stop);
    if (!sample.empty())
        return sample;
    if (!found.fromTable || found.chunks.size() < fewChunks)
        return sample;
    // Many short pieces represent a scan better than a few long ones, but each piece has an overhead.
    constexpr std::size_t maxPieces = 256;
    const std::size_t pieces = std::min({found.chunks.size(), maxPieces, wanted});
    for (std::size_t i = 0; i < pieces; ++i) {
        LazChunk chunk = found.chunks[i * found.chunks.size() / pieces];
        chunk.count = std::min<std::uint64_t>(chunk.count, (wanted + pieces - 1) / pieces);
        sample.push_back(chunk);
    }
    return sample;
}

} // namespace scanloupe
