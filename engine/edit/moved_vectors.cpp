// Rotates normals and moves sensor positions together with their points.
#include "engine/edit/moved_vectors.h"

#include "engine/cloud/point_cloud.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace scanloupe {

namespace {

/// Returns three attributes with `change` applied to the rows in the set, as numbers of type T; empty if the
/// cloud lacks one of them.
template <class T, class Change>
std::vector<Attribute> changedVectors(const PointCloud& cloud, const std::array<const char*, 3>& names,
                                      ScalarType type, const PointSet& rows, Change&& change,
                                      const std::stop_token& stop) {
    std::array<const Attribute*, 3> parts{};
    std::ranges::transform(names, parts.begin(), [&](const char* name) { return cloud.attribute(name); });
    if (std::ranges::find(parts, nullptr) != parts.end())
        return {};
    cloud.load(parts, stop);
    std::vector<Attribute> changed(3);
    std::array<T*, 3> to{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        changed[axis].name = names[axis];
        changed[axis].description = parts[axis]->description;
        changed[axis].type = type;
        changed[axis].allocate(cloud.size());
        to[axis] = reinterpret_cast<T*>(changed[axis].dataToFill());
    }
    parallelFor(cloud.size(), std::size_t{1} << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3d vector{parts[0]->value(i), parts[1]->value(i), parts[2]->value(i)};
            const Vec3d stored = rows.has(i) ? change(vector) : vector;
            for (std::size_t axis = 0; axis < 3; ++axis)
                to[axis][i] = T(stored[int(axis)]);
        }
    });
    return changed;
}

} // namespace

std::vector<Attribute> movedVectors(const PointCloud& cloud, const PointSet& rows,
                                    const RigidTransform& motion, const std::stop_token& stop) {
    auto vectors = changedVectors<float>(
        cloud, {"normal_x", "normal_y", "normal_z"}, ScalarType::float32, rows,
        [&](Vec3d normal) { return motion.rotate(normal); }, stop);
    auto sensors = changedVectors<double>(cloud, {"sensor_x", "sensor_y", "sensor_z"}, ScalarType::float64,
                                          rows, motion, stop);
    std::ranges::move(sensors, std::back_inserter(vectors));
    return vectors;
}

} // namespace scanloupe
