// Editing by hand in the window: selections, and layers of edits over the scan.
#include "engine/edit/edit_list.h"
#include "engine/io/formats.h"
#include "engine/io/points_in_range.h"
#include "engine/io/writers.h"
#include "engine/picture/view.h"
#include "gui/app/edit_dialogs.h"
#include "gui/app/main_window.h"
#include "gui/app/view_area.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/controls/save_file.h"
#include "gui/models/layer_model.h"
#include "gui/models/number_text.h"
#include "gui/panels/edit_panel.h"
#include "gui/panels/parameters/parameter_panel.h"

#include <QInputDialog>
#include <QMenuBar>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {

constexpr double kRadiusStep = 1.25; // of a key

/// Three digits of a number.
double inFewDigits(double value) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
    return std::round(value / unit) * unit;
}

double largest(Vec3d v) {
    return std::max({v.x, v.y, v.z});
}

} // namespace

void MainWindow::buildSelectMenu() {
    auto* menu = menuBar()->addMenu(tr("&Select"));
    const auto addKind = [&](EditToolKind kind, const char* icon, const QString& text,
                             const QKeySequence& keys) {
        QAction* entry = addTool(menu, icon, text, keys, [this, kind] {
            m_edit.setKind(m_edit.kind() == kind ? std::nullopt : std::optional(kind));
        });
        entry->setCheckable(true);
        m_editTools << entry;
    };
    addKind(EditToolKind::rectangle, "select-rectangle", tr("&Rectangle"), tr("R"));
    addKind(EditToolKind::lasso, "select-lasso", tr("&Lasso"), tr("S"));
    addKind(EditToolKind::polygon, "select-polygon", tr("&Polygon"), tr("Shift+S"));
    addKind(EditToolKind::brush, "brush", tr("&Brush"), tr("B"));
    addKind(EditToolKind::eraser, "eraser", tr("&Eraser"), tr("E"));
    addKind(EditToolKind::connected, "select-connected", tr("&Connected Part"), tr("J"));
    addKind(EditToolKind::similar, "select-similar", tr("Same Class or C&olour"), tr("Shift+J"));
    const auto scaleRadius = [this](double factor) {
        return [this, factor] { m_edit.setRadius(inFewDigits(m_edit.radius() * factor)); };
    };
    m_editSelecting << addTool(menu, nullptr, tr("S&maller Brush"), QKeySequence(Qt::Key_BracketLeft),
                               scaleRadius(1 / kRadiusStep));
    m_editSelecting << addTool(menu, nullptr, tr("Lar&ger Brush"), QKeySequence(Qt::Key_BracketRight),
                               scaleRadius(kRadiusStep));
    menu->addSeparator();
    const auto addStep = [&](const QString& text, const QKeySequence& keys,
                             std::function<SelectionRegion()> region) {
        QAction* entry = addTool(menu, nullptr, text, keys, [this, region = std::move(region)] {
            changeEdits(withStep(m_parameters->recipe().edits, stepOf(SetOperation::replace, region())));
        });
        m_editSelecting << entry;
        return entry;
    };
    const auto growBy = [this](int steps) {
        return [this, steps] {
            return GrowRegion{m_snapshot ? largest(*m_snapshot->resolved.voxelSize) : 1.0, steps};
        };
    };
    QAction* invert = addStep(tr("&Invert"), tr("Ctrl+I"), [] { return InvertRegion{}; });
    QAction* grow = addStep(tr("Gro&w by a Voxel"), tr("Ctrl++"), growBy(1));
    QAction* shrink = addStep(tr("S&hrink by a Voxel"), tr("Ctrl+-"), growBy(-1));
    const auto addOfSection = [&](const QString& text, auto&& region) {
        m_sectionActions << addTool(menu, nullptr, text, {}, [this, region] {
            if (const auto& section = m_parameters->recipe().section)
                changeEdits(
                    withStep(m_parameters->recipe().edits, stepOf(SetOperation::replace, region(*section))));
        });
    };
    addOfSection(tr("What is in the Sec&tion"), [](const Section& section) {
        return SlabRegion{section.at, section.direction, section.thickness};
    });
    addOfSection(tr("What is Be&yond the Section"), [](const Section& section) {
        return HalfSpaceRegion{section.at, section.direction};
    });
    QAction* by = addTool(menu, nullptr, tr("By Class, &Height, Attribute…"), tr("Ctrl+Shift+J"),
                          [this] { selectBy(); });
    m_editSelecting << by;
    QAction* formula =
        addTool(menu, nullptr, tr("By &Formula…"), tr("Ctrl+Alt+J"), [this] { selectByFormula(); });
    m_editSelecting << formula;
    QAction* nothing = addTool(menu, nullptr, tr("&Nothing"), tr("Ctrl+Shift+D"), [this] {
        Edits edits = m_parameters->recipe().edits;
        edits.selection = {};
        changeEdits(edits);
    });
    m_editDoing << nothing;
    m_editDoing << addTool(menu, nullptr, tr("&Keep the Selection As…"), {}, [this] { keepSelection(); });
    m_keptMenu = menu->addMenu(tr("Kept Selections"));
    connect(m_keptMenu, &QMenu::aboutToShow, this, &MainWindow::buildKeptMenu);
    menu->addSeparator();
    const QList<QAction*> doing = buildEditActions(menu);
    m_editDoing << doing;
    // on buttons
    by->setIconText(tr("By…"));
    formula->setIconText(tr("Formula…"));
    grow->setIconText(tr("Grow"));
    shrink->setIconText(tr("Shrink"));
    m_editing->setActions(m_editTools, {by, formula, invert, grow, shrink, nothing}, doing, m_keptMenu);
    m_views->setTool(&m_edit);
}

