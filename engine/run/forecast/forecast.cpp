// Forecasts from a sample of points, with corrections learned from runs.
#include "engine/run/forecast/forecast.h"

#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/graph/stage_costs.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/recipe/voxel_size.h"
#include "engine/results/snapshot.h"
#include "engine/run/forecast/recipe_sizes.h"
#include "engine/run/forecast/sampled_surface.h"
#include "engine/run/forecast/snapshot_size.h"
#include "engine/stages/attributes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scanloupe {

namespace {

constexpr double kFewPart = 1.0 / 8; // fraction of the sample for quick searches

/// Returns the number of cells of the voxel grid; infinite if it exceeds the limit of grids.
double cellsOf(const Recipe& resolved, Vec3d origin) {
    const Bounds bounds = gridBounds(resolved);
    VoxelizeParams params;
    params.rangeMin = (bounds.min - origin).as<float>();
    params.rangeMax = (bounds.max - origin).as<float>();
    params.voxelSize = resolved.voxelSize->as<float>();
    try {
        return double(gridShape(params).cellCount());
    } catch (const KernelError&) { // the run will report the error
        return std::numeric_limits<double>::infinity();
    }
}

Estimate corrected(const Estimate& estimate, const Correction& correction) {
    // runs of a similar size have reduced the sample's uncertainty
    const double shown = std::min(estimate.spread(), correction.spread);
    return Estimate::withSpread(estimate.value * correction.factor,
                                correction.trust * shown + (1 - correction.trust) * estimate.spread());
}

Estimate product(const Estimate& a, const Estimate& b) {
    return Estimate::withSpread(a.value * b.value, std::hypot(a.spread(), b.spread()));
}

MeshSize meshOf(double triangles, double verticesPerTriangle) {
    return {std::uint64_t(triangles * verticesPerTriangle), std::uint64_t(triangles)};
}

} // namespace

ScanSample sampleScan(const PointCloud& cloud, const std::stop_token& stop) {
    ScanSample sample;
    sample.points = samplePoints(cloud, stop);
    sample.boxes = sampleBoxes(cloud, sample.points, stop);
    return sample;
}

Forecaster::Forecaster(const BackendChoice& backend)
    : m_voxels(0.15, 0.02, 0.4), m_surface(0.2, 0.12, 1), m_times(backend) {}

void Forecaster::setScan(std::shared_ptr<const PointCloud> cloud, std::shared_ptr<const ScanSample> sample) {
    m_cloud = std::move(cloud);
    m_sample = std::move(sample);
    m_last.reset();
    m_lastAsked.reset();
    m_chosen = StoredRecipe();
    m_voxels.clear();
    m_surface.clear();
    m_inRange = {};
    m_fewInRange = {};
    m_surfaces.clear();
}

void Forecaster::learn(const Snapshot& snapshot) {
    if (snapshot.preview || !snapshot.cloud)
        return;
    const RunSize size = runSizeOf(snapshot);
    const Recipe& resolved = snapshot.resolved;
    m_times.learn(snapshot.timings, size, resolved);
    if (snapshot.input != m_cloud || !m_sample || !haveSameEffect(snapshot.resolved->edits.layers, {}))
        return; // the sample is of the scan without edits
    const Recipe& asked = snapshot.recipe;
    m_lastAsked = asked;
    m_last = resolved;
    if (!asked.rangeMin || !asked.rangeMax) {
        m_chosen->rangeMin = resolved.rangeMin;
        m_chosen->rangeMax = resolved.rangeMax;
        if (!asked.voxelSize)
            m_chosen->voxelSize = resolved.voxelSize;
    }
    if (!asked.field)
        m_chosen->field = resolved.field;
    if (!asked.sensor)
        m_chosen->sensor = resolved.sensor;
    if (!asked.up)
        m_chosen->up = resolved.up;
    if (asked.colourBy == "auto")
        m_chosen->colourBy = resolved.colourBy;

    Recipe model = resolved; // the iso-value is removed, because it is derived from the field
    if (!asked.iso)
        model.iso.reset();
    const Sizes estimated = sizesOf(model, 1, false);
    if (estimated.isUnsure)
        return;
    const double position = std::log(meanEdge(model));
    m_voxels.learn("voxels", position, size.voxels, estimated.voxels.value);
    const std::string key = surfaceKey(model);
    m_voxels.learn("bricks/" + key, position, size.bricks, estimated.bricks.value);
    const double triangles = double(size.extracted.triangles);
    const auto& sampled = estimated.surface;
    if (sampled)
        m_surface.learn("triangles/" + key, position, triangles, size.voxels * sampled->trianglesPerVoxel);
    if (triangles > 0) {
        if (sampled)
            m_surface.learn("vertices/" + key, position, double(size.extracted.vertices),
                            triangles * sampled->verticesPerTriangle);
        m_surface.learn("kept", std::log1p(double(model.minComponentTriangles)), size.triangles,
                        model.decimateTo > 0 ? std::min(triangles, double(model.decimateTo)) : triangles);
    }
}

