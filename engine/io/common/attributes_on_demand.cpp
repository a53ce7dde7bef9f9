// Decides which attributes are read on demand, and maps them to the fields of their file.
#include "engine/io/common/attributes_on_demand.h"

#include "engine/compute/memory.h"
#include "engine/io/common/cloud_builder.h"
#include "engine/io/common/field_names.h"
#include "engine/io/common/read_options.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

bool isReadWithPositions(std::string_view name) {
    constexpr std::string_view names[] = {"normal_x", "normal_y", "normal_z", "sensor_x", "sensor_y",
                                          "sensor_z", "red",      "green",    "blue"};
    return std::ranges::find(names, name) != std::end(names);
}

std::uint64_t attributeBytesOnDemand(std::span<const Field> fields, std::uint64_t rows) {
    std::vector<std::string> own;
    for (const Field& field : fields)
        own.push_back(field.dropped || field.packed ? std::string() : field.name);
    const auto names = canonicalNames(own);
    std::uint64_t sum = 0;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const bool isCoordinate = names[f] == "x" || names[f] == "y" || names[f] == "z";
        if (fields[f].packed)
            sum += fields[f].hasAlpha ? 1 : 0;
        else if (!fields[f].dropped && !isCoordinate && !isReadWithPositions(names[f]))
            sum += sizeOf(fields[f].type);
    }
    return rows * sum;
}

bool readsOnDemand(AttributeReading wanted, std::uint64_t bytes) {
    constexpr std::uint64_t large = std::uint64_t{64} << 20; // bytes; for smaller attributes a second pass
                                                             // over the file is not worth it
    return wanted == AttributeReading::onDemand || (wanted == AttributeReading::automatic && bytes > large);
}

std::vector<ColumnTarget> AttributeColumns::targets(std::span<const std::size_t> attributes,
                                                    std::span<std::byte* const> memory,
                                                    std::size_t rows) const {
    std::vector<ColumnTarget> all(m_columns.size());
    std::uint64_t bytes = 0;
    for (std::size_t f = 0; f < m_columns.size(); ++f) {
        const Column& column = m_columns[f];
        for (std::size_t part = 0; part < column.attributes.size(); ++part) {
            const auto found = std::ranges::find(attributes, column.attributes[part]);
            if (column.attributes[part] == kNone || found == attributes.end())
                continue;
            std::byte* const to = memory[static_cast<std::size_t>(found - attributes.begin())];
            (column.packed ? all[f].packed[part] : all[f].data) = to;
            bytes += rows * (column.packed ? 1 : sizeOf(column.type));
        }
        all[f].type = column.type;
        all[f].stride = sizeOf(column.type);
    }
    requireMemory({fmt::format("Reading {} more attributes of {} points", attributes.size(), rows), bytes,
                   "Close other scans and programs, or cut the scan into parts."},
                  availableHostMemory());
    return all;
}

} // namespace scanloupe
