// Builds the menus of manual editing.
#include "engine/edit/edit_list.h"
#include "engine/edit/sculpt_brushes.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/base/raw_text.h"
#include "gui/controllers/edit_controller.h"
#include "gui/panels/edit_panel.h"
#include "gui/views/view_area.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <algorithm>
#include <array>
#include <cmath>

namespace scanloupe::gui {

namespace {

constexpr double kRadiusStep = 1.25; // factor of one key press

/// Rounds a number to three digits.
double inFewDigits(double value) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
    return std::round(value / unit) * unit;
}

} // namespace

void EditController::buildSelectMenu(QMenu* menu) {
    addToolKind(menu, EditToolKind::rectangle, "select-rectangle", tr("&Rectangle"), tr("R"));
    addToolKind(menu, EditToolKind::lasso, "select-lasso", tr("&Lasso"), tr("S"));
    addToolKind(menu, EditToolKind::polygon, "select-polygon", tr("&Polygon"), tr("Shift+S"));
    addToolKind(menu, EditToolKind::brush, "brush", tr("&Brush"), tr("B"));
    addToolKind(menu, EditToolKind::eraser, "eraser", tr("&Eraser (Deletes Points)"), tr("E"));
    addToolKind(menu, EditToolKind::connected, "select-connected", tr("&Connected Part"), tr("J"));
    addToolKind(menu, EditToolKind::similar, "select-similar", tr("Same Class or C&olour"), tr("Shift+J"));
    menu->addSeparator();
    const auto addStep = [&](const QString& text, const QKeySequence& keys,
                             std::function<SelectionRegion()> region) {
        QAction* entry = m_window.addTool(menu, nullptr, text, keys, [this, region = std::move(region)] {
            changeEdits(withStep(editsAtRest(), stepOf(SetOperation::replace, region())));
        });
        m_selecting << entry;
        return entry;
    };
    const auto growBy = [this](int steps) {
        return [this, steps] { return GrowRegion{m_tool.spacing(), steps}; };
    };
    QAction* invert = addStep(tr("&Invert Selection"), tr("Ctrl+I"), [] { return InvertRegion{}; });
    QAction* grow = addStep(tr("Gro&w by One Voxel"), tr("Ctrl++"), growBy(1));
    QAction* shrink = addStep(tr("Shrin&k by One Voxel"), tr("Ctrl+-"), growBy(-1));
    const auto addOfSection = [&](const QString& text, auto&& region) {
        m_ofSection << m_window.addTool(menu, nullptr, text, {}, [this, region] {
            if (const auto& section = m_work.recipe().section)
                changeEdits(withStep(editsAtRest(), stepOf(SetOperation::replace, region(*section))));
        });
    };
    addOfSection(tr("Inside Sec&tion"), [](const Section& section) {
        return SlabRegion{section.at, section.direction, section.thickness};
    });
    addOfSection(tr("In Front of Section Plane"), [](const Section& section) {
        return HalfSpaceRegion{section.at, section.direction};
    });
    QAction* by = m_window.addTool(menu, nullptr, tr("By Class, &Height, Attribute…"), tr("Ctrl+Shift+J"),
                                   [this] { selectBy(); });
    m_selecting << by;
    QAction* formula =
        m_window.addTool(menu, nullptr, tr("By For&mula…"), tr("Ctrl+Alt+J"), [this] { selectByFormula(); });
    m_selecting << formula;
    QAction* nothing = m_window.addTool(menu, nullptr, tr("De&select All"), tr("Ctrl+Shift+D"), [this] {
        Edits edits = editsAtRest();
        edits.selection = {};
        changeEdits(edits);
    });
    m_doing << nothing;
    m_doing << m_window.addTool(menu, nullptr, tr("Store Selectio&n…"), {}, [this] { keepSelection(); });
    m_keptMenu = menu->addMenu(tr("Stored Selections"));
    connect(m_keptMenu, &QMenu::aboutToShow, this, &EditController::buildKeptMenu);
    menu->addSeparator();
    const QList<QAction*> doing = buildEditActions(menu);
    buildFunctionMenu(menu);
    m_doing << doing;
    // short texts for buttons
    by->setIconText(tr("By Value…"));
    formula->setIconText(tr("Formula…"));
    grow->setIconText(tr("Grow"));
    shrink->setIconText(tr("Shrink"));
    m_panel.setSelecting(m_tools, {by, formula, invert, grow, shrink, nothing}, doing, m_keptMenu);
}