std::optional<Forecaster::Resolved> Forecaster::resolve(const Recipe& recipe) {
    Resolved resolved{recipe, false};
    Recipe& r = resolved.recipe;
    const bool isRangeChosen = !r.rangeMin || !r.rangeMax;
    if (isRangeChosen) {
        r.rangeMin = m_chosen->rangeMin;
        r.rangeMax = m_chosen->rangeMax;
    }
    if (!r.field)
        r.field = m_chosen->field;
    if (!r.sensor)
        r.sensor = m_chosen->sensor;
    if (!r.up)
        r.up = m_chosen->up;
    if (r.colourBy == "auto")
        r.colourBy = m_chosen->colourBy;
    if (r.rangeInverted && !r.outerMin && r.rangeMin &&
        r.rangeMax) { // same as in resolve(), except for outliers
        const Bounds range = rangeBoxOf(r).bounds(), scan = m_cloud->bounds();
        r.outerMin = min(range.min, m_chosen->rangeMin.value_or(scan.min));
        r.outerMax = max(range.max, m_chosen->rangeMax.value_or(scan.max));
    }
    if (!r.rangeMin || !r.rangeMax || !r.field)
        return std::nullopt;
    if (!r.voxelSize && isRangeChosen)
        r.voxelSize = m_chosen->voxelSize;
    if (!r.voxelSize && m_last && !(*m_lastAsked)->voxelSize && (*m_last)->rangeMin == r.rangeMin &&
        (*m_last)->rangeMax == r.rangeMax)
        r.voxelSize = (*m_last)->voxelSize;
    if (!r.voxelSize)
        guessVoxelSize(resolved);
    if (!r.voxelSize)
        return std::nullopt;
    if (!r.radius) // same as in resolve()
        r.radius = r.field == FieldKind::occupancy
                       ? 0
                       : 2 * std::max({r.voxelSize->x, r.voxelSize->y, r.voxelSize->z});
    if (!r.iso && m_last && !(*m_lastAsked)->iso && !staleStages(&**m_last, r)[std::size_t(Stage::field)])
        r.iso = (*m_last)->iso;
    return resolved;
}

