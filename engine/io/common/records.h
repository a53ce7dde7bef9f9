#pragma once
// Declares the reader of binary records of fixed size.
#include "engine/io/common/cloud_builder.h"
#include "engine/io/common/progress_meter.h"
#include "engine/io/common/row_subsample.h"

#include <memory>
#include <optional>

namespace scanloupe {

class AttributeSource;

/// The layout of records in a file. Records are contiguous and have their fields in order, without padding.
struct RecordLayout {
    std::uint64_t offset = 0; ///< file offset of the first record
    std::vector<Field> fields;
    bool swapped = false; ///< whether the byte order of the file differs from that of this machine
    std::optional<RowSubsample> subsample = std::nullopt; ///< records to read; nullopt: all

    std::size_t recordSize() const;
    /// Returns the number of complete records in the file, at most `claimed`.
    std::uint64_t wholeRecords(const InputFile& file, std::uint64_t claimed) const;
};

/// Reads `builder.rows()` records, or those of the sample if there is one. All must be in the file.
/// @throws EngineError if the file can't be read; Cancelled
void readRecords(const InputFile& file, const RecordLayout& layout, CloudBuilder& builder,
                 const ProgressFunction& progress, const std::stop_token& stop);

/// Returns a source of the attributes of `builder.rows()` records. Each request reads the records again.
std::shared_ptr<const AttributeSource> attributesOfRecords(const InputFile& file, const RecordLayout& layout,
                                                           const CloudBuilder& builder);

} // namespace scanloupe
