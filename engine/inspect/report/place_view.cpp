// Renders small trial pictures from directions around a region, and selects one that shows most of the
// region.
#include "engine/inspect/report/place_view.h"

#include "engine/cloud/point_cloud.h"
#include "engine/io/common/view_detail.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "kernels/core/parallel.h"
#include "kernels/raster/operators.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scanloupe {

namespace {

constexpr int kTrialHeight = 150; // height of a trial picture, pixels
constexpr double kEnough = 0.75;  // an earlier direction is preferred if it shows at least this fraction of
                                  // the largest visible area
constexpr double kBehind = -0.1;  // cosine of the angle to the reference's normal, below which a view is from
                                  // behind
// The search ends if at least this fraction of a region is visible, relative to an unobstructed view.
constexpr double kShown = 0.3;
constexpr std::size_t kMaxPoints = 1'000'000; // maximum number of points in a trial picture
constexpr std::size_t kPlaceViewGrain = std::size_t{1} << 16;

/// Returns directions to look from. The first ones look at the front of the reference, slightly tilted
/// towards the direction `seen`; the others are all around.
std::vector<Vec3d> directionsFor(Vec3d facing, Vec3d seen) {
    std::vector<Vec3d> all;
    const auto add = [&all](Vec3d direction) {
        if (squaredNorm(direction) > 1e-6)
            all.push_back(normalized(direction));
    };
    if (squaredNorm(facing) > 0) {
        add(facing + seen * 0.5);
        add(facing);
    }
    const std::size_t given = all.size();
    for (int i = 0; i < 27; ++i)
        add({double(i % 3 - 1), double(i / 3 % 3 - 1), double(i / 9 - 1)});
    // sorted by the angle to the first direction
    const Vec3d wanted = given > 0 ? all.front() : seen;
    std::ranges::stable_sort(all.begin() + std::ptrdiff_t(given), all.end(), std::ranges::greater{},
                             [&](Vec3d direction) { return dot(direction, wanted); });
    if (given == 0)
        all.insert(all.begin(), seen);
    return all;
}

/// The part of a region that a point belongs to. `middle` is around the largest deviation.
enum class Part : std::uint8_t { none, rim, middle };

/// Returns a camera that looks at a region from a direction. The height of its picture at the region is
/// `size`.
Camera cameraAt(Camera from, Vec3d place, Vec3d direction, double size) {
    if (squaredNorm(cross(from.up, direction)) < 1e-6) // avoids a view along the picture's up axis
        from.up = std::abs(direction.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    from.target = place;
    from.eye = place + direction * (size / (2 * std::tan(from.verticalFov / 2)));
    from.orthographicHeight = size;
    from.nearPlane = 0;
    return from;
}

} // namespace

/// The points around a region that are drawn.
struct PlaceViews::Surroundings {
    std::vector<Vec3f> points; ///< positions relative to the cloud's origin
    std::vector<Part> parts;   ///< part of the region that each point belongs to
};

PlaceViews::PlaceViews(const Snapshot& snapshot, const Camera& from, double aspect)
    : m_snapshot(snapshot), m_deviations(snapshot.cloud->attribute(kDeviationAttribute)), m_from(from),
      m_aspect(aspect) {
    const Bounds box = gridBounds(snapshot.resolved);
    m_diagonal = norm(box.max - box.min);
}

PlaceView PlaceViews::of(const DeviationRegion& region, const std::stop_token& stop) const {
    const double extent = norm(region.box.max - region.box.min);
    const bool isWide = extent > m_diagonal / 4; // noise out of tolerance may connect the whole scan
    const double size = isWide ? m_diagonal / 4 : std::max(3 * extent, m_diagonal / 50);
    const Vec3d seen = normalized(m_from.eye - m_from.target);
    const std::vector<Vec3d> directions = directionsFor(region.facing, seen);
    const Camera first = cameraAt(m_from, region.at, directions.front(), size);
    const Surroundings surroundings =
        around(region, isWide ? m_diagonal / 20 : extent, norm(first.eye - first.target) + size, stop);
    Surroundings alone; // the points of the region without surroundings, for its visible area without
                        // occlusion
    for (std::size_t i = 0; i < surroundings.points.size(); ++i)
        if (surroundings.parts[i] != Part::none) {
            alone.points.push_back(surroundings.points[i]);
            alone.parts.push_back(surroundings.parts[i]);
        }
    double whole = 0;
    seenFrom(directions.front(), region, size, alone, whole, stop);
    std::vector<PlaceView> views;
    std::vector<double> shown;
    // Views from behind, possibly from inside a body, are only used for regions that are hidden from the
    // front.
    struct Way {
        bool isFront;
        double nearness;
    };
    for (const Way way : {Way{true, 1}, Way{true, 0.5}, Way{true, 0.25}, Way{false, 1}}) {
        for (const Vec3d& direction : directions) {
            if ((dot(direction, region.facing) >= kBehind) != way.isFront)
                continue;
            double& area = shown.emplace_back(0);
            views.push_back(seenFrom(direction, region, size * way.nearness, surroundings, area, stop));
        }
        if (!shown.empty() && std::ranges::max(shown) > kShown * whole)
            break;
    }
    const double most = std::ranges::max(shown);
    const auto best = std::ranges::find_if(shown, [&](double area) { return area >= kEnough * most; });
    return views[std::size_t(best - shown.begin())];
}

PlaceViews::Surroundings PlaceViews::around(const DeviationRegion& region, double extent, double reach,
                                            const std::stop_token& stop) const {
    const Buffer<Vec3f>& points = m_snapshot.points->all(stop).positions;
    const Buffer<std::uint32_t>& voxelOf = m_snapshot.voxels.host().pointVoxel;
    const std::size_t voxels = m_snapshot.voxels->size();
    const bool isKnown = voxelOf.size() == points.size();
    const Vec3d origin = m_snapshot.origin();
    std::vector<std::vector<std::uint32_t>> parts(chunkCount(points.size(), kPlaceViewGrain));
    parallelChunks(points.size(), kPlaceViewGrain, stop,
                   [&](std::size_t part, std::size_t begin, std::size_t end) {
                       for (std::size_t i = begin; i < end; ++i)
                           if ((!isKnown || voxelOf[i] < voxels) && // otherwise the point is not drawn
                               squaredNorm(points[i].as<double>() + origin - region.at) < reach * reach)
                               parts[part].push_back(std::uint32_t(i));
                   });
    std::size_t count = 0;
    for (const auto& part : parts)
        count += part.size();
    const std::size_t every = std::max<std::size_t>(1, chunkCount(count, kMaxPoints));
    const auto tolerance = float(m_snapshot.resolved->tolerance);
    const std::size_t stride = m_snapshot.attributes->points().stride();
    Surroundings found;
    std::size_t at = 0;
    for (const auto& part : parts)
        for (const std::uint32_t i : part) {
            const Vec3d p = points[i].as<double>() + origin;
            const auto deviation = float(m_deviations->value(i * stride));
            const bool isOutside = region.largest > 0 ? deviation > tolerance : deviation < -tolerance;
            const double away = norm(p - region.at);
            const bool isOfPlace = isOutside && min(p, region.box.min) == region.box.min &&
                                   max(p, region.box.max) == region.box.max && away <= extent;
            if (at++ % every != 0 && !isOfPlace)
                continue;
            found.points.push_back(points[i]);
            found.parts.push_back(!isOfPlace ? Part::none : away <= extent / 2 ? Part::middle : Part::rim);
        }
    return found;
}

PlaceView PlaceViews::seenFrom(Vec3d direction, const DeviationRegion& region, double size,
                               const Surroundings& around, double& middle,
                               const std::stop_token& stop) const {
    PlaceView view{cameraAt(m_from, region.at, direction, size)};
    Camera inScan = view.camera; // the camera in the frame of the points
    inScan.eye = inScan.eye - m_snapshot.origin();
    inScan.target = inScan.target - m_snapshot.origin();
    RasterScene scene;
    scene.points = around.points;
    const Vec3d voxel = *m_snapshot.resolved->voxelSize;
    scene.pointExtent = float(std::max({voxel.x, voxel.y, voxel.z})); // no gaps between neighbours
    RasterStats stats;
    const int width = std::max(1, int(std::lround(kTrialHeight * m_aspect)));
    const VisibilityBuffer seen =
        rasterize(scene, Projection(inScan, width, kTrialHeight), stats, {std::nullopt, stop});
    const double pixelArea = size * size / (kTrialHeight * kTrialHeight);
    int left = width, right = -1, top = kTrialHeight, bottom = -1;
    for (int y = 0; y < kTrialHeight; ++y)
        for (int x = 0; x < width; ++x) {
            const std::uint32_t id = seen.id(x, y);
            if (primitiveKind(id) != PrimitiveKind::point || around.parts[primitiveIndex(id)] == Part::none)
                continue;
            middle += around.parts[primitiveIndex(id)] == Part::middle ? pixelArea : 0;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        }
    view.isSeen = right >= 0;
    if (view.isSeen) {
        view.x = (0.5 * (left + right + 1) - 0.5 * width) / kTrialHeight;
        view.y = (0.5 * (top + bottom + 1) - 0.5 * kTrialHeight) / kTrialHeight;
        view.radius = 0.5 * std::hypot(right + 1 - left, bottom + 1 - top) / kTrialHeight;
    }
    return view;
}

} // namespace scanloupe