void Forecaster::guessVoxelSize(Resolved& resolved) {
    const std::optional<Vec3d> near = m_last ? (*m_last)->voxelSize : m_chosen->voxelSize;
    if (!near)
        return;
    Recipe& r = resolved.recipe;
    resolved.sizeIsGuessed = true;
    const OccupiedCells& cells = cellsIn(r, kFewPart);
    // Same as chooseVoxelSize() and steadyVoxelSize(): at most 300,000 voxels with size steps of about 1.25,
    // or three points per voxel.
    const double wanted = std::min(230'000.0, cells.points().value / 3);
    double size = std::cbrt(near->x * near->y * near->z);
    for (int step = 0; step < 3; ++step) { // on surfaces, the number of voxels is proportional to the inverse
                                           // square of their size
        const auto edge = float(size);
        const double voxels = cells.cells({edge, edge, edge}).value;
        size *= std::sqrt(std::max(voxels, 1.0) / std::max(wanted, 1.0));
    }
    if (const double whole = m_chosen->voxelSize.value_or(Vec3d()).x; whole > 0) {
        const auto edge = float(whole);
        size = steadyVoxelSize(size, whole,
                               cells.points().value / std::max(cells.cells({edge, edge, edge}).value, 1.0));
    }
    r.voxelSize = Vec3d{size, size, size};
}

const OccupiedCells& Forecaster::cellsIn(const Recipe& resolved, double part) {
    InRange& held = part < 1 ? m_fewInRange : m_inRange;
    const Vec3d origin = m_cloud->origin();
    const Bounds bounds = gridBounds(resolved);
    const PointCut cut = pointCut(resolved, origin);
    if (!held.cells || held.bounds.min != bounds.min || held.bounds.max != bounds.max || held.cut != cut)
        held = {bounds, cut, part,
                OccupiedCells(m_sample->points, (bounds.min - origin).as<float>(),
                              (bounds.max - origin).as<float>(), cut, part)};
    return *held.cells;
}

std::optional<SampledSurface> Forecaster::surfaceOf(const Recipe& resolved, double pointsPerVoxel) {
    constexpr std::size_t kept = 8;
    const Bounds bounds = gridBounds(resolved);
    const SurfaceQuestion question{
        bounds.min,       bounds.max,      *resolved.voxelSize, pointCut(resolved, m_cloud->origin()),
        *resolved.radius, *resolved.field, resolved.iso,        resolved.sensor};
    const auto known = std::ranges::find(m_surfaces, question, &AnsweredSurface::question);
    if (known != m_surfaces.end()) {
        std::rotate(known, known + 1, m_surfaces.end()); // the last element is the most recently used one
        return m_surfaces.back().surface;
    }
    if (m_surfaces.size() == kept)
        m_surfaces.erase(m_surfaces.begin());
    m_surfaces.push_back(
        {question, sampleSurface(m_sample->boxes, resolved, pointsPerVoxel, m_cloud->origin())});
    return m_surfaces.back().surface;
}

Forecaster::Sizes Forecaster::sizesOf(const Recipe& resolved, double part, bool isCorrected) {
    const OccupiedCells& cells = cellsIn(resolved, part);
    const Vec3f size = resolved.voxelSize->as<float>();
    const BrickReach reach = reachOf(resolved);
    Sizes sizes;
    sizes.points = cells.points();
    sizes.isUnsure = cells.isUnsure();
    isCorrected = isCorrected && !sizes.isUnsure; // corrections from other ranges do not reduce the
                                                  // uncertainty
    const double most = resolved.maxVoxels > 0 ? double(resolved.maxVoxels) : 1e30;
    const double position = std::log(meanEdge(resolved));
    sizes.voxels = cells.cells(size);
    if (isCorrected)
        sizes.voxels = corrected(sizes.voxels, m_voxels.at("voxels", position));
    sizes.voxels = sizes.voxels.clamped(0, std::min(cellsOf(resolved, m_cloud->origin()), sizes.points.high));
    sizes.bricks = cells.bricks(size, reach);
    const std::string key = surfaceKey(resolved);
    if (isCorrected)
        sizes.bricks = corrected(sizes.bricks, m_voxels.at("bricks/" + key, position));
    // isolated voxels: number of bricks that contain the nodes around one of them
    double perScattered = 1;
    for (int axis = 0; axis < 3; ++axis)
        perScattered *= 1 + 2.0 * reach.nodes[axis] / kBrickEdge;
    sizes.bricks = sizes.bricks.clamped(0, sizes.voxels.high * perScattered);
    sizes.voxels = sizes.voxels.clamped(0, most);
    sizes.bricks = sizes.bricks.clamped(0, most * perScattered);

    const Correction surface = m_surface.at("triangles/" + key, position);
    sizes.runs = surface.runs;
    const bool isSearch = part < 1 && !m_surfaces.empty(); // the last step of a search uses the whole sample
    const auto sampled = isSearch
                             ? m_surfaces.back().surface
                             : surfaceOf(resolved, sizes.points.value / std::max(sizes.voxels.value, 1.0));
    sizes.surface = sampled;
    if (!sampled) { // no box is in the range; a surface has 1 to 8 triangles per voxel
        sizes.triangles = product(sizes.voxels, Estimate{3, 1, 8});
        sizes.verticesPerTriangle = {0.6, 0.5, 1};
        return sizes;
    }
    const Estimate ratio = Estimate::withSpread(sampled->trianglesPerVoxel, sampled->spread);
    sizes.triangles = product(sizes.voxels, corrected(ratio, surface));
    const Correction vertices = m_surface.at("vertices/" + key, position);
    sizes.verticesPerTriangle =
        Estimate::withSpread(sampled->verticesPerTriangle * vertices.factor, 0.1).clamped(0.4, 3);
    return sizes;
}

std::optional<Forecast> Forecaster::forecastFrom(const Resolved& wanted, double part) {
    const Recipe& resolved = wanted.recipe;
    const Sizes sizes = sizesOf(resolved, part, true);
    Forecast forecast;
    forecast.pointsInRange = sizes.points;
    forecast.voxels = sizes.voxels;
    if (wanted.sizeIsGuessed)
        forecast.voxels = product(forecast.voxels, Estimate::withSpread(1, 0.15));
    forecast.bricks = sizes.bricks;
    forecast.triangles = sizes.triangles;
    if (resolved.minComponentTriangles > 0) {
        const Correction kept = m_surface.at("kept", std::log1p(double(resolved.minComponentTriangles)));
        forecast.triangles =
            product(forecast.triangles, Estimate::withSpread(std::min(kept.factor, 1.0), kept.spread));
    }
    if (resolved.decimateTo > 0)
        forecast.triangles = forecast.triangles.clamped(0, double(resolved.decimateTo));
    forecast.scanRuns = sizes.runs;
    forecast.isUnsure = sizes.isUnsure;

    const BackendChoice& backend = m_times.backend();
    RunSize likely, least, most;
    likely.points = least.points = most.points = double(m_cloud->size());
    likely.attributes = least.attributes = most.attributes = countsLookedAt(resolved, *m_cloud);
    // at least the memory of the CPU backend, which is used if SYCL's lists do not fit
    likely.extractedBySycl = most.extractedBySycl =
        m_times.backendOf("extract") == "sycl" && backend.sycl && !backend.sycl->info().isGpu;
    const auto fill = [&](RunSize& size, double Estimate::*limit) {
        size.pointsInRange = forecast.pointsInRange.*limit;
        size.voxels = forecast.voxels.*limit;
        size.bricks = forecast.bricks.*limit;
        size.extracted = meshOf(sizes.triangles.*limit, sizes.verticesPerTriangle.*limit);
        size.triangles = forecast.triangles.*limit;
    };
    fill(likely, &Estimate::value);
    fill(least, &Estimate::low);
    fill(most, &Estimate::high);
    const StaleStages all = staleStages(nullptr, resolved);
    const StaleStages stale = staleStages(m_last ? &**m_last : nullptr, resolved);
    const auto bytes = [&](const StaleStages& stages) {
        return Estimate{double(runBytes(likely, resolved, stages)), double(runBytes(least, resolved, stages)),
                        double(runBytes(most, resolved, stages))};
    };
    forecast.hostBytes = bytes(all);
    forecast.neededBytes = bytes(stale);
    if (backend.backend == Backend::cuda) {
        forecast.deviceBytes = forecast.hostBytes;
        if (forecast.deviceBytes.low <= double(backend.device.totalBytes)) {
            // copies on the host for the window and the quality measures: the mesh, and the voxel of each
            // point
            const double copies = 16 * most.points + 24 * most.voxels + double(most.extracted.bytes());
            forecast.hostBytes = forecast.neededBytes = {copies, 0, copies};
        }
    }
    forecast.milliseconds = m_times.time(resolved, likely, most, stale, forecast.timedRuns);
    return forecast;
}

std::optional<Forecast> Forecaster::forecast(const Recipe& recipe) {
    if (!m_sample || !m_cloud)
        return std::nullopt;
    const auto resolved = resolve(recipe);
    return resolved ? forecastFrom(*resolved, 1) : std::nullopt;
}

std::optional<double> Forecaster::fittingVoxelSize(const Recipe& recipe, std::uint64_t bytes) {
    const auto resolved = m_sample && m_cloud ? resolve(recipe) : std::nullopt;
    if (!resolved)
        return std::nullopt;
    const auto needed = [&](double size, double part) {
        Recipe larger = recipe;
        larger.voxelSize = Vec3d{size, size, size};
        const auto of = resolve(larger);
        const auto forecast = of ? forecastFrom(*of, part) : std::nullopt;
        return forecast ? forecast->neededBytes.high : 0;
    };
    const Vec3d extent = *resolved->recipe->rangeMax - *resolved->recipe->rangeMin;
    const double longest = std::max({extent.x, extent.y, extent.z});
    const Vec3d edges = *resolved->recipe->voxelSize;
    double low = std::min({edges.x, edges.y, edges.z}), high = low;
    while (needed(high, kFewPart) > double(bytes)) {
        low = high;
        high *= 1.5;
        if (high > longest)
            return std::nullopt;
    }
    for (int step = 0; step < 4; ++step) {
        const double middle = std::sqrt(low * high);
        (needed(middle, kFewPart) > double(bytes) ? low : high) = middle;
    }
    const auto rounded = [](double size) {
        const double unit = std::pow(10.0, std::floor(std::log10(size)) - 1);
        return std::ceil(size / unit - 1e-9) * unit;
    };
    high = rounded(high);
    while (needed(high, 1) > double(bytes)) {
        high = rounded(high * 1.08);
        if (high > longest)
            return std::nullopt;
    }
    return high;
}

} // namespace scanloupe
