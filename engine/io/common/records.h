#pragma once
// Declares the reader of binary records of fixed size.
#include "engine/io/common/cloud_builder.h"
#include "engine/io/common/progress_meter.h"

namespace scanloupe {

/// The layout of records in a file: contiguous, with their fields in order and without padding.
struct RecordLayout {
    std::uint64_t offset = 0; ///< of the first record
    std::vector<Field> fields;
    bool swapped = false; ///< the byte order of the file is not that of this machine

    std::size_t recordSize() const;
    /// The number of complete records in the file, at most `claimed`.
    std::uint64_t wholeRecords(const InputFile& file, std::uint64_t claimed) const;
};

/// Reads `builder.rows()` records, all of which must be in the file.
/// @throws EngineError when the file can't be read; Cancelled
void readRecords(const InputFile& file, const RecordLayout& layout, CloudBuilder& builder,
                 const ProgressFunction& progress, const std::stop_token& stop);

} // namespace scanloupe