QList<QAction*> MainWindow::buildEditActions(QMenu* menu) {
    QList<QAction*> doing;
    const auto add = [&](const QString& text, const QString& onButton, const QKeySequence& keys,
                         std::function<void()> action) {
        doing << addTool(menu, nullptr, text, keys, std::move(action));
        doing.back()->setIconText(onButton);
    };
    add(tr("&Delete Points"), tr("Delete"), QKeySequence(Qt::Key_Delete),
        [this] { addLayer(RemoveAction{}, tr("Delete %1").arg(chosenText())); });
    // a key that means something else where text is typed, and in lists: in the views only
    doing.back()->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    removeAction(doing.back());
    for (ScanView* view : m_views->views())
        view->widget()->addAction(doing.back());
    add(tr("Delete All B&ut These"), tr("Keep Only"), tr("Shift+Del"),
        [this] { addLayer(KeepAction{}, tr("Keep %1").arg(chosenText())); });
    add(tr("Set Cl&ass…"), tr("Class…"), tr("Ctrl+Shift+L"), [this] { setClass(); });
    m_editSelecting << addTool(menu, nullptr, tr("Compute Attr&ibute…"), {}, [this] { computeAttribute(); });
    add(tr("Mo&ve…"), tr("Move…"), tr("Ctrl+Shift+M"), [this] { moveSelection(); });
    add(tr("Save These &Points As…"), tr("Save…"), {}, [this] { saveSelection(false); });
    add(tr("To a Cloud o&f Their Own…"), tr("Own Cloud…"), {}, [this] { saveSelection(true); });
    return doing;
}

void MainWindow::connectEdits() {
    connect(&m_edit, &EditTool::kindChanged, this, &MainWindow::showEditTool);
    connect(&m_edit, &EditTool::changed, this, [this] {
        m_editing->setHint(m_edit.hint());
        showMarks();
    });
    connect(&m_edit, &EditTool::radiusChanged, m_editing, &EditPanel::setRadius);
    connect(&m_edit, &EditTool::failed, m_messages, &MessageBar::showError);
    connect(&m_edit, &EditTool::selected, this,
            [this](const SelectionStep& step) { changeEdits(withStep(m_parameters->recipe().edits, step)); });
    connect(&m_edit, &EditTool::stroked, this, &MainWindow::takeStroke);
    connect(&m_edit, &EditTool::strokeDropped, this, &MainWindow::dropStroke);
    connect(m_editing, &EditPanel::radiusEdited, &m_edit, &EditTool::setRadius);
    connect(m_editing, &EditPanel::visibleOnlyChanged, &m_edit, &EditTool::setVisibleOnly);
    const auto edits = [this]() -> const Edits& { return m_parameters->recipe().edits; };
    connect(m_editing, &EditPanel::layerHidden, this, [this, edits](std::size_t layer, bool isHidden) {
        changeEdits(withChangedLayer(edits(), layer, [&](EditLayer& one) { one.isHidden = isHidden; }));
    });
    connect(m_editing, &EditPanel::layerRenamed, this, [this, edits](std::size_t layer, const QString& name) {
        changeEdits(withChangedLayer(edits(), layer, [&](EditLayer& one) { one.name = rawBytes(name); }));
    });
    connect(m_editing, &EditPanel::layerRemoved, this,
            [this, edits](std::size_t layer) { changeEdits(withoutLayer(edits(), layer)); });
    connect(m_editing, &EditPanel::layerMoved, this, [this, edits](std::size_t layer, std::size_t place) {
        changeEdits(withMovedLayer(edits(), layer, place));
    });
    const ExportRunner* exporter = &m_jobs.exporter();
    connect(exporter, &ExportRunner::busyChanged, this, [this](bool isBusy) {
        if (isBusy)
            m_leaving.reset(); // of a file that was given up
    });
    connect(exporter, &ExportRunner::exported, this, [this] {
        const auto leaving = std::exchange(m_leaving, std::nullopt);
        if (!leaving || !m_snapshot || m_snapshot->input != leaving->input)
            return;
        Edits all = m_parameters->recipe().edits;
        if (!haveSameEffect(all.layers, leaving->layers))
            return m_messages->showNote(
                tr("The points were written, and stay here: edits have changed meanwhile."));
        all.selection = leaving->selection;
        changeEdits(withLayer(std::move(all), RemoveAction{}, leaving->name));
    });
    m_editing->setRadius(m_edit.radius());
    showEdits();
}

