#pragma once
// Declares where in a file the layers of LAZ chunks are, and reads them.
#include "engine/io/las/laz/laz_chunks.h"
#include "kernels/laz/chunk.h"

namespace scanloupe {

/// The layers of some chunks: those of positions, and of the wanted colours and extra bytes. They are read
/// into an array of words, in any order and by any thread. The file must outlive it.
class LazLayerSource {
public:
    /// Reads the heads of the chunks. Chunks with inconsistent layers get no points.
    /// @param extraBytes indices of the wanted extra bytes of a record
    /// @throws EngineError when the file can't be read; Cancelled
    LazLayerSource(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                   std::span<const LazChunk> chunks, bool hasColour,
                   std::span<const std::uint32_t> extraBytes, const std::stop_token& stop);

    const std::vector<laz::LayeredChunk>& chunks() const { return m_chunks; }
    /// [chunks, extra bytes]
    const std::vector<laz::ByteLayerPlace>& bytes() const { return m_bytes; }
    std::size_t words() const { return static_cast<std::size_t>(m_words); } ///< total over all layers
    /// Total over all chunks, those without layers included.
    std::uint64_t points() const { return m_points; }

    /// Reads the words from `first` on. @throws EngineError when the file can't be read
    void read(std::uint64_t first, std::span<std::uint32_t> words) const;

private:
    /// A layer that has bytes.
    struct Source {
        std::uint64_t word;   ///< of the array
        std::uint64_t offset; ///< in the file
        std::uint32_t bytes;
    };
    laz::LayerPlace addLayer(std::uint64_t offset, std::uint32_t bytes);

    const InputFile& m_file;
    std::vector<laz::LayeredChunk> m_chunks;
    std::vector<laz::ByteLayerPlace> m_bytes;
    std::vector<Source> m_sources; ///< by words, ascending
    std::uint64_t m_words = 0, m_points = 0;
};

} // namespace scanloupe
