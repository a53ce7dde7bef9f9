// Cutting in the window: the range as a box in the views, and the section.
#include "engine/picture/view.h"
#include "engine/section/section_drawing.h"
#include "gui/app/main_window.h"
#include "gui/app/section_dialog.h"
#include "gui/app/view_area.h"
#include "gui/controls/message_bar.h"
#include "gui/models/section_edits.h"
#include "gui/panels/measures_panel.h"
#include "gui/panels/parameters/parameter_panel.h"

#include <QMenuBar>

namespace scanloupe::gui {

void MainWindow::buildCutMenu() {
    auto* menu = menuBar()->addMenu(tr("&Cut"));
    QAction* box = addTool(menu, "range-box", tr("Range &Box in the Views"), tr("X"),
                           [this] { m_cut.setShown(!m_cut.isShown()); });
    box->setCheckable(true);
    connect(&m_cut, &CutTool::changed, box, [this, box] { box->setChecked(m_cut.isShown()); });
    QAction* outside = addTool(menu, nullptr, tr("Keep What is &Outside"), tr("Shift+X"), [this] {
        Recipe recipe = m_parameters->recipe();
        recipe.rangeInverted = !recipe.rangeInverted;
        takeCut(recipe);
    });
    outside->setCheckable(true);
    connect(&m_cut, &CutTool::changed, outside,
            [this, outside] { outside->setChecked(m_parameters->recipe().rangeInverted); });
    QAction* whole = addTool(menu, nullptr, tr("&Whole Scan Again"), {}, [this] {
        Recipe recipe = m_parameters->recipe();
        recipe.rangeMin = recipe.rangeMax = recipe.outerMin = recipe.outerMax = std::nullopt;
        recipe.rangeRotation = 0;
        recipe.rangeInverted = false;
        recipe.section.reset();
        takeCut(recipe);
    });
    menu->addSeparator();
    QList<QAction*> ofScan{box, outside, whole};
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d across;
        across[axis] = 1;
        ofScan << addTool(menu, nullptr, tr("Section Across &%1").arg(QStringLiteral("xyz").mid(axis, 1)), {},
                          [this, across] { // of a turned range across its sides
                              const Recipe& resolved = m_snapshot->resolved;
                              takeSection(sectionAcross(rangeBoxOf(resolved).turned(across), resolved));
                          });
    }
    ofScan << addTool(menu, nullptr, tr("Section &Facing the View"), {}, [this] {
        const Camera& camera = m_camera.camera();
        takeSection(sectionAcross(camera.eye - camera.target, m_snapshot->resolved));
    });
    ofScan << addTool(menu, "section", tr("Section Through &Two Points…"), tr("K"),
                      [this] { measureSection(); });
    m_cutActions = ofScan;
    QList<QAction*> ofSection{
        addTool(menu, nullptr, tr("&No Section"), tr("Shift+K"), [this] { takeSection(std::nullopt); })};
    menu->addSeparator();
    // keys that scroll elsewhere: in the views only
    const auto addStep = [&](const QString& text, const QKeySequence& key, double times) {
        QAction* entry = addTool(menu, nullptr, text, key, [this, times] {
            if (const auto& section = m_parameters->recipe().section)
                takeSection(stepped(*section, times));
        });
        entry->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        removeAction(entry);
        for (ScanView* view : m_views->views())
            view->widget()->addAction(entry);
        ofSection << entry;
    };
    addStep(tr("Step For&ward"), QKeySequence(Qt::Key_PageUp), 1);
    addStep(tr("Step Bac&k"), QKeySequence(Qt::Key_PageDown), -1);
    addStep(tr("A Tenth Forward"), QKeySequence(Qt::SHIFT | Qt::Key_PageUp), 0.1);
    addStep(tr("A Tenth Back"), QKeySequence(Qt::SHIFT | Qt::Key_PageDown), -0.1);
    menu->addSeparator();
    ofSection << addTool(menu, nullptr, tr("&Look at the Section"), tr("0"), [this] { lookAtSection(); });
    ofSection << addTool(menu, nullptr, tr("&Save the Section As…"), tr("Ctrl+Shift+K"),
                         [this] { saveSection(); });
    m_sectionActions = ofSection;

    connect(&m_cut, &CutTool::edited, this, &MainWindow::takeCut);
    connect(&m_cut, &CutTool::changed, this, &MainWindow::showMarks);
    connect(&m_measuring, &MeasureTool::kindChanged, this, [this] {
        m_measuresSection = m_measuresSection && m_measuring.kind() == MeasureKind::distance;
        m_cut.setMeasuring(m_measuring.kind().has_value());
    });
    m_views->setHandles(&m_cut);
    showCut();
}

void MainWindow::takeCut(const Recipe& recipe) {
    m_parameters->setRecipe(recipe);
    changeRecipe(recipe);
}

void MainWindow::takeSection(const std::optional<Section>& section) {
    Recipe recipe = m_parameters->recipe();
    recipe.section = section;
    takeCut(recipe);
}

void MainWindow::showCut() {
    const bool hasCloud = m_snapshot && m_snapshot->cloud;
    for (QAction* action : m_cutActions)
        action->setEnabled(hasCloud);
    for (QAction* action : m_sectionActions)
        action->setEnabled(hasCloud && m_parameters->recipe().section);
    m_cut.setRecipe(m_parameters->recipe(), m_snapshot);
}

void MainWindow::measureSection() {
    m_measuring.setKind(std::nullopt);
    m_measuring.setKind(MeasureKind::distance);
    m_measuresSection = true;
    m_measures->setHint(measureHint());
    m_messages->showNote(tr("Click two points: the section stands upright through both. Esc ends."));
}

void MainWindow::takeMeasuredSection(const Measure& measure) {
    m_measuring.setKind(std::nullopt);
    const auto section = sectionThrough(measure.points.front().position, measure.points.back().position, up(),
                                        m_snapshot->resolved);
    if (!section)
        return m_messages->showError(
            tr("One of the points lies above the other, so that no direction follows."),
            tr("Click two points beside each other."));
    takeSection(section);
}

void MainWindow::lookAtSection() {
    const SectionFrame frame = frameOf(*m_parameters->recipe().section, up());
    Camera camera = m_camera.camera();
    const double distance = norm(camera.target - camera.eye);
    camera.target = m_parameters->recipe().section->at;
    camera.eye = camera.target + frame.across * distance;
    camera.up = frame.upwards;
    m_camera.setCamera(camera);
    m_camera.setOrthographic(true);
    m_camera.fit(m_views->aspect());
}

void MainWindow::saveSection() {
    const SnapshotPtr shown = m_snapshot; // others may come while the user is asked
    if (!mayExport())
        return;
    if (!shown->section)
        return m_messages->showError(tr("The results that are shown have no section."),
                                     tr("Change the section or the parameters so that they can be run."));
    SectionDialog dialog(shown, up(), m_reference.unit, openFiles(), this);
    if (dialog.exec() == QDialog::Accepted)
        m_jobs.exporter().start(dialog.job());
}

} // namespace scanloupe::gui
