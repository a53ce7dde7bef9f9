#include "engine/io/laz_point.h"

#include "engine/io/little_endian.h"

namespace scanloupe::detail {

namespace {

// A LAS record's first 12 bytes, and the fields that all point formats have next.
constexpr std::size_t kIntensity = 12, kReturns = 14, kFlags = 15;
constexpr std::size_t kWaveBytes = 29;

} // namespace

LazPlaces lazPlaces(int format, std::size_t recordLength) {
    LazPlaces places;
    places.format = format;
    std::size_t at = format < 6 ? 20 : 22;
    if (format != 0 && format != 2) {
        places.time = at;
        at += 8;
    }
    if (format == 2 || format == 3 || format == 5 || format == 7 || format == 8 || format == 10) {
        places.colour = at;
        places.colours = format == 8 || format == 10 ? 4 : 3;
        at += 2 * places.colours;
    }
    if (format == 4 || format == 5 || format >= 9) {
        places.wave = at;
        at += kWaveBytes;
    }
    places.extra = at;
    places.extraBytes = recordLength - at;
    return places;
}

void recordOf(const laszip_point& point, const LazPlaces& places, std::byte* record) {
    storeLittle(record, point.X);
    storeLittle(record + 4, point.Y);
    storeLittle(record + 8, point.Z);
    storeLittle(record + kIntensity, point.intensity);
    const auto edges = static_cast<unsigned>(point.scan_direction_flag << 6 | point.edge_of_flight_line << 7);
    if (places.format < 6) {
        record[kReturns] = static_cast<std::byte>(edges | unsigned(point.return_number) |
                                                  unsigned(point.number_of_returns) << 3);
        record[kFlags] = static_cast<std::byte>(point.classification | point.synthetic_flag << 5 |
                                                point.keypoint_flag << 6 | point.withheld_flag << 7);
        storeLittle(record + 16, point.scan_angle_rank);
        storeLittle(record + 17, point.user_data);
        storeLittle(record + 18, point.point_source_ID);
    } else {
        record[kReturns] =
            static_cast<std::byte>(point.extended_return_number | point.extended_number_of_returns << 4);
        record[kFlags] = static_cast<std::byte>(edges | unsigned(point.extended_classification_flags) |
                                                unsigned(point.extended_scanner_channel) << 4);
        storeLittle(record + 16, point.extended_classification);
        storeLittle(record + 17, point.user_data);
        storeLittle(record + 18, point.extended_scan_angle);
        storeLittle(record + 20, point.point_source_ID);
    }
    if (places.time)
        storeLittle(record + places.time, point.gps_time);
    for (std::size_t c = 0; c < places.colours; ++c)
        storeLittle(record + places.colour + 2 * c, point.rgb[c]);
    if (places.wave)
        std::memcpy(record + places.wave, point.wave_packet, kWaveBytes);
    if (places.extraBytes)
        std::memcpy(record + places.extra, point.extra_bytes, places.extraBytes);
}

void pointOf(const std::byte* record, const LazPlaces& places, laszip_point& point) {
    point.X = loadLittle<std::int32_t>(record);
    point.Y = loadLittle<std::int32_t>(record + 4);
    point.Z = loadLittle<std::int32_t>(record + 8);
    point.intensity = loadLittle<std::uint16_t>(record + kIntensity);
    const auto returns = std::to_integer<unsigned>(record[kReturns]);
    const auto flags = std::to_integer<unsigned>(record[kFlags]);
    point.user_data = std::to_integer<std::uint8_t>(record[17]);
    if (places.format < 6) {
        point.return_number = returns & 7;
        point.number_of_returns = returns >> 3 & 7;
        point.scan_direction_flag = returns >> 6 & 1;
        point.edge_of_flight_line = returns >> 7;
        point.classification = flags & 31;
        point.synthetic_flag = flags >> 5 & 1;
        point.keypoint_flag = flags >> 6 & 1;
        point.withheld_flag = flags >> 7;
        point.scan_angle_rank = loadLittle<std::int8_t>(record + 16);
        point.point_source_ID = loadLittle<std::uint16_t>(record + 18);
    } else {
        point.extended_point_type = 1;
        point.extended_return_number = returns & 15;
        point.extended_number_of_returns = returns >> 4;
        point.extended_classification_flags = flags & 15;
        point.synthetic_flag = flags & 1; // LASzip wants the old flags to be the same
        point.keypoint_flag = flags >> 1 & 1;
        point.withheld_flag = flags >> 2 & 1;
        point.extended_scanner_channel = flags >> 4 & 3;
        point.scan_direction_flag = flags >> 6 & 1;
        point.edge_of_flight_line = flags >> 7;
        point.extended_classification = std::to_integer<std::uint8_t>(record[16]);
        point.extended_scan_angle = loadLittle<std::int16_t>(record + 18);
        point.point_source_ID = loadLittle<std::uint16_t>(record + 20);
    }
    if (places.time)
        point.gps_time = loadLittle<double>(record + places.time);
    for (std::size_t c = 0; c < places.colours; ++c)
        point.rgb[c] = loadLittle<std::uint16_t>(record + places.colour + 2 * c);
    if (places.wave)
        std::memcpy(point.wave_packet, record + places.wave, kWaveBytes);
    if (places.extraBytes)
        std::memcpy(point.extra_bytes, record + places.extra, places.extraBytes);
}

} // namespace scanloupe::detail
