// Measures deviations, and finds the connected regions that are out of tolerance.
#include "engine/inspect/deviations.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/average_deviations.h"
#include "engine/inspect/deviation_regions.h"
#include "engine/inspect/reference.h"
#include "engine/inspect/turned_points.h"
#include "engine/inspect/unit_normals.h"
#include "kernels/change/operators.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/operators.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

constexpr std::size_t kDeviationsGrain = std::size_t{1} << 16;

/// Sums over the measured points.
struct Sums {
    std::uint64_t points = 0, within = 0, above = 0, below = 0;
    double sum = 0, squares = 0;
    float lowest = 0, highest = 0;
};

Sums sumsOf(std::span<const float> distances, float tolerance, const std::stop_token& stop) {
    return parallelReduce(
        distances.size(), kDeviationsGrain, stop, Sums{},
        [&](std::size_t begin, std::size_t end) {
            Sums part;
            for (std::size_t i = begin; i < end; ++i) {
                const float d = distances[i];
                if (d != d)
                    continue;
                ++part.points;
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
                        a.within + b.within,
                        a.above + b.above,
                        a.below + b.below,
                        a.sum + b.sum,
                        a.squares + b.squares,
                        std::min(a.lowest, b.lowest),
                        std::max(a.highest, b.highest)};
        });
}

