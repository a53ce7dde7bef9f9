// Allocates the columns of a cloud for the fields of a file, and builds the PointCloud.
#include "engine/io/common/cloud_builder.h"

#include "engine/cloud/point_cloud.h"
#include "engine/compute/memory.h"
#include "engine/io/common/coordinate_spread.h"
#include "engine/io/common/field_names.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <cstring>

namespace scanloupe {

namespace {

bool isSmallInteger(ScalarType type) {
    return type <= ScalarType::uint16;
}

/// Returns the smallest position type that represents the three declared types exactly.
Positions makePositions(std::span<const ScalarType, 3> types, std::size_t rows) {
    const auto all = [&](auto&& test) { return std::all_of(types.begin(), types.end(), test); };
    if (all([](ScalarType type) { return isSmallInteger(type) || type == ScalarType::int32; }))
        return ScaledPositions{Buffer<Vec3i>::host(rows), {1, 1, 1}, {0, 0, 0}};
    if (all([](ScalarType type) { return isSmallInteger(type) || type == ScalarType::float32; }))
        return FloatPositions{Buffer<Vec3f>::host(rows)};
    return DoublePositions{Buffer<Vec3d>::host(rows), -1};
}

ScalarType componentType(const Positions& positions) {
    if (std::holds_alternative<FloatPositions>(positions))
        return ScalarType::float32;
    return std::holds_alternative<DoublePositions>(positions) ? ScalarType::float64 : ScalarType::int32;
}

/// Checks that the rows fit into the available memory. The system would otherwise overcommit memory, and kill
/// the program when it writes to the pages. @throws EngineError
void requireMemoryForRows(const InputFile& file, std::span<const Field> fields, std::size_t rows,
                          std::uint64_t perRow, bool onDemand) {
    for (const Field& field : fields)
        if (!field.dropped)
            perRow += field.packed ? (field.hasAlpha ? 4 : 3) : sizeOf(field.type);
    if (onDemand)
        perRow -= attributeBytesOnDemand(fields, 1);
    requireMemory({"Reading '" + file.name() + "' with " + std::to_string(rows) + " points", rows * perRow,
                   "Close other scans and programs, or cut the scan into parts."},
                  availableHostMemory());
}

} // namespace

CloudBuilder::CloudBuilder(const InputFile& file, std::span<const Field> fields, std::size_t rows,
                           std::size_t opaqueBytes, bool onDemand)
    : m_rows(rows), m_opaqueBytes(opaqueBytes), m_path(file.path().string()), m_targets(fields.size()) {
    requireMemoryForRows(file, fields, rows, opaqueBytes, onDemand);
    m_opaque = Buffer<std::byte>::host(rows * opaqueBytes);
    m_opaqueData = opaqueBytes > 0 ? m_opaque.data() : nullptr;
    std::vector<std::string> own;
    for (const Field& field : fields)
        own.push_back(field.dropped || field.packed ? std::string() : field.name);
    const auto names = canonicalNames(own);
    addCoordinates(file, fields, names);
    m_columns = addAttributes(fields, names, onDemand);
}

AttributeColumns CloudBuilder::addAttributes(std::span<const Field> fields,
                                             const std::vector<std::string>& names, bool onDemand) {
    std::vector<AttributeColumns::Column> columns(fields.size());
    for (std::size_t f = 0; f < fields.size(); ++f) {
        ColumnTarget& target = m_targets[f];
        if (fields[f].dropped || target.coordinate)
            continue;
        columns[f].packed = fields[f].packed;
        columns[f].type = fields[f].type;
        if (fields[f].packed) {
            const char* parts[] = {"red", "green", "blue", "alpha"};
            for (std::size_t c = 0; c < (fields[f].hasAlpha ? 4 : 3); ++c) {
                columns[f].attributes[c] = m_attributes.size();
                target.packed[c] =
                    addColumn(parts[c], ScalarType::uint8, onDemand && !isReadWithPositions(parts[c]));
            }
            continue;
        }
        columns[f].attributes[0] = m_attributes.size();
        target.type = fields[f].type;
        target.stride = sizeOf(target.type);
        target.data = addColumn(names[f], target.type, onDemand && !isReadWithPositions(names[f]));
        m_attributes.back().description = fields[f].description;
        m_attributes.back().declared = fields[f].declared;
    }
    return AttributeColumns(std::move(columns));
}

std::vector<std::string> CloudBuilder::attributeNames() const {
    std::vector<std::string> names;
    for (const Attribute& attribute : m_attributes)
        names.push_back(attribute.name);
    return names;
}

void CloudBuilder::addCoordinates(const InputFile& file, std::span<const Field> fields,
                                  const std::vector<std::string>& names) {
    std::size_t columns[3];
    ScalarType types[3];
    for (int axis = 0; axis < 3; ++axis) {
        const std::string wanted(1, static_cast<char>('x' + axis));
        const auto found = std::find(names.begin(), names.end(), wanted);
        if (found == names.end()) {
            std::vector<std::string> have;
            for (const Field& field : fields)
                if (!field.dropped)
                    have.push_back(field.name);
            throwNoCoordinate(file, wanted, have,
                              "Export the cloud again with x, y and z, or rename its columns to x, y and z.");
        }
        columns[axis] = static_cast<std::size_t>(found - names.begin());
        types[axis] = fields[columns[axis]].type;
    }
    m_positions = makePositions(types, m_rows);
    const ScalarType type = componentType(m_positions);
    std::byte* data =
        std::visit([](auto& held) { return reinterpret_cast<std::byte*>(held.xyz.data()); }, m_positions);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        ColumnTarget& target = m_targets[columns[axis]];
        target.type = type;
        target.stride = 3 * sizeOf(type);
        target.data = data ? data + axis * sizeOf(type) : nullptr;
        target.coordinate = true;
    }
}

