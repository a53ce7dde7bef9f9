// Summarizes the deviations of a run's points.
#include "engine/inspect/inspection.h"

#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/inspect/closest_point.h"
#include "engine/inspect/compare_options.h"
#include "engine/inspect/reference.h"
#include "engine/picture/histograms/sampled_histogram.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/distance/surface_distance.h"
#include "kernels/mesh/section/section_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace scanloupe {

namespace {

/// Returns [N] values of every `stride`-th point in single precision; NaN for removed points.
Buffer<float> valuesOf(const Attribute& attribute, const PointSet* removed, std::size_t count,
                       std::size_t stride, const std::stop_token& stop) {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    auto values = Buffer<float>::host(count);
    parallelFor(count, 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            values[i] = removed && removed->has(i * stride) ? none : float(attribute.value(i * stride));
    });
    return values;
}

/// Returns half the width of a histogram centred on zero, which contains nearly all values and the tolerance.
double reachOf(const DeviationFigures& figures, double tolerance) {
    constexpr double deviations = 4; // number of standard deviations
    const double most = std::abs(figures.mean) + deviations * figures.standardDeviation;
    const double reach = std::max(std::min(most, std::abs(figures.largest)), 2 * tolerance);
    return std::max(reach, double(std::numeric_limits<float>::min()));
}

/// Returns the normal of the reference at a point in the scan's frame; zero: unknown.
Vec3d facingAt(const Reference& reference, Vec3d place) {
    const Vec3f at = (place - reference.origin).as<float>();
    NearestItem nearest{kNoItem, HUGE_VAL};
    if (const ReferenceMesh* mesh = reference.mesh())
        nearest = nearestTriangle(mesh->tree.view(), mesh->mesh.positions.data(), mesh->mesh.indices.data(),
                                  at, nearest);
    else
        nearest = nearestPoint(reference.scan()->tree.view(), reference.scan()->points.data(), at, nearest);
    return nearest.item == kNoItem ? Vec3d{} : normalOf(reference, nearest.item);
}

/// Returns lines from points towards the reference. Their lengths are the points' deviations, which may be
/// averaged.
std::vector<PlaceDeviation> deviationLinesOf(const Reference& reference, const DeviationOptions& options,
                                             std::span<const Vec3f> points, std::span<const float> values) {
    std::vector<PlaceDeviation> deviationLines;
    const std::size_t stride =
        std::max<std::size_t>(1, chunkCount(points.size(), Inspection::kMaxDeviationLines));
    for (std::size_t i = 0; i < points.size(); i += stride) {
        if (std::isnan(values[i]))
            continue;
        auto one = deviationAt(reference, options, points[i].as<double>() + reference.origin);
        const double length = one ? norm(one->offset) : 0;
        if (!(length > 0))
            continue;
        const double wanted = double(values[i]);
        one->offset = one->offset * (std::abs(wanted) / length * (wanted * one->value < 0 ? -1 : 1));
        one->value = wanted;
        deviationLines.push_back(*one);
    }
    return deviationLines;
}

/// Returns the lines in which a section intersects a mesh. @param section in the scan's frame
std::vector<std::vector<Vec3d>> linesOf(const ReferenceMesh& reference, Vec3d origin, const Section& section,
                                        const std::stop_token& stop) {
    std::vector<std::vector<Vec3d>> lines;
    const CutPlane plane{(section.at - origin).as<float>(), normalized(section.direction).as<float>()};
    for (const Polyline& line : cpu::sectionLines(reference.mesh, plane, stop).lines) {
        std::vector<Vec3d>& places = lines.emplace_back();
        for (const Vec3f p : line.points)
            places.push_back(p.as<double>() + origin);
        if (line.isClosed)
            places.push_back(places.front());
    }
    return lines;
}

} // namespace

bool movedSince(const Edits& edits) {
    const auto layer = comparingLayer(edits);
    return layer && std::any_of(edits.layers.begin() + std::ptrdiff_t(*layer), edits.layers.end(),
                                [](const auto& one) {
                                    return !one->isHidden && std::holds_alternative<MoveAction>(one->action);
                                });
}

std::optional<Inspection> inspect(const Snapshot& snapshot, const std::stop_token& stop) {
    return Inspector().inspect(snapshot, stop);
}

std::optional<Inspection> Inspector::inspect(const Snapshot& snapshot, const std::stop_token& stop) {
    const Attribute* attribute = snapshot.cloud ? snapshot.cloud->attribute(kDeviationAttribute) : nullptr;
    if (!attribute) {
        m_kept.reset();
        return std::nullopt;
    }
    const Buffer<Vec3f>& points = snapshot.points->all(stop).positions;
    if (!m_kept || m_kept->cloud.lock() != snapshot.cloud || m_kept->values.size() != points.size() ||
        m_kept->section != snapshot.resolved->section || m_kept->inspection.reference != snapshot.reference) {
        m_kept.reset(); // releases its memory before another one is allocated
        m_kept = measured(snapshot, *attribute, stop);
    }
    Inspection found = m_kept->inspection;
    const Buffer<float>& values = m_kept->values;
    found.tolerance = snapshot.resolved->tolerance;
    DeviationOptions options;
    if (found.tolerance > 0)
        options.tolerance = found.tolerance;
    const Vec3d size = *snapshot.resolved->voxelSize;
    options.regionCell = std::max({size.x, size.y, size.z});
    judge(found.figures, points.span(), values.span(), snapshot.origin(), options, stop);
    const double reach = reachOf(found.figures, found.tolerance);
    found.histogram = sampledHistogram({values.data(), ScalarType::float32, values.size()}, {-reach, reach},
                                       Inspection::kBins, {std::nullopt, stop});
    if (found.reference)
        for (DeviationRegion& region : found.figures.worst)
            region.facing = facingAt(*found.reference, region.at);
    return found;
}

Inspector::Kept Inspector::measured(const Snapshot& snapshot, const Attribute& deviations,
                                    const std::stop_token& stop) {
    snapshot.cloud->load(std::array{&deviations}, stop);
    Kept kept{snapshot.cloud, snapshot.resolved->section, {}, {}};
    Inspection& found = kept.inspection;
    found.reference = snapshot.reference;
    const Buffer<Vec3f>& points = snapshot.points->all(stop).positions;
    kept.values = valuesOf(deviations, snapshot.cloud->removed(), points.size(),
                           snapshot.attributes->points().stride(), stop);
    found.figures = statisticsOf(kept.values.span(), stop);
    found.without = points.size() - found.figures.points;
    if (found.reference)
        found.misfit = misfitOf(snapshot.cloud->bounds(), *found.reference, true);
    if (found.reference && !movedSince(snapshot.resolved->edits))
        found.deviationLines = deviationLinesOf(*found.reference, comparingOptions(snapshot.resolved->edits),
                                                points.span(), kept.values.span());
    const ReferenceMesh* mesh = found.reference ? found.reference->mesh() : nullptr;
    if (mesh && snapshot.resolved->section)
        found.sectionLines = linesOf(*mesh, found.reference->origin, *snapshot.resolved->section, stop);
    return kept;
}

} // namespace scanloupe
