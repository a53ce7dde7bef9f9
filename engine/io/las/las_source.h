#pragma once
// Declares the encoding of attribute values as fields of LAS point records.
#include "engine/io/las/las_layout.h"

#include <stop_token>

namespace scanloupe::detail {

/// A field of a record, and the attribute that it is encoded from.
struct LasSource {
    LasColumn column;
    const Attribute* attribute = nullptr;
    /// For standard 16-bit fields: the range that is mapped to 0 .. 65535. nullopt: the attribute's values
    /// are stored unchanged.
    std::optional<ValueRange> rescaled = {};
};

/// Whether the column represents all values of the attribute exactly. @throws Cancelled
bool holdsExactly(const LasColumn& column, const Attribute& attribute, const std::stop_token& stop);

/// Whether every value can be recovered after mapping `range` to 16 bits. @throws Cancelled
bool survivesRescaling(const Attribute& attribute, ValueRange range, const std::stop_token& stop);

/// Returns the full scale of intensities: the declared one, else a typical scale of scanners (0 .. 1, 0 ..
/// 255 or 0 .. 65535), else the range of the values.
ValueRange intensityRange(const Attribute& attribute);

/// Encodes the value of point `i` into its field of `record`. The bits of the field must be zero.
void storeLasValue(const LasSource& source, std::size_t i, std::byte* record);

} // namespace scanloupe::detail
