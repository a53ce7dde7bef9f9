// Makes the pictures of the README and the manual: generated scans in the real window.
//   make_pictures FOLDER
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/io/writers.h"
#include "engine/recipe/parameters.h"
#include "engine/results/snapshot.h"
#include "gui/dialogs/export_dialog.h"
#include "gui/panels/align_panel.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/sliders/value_control.h"
#include "gui/views/gl_view.h"
#include "tests/gui/app/window_fixture.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QMessageBox>
#include <QSlider>
#include <QTimer>
#include <cmath>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

void require(bool good, const char* what) {
    if (!good)
        qFatal("%s", what);
}

void save(QWidget& widget, const QString& path) {
    // reduced to few colours, which makes the file a third of the size
    const QImage image = widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
    require(image.save(path, "PNG", 0), "a picture can't be written");
}

void set(WindowFixture& f, std::initializer_list<std::pair<const char*, const char*>> values) {
    Recipe recipe = f.window.parameters().recipe();
    for (const auto& [key, text] : values)
        setFromText(recipe, parameter(key), text);
    f.window.parameters().setRecipe(recipe);
    emit f.window.parameters().recipeChanged(recipe);
    require(f.waitForViews(), "the views don't come to rest");
}

/// The first frames of a drive along a street, as files in a folder.
QString makeFrames(const ScratchSettings& settings) {
    constexpr std::uint64_t whole = 100, count = 16, points = 65536;
    const SyntheticDrive drive({}, whole, points);
    const QString folder = settings.path("drive");
    std::filesystem::create_directories(folder.toStdString());
    for (std::uint64_t frame = 0; frame < count; ++frame) {
        const QString name = folder + QStringLiteral("/street%1.ply").arg(frame + 1);
        writeCloud(name.toStdString(), drive.cloud(4 * frame, false, {}), {}, {});
    }
    return folder;
}

