// Turns drags of handles into ranges and sections.
#include "gui/tools/cut_tool.h"

#include "engine/inspect/section/section_drawing.h"
#include "engine/picture/view.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "gui/base/length_text.h"
#include "gui/views/scene/camera_frame.h"
#include "kernels/mesh/distance/triangle_distance.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scanloupe::gui {

namespace {

const QColor kRangeColour(79, 195, 247), kSectionColour(255, 159, 67);
// limit for points of section lines: some milliseconds a frame
constexpr std::size_t kMaxDrawnPoints = 20'000;

} // namespace

void CutTool::setShown(bool shown) {
    if (shown == m_isShown)
        return;
    m_isShown = shown;
    m_hovered.reset();
    emit changed();
}

void CutTool::setMeasuring(bool measuring) {
    if (measuring == m_isMeasuring)
        return;
    m_isMeasuring = measuring;
    m_hovered.reset();
    m_snapped.reset();
    m_measuredFrom.reset();
    emit changed();
}

void CutTool::setMeasuredFrom(const std::optional<Vec3d>& point) {
    m_measuredFrom = point;
    m_snapped.reset(); // the snapped point has been used
}

bool CutTool::hasLines() const {
    return m_results && m_results->section && m_requested->section;
}

void CutTool::setRecipe(const Recipe& requested, const SnapshotPtr& results) {
    m_requested = requested;
    m_results = results && results->cloud ? results : nullptr;
    m_snapped.reset(); // the section lines may have moved
    emit changed();
}

Recipe CutTool::shownRecipe() const {
    Recipe shown = m_requested;
    const Recipe& resolved = m_results->resolved;
    if (!shown.rangeMin || !shown.rangeMax) {
        shown.rangeMin = resolved.rangeMin;
        shown.rangeMax = resolved.rangeMax;
    }
    if (!shown.up)
        shown.up = resolved.up;
    if (!shown.voxelSize)
        shown.voxelSize = resolved.voxelSize;
    return shown;
}

HandleBox CutTool::boxOf(Part part) const {
    const Recipe shown = shownRecipe();
    const RangeBox range = rangeBoxOf(shown);
    if (part == Part::range) {
        HandleBox box;
        for (int axis = 0; axis < 3; ++axis) {
            Vec3d unit;
            unit[axis] = 1;
            box.axes[std::size_t(axis)] = range.turned(unit);
        }
        box.low = range.sides.min;
        box.high = range.sides.max;
        box.origin = range.middle() - range.turned(range.middle());
        return box;
    }
    const Section& section = *shown.section;
    const SectionFrame frame = frameOf(section, upVector(shown.up.value_or(UpAxis::z)));
    HandleBox box{section.at, {frame.right, frame.upwards, frame.across}, {}, {}};
    box.low = {1e300, 1e300, -section.thickness / 2};
    box.high = {-1e300, -1e300, section.thickness / 2};
    for (int corner = 0; corner < 8; ++corner) { // gives the box of the section the size of the range
        const Vec3d away = range.toFile({corner & 1 ? range.sides.max.x : range.sides.min.x,
                                         corner & 2 ? range.sides.max.y : range.sides.min.y,
                                         corner & 4 ? range.sides.max.z : range.sides.min.z}) -
                           section.at;
        for (int axis = 0; axis < 2; ++axis) {
            const double along = dot(box.axes[std::size_t(axis)], away);
            box.low[axis] = std::min(box.low[axis], along);
            box.high[axis] = std::max(box.high[axis], along);
        }
    }
    return box;
}

BoxHandles CutTool::handlesOf(Part part) const {
    const UpAxis up = shownRecipe().up.value_or(UpAxis::z);
    if (part == Part::range)
        return {{true, true, true}, true, int(up) / 2};
    const SectionFrame frame = frameOf(*m_requested->section, upVector(up));
    // a level section cannot be turned about the vertical
    const bool isUpright = std::abs(dot(frame.upwards, upVector(up))) > 0.5;
    return {{false, false, true}, false, isUpright ? std::optional(1) : std::nullopt};
}

