#include "engine/io/las_plan.h"

#include <limits>

namespace scanloupe::detail {

LasPlan samePlan(const PointCloud& cloud, const LasOrigin& origin) {
    const auto& held = std::get<ScaledPositions>(cloud.positions());
    LasPlan plan;
    plan.minor = origin.minor;
    plan.pointFormat = origin.pointFormat;
    plan.identity = origin.identity;
    plan.behindHeader = origin.behindHeader;
    plan.behindRecords = origin.behindRecords;
    plan.records = origin.records;
    plan.packingPlace = origin.packingPlace.value_or(origin.records.size());
    plan.recordLength = origin.layout.recordLength;
    plan.frame = {held.scale, held.offset, true};
    constexpr std::size_t axes = 3;
    for (std::size_t c = axes; c < origin.layout.columns.size(); ++c)
        if (const LasColumn& column = origin.layout.columns[c]; isInvertible(column))
            plan.sources.push_back({column, &cloud.attributes()[c - axes]});
    plan.asItWas = origin.layout.hiddenBytes > 0 ? &origin : nullptr;
    plan.points = cloud.size();
    plan.losses = origin.losses;
    return plan;
}

} // namespace scanloupe::detail
