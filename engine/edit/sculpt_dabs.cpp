// Divides strokes of brushes into dabs.
#include "engine/edit/sculpt_dabs.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

namespace {

constexpr double kDabStep = 0.25; // radii between the dabs of a stroke
constexpr double kRaise = 0.125;  // radii that a dab of full strength moves the surface

class DabList {
public:
    DabList(Vec3d origin, const LatticeShape& lattice) : m_origin(origin), m_lattice(lattice) {}

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
        const bool isSwept = action.tool == SculptTool::fill || action.tool == SculptTool::carve;
        int times = 1;
        if (action.tool == SculptTool::raise || action.tool == SculptTool::lower) {
            const double height = kRaise * stroke.radius * action.strength;
            times = std::max(1, int(std::ceil(height / double{largestRaise(m_lattice)})));
            dab.strength = float(height / times);
        }
        const float strength = dab.strength;
        const auto put = [&](Vec3d from, Vec3d to, double pressure) {
            dab.strength = strength * float(pressure);
            dab.from = (from - m_origin).as<float>();
            dab.to = (to - m_origin).as<float>();
            for (int i = 0; i < times; ++i)
                m_dabs.push_back(dab);
        };
        if (stroke.path.empty())
            return;
        const auto pressureAt = [&](std::size_t i) {
            return stroke.pressures.empty() ? 1.0 : stroke.pressures[i];
        };
        if (!stroke.continues)
            put(stroke.path.front(), stroke.path.front(), pressureAt(0));
        for (std::size_t i = 1; i < stroke.path.size(); ++i) {
            const Vec3d from = stroke.path[i - 1], way = stroke.path[i] - from;
            if (isSwept) {
                put(from, stroke.path[i], 1);
                continue;
            }
            const double pieces = std::ceil(norm(way) / (kDabStep * stroke.radius));
            for (double piece = 1; piece <= pieces; ++piece) {
                const double part = piece / pieces;
                const Vec3d place = from + way * part;
                put(place, place, pressureAt(i - 1) + (pressureAt(i) - pressureAt(i - 1)) * part);
            }
        }
    }

    std::vector<SculptDab> take() { return std::move(m_dabs); }

private:
    Vec3d m_origin;
    const LatticeShape& m_lattice;
    std::vector<SculptDab> m_dabs;
};

} // namespace

std::vector<SculptDab> sculptDabs(const EditLayers& layers, Vec3d origin, const LatticeShape& lattice) {
    DabList dabs(origin, lattice);
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
