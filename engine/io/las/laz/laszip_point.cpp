// Converts between LASzip's points and LAS point records.
#include "engine/io/las/laz/laszip_point.h"

#include "engine/io/common/little_endian.h"

namespace scanloupe::detail {

namespace {

// Offsets after the 12 bytes of coordinates, the same in all point formats.
constexpr std::size_t kIntensity = 12, kReturns = 14, kFlags = 15;
constexpr std::size_t kWaveBytes = 29;

} // namespace

LasFieldOffsets lasFieldOffsets(int format, std::size_t recordLength) {
    LasFieldOffsets offsets;
    offsets.format = format;
    std::size_t at = format < 6 ? 20 : 22;
    if (format != 0 && format != 2) {
        offsets.time = at;
        at += 8;
    }
    if (format == 2 || format == 3 || format == 5 || format == 7 || format == 8 || format == 10) {
        offsets.colour = at;
        offsets.colours = format == 8 || format == 10 ? 4 : 3;
        at += 2 * offsets.colours;
    }
    if (format == 4 || format == 5 || format >= 9) {
        offsets.wave = at;
        at += kWaveBytes;
    }
    offsets.extra = at;
    offsets.extraBytes = recordLength - at;
    return offsets;
}

void toLasRecord(const laszip_point& point, const LasFieldOffsets& offsets, std::byte* record) {
    storeLittle(record, point.X);
    storeLittle(record + 4, point.Y);
    storeLittle(record + 8, point.Z);
    storeLittle(record + kIntensity, point.intensity);
    const auto edges = static_cast<unsigned>(point.scan_direction_flag << 6 | point.edge_of_flight_line << 7);
    if (offsets.format < 6) {
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
    if (offsets.time)
        storeLittle(record + offsets.time, point.gps_time);
    for (std::size_t c = 0; c < offsets.colours; ++c)
        storeLittle(record + offsets.colour + 2 * c, point.rgb[c]);
    if (offsets.wave)
        std::memcpy(record + offsets.wave, point.wave_packet, kWaveBytes);
    if (offsets.extraBytes)
        std::memcpy(record + offsets.extra, point.extra_bytes, offsets.extraBytes);
}

void toLaszipPoint(const std::byte* record, const LasFieldOffsets& offsets, laszip_point& point) {
    point.X = loadLittle<std::int32_t>(record);
    point.Y = loadLittle<std::int32_t>(record + 4);
    point.Z = loadLittle<std::int32_t>(record + 8);
    point.intensity = loadLittle<std::uint16_t>(record + kIntensity);
    const auto returns = std::to_integer<unsigned>(record[kReturns]);
    const auto flags = std::to_integer<unsigned>(record[kFlags]);
    point.user_data = std::to_integer<std::uint8_t>(record[17]);
    if (offsets.format < 6) {
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
        point.synthetic_flag = flags & 1; // LASzip requires the legacy flags to agree
        point.keypoint_flag = flags >> 1 & 1;
        point.withheld_flag = flags >> 2 & 1;
        point.extended_scanner_channel = flags >> 4 & 3;
        point.scan_direction_flag = flags >> 6 & 1;
        point.edge_of_flight_line = flags >> 7;
        point.extended_classification = std::to_integer<std::uint8_t>(record[16]);
        point.extended_scan_angle = loadLittle<std::int16_t>(record + 18);
        point.point_source_ID = loadLittle<std::uint16_t>(record + 20);
    }
    if (offsets.time)
        point.gps_time = loadLittle<double>(record + offsets.time);
    for (std::size_t c = 0; c < offsets.colours; ++c)
        point.rgb[c] = loadLittle<std::uint16_t>(record + offsets.colour + 2 * c);
    if (offsets.wave)
        std::memcpy(point.wave_packet, record + offsets.wave, kWaveBytes);
    if (offsets.extraBytes)
        std::memcpy(point.extra_bytes, record + offsets.extra, offsets.extraBytes);
}

} // namespace scanloupe::detail
