#pragma once
// Declares the content of an opened file: a point cloud or a raw volume; and its reader.
#include "engine/io/scan_reader.h"

namespace scanloupe {

class PointCloud;
struct ReadOptions;
struct Volume;

/// Content of a file. Either the cloud or the volume is set.
struct ScanInput {
    std::shared_ptr<const PointCloud> cloud;
    std::shared_ptr<const Volume> volume;
    double readMs = 0; ///< duration of reading, ms

    /// Returns the size in memory.
    std::uint64_t bytes() const;
};

/// Reads a scan or a volume. @throws EngineError with the problem and the next step; Cancelled.
ScanInput readInput(const std::filesystem::path& path, const ReadOptions& options,
                    const std::stop_token& stop);

} // namespace scanloupe
