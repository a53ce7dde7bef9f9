#pragma once
// Reads layers of a LAZ file, still compressed.
#include "engine/io/las/laz/laz_chunks.h"
#include "kernels/core/buffer.h"
#include "kernels/laz/chunk.h"

#include <filesystem>
#include <vector>

namespace scanloupe::test {

/// A LAZ file that is open.
struct OpenLaz {
    InputFile file;
    LasHeader header;
    LaszipVlr vlr;
    LazChunks found;

    /// @throws EngineError for a file without separate layers, as in point formats 6 to 10
    explicit OpenLaz(const std::filesystem::path& path);
};

/// The layers of positions of all chunks of a file.
struct LazPositionLayers {
    Buffer<std::uint32_t> words;           ///< each layer starts at a word
    std::vector<laz::LayeredChunk> chunks; ///< a chunk whose header does not fit the file has no points
    std::uint64_t points = 0;
};

/// @param space of the words: of the host, or pinned
LazPositionLayers readLazPositionLayers(const OpenLaz& laz, MemorySpace space, StreamView stream);

} // namespace scanloupe::test