void throwGeographic(const InputFile& file) {
    throw EngineError(
        "'" + file.name() + "' has longitude and latitude in degrees, not lengths",
        "Project it to a map first, for example to UTM with PDAL (filters.reprojection) or QGIS.");
}

void throwNoCoordinate(const InputFile& file, const std::string& axis,
                       const std::vector<std::string>& columns, const std::string& nextStep) {
    if (axis != "z" && areGeographic(columns))
        throwGeographic(file);
    std::string have;
    for (const std::string& name : columns) {
        if (have.size() > 200)
            break;
        have += (have.empty() ? "" : ", ") + name;
    }
    throw EngineError("'" + file.name() + "' has no " + axis + " coordinate; " +
                          (have.empty() ? "it has no columns for points" : "its columns are: " + have),
                      nextStep);
}

std::byte* CloudBuilder::addAttribute(std::string name, ScalarType type) {
    return addColumn(std::move(name), type, false);
}

std::byte* CloudBuilder::addColumn(std::string name, ScalarType type, bool onDemand) {
    const std::string base = name;
    for (int number = 2; !m_names.insert(name).second; ++number)
        name = base + "_" + std::to_string(number);
    m_attributes.push_back(Attribute::inFile(std::move(name), type));
    if (!onDemand)
        m_attributes.back().allocate(m_rows);
    return m_attributes.back().dataToFill();
}

void CloudBuilder::moveRows(std::size_t to, std::size_t from, std::size_t count) {
    if (to == from || count == 0)
        return;
    std::visit(
        [&](auto& held) {
            std::memmove(held.xyz.data() + to, held.xyz.data() + from, count * sizeof(held.xyz[0]));
        },
        m_positions);
    for (Attribute& attribute : m_attributes)
        attribute.moveRows(to, from, count);
    if (m_opaqueBytes > 0)
        std::memmove(m_opaque.data() + to * m_opaqueBytes, m_opaque.data() + from * m_opaqueBytes,
                     count * m_opaqueBytes);
}

void CloudBuilder::shrink(std::size_t rows) {
    m_rows = std::min(rows, m_rows);
    std::visit([&](auto& held) { held.xyz.shrink(m_rows); }, m_positions);
    for (Attribute& attribute : m_attributes)
        attribute.shrink(m_rows);
    m_opaque.shrink(m_rows * m_opaqueBytes);
}

std::shared_ptr<PointCloud> CloudBuilder::finish(int decimals, const std::stop_token& stop,
                                                 std::shared_ptr<const AttributeSource> source) {
    if (auto* held = std::get_if<DoublePositions>(&m_positions))
        held->decimals = decimals;
    auto cloud = std::make_shared<PointCloud>(std::move(m_positions), std::move(m_attributes), stop,
                                              std::move(source));
    cloud->path = m_path;
    if (cloud->size() == 0)
        cloud->warnings.push_back("The file has no points.");
    if (auto sentence = spreadWarning(*cloud))
        cloud->warnings.push_back(std::move(*sentence));
    return cloud;
}

std::string truncationWarning(std::uint64_t whole, std::uint64_t claimed) {
    return "The file is truncated: " + std::to_string(whole) + " of " + std::to_string(claimed) +
           " points were loaded, " + std::to_string(claimed - whole) + " are missing.";
}

void throwNothingWhole(const InputFile& file, std::uint64_t claimed) {
    throw EngineError("'" + file.name() + "' specifies " + std::to_string(claimed) +
                          " points, but there is no complete point in its " + std::to_string(file.size()) +
                          " bytes",
                      "The file is truncated or its header is wrong. Copy or export it again.");
}

} // namespace scanloupe
