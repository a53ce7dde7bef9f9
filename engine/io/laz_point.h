#pragma once
// Between LASzip's point and the record of a LAS file.
#include "engine/io/las_header.h"

#include <laszip/laszip_api.h>

namespace scanloupe::detail {

/// Where the parts of a point format's record lie; 0: it has none.
struct LazPlaces {
    int format = 0;
    std::size_t time = 0, colour = 0, colours = 0, wave = 0, extra = 0, extraBytes = 0;
};
LazPlaces lazPlaces(int pointFormat, std::size_t recordLength);

void recordOf(const laszip_point& point, const LazPlaces& places, std::byte* record);
void pointOf(const std::byte* record, const LazPlaces& places, laszip_point& point);

} // namespace scanloupe::detail
