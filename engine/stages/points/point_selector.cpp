// Applies the steps of a selection one after another with the operators of kernels/select.
#include "engine/stages/points/point_selector.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edits.h"
#include "engine/results/point_attributes.h"
#include "engine/stages/points/point_formula.h"
#include "kernels/select/connected_cells.h"
#include "kernels/select/outline_mask.h"
#include "kernels/select/select_points.h"
#include "kernels/select/stroke_tree.h"
#include "kernels/voxelize/operators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace scanloupe {

namespace {

constexpr float kHiddenBehind = 4; // points are hidden if they are farther behind the nearest point of a
                                   // pixel; in spacings

/// Applies selection steps to a set, in one memory space.
class Selector {
public:
    Selector(const SelectablePoints& points, const Execution& on) : m_points(points), m_on(on) {}

    PointSet choose(std::span<const SelectionStep> steps, const PointSet* from) {
        PointSet set = from ? from->copyTo(m_on.onDevice() ? MemorySpace::device : MemorySpace::host,
                                           m_on.device.value_or(StreamView(nullptr)))
                            : nothing();
        while (!steps.empty()) {
            if (m_on.stop.stop_requested())
                throw Cancelled();
            const SelectionStep& step = steps.front();
            std::size_t taken = 1;
            if (std::holds_alternative<InvertRegion>(*step.region))
                set = inverted(set);
            else if (const auto* grow = std::get_if<GrowRegion>(step.region.get()))
                set = grown(set, *grow);
            else if (std::holds_alternative<StrokeRegion>(*step.region))
                taken = combineStrokes(set, steps);
            else
                combine(set,
                        std::visit([this](const auto& region) { return pointsIn(region); }, *step.region),
                        step.operation, m_on);
            steps = steps.subspan(taken);
        }
        return set;
    }

private:
    PointSet select(const PointPredicate& predicate) const {
        return selectPoints(m_points.positions, predicate, m_on);
    }
    template <class T>
    Buffer<T> there(Buffer<T> onHost) const {
        return m_on.onDevice() ? onHost.copyTo(MemorySpace::device, *m_on.device) : std::move(onHost);
    }
    PointSet there(PointSet onHost) const {
        return m_on.onDevice() ? onHost.copyTo(MemorySpace::device, *m_on.device) : std::move(onHost);
    }
    PointSet nothing() const { return there(PointSet::none(m_points.positions.size())); }
    Vec3f local(Vec3d place) const { return (place - m_points.cloud.origin()).as<float>(); }

    PointSet pointsIn(const OutlineRegion& region) const {
        Camera camera = region.camera;
        camera.eye = camera.eye - m_points.cloud.origin();
        camera.target = camera.target - m_points.cloud.origin();
        const Projection view(camera, region.width, region.height);
        OutlineMask mask = outlineMask(region.corners, region.width, region.height, m_on.stop);
        if (mask.width == 0)
            return nothing();
        OutlinePredicate predicate;
        predicate.window = ViewWindow(view, mask.left, mask.top, mask.width, mask.height);
        predicate.rowWords = mask.rowWords;
        const Buffer<std::uint32_t> pixels = there(std::move(mask.pixels));
        predicate.pixels = pixels.data();
        Buffer<std::uint32_t> nearest;
        if (region.visibleOnly) {
            nearest = nearestDepths(m_points.positions, predicate.window, float(region.spacing), m_on);
            predicate.nearest = nearest.data();
            predicate.slack = kHiddenBehind * float(region.spacing);
        }
        return select(predicate);
    }

