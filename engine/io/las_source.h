#pragma once
// How the values of attributes become the values of LAS points.
#include "engine/io/las_layout.h"

#include <stop_token>

namespace scanloupe::detail {

/// One value of a record and the attribute that it comes from.
struct LasSource {
    LasColumn column;
    const Attribute* attribute = nullptr;
    /// Of a standard field of 16 bits: the range that is stretched to 0 .. 65535. Without a value the
    /// attribute's own numbers are stored.
    std::optional<ValueRange> stretched = {};
};

/// True when the column holds all values of the attribute as they are. @throws Cancelled
bool holdsExactly(const LasColumn& column, const Attribute& attribute, const std::stop_token& stop);

/// True when every value can be had back from 16 bits that `range` was stretched to. @throws Cancelled
bool survivesStretching(const Attribute& attribute, ValueRange range, const std::stop_token& stop);

/// The range of intensities as scanners have them: 0 .. 1, 0 .. 255, 0 .. 65535, or that of the values.
ValueRange intensityRange(const Attribute& attribute);

/// Puts the value of point `i` into its place in `record`, whose bits were zero.
void storeLasValue(const LasSource& source, std::size_t i, std::byte* record);

} // namespace scanloupe::detail
