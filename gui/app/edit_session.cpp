// Strokes and layers of edits, and the panel that shows them.
#include "gui/app/edit_session.h"

#include "engine/edit/edit_list.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/models/field_at_surface.h"
#include "gui/models/layer_model.h"
#include "gui/panels/edit_panel.h"

#include <QMenu>
#include <algorithm>

namespace scanloupe::gui {

namespace {

constexpr int kTryLaterMs = 200; // until what goes on may have ended

double largest(Vec3d v) {
    return std::max({v.x, v.y, v.z});
}

} // namespace

EditSession::EditSession(EditHost& host, EditPanel& panel, ViewArea& views, MessageBar& messages,
                         ExportRunner& exporter, QWidget* window)
    : QObject(window), m_host(host), m_panel(panel), m_views(views), m_messages(messages),
      m_exporter(exporter), m_window(window) {}

void EditSession::connectAll() {
    connect(&m_tool, &EditTool::kindChanged, this, &EditSession::showTool);
    connect(&m_tool, &EditTool::changed, this, [this] {
        m_panel.setHint(m_tool.hint());
        m_host.showMarks();
    });
    connect(&m_tool, &EditTool::radiusChanged, &m_panel, &EditPanel::setRadius);
    connect(&m_tool, &EditTool::failed, &m_messages, &MessageBar::showRunError);
    connect(&m_tool, &EditTool::selected, this,
            [this](const SelectionStep& step) { changeEdits(withStep(editsAtRest(), step)); });
    connect(&m_tool, &EditTool::stroked, this, &EditSession::takeStroke);
    connect(&m_tool, &EditTool::strokeDropped, this, &EditSession::dropStroke);
    connect(&m_panel, &EditPanel::radiusEdited, &m_tool, &EditTool::setRadius);
    connect(&m_panel, &EditPanel::visibleOnlyChanged, &m_tool, &EditTool::setVisibleOnly);
    const auto edits = [this]() -> const Edits& { return editsAtRest(); };
    connect(&m_panel, &EditPanel::layerHidden, this, [this, edits](std::size_t layer, bool isHidden) {
        changeEdits(withChangedLayer(edits(), layer, [&](EditLayer& one) { one.isHidden = isHidden; }));
    });
    connect(&m_panel, &EditPanel::layerRenamed, this, [this, edits](std::size_t layer, const QString& name) {
        changeEdits(withChangedLayer(edits(), layer, [&](EditLayer& one) { one.name = rawBytes(name); }));
    });
    connect(&m_panel, &EditPanel::layerRemoved, this,
            [this, edits](std::size_t layer) { changeEdits(withoutLayer(edits(), layer)); });
    connect(&m_panel, &EditPanel::layerMoved, this, [this, edits](std::size_t layer, std::size_t place) {
        changeEdits(withMovedLayer(edits(), layer, place));
    });
    connect(&m_files, &FileWatch::saved, this, &EditSession::tryFile);
    m_later.setSingleShot(true);
    m_later.setInterval(kTryLaterMs);
    connect(&m_later, &QTimer::timeout, this, [this] {
        for (const QString& file : std::exchange(m_laterFiles, {}))
            tryFile(file);
    });
    m_panel.setRadius(m_tool.radius());
    show();
}

void EditSession::showTool() {
    const auto kind = m_tool.kind();
    for (int i = 0; i < m_tools.size(); ++i)
        m_tools[i]->setChecked(kind && int(*kind) == i);
    m_panel.setHint(m_tool.hint());
    m_host.showEditTool(kind.has_value());
}

void EditSession::dropStroke() {
    if (!m_before)
        return;
    Recipe recipe = m_host.recipe();
    recipe.edits = *std::exchange(m_before, std::nullopt);
    m_host.takeRecipe(recipe, EditHost::Step::none);
    show();
}

const Edits& EditSession::editsAtRest() {
    endStroke();
    return m_host.recipe().edits;
}

Recipe EditSession::atRest(Recipe recipe) {
    if (m_before) {
        recipe.edits = *std::exchange(m_before, std::nullopt);
        m_tool.drop();
    }
    return recipe;
}

void EditSession::changeEdits(const Edits& edits, const std::string& colourBy) {
    const SnapshotPtr of = m_host.results();
    const Edits before = m_host.recipe().edits;
    Recipe recipe = m_host.recipe();
    recipe.edits = edits;
    approveLayersOf({&recipe}); // one that was hidden may be shown now
    const SnapshotPtr now = m_host.results();
    if (m_host.recipe().edits != before || (of && now && of->input != now->input))
        return showStale();
    if (!colourBy.empty())
        recipe.colourBy = colourBy;
    m_host.takeRecipe(recipe, EditHost::Step::added);
    show();
}

void EditSession::showStale() {
    m_messages.showNote(tr("The scan or its edits changed in the meantime, so nothing was done."));
}

void EditSession::endStroke() {
    if (m_before)
        m_tool.drop(); // and the stroke with it
}

void EditSession::leaveScan() {
    m_before.reset();
    m_trial.reset();
    m_tool.setMirror(std::nullopt);
    m_noMirror->setChecked(true);
    m_wantedFiles.clear();
    m_ownFiles.clear();
    m_laterFiles.clear();
    m_tool.setKind(std::nullopt);
}

void EditSession::addLayer(const EditAction& action, const QString& name, const std::string& colourBy) {
    changeEdits(withLayer(editsAtRest(), action, name.toStdString()), colourBy);
}

Edits EditSession::withStrokeOf(Edits edits, const SelectionStep& step) {
    if (m_tool.kind() == EditToolKind::eraser)
        return withErased(std::move(edits), step, tr("Erase").toStdString());
    if (const auto tool = m_tool.sculptTool())
        return withSculpted(std::move(edits), step, m_sculpting, sculptText(*tool).toStdString());
    return withStep(std::move(edits), step);
}

void EditSession::takeStroke(const SelectionStep& added, const std::optional<SelectionStep>& whole) {
    Recipe recipe = m_host.recipe();
    if (!m_before) {
        m_before = recipe.edits;
        if (const auto tool = m_tool.sculptTool())
            m_sculpting = sculptAction(*tool);
    }
    if (whole)
        return changeEdits(withStrokeOf(*std::exchange(m_before, std::nullopt), *whole));
    recipe.edits = withStrokeOf(std::move(recipe.edits), added);
    m_host.takeRecipe(recipe, EditHost::Step::none);
}

SculptAction EditSession::sculptAction(SculptTool tool) const {
    SculptAction action;
    action.tool = tool;
    action.strength = m_panel.strength();
    action.falloff = m_panel.falloff();
    if (const auto plane = m_tool.plane(); plane && tool == SculptTool::flatten) {
        action.planeAt = plane->at;
        action.planeNormal = plane->normal;
    }
    if (tool == SculptTool::clone)
        action.cloneFrom = m_tool.cloneFrom();
    action.mirror = m_tool.mirror();
    action.level = m_atSurface.level;
    action.slope = m_atSurface.slope;
    return action;
}

void EditSession::show() {
    endTrial();
    followFiles();
    const bool hasCloud = m_host.results() && m_host.results()->cloud;
    const Edits& edits = m_host.recipe().edits;
    for (int i = 0; i < m_tools.size(); ++i)
        m_tools[i]->setEnabled(hasCloud || (m_host.results() && isSculpting(EditToolKind(i))));
    for (QAction* action : m_selecting)
        action->setEnabled(hasCloud);
    for (QAction* action : m_ofResults)
        action->setEnabled(m_host.results() != nullptr);
    for (QAction* action : m_doing)
        action->setEnabled(hasCloud && !edits.selection.empty());
    m_keptMenu->setEnabled(hasCloud && !edits.named.empty());
    m_panel.setEdits(edits);
    m_panel.setUnit(m_host.unit());
    if (const SnapshotPtr& shown = m_host.results(); shown && shown->field && !shown->preview)
        m_atSurface = fieldAtSurface(*shown);
    if (m_host.results() && m_host.results()->volume)
        m_tool.setSpacing(largest(m_host.results()->volume->lattice.spacing.as<double>()));
    if (!hasCloud)
        return m_panel.setChosen(std::nullopt, 0);
    m_tool.setSpacing(largest(*m_host.results()->resolved.voxelSize));
    if (m_host.results()->preview) // whose points are some of all
        return;
    m_panel.setChosen(m_host.results()->chosen ? std::optional(m_host.results()->chosen->count)
                                               : std::nullopt,
                      m_host.results()->cloud->size());
}

QString EditSession::sculptText(SculptTool tool) {
    switch (tool) {
    case SculptTool::fill:
        return tr("Fill");
    case SculptTool::carve:
        return tr("Carve");
    case SculptTool::smooth:
        return tr("Smooth");
    case SculptTool::flatten:
        return tr("Flatten");
    case SculptTool::raise:
        return tr("Raise");
    case SculptTool::clone:
        return tr("Clone");
    case SculptTool::lower:
        break;
    }
    return tr("Lower");
}

} // namespace scanloupe::gui
