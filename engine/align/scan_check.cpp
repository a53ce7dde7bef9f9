// Rejects scans that can't be aligned, with suggestions for the user.
#include "engine/align/scan_check.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kUnitSample = 10'000; // sufficient to distinguish units; takes 0.4 ms
constexpr std::uint64_t kFewestPoints = 10;
constexpr double kOtherUnit = 300; // minimum ratio of extents: millimetres to metres is 1000, rooms vary by a
                                   // factor of 3

std::uint64_t finitePoints(const PointCloud& cloud) {
    return cloud.size() - cloud.notFinite();
}

std::string countText(std::uint64_t points) {
    return points == 0   ? "no points with finite coordinates"
           : points == 1 ? "one point with finite coordinates"
                         : fmt::format("{} points with finite coordinates", points);
}

} // namespace

double robustExtent(const PointCloud& cloud, std::size_t sample) {
    const std::size_t stride = std::max<std::size_t>(1, cloud.size() / sample);
    std::vector<double> values;
    Vec3d extent;
    for (int axis = 0; axis < 3; ++axis) {
        values.clear();
        for (std::size_t i = 0; i < cloud.size(); i += stride)
            if (const Vec3d p = cloud.position(i); isFinite(p))
                values.push_back(p[axis]);
        if (values.empty())
            return 0;
        const auto at = [&](double share) {
            const auto nth = values.begin() + std::llround(share * double(values.size() - 1));
            std::nth_element(values.begin(), nth, values.end());
            return *nth;
        };
        extent[axis] = at(0.99) - at(0.01);
    }
    return norm(extent);
}

ScanCheck::ScanCheck(const PointCloud& first) : m_extent(robustExtent(first, kExtentSample)) {
    const std::uint64_t points = finitePoints(first);
    if (points > 0 && points < kFewestPoints)
        throw EngineError(
            fmt::format("The first scan has {}, but aligning other scans to it requires at least {}.",
                        countText(points), kFewestPoints),
            "Put another scan first.");
}

void ScanCheck::require(const PointCloud& scan) const {
    const std::uint64_t points = finitePoints(scan);
    if (points < kFewestPoints)
        throw EngineError(
            fmt::format("it has {}, but aligning it requires at least {}", countText(points), kFewestPoints),
            "Leave the scan out, or check how it was exported.");
    const double extent = robustExtent(scan, kUnitSample);
    const double ratio = m_extent > 0 ? extent / m_extent : 1;
    if (extent > 0 && (ratio > kOtherUnit || ratio < 1 / kOtherUnit))
        throw EngineError(
            fmt::format("its diagonal is {:.1f}, that of the first scan {:.1f}: the two scans seem to have "
                        "different units, such as metres and millimetres",
                        extent, m_extent),
            "Export all scans in the same unit, preferably metres.");
}

} // namespace scanloupe
