#include "engine/cloud/synthetic_cloud.h"

#include "engine/compute/memory.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <type_traits>

namespace scanloupe {

namespace {

using synth::ScanPoint;

constexpr std::size_t kBatch = std::size_t{1} << 18; // points made at a time, before they go to their columns
constexpr std::size_t kGrain = std::size_t{1} << 13;

/// One attribute of the cloud and how it is taken from a point.
struct Column {
    const char* name;
    ScalarType type;
    void (*store)(const ScanPoint& point, std::byte* column, std::size_t i);
};

template <auto get>
constexpr Column column(const char* name) {
    using T = std::invoke_result_t<decltype(get), const ScanPoint&>;
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, std::uint16_t>);
    return {name, std::is_same_v<T, float> ? ScalarType::float32 : ScalarType::uint16,
            [](const ScanPoint& point, std::byte* values, std::size_t i) {
                const T value = get(point);
                std::memcpy(values + i * sizeof(T), &value, sizeof(T));
            }};
}

std::vector<Column> columnsOf(bool normals) {
    std::vector<Column> columns{
        column<[](const ScanPoint& p) { return p.intensity; }>("intensity"),
        column<[](const ScanPoint& p) { return p.time; }>("time"),
        column<[](const ScanPoint& p) { return p.ring; }>("ring"),
        column<[](const ScanPoint& p) { return p.sensor.x; }>("sensor_x"),
        column<[](const ScanPoint& p) { return p.sensor.y; }>("sensor_y"),
        column<[](const ScanPoint& p) { return p.sensor.z; }>("sensor_z"),
    };
    if (normals) {
        columns.push_back(column<[](const ScanPoint& p) { return p.normal.x; }>("normal_x"));
        columns.push_back(column<[](const ScanPoint& p) { return p.normal.y; }>("normal_y"));
        columns.push_back(column<[](const ScanPoint& p) { return p.normal.z; }>("normal_z"));
    }
    return columns;
}

} // namespace

PointCloud syntheticCloud(const synth::ScanParams& params, bool normals, const ProgressFunction& progress,
                          const std::stop_token& stop) {
    synth::generate(params, 0, {}, stop); // looks at the parameters before memory is taken
    const std::vector<Column> columns = columnsOf(normals);
    std::uint64_t bytesPerPoint = sizeof(Vec3f);
    for (const Column& column : columns)
        bytesPerPoint += sizeOf(column.type);
    requireMemory({fmt::format("A scan of {} points", params.points), params.points * bytesPerPoint,
                   "Ask for fewer points (--points)."},
                  availableHostMemory());

    FloatPositions positions{Buffer<Vec3f>::host(params.points)};
    std::vector<Attribute> attributes;
    for (const Column& column : columns) {
        Attribute attribute;
        attribute.name = column.name;
        attribute.type = column.type;
        attribute.data = Buffer<std::byte>::host(params.points * sizeOf(column.type));
        attributes.push_back(std::move(attribute));
    }
    std::vector<ScanPoint> batch(std::min<std::uint64_t>(kBatch, params.points));
    for (std::uint64_t first = 0; first < params.points; first += batch.size()) {
        batch.resize(std::min<std::uint64_t>(batch.size(), params.points - first));
        synth::generate(params, first, batch, stop);
        parallelFor(batch.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                positions.xyz[first + i] = batch[i].position;
            for (std::size_t c = 0; c < columns.size(); ++c)
                for (std::size_t i = begin; i < end; ++i)
                    columns[c].store(batch[i], attributes[c].data.data(), first + i);
        });
        if (progress)
            progress(double(first + batch.size()) / double(params.points));
    }
    PointCloud cloud(std::move(positions), std::move(attributes), stop);
    cloud.format = "generated";
    return cloud;
}

} // namespace scanloupe
