// Divides strokes of brushes into dabs.
#include "engine/edit/sculpt_dabs.h"

#include "engine/cloud/attribute.h"
#include "engine/cloud/error.h"
#include "kernels/core/error.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace scanloupe {

namespace {

constexpr double kDabStep = 0.25; // distance between the dabs of a stroke, in radii
constexpr double kRaise = 0.125;  // distance by which a dab of full strength moves the surface, in radii
constexpr double kSwept = 4; // length of a piece of a swept stroke, in radii; short, so that its box is small
constexpr double kSweptCells = 64; // minimum length of a piece, in cells, for small radii
constexpr double kMaxDabs = 5e6;   // maximum number of dabs in all layers, which take seconds to apply
constexpr double kMaxShift = 1e9;  // maximum shift, in nodes

/// Returns the mirror image of a dab, in the field's frame.
SculptDab mirroredDab(const SculptDab& dab, const MirrorPlane& plane) {
    const auto place = [&](Vec3f at) { return plane.mirrored(at.as<double>()).as<float>(); };
    SculptDab other = dab;
    other.from = place(dab.from);
    other.to = place(dab.to);
    other.planeAt = place(dab.planeAt);
    other.planeNormal =
        (dab.planeNormal.as<double>() - plane.direction(dab.planeNormal.as<double>())).as<float>();
    return other;
}

class DabList {
public:
    DabList(Vec3d origin, const LatticeShape& lattice, const std::stop_token& stop)
        : m_origin(origin), m_lattice(lattice), m_stop(stop) {}

    void add(const SculptAction& action, const StrokeRegion& stroke) {
        SculptDab dab;
        dab.tool = action.tool;
        dab.radius = float(stroke.radius);
        dab.strength = float(action.strength);
        dab.falloff = float(action.falloff);
        dab.level = float(action.level);
        dab.slope = float(action.slope);
        dab.planeAt = (action.planeAt - m_origin).as<float>();
        dab.planeNormal = normalized(action.planeNormal).as<float>();
        Vec3d source = action.cloneFrom; // vector to the surface that is copied
        Vec3d mirroredSource;
        std::optional<MirrorPlane> mirror = action.mirror;
        if (mirror) {
            mirror->at = mirror->at - m_origin;
            mirroredSource = source - mirror->direction(source);
        }
        const bool isSwept = traitsOf(action.tool).combinesBall;
        double times = 1;
        if (action.tool == SculptTool::raise || action.tool == SculptTool::lower) {
            const double height = kRaise * stroke.radius * action.strength;
            times = std::max(1.0, std::ceil(height / double{largestRaise(m_lattice)}));
            dab.strength = float(height / times);
        }
        const float strength = dab.strength;
        const auto put = [&](Vec3d from, Vec3d to, double pressure) {
            dab.strength = strength * float(pressure);
            dab.shift = shiftOf(source);
            dab.from = (from - m_origin).as<float>();
            dab.to = (to - m_origin).as<float>();
            requireRoom(mirror ? 2 * times : times);
            for (double i = 0; i < times; ++i)
                m_dabs.push_back(dab);
            if (!mirror)
                return;
            SculptDab other = mirroredDab(dab, *mirror);
            other.shift = shiftOf(mirroredSource);
            for (double i = 0; i < times; ++i)
                m_dabs.push_back(other);
        };
        if (stroke.path.empty())
            return;
        const auto pressureAt = [&](std::size_t i) {
            return stroke.pressures.empty() ? 1.0 : stroke.pressures[i];
        };
        const bool isDragged = action.tool == SculptTool::smear;
        if (!stroke.continues && !isDragged)
            put(stroke.path.front(), stroke.path.front(), pressureAt(0));
        for (std::size_t i = 1; i < stroke.path.size(); ++i) {
            const Vec3d from = stroke.path[i - 1], way = stroke.path[i] - from;
            const double step = isSwept ? std::max(kSwept * stroke.radius, kSweptCells * largestEdge())
                                        : kDabStep * stroke.radius;
            const double pieces = std::ceil(norm(way) / step);
            requireRoom(pieces);
            for (double piece = 1; piece <= pieces; ++piece) {
                const double part = piece / pieces;
                const Vec3d place = from + way * part, before = from + way * ((piece - 1) / pieces);
                if (isDragged) {
                    // Rounds positions instead of shifts: the shifts of a stroke then add up to its length.
                    source = nodeNear(before) - nodeNear(place);
                    if (action.mirror)
                        mirroredSource = nodeNear(action.mirror->mirrored(before)) -
                                         nodeNear(action.mirror->mirrored(place));
                    if (source == Vec3d{} && mirroredSource == Vec3d{})
                        continue;
                }
                if (isSwept)
                    put(before, place, 1);
                else
                    put(place, place, pressureAt(i - 1) + (pressureAt(i) - pressureAt(i - 1)) * part);
            }
        }
    }

private:
    /// Returns the position rounded to a multiple of the distance between nodes.
    Vec3d nodeNear(Vec3d place) const {
        for (int axis = 0; axis < 3; ++axis) {
            const double edge{m_lattice.spacing[axis]};
            place[axis] = std::round((place[axis] - m_origin[axis]) / edge) * edge;
        }
        return place;
    }
    /// Returns the shift rounded to whole numbers of nodes.
    Vec3i shiftOf(Vec3d way) const {
        Vec3i shift;
        for (int axis = 0; axis < 3; ++axis) {
            const double nodes = std::round(way[axis] / double{m_lattice.spacing[axis]});
            shift[axis] = int(std::clamp(nodes, -kMaxShift, kMaxShift));
        }
        return shift;
    }
    void requireRoom(double more) const {
        if (m_stop.stop_requested())
            throw Cancelled();
        if (!(double(m_dabs.size()) + more <= kMaxDabs)) // also true for NaN
            throw EngineError("A brush stroke is too long for its radius and the voxel size: all strokes "
                              "together need more than the maximum of " +
                                  std::to_string(std::size_t(kMaxDabs)) + " steps.",
                              "Undo the stroke, use a larger radius, or change the voxel size.");
    }
    double largestEdge() const {
        const Vec3f edges = m_lattice.spacing;
        return double{std::max({edges.x, edges.y, edges.z})};
    }

public:
    std::vector<SculptDab> take() { return std::move(m_dabs); }

private:
    Vec3d m_origin;
    const LatticeShape& m_lattice;
    const std::stop_token& m_stop;
    std::vector<SculptDab> m_dabs;
};

} // namespace

std::vector<SculptDab> sculptDabs(const EditLayers& layers, Vec3d origin, const LatticeShape& lattice,
                                  const std::stop_token& stop) {
    DabList dabs(origin, lattice, stop);
    for (const auto& layer : layers) {
        const auto* action = std::get_if<SculptAction>(&layer->action);
        if (!action || layer->isHidden)
            continue;
        for (const SelectionStep& step : layer->selection.steps)
            if (const auto* stroke = std::get_if<StrokeRegion>(step.region.get()))
                dabs.add(*action, *stroke);
    }
    return dabs.take();
}

} // namespace scanloupe
