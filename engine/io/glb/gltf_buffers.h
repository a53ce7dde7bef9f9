#pragma once
// Declares the buffers of a glTF file: its binary chunk, files beside it, and data URIs.
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

/// The bytes of a buffer, which stand in a file, or were decoded from the description.
class GltfBuffer {
public:
    /// The bytes of a file from `offset` on. It has to outlive this.
    GltfBuffer(const InputFile& file, std::uint64_t offset, std::uint64_t claimed);
    /// Owns the file.
    GltfBuffer(std::unique_ptr<const InputFile> file, std::uint64_t claimed);
    GltfBuffer(std::vector<std::byte> decoded, std::uint64_t claimed);

    std::uint64_t claimed() const { return m_claimed; }     ///< bytes, as the description says
    std::uint64_t available() const { return m_available; } ///< bytes that are there; more or fewer
    bool ownsFile() const { return m_owned != nullptr; }
    /// Fills `target` from `offset` on, which has to be available. Safe from several threads. @throws
    /// EngineError
    void read(std::uint64_t offset, std::span<std::byte> target) const;

private:
    std::unique_ptr<const InputFile> m_owned;
    std::vector<std::byte> m_decoded;
    const InputFile* m_file = nullptr; ///< null: decoded
    std::uint64_t m_offset = 0, m_claimed = 0, m_available = 0;
};

/// The binary chunk of a GLB file.
struct GlbChunk {
    std::uint64_t offset = 0; ///< of its data, in the file
    std::uint64_t bytes = 0;  ///< as claimed; the file may end before
};

/// The buffers of a glTF file, each opened or decoded when it is first asked for.
class GltfBuffers {
public:
    /// @param chunk buffer 0 if it has no URI; null: none @param description, file have to outlive this
    GltfBuffers(const InputFile& file, const nlohmann::ordered_json& description,
                std::unique_ptr<const GlbChunk> chunk)
        : m_file(file), m_description(description), m_chunk(std::move(chunk)) {}

    /// The buffer of a number; it lives as long as this. @throws EngineError when there is none, it lies
    /// outside of the file's folder, its URI is of another scheme than `data`, or its file can't be opened
    const GltfBuffer& at(std::uint64_t index);

private:
    std::unique_ptr<const GltfBuffer> open(std::uint64_t index) const;

    const InputFile& m_file;
    const nlohmann::ordered_json& m_description;
    std::unique_ptr<const GlbChunk> m_chunk;
    std::map<std::uint64_t, std::unique_ptr<const GltfBuffer>> m_open;
    std::size_t m_files = 0; ///< of these
};

/// The files that a .gltf or .glb keeps its data and its pictures in; none of one that can't be read, and of
/// a .gltf of more than 256 MiB.
std::vector<std::filesystem::path> gltfDataFiles(const std::filesystem::path& gltf);

} // namespace scanloupe
