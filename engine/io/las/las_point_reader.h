#pragma once
// Declares the readers of LAS and LAZ point records.
#include "engine/io/common/progress_meter.h"
#include "engine/io/las/las_layout.h"

namespace scanloupe {

/// Reads the points of a file. Their number is known before memory for them is allocated.
class LasPointReader {
public:
    virtual ~LasPointReader() = default;
    /// Number of complete points in the file, as far as it is known without decoding; at most the claimed
    /// count.
    virtual std::uint64_t count() const = 0;
    /// Fills the builder, which has count() rows, and gives the number of complete points, which are its
    /// first rows.
    /// @throws EngineError when the file can't be read; Cancelled
    virtual std::size_t fill(const LasLayout& layout, CloudBuilder& builder, const ProgressFunction& progress,
                             const std::stop_token& stop) = 0;

    std::vector<std::string> warnings;
};

/// Reader of uncompressed records.
std::unique_ptr<LasPointReader> makeLasPointReader(const InputFile& file, const LasHeader& header);
/// Reader of compressed records. @throws EngineError when the compression is unknown, or this build has no
/// LASzip
std::unique_ptr<LasPointReader> makeLazPointReader(const InputFile& file, const LasHeader& header,
                                                   const std::stop_token& stop);

} // namespace scanloupe
