// Copies the points of the scan generator into clouds in batches.
#include "engine/io/synth/synthetic_cloud.h"

#include "engine/cloud/point_cloud.h"
#include "engine/compute/memory.h"
#include "kernels/core/parallel.h"
#include "kernels/synth/lidar_sweep_element.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <type_traits>

namespace scanloupe {

namespace {

using synth::ScanPoint;

constexpr std::size_t kBatch = std::size_t{1} << 18; // number of points generated before they are copied to
                                                     // columns
constexpr std::size_t kSyntheticCloudGrain = std::size_t{1} << 13;

/// An attribute of the cloud, and the function that copies its value from a generated point.
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

std::vector<Attribute> emptyAttributes(const std::vector<Column>& columns, std::size_t count) {
    std::vector<Attribute> attributes;
    for (const Column& column : columns) {
        Attribute attribute;
        attribute.name = column.name;
        attribute.type = column.type;
        attribute.allocate(count);
        attributes.push_back(std::move(attribute));
    }
    return attributes;
}

/// Generates `count` points of the scan, starting at index `first`, in the frame `view` (T_scene_view).
PointCloud makeCloud(const synth::ScanParams& params, std::uint64_t first, std::uint64_t count,
                     const RigidTransform& view, bool normals, const ProgressFunction& progress,
                     const std::stop_token& stop) {
    synth::generate(params, 0, {}, stop); // validates the parameters before memory is allocated
    const std::vector<Column> columns = columnsOf(normals);
    std::uint64_t bytesPerPoint = sizeof(Vec3f);
    for (const Column& column : columns)
        bytesPerPoint += sizeOf(column.type);
    requireMemory({fmt::format("A scan of {} points", count), count * bytesPerPoint,
                   "Request fewer points (--points)."},
                  availableHostMemory());

    FloatPositions positions{Buffer<Vec3f>::host(count)};
    std::vector<Attribute> attributes = emptyAttributes(columns, count);
    const bool moved = view != RigidTransform{};
    const RigidTransform back = view.inverse();
    std::vector<ScanPoint> batch(std::min<std::uint64_t>(kBatch, count));
    for (std::uint64_t done = 0; done < count; done += batch.size()) {
        batch.resize(std::min<std::uint64_t>(batch.size(), count - done));
        synth::generate(params, first + done, batch, stop);
        parallelFor(batch.size(), kSyntheticCloudGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                ScanPoint& point = batch[i];
                if (moved) {
                    point.position = back(point.position.as<double>()).as<float>();
                    point.sensor = back(point.sensor.as<double>()).as<float>();
                    point.normal = back.rotate(point.normal.as<double>()).as<float>();
                }
                positions.xyz[done + i] = point.position;
            }
            for (std::size_t c = 0; c < columns.size(); ++c)
                for (std::size_t i = begin; i < end; ++i)
                    columns[c].store(batch[i], attributes[c].dataToFill(), done + i);
        });
        if (progress)
            progress(double(done + batch.size()) / double(count));
    }
    PointCloud cloud(std::move(positions), std::move(attributes), stop);
    cloud.format = kGeneratedFormat;
    return cloud;
}

constexpr std::uint64_t kRings = 64;

} // namespace

PointCloud syntheticCloud(const synth::ScanParams& params, bool normals, const ProgressFunction& progress,
                          const std::stop_token& stop) {
    PointCloud cloud = makeCloud(params, 0, params.points, {}, normals, progress, stop);
    if (!normals)
        cloud.generated = params;
    return cloud;
}

std::string describe(const synth::ScanParams& params) {
    return fmt::format("generated scan ({}, {} points, seed {}, noise {:g} m)",
                       kSceneNames[std::size_t(params.scene)], params.points, params.seed, params.rangeNoise);
}

SyntheticDrive::SyntheticDrive(synth::ScanParams of, std::uint64_t frameCount, std::uint64_t framePoints)
    : params(of), frames(frameCount) {
    constexpr std::uint64_t most = 1'000'000'000;
    if (frames == 0 || frames > most || framePoints == 0 || framePoints > most / frames)
        throw KernelError(
            fmt::format("a drive can't have {} frames of {} points each", frames, framePoints),
            "Request at least one frame and one point per frame, and at most 1000000000 points in total.");
    params.pointsPerRevolution = (framePoints + kRings - 1) / kRings * kRings;
    params.points = frames * params.pointsPerRevolution;
}

RigidTransform SyntheticDrive::pose(std::uint64_t frame) const {
    const double middle = (double(frame) + 0.5) / double(frames) * synth::scanDuration(params);
    const synth::SensorPose at = synth::sensorPose(params, middle);
    return fromRollPitchYaw({0, 0, at.yaw}, at.position);
}

PointCloud SyntheticDrive::cloud(std::uint64_t frame, bool normals, const std::stop_token& stop) const {
    return makeCloud(params, frame * params.pointsPerRevolution, params.pointsPerRevolution, pose(frame),
                     normals, {}, stop);
}

std::vector<synth::LidarSweep> driveSweeps(const synth::LidarSweep& first, std::uint64_t frames) {
    constexpr std::uint64_t kMaxSweeps = 10'000;
    if (frames == 0 || frames > kMaxSweeps)
        throw KernelError(fmt::format("a drive can't have {} sweeps", frames),
                          fmt::format("Request 1 to {} sweeps.", kMaxSweeps));
    std::vector<synth::LidarSweep> sweeps(frames, first);
    for (std::uint64_t f = 0; f < frames; ++f) {
        sweeps[f].frame += f;
        sweeps[f].pose = first.pose * motionAfter(first.twist, double(f) * first.lidar.turnSeconds);
    }
    return sweeps;
}

PointCloud sweepCloud(const synth::LidarSweep& sweep, const synth::SolidScene& scene, bool normals,
                      const std::stop_token& stop) {
    const std::vector<ScanPoint> points = generateSweep(sweep, scene, stop);
    const std::vector<Column> columns = columnsOf(normals);
    FloatPositions positions{Buffer<Vec3f>::host(points.size())};
    std::vector<Attribute> attributes = emptyAttributes(columns, points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        positions.xyz[i] = points[i].position;
        for (std::size_t c = 0; c < columns.size(); ++c)
            columns[c].store(points[i], attributes[c].dataToFill(), i);
    }
    PointCloud cloud(std::move(positions), std::move(attributes), stop);
    cloud.format = kGeneratedFormat;
    cloud.sensor = SensorPose{}; // coordinates of sweeps are in the frame of the sensor
    return cloud;
}

} // namespace scanloupe
