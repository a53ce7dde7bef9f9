#pragma once
// Binary records of fixed size, read on all cores.
#include "engine/io/cloud_builder.h"
#include "engine/io/progress_meter.h"

namespace scanloupe {

/// How records lie in a file: one after another, the fields in order without gaps.
struct RecordLayout {
    std::uint64_t offset = 0; ///< of the first record
    std::vector<Field> fields;
    bool swapped = false; ///< numbers have the other byte order than this machine

    std::size_t recordSize() const;
    /// How many records are whole in the file, at most `claimed`.
    std::uint64_t wholeRecords(const InputFile& file, std::uint64_t claimed) const;
};

/// Reads `builder.rows()` records, all of which must be in the file.
/// @throws EngineError when the file can't be read; Cancelled
void readRecords(const InputFile& file, const RecordLayout& layout, CloudBuilder& builder,
                 const ProgressFunction& progress, const std::stop_token& stop);

} // namespace scanloupe
