// Merges the point fields of several E57 scans into the columns of one cloud.
#include "engine/io/e57/e57_columns.h"

#include "engine/cloud/error.h"
#include "engine/cloud/scaled_frame.h"
#include "kernels/core/scalar_type.h"
#include "kernels/field/core/scalar_field.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace scanloupe {

namespace {

constexpr const char* kCartesian[] = {"cartesianX", "cartesianY", "cartesianZ"};
constexpr std::size_t kMaxE57Columns = 4096; // maximum number of columns over all scans
constexpr const char* kSpherical[] = {"sphericalRange", "sphericalAzimuth", "sphericalElevation"};

bool isInteger(const E57Field& field) {
    return field.kind == E57Field::Kind::integer || field.kind == E57Field::Kind::scaled;
}

template <class T>
bool holds(const E57Field& field) {
    return std::in_range<T>(field.minimum) && std::in_range<T>(field.maximum);
}

ScalarType typeOf(const E57Field& field) {
    if (field.kind == E57Field::Kind::float32)
        return ScalarType::float32;
    if (field.kind != E57Field::Kind::integer)
        return ScalarType::float64;
    if (holds<std::uint8_t>(field))
        return ScalarType::uint8;
    if (holds<std::int8_t>(field))
        return ScalarType::int8;
    if (holds<std::uint16_t>(field))
        return ScalarType::uint16;
    if (holds<std::int16_t>(field))
        return ScalarType::int16;
    if (holds<std::uint32_t>(field))
        return ScalarType::uint32;
    return holds<std::int32_t>(field) ? ScalarType::int32 : ScalarType::int64;
}

/// Returns the common type of the coordinates: the stored type if all scans have the same and no pose
/// transforms them, otherwise float64.
ScalarType coordinateType(std::span<const E57Part> parts, E57Columns& columns) {
    ScalarType type = ScalarType::float64;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const E57Scan& scan = *parts[p].scan;
        if (scan.spherical() || (scan.pose && !scan.pose->identity()))
            return ScalarType::float64;
        for (int axis = 0; axis < 3; ++axis) {
            const E57Field& field = scan.fields[static_cast<std::size_t>(scan.find(kCartesian[axis]))];
            const ScalarType stored = field.kind == E57Field::Kind::float32            ? ScalarType::float32
                                      : isInteger(field) && holds<std::int32_t>(field) ? ScalarType::int32
                                                                                       : ScalarType::float64;
            if (p == 0 && axis == 0)
                type = stored;
            if (stored != type || type == ScalarType::float64)
                return ScalarType::float64;
            if (p == 0) {
                columns.scale[axis] = field.scale;
                columns.offset[axis] = field.offset;
            }
            if (type == ScalarType::int32 &&
                (columns.scale[axis] != field.scale || columns.offset[axis] != field.offset))
                return ScalarType::float64;
        }
    }
    return type;
}

int coordinateOf(const E57Scan& scan, const std::string& name) {
    const auto& names = scan.spherical() ? kSpherical : kCartesian;
    const auto* found = std::find(std::begin(names), std::end(names), name);
    return found == std::end(names) ? -1 : static_cast<int>(found - names);
}

/// Widens a column's full scale to include that of another scan. The result is unknown if a scan declares
/// none.
void mergeFullScales(Field& column, const std::optional<ValueRange>& further) {
    if (!column.declared || !further)
        column.declared.reset();
    else
        column.declared = ValueRange{std::min(column.declared->min, further->min),
                                     std::max(column.declared->max, further->max)};
}

/// Widens a column's type so that it also represents another field with the same name.
void mergeTypes(Field& column, ScalarType type) {
    if (column.type == type)
        return;
    const bool floating = column.type >= ScalarType::float32 || type >= ScalarType::float32;
    column.type = floating ? ScalarType::float64 : ScalarType::int64;
}

} // namespace

E57Columns planE57Columns(const InputFile& file, std::span<E57Part> parts) {
    E57Columns columns;
    const ScalarType type = coordinateType(parts, columns);
    for (const char* axis : {"x", "y", "z"})
        columns.fields.push_back({axis, type});
    std::vector<std::size_t> scansWith(3, parts.size());
    std::map<std::string_view, std::size_t> places; // indices of columns, by field name
    for (E57Part& part : parts) {
        const auto state = static_cast<std::size_t>(part.scan->invalidState());
        for (std::size_t f = 0; f < part.scan->fields.size(); ++f) {
            const E57Field& field = part.scan->fields[f];
            const int axis = coordinateOf(*part.scan, field.name);
            if (axis >= 0 || f == state) {
                part.columns.push_back(axis >= 0 ? axis : E57Part::kInvalid);
                continue;
            }
            const auto [known, isNew] = places.try_emplace(field.name, columns.fields.size());
            const std::size_t place = known->second;
            if (isNew) {
                if (place >= kMaxE57Columns)
                    throw EngineError(fmt::format("the scans in '{}' have more than the maximum of {} "
                                                  "different attributes in total",
                                                  file.name(), kMaxE57Columns),
                                      "The file is damaged or was written incorrectly. Export it again.");
                columns.fields.push_back(
                    {.name = field.name, .type = typeOf(field), .declared = field.declared});
                scansWith.push_back(0);
            } else {
                const bool colour = field.name.starts_with("color");
                columns.differentScales |= colour && columns.fields[place].declared != field.declared;
                mergeFullScales(columns.fields[place], field.declared);
                mergeTypes(columns.fields[place], typeOf(field));
            }
            ++scansWith[place];
            part.columns.push_back(static_cast<int>(place));
        }
    }
    for (std::size_t c = 0; c < columns.fields.size(); ++c) {
        columns.partial.push_back(scansWith[c] < parts.size());
        // Missing values are NaN, which integers can't represent.
        if (columns.partial[c] && columns.fields[c].type < ScalarType::float32)
            columns.fields[c].type = ScalarType::float64;
    }
    return columns;
}

void storeE57Values(const E57Values& values, const E57Field& field, std::uint64_t firstRow,
                    const ColumnTarget& target) {
    std::byte* to = target.data + (firstRow + values.first) * target.stride;
    visitScalar(target.type, [&]<class T>(std::type_identity<T>) {
        const auto put = [&](T value) {
            std::memcpy(to, &value, sizeof(T));
            to += target.stride;
        };
        if constexpr (std::is_floating_point_v<T>) {
            for (const double value : values.reals)
                put(static_cast<T>(value));
            const ScaledNumber number(field.scale, field.offset); // plain integers have scale 1 and offset 0
            for (const std::int64_t value : values.integers)
                put(static_cast<T>(number.value(static_cast<double>(value))));
        } else {
            // A bit field may encode values above the declared maximum.
            for (const std::int64_t value : values.integers)
                put(static_cast<T>(std::min(value, field.maximum)));
        }
    });
}

} // namespace scanloupe
