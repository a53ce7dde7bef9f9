#pragma once
// Declares the checksum of a surface whose bricks do not have to fit into memory.
#include "engine/io/common/write/own_files.h"
#include "kernels/core/sha256.h"
#include "kernels/mesh/part/surface_part.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <vector>

namespace scanloupe {

/// Sums the digests of bricks ascending by key, in whatever order they are added. Above the limit, sorted
/// runs of them are stored in a scratch file, and merged (external merge sort: Knuth, TAOCP 3, 5.4).
class SurfaceDigest {
public:
    /// Bricks that are in memory, 40 bytes each.
    static constexpr std::size_t kMaxBricks = std::size_t{1} << 20;
    static constexpr std::size_t kBytesOfBrick = 40;

    /// @param scratch prefix of a folder, see ScratchFolder: made when it is needed
    explicit SurfaceDigest(std::filesystem::path scratch, std::size_t maxBricks = kMaxBricks);

    /// @throws EngineError when the scratch file cannot be written
    void add(std::span<const PartBrick> bricks);
    /// To be called once. @throws EngineError when the scratch file cannot be written or read
    Sha256Digest finish();

private:
    struct Item {
        std::uint64_t key = 0;
        Sha256Digest digest{};
    };
    static_assert(sizeof(Item) == kBytesOfBrick);
    /// Items of the scratch file that are sorted.
    struct Run {
        std::uint64_t next = 0, end = 0; ///< items that are not read yet
        std::vector<Item> read;
        std::size_t at = 0; ///< of `read`
    };
    void sortItems();
    void writeRun();
    /// Whether the run has a next item; reads more if necessary.
    bool fill(Run& run, std::size_t items);
    [[noreturn]] void fail() const;

    std::filesystem::path m_prefix;
    std::size_t m_maxBricks;
    std::vector<Item> m_items;
    std::optional<ScratchFolder> m_folder;
    std::fstream m_file;
    std::vector<Run> m_runs;
};

} // namespace scanloupe