QList<QAction*> EditController::buildEditActions(QMenu* menu) {
    QList<QAction*> doing;
    const auto add = [&](const QString& text, const QString& onButton, const QKeySequence& keys,
                         std::function<void()> action) {
        doing << m_window.addTool(menu, nullptr, text, keys, std::move(action));
        doing.back()->setIconText(onButton);
    };
    add(tr("&Delete Points"), tr("Delete"), QKeySequence(Qt::Key_Delete),
        [this] { addLayer(RemoveAction{}, tr("Delete %1").arg(chosenText())); });
    // the key works in the views only, since it has another meaning in text fields and lists
    m_window.keepInViews(doing.back());
    add(tr("Keep Onl&y Selection"), tr("Keep Only"), tr("Shift+Del"),
        [this] { addLayer(KeepAction{}, tr("Keep %1").arg(chosenText())); });
    add(tr("Set Cl&ass…"), tr("Class…"), tr("Ctrl+Shift+L"), [this] { setClass(); });
    add(tr("Set Colo&ur…"), tr("Colour…"), {}, [this] { setColour(); });
    m_selecting << m_window.addTool(menu, nullptr, tr("Compute Attribute…"), {},
                                    [this] { computeAttribute(); });
    add(tr("Mo&ve Points…"), tr("Move…"), tr("Ctrl+Shift+M"), [this] { moveSelection(); });
    add(tr("Save Selected Points As…"), tr("Save…"), {}, [this] { saveSelection(false); });
    add(tr("Move to New &File…"), tr("New File…"), {}, [this] { saveSelection(true); });
    return doing;
}

void EditController::buildKeptMenu() {
    for (QMenu* old : m_keptMenu->findChildren<QMenu*>(Qt::FindDirectChildrenOnly))
        old->deleteLater(); // clear() would not delete them
    m_keptMenu->clear();
    const auto& named = editsAtRest().named;
    for (std::size_t i = 0; i < named.size(); ++i) {
        auto* one = m_keptMenu->addMenu(shownText(named[i].name));
        one->addAction(tr("Restore Selection"), this, [this, i] {
            Edits edits = editsAtRest();
            edits.selection = edits.named[i].selection;
            changeEdits(edits);
        });
        one->addAction(tr("Delete Stored Selection"), this, [this, i] {
            Edits edits = editsAtRest();
            edits.named.erase(edits.named.begin() + std::ptrdiff_t(i));
            changeEdits(edits);
        });
    }
}

void EditController::addToolKind(QMenu* menu, EditToolKind kind, const char* icon, const QString& text,
                                 const QKeySequence& keys) {
    m_tools << m_window.addSwitch(menu, icon, text, keys, [this, kind] {
        m_tool.setKind(m_tool.kind() == kind ? std::nullopt : std::optional(kind));
    });
    m_tools.back()->setData(int(kind));
}

void EditController::buildSculptMenu(QMenu* menu) {
    const qsizetype first = m_tools.size();
    for (const SculptBrush& brush : sculptBrushes())
        if (brush.menuText) {
            const QByteArray icon = "sculpt-" + QByteArray(brush.key.data(), qsizetype(brush.key.size()));
            addToolKind(menu, kindOf(brush.tool), icon.constData(),
                        QCoreApplication::translate("scanloupe::gui::Brushes", brush.menuText),
                        QKeySequence(brush.shortcut));
        }
    menu->addSeparator();
    const auto scaleRadius = [this](double factor) {
        return [this, factor] { m_tool.setRadius(inFewDigits(m_tool.radius() * factor)); };
    };
    m_ofResults << m_window.addTool(menu, nullptr, tr("S&maller Brush"), QKeySequence(Qt::Key_BracketLeft),
                                    scaleRadius(1 / kRadiusStep));
    m_ofResults << m_window.addTool(menu, nullptr, tr("Lar&ger Brush"), QKeySequence(Qt::Key_BracketRight),
                                    scaleRadius(kRadiusStep));
    buildMirrorMenu(menu->addMenu(tr("&Mirror Strokes")));
    m_panel.setSculpting(m_tools.mid(first));
}

void EditController::buildMirrorMenu(QMenu* menu) {
    auto* group = new QActionGroup(this);
    const auto add = [&](const QString& text, std::function<std::optional<MirrorPlane>()> plane) {
        return group->addAction(m_window.addSwitch(
            menu, nullptr, text, {}, [this, plane = std::move(plane)] { m_tool.setMirror(plane()); }));
    };
    m_noMirror = add(tr("&Off"), [] { return std::nullopt; });
    m_noMirror->setChecked(true);
    const std::array axes{tr("Plane Normal to &x"), tr("Plane Normal to &y"), tr("Plane Normal to &z")};
    for (int axis = 0; axis < 3; ++axis)
        m_ofResults << add(axes[std::size_t(axis)], [this, axis] { return planeAcross(axis); });
    m_ofSection << add(tr("&Section Plane"), [this]() -> std::optional<MirrorPlane> {
        const auto& section = m_work.recipe().section;
        return section ? std::optional(MirrorPlane{section->at, section->direction}) : std::nullopt;
    });
}

std::optional<MirrorPlane> EditController::planeAcross(int axis) const {
    const SnapshotPtr& shown = m_work.results();
    if (!shown)
        return std::nullopt;
    MirrorPlane plane;
    if (shown->cloud) {
        const Bounds box = gridBounds(shown->resolved);
        plane.at = (box.min + box.max) * 0.5;
    } else {
        const LatticeShape& lattice = shown->volume->lattice;
        plane.at = lattice.origin.as<double>() +
                   (lattice.dims - Vec3i{1, 1, 1}).as<double>() * lattice.spacing.as<double>() * 0.5;
    }
    plane.normal = {};
    plane.normal[axis] = 1;
    return plane;
}

} // namespace scanloupe::gui