    void add(const StrokeRegion& region, std::vector<StrokeSegment>& segments) const {
        std::vector<Vec3f> path;
        for (const Vec3d place : region.path)
            path.push_back(local(place));
        addSegments(path, segments);
    }
    PointSet near(const std::vector<StrokeSegment>& segments, double radius) const {
        StrokeTree tree = StrokeTree::of(segments, float(radius), m_on.stop);
        if (m_on.onDevice())
            tree = tree.copyTo(MemorySpace::device, *m_on.device);
        return segments.empty() ? nothing() : select(tree.predicate());
    }
    PointSet pointsIn(const StrokeRegion& region) const {
        std::vector<StrokeSegment> segments;
        add(region, segments);
        return near(segments, region.radius);
    }
    /// Applies the stroke of the first step together with all following strokes of the same radius that can
    /// be united with it. @returns the number of applied steps
    std::size_t combineStrokes(PointSet& set, std::span<const SelectionStep> steps) const {
        const SelectionStep& first = steps.front();
        const double radius = std::get<StrokeRegion>(*first.region).radius;
        std::vector<StrokeSegment> segments;
        std::size_t count = 0;
        for (const SelectionStep& step : steps) {
            const auto* stroke = std::get_if<StrokeRegion>(step.region.get());
            const bool joins =
                step.operation == first.operation &&
                (step.operation == SetOperation::add || step.operation == SetOperation::subtract);
            if (count > 0 && !(stroke && stroke->radius == radius && joins))
                break;
            add(*stroke, segments);
            ++count;
        }
        combine(set, near(segments, radius), first.operation, m_on);
        return count;
    }

    PointSet pointsIn(const HalfSpaceRegion& region) const {
        return select(PlanePredicate{local(region.at), normalized(region.normal).as<float>()});
    }

    PointSet pointsIn(const SlabRegion& region) const {
        CutPredicate predicate;
        predicate.cut.hasSlab = true;
        predicate.cut.slab = {local(region.at), normalized(region.direction).as<float>(),
                              float(0.5 * region.thickness)};
        return select(predicate);
    }

    const Attribute& attribute(const std::string& name) const {
        const Attribute* found = m_points.cloud.attribute(name);
        if (!found)
            throw EngineError(
                fmt::format("An edit selects by the attribute '{}', which the scan does not have.", name),
                "Remove the edit, or open the scan for which it was made.");
        return *found;
    }

    PointSet pointsIn(const AttributeRegion& region) const {
        const Attribute& by = attribute(region.attribute);
        if (isCategorical(by)) {
            const auto column = m_points.attributes.on(m_on, by);
            return ofCodes(*column, [&](const Category& classes, std::uint32_t code) {
                return classes.value(code) >= region.low && classes.value(code) <= region.high;
            });
        }
        return select(valuesOf(by, region.low, region.high));
    }

    PointSet pointsIn(const ClassRegion& region) const {
        const Attribute& by = attribute(region.attribute);
        if (!isCategorical(by))
            throw EngineError(fmt::format("The attribute '{}' has no classes.", region.attribute),
                              "Select by a range of its values instead.");
        const auto column = m_points.attributes.on(m_on, by);
        return ofCodes(*column, [&](const Category& classes, std::uint32_t code) {
            return std::ranges::find(region.values, classes.values[code]) != region.values.end();
        });
    }

    PointSet pointsIn(const ColourRegion& region) const {
        m_points.cloud.load(std::array{&attribute("red"), &attribute("green"), &attribute("blue")},
                            m_on.stop);
        const std::optional<ValueRange> range = m_points.cloud.colourRange();
        const double scale = range ? (range->max - range->min) / 255 : 1, black = range ? range->min : 0;
        PointSet set = nothing();
        constexpr std::array names{"red", "green", "blue"};
        for (std::size_t k = 0; k < names.size(); ++k) {
            const double low = black + scale * (region.rgb[k] - region.tolerance),
                         high = black + scale * (region.rgb[k] + region.tolerance);
            combine(set, select(valuesOf(attribute(names[k]), low, high)),
                    k == 0 ? SetOperation::replace : SetOperation::intersect, m_on);
        }
        return set;
    }

    PointSet pointsIn(const FormulaRegion& region) const {
        const Formula formula(region.formula, region.up, m_points.cloud);
        if (m_on.onDevice())
            if (auto set =
                    formula.selectOnDevice(m_points.attributes, m_points.positions, m_on, m_points.note))
                return std::move(*set);
        PointSet set = PointSet::none(m_points.positions.size());
        formula.evaluate(m_points.attributes.stride(), set.size, m_on.stop,
                         [&](std::size_t begin, std::span<const double> values) {
                             for (std::size_t i = 0; i < values.size(); ++i)
                                 if (values[i] != 0 && !std::isnan(values[i]))
                                     set.words[(begin + i) / 32] |= 1u << (begin + i) % 32;
                         });
        PointSet chosen = there(std::move(set));
        combine(chosen, select(PresentPredicate{}), SetOperation::intersect, m_on);
        return chosen;
    }

