// Plans LAS files, and encodes point records according to the plan.
#include "engine/io/las/write/las_plan.h"

#include "engine/cloud/point_cloud.h"
#include "engine/io/common/little_endian.h"

#include <algorithm>

namespace scanloupe::detail {

bool LasPlan::hasEvlrs() const {
    return std::any_of(vlrs.begin(), vlrs.end(), [](const auto& record) { return record->header.extended; });
}

LasPlan planLas(const PointCloud& cloud, const std::stop_token& stop) {
    const LasMetadata* metadata = lasMetadataOf(cloud);
    return metadata && metadata->isSingle() ? planLasRoundTrip(cloud, *metadata) : planNewLas(cloud, stop);
}

void fillLasRecord(const PointCloud& cloud, const LasPlan& plan, std::size_t row, std::byte* record) {
    const std::size_t i = plan.finite.empty() ? row : plan.finite[row];
    const auto* held = std::get_if<ScaledPositions>(&cloud.positions());
    const Vec3i stored = held ? held->xyz[i] : plan.frame.quantize(cloud.position(i));
    for (int axis = 0; axis < 3; ++axis)
        storeLittle(record + 4 * axis, stored[axis]);
    constexpr std::size_t returns = 14; // offset of the return bits in all point formats
    record[returns] = plan.returns;
    for (const LasSource& source : plan.sources)
        storeLasValue(source, i, record);
    if (!plan.original)
        return;
    const LasLayout& layout = plan.original->layout;
    const std::byte* opaque = plan.original->opaque->data() + i * layout.opaqueBytes;
    for (const LasByteRange& one : layout.opaque) {
        std::memcpy(record + one.byteOffset, opaque, one.size);
        opaque += one.size;
    }
}

} // namespace scanloupe::detail
