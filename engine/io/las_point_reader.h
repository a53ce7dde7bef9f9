#pragma once
// Fills a builder with the points of a LAS or LAZ file.
#include "engine/io/las_layout.h"
#include "engine/io/progress_meter.h"

namespace scanloupe {

/// How many points can be had, found out before memory is taken, and how to get them.
class LasPointReader {
public:
    virtual ~LasPointReader() = default;
    /// Whole points in the file, as far as that can be told without decoding; never more than claimed.
    virtual std::uint64_t count() const = 0;
    /// Fills the rows of the builder, which has count() rows, and gives how many of them are whole, from the
    /// first on. @throws EngineError when the file can't be read; Cancelled
    virtual std::size_t fill(const LasLayout& layout, CloudBuilder& builder, const ProgressFunction& progress,
                             const std::stop_token& stop) = 0;

    std::vector<std::string> warnings;
};

/// Plain records.
std::unique_ptr<LasPointReader> makeLasPointReader(const InputFile& file, const LasHeader& header);
/// Compressed ones. @throws EngineError when the file says that it is compressed in a way that is unknown, or
/// this build has no LASzip
std::unique_ptr<LasPointReader> makeLazPointReader(const InputFile& file, const LasHeader& header,
                                                   const std::stop_token& stop);

} // namespace scanloupe