std::optional<CutTool::Held> CutTool::under(QPointF pixel, const LinkedCamera& camera,
                                            QSizeF viewport) const {
    if (!m_isShown || m_isMeasuring || !m_results)
        return std::nullopt;
    for (const Part part : {Part::section, Part::range}) {
        if (part == Part::section && !m_requested->section)
            continue;
        if (const auto handle = handleAt(boxOf(part), handlesOf(part), pixel, camera, viewport))
            return Held{part, *handle};
    }
    return std::nullopt;
}

std::optional<Vec3d> CutTool::snap(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) {
    if (!m_isMeasuring || !hasLines())
        return std::nullopt;
    const auto found =
        snapToLines(*m_results->section, m_results->origin(), pixel, camera, viewport, m_measuredFrom);
    return found ? std::optional(found->position) : std::nullopt;
}

bool CutTool::hover(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) {
    if (m_isMeasuring) {
        const auto snapped = hasLines() ? snapToLines(*m_results->section, m_results->origin(), pixel, camera,
                                                      viewport, m_measuredFrom)
                                        : std::nullopt;
        if (snapped != m_snapped) {
            m_snapped = snapped;
            emit changed();
        }
        return false;
    }
    const auto now = under(pixel, camera, viewport);
    if (now != m_hovered) {
        m_hovered = now;
        emit changed();
    }
    return now.has_value();
}

bool CutTool::grab(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) {
    m_held = under(pixel, camera, viewport);
    if (!m_held)
        return false;
    m_grabbed = boxOf(m_held->part);
    m_before = m_requested;
    m_beforeShown = shownRecipe();
    const Vec3d place = placeOf(m_grabbed, m_held->handle, handlesOf(m_held->part));
    // an edge is grabbed where it was touched, and moves by as much as the cursor
    m_offset = pixel - CameraFrame(camera.camera(), viewport).project(place);
    emit changed();
    return true;
}

void CutTool::drag(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) {
    if (!m_held || !m_results)
        return;
    const Vec3d extent = m_grabbed.high - m_grabbed.low;
    const double least = 1e-4 * std::max({extent.x, extent.y, extent.z});
    const auto box = dragged(m_grabbed, m_held->handle, handlesOf(m_held->part), pixel - m_offset, least,
                             camera, viewport);
    if (!box)
        return;
    m_requested = recipeOf(*m_held, *box);
    emit changed();
    emit edited(m_requested);
}

void CutTool::drop(bool isKept) {
    if (!m_held)
        return;
    m_held.reset();
    if (!isKept) {
        m_requested = m_before;
        emit edited(m_requested);
    }
    emit changed();
}

Recipe CutTool::recipeOf(const Held& held, const DraggedBox& dragged) const {
    Recipe recipe = m_before;
    const double degrees = dragged.turned * 180 / std::numbers::pi;
    if (held.part == Part::range) {
        const Vec3d middle = dragged.box.middle(), half = 0.5 * (dragged.box.high - dragged.box.low);
        if (held.handle.isTurn) {
            // sign of the axis
            const double sign = int(m_beforeShown->up.value_or(UpAxis::z)) % 2 == 0 ? 1 : -1;
            const double turned = std::round(10 * (m_before->rangeRotation + sign * degrees)) / 10;
            recipe.rangeRotation = std::remainder(turned, 360.0);
            recipe.rangeMin = m_beforeShown->rangeMin;
            recipe.rangeMax = m_beforeShown->rangeMax;
        } else if (m_before->rangeRotation == 0) {
            // set directly: computing them from the middle would round them
            recipe.rangeMin = dragged.box.low;
            recipe.rangeMax = dragged.box.high;
        } else {
            recipe.rangeMin = middle - half;
            recipe.rangeMax = middle + half;
        }
        return recipe;
    }
    Section& section = *recipe.section;
    if (held.handle.isTurn) {
        const Vec3d axis = m_grabbed.axes[1], from = m_grabbed.axes[2];
        section.direction =
            normalized(from * std::cos(dragged.turned) + cross(axis, from) * std::sin(dragged.turned));
    } else {
        section.at = m_grabbed.origin + m_grabbed.axes[2] * (0.5 * (dragged.box.low.z + dragged.box.high.z));
        section.thickness = dragged.box.high.z - dragged.box.low.z;
    }
    return recipe;
}

