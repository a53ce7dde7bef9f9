// Formats messages about the parts of a cloud that LAS can't store.
#include "engine/cloud/point_cloud.h"
#include "engine/io/las/write/las_plan.h"
#include "engine/io/las/write/write_las.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe::detail {

void addLasLosses(const PointCloud& cloud, const std::stop_token& stop, std::vector<std::string>& losses) {
    const LasPlan plan = planLas(cloud, stop);
    if (plan.points < cloud.size())
        losses.push_back(
            fmt::format("{} points without valid coordinates are left out, since LAS can't represent them",
                        cloud.size() - plan.points));
    const Vec3d steps = plan.frame.scale;
    if (!plan.frame.exact)
        losses.push_back(fmt::format(
            "LAS stores coordinates as integers; they are rounded to multiples of {:.2g}, {:.2g} and {:.2g}",
            steps.x, steps.y, steps.z));
    losses.insert(losses.end(), plan.losses.begin(), plan.losses.end());
    const bool namesCrs =
        std::any_of(plan.vlrs.begin(), plan.vlrs.end(), [](const auto& record) { return record->isCrs(); });
    if (!cloud.coordinateSystem.empty() && !namesCrs)
        losses.push_back(kCrsNameLoss);
}

} // namespace scanloupe::detail
