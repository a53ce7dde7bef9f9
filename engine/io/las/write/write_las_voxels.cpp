// Writes voxels as points of LAS and LAZ.
#include "engine/io/las/write/write_las_voxels.h"

#include "engine/cloud/point_cloud.h"
#include "engine/io/las/write/write_las.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scanloupe::detail {

namespace {

constexpr std::size_t kWriteLasVoxelsGrain = std::size_t{1} << 14;

/// Returns the coordinate scale: the largest power of ten up to a thousandth of a voxel's edge, or a larger
/// one if coordinates would otherwise exceed 32 bits. @param edge edge length of a voxel, metres @param
/// farthest largest absolute coordinate, metres
double stepOf(double edge, double farthest) {
    const double wanted = std::max(edge / 1000, farthest / std::numeric_limits<std::int32_t>::max() * 10);
    return std::pow(10.0, std::floor(std::log10(wanted)));
}

template <class T, class Value>
Attribute column(std::string name, ScalarType type, std::size_t rows, const std::stop_token& stop,
                 Value&& value) {
    Attribute attribute;
    attribute.name = std::move(name);
    attribute.type = type;
    attribute.allocate(rows);
    auto* to = reinterpret_cast<T*>(attribute.dataToFill());
    parallelFor(rows, kWriteLasVoxelsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row)
            to[row] = value(row);
    });
    return attribute;
}

ScaledPositions positionsOf(const VoxelJob& job) {
    const VoxelRows& rows = job.rows;
    ScaledPositions positions;
    positions.xyz = Buffer<Vec3i>::host(rows.size());
    for (int axis = 0; axis < 3; ++axis) {
        const auto edge = double(job.shape.voxelSize[axis]), low = double(job.shape.origin[axis]);
        const double farthest = std::max(std::abs(low), std::abs(low + edge * job.shape.dims[axis])) + 1;
        positions.scale[axis] = stepOf(edge, farthest);
        positions.offset[axis] = std::floor(job.options.origin[axis]);
    }
    parallelFor(rows.size(), kWriteLasVoxelsGrain, job.stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row)
            for (int axis = 0; axis < 3; ++axis) {
                const double at = rows.value(std::size_t(axis), row) - positions.offset[axis];
                positions.xyz[row][axis] = std::int32_t(std::lround(at / positions.scale[axis]));
            }
    });
    return positions;
}

} // namespace

void writeLasVoxels(std::ostream& stream, const VoxelJob& job) {
    const VoxelRows& rows = job.rows;
    const std::vector<std::string> names = rows.names([](std::string name) { return name; });
    std::vector<Attribute> attributes;
    for (std::size_t c = 3; c < rows.channels(); ++c) {
        const std::size_t category = c - std::min(c, rows.means());
        if (c >= rows.means())
            visitScalar(rows.type(c), [&]<class T>(std::type_identity<T>) {
                attributes.push_back(
                    column<T>(names[c], rows.type(c), rows.size(), job.stop, [&](std::size_t row) {
                        return static_cast<T>(rows.classValue(category, row));
                    }));
            });
        else if (rows.isDouble(c))
            attributes.push_back(column<double>(names[c], ScalarType::float64, rows.size(), job.stop,
                                                [&](std::size_t row) { return rows.value(c, row); }));
        else
            attributes.push_back(column<float>(names[c], ScalarType::float32, rows.size(), job.stop,
                                               [&](std::size_t row) { return rows.relative(c, row); }));
        if (c < rows.means())
            attributes.back().declared = rows.fullScale(c);
    }
    attributes.push_back(column<std::uint32_t>("count", ScalarType::uint32, rows.size(), job.stop,
                                               [&](std::size_t row) { return rows.count(row); }));
    const PointCloud cloud(positionsOf(job), std::move(attributes), job.stop);
    WriteOptions options;
    options.progress = job.options.progress;
    const CloudJob points{cloud, options, job.stop, job.ending};
    if (job.ending == ".laz")
        writeLazCloud(stream, points);
    else
        writeLasCloud(stream, points);
}

} // namespace scanloupe::detail
