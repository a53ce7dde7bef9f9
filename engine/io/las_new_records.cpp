#include "engine/io/las_new_records.h"

#include "engine/io/las_extra.h"
#include "engine/io/little_endian.h"

#include <algorithm>

namespace scanloupe::detail {

namespace {

constexpr double kWeek = 604800; // seconds: times beyond are no times of a week

void putText(std::byte* to, const std::string& text, std::size_t most) {
    std::memcpy(to, text.data(), std::min(text.size(), most));
}

std::shared_ptr<const LasVlr> describeExtra(const LasPlan& plan, std::span<const std::size_t> extra) {
    std::vector<std::byte> content(extra.size() * kLasExtraRecord);
    for (std::size_t e = 0; e < extra.size(); ++e) {
        std::byte* record = content.data() + e * kLasExtraRecord;
        const LasColumn& column = plan.sources[extra[e]].column;
        const auto* type = std::find(std::begin(kLasExtraTypes), std::end(kLasExtraTypes), column.type);
        record[2] = static_cast<std::byte>(type - std::begin(kLasExtraTypes) + 1);
        putText(record + 4, column.name, 32);
        putText(record + 160, column.description, 32);
    }
    return makeLasVlr(kLasSpec, kLasExtraRecordId, std::move(content));
}

/// True for WKT; GeoTIFF keys in words can't be turned back.
bool isWkt(const std::string& text) {
    return text.find('[') != std::string::npos;
}

bool isSystem(const std::shared_ptr<const LasVlr>& record) {
    return record->isSystem();
}

} // namespace

void addNewRecords(const PointCloud& cloud, std::span<const std::size_t> extra, LasPlan& plan) {
    if (!extra.empty())
        plan.records.push_back(describeExtra(plan, extra));
    const LasOrigin* merged = lasOriginOf(cloud);
    if (merged) {
        plan.identity = merged->identity;
        plan.losses.insert(plan.losses.end(), merged->losses.begin(), merged->losses.end());
        plan.records.insert(plan.records.end(), merged->records.begin(), merged->records.end());
    } else if (const Attribute* time = cloud.attribute("time"); time && time->max > kWeek) {
        plan.identity.encoding = kLasStandardTime;
    }
    if (std::none_of(plan.records.begin(), plan.records.end(), isSystem) && isWkt(cloud.coordinateSystem)) {
        const auto* text = reinterpret_cast<const std::byte*>(cloud.coordinateSystem.c_str());
        const std::size_t size = cloud.coordinateSystem.size() + 1; // its zero belongs to it
        plan.records.push_back(makeLasVlr(kLasProjection, kLasWktRecord, {text, text + size}));
    }
    const auto has = [&](auto&& test) { return std::any_of(plan.records.begin(), plan.records.end(), test); };
    const bool wkt = has([](const auto& one) { return one->head.is(kLasProjection, kLasWktRecord); });
    const bool keys = has([](const auto& one) { return one->head.is(kLasProjection, 34735); });
    // before LAS 1.4 GeoTIFF keys alone count, and nothing may stand behind the points
    if ((wkt && !keys) || plan.hasExtended())
        plan.minor = 4;
    // LAS 1.4 says here which records count, and of its own point formats wants WKT where there are none
    if (plan.minor == 4 && (wkt || (!keys && plan.pointFormat >= 6)))
        plan.identity.encoding |= kLasWkt;
    plan.packingPlace = plan.records.size();
}

} // namespace scanloupe::detail
