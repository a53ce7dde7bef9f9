#pragma once
// Declares the location and the reading of the layers of LAZ chunks.
#include "engine/io/las/laz/laz_chunks.h"
#include "kernels/laz/chunk.h"

namespace scanloupe {

/// Layers of some chunks: the layers of positions, and of requested colours and extra bytes. They form an
/// array of 32-bit words, of which any part can be read by any thread. The file must outlive this object.
class LazLayerSource {
public:
    /// Reads the heads of the chunks. A chunk with inconsistent layers has a LayeredChunk::count of 0.
    /// @param extraBytes indices of the requested bytes among the extra bytes of a record
    /// @throws EngineError if the file can't be read; Cancelled
    LazLayerSource(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                   std::span<const LazChunk> chunks, bool hasColour,
                   std::span<const std::uint32_t> extraBytes, const std::stop_token& stop);

    const std::vector<laz::LayeredChunk>& chunks() const { return m_chunks; }
    /// Returns the layers of extra bytes: [chunks, extraBytes].
    const std::vector<laz::ByteLayerPlace>& bytes() const { return m_bytes; }
    std::size_t words() const { return static_cast<std::size_t>(m_words); } ///< size of the array, words
    /// Returns the total number of points in all chunks, including chunks with inconsistent layers.
    std::uint64_t points() const { return m_points; }

    /// Reads the words of the array from `first` on. @throws EngineError if the file can't be read
    void read(std::uint64_t first, std::span<std::uint32_t> words) const;

private:
    /// Location of a layer that is not empty.
    struct Source {
        std::uint64_t word;   ///< index of its first word in the array
        std::uint64_t offset; ///< file offset
        std::uint32_t bytes;
    };
    laz::LayerPlace addLayer(std::uint64_t offset, std::uint32_t bytes);

    const InputFile& m_file;
    std::vector<laz::LayeredChunk> m_chunks;
    std::vector<laz::ByteLayerPlace> m_bytes;
    std::vector<Source> m_sources; ///< in ascending order of `word`
    std::uint64_t m_words = 0, m_points = 0;
};

} // namespace scanloupe