/// Returns the lower median of the measured distances.
double medianOf(std::span<const float> distances, std::uint64_t count) {
    std::vector<float> values;
    values.reserve(count);
    for (const float d : distances)
        if (d == d)
            values.push_back(d);
    const auto middle = values.begin() + std::ptrdiff_t((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return double(*middle);
}

/// Returns a buffer in the memory space of the computation: `buffer` itself, or a copy on the device.
template <class T>
class Placed {
public:
    Placed(const Buffer<T>& buffer, const Execution& on) : m_buffer(buffer) {
        if (on.onDevice() && buffer.space() != MemorySpace::device)
            m_copy = buffer.copyTo(MemorySpace::device, *on.device);
    }
    const Buffer<T>& operator*() const { return m_copy.empty() ? m_buffer : m_copy; }

private:
    const Buffer<T>& m_buffer;
    Buffer<T> m_copy;
};

SignedDistances measured(const Buffer<Vec3f>& points, const ReferenceScan& reference,
                         const CloudDistanceParams& params, const Execution& on) {
    const Placed at(points, on), from(reference.points, on), normals(reference.normals, on);
    const Placed boxes(reference.tree.boxes, on);
    const Placed order(reference.tree.order, on);
    BvhView tree = reference.tree.shape;
    tree.boxes = (*boxes).data();
    tree.order = (*order).data();
    return cloudDistances(
        *at, {{tree, (*from).data()}, reference.normals.empty() ? nullptr : (*normals).data()}, params, on);
}

SignedDistances measured(const Buffer<Vec3f>& points, const ReferenceMesh& reference, float limit,
                         const Execution& on) {
    if (!on.onDevice())
        return cpu::signedDistances(points.span(), reference.mesh, reference.tree, reference.normals, limit,
                                    on.stop);
    const StreamView stream = *on.device;
    const auto there = [&](const auto& buffer) { return buffer.copyTo(MemorySpace::device, stream); };
    TriangleMesh mesh;
    mesh.positions = there(reference.mesh.positions);
    mesh.indices = there(reference.mesh.indices);
    const Bvh tree{there(reference.tree.boxes), there(reference.tree.order), reference.tree.shape};
    return signedDistances(*Placed(points, on), mesh, tree,
                           reference.normals.copyTo(MemorySpace::device, stream), limit, on);
}

/// Returns distances in the memory space in which `on` computes.
SignedDistances measured(const Buffer<Vec3f>& points, const Reference& reference,
                         const DeviationOptions& options, const Execution& on) {
    const float limit = options.largest > 0 ? float(options.largest) : kAnyDistance;
    if (const ReferenceMesh* mesh = reference.mesh())
        return measured(points, *mesh, limit, on);
    return measured(points, *reference.scan(), {options.model, options.neighbours, limit}, on);
}

/// Factors between common units of CAD models and scans.
struct UnitFactor {
    double factor;
    const char *reference, *scan;
};
constexpr UnitFactor kFactors[] = {{1000, "metres", "millimetres"}, {0.001, "millimetres", "metres"},
                                   {0.01, "centimetres", "metres"}, {100, "metres", "centimetres"},
                                   {0.0254, "inches", "metres"},    {0.3048, "feet", "metres"},
                                   {25.4, "inches", "millimetres"}};

double diagonalOf(const Bounds& box) {
    return norm(box.max - box.min);
}

} // namespace

SignedDistances distancesFrom(const Buffer<Vec3f>& points, const Buffer<Vec3f>& normals,
                              const Reference& reference, const DeviationOptions& options,
                              const Execution& on) {
    SignedDistances found = measured(points, reference, options, on);
    if (!(options.average > 0) && !(options.largestAngle > 0))
        return found;
    const bool isThere = points.space() == MemorySpace::device;
    const Buffer<Vec3f> copy = isThere ? points.copyTo(MemorySpace::host, *on.device) : Buffer<Vec3f>();
    const Buffer<Vec3f>& here = isThere ? copy : points;
    if (options.largestAngle > 0)
        leaveOutTurned(found, here, normals, reference, options.largestAngle, on);
    if (options.average > 0)
        found.values = averagedDeviations(here.span(), found.values.span(), options.average, on.stop);
    return found;
}

DeviationFigures figuresOf(std::span<const Vec3f> points, std::span<const float> distances, Vec3d origin,
                           const DeviationOptions& options, const std::stop_token& stop) {
    DeviationFigures result = statisticsOf(distances, stop);
    judge(result, points, distances, origin, options, stop);
    return result;
}

DeviationFigures statisticsOf(std::span<const float> distances, const std::stop_token& stop) {
    DeviationFigures result;
    const Sums sums = sumsOf(distances, 0, stop);
    result.points = sums.points;
    if (sums.points == 0)
        return result;
    const auto count = double(sums.points);
    result.mean = sums.sum / count;
    result.rms = std::sqrt(sums.squares / count);
    result.standardDeviation = std::sqrt(std::max(0.0, sums.squares / count - result.mean * result.mean));
    result.median = medianOf(distances, sums.points);
    result.largest = double(-sums.lowest > sums.highest ? sums.lowest : sums.highest);
    result.gauss = gaussFit(distances, result.median, result.standardDeviation, stop);
    return result;
}

void judge(DeviationFigures& statistics, std::span<const Vec3f> points, std::span<const float> distances,
           Vec3d origin, const DeviationOptions& options, const std::stop_token& stop) {
    if (statistics.points == 0)
        return;
    const Sums sums = sumsOf(distances, float(options.tolerance.value_or(0)), stop);
    statistics.within = sums.within;
    statistics.above = sums.above;
    statistics.below = sums.below;
    if (!options.tolerance)
        return;
    DeviationRegions regions = deviationRegions(points, distances, origin, options, stop);
    statistics.regions = regions.count;
    statistics.worst = std::move(regions.worst);
}

Deviations deviationsOf(const PointCloud& scan, const Buffer<Vec3f>& points, const Reference& reference,
                        const DeviationOptions& options, const Execution& on) {
    Deviations result;
    const Buffer<Vec3f> normals = options.largestAngle > 0 ? unitNormals(scan, 1, on.stop) : Buffer<Vec3f>();
    result.distances = orOnHost(on, [&](const Execution& where) {
        result.measuredOnDevice = where.onDevice();
        return distancesFrom(points, normals, reference, options, where);
    });
    static_cast<DeviationFigures&>(result) =
        figuresOf(points.span(), result.distances.values.span(), reference.origin, options, on.stop);
    for (const std::uint8_t feature : result.distances.features.span())
        if (feature == kTurned)
            ++result.turned;
        else
            result.atBorder += (feature & kAtBorder) != 0;
    for (const Vec3f& p : points.span())
        result.notFinite += !isFinite(p);
    result.tooFar = points.size() - result.notFinite - result.points - result.turned;
    if (result.points == 0 && result.tooFar > 0)
        throw EngineError(
            fmt::format("No point of the scan is within the maximum distance {:g} of the reference.",
                        options.largest),
            "Align both first, give the reference's unit (--reference-unit), or allow "
            "larger distances (--largest).");
    if (result.points == 0 && result.turned > 0)
        throw EngineError(
            "All points were left out, because their normals differ too much from the reference's.",
            "Allow larger angles (--largest-angle), or check the orientation of the normals.");
    if (result.points == 0)
        throw EngineError("No point of the scan has finite coordinates.", "Use another scan.");
    return result;
}

std::optional<Misfit> misfitOf(const Bounds& scan, const Reference& reference, bool asksForUnit) {
    const double mine = diagonalOf(scan), its = diagonalOf(reference.bounds);
    if (!(mine > 0) || !(its > 0))
        return std::nullopt;
    for (const UnitFactor& unit : kFactors)
        if (asksForUnit && std::abs(std::log(mine / its / unit.factor)) < std::log(1.15))
            return Misfit{
                fmt::format(
                    "The reference is {:.3g} times as large as the scan. The reference may be in {}, and "
                    "the scan in {}.",
                    its / mine, unit.reference, unit.scan),
                unit.factor, unit.reference};
    for (int axis = 0; axis < 3; ++axis)
        if (scan.min[axis] > reference.bounds.max[axis] || scan.max[axis] < reference.bounds.min[axis])
            return Misfit{"The bounding boxes of scan and reference do not overlap. Align them first.",
                          std::nullopt,
                          {}};
    return std::nullopt;
}

} // namespace scanloupe
