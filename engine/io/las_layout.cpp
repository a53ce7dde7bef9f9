#include "engine/io/las_layout.h"

#include "engine/cloud/scalar_visit.h"
#include "engine/io/field_names.h"
#include "engine/io/little_endian.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace scanloupe {

namespace {

constexpr std::size_t kMostUnnamed = 32; // bytes without a description that are kept, one by one

/// Lists columns one behind the other.
class Columns {
public:
    explicit Columns(std::vector<LasColumn>& columns) : m_columns(columns) {}

    void plain(const char* name, ScalarType type) {
        LasColumn& column = add(name, type);
        m_place += sizeOf(column.type);
    }
    void bits(const char* name, int shift, int width) {
        LasColumn& column = add(name, ScalarType::uint8);
        column.kind = LasColumn::Kind::bits;
        column.shift = shift;
        column.width = width;
    }
    void nextByte() { ++m_place; }

private:
    LasColumn& add(const char* name, ScalarType type) {
        LasColumn column;
        column.name = name;
        column.type = type;
        column.place = m_place;
        m_columns.push_back(std::move(column));
        return m_columns.back();
    }
    std::vector<LasColumn>& m_columns;
    std::size_t m_place = 0;
};

void addLegacyCore(Columns& columns) {
    columns.bits("return_number", 0, 3);
    columns.bits("number_of_returns", 3, 3);
    columns.bits("scan_direction_flag", 6, 1);
    columns.bits("edge_of_flight_line", 7, 1);
    columns.nextByte();
    columns.bits("classification", 0, 5);
    columns.bits("synthetic", 5, 1);
    columns.bits("key_point", 6, 1);
    columns.bits("withheld", 7, 1);
    columns.nextByte();
    columns.plain("scan_angle_rank", ScalarType::int8);
    columns.plain("user_data", ScalarType::uint8);
    columns.plain("point_source_id", ScalarType::uint16);
}

void addCore14(Columns& columns) {
    columns.bits("return_number", 0, 4);
    columns.bits("number_of_returns", 4, 4);
    columns.nextByte();
    columns.bits("synthetic", 0, 1);
    columns.bits("key_point", 1, 1);
    columns.bits("withheld", 2, 1);
    columns.bits("overlap", 3, 1);
    columns.bits("scanner_channel", 4, 2);
    columns.bits("scan_direction_flag", 6, 1);
    columns.bits("edge_of_flight_line", 7, 1);
    columns.nextByte();
    columns.plain("classification", ScalarType::uint8);
    columns.plain("user_data", ScalarType::uint8);
    columns.plain("scan_angle", ScalarType::int16);
    columns.plain("point_source_id", ScalarType::uint16);
}

/// The number of type `type` at `from`, as a double.
double loadAs(ScalarType type, const std::byte* from) {
    return visitScalar(
        type, [&]<class T>(std::type_identity<T>) { return static_cast<double>(loadLittle<T>(from)); });
}

/// The columns that one description of extra bytes stands for: one, or two or three of a deprecated array.
std::vector<LasColumn> extraColumns(const std::byte* record, std::size_t place) {
    const int code = std::to_integer<int>(record[2]), options = std::to_integer<int>(record[3]);
    if (code < 1 || code > 30)
        return {};
    const auto components = static_cast<std::size_t>((code - 1) / 10 + 1);
    const ScalarType type = kLasExtraTypes[(code - 1) % 10];
    const std::string name = loadText(record + 4, 32);
    std::vector<LasColumn> columns;
    for (std::size_t c = 0; c < components; ++c) {
        LasColumn column;
        column.name = components == 1 ? name : fmt::format("{}_{}", name, c);
        column.type = column.stored = type;
        column.place = place + c * sizeOf(type);
        if (options & 8)
            column.factor = loadLittle<double>(record + 112 + 8 * c);
        if (options & 16)
            column.addend = loadLittle<double>(record + 136 + 8 * c);
        const bool floating = type >= ScalarType::float32;
        if (column.factor != 1 || column.addend != 0 || (floating && (options & 1))) {
            column.kind = LasColumn::Kind::scaled;
            column.type = ScalarType::float64;
            if (options & 1) { // no data: an integer or a float of 8 bytes
                const std::byte* missing = record + 40 + 8 * c;
                const bool isSigned = code % 2 == 0;
                column.missing = loadAs(floating   ? ScalarType::float64
                                        : isSigned ? ScalarType::int64
                                                   : ScalarType::uint64,
                                        missing);
            }
        }
        columns.push_back(std::move(column));
    }
    return columns;
}

/// The extra bytes of a point, by their descriptions where there are some.
std::vector<LasColumn> readExtra(const InputFile& file, const LasHeader& header, LasLayout& layout) {
    std::size_t place = lasPointSize(header.pointFormat);
    std::vector<LasColumn> extra;
    if (const LasRecord* described = header.record("LASF_Spec", 4);
        described && place < header.recordLength) {
        std::vector<std::byte> content(
            static_cast<std::size_t>(std::min<std::uint64_t>(described->length, 65536)));
        file.read(described->offset, content);
        for (std::size_t at = 0; at + kLasExtraRecord <= content.size(); at += kLasExtraRecord) {
            const auto columns = extraColumns(content.data() + at, place);
            const std::size_t size =
                columns.empty()
                    ? std::to_integer<std::size_t>(content[at + 3]) // so many bytes of any meaning
                    : columns.size() * sizeOf(columns[0].stored);
            if (size > header.recordLength - place) {
                layout.warnings.push_back("The descriptions of the extra bytes do not fit the points: what "
                                          "is beyond a point was left out.");
                break;
            }
            extra.insert(extra.end(), columns.begin(), columns.end());
            place += size;
        }
    }
    const std::size_t unnamed = header.recordLength - place;
    if (unnamed > kMostUnnamed)
        layout.warnings.push_back(
            fmt::format("Each point has {} bytes that nothing describes; they were left out.", unnamed));
    for (std::size_t i = 0; unnamed <= kMostUnnamed && i < unnamed; ++i) {
        LasColumn column;
        column.name = fmt::format("extra_byte_{}", i + 1);
        column.type = ScalarType::uint8;
        column.place = place + i;
        extra.push_back(std::move(column));
    }
    return extra;
}

void copyBits(const LasColumn& column, const std::byte* records, std::size_t stride, std::byte* to,
              std::size_t count) {
    const auto mask = static_cast<unsigned>((1 << column.width) - 1);
    for (std::size_t i = 0; i < count; ++i)
        to[i] = static_cast<std::byte>(
            std::to_integer<unsigned>(records[i * stride + column.place]) >> column.shift & mask);
}

void copyScaled(const LasColumn& column, const std::byte* records, std::size_t stride, std::byte* to,
                std::size_t count) {
    const ScaledNumber number(column.factor, column.addend);
    for (std::size_t i = 0; i < count; ++i) {
        const double stored = loadAs(column.stored, records + i * stride + column.place);
        const double value =
            column.missing == stored ? std::numeric_limits<double>::quiet_NaN() : number.value(stored);
        std::memcpy(to + i * sizeof(double), &value, sizeof(double));
    }
}

} // namespace

