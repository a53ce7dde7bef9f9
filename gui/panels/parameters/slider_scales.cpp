// Derives the scales of sliders from the data.
#include "gui/panels/parameters/slider_scales.h"

#include "engine/cloud/point_cloud.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"

#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {

double longestEdge(Vec3d v) {
    return std::max({v.x, v.y, v.z});
}

ValueScale voxelScale(const Snapshot& s) {
    const Bounds& bounds = s.cloud->bounds();
    // outliers outside the range produce no voxels
    const Vec3d box =
        s.resolved->rangeMin ? *s.resolved->rangeMax - *s.resolved->rangeMin : bounds.max - bounds.min;
    const double extent = longestEdge(box);
    return extent > 0 ? ValueScale{extent / 2000, extent / 10, true} : ValueScale{1e-3, 1, true};
}

ValueScale radiusScale(const Snapshot& s) {
    const double voxel = s.resolved->voxelSize ? longestEdge(*s.resolved->voxelSize) : 0.1;
    return {voxel / 2, voxel * 16, true, true};
}

ValueScale isoScale(const Snapshot& s) {
    const double low = s.field->minValue, high = s.field->maxValue;
    return low < high ? ValueScale{low, high} : ValueScale{low - 1, low + 1};
}

} // namespace

ValueScale sliderScale(const Parameter& p, const Snapshot* s) {
    if (p.key == "voxel_size")
        return s && s->cloud ? voxelScale(*s) : ValueScale{1e-3, 10, true};
    if (p.key == "radius")
        return s ? radiusScale(*s) : ValueScale{1e-3, 10, true, true};
    if (p.key == "iso")
        return s && s->field ? isoScale(*s) : ValueScale{0, 1};
    if (p.key == "point_size")
        return {p.min, std::min(p.max, 16.0)};
    if (p.key == "eye_dome_strength")
        return {p.min, std::min(p.max, 4.0)};
    return {p.min, p.max, p.logarithmic, false, p.kind == ParameterKind::integer};
}

Bounds rangeSpan(const Snapshot& s, const ScanHistograms& histograms) {
    Bounds span = s.cloud->bounds();
    const double rim = std::max(1e-3 * longestEdge(span.max - span.min), 1e-6);
    for (int axis = 0; axis < 3; ++axis) {
        if (const auto& histogram = histograms.axes[std::size_t(axis)]) {
            span.min[axis] = histogram->low;
            span.max[axis] = histogram->high;
        } else {
            span.min[axis] -= rim;
            span.max[axis] += rim;
        }
        if (s.resolved->rangeMin) {
            span.min[axis] = std::min(span.min[axis], (*s.resolved->rangeMin)[axis]);
            span.max[axis] = std::max(span.max[axis], (*s.resolved->rangeMax)[axis]);
        }
    }
    return span;
}

} // namespace scanloupe::gui