std::vector<SceneMark> CutTool::sectionLines() const {
    if (!hasLines())
        return {};
    std::size_t points = 0;
    for (const Polyline& line : m_results->section->lines)
        points += line.points.size();
    const std::size_t every = points / kMaxDrawnPoints + 1;
    SceneMark mark;
    mark.colour = kSectionColour;
    const Vec3d origin = m_results->origin();
    for (const Polyline& line : m_results->section->lines) {
        std::vector<Vec3d> drawn;
        for (std::size_t i = 0; i < line.points.size(); i += every)
            drawn.push_back(line.points[i].as<double>() + origin);
        drawn.push_back((line.isClosed ? line.points.front() : line.points.back()).as<double>() + origin);
        mark.lines.push_back(std::move(drawn));
    }
    return {std::move(mark)};
}

SceneMark CutTool::snapMark() const {
    SceneMark mark;
    mark.markers = {m_snapped->position};
    mark.ring = true;
    mark.colour = kSectionColour.lighter(125);
    if (m_snapped->isPerpendicular) {
        mark.text = tr("perpendicular");
        mark.textAt = m_snapped->position;
    }
    return mark;
}

SceneMark CutTool::valueMark(const Held& held) const {
    const HandleBox box = boxOf(held.part);
    SceneMark mark;
    mark.textAt = placeOf(box, held.handle, handlesOf(held.part));
    mark.colour = held.part == Part::range ? kRangeColour : kSectionColour;
    const Vec3d extent = box.high - box.low;
    const double longest = std::max({extent.x, extent.y, extent.z});
    const auto number = [&](double value) {
        const int decimals = std::clamp(4 - int(std::floor(std::log10(std::max(longest, 1e-9)))), 0, 9);
        return QString::number(value, 'f', decimals);
    };
    QStringList words;
    if (held.handle.isTurn) {
        if (held.part == Part::range)
            words << tr("%1°").arg(QString::number(m_requested->rangeRotation, 'f', 1));
    } else if (held.part == Part::section) {
        words << tr("%1 thick").arg(withUnit(number(extent.z), m_unit));
    } else {
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (const int side = held.handle.side[axis]; side != 0)
                words << tr("%1 %2", "axis and length")
                             .arg(QStringLiteral("xyz").mid(int(axis), 1),
                                  withUnit(number(side < 0 ? box.low[int(axis)] : box.high[int(axis)]),
                                           m_unit));
        words << withUnit(tr("%1 × %2 × %3").arg(number(extent.x), number(extent.y), number(extent.z)),
                          m_unit);
    }
    mark.text = words.join(QStringLiteral("   "));
    return mark;
}

std::vector<SceneMark> CutTool::marks() const {
    std::vector<SceneMark> all = sectionLines();
    if (m_snapped)
        all.push_back(snapMark());
    if (!m_isShown || !m_results)
        return all;
    const auto active = m_held ? m_held : m_hovered;
    for (const Part part : {Part::range, Part::section}) {
        if (part == Part::section && !m_requested->section)
            continue;
        const auto handle = active && active->part == part ? std::optional(active->handle) : std::nullopt;
        for (SceneMark& mark : boxMarks(boxOf(part), handlesOf(part),
                                        part == Part::range ? kRangeColour : kSectionColour, handle))
            all.push_back(std::move(mark));
    }
    if (m_held)
        all.push_back(valueMark(*m_held));
    return all;
}

} // namespace scanloupe::gui
