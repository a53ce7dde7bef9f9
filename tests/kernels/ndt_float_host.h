#pragma once
// The device's sums, run on the host: the same terms, added up in the same order, to the same bits.
#include "kernels/register/ndt_climb.h"
#include "kernels/register/ndt_float.h"
#include "kernels/register/ndt_report.h"

#include <array>
#include <vector>

namespace scanloupe::test {

/// A map's table as the device has it.
class HostTable {
public:
    HostTable(const NdtMap& map, NdtNeighbours neighbours, double outlierRatio) {
        m_slots.resize(ndtSlotCount(map.cells().size()));
        m_view =
            ndtTableView(m_slots.data(), m_slots.size(), map.params().resolution, neighbours, outlierRatio);
        for (std::uint32_t i = 0; i < map.cells().size(); ++i) {
            const NdtSlot slot = ndtSlot(map.cells()[i], map.cellPlace(i), i, map.params().resolution);
            std::uint64_t at = ndtHash(slot.key) & m_view.mask;
            while (m_slots[at].key != kNoNdtKey)
                at = (at + 1) & m_view.mask;
            m_slots[at] = slot;
        }
    }
    const NdtTableView& view() const { return m_view; }

private:
    std::vector<NdtSlot> m_slots;
    NdtTableView m_view;
};

/// Totals at a local pose; `sizes` gets the sums of the terms' absolute values.
inline NdtTotals hostTotals(const NdtTableView& map, std::span<const Vec3f> points, Vec3d middle,
                            const RigidTransform& pose, std::array<double, kNdtTerms>* sizes = nullptr) {
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
                    ndtPointSums(near, place.turned.as<float>(), [&](int term, float value) {
                        lanes[lane][term] += value;
                        if (sizes)
                            (*sizes)[std::size_t(term)] += std::abs(double(value));
                    });
                }
            }
            for (std::size_t term = 0; term < kNdtTerms; ++term) {
                double tree[32];
                for (unsigned lane = 0; lane < 32; ++lane)
                    tree[lane] = double(lanes[lane][term]);
                for (unsigned half = 16; half > 0; half /= 2)
                    for (unsigned lane = 0; lane < half; ++lane)
                        tree[lane] += tree[lane + half];
                ofWarps[warp][term] += tree[0];
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

/// An alignment by these sums.
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
    const NdtClimbRules rules = climbRules(params, spread.radius, scoreRounding);
    NdtClimb machine(frame.inside(checkNdtStart(start)));
    NdtTraceEntry entry;
    while (!machine.done)
        machine.take(hostTotals(table.view(), scan.points, spread.middle, machine.candidate), rules, entry);
    return {frame.outside(machine.pose), machine.here, machine.iterations, machine.end};
}

} // namespace scanloupe::test
