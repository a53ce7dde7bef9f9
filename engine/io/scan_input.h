#pragma once
// What a file that is opened holds: a cloud of points or a raw volume.
#include "engine/io/scan_reader.h"

namespace scanloupe {

/// One of the two is there.
struct ScanInput {
    std::shared_ptr<const PointCloud> cloud;
    std::shared_ptr<const Volume> volume;
    double readMs = 0; ///< what reading it took

    std::uint64_t bytes() const { return cloud ? cloud->bytes() : volume ? volume->values.bytes() : 0; }
};

/// Reads a scan or a volume. @throws EngineError with what is wrong and what to do next; Cancelled.
ScanInput readInput(const std::filesystem::path& path, const ReadOptions& options,
                    const std::stop_token& stop);

} // namespace scanloupe
