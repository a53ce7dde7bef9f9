#include "engine/io/las_plan.h"

#include "engine/io/las_extra.h"
#include "engine/io/little_endian.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>

namespace scanloupe::detail {

namespace {

constexpr std::size_t kGrain = std::size_t{1} << 16;
constexpr double kWeek = 604800; // seconds: times beyond are no times of a week

using Returns = std::array<std::uint64_t, 15>;

/// Points by their number of return.
Returns countReturns(const LasPlan& plan, const std::stop_token& stop) {
    const auto source = std::find_if(plan.sources.begin(), plan.sources.end(), [](const LasSource& one) {
        return one.column.kind == LasColumn::Kind::bits && one.column.name == "return_number";
    });
    if (source == plan.sources.end())
        return {};
    return parallelReduce(
        plan.points, kGrain, stop, Returns{},
        [&](std::size_t begin, std::size_t end) {
            Returns counts{};
            for (std::size_t row = begin; row < end; ++row) {
                const std::size_t i = plan.finite.empty() ? row : plan.finite[row];
                const auto number = static_cast<std::size_t>(source->attribute->value(i));
                if (number >= 1 && number <= counts.size())
                    ++counts[number - 1];
            }
            return counts;
        },
        [](Returns a, const Returns& b) {
            for (std::size_t i = 0; i < a.size(); ++i)
                a[i] += b[i];
            return a;
        });
}

void putText(std::byte* to, const std::string& text, std::size_t most) {
    std::memcpy(to, text.data(), std::min(text.size(), most));
}

/// A record with its head of 54 bytes.
std::string recordOf(const char* user, int id, std::span<const std::byte> content) {
    std::byte head[54] = {};
    putText(head + 2, user, 16);
    storeLittle(head + 18, static_cast<std::uint16_t>(id));
    storeLittle(head + 20, static_cast<std::uint16_t>(content.size()));
    std::string record(reinterpret_cast<const char*>(head), sizeof head);
    return record.append(reinterpret_cast<const char*>(content.data()), content.size());
}

std::string describeExtra(const LasPlan& plan) {
    if (plan.extra.empty())
        return {};
    std::vector<std::byte> content(plan.extra.size() * kLasExtraRecord);
    for (std::size_t e = 0; e < plan.extra.size(); ++e) {
        std::byte* record = content.data() + e * kLasExtraRecord;
        const auto* type =
            std::find(std::begin(kLasExtraTypes), std::end(kLasExtraTypes), plan.extra[e]->type);
        record[2] = static_cast<std::byte>(type - std::begin(kLasExtraTypes) + 1);
        putText(record + 4, plan.extra[e]->name, 32);
    }
    return recordOf("LASF_Spec", 4, content);
}

/// True for WKT; GeoTIFF keys in words can't be turned back.
bool isWkt(const std::string& text) {
    return text.find('[') != std::string::npos && text.size() < 65000;
}

constexpr int kWktRecord = 2112;

/// The records of the file that the cloud came from; else one of its text, where that can be.
std::vector<SystemRecord> systemRecords(const PointCloud& cloud) {
    if (!cloud.systemRecords.empty() || !isWkt(cloud.coordinateSystem))
        return cloud.systemRecords;
    const auto* bytes = reinterpret_cast<const std::byte*>(cloud.coordinateSystem.c_str());
    return {{kWktRecord, {bytes, bytes + cloud.coordinateSystem.size() + 1}}}; // its zero belongs to it
}

std::uint16_t encodingBits(const PointCloud& cloud, const LasPlan& plan,
                           const std::vector<SystemRecord>& system) {
    // LAS 1.4 says here which records count; those of a file that had GeoTIFF keys only stay what they are
    const bool wkt =
        system.empty() || std::any_of(system.begin(), system.end(),
                                      [](const SystemRecord& record) { return record.id == kWktRecord; });
    const Attribute* time = cloud.attribute("time");
    const unsigned standardTime = time && time->max > kWeek ? 1 : 0;
    return static_cast<std::uint16_t>(standardTime | (plan.minor == 4 && wkt ? 1u << 4 : 0u));
}

} // namespace

std::string lasHead(const PointCloud& cloud, const LasPlan& plan, std::span<const std::byte> lazRecord,
                    const std::stop_token& stop) {
    const std::vector<SystemRecord> system = systemRecords(cloud);
    std::string records = describeExtra(plan);
    for (const SystemRecord& record : system)
        records += recordOf("LASF_Projection", record.id, record.content);
    std::uint32_t count = (plan.extra.empty() ? 0 : 1) + static_cast<std::uint32_t>(system.size());
    if (!lazRecord.empty()) {
        records += recordOf("laszip encoded", 22204, lazRecord);
        ++count;
    }
    const std::size_t size = plan.minor < 3 ? 227 : plan.minor == 3 ? 235 : 375;
    std::vector<std::byte> head(size);
    putText(head.data(), "LASF", 4);
    storeLittle(head.data() + 6, encodingBits(cloud, plan, system));
    head[24] = std::byte{1};
    head[25] = static_cast<std::byte>(plan.minor);
    putText(head.data() + 58, "Scanloupe", 32);
    storeLittle(head.data() + 94, static_cast<std::uint16_t>(size));
    storeLittle(head.data() + 96, static_cast<std::uint32_t>(size + records.size()));
    storeLittle(head.data() + 100, count);
    head[104] = static_cast<std::byte>(plan.pointFormat | (lazRecord.empty() ? 0 : 0x80));
    storeLittle(head.data() + 105, static_cast<std::uint16_t>(plan.recordLength));
    const Returns returns = countReturns(plan, stop);
    if (plan.minor < 4) {
        storeLittle(head.data() + 107, static_cast<std::uint32_t>(plan.points));
        for (std::size_t r = 0; r < 5; ++r)
            storeLittle(head.data() + 111 + 4 * r, static_cast<std::uint32_t>(returns[r]));
    } else {
        storeLittle(head.data() + 247, static_cast<std::uint64_t>(plan.points));
        for (std::size_t r = 0; r < 15; ++r)
            storeLittle(head.data() + 255 + 8 * r, returns[r]);
    }
    const ScaledFrame back(plan.frame.scale, plan.frame.offset);
    const Vec3d low = back.position(plan.frame.stored(cloud.bounds().min)),
                high = back.position(plan.frame.stored(cloud.bounds().max));
    for (int axis = 0; axis < 3; ++axis) {
        storeLittle(head.data() + 131 + 8 * axis, plan.frame.scale[axis]);
        storeLittle(head.data() + 155 + 8 * axis, plan.frame.offset[axis]);
        storeLittle(head.data() + 179 + 16 * axis, plan.points ? std::max(low[axis], high[axis]) : 0.0);
        storeLittle(head.data() + 187 + 16 * axis, plan.points ? std::min(low[axis], high[axis]) : 0.0);
    }
    return std::string(reinterpret_cast<const char*>(head.data()), head.size()) + records;
}

} // namespace scanloupe::detail