void MainWindow::showEditTool() {
    const auto kind = m_edit.kind();
    for (int i = 0; i < m_editTools.size(); ++i)
        m_editTools[i]->setChecked(kind && int(*kind) == i);
    if (kind)
        m_measuring.setKind(std::nullopt);
    m_views->setMeasuring(kind.has_value() || m_measuring.kind().has_value());
    m_editing->setHint(m_edit.hint());
    if (!kind)
        return;
    showDockOfTool("edits");
}

void MainWindow::dropStroke() {
    if (!std::exchange(m_isStroking, false))
        return;
    Recipe recipe = m_parameters->recipe();
    recipe.edits = std::exchange(m_beforeStroke, {});
    m_parameters->setRecipe(recipe);
    requestResults(recipe);
    showEdits();
}

void MainWindow::changeEdits(const Edits& edits) {
    if (m_isStroking)
        m_edit.drop(); // and the stroke with it
    Recipe recipe = m_parameters->recipe();
    recipe.edits = edits;
    m_parameters->setRecipe(recipe);
    changeRecipe(recipe);
    showEdits();
}

void MainWindow::addLayer(const EditAction& action, const QString& name) {
    changeEdits(withLayer(m_parameters->recipe().edits, action, name.toStdString()));
}

void MainWindow::takeStroke(const SelectionStep& added, const std::optional<SelectionStep>& whole) {
    const bool erases = m_edit.kind() == EditToolKind::eraser;
    const auto with = [&](Edits edits, const SelectionStep& step) {
        return erases ? withErased(std::move(edits), step, tr("Erase").toStdString())
                      : withStep(std::move(edits), step);
    };
    Recipe recipe = m_parameters->recipe();
    if (!std::exchange(m_isStroking, !whole))
        m_beforeStroke = recipe.edits;
    if (whole)
        return changeEdits(with(std::exchange(m_beforeStroke, {}), *whole));
    recipe.edits = with(std::move(recipe.edits), added);
    m_parameters->setRecipe(recipe);
    requestResults(recipe);
}

QString MainWindow::chosenText() const {
    const bool isKnown = m_snapshot && m_snapshot->chosen && !m_snapshot->preview;
    return isKnown ? tr("%1 points").arg(countText(m_snapshot->chosen->count)) : tr("points");
}

void MainWindow::showEdits() {
    const bool hasCloud = m_snapshot && m_snapshot->cloud;
    const Edits& edits = m_parameters->recipe().edits;
    for (QAction* action : m_editTools + m_editSelecting)
        action->setEnabled(hasCloud);
    for (QAction* action : m_editDoing)
        action->setEnabled(hasCloud && !edits.selection.empty());
    m_keptMenu->setEnabled(hasCloud && !edits.named.empty());
    m_editing->setEdits(edits);
    m_editing->setUnit(m_reference.unit);
    if (!hasCloud)
        return m_editing->setChosen(std::nullopt, 0);
    m_edit.setSpacing(largest(*m_snapshot->resolved.voxelSize));
    if (m_snapshot->preview) // whose points are some of all
        return;
    m_editing->setChosen(m_snapshot->chosen ? std::optional(m_snapshot->chosen->count) : std::nullopt,
                         m_snapshot->cloud->size());
}

