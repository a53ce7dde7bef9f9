// Measures deviations, and finds the connected parts that are out of tolerance.
#include "engine/inspect/deviations.h"

#include "engine/cloud/error.h"
#include "engine/inspect/deviation_regions.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/operators.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

constexpr std::size_t kGrain = std::size_t{1} << 16;

/// Sums over measured points.
struct Sums {
    std::uint64_t points = 0, atBorder = 0, within = 0, above = 0, below = 0;
    double sum = 0, squares = 0;
    float lowest = 0, highest = 0;
};

Sums sumsOf(const SignedDistances& distances, float tolerance, const std::stop_token& stop) {
    return parallelReduce(
        distances.values.size(), kGrain, stop, Sums{},
        [&](std::size_t begin, std::size_t end) {
            Sums part;
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint8_t feature = distances.features[i];
                if (feature == std::uint8_t(MeshFeature::none))
                    continue;
                const float d = distances.values[i];
                ++part.points;
                part.atBorder += (feature & kAtBorder) != 0;
                ++(d > tolerance ? part.above : d < -tolerance ? part.below : part.within);
                part.sum += double(d);
                part.squares += double(d) * double(d);
                part.lowest = std::min(part.lowest, d);
                part.highest = std::max(part.highest, d);
            }
            return part;
        },
        [](const Sums& a, const Sums& b) {
            return Sums{a.points + b.points,
                        a.atBorder + b.atBorder,
                        a.within + b.within,
                        a.above + b.above,
                        a.below + b.below,
                        a.sum + b.sum,
                        a.squares + b.squares,
                        std::min(a.lowest, b.lowest),
                        std::max(a.highest, b.highest)};
        });
}

/// The lower median of the measured distances.
double medianOf(const SignedDistances& distances, std::uint64_t count) {
    std::vector<float> values;
    values.reserve(count);
    for (const float d : distances.values.span())
        if (d == d)
            values.push_back(d);
    const auto middle = values.begin() + std::ptrdiff_t((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return double(*middle);
}

SignedDistances measured(const Buffer<Vec3f>& points, const ReferenceMesh& reference, float largest,
                         const Execution& on) {
    if (!on.onDevice())
        return cpu::signedDistances(points.span(), reference.mesh, reference.tree, reference.normals, largest,
                                    on.stop);
    const StreamView stream = *on.device;
    const auto there = [&](const auto& buffer) { return buffer.copyTo(MemorySpace::device, stream); };
    TriangleMesh mesh;
    mesh.positions = there(reference.mesh.positions);
    mesh.indices = there(reference.mesh.indices);
    const Bvh tree{there(reference.tree.boxes), there(reference.tree.order), reference.tree.shape};
    return signedDistances(there(points), mesh, tree, reference.normals.copyTo(MemorySpace::device, stream),
                           largest, on);
}

/// Factors between units that models and scans come in.
struct UnitFactor {
    double factor;
    const char* text;
};
constexpr UnitFactor kFactors[] = {
    {1000, "metres, and the scan in millimetres"}, {0.001, "millimetres, and the scan in metres"},
    {0.01, "centimetres, and the scan in metres"}, {100, "metres, and the scan in centimetres"},
    {0.0254, "inches, and the scan in metres"},    {0.3048, "feet, and the scan in metres"},
    {25.4, "inches, and the scan in millimetres"}};

double diagonalOf(const Bounds& box) {
    return norm(box.max - box.min);
}

} // namespace

Deviations deviationsOf(const Buffer<Vec3f>& points, const ReferenceMesh& reference,
                        const DeviationOptions& options, const Execution& on) {
    Deviations result;
    const float largest = options.largest > 0 ? float(options.largest) : kAnyDistance;
    result.distances = orOnHost(on, [&](const Execution& where) {
        result.measuredOnDevice = where.onDevice();
        return measured(points, reference, largest, where);
    });
    const Sums sums = sumsOf(result.distances, float(options.tolerance.value_or(0)), on.stop);
    for (const Vec3f& p : points.span())
        result.notFinite += !isFinite(p);
    result.points = sums.points;
    result.tooFar = points.size() - result.notFinite - sums.points;
    if (sums.points == 0 && result.tooFar > 0)
        throw EngineError(
            fmt::format("No point of the scan lies within {:g} of the reference.", options.largest),
            "Bring both together first, give the reference's unit (--reference-unit), or allow "
            "larger distances (--largest).");
    if (sums.points == 0)
        throw EngineError("No point of the scan has coordinates that are numbers.", "Take another scan.");
    const auto count = double(sums.points);
    result.atBorder = sums.atBorder;
    result.mean = sums.sum / count;
    result.rms = std::sqrt(sums.squares / count);
    result.standardDeviation = std::sqrt(std::max(0.0, sums.squares / count - result.mean * result.mean));
    result.median = medianOf(result.distances, sums.points);
    result.largest = double(-sums.lowest > sums.highest ? sums.lowest : sums.highest);
    result.within = sums.within;
    result.above = sums.above;
    result.below = sums.below;
    if (!options.tolerance)
        return result;
    DeviationRegions regions =
        deviationRegions(points.span(), result.distances.values.span(), reference.origin, options, on.stop);
    result.regions = regions.count;
    result.worst = std::move(regions.worst);
    return result;
}

std::optional<std::string> misfitText(const Bounds& scan, const ReferenceMesh& reference, bool asksForUnit) {
    const double mine = diagonalOf(scan), its = diagonalOf(reference.bounds);
    if (!(mine > 0) || !(its > 0))
        return std::nullopt;
    for (const UnitFactor& unit : kFactors)
        if (asksForUnit && std::abs(std::log(mine / its / unit.factor)) < std::log(1.15))
            return fmt::format(
                "The reference is {:.3g} times as large as the scan: it may be in {}. Give its unit "
                "(--reference-unit).",
                its / mine, unit.text);
    for (int axis = 0; axis < 3; ++axis)
        if (scan.min[axis] > reference.bounds.max[axis] || scan.max[axis] < reference.bounds.min[axis])
            return std::string(
                "Scan and reference lie apart: their boxes do not meet. Bring them together first.");
    return std::nullopt;
}

} // namespace scanloupe
