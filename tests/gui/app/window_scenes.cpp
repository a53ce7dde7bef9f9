// Shows all states, menus and dialogs of the window.
#include "tests/gui/app/window_scenes.h"
#include "gui/app/help_controller.h"
#include "gui/controllers/project_controller.h"

#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/io/writers.h"
#include "engine/recipe/parameters.h"
#include "engine/results/quality.h"
#include "engine/run/pipeline/pipeline.h"
#include "gui/app/command_palette.h"
#include "gui/app/keys_dialog.h"
#include "gui/app/manual_window.h"
#include "gui/app/tour_bar.h"
#include "gui/controls/panel_section.h"
#include "gui/dialogs/difference_dialog.h"
#include "gui/dialogs/export_dialog.h"
#include "gui/dialogs/open_as_dialog.h"
#include "gui/dialogs/section_dialog.h"
#include "gui/dialogs/sweep_dialog.h"
#include "gui/dialogs/text_columns_dialog.h"
#include "gui/jobs/align_runner.h"
#include "gui/panels/align_panel.h"
#include "gui/panels/measures_panel.h"
#include "gui/panels/welcome_pane.h"
#include "tests/gui/app/doubtful_scans.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTabWidget>
#include <QTimer>
#include <cstring>
#include <string>

namespace scanloupe::test {

namespace {

using namespace gui;

constexpr std::uint64_t kPoints = 60'000;
constexpr int kFrames = 3;

/// A street whose points have the classes of the ASPRS by their height.
PointCloud classifiedStreet() {
    synth::ScanParams params;
    params.points = kPoints;
    PointCloud street = syntheticCloud(params, false, {}, {});
    std::vector<Vec3f> positions;
    std::vector<std::uint8_t> classes;
    for (std::size_t i = 0; i < street.size(); ++i) {
        const Vec3d p = street.position(i);
        positions.push_back(p.as<float>());
        classes.push_back(p.z < 0.2 ? 2 : p.z < 1 ? 3 : p.z < 3 ? 5 : 6);
    }
    std::vector<Attribute> attributes;
    const auto add = [&](const char* name, ScalarType type, const void* values, std::size_t bytes) {
        Attribute attribute;
        attribute.name = name;
        attribute.type = type;
        attribute.allocate(positions.size());
        std::memcpy(attribute.dataToFill(), values, bytes);
        attributes.push_back(std::move(attribute));
    };
    add("classification", ScalarType::uint8, classes.data(), classes.size());
    return PointCloud(FloatPositions{hostCopy(std::span(positions))}, std::move(attributes), {});
}

/// Points of a survey with number, northing, easting, elevation and code, but ambiguous axes.
TextPreview unsureText() {
    TextPreview preview{"text-columns", {"n", "y", "x", "z", "d"}, {}};
    for (int row = 0; row < 20; ++row)
        preview.rows.push_back({std::to_string(row + 1), std::to_string(5600125 + row) + ".25",
                                std::to_string(410212 + 3 * row) + ".50",
                                std::to_string(112 + row % 4) + ".08", "P"});
    return preview;
}

/// Logs a timeout. @param what the awaited state
bool missed(const char* what) {
    qWarning("missed: %s", what);
    return false;
}

} // namespace

WindowScenes::WindowScenes(WindowFixture& fixture, const ScratchSettings& settings, Look look, Words words)
    : m_f(fixture), m_settings(settings), m_look(std::move(look)), m_words(std::move(words)) {}

void WindowScenes::writeScans(const ScratchSettings& settings) {
    writeCloud(settings.path(QStringLiteral("street.ply")).toStdString(), classifiedStreet(), {}, {});
    const SyntheticDrive drive({}, 100, 16384);
    std::filesystem::create_directories(settings.path(QStringLiteral("drive")).toStdString());
    for (int frame = 0; frame < kFrames; ++frame)
        writeCloud(settings.path(QStringLiteral("drive/frame%1.ply").arg(frame + 1)).toStdString(),
                   drive.cloud(std::uint64_t(frame), false, {}), {}, {});
    std::filesystem::create_directories(settings.path(QStringLiteral("racks")).toStdString());
    writeDoubtfulScans(settings.path(QStringLiteral("racks")), synth::Place::racks);
}

QAction* WindowScenes::action(const char* english) {
    return m_f.action(m_words(QString::fromUtf8(english)));
}

bool WindowScenes::trigger(const char* english) {
    QAction* found = action(english);
    if (found)
        found->trigger();
    else
        qWarning("there is no action '%s'", english);
    return found != nullptr;
}

void WindowScenes::look(const char* name, QWidget* window) {
    QTest::qWait(60);
    const auto isMeasured = [this] { // waits for figures of all points, not only of a first sample
        const auto& quality = m_f.snapshot()->quality;
        return quality && quality->stride == 1;
    };
    if (m_f.snapshot() && (!m_f.waitForRest() || !QTest::qWaitFor(isMeasured, 20'000)))
        qWarning("'%s' doesn't come to rest", name);
    m_look(QString::fromLatin1(name), window ? *window : m_f.window);
}

void WindowScenes::raise(const char* dock) {
    m_f.child<QDockWidget>(dock)->show();
    m_f.child<QDockWidget>(dock)->raise();
}

void WindowScenes::set(const char* key, const char* text) {
    Recipe recipe = m_f.window.parameters().recipe();
    setFromText(recipe, parameter(key), text);
    m_f.window.parameters().setRecipe(recipe);
    emit m_f.window.parameters().recipeChanged(recipe);
}

bool WindowScenes::clickScan(int count) {
    ScanView* view = m_f.window.views().views()[1];
    const QSize size = view->widget()->size();
    QList<QPoint> hits;
    for (int y = 40; y < size.height() - 40; y += 32)
        for (int x = 30; x < size.width() - 30; x += 32)
            if (view->pick(QPointF(x, y)))
                hits << QPoint(x, y);
    for (int i = 0; i < count && !hits.isEmpty(); ++i)
        QTest::mouseClick(view->widget(), Qt::LeftButton, {}, hits[(2 * i + 1) * hits.size() / (2 * count)]);
    return !hits.isEmpty();
}

bool WindowScenes::lookAtModal(const char* name, const std::function<void()>& open,
                               const std::function<void(QWidget&)>& prepare) {
    bool seen = false;
    QTimer::singleShot(0, &m_f.window, [&] {
        QWidget* dialog = nullptr;
        if (!QTest::qWaitFor([&] { return (dialog = QApplication::activeModalWidget()) != nullptr; }, 10'000))
            return;
        if (prepare)
            prepare(*dialog);
        look(name, dialog);
        seen = true;
        static_cast<QDialog*>(dialog)->reject();
    });
    open();
    if (!seen)
        qWarning("'%s' was not shown", name);
    return seen;
}

bool WindowScenes::showEmpty() {
    m_f.window.activateWindow(); // only the active window receives keys
    if (!QTest::qWaitForWindowActive(&m_f.window, 20'000))
        return missed("the window's activation");
    auto* welcome = m_f.window.findChild<WelcomePane*>();
    welcome->setRecentFiles({QStringLiteral("/scans/a/long/way/to/a/street/with/a/long/name.las"),
                             QStringLiteral("/scans/yard.e57")});
    look("empty");
    welcome->offerRestore(m_words(QStringLiteral("Restore street.ply")),
                          m_words(QStringLiteral("The window was not closed properly last time.")));
    look("restore");
    welcome->offerRestore({}, {});
    m_f.window.help().offerTour();
    auto* tour = m_f.window.findChild<TourBar*>();
    if (!tour)
        return false;
    for (const char* name : {"tour-1", "tour-2", "tour-3", "tour-4"}) {
        look(name);
        tour->findChild<QPushButton*>(QStringLiteral("next"))->click();
    }
    return true;
}

bool WindowScenes::showLayouts() {
    ScratchSettings::forgetMeasures(); // measures of the previous appearance
    ScratchSettings::forgetAutosaves();
    m_f.open(m_settings.path(QStringLiteral("street.ply")).toStdString());
    if (!m_f.waitForRest())
        return false;
    const std::pair<const char*, ViewLayout> layouts[] = {{"layout-stacked", ViewLayout::stacked},
                                                          {"layout-large", ViewLayout::oneLarge},
                                                          {"layout-alone", ViewLayout::alone},
                                                          {"layout-beside", ViewLayout::beside}};
    for (const auto& [name, layout] : layouts) {
        m_f.window.views().arrange(layout);
        QTest::qWait(100);
        if (!m_f.waitForRest())
            return false;
        look(name);
    }
    ScanView* detached = m_f.window.views().views()[2];
    m_f.window.views().setDetached(detached, true);
    if (!m_f.waitForRest())
        return false;
    look("view-detached", detached->widget()->window());
    m_f.window.views().setDetached(detached, false);
    return m_f.waitForRest();
}

bool WindowScenes::showDocks() {
    for (PanelSection* section : m_f.window.findChildren<PanelSection*>())
        section->setOpen(true);
    set("field", "distance");
    set("quality", "all");
    if (!m_f.waitForRest() || !clickScan(1))
        return missed("a click");
    look("dock-timings");
    auto* tabs = m_f.child<QDockWidget>("timings")->findChild<QTabWidget*>();
    tabs->setCurrentIndex(1);
    look("dock-timings-stages");
    tabs->setCurrentIndex(2);
    look("dock-timings-counts");
    tabs->setCurrentIndex(0);
    const char* const kinds[] = {"Point with Label", "Distance", "Height", "Angle", "Area"};
    const int points[] = {1, 2, 2, 3, 4};
    auto* measures = m_f.window.findChild<MeasuresPanel*>();
    for (int i = 0; i < 5; ++i) {
        if (!trigger(kinds[i]) || !clickScan(points[i]))
            return missed("a click");
        if (i == 4)
            emit m_f.window.views().measureEnded();
        if (!QTest::qWaitFor([&] { return int(measures->model()->measures().size()) > i; }, 10'000))
            return missed(kinds[i]);
    }
    look("dock-measures");
    QTest::keyClick(m_f.window.views().views()[1]->widget(), Qt::Key_Escape);
    if (!trigger("Rectangle"))
        return missed("Rectangle");
    const auto dragIn = [](QWidget* view, QPoint from, QPoint to) {
        QTest::mousePress(view, Qt::LeftButton, {}, from);
        QTest::mouseMove(view, to);
        QTest::mouseRelease(view, Qt::LeftButton, {}, to);
    };
    QWidget* view = m_f.window.views().views()[1]->widget();
    const QPoint middle = view->rect().center();
    dragIn(view, middle - QPoint(60, 40), middle);
    if (!m_f.waitForRest() || !trigger("Delete Points"))
        return missed("what is deleted");
    dragIn(view, middle, middle + QPoint(60, 40));
    if (!m_f.waitForRest())
        return missed("a selection");
    look("dock-edits");
    QTest::keyClick(view, Qt::Key_Escape);
    if (!lookAtModal("select-by", [this] { trigger("By Class, Height, Attribute…"); }) ||
        !lookAtModal("select-by-formula", [this] { trigger("By Formula…"); }) ||
        !lookAtModal("set-class", [this] { trigger("Set Class…"); }) ||
        !lookAtModal("move", [this] { trigger("Move Points…"); }))
        return false;
    raise("log");
    look("dock-log");
    for (QDockWidget* dock : m_f.window.findChildren<QDockWidget*>())
        if (dock->isHidden()) { // closed in the first layout
            dock->show();
            dock->raise();
            look(qPrintable(QStringLiteral("dock-closed-") + dock->objectName()));
            dock->hide();
        }
    raise("align");
    look("dock-align-empty");
    raise("timings");
    for (const char* mode : {"classification", "point_distance"}) {
        set("colour_by", mode);
        // two changes of the same parameter in quick succession would be one step of the history on a fast
        // machine
        set("voxel_scale", mode[0] == 'c' ? "0.9" : "1");
        if (!m_f.waitForRest())
            return missed(mode);
        look(mode[0] == 'c' ? "colours-classes" : "colours-distance");
    }
    set("colour_by", "height");
    set("field", "occupancy");
    return m_f.waitForRest();
}

bool WindowScenes::showMenus() {
    int number = 0;
    for (QAction* entry : m_f.window.menuBar()->actions()) {
        QMenu* menu = entry->menu();
        menu->popup(m_f.window.mapToGlobal(QPoint(20, 20)));
        look(qPrintable(QStringLiteral("menu-%1").arg(++number)), menu);
        int subNumber = 0;
        for (QAction* sub : menu->actions())
            if (sub->menu() && sub->isEnabled()) {
                sub->menu()->popup(m_f.window.mapToGlobal(QPoint(40, 40)));
                look(qPrintable(QStringLiteral("menu-%1-%2").arg(number).arg(++subNumber)), sub->menu());
                sub->menu()->close();
            }
        menu->close();
    }
    emit m_f.window.views().menuRequested(m_f.window.mapToGlobal(QPoint(200, 200)), std::nullopt);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (!menu)
        return false;
    look("menu-of-view", menu);
    menu->close();
    return true;
}

bool WindowScenes::showDialogs() {
    const auto exporting = [this](const char* name, ExportDialog::What what) {
        return lookAtModal(
            name, [this] { trigger("Export…"); },
            [what](QWidget& dialog) {
                static_cast<ExportDialog&>(dialog).choose(what);
                static_cast<ExportDialog&>(dialog).setPath(what == ExportDialog::What::picture
                                                               ? QStringLiteral("/home/you/street.png")
                                                               : QStringLiteral("/home/you/street.ply"));
            });
    };
    if (!exporting("export-points", ExportDialog::What::points) ||
        !exporting("export-mesh", ExportDialog::What::mesh) ||
        !exporting("export-voxels", ExportDialog::What::voxels) ||
        !exporting("export-picture", ExportDialog::What::picture) ||
        !lookAtModal("about", [this] { trigger("About Scanloupe"); }))
        return false;
    if (!trigger("Keyboard Shortcuts…"))
        return false;
    auto* keys = m_f.window.findChild<KeysDialog*>();
    look("keys", keys);
    keys->close();
    // the palette lists recent files, whose folders have other names in each run
    if (QAction* recent = action("Open Recent"); recent && recent->menu())
        recent->menu()->clear();
    if (!trigger("Commands…"))
        return false;
    auto* palette = m_f.window.findChild<CommandPalette*>();
    look("palette");
    palette->field()->setText(QStringLiteral("xyzzy"));
    look("palette-nothing");
    QTest::keyClick(palette->field(), Qt::Key_Escape);
    if (!trigger("Manual"))
        return false;
    auto* manual = m_f.window.findChild<ManualWindow*>();
    look("manual", manual);
    manual->close();

    if (!trigger("Compare OpenGL and Rasterizer…"))
        return false;
    auto* difference = m_f.window.findChild<DifferenceDialog*>();
    if (!QTest::qWaitFor([&] { return difference->difference().pixels > 0; }, 30'000))
        return false;
    look("difference", difference);
    difference->close();
    // a section, with its handles and its dialog
    set("section", "15,0,0,1,0,0,2");
    if (!trigger("Show Range Box") || !m_f.waitForRest())
        return false;
    look("section");
    if (!lookAtModal(
            "section-save", [this] { trigger("Save Section As…"); },
            [](QWidget& dialog) {
                static_cast<SectionDialog&>(dialog).setPath(QStringLiteral("/home/you/street.png"));
            }) ||
        !trigger("Remove Section") || !trigger("Show Range Box") || !m_f.waitForRest())
        return missed("a section");
    if (!trigger("Keep Current Result as A") || !m_f.waitForRest())
        return false;
    QTest::qWait(500); // the results are compared at rest
    look("compare");
    if (!trigger("End Comparison") || !m_f.waitForRest())
        return false;
    if (!trigger("Parameter Sweep…"))
        return false;
    auto* sweep = m_f.window.findChild<SweepDialog*>();
    look("sweep", sweep);
    sweep->start();
    if (!QTest::qWaitFor([&] { return !sweep->runner().isBusy(); }, 60'000))
        return false;
    look("sweep-sheet", sweep);
    sweep->close();

    OpenAsDialog openAs(3, true, &m_f.window);
    openAs.show();
    look("open-as", &openAs);
    openAs.close();
    TextColumnsDialog columns(unsureText(), &m_f.window);
    columns.show();
    look("text-columns", &columns);
    columns.close();
    MessageBar& messages = m_f.window.messages();
    trigger("Copy View");
    look("message-note");
    messages.showError(m_words(QStringLiteral("The file is shorter than its header says.")),
                       m_words(QStringLiteral("Copy it again from where it came, or open another one.")));
    look("message-error");
    messages.showOffer(
        m_words(QStringLiteral("This scan has unsaved work.")), m_words(QStringLiteral("Restore")), [] {},
        [] {});
    look("message-offer");
    messages.dismiss();
    if (!lookAtModal("question-unsaved", [this] { m_f.openSample(); }) ||
        !m_f.window.project().saveProjectTo(m_settings.path(QStringLiteral("street.json"))))
        return missed("a project");
    if (!lookAtModal("open-files", [this] { trigger("Open…"); }) ||
        !lookAtModal("new-grid", [this] { trigger("New Empty Volume…"); }))
        return false;
    set("point_size", "3");
    return m_f.waitForRest() && lookAtModal("question-save", [this] { m_f.openSample(); });
}

bool WindowScenes::showSeveral() {
    m_f.answer(QMessageBox::Discard); // unsaved work of the project
    m_f.window.open({m_settings.path(QStringLiteral("drive"))}, SeveralAs::sequence);
    if (!QTest::qWaitFor([&] { return m_f.window.playlist().size() == kFrames; }, 20'000) ||
        !m_f.waitForRest())
        return false;
    look("sequence");
    if (!trigger("Align Scans…"))
        return false;
    look("align");
    m_f.window.alignment().align();
    if (!QTest::qWaitFor([&] { return m_f.window.playlist().isTogether(); }, 60'000) || !m_f.waitForRest())
        return false;
    look("aligned");
    m_f.answer(QMessageBox::Discard); // unsaved poses
    m_f.window.open({m_settings.path(QStringLiteral("racks"))}, SeveralAs::place);
    if (!QTest::qWaitFor([&] { return m_f.window.playlist().size() == 2; }, 20'000) || !m_f.waitForRest())
        return missed("two scans of a hall");
    m_f.window.alignment().align();
    if (!QTest::qWaitFor([&] { return !m_f.window.alignment().marks().empty(); }, 60'000) ||
        !m_f.waitForRest())
        return missed("alternatives of a pose");
    look("aligned-doubtful");
    return true;
}

} // namespace scanloupe::test
