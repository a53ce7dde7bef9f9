// Summarizes the deviations of a run's points.
#include "engine/inspect/inspection.h"

#include "engine/edit/edit_list.h"
#include "engine/histograms/sampled_histogram.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/distance/surface_distance.h"
#include "kernels/mesh/section/section_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace scanloupe {

namespace {

/// [N] of every `stride`-th point, in single precision; NaN of points that were removed.
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

/// Half the width of a histogram about zero: room for nearly all values, and for the tolerance.
double reachOf(const DeviationFigures& figures, double tolerance) {
    constexpr double deviations = 4; // standard ones
    const double most = std::abs(figures.mean) + deviations * figures.standardDeviation;
    const double reach = std::max(std::min(most, std::abs(figures.largest)), 2 * tolerance);
    return std::max(reach, double(std::numeric_limits<float>::min()));
}

/// The unit normal of the point of a scan that is nearest to a place; zero if it is not known.
Vec3d facingAt(const ReferenceScan& reference, Vec3f at) {
    if (reference.normals.empty())
        return {};
    const NearestItem nearest = nearestPoint(reference.tree.view(), reference.points.data(), at);
    return reference.normals[nearest.item].as<double>();
}

/// The unit normal of the triangle that is nearest to a place.
Vec3d facingAt(const ReferenceMesh& reference, Vec3f at) {
    const TriangleMesh& mesh = reference.mesh;
    const NearestItem nearest = nearestTriangle(reference.tree.view(), mesh.positions.data(),
                                                mesh.indices.data(), at, {kNoItem, HUGE_VAL});
    if (nearest.item == kNoItem)
        return {};
    const auto corner = [&](std::size_t i) {
        return mesh.positions[mesh.indices[3 * std::size_t{nearest.item} + i]].as<double>();
    };
    return normalized(cross(corner(1) - corner(0), corner(2) - corner(0)));
}

/// What a reference faces at a place in the scan's frame.
Vec3d facingAt(const Reference& reference, Vec3d at) {
    return std::visit([&](const auto& shape) { return facingAt(shape, (at - reference.origin).as<float>()); },
                      reference.shape);
}

std::vector<PlaceDeviation> whiskersOf(const Reference& reference, const DeviationOptions& options,
                                       std::span<const Vec3f> points, std::span<const float> values) {
    std::vector<PlaceDeviation> whiskers;
    const std::size_t stride = std::max<std::size_t>(1, chunkCount(points.size(), Inspection::kMostWhiskers));
    for (std::size_t i = 0; i < points.size(); i += stride)
        if (!std::isnan(values[i]))
            if (const auto one = deviationAt(reference, options, points[i].as<double>() + reference.origin))
                whiskers.push_back(*one);
    return whiskers;
}

/// @param section of the scan's frame
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

DeviationOptions comparingOptions(const Edits& edits) {
    DeviationOptions options;
    if (const auto layer = comparingLayer(edits)) {
        const auto& action = std::get<CompareAction>(edits.layers[*layer]->action);
        options.largest = action.largest;
        options.average = action.average;
        options.model = action.model;
        options.neighbours = action.neighbours;
        options.largestAngle = action.largestAngle;
    }
    return options;
}

std::optional<Inspection> inspect(const Snapshot& snapshot, const std::stop_token& stop) {
    const Attribute* attribute = snapshot.cloud ? snapshot.cloud->attribute(kDeviationAttribute) : nullptr;
    if (!attribute)
        return std::nullopt;
    snapshot.cloud->load(std::array{attribute}, stop);
    Inspection found;
    found.reference = snapshot.reference;
    found.tolerance = snapshot.resolved.tolerance;
    DeviationOptions options;
    if (found.tolerance > 0)
        options.tolerance = found.tolerance;
    const Vec3d size = *snapshot.resolved.voxelSize;
    options.regionCell = std::max({size.x, size.y, size.z});
    const Buffer<Vec3f>& points = snapshot.points->all(stop).positions;
    const Buffer<float> values = valuesOf(*attribute, snapshot.cloud->removed(), points.size(),
                                          snapshot.attributes->points().stride(), stop);
    found.figures = figuresOf(points.span(), values.span(), snapshot.origin(), options, stop);
    found.without = points.size() - found.figures.points;
    const double reach = reachOf(found.figures, found.tolerance);
    found.histogram = sampledHistogram({values.data(), ScalarType::float32, values.size()}, {-reach, reach},
                                       Inspection::kBins, {std::nullopt, stop});
    if (found.reference)
        for (DeviationRegion& region : found.figures.worst)
            region.facing = facingAt(*found.reference, region.at);
    if (found.reference)
        found.misfit = misfitOf(snapshot.cloud->bounds(), *found.reference, true);
    if (found.reference)
        found.whiskers = whiskersOf(*found.reference, comparingOptions(snapshot.resolved.edits),
                                    points.span(), values.span());
    const ReferenceMesh* mesh = found.reference ? found.reference->mesh() : nullptr;
    if (mesh && snapshot.resolved.section)
        found.sectionLines = linesOf(*mesh, found.reference->origin, *snapshot.resolved.section, stop);
    return found;
}

} // namespace scanloupe
