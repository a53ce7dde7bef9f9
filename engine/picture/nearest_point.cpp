// Finds the point of a scan nearest to a position, on all cores.
#include "engine/picture/nearest_point.h"

#include "engine/cloud/point_cloud.h"
#include "kernels/core/parallel.h"

#include <limits>

namespace scanloupe {

namespace {

constexpr std::size_t kNearestPointGrain = 1 << 16; // points per task; takes less than a millisecond

struct Nearest {
    std::size_t index = 0;
    double squared = std::numeric_limits<double>::infinity(); ///< squared distance, square metres
};

bool contains(const Bounds& range, Vec3d p) {
    for (int axis = 0; axis < 3; ++axis)
        if (!(p[axis] >= range.min[axis] && p[axis] <= range.max[axis]))
            return false;
    return true;
}

} // namespace

std::optional<std::size_t> nearestPoint(const PointCloud& cloud, Vec3d place, double within,
                                        const Bounds& range, const PointCut& cut,
                                        const std::stop_token& stop) {
    const Nearest none{0, std::numeric_limits<double>::infinity()};
    const auto nearestOf = [&](std::size_t begin, std::size_t end) {
        Nearest nearest = none;
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3d p = cloud.position(i);
            const double squared = squaredNorm(p - place);
            if (squared < nearest.squared && contains(range, p) && // false for NaN
                cut.keeps((p - cloud.origin()).as<float>()))
                nearest = {i, squared};
        }
        return nearest;
    };
    const Nearest nearest =
        parallelReduce(cloud.size(), kNearestPointGrain, stop, none, nearestOf,
                       [](const Nearest& a, const Nearest& b) { return b.squared < a.squared ? b : a; });
    return nearest.squared <= within * within ? std::optional(nearest.index) : std::nullopt;
}

} // namespace scanloupe
