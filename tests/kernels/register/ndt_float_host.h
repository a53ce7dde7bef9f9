#pragma once
// Runs the device's summation on the host: the same terms in the same order, with the same bits as result.
#include "kernels/register/ndt/ndt_float.h"
#include "kernels/register/ndt/ndt_newton_state.h"
#include "kernels/register/ndt/ndt_order.h"
#include "kernels/register/ndt/ndt_report.h"

#include <array>
#include <vector>

namespace scanloupe::test {

/// The table of a map in the layout of the device.
class HostTable {
public:
    HostTable(const NdtMap& map, NdtNeighbours neighbours, double outlierRatio) {
        m_table = ndtTable(map.cells(), map.params().resolution,
                           [&map](std::uint32_t i) { return map.cellPlace(i); });
        m_view = ndtTableView(m_table.buckets.data(), m_table.cellSlots.data(), m_table.cellSlots.size(),
                              map.params().resolution, neighbours, outlierRatio);
    }
    const NdtTableView& view() const { return m_view; }

private:
    NdtTable m_table;
    NdtTableView m_view;
};

/// Totals at a local pose, of points in the device's order; `sizes` receives the sums of the terms' absolute
/// values.
inline NdtTotals hostTotals(const NdtTableView& map, std::span<const Vec3f> scan, Vec3d middle,
                            const RigidTransform& pose, std::array<double, kNdtTerms>* sizes = nullptr) {
    const std::vector<Vec3f> points = inOrder(scan, ndtOrder(scan));
    using Terms = std::array<double, kNdtTerms>;
    const unsigned warps = ndtWarps(points.size());
    if (sizes)
        sizes->fill(0);
    std::vector<Terms> ofWarps(warps, Terms{});
    for (unsigned warp = 0; warp < warps; ++warp) {
        const std::size_t stride = std::size_t{warps} * 32;
        for (std::size_t first = std::size_t{warp} * 32; first < points.size(); first += stride * kNdtTile) {
            float lanes[32][kNdtTerms] = {};
            for (unsigned lane = 0; lane < 32; ++lane) {
                for (unsigned k = 0; k < kNdtTile; ++k) {
                    const std::size_t i = first + lane + k * stride;
                    NdtPlace place;
                    if (i >= points.size() || !ndtPlace(map, pose, middle, points[i], place))
                        continue;
                    NdtNear<float> near;
                    ndtNearPoint(map, place, near);
                    ndtPointSums(near, place.rotated.as<float>(), [&](int term, float value) {
                        lanes[lane][term] += value;
                        if (sizes)
                            (*sizes)[std::size_t(term)] += std::abs(double(value));
                    });
                }
            }
            for (std::size_t term = 0; term < kNdtTerms; ++term) {
                for (unsigned half = 16; half >= 4; half /= 2)
                    for (unsigned lane = 0; lane < half; ++lane)
                        lanes[lane][term] += lanes[lane + half][term];
                const auto lane = [&](unsigned i) { return double(lanes[i][term]); };
                ofWarps[warp][term] += (lane(0) + lane(2)) + (lane(1) + lane(3));
            }
        }
    }
    for (unsigned apart = 1; apart < warps; apart *= 2)
        for (unsigned warp = 0; warp < warps; warp += 2 * apart)
            for (std::size_t term = 0; term < kNdtTerms; ++term)
                ofWarps[warp][term] += ofWarps[warp + apart][term];
    NdtTotals totals;
    std::copy(ofWarps[0].begin(), ofWarps[0].end(), totals.terms);
    return totals;
}

/// An alignment with the sums of hostTotals().
struct HostAlignment {
    RigidTransform pose;
    NdtTotals totals;
    int iterations;
    NdtEnd end;
};
inline HostAlignment hostAlign(const NdtMap& map, const NdtScan& scan, const RigidTransform& start,
                               const NdtParams& params, double scoreRounding) {
    const NdtSpread spread = ndtSpread(scan.points, {});
    const NdtFrame frame{map.origin(), scan.origin + spread.middle};
    const HostTable table(map, params.neighbours, params.outlierRatio);
    const NdtNewtonParams newtonParams = ndtNewtonParams(params, spread.radius, scoreRounding);
    NdtNewtonState newton(frame.toLocal(checkNdtStart(start)));
    while (!newton.done) {
        newton.candidateTotals() = hostTotals(table.view(), scan.points, spread.middle, newton.candidate);
        newton.update(newtonParams, nullptr);
    }
    return {frame.toWorld(newton.pose), newton.poseTotals(), newton.iterations, newton.end};
}

} // namespace scanloupe::test
