#pragma once
// Declares the encoding of attribute values as fields of LAS point records.
#include "engine/io/las/las_layout.h"

#include <stop_token>

namespace scanloupe::detail {

/// A field of a record, and the attribute that it is encoded from.
struct LasSource {
    LasColumn column;
    const Attribute* attribute = nullptr;
    /// For standard fields of 16 bits: the range that is rescaled to 0 .. 65535. Without a value the
    /// attribute's own numbers are stored.
    std::optional<ValueRange> rescaled = {};
};

/// True when the column represents all values of the attribute exactly. @throws Cancelled
bool holdsExactly(const LasColumn& column, const Attribute& attribute, const std::stop_token& stop);

/// True when every value can be recovered from 16 bits that `range` is rescaled to. @throws Cancelled
bool survivesRescaling(const Attribute& attribute, ValueRange range, const std::stop_token& stop);

/// The full scale of intensities: the declared one, else the typical scale of scanners (0 .. 1, 0 .. 255 or 0
/// .. 65535), else the range of the values.
ValueRange intensityRange(const Attribute& attribute);

/// Encodes the value of point `i` into its field of `record`, whose bits must be zero.
void storeLasValue(const LasSource& source, std::size_t i, std::byte* record);

} // namespace scanloupe::detail
