#pragma once
// Declares the checksum of a surface with more bricks than fit into memory.
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

/// Computes a checksum over the digests of bricks in ascending order of keys. Bricks can be added in any
/// order. Above a limit, sorted runs are stored in a scratch file and merged at the end (external merge sort:
/// Knuth, TAOCP 3, 5.4).
class SurfaceDigest {
public:
    /// Maximum number of bricks in memory, 40 bytes each.
    static constexpr std::size_t kMaxBricks = std::size_t{1} << 20;
    static constexpr std::size_t kBytesOfBrick = 40;

    /// @param scratch prefix of a scratch folder, see ScratchFolder; the folder is only created if needed
    explicit SurfaceDigest(std::filesystem::path scratch, std::size_t maxBricks = kMaxBricks);

    /// @throws EngineError if the scratch file can't be written
    void add(std::span<const PartBrick> bricks);
    /// Returns the checksum; call once. @throws EngineError if the scratch file can't be written or read
    Sha256Digest finish();

private:
    struct Item {
        std::uint64_t key = 0;
        Sha256Digest digest{};
    };
    static_assert(sizeof(Item) == kBytesOfBrick);
    /// A range of sorted items in the scratch file.
    struct Run {
        std::uint64_t next = 0, end = 0; ///< range of items that are not read yet
        std::vector<Item> read;
        std::size_t at = 0; ///< index of the next item in `read`
    };
    void sortItems();
    void writeRun();
    /// Whether the run has a next item; reads up to `items` more items if necessary.
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
