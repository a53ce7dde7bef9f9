// Voxelizes the points of boxes, and computes their field and surface with the operators of the pipeline.
#include "engine/run/forecast/sampled_surface.h"

#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/run/forecast/recipe_sizes.h"
#include "kernels/core/error.h"
#include "kernels/core/mix_bits.h"
#include "kernels/field/operators.h"
#include "kernels/mesh/operators.h"
#include "kernels/voxelize/operators.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scanloupe {

namespace {

constexpr double kLeastEdge = 9; // minimum edge of a box, in voxels
/// Limits of the computation, for boxes and their rims.
struct Budget {
    std::size_t voxels, points;
};
constexpr Budget kUsual{6000, 1 << 17};
constexpr Budget kLarge{20'000, 1 << 19}; // budget for surfaces that are concentrated in a few regions
constexpr double kLargeSpread = 0.3;      // the large budget is used if the spread is above this
constexpr std::size_t kLeastBoxes = 4;    // minimum number of boxes, however large they are

struct BoxCount {
    double weight = 0, voxels = 0, triangles = 0;
};

/// The boxes in which a recipe is run, indexed by position.
class Boxes {
public:
    Boxes(const BoxSample& sample, const SampledBoxes& boxes) : m_sample(&sample), m_boxes(&boxes) {}

    void add(std::size_t box) {
        m_cells.push_back({m_boxes->cells[box], m_counts.size()});
        m_counts.push_back({m_boxes->weights[box], 0, 0});
    }
    void sort() { std::ranges::sort(m_cells); }
    /// Returns the box at a position; null in the rims.
    BoxCount* at(Vec3f position) {
        const std::pair<CellKey, std::size_t> key{m_sample->cellOf(position, m_boxes->depth), 0};
        const auto found = std::ranges::lower_bound(m_cells, key);
        return found != m_cells.end() && found->first == key.first ? &m_counts[found->second] : nullptr;
    }
    const std::vector<BoxCount>& counts() const { return m_counts; }

private:
    const BoxSample* m_sample;
    const SampledBoxes* m_boxes;
    std::vector<std::pair<CellKey, std::size_t>> m_cells;
    std::vector<BoxCount> m_counts;
};

/// Counts the voxels of points incrementally, accurate to a few per cent.
class VoxelCounter {
public:
    explicit VoxelCounter(const VoxelizeParams& params)
        : m_low(params.rangeMin),
          m_high(params.rangeMax), m_perMetre{1 / params.voxelSize.x, 1 / params.voxelSize.y,
                                              1 / params.voxelSize.z},
          m_seen(std::size_t{1} << 16) {}

    /// Adds a point. @returns whether the point is in the range
    bool add(Vec3f p) {
        std::uint64_t hash = 0;
        for (int axis = 0; axis < 3; ++axis) {
            if (!(p[axis] >= m_low[axis] && p[axis] < m_high[axis]))
                return false;
            constexpr float most = 4e9f; // fits in 32 bits
            const auto cell = std::uint64_t(std::min((p[axis] - m_low[axis]) * m_perMetre[axis], most));
            hash = mixBits(hash + cell + 1);
        }
        m_count += std::exchange(m_seen[hash % m_seen.size()], char{1}) ? 0 : 1;
        return true;
    }
    std::size_t count() const { return m_count; }

private:
    Vec3f m_low, m_high, m_perMetre;
    std::vector<char> m_seen;
    std::size_t m_count = 0;
};

/// The input of the run in the boxes.
struct Chosen {
    Chosen(const BoxSample& sample, const SampledBoxes& of) : from(&of), boxes(sample, of) {}
    const SampledBoxes* from;
    Boxes boxes;
    std::vector<Vec3f> points; ///< points in the boxes and around them, within the range
    std::size_t voxels = 0;
};

/// Adds boxes with points in the range until there are enough voxels.
Chosen chooseBoxes(const BoxSample& sample, const SampledBoxes& from, const VoxelizeParams& params,
                   const PointCut& cut, const Budget& most) {
    Chosen chosen(sample, from);
    VoxelCounter counter(params);
    const auto edge = float(sample.boxEdge(from));
    std::vector<char> isTaken(from.pointsOffset.size() - 1);
    for (std::size_t box = 0; box < from.cells.size(); ++box) {
        if (chosen.boxes.counts().size() >= kLeastBoxes &&
            (counter.count() > most.voxels || chosen.points.size() > most.points))
            break;
        const Vec3f low = sample.lowerCorner(from.cells[box], from.depth);
        bool isInRange = true;
        for (int axis = 0; axis < 3; ++axis)
            isInRange &= low[axis] < params.rangeMax[axis] && low[axis] + edge > params.rangeMin[axis];
        if (!isInRange)
            continue;
        const std::size_t before = chosen.points.size();
        for (std::size_t i = from.partsOffset[box]; i < from.partsOffset[box + 1]; ++i) {
            const std::uint32_t part = from.parts[i];
            if (std::exchange(isTaken[part], char{1}))
                continue; // the point is only in the rim of another box
            for (std::size_t k = from.pointsOffset[part]; k < from.pointsOffset[part + 1]; ++k)
                if (cut.keeps(from.points[k]) && counter.add(from.points[k]))
                    chosen.points.push_back(from.points[k]);
        }
        if (chosen.points.size() > before)
            chosen.boxes.add(box);
    }
    chosen.boxes.sort();
    chosen.voxels = counter.count();
    return chosen;
}

/// Chooses the box size for a voxel size: the smallest boxes that are large enough, since many boxes
/// represent the whole better than few, unless they have too few voxels in the range.
Chosen chooseSize(const BoxSample& sample, const VoxelizeParams& params, const PointCut& cut,
                  double voxelSize, double pointsPerVoxel, const Budget& most) {
    std::optional<Chosen> best;
    for (auto boxes = sample.sizes.rbegin(); boxes != sample.sizes.rend(); ++boxes) {
        const bool isLargest = boxes + 1 == sample.sizes.rend();
        if (!isLargest && sample.boxEdge(*boxes) < kLeastEdge * voxelSize)
            continue;
        // points per voxel; a random part of the points yields about the same surface
        constexpr double leastPoints = 6;
        if (best && boxes->share < 1 && boxes->share * pointsPerVoxel < leastPoints)
            break;
        Chosen chosen = chooseBoxes(sample, *boxes, params, cut, most);
        if (!best || chosen.voxels > best->voxels)
            best = std::move(chosen);
        if (best->voxels > most.voxels / 2)
            break;
    }
    return std::move(*best);
}

float isoOf(const Recipe& resolved, const ScalarField& field, const VoxelGrid& voxels, double share,
            Boxes& boxes, const Execution& on) {
    if (resolved.iso)
        return float(*resolved.iso * (field.kind == FieldKind::density ? share : 1));
    if (field.kind != FieldKind::density)
        return field.kind == FieldKind::occupancy ? 0.5f : 0.0f;
    const Buffer<float> values = valuesAtVoxels(field, voxels, 1, on);
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < voxels.size(); ++i)
        if (const BoxCount* box = boxes.at({voxels.mean(0)[i], voxels.mean(1)[i], voxels.mean(2)[i]})) {
            sum += box->weight * double(values[i]);
            weights += box->weight;
        }
    return weights > 0 ? float(sum / weights / 3) : 0.0f; // same as AutoIsoStage
}

SampledSurface ratioOf(const std::vector<BoxCount>& counts, double coverage) {
    SampledSurface made;
    double voxels = 0, triangles = 0;
    for (const BoxCount& box : counts) {
        voxels += box.weight * box.voxels;
        triangles += box.weight * box.triangles;
    }
    made.trianglesPerVoxel = triangles / voxels;
    // standard error of a ratio of sums over a part of the boxes
    double squares = 0;
    for (const BoxCount& box : counts)
        squares += std::pow(box.weight * (box.triangles - made.trianglesPerVoxel * box.voxels), 2);
    const double n = double(counts.size());
    const double error = std::sqrt(squares * (1 - coverage) * n / std::max(n - 1, 0.3));
    const double relative = triangles > 0 ? error / triangles : 1;
    constexpr double rims = 0.08; // error because points around the boxes are missing
    made.spread = std::hypot(relative, rims);
    return made;
}

std::optional<SampledSurface> surfaceWithin(const BoxSample& sample, const Recipe& resolved,
                                            double pointsPerVoxel, Vec3d origin, const Budget& most) {
    const double voxelSize = meanEdge(resolved);
    VoxelizeParams params;
    const Bounds bounds = gridBounds(resolved);
    params.rangeMin = (bounds.min - origin).as<float>();
    params.rangeMax = (bounds.max - origin).as<float>();
    params.voxelSize = resolved.voxelSize->as<float>();
    params.strategy = VoxelizeStrategy::radixSort; // the time of radix sort does not depend on the extent of
                                                   // the range
    params.pointVoxels = false;
    const PointCut cut = pointCut(resolved, origin);
    Chosen chosen = chooseSize(sample, params, cut, voxelSize, pointsPerVoxel, most);
    const SampledBoxes& from = *chosen.from;
    Boxes& boxes = chosen.boxes;
    const std::vector<Vec3f>& points = chosen.points;
    const Execution on; // the host, because there is too little work for a device
    try {
        const VoxelGrid voxels = voxelize({points.data(), points.size(), {}}, MemorySpace::host, params, on);
        if (voxels.size() == 0)
            return std::nullopt;
        FieldParams fieldParams{*resolved.field, float(*resolved.radius), {}};
        if (resolved.sensor && resolved.field == FieldKind::signedDistance)
            fieldParams.normals.sensor = (*resolved.sensor - origin).as<float>();
        const ScalarField field = computeField(voxels, fieldParams, on);
        const float iso = isoOf(resolved, field, voxels, from.share, boxes, on);
        const TriangleMesh mesh = extractSurface(field, iso, on);
        double inBoxes = 0;
        for (std::size_t i = 0; i < voxels.size(); ++i)
            if (BoxCount* box = boxes.at({voxels.mean(0)[i], voxels.mean(1)[i], voxels.mean(2)[i]})) {
                ++box->voxels;
                inBoxes += 1;
            }
        if (inBoxes == 0)
            return std::nullopt;
        for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
            Vec3f sum{};
            for (std::size_t corner = 0; corner < 3; ++corner)
                sum = sum + mesh.positions[mesh.indices[3 * t + corner]];
            if (BoxCount* box = boxes.at(sum * (1 / 3.0f)))
                ++box->triangles;
        }
        SampledSurface made = ratioOf(boxes.counts(), from.coverage);
        made.verticesPerTriangle = double(mesh.vertexCount()) / std::max(1.0, double(mesh.triangleCount()));
        return made;
    } catch (const KernelError&) {
        return std::nullopt; // the run will fail for the same reason, and report it
    }
}

} // namespace

std::optional<SampledSurface> sampleSurface(const BoxSample& sample, const Recipe& resolved,
                                            double pointsPerVoxel, Vec3d origin) {
    if (sample.sizes.empty() || resolved.field == FieldKind::volume)
        return std::nullopt;
    const auto surface = surfaceWithin(sample, resolved, pointsPerVoxel, origin, kUsual);
    if (!surface || surface->spread < kLargeSpread)
        return surface;
    return surfaceWithin(sample, resolved, pointsPerVoxel, origin, kLarge);
}

} // namespace scanloupe
