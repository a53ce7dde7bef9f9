// Plans to write a cloud with the layout and metadata of the LAS file that it was read from.
#include "engine/cloud/point_cloud.h"
#include "engine/io/las/write/las_plan.h"

namespace scanloupe::detail {

LasPlan planLasRoundTrip(const PointCloud& cloud, const LasMetadata& metadata) {
    const auto& held = std::get<ScaledPositions>(cloud.positions());
    LasPlan plan;
    plan.minor = metadata.minor;
    plan.pointFormat = metadata.pointFormat;
    plan.identity = metadata.identity;
    plan.bytesAfterHeader = metadata.bytesAfterHeader;
    plan.bytesAfterVlrs = metadata.bytesAfterVlrs;
    plan.vlrs = metadata.vlrs;
    plan.laszipVlrIndex = metadata.laszipVlrIndex.value_or(metadata.vlrs.size());
    plan.recordLength = metadata.layout.recordLength;
    plan.frame = {held.scale, held.offset, true};
    constexpr std::size_t axes = 3;
    for (std::size_t c = axes; c < metadata.layout.columns.size(); ++c)
        if (const LasColumn& column = metadata.layout.columns[c]; isInvertible(column))
            plan.sources.push_back({column, &cloud.attributes()[c - axes]});
    plan.original = metadata.layout.opaqueBytes > 0 ? &metadata : nullptr;
    plan.points = cloud.size();
    plan.losses = metadata.losses;
    return plan;
}

} // namespace scanloupe::detail
