// Lays out the point record formats of LAS (LAS 1.4 R15), and decodes records into columns.
#include "engine/io/las/las_layout.h"

#include "engine/cloud/scaled_frame.h"
#include "engine/io/common/little_endian.h"
#include "engine/io/las/las_extra_bytes.h"
#include "engine/io/las/las_names.h"
#include "kernels/core/scalar_type.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <bit>
#include <cmath>
#include <limits>

namespace scanloupe {

namespace {

/// Appends columns, and tracks their byte offsets.
class Columns {
public:
    explicit Columns(std::vector<LasColumn>& columns) : m_columns(columns) {}

    void plain(const char* name, ScalarType type) {
        LasColumn& column = add(name, type);
        m_byteOffset += sizeOf(column.type);
    }
    void bits(const char* name, int shift, int width) {
        LasColumn& column = add(name, ScalarType::uint8);
        column.kind = LasColumn::Kind::bits;
        column.shift = shift;
        column.width = width;
    }
    void nextByte() { ++m_byteOffset; }

private:
    LasColumn& add(const char* name, ScalarType type) {
        LasColumn column;
        column.name = name;
        column.type = type;
        column.byteOffset = m_byteOffset;
        m_columns.push_back(std::move(column));
        return m_columns.back();
    }
    std::vector<LasColumn>& m_columns;
    std::size_t m_byteOffset = 0;
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

/// Loads a number of type `type` as a double.
double loadAs(ScalarType type, const std::byte* from) {
    return visitScalar(
        type, [&]<class T>(std::type_identity<T>) { return static_cast<double>(loadLittle<T>(from)); });
}

void copyBits(const LasColumn& column, const std::byte* records, std::size_t stride, std::byte* to,
              std::size_t count) {
    const auto mask = static_cast<unsigned>((1 << column.width) - 1);
    for (std::size_t i = 0; i < count; ++i)
        to[i] = static_cast<std::byte>(
            std::to_integer<unsigned>(records[i * stride + column.byteOffset]) >> column.shift & mask);
}

void copyScaled(const LasColumn& column, const std::byte* records, std::size_t stride, std::byte* to,
                std::size_t count) {
    const ScaledNumber number(column.factor, column.addend);
    for (std::size_t i = 0; i < count; ++i) {
        const double stored = loadAs(column.stored, records + i * stride + column.byteOffset);
        const double value =
            column.noData == stored ? std::numeric_limits<double>::quiet_NaN() : number.value(stored);
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

LasLayout readLasLayout(const InputFile& file, const LasHeader& header) {
    LasLayout layout;
    layout.recordLength = header.recordLength;
    layout.columns = lasStandardColumns(header.pointFormat);
    LasExtraBytes extra = readLasExtraBytes(file, header);
    nameLasColumns(layout.columns, extra.columns);
    layout.columns.insert(layout.columns.end(), extra.columns.begin(), extra.columns.end());
    layout.opaque = std::move(extra.opaque);
    layout.warnings = std::move(extra.warnings);
    for (const LasColumn& column : layout.columns)
        if (!isInvertible(column))
            layout.opaque.push_back({column.byteOffset, sizeOf(column.stored)});
    for (const LasByteRange& opaque : layout.opaque)
        layout.opaqueBytes += opaque.size;
    return layout;
}

bool isInvertible(const LasColumn& column) {
    if (column.kind != LasColumn::Kind::scaled)
        return true;
    if (sizeOf(column.stored) > 4 || column.stored == ScalarType::float32)
        return false;             // doubles don't represent all 64-bit integers, and NaN may be a stored
                                  // value or no_data
    constexpr double most = 1e12; // maximum offset in steps; a double has enough bits for such an offset and
                                  // 32-bit integers
    const double steps = column.addend / column.factor;
    return std::isfinite(steps) && std::abs(steps) < most && std::isfinite(column.factor * most) &&
           std::abs(column.factor) > std::numeric_limits<double>::min();
}

void copyLasRecords(const LasLayout& layout, const std::byte* records, std::size_t count,
                    std::span<const ColumnTarget> targets, std::size_t firstRow) {
    constexpr bool swapped = std::endian::native != std::endian::little;
    for (std::size_t f = 0; f < layout.columns.size(); ++f) {
        const LasColumn& column = layout.columns[f];
        const ColumnTarget& target = targets[f];
        if (!target.data)
            continue;
        std::byte* to = target.data + firstRow * target.stride;
        switch (column.kind) {
        case LasColumn::Kind::plain:
            copyColumn(records + column.byteOffset, layout.recordLength, column.type, swapped, target,
                       firstRow, count);
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

void copyLasRecords(const LasLayout& layout, const std::byte* records, std::size_t count,
                    const CloudBuilder& builder, std::size_t firstRow) {
    copyLasRecords(layout, records, count, builder.targets(), firstRow);
    if (!builder.opaque())
        return;
    std::byte* to = builder.opaque() + firstRow * layout.opaqueBytes;
    for (const LasByteRange& opaque : layout.opaque) {
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(to + i * layout.opaqueBytes, records + i * layout.recordLength + opaque.byteOffset,
                        opaque.size);
        to += opaque.size;
    }
}

} // namespace scanloupe
