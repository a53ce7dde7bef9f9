// Compares the variants of a published plan for a faster NDT matcher with the product's implementation.
#include "tests/bench/bench_align_plan.h"

#include "kernels/core/devices.h"
#include "tests/bench/align_street.h"
#include "tests/bench/variants/ndt_variants.h"
#include "tests/support/street_drive.h"

#include <fmt/format.h>
#include <functional>
#include <utility>

namespace scanloupe::bench {

namespace {

/// Aligns with the given parameters and returns the result.
using Align = std::function<cuda::NdtVariantResult(const NdtParams&)>;
struct PlannedRow {
    std::string name;
    Align align;
    const char* spared = nullptr; ///< label of NdtVariantResult::spared in the notes; null: the row has none
};

std::vector<PlannedRow> rowsOf(const PlannedAlignment& what, const cuda::NdtDeviceScan& scan,
                               std::vector<std::unique_ptr<cuda::NdtSplit>>& splits) {
    std::vector<PlannedRow> rows;
    rows.push_back(
        {"plan: the product", [&](const NdtParams& params) {
             const NdtResult found =
                 cuda::alignNdt(what.deviceMap, scan, test::streetStart(), params, {}, {}, what.stream);
             return cuda::NdtVariantResult{found.pose, found.score, found.iterations, found.cost.deviceMs};
         }});
    for (std::size_t i = 0; i < std::size(cuda::kNdtVariantKeys); ++i) {
        const auto variant = cuda::NdtVariant(i);
        rows.push_back({fmt::format("plan: {}", cuda::kNdtVariantKeys[i]),
                        [&what, &scan, variant](const NdtParams& params) {
                            return cuda::alignNdtBy(variant, what.deviceMap, scan, test::streetStart(),
                                                    params, what.stream);
                        },
                        variant == cuda::NdtVariant::cellCache   ? "hit rate"
                        : variant == cuda::NdtVariant::earlyExit ? "exit rate"
                                                                 : nullptr});
    }
    const auto addSplit = [&](const char* name, std::vector<int> devices) {
        splits.push_back(std::make_unique<cuda::NdtSplit>(what.map, NdtScan{what.points, {}}, devices));
        rows.push_back({name, [split = splits.back().get()](const NdtParams& params) {
                            return split->align(test::streetStart(), params);
                        }});
    };
    addSplit("plan: split, one device", {0, 0});
    if (deviceCount() > 1)
        addSplit("plan: split, two devices", {0, 1});
    return rows;
}

} // namespace

std::string timePlannedAlignment(const PlannedAlignment& what, int repeats, const AlignRowTimer& time) {
    const cuda::NdtDeviceScan scan({what.points, {}}, {}, what.stream);
    std::vector<std::unique_ptr<cuda::NdtSplit>> splits;
    const std::vector<PlannedRow> rows = rowsOf(what, scan, splits);
    const NdtParams params = streetParams(NdtNeighbours::direct7);
    NdtParams fine = params;
    fine.epsilon = 1e-8;
    const RigidTransform expected = rows.front().align(fine).pose;
    const std::string head = fmt::format("{} points, direct7, the plan's variants", what.points.size());
    std::string wrong, note;
    for (const PlannedRow& row : rows) {
        const double off = metresApart(row.align(fine).pose, expected);
        if (!(off < 1e-6)) {
            wrong += fmt::format("{} is {:.3g} m off; ", row.name, off);
            continue;
        }
        time(head, row.name, repeats, note, [&] {
            const cuda::NdtVariantResult found = row.align(params);
            note = fmt::format("{} iterations, {:.1g} m off", found.iterations, off);
            if (row.spared)
                note += fmt::format(", {} {:.3f}", row.spared, found.spared);
            return found.ms;
        });
    }
    return wrong;
}

} // namespace scanloupe::bench
