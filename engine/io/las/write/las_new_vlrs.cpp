// Chooses the identity and the VLRs of a new LAS file.
#include "engine/io/las/write/las_new_vlrs.h"

#include "engine/cloud/point_cloud.h"
#include "engine/io/common/little_endian.h"
#include "engine/io/las/las_extra_bytes.h"

#include <algorithm>

namespace scanloupe::detail {

namespace {

constexpr double kWeek = 604800; // a week in seconds; larger times are not GPS week times

std::shared_ptr<const LasVlr> makeExtraBytesVlr(const LasPlan& plan, std::span<const std::size_t> extra) {
    std::vector<std::byte> content(extra.size() * kLasExtraBytesDescriptorSize);
    for (std::size_t e = 0; e < extra.size(); ++e) {
        std::byte* record = content.data() + e * kLasExtraBytesDescriptorSize;
        const LasColumn& column = plan.sources[extra[e]].column;
        const auto* type =
            std::find(std::begin(kLasExtraBytesTypes), std::end(kLasExtraBytesTypes), column.type);
        record[2] = static_cast<std::byte>(type - std::begin(kLasExtraBytesTypes) + 1);
        storeText(record + 4, column.name, 32);
        storeText(record + 160, column.description, 32);
    }
    return makeLasVlr(kLasSpec, kLasExtraBytesVlr, std::move(content));
}

/// Returns whether the name of a coordinate system is WKT. Other names describe GeoTIFF keys, and can't be
/// converted back to keys.
bool isWkt(const std::string& text) {
    return text.find('[') != std::string::npos;
}

bool isCrs(const std::shared_ptr<const LasVlr>& record) {
    return record->isCrs();
}

} // namespace

void addNewVlrs(const PointCloud& cloud, std::span<const std::size_t> extra, LasPlan& plan) {
    if (!extra.empty())
        plan.vlrs.push_back(makeExtraBytesVlr(plan, extra));
    const LasMetadata* merged = lasMetadataOf(cloud);
    if (merged) {
        plan.identity = merged->identity;
        plan.losses.insert(plan.losses.end(), merged->losses.begin(), merged->losses.end());
        plan.vlrs.insert(plan.vlrs.end(), merged->vlrs.begin(), merged->vlrs.end());
    } else if (const Attribute* time = cloud.attribute("time"); time && time->max() > kWeek) {
        plan.identity.encoding = kLasStandardGpsTime;
    }
    if (std::none_of(plan.vlrs.begin(), plan.vlrs.end(), isCrs) && isWkt(cloud.coordinateSystem)) {
        const auto* text = reinterpret_cast<const std::byte*>(cloud.coordinateSystem.c_str());
        const std::size_t size = cloud.coordinateSystem.size() + 1; // including the terminating zero
        plan.vlrs.push_back(makeLasVlr(kLasProjection, kLasWktVlr, {text, text + size}));
    }
    const auto has = [&](auto&& test) { return std::any_of(plan.vlrs.begin(), plan.vlrs.end(), test); };
    const bool wkt = has([](const auto& one) { return one->header.is(kLasProjection, kLasWktVlr); });
    const bool keys = has([](const auto& one) { return one->header.is(kLasProjection, 34735); });
    // before LAS 1.4, only GeoTIFF keys define the CRS, and there are no EVLRs
    if ((wkt && !keys) || plan.hasEvlrs())
        plan.minor = 4;
    // In LAS 1.4, this bit selects WKT instead of GeoTIFF keys. Point formats 6 to 10 require the bit even
    // without a CRS.
    if (plan.minor == 4 && (wkt || (!keys && plan.pointFormat >= 6)))
        plan.identity.encoding |= kLasWkt;
    plan.laszipVlrIndex = plan.vlrs.size();
}

} // namespace scanloupe::detail
