#pragma once
// Declares the conversion between LASzip's points and LAS point records.
#include "engine/io/las/las_header.h"

#include <laszip/laszip_api.h>

namespace scanloupe::detail {

/// Byte offsets of a point format's optional fields in its record; 0 if it has no such field.
struct LasFieldOffsets {
    int format = 0;
    std::size_t time = 0, colour = 0, colours = 0, wave = 0, extra = 0, extraBytes = 0;
};
LasFieldOffsets lasFieldOffsets(int pointFormat, std::size_t recordLength);

void toLasRecord(const laszip_point& point, const LasFieldOffsets& offsets, std::byte* record);
void toLaszipPoint(const std::byte* record, const LasFieldOffsets& offsets, laszip_point& point);

} // namespace scanloupe::detail