std::vector<LasColumn> lasStandardColumns(int format) {
    std::vector<LasColumn> all;
    Columns columns(all);
    for (const char* axis : {"x", "y", "z"})
        columns.plain(axis, ScalarType::int32);
    columns.plain("intensity", ScalarType::uint16);
    if (format < 6)
        addLegacyCore(columns);
    else
        addCore14(columns);
    if (format != 0 && format != 2)
        columns.plain("gps_time", ScalarType::float64);
    if (format == 2 || format == 3 || format == 5 || format == 7 || format == 8 || format == 10)
        for (const char* name : {"red", "green", "blue"})
            columns.plain(name, ScalarType::uint16);
    if (format == 8 || format == 10)
        columns.plain("near_infrared", ScalarType::uint16);
    if (format == 4 || format == 5 || format >= 9) {
        columns.plain("wave_packet", ScalarType::uint8);
        columns.plain("wave_offset", ScalarType::uint64);
        columns.plain("wave_size", ScalarType::uint32);
        for (const char* name : {"wave_return_point", "wave_dx", "wave_dy", "wave_dz"})
            columns.plain(name, ScalarType::float32);
    }
    return all;
}

LasLayout lasLayout(const InputFile& file, const LasHeader& header) {
    LasLayout layout;
    layout.recordLength = header.recordLength;
    const std::vector<LasColumn> extra = readExtra(file, header, layout);
    std::set<std::string> extraNames;
    for (const LasColumn& column : extra)
        extraNames.insert(canonicalNames({column.name})[0]);
    layout.columns = lasStandardColumns(header.pointFormat);
    for (LasColumn& column : layout.columns)
        if (extraNames.contains(canonicalNames({column.name})[0]) && column.name.size() > 1)
            column.name = "las_" + column.name;
    layout.columns.insert(layout.columns.end(), extra.begin(), extra.end());
    return layout;
}

void copyLasRecords(const LasLayout& layout, const std::byte* records, std::size_t count,
                    const CloudBuilder& builder, std::size_t firstRow) {
    constexpr bool swapped = std::endian::native != std::endian::little;
    for (std::size_t f = 0; f < layout.columns.size(); ++f) {
        const LasColumn& column = layout.columns[f];
        const ColumnTarget& target = builder.targets()[f];
        if (!target.data)
            continue;
        std::byte* to = target.data + firstRow * target.stride;
        switch (column.kind) {
        case LasColumn::Kind::plain:
            copyColumn(records + column.place, layout.recordLength, column.type, swapped, target, firstRow,
                       count);
            break;
        case LasColumn::Kind::bits:
            copyBits(column, records, layout.recordLength, to, count);
            break;
        case LasColumn::Kind::scaled:
            copyScaled(column, records, layout.recordLength, to, count);
            break;
        }
    }
}

} // namespace scanloupe