    ValuePredicate valuesOf(const Attribute& by, double low, double high) const {
        const auto column = m_held.emplace_back(m_points.attributes.on(m_on, by));
        return {column->numbers.data, column->numbers.type, low, high};
    }

    template <class Wants>
    PointSet ofCodes(const PointAttribute& column, Wants&& wants) const {
        const std::size_t classes = column.category->values.size();
        PointSet wanted = PointSet::none(classes);
        for (std::uint32_t code = 0; code < classes; ++code)
            if (wants(*column.category, code))
                wanted.words[code / 32] |= 1u << code % 32;
        const PointSet table = there(std::move(wanted));
        return select(CodePredicate{column.codes.data(), table.words.data(), std::uint32_t(classes)});
    }

    PointSet inverted(const PointSet& set) const {
        PointSet all = select(PresentPredicate{});
        combine(all, set, SetOperation::subtract, m_on);
        return all;
    }

    /// The points sorted into cells of one size, and the keys of the occupied cells on the host.
    struct Cells {
        VoxelGrid grid;
        Buffer<std::uint64_t> keys;
    };
    Cells cellsOf(double size) const {
        VoxelizeParams params;
        const Bounds& bounds = m_points.cloud.bounds();
        const float edge = float(size);
        params.voxelSize = {edge, edge, edge};
        params.rangeMin = local(bounds.min) - params.voxelSize;
        params.rangeMax = local(bounds.max) + params.voxelSize;
        const PointsView view{m_points.positions.data(), m_points.positions.size(), {}};
        Cells cells{voxelize(view, m_on.onDevice() ? MemorySpace::device : MemorySpace::host, params, m_on),
                    {}};
        cells.keys = m_on.onDevice() ? cells.grid.keys.copyTo(MemorySpace::host, *m_on.device)
                                     : hostCopy(cells.grid.keys.span());
        return cells;
    }
    PointSet onHost(PointSet set) const {
        return m_on.onDevice() ? set.copyTo(MemorySpace::host, *m_on.device) : std::move(set);
    }
    /// Returns the points in the cells of a set, which is on the host.
    PointSet inCells(const Cells& cells, PointSet chosen) const {
        const PointSet table = there(std::move(chosen));
        return select(
            CodePredicate{cells.grid.pointVoxel.data(), table.words.data(), std::uint32_t(table.size)});
    }

    PointSet pointsIn(const ConnectedRegion& region) const {
        const Cells cells = cellsOf(region.cell);
        StrokeRegion around{{region.seed}, region.cell};
        PointSet seeds = onHost(voxelsOf(pointsIn(around), cells.grid.pointVoxel, cells.keys.size(), m_on));
        return inCells(cells, connectedVoxels(cells.grid.shape, cells.keys.span(), seeds, m_on.stop));
    }

    PointSet grown(const PointSet& set, const GrowRegion& region) const {
        if (region.steps < 0)
            return inverted(grown(inverted(set), {region.cell, -region.steps}));
        const Cells cells = cellsOf(region.cell);
        PointSet occupied = onHost(voxelsOf(set, cells.grid.pointVoxel, cells.keys.size(), m_on));
        return inCells(cells, grownVoxels(cells.grid.shape, cells.keys.span(), std::move(occupied),
                                          region.steps, m_on.stop));
    }

    PointSet pointsIn(const GrowRegion&) const { throw Fault("growing needs a selection to start from"); }
    PointSet pointsIn(const InvertRegion&) const { throw Fault("inverting needs a selection to start from"); }

    const SelectablePoints& m_points;
    const Execution m_on;
    /// keeps the columns alive that predicates point to
    mutable std::vector<std::shared_ptr<const PointAttribute>> m_held;
};

} // namespace

PointSet chosenPoints(std::span<const SelectionStep> steps, const SelectablePoints& points,
                      const Execution& on, const PointSet* from) {
    return Selector(points, on).choose(steps, from);
}

} // namespace scanloupe