void MainWindow::selectBy() {
    const Bounds& bounds = m_snapshot->cloud->bounds();
    const Vec3d axis = up();
    const double a = dot(axis, bounds.min), b = dot(axis, bounds.max);
    SelectByDialog dialog(m_snapshot->cloud, axis, {std::min(a, b), std::max(a, b)}, m_reference.unit, this);
    if (dialog.exec() == QDialog::Accepted)
        changeEdits(withStep(m_parameters->recipe().edits, dialog.step()));
}

void MainWindow::selectByFormula() {
    FormulaDialog dialog(FormulaDialog::For::selection, m_snapshot->cloud, this);
    if (dialog.exec() == QDialog::Accepted)
        changeEdits(
            withStep(m_parameters->recipe().edits,
                     stepOf(dialog.operation(), FormulaRegion{dialog.formula().toStdString(), up()})));
}

void MainWindow::computeAttribute() {
    FormulaDialog dialog(FormulaDialog::For::attribute, m_snapshot->cloud, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    Edits edits = m_parameters->recipe().edits;
    const PointSelection selection = edits.selection;
    if (selection.empty()) // of all points
        edits.selection.steps = {stepOf(SetOperation::replace, InvertRegion{})};
    edits = withLayer(std::move(edits),
                      ComputeAction{dialog.name().toStdString(), dialog.formula().toStdString(), up()},
                      tr("%1 = %2").arg(dialog.name(), dialog.formula()).toStdString());
    edits.selection = selection;
    changeEdits(edits);
}

void MainWindow::setClass() {
    SetClassDialog dialog(*m_snapshot->cloud, this);
    if (dialog.exec() == QDialog::Accepted)
        addLayer(SetClassAction{dialog.value()}, tr("Class %1: %2").arg(dialog.text(), chosenText()));
}

void MainWindow::moveSelection() {
    MoveDialog dialog(up(), m_camera.camera().target, m_reference.unit, this);
    if (dialog.exec() == QDialog::Accepted)
        addLayer(MoveAction{dialog.motion()}, tr("Move %1").arg(chosenText()));
}

void MainWindow::saveSelection(bool removes) {
    const SnapshotPtr shown = m_snapshot; // another one may come while people choose a file
    if (!isWhole() || !shown->chosen)
        return;
    if (m_jobs.exporter().isBusy())
        return m_messages->showNote(tr("A file is being written: wait until it is done."));
    QStringList patterns;
    for (const std::string& ending : cloudEndings())
        patterns << QStringLiteral("*") + QString::fromStdString(ending);
    const QString path = promptSavePath(this, tr("Save the selected points"), QStringLiteral("selection.ply"),
                                        tr("Point clouds (%1)").arg(patterns.join(QLatin1Char(' '))));
    if (path.isEmpty())
        return;
    m_jobs.exporter().start(
        tr("%1 to %2").arg(chosenText(), path), shown,
        [target = rawPath(path), scans = openScans()](const Snapshot& s, const ProgressFunction& progress,
                                                      const std::stop_token& stop) {
            outputCheckFor(scans).addOutput(target, {}); // a link may have been created since
            const auto some = selectPoints(s.cloud, rowsOf(s.chosen->set.host()), stop);
            writeCloud(target, *some, {{}, progress}, stop);
        });
    if (removes)
        m_leaving = Leaving{shown->recipe.edits.selection,
                            tr("To %1: %2").arg(shownText(path), chosenText()).toStdString(),
                            shown->recipe.edits.layers, shown->input};
}

void MainWindow::keepSelection() {
    bool isKept = false;
    const QString name =
        QInputDialog::getText(this, tr("Keep the selection"), tr("Name"), QLineEdit::Normal,
                              tr("Selection %1").arg(m_parameters->recipe().edits.named.size() + 1), &isKept)
            .trimmed();
    if (isKept && !name.isEmpty())
        changeEdits(withNamed(m_parameters->recipe().edits, name.toStdString()));
}

void MainWindow::buildKeptMenu() {
    m_keptMenu->clear();
    const auto& named = m_parameters->recipe().edits.named;
    for (std::size_t i = 0; i < named.size(); ++i) {
        auto* one = m_keptMenu->addMenu(shownText(named[i].name));
        one->addAction(tr("Select These"), this, [this, i] {
            Edits edits = m_parameters->recipe().edits;
            edits.selection = edits.named[i].selection;
            changeEdits(edits);
        });
        one->addAction(tr("Forget"), this, [this, i] {
            Edits edits = m_parameters->recipe().edits;
            edits.named.erase(edits.named.begin() + std::ptrdiff_t(i));
            changeEdits(edits);
        });
    }
}

} // namespace scanloupe::gui
