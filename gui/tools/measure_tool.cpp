// Creates measures from clicks.
#include "gui/tools/measure_tool.h"

#include "engine/cloud/point_cloud.h"
#include "engine/inspect/measure/measure_kind.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "gui/tools/picked_point.h"

#include <algorithm>

namespace scanloupe::gui {

MeasureTool::MeasureTool(QObject* parent)
    : QObject(parent), m_worker([this](const Snapped& snapped) { onSnapped(snapped); },
                                // out of memory: the point stays where it was hit
                                [this](const std::exception_ptr&) { onSnapped({m_snapping}); }) {}

void MeasureTool::setKind(std::optional<MeasureKind> kind) {
    if (kind == m_kind)
        return;
    m_kind = kind;
    if (open())
        m_drafts.pop_back();
    emit kindChanged();
    emit draftChanged();
}

MeasureTool::Draft* MeasureTool::open() {
    return m_drafts.empty() || m_drafts.back().isClosed ? nullptr : &m_drafts.back();
}

Measure MeasureTool::measureOf(const Draft& draft) {
    Measure measure{draft.kind, {}, {}, 0xffffff, true};
    for (const Point& point : draft.points)
        measure.points.push_back(point.point);
    return measure;
}

std::optional<Measure> MeasureTool::draft() const {
    return m_drafts.empty() ? std::nullopt : std::optional(measureOf(m_drafts.back()));
}

void MeasureTool::add(const Hit& hit) {
    if (!m_kind || !isFinite(hit.position))
        return;
    if (!open())
        m_drafts.push_back({*m_kind});
    Draft& draft = m_drafts.back();
    const MeasurePoint point = hit.onLine ? MeasurePoint{*hit.onLine, MeasureSnap::sectionLine}
                                          : MeasurePoint{hit.position, MeasureSnap::surface};
    draft.points.push_back({point, hit, ++m_clicks, hit.onLine.has_value()});
    if (draft.points.size() == rowOf(draft.kind).maxPoints)
        draft.isClosed = true;
    emit draftChanged();
    snapNext();
    emitFinished();
}

bool MeasureTool::finish() {
    Draft* draft = open();
    if (!draft)
        return true;
    if (draft->points.size() < rowOf(draft->kind).minPoints)
        return false;
    draft->isClosed = true;
    emitFinished();
    return true;
}

void MeasureTool::removeLast() {
    Draft* draft = open();
    if (!draft)
        return;
    draft->points.pop_back();
    if (draft->points.empty())
        m_drafts.pop_back();
    emit draftChanged();
}

void MeasureTool::cancel() {
    if (!open())
        return setKind(std::nullopt);
    m_drafts.pop_back();
    emit draftChanged();
}

void MeasureTool::drop() {
    m_drafts.clear();
    emit draftChanged();
}

void MeasureTool::snapNext() {
    if (m_snapping > 0)
        return; // the worker snaps one point at a time
    for (const Draft& draft : m_drafts)
        for (const Point& point : draft.points)
            if (!point.isSnapped) {
                m_snapping = point.number;
                m_worker.run([hit = point.hit, number = point.number](const std::stop_token& stop) {
                    const auto found = hit.snapshot ? pickedPoint(hit, *hit.snapshot, stop) : std::nullopt;
                    if (!found)
                        return Snapped{number};
                    return Snapped{
                        number, MeasurePoint{hit.snapshot->cloud->position(*found), MeasureSnap::scanPoint}};
                });
                return;
            }
}

void MeasureTool::onSnapped(const Snapped& snapped) {
    m_snapping = 0;
    for (Draft& draft : m_drafts)
        for (Point& point : draft.points)
            if (point.number == snapped.number) {
                point.isSnapped = true;
                point.point = snapped.point.value_or(point.point);
                point.hit.snapshot = nullptr; // lets older results be freed
            }
    snapNext();
    emitFinished();
    emit draftChanged();
}

void MeasureTool::emitFinished() {
    const auto isReady = [](const Draft& draft) {
        return draft.isClosed && std::ranges::all_of(draft.points, &Point::isSnapped);
    };
    while (!m_drafts.empty() && isReady(m_drafts.front())) {
        const Measure measure = measureOf(m_drafts.front());
        m_drafts.pop_front();
        emit draftChanged();
        emit finished(measure);
    }
}

} // namespace scanloupe::gui