/// Discards the work shown in a picture, when the window asks before it opens the next scan.
void discardWork() {
    auto* const box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (QAbstractButton* discard = box ? box->button(QMessageBox::Discard) : nullptr)
        discard->click();
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    require(argc == 2, "say: make_pictures FOLDER");
    const QString folder = QString::fromLocal8Bit(argv[1]);
    ScratchSettings settings;
    QTimer questions;
    QObject::connect(&questions, &QTimer::timeout, discardWork);
    questions.start(50);

    synth::ScanParams params;
    params.scene = synth::Scene::room;
    params.points = 600'000;
    const PointCloud room = syntheticCloud(params, false, {}, {});
    const std::filesystem::path file = settings.path("room.ply").toStdString();
    writeCloud(file, room, {}, {});

    WindowFixture f({1400, 840});
    require(f.isShown(), "there is no window");
    f.theme.choose(ThemeChoice::light);
    f.window.openSample();
    require(f.waitForViews(), "the sample doesn't open");
    QTest::qWait(100);
    save(f.window, folder + "/window.png");

    for (const char* command : {"Section Normal to x", "Show Range Box"})
        f.action(QString::fromLatin1(command))->trigger();
    require(f.waitForViews(), "the section doesn't come to rest");
    QTest::qWait(100);
    save(f.window, folder + "/section.png");
    for (const char* command : {"Remove Section", "Show Range Box"})
        f.action(QString::fromLatin1(command))->trigger();

    f.window.camera().show(StandardView::oblique, 1);
    f.window.camera().zoom(f.window.camera().camera().target, 0.5);
    QWidget* edited = f.window.views().views()[1]->widget();
    const QPoint middle = edited->rect().center();
    const auto dragRound = [&](QPoint at, int across, int down) {
        QTest::mousePress(edited, Qt::LeftButton, {}, at + QPoint(across, 0));
        for (int i = 1; i <= 60; ++i) {
            const double angle = i * 6.2831853 / 60;
            QTest::mouseMove(edited, at + QPoint(int(across * std::cos(angle)), int(down * std::sin(angle))));
        }
        QTest::mouseRelease(edited, Qt::LeftButton, {}, at + QPoint(across, 0));
        require(f.waitForViews(), "the selection doesn't come to rest");
    };
    f.action("Lasso")->trigger();
    dragRound(middle + QPoint(-60, 30), 35, 25);
    f.action("Delete Points")->trigger();
    require(f.waitForViews(), "what is left doesn't come to rest");
    dragRound(middle + QPoint(50, -20), 60, 40);
    QTest::qWait(100);
    save(f.window, folder + "/edit.png");
    f.window.openSample();
    require(f.waitForViews(), "the sample doesn't open again");
    QTest::qWait(1000);
    require(f.waitForViews(), "the sample doesn't come to rest");
    for (QDockWidget* dock : f.window.findChildren<QDockWidget*>(QStringLiteral("timings")))
        dock->raise();

    set(f, {{"voxel_size", "0.5"}, {"voxel_scale", "0.85"}, {"show", "points"}, {"colour_by", "intensity"}});
    save(f.window, folder + "/coarse.png");

    f.window.open({makeFrames(settings)}, SeveralAs::sequence);
    require(QTest::qWaitFor([&] { return f.window.playlist().size() > 0; }, 20'000), "no sequence opens");
    require(f.waitForViews(), "the sequence doesn't open");
    f.window.playlist().show(6);
    require(QTest::qWaitFor([&] { return f.window.playlist().shown() == 6; }, 20'000), "no frame is shown");
    require(f.waitForViews(), "the views don't come to rest");
    save(f.window, folder + "/sequence.png");

    f.action(QStringLiteral("Align Scans…"))->trigger();
    f.window.alignment().align();
    require(QTest::qWaitFor([&] { return f.window.playlist().isTogether(); }, 60'000), "nothing is aligned");
    set(f, {{"voxel_size", "0.15"}, {"show", "mesh"}, {"colour_by", "height"}});
    QTest::keyClick(f.window.views().views()[1]->widget(), Qt::Key_F);
    require(f.waitForViews(), "the aligned scans don't come to rest");
    QTest::qWait(100);
    save(f.window, folder + "/aligned.png");
    for (QDockWidget* dock : f.window.findChildren<QDockWidget*>(QStringLiteral("timings")))
        dock->raise();

    f.theme.choose(ThemeChoice::dark);
    f.open(file);
    require(f.waitForViews(), "the room doesn't open");
    QTest::keyClick(f.window.views().views()[1]->widget(), Qt::Key_2); // from the top
    set(f, {{"range", "-3.2,-2.7,-0.2,3.2,2.7,2.2"},
            {"voxel_size", "0.03"},
            {"voxel_scale", "1"},
            {"colour_by", "height"}});
    QTest::keyClick(f.window.views().views()[1]->widget(), Qt::Key_1);
    require(f.waitForViews(), "the views don't come to rest");
    save(f.window, folder + "/room.png");

    QWidget* mesh = f.window.views().views()[1]->widget();
    QTest::mouseDClick(mesh, Qt::LeftButton, {}, mesh->rect().center());
    f.window.parameters().setStyle({true, true});
    f.window.views().setStyle({true, true});
    for (int turn = 0; turn < 5; ++turn)
        QTest::keyClick(mesh, Qt::Key_Plus);
    require(f.waitForViews(), "the views don't come to rest");
    QTest::mouseClick(mesh, Qt::LeftButton, {}, mesh->rect().center());
    QTest::qWait(100);
    save(f.window, folder + "/wireframe.png");

    f.theme.choose(ThemeChoice::light);
    ExportDialog dialog(f.snapshot(), f.snapshot()->picture->camera, {}, &f.window);
    dialog.setPath("/home/you/room.glb");
    dialog.show();
    QTest::qWait(100);
    save(dialog, folder + "/export.png");
    return 0;
}
