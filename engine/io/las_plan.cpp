#include "engine/io/las_plan.h"

#include "engine/io/little_endian.h"

#include <algorithm>

namespace scanloupe::detail {

bool LasPlan::hasExtended() const {
    return std::any_of(records.begin(), records.end(),
                       [](const auto& record) { return record->head.extended; });
}

LasPlan planLas(const PointCloud& cloud, const std::stop_token& stop) {
    const LasOrigin* origin = lasOriginOf(cloud);
    return origin && origin->isSingle() ? samePlan(cloud, *origin) : newPlan(cloud, stop);
}

void fillLasRecord(const PointCloud& cloud, const LasPlan& plan, std::size_t row, std::byte* record) {
    const std::size_t i = plan.finite.empty() ? row : plan.finite[row];
    const auto* held = std::get_if<ScaledPositions>(&cloud.positions());
    const Vec3i stored = held ? held->xyz[i] : plan.frame.stored(cloud.position(i));
    for (int axis = 0; axis < 3; ++axis)
        storeLittle(record + 4 * axis, stored[axis]);
    for (const LasSource& source : plan.sources)
        storeLasValue(source, i, record);
    if (!plan.asItWas)
        return;
    const LasLayout& layout = plan.asItWas->layout;
    const std::byte* hidden = plan.asItWas->hidden.data() + i * layout.hiddenBytes;
    for (const LasHidden& one : layout.hidden) {
        std::memcpy(record + one.place, hidden, one.size);
        hidden += one.size;
    }
}

} // namespace scanloupe::detail
