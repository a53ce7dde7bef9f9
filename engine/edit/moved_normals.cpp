// Turns normals with their points.
#include "engine/edit/moved_normals.h"

#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>

namespace scanloupe {

std::vector<Attribute> movedNormals(const PointCloud& cloud, const PointSet& rows,
                                    const RigidTransform& motion, const std::stop_token& stop) {
    constexpr std::array names{"normal_x", "normal_y", "normal_z"};
    std::array<const Attribute*, 3> parts{};
    std::ranges::transform(names, parts.begin(), [&](const char* name) { return cloud.attribute(name); });
    if (std::ranges::find(parts, nullptr) != parts.end())
        return {};
    cloud.load(parts, stop);
    std::vector<Attribute> turned(3);
    std::array<float*, 3> to{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        turned[axis].name = names[axis];
        turned[axis].description = parts[axis]->description;
        turned[axis].type = ScalarType::float32;
        turned[axis].allocate(cloud.size());
        to[axis] = reinterpret_cast<float*>(turned[axis].dataToFill());
    }
    parallelFor(cloud.size(), std::size_t{1} << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3d normal{parts[0]->value(i), parts[1]->value(i), parts[2]->value(i)};
            const Vec3f stored = (rows.has(i) ? motion.rotate(normal) : normal).as<float>();
            for (std::size_t axis = 0; axis < 3; ++axis)
                to[axis][i] = stored[int(axis)];
        }
    });
    return turned;
}

} // namespace scanloupe
