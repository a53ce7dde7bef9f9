// Serializes LAS headers and VLRs, and writes EVLRs (LAS 1.4 R15).
#include "engine/cloud/point_cloud.h"
#include "engine/io/las/write/las_plan.h"

#include "engine/io/common/little_endian.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>

namespace scanloupe::detail {

namespace {

constexpr std::size_t kWriteLasHeaderGrain = std::size_t{1} << 16;

using Returns = std::array<std::uint64_t, 15>;

/// Returns the number of points for each return number, from return 1 on.
Returns countReturns(const LasPlan& plan, const std::stop_token& stop) {
    const auto source = std::find_if(plan.sources.begin(), plan.sources.end(), [](const LasSource& one) {
        return one.column.kind == LasColumn::Kind::bits && one.column.name == "return_number";
    });
    if (source == plan.sources.end())
        return {plan.returns == std::byte{} ? 0 : plan.points};
    return parallelReduce(
        plan.points, kWriteLasHeaderGrain, stop, Returns{},
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

void putIdentity(std::byte* head, const LasIdentity& identity) {
    storeLittle(head + 4, identity.sourceId);
    storeLittle(head + 6, identity.encoding);
    std::memcpy(head + 8, identity.guid.data(), identity.guid.size());
    std::memcpy(head + 26, identity.system.data(), identity.system.size());
    storeText(head + 58, "Scanloupe",
              32); // Generating Software: this program, not the one that wrote the original file
    storeLittle(head + 90, identity.day);
    storeLittle(head + 92, identity.year);
}

/// Stores the point counts. The legacy 32-bit counts are stored if the specification permits them, and the
/// 64-bit counts in LAS 1.4.
void putCounts(std::byte* head, const LasPlan& plan, const Returns& returns) {
    const bool fits = plan.points <= std::numeric_limits<std::uint32_t>::max();
    if (fits && (plan.pointFormat < 6 || plan.minor < 4)) {
        storeLittle(head + 107, static_cast<std::uint32_t>(plan.points));
        for (std::size_t r = 0; r < 5; ++r)
            storeLittle(head + 111 + 4 * r, static_cast<std::uint32_t>(returns[r]));
    }
    if (plan.minor < 4)
        return;
    storeLittle(head + 247, static_cast<std::uint64_t>(plan.points));
    for (std::size_t r = 0; r < returns.size(); ++r)
        storeLittle(head + 255 + 8 * r, returns[r]);
}

void putFrame(std::byte* head, const PointCloud& cloud, const LasPlan& plan) {
    const ScaledFrame back(plan.frame.scale, plan.frame.offset);
    const Vec3d low = back.position(plan.frame.quantize(cloud.bounds().min)),
                high = back.position(plan.frame.quantize(cloud.bounds().max));
    for (int axis = 0; axis < 3; ++axis) {
        storeLittle(head + 131 + 8 * axis, plan.frame.scale[axis]);
        storeLittle(head + 155 + 8 * axis, plan.frame.offset[axis]);
        storeLittle(head + 179 + 16 * axis, plan.points ? std::max(low[axis], high[axis]) : 0.0);
        storeLittle(head + 187 + 16 * axis, plan.points ? std::min(low[axis], high[axis]) : 0.0);
    }
}

std::string textOf(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

std::string serializeLasHeader(const PointCloud& cloud, const LasPlan& plan,
                               std::span<const std::byte> laszipVlr, const std::stop_token& stop) {
    LasVlrs before;
    std::size_t laszipVlrIndex = 0, extended = 0;
    for (std::size_t r = 0; r < plan.vlrs.size(); ++r) {
        if (r == plan.laszipVlrIndex)
            laszipVlrIndex = before.size();
        if (!plan.vlrs[r]->header.extended)
            before.push_back(plan.vlrs[r]);
        else
            extended += plan.vlrs[r]->header.counted ? 1 : 0;
    }
    if (plan.laszipVlrIndex >= plan.vlrs.size())
        laszipVlrIndex = before.size();
    if (!laszipVlr.empty())
        before.insert(before.begin() + std::ptrdiff_t(laszipVlrIndex),
                      makeLasVlr("laszip encoded", 22204, {laszipVlr.begin(), laszipVlr.end()}));
    std::ostringstream records;
    for (const auto& record : before)
        writeLasVlr(records, *record, stop);
    const std::string behind = records.str() + textOf(plan.bytesAfterVlrs);

    const std::size_t size = lasHeaderSize(plan.minor), claimed = size + plan.bytesAfterHeader.size();
    std::vector<std::byte> head(size);
    storeText(head.data(), "LASF", 4);
    putIdentity(head.data(), plan.identity);
    head[24] = std::byte{1};
    head[25] = static_cast<std::byte>(plan.minor);
    storeLittle(head.data() + 94, static_cast<std::uint16_t>(claimed));
    storeLittle(head.data() + 96, static_cast<std::uint32_t>(claimed + behind.size()));
    storeLittle(head.data() + 100, static_cast<std::uint32_t>(before.size()));
    head[104] = static_cast<std::byte>(plan.pointFormat | (laszipVlr.empty() ? 0 : 0x80));
    storeLittle(head.data() + 105, static_cast<std::uint16_t>(plan.recordLength));
    putCounts(head.data(), plan, countReturns(plan, stop));
    putFrame(head.data(), cloud, plan);
    if (plan.minor == 4)
        storeLittle(head.data() + 243, static_cast<std::uint32_t>(extended));
    return textOf(head) + textOf(plan.bytesAfterHeader) + behind;
}

void setEvlrOffsets(std::string& head, const LasPlan& plan, std::uint64_t at) {
    auto* bytes = reinterpret_cast<std::byte*>(head.data());
    bool isFirst = true;
    for (const auto& record : plan.vlrs) {
        if (!record->header.extended)
            continue;
        if (record->header.counted && isFirst) {
            storeLittle(bytes + 235, at);
            isFirst = false;
        }
        if (record->header.isWaveforms)
            storeLittle(bytes + 227, at);
        at += record->bytes();
    }
}

void writeEvlrs(std::ostream& stream, const LasPlan& plan, const std::stop_token& stop) {
    for (const auto& record : plan.vlrs)
        if (record->header.extended)
            writeLasVlr(stream, *record, stop);
}

} // namespace scanloupe::detail
