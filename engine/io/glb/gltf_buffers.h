#pragma once
// Declares the buffers of a glTF file: its binary chunk, separate files, and data URIs.
#include "engine/io/common/input_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

namespace scanloupe {

/// The bytes of a buffer, either in a file or decoded from the description.
class GltfBuffer {
public:
    /// Refers to the bytes of a file starting at `offset`. @param file must outlive this object
    GltfBuffer(const InputFile& file, std::uint64_t offset, std::uint64_t claimed);
    /// Takes ownership of the file.
    GltfBuffer(std::unique_ptr<const InputFile> file, std::uint64_t claimed);
    GltfBuffer(std::vector<std::byte> decoded, std::uint64_t claimed);

    std::uint64_t claimed() const { return m_claimed; } ///< size stated in the description, bytes
    /// Size of the available data, bytes; may be larger or smaller than claimed().
    std::uint64_t available() const { return m_available; }
    bool ownsFile() const { return m_owned != nullptr; }
    /// Reads bytes starting at `offset`, which must be available. Can be called from several threads.
    /// @throws EngineError
    void read(std::uint64_t offset, std::span<std::byte> target) const;

private:
    std::unique_ptr<const InputFile> m_owned;
    std::vector<std::byte> m_decoded;
    const InputFile* m_file = nullptr; ///< null if the data is decoded
    std::uint64_t m_offset = 0, m_claimed = 0, m_available = 0;
};

/// The binary chunk of a GLB file.
struct GlbChunk {
    std::uint64_t offset = 0; ///< file offset of the buffer's data
    std::uint64_t bytes = 0;  ///< size in the JSON; the file may be shorter
};

/// The buffers of a glTF file, each of which is opened or decoded on first use.
class GltfBuffers {
public:
    /// @param chunk buffer 0 if it has no URI; null without a chunk @param description, file must outlive
    ///     this object
    GltfBuffers(const InputFile& file, const nlohmann::ordered_json& description,
                std::unique_ptr<const GlbChunk> chunk)
        : m_file(file), m_description(description), m_chunk(std::move(chunk)) {}

    /// Returns the buffer at `index`, which lives as long as this object. @throws EngineError if there is no
    /// such buffer, it is outside the file's folder, its URI has a scheme other than `data`, or its file
    /// can't be opened
    const GltfBuffer& at(std::uint64_t index);

private:
    std::unique_ptr<const GltfBuffer> open(std::uint64_t index) const;

    const InputFile& m_file;
    const nlohmann::ordered_json& m_description;
    std::unique_ptr<const GlbChunk> m_chunk;
    std::map<std::uint64_t, std::unique_ptr<const GltfBuffer>> m_open;
    std::size_t m_files = 0; ///< number of open files among the buffers
};

/// Returns the data and image files of a .gltf or .glb; empty for unreadable files, and for .gltf files of
/// more than 256 MiB.
std::vector<std::filesystem::path> gltfDataFiles(const std::filesystem::path& gltf);

} // namespace scanloupe
