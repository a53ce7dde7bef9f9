// The whole window on real scans: results are saved, and the user's choices are restored at the next start.
#include "engine/cli/command_line.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/picture/vertex_channels.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "gui/app/manual_window.h"
#include "gui/dialogs/export_dialog.h"
#include "gui/dialogs/picture_options.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/models/property_model.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/parameters/colour_by_row.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/panels/parameters/range_row.h"
#include "gui/sliders/number_box.h"
#include "gui/sliders/value_control.h"
#include "gui/views/gl_view.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/gui/views/view_scenes.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QSpinBox>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <cstring>
#include <sstream>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

void slide(WindowFixture& f, const char* name, int position) {
    f.row<NumberRow>(name)->control()->slider()->setValue(position);
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void clicksShowThePickedPoint() {
        SCANLOUPE_REAL_SCAN(path, "ply/stanford_bun000.ply");
        WindowFixture f;
        QVERIFY(f.isShown());
        f.open(path);
        QVERIFY(f.waitForViews());
        auto* data = f.window.findChild<DataPanel*>();
        for (ScanView* view : f.window.views().views()) {
            data->clearPick();
            QWidget* widget = view->widget();
            QTest::mouseClick(widget, Qt::LeftButton, {}, widget->rect().center());
            QVERIFY2(QTest::qWaitFor([&] { return data->picked()->rowCount() >= 3; }),
                     qPrintable(view->title()));
            const auto hit = view->pick(widget->rect().center());
            const Snapshot& s = *f.snapshot();
            QVERIFY(hit && hit->position.x >= s.resolved->rangeMin->x &&
                    hit->position.x <= s.resolved->rangeMax->x);
        }
    }

    void doubleClickFillsTheWindow() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample();
        QVERIFY(f.waitForWhole());
        const auto& views = f.window.views().views();
        QTest::mouseDClick(views[1]->widget(), Qt::LeftButton);
        QVERIFY(!views[0]->widget()->isVisible() && views[1]->widget()->isVisible());
        QVERIFY(f.waitForViews());
        QTest::mouseDClick(views[1]->widget(), Qt::LeftButton);
        QVERIFY(views[0]->widget()->isVisible() && views[2]->widget()->isVisible());
        QVERIFY(f.waitForViews());
    }

    void exportWritesWhatTheDialogSays() {
        WindowFixture f;
        f.openSample();
        QVERIFY(f.waitForWhole());
        QTemporaryDir folder;
        for (const auto& [what, name] : {std::pair{ExportDialog::What::points, "street.las"},
                                         {ExportDialog::What::mesh, "street.glb"},
                                         {ExportDialog::What::voxels, "street.npy"},
                                         {ExportDialog::What::picture, "street.png"}}) {
            const QString path = folder.filePath(name);
            QTimer::singleShot(0, &f.window, [&, what = what] {
                auto* dialog = f.window.findChild<ExportDialog*>();
                dialog->choose(what);
                dialog->setPath(path);
                keepPicture(*dialog, QStringLiteral("export"));
                for (QPushButton* button : dialog->findChildren<QPushButton*>())
                    if (button->text().contains("Save"))
                        button->click();
            });
            QSignalSpy written(&f.window.jobs().exporter(), &ExportRunner::exported);
            f.action("Export…")->trigger();
            QVERIFY(written.count() > 0 || written.wait(30'000));
            QVERIFY2(QFileInfo(path).size() > 10'000, name);
            QVERIFY(f.window.messages().isVisible() && !f.window.messages().isError());
        }
        // if writing fails, an error is shown and the window stays usable
        ExportDialog dialog(f.snapshot(), f.snapshot()->picture->camera, {}, &f.window);
        dialog.setPath("/proc/street.glb");
        QSignalSpy failed(&f.window.jobs().exporter(), &ExportRunner::failed);
        f.window.jobs().exporter().start(dialog.job());
        QVERIFY(failed.wait(30'000));
        QVERIFY(f.window.messages().isError() && f.window.messages().text().contains("/proc"));
    }

    /// Saves a crop as points, after naming the losses of the format.
    void pointsInRangeAreSaved() {
        WindowFixture f;
        f.openSample();
        QVERIFY(f.waitForRest());
        Recipe recipe = f.snapshot()->resolved;
        recipe.rangeMax->z = 0.5 * (recipe.rangeMin->z + recipe.rangeMax->z);
        recipe.camera.reset();
        f.window.parameters().setRecipe(recipe);
        emit f.window.parameters().recipeChanged(recipe);
        QVERIFY(f.waitForRest());
        const auto inRange = f.snapshot()->voxels->stats.pointsInRange;
        QVERIFY(inRange > 0 && inRange < f.snapshot()->cloud->size());
        QTemporaryDir folder;
        const QString path = folder.filePath("low.bin");
        QTimer::singleShot(0, &f.window, [&] {
            auto* dialog = f.window.findChild<ExportDialog*>();
            QVERIFY(dialog->what() == ExportDialog::What::points);
            dialog->setPath(path);
            const auto hints = [&] {
                QString all;
                for (const QLabel* label : dialog->findChildren<QLabel*>())
                    all += label->text();
                return all;
            };
            QTRY_VERIFY(hints().contains("Lost:")); // .bin does not store most attributes
            keepPicture(*dialog, QStringLiteral("export_points"));
            for (QPushButton* button : dialog->findChildren<QPushButton*>())
                if (button->text().contains("Save"))
                    button->click();
        });
        QSignalSpy written(&f.window.jobs().exporter(), &ExportRunner::exported);
        f.action("Save Points As…")->trigger();
        QVERIFY(written.count() > 0 || written.wait(30'000));
        QCOMPARE(QFileInfo(path).size(), qint64(inRange * 16)); // x, y, z, intensity
    }

    /// An automatic range excludes outliers; the saved file keeps them.
    void allPointsAreSavedUnlessARangeIsGiven() {
        const QTemporaryDir folder;
        std::string text;
        for (int i = 0; i < 4000; ++i)
            text += fmt::format("{} {} {}\n", 0.1 * (i % 80), 0.1 * (i / 80), 0.2 * std::sin(0.1 * (i % 80)));
        for (int i = 0; i < 5; ++i)
            text += fmt::format("{} 0 {}\n", 900 + i, 700);
        const QString scan = folder.filePath("strays.xyz");
        QFile file(scan);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text.data(), qint64(text.size())) > 0);
        file.close();
        WindowFixture f;
        f.open(scan.toStdString());
        QVERIFY(f.waitForRest());
        QCOMPARE(f.snapshot()->cloud->size(), std::size_t{4005});
        QCOMPARE(f.snapshot()->voxels->stats.pointsInRange, std::uint64_t{4000});
        const auto save = [&](const char* name) {
            const QString path = folder.filePath(name);
            QString label;
            QTimer::singleShot(0, &f.window, [&] {
                auto* dialog = f.window.findChild<ExportDialog*>();
                dialog->setPath(path);
                for (const QRadioButton* button : dialog->findChildren<QRadioButton*>())
                    label = button->isChecked() ? button->text() : label;
                dialog->accept();
            });
            QSignalSpy written(&f.window.jobs().exporter(), &ExportRunner::exported);
            f.action("Save Points As…")->trigger();
            if (written.isEmpty() && !written.wait(30'000))
                return QStringLiteral("nothing was written");
            QFile read(path);
            return read.open(QIODevice::ReadOnly)
                       ? QStringLiteral("%1 | %2 | %3")
                             .arg(read.size() / 16)
                             .arg(label, written[0][0].toString().section(QLatin1Char('('), -1))
                       : QStringLiteral("no file");
        };
        const QLocale locale;
        const QString all = locale.toString(4005), some = locale.toString(4000);
        QCOMPARE(save("all.bin"), QStringLiteral("4005 | Points: %1 | %1)").arg(all));
        Recipe recipe = f.window.parameters().recipe(); // a range that the user has set is kept, and counted
        recipe.rangeMin = f.snapshot()->resolved->rangeMin;
        recipe.rangeMax = f.snapshot()->resolved->rangeMax;
        f.window.parameters().setRecipe(recipe);
        emit f.window.parameters().recipeChanged(recipe);
        QVERIFY(f.waitForRest());
        QCOMPARE(save("some.bin"), QStringLiteral("4000 | Points: %1 of %2 | %1 of %2)").arg(some, all));
        // a section does not remove points from the saved file
        recipe.rangeMin = recipe.rangeMax = std::nullopt;
        recipe.section = Section{{4, 2, 0}, {0, 1, 0}, 1000};
        f.window.parameters().setRecipe(recipe);
        emit f.window.parameters().recipeChanged(recipe);
        QVERIFY(f.waitForRest());
        QVERIFY(save("section.bin").startsWith("4005 | "));
    }

    void picturesAreSavedInAnySize() {
        WindowFixture f;
        f.openSample();
        QVERIFY(f.waitForRest());
        QTemporaryDir folder;
        const auto save = [&](const QString& name, auto&& prepare) {
            const QString path = folder.filePath(name);
            QTimer::singleShot(0, &f.window, [&] {
                auto* dialog = f.window.findChild<ExportDialog*>();
                dialog->choose(ExportDialog::What::picture);
                dialog->setPath(path);
                prepare(*dialog->picture());
                keepPicture(*dialog, QStringLiteral("export_picture"));
                dialog->accept();
            });
            QSignalSpy written(&f.window.jobs().exporter(), &ExportRunner::exported);
            f.action("Export…")->trigger();
            return written.count() > 0 || written.wait(60'000) ? QImage(path) : QImage();
        };
        // at the original size, the file has exactly the pixels of the view
        const SnapshotPtr first = f.snapshot(); // the message bar about the file makes the views smaller
        const Image& shown = onHost(first->picture->image);
        const QImage same = save("same.png", [](PictureOptions&) {}).convertToFormat(QImage::Format_RGBA8888);
        QCOMPARE(same.size(), QSize(shown.width, shown.height));
        for (int y = 0; y < shown.height; ++y)
            QVERIFY(std::memcmp(same.constScanLine(y), shown.pixels.data() + std::size_t(y * shown.width),
                                std::size_t(shown.width) * 4) == 0);
        // four times as wide, in the shape of the view; and voxels in another
        const QImage large = save("large.png", [&](PictureOptions& o) {
            o.findChild<QSpinBox*>("image_width")->setValue(4 * shown.width);
        });
        QCOMPARE(large.width(), 4 * shown.width);
        QVERIFY(large.height() > 3 * shown.height);
        const QImage voxels = save("voxels.png", [](PictureOptions& o) {
            o.findChild<QCheckBox*>()->setChecked(false);
            o.findChild<QComboBox*>()->setCurrentIndex(1);
            o.setPixels({600, 200});
        });
        QCOMPARE(voxels.size(), QSize(600, 200));
        const std::uint32_t background = Shading{}.background;
        QVERIFY(voxels.convertToFormat(QImage::Format_RGBA8888) != same.scaled(600, 200));
        QVERIFY(qRed(voxels.pixel(300, 100)) != int(background & 255));
        // the longest edge limits the picture, whichever is typed
        PictureOptions options(*first);
        options.findChild<QSpinBox*>(shown.width > shown.height ? "image_height" : "image_width")
            ->setValue(16384);
        QCOMPARE(std::max(options.pixels().width(), options.pixels().height()), 16384);
        QVERIFY(std::abs(double(options.pixels().width()) / options.pixels().height() -
                         double(shown.width) / shown.height) < 0.01);
    }

    void aNewcomerSavesAMesh() {
        // from the empty window to a GLB by clicks on visible widgets
        WindowFixture f;
        QVERIFY(f.isShown());
        QTest::mouseClick(f.child<QPushButton>("sample"), Qt::LeftButton);
        QVERIFY(f.waitForViews());
        QTemporaryDir folder;
        QTimer::singleShot(0, &f.window, [&] {
            auto* dialog = f.window.findChild<ExportDialog*>();
            auto* path = dialog->findChild<QLineEdit*>();
            QVERIFY(path->text().endsWith(".glb"));
            path->selectAll();
            QTest::keyClicks(path, folder.filePath("mesh.glb"));
            QTest::keyClick(path, Qt::Key_Return);
        });
        QSignalSpy written(&f.window.jobs().exporter(), &ExportRunner::exported);
        auto* tools = f.window.findChild<QToolBar*>();
        QTest::mouseClick(tools->widgetForAction(f.action("Export…")), Qt::LeftButton);
        QVERIFY(written.count() > 0 || written.wait(30'000));
        QFile file(folder.filePath("mesh.glb"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.read(4), QByteArray("glTF"));
    }

    void aRecipeMakesTheSameMeshInTheCommandLine() {
        SCANLOUPE_REAL_SCAN(path, "ply/stanford_bun000.ply");
        WindowFixture f;
        QVERIFY(f.isShown());
        f.open(path);
        QVERIFY(f.waitForWhole());
        QSlider* size = f.row<VoxelSizeRow>("voxel_size")->control(0)->slider();
        size->setValue(size->value() + 60);
        slide(f, "iso", 350);
        QVERIFY(f.waitForViews());
        const auto recipe = m_settings.path("recipe.json").toStdString();
        const auto mine = m_settings.path("mine.ply").toStdString(),
                   theirs = m_settings.path("theirs.ply").toStdString();
        const Snapshot& s = *f.snapshot();
        writeRecipe(recipe, s.resolved);
        std::ostringstream out, err;
        int code = -1;
        std::thread([&] { // on another thread: the GUI thread must not wait for the device
            const auto channels = meshVertexChannels(s, {});
            writeMesh(mine, s.mesh.host(), meshVertexColours(s, {}), {s.origin(), {}, channels}, {});
            const std::vector<std::string> line{"run", path.string(), "--recipe", recipe, "--mesh", theirs};
            code = runCommandLine(line, out, err, {});
        })
            .join();
        QVERIFY2(code == 0, err.str().c_str());
        QFile a(QString::fromStdString(mine)), b(QString::fromStdString(theirs));
        QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
        QVERIFY(a.size() > 100'000);
        QVERIFY(a.readAll() == b.readAll());
    }

    void aVolumeOpensToo() {
        SCANLOUPE_REAL_SCAN(path, "volume/Bucky.raw");
        WindowFixture f;
        QVERIFY(f.isShown());
        f.open(path);
        QVERIFY(f.waitForWhole());
        const auto& views = f.window.views().views();
        QVERIFY(QTest::qWaitFor([&] { return views[1]->isComplete() && views[2]->isComplete(); }, 20'000));
        keepPicture(f.window, "volume");
        QVERIFY(drawnPixels(views[1]->widget()->grab().toImage()) > 3000);
        const auto triangles = f.snapshot()->mesh->triangleCount();
        slide(f, "iso", 300);
        QVERIFY(f.waitForWhole());
        QVERIFY(f.snapshot()->mesh->triangleCount() != triangles);
    }

    void cleanUpIsEachScansOwn() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample();
        QVERIFY(f.waitForWhole());
        f.row<NumberRow>("min_component_triangles")->control()->box()->setValue(50);
        f.row<NumberRow>("decimate_to")->control()->box()->setValue(1000);
        f.row<NumberRow>("point_extent")->control()->box()->setValue(0.5);
        // a display parameter, which the next scan keeps
        f.row<ChoiceRow>("colour_map")->combo()->setCurrentIndex(2);
        emit f.row<ChoiceRow>("colour_map")->combo()->activated(2);
        QVERIFY(f.waitForWhole());
        QVERIFY(f.snapshot()->mesh->triangleCount() <= 1000);
        const auto cloud = f.snapshot()->cloud;
        f.openSample();
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud != cloud; }, 30'000));
        QVERIFY(f.waitForWhole());
        const Recipe& recipe = f.window.jobs().runner().recipe();
        QCOMPARE(recipe.minComponentTriangles, Recipe{}.minComponentTriangles);
        QCOMPARE(recipe.decimateTo, Recipe{}.decimateTo);
        QCOMPARE(recipe.pointExtent, Recipe{}.pointExtent);
        QCOMPARE(int(recipe.colourMap), int(kColourMapNames[2]));
        QCOMPARE(f.row<NumberRow>("decimate_to")->control()->box()->text(), QStringLiteral("off"));
        QVERIFY(f.snapshot()->mesh->triangleCount() > 1000);
    }

    void endingsChooseTheFormat() {
        WindowFixture f;
        f.openSample();
        QVERIFY(f.waitForWhole());
        ExportDialog dialog(f.snapshot(), f.snapshot()->picture->camera, {}, &f.window);
        QPushButton* save = nullptr;
        for (QPushButton* button : dialog.findChildren<QPushButton*>())
            if (button->text().contains("Save"))
                save = button;
        QVERIFY(save && save->isEnabled());
        dialog.setPath("/tmp/mesh.fbx");
        QVERIFY(!save->isEnabled());
        dialog.choose(ExportDialog::What::voxels); // the name stays, with an ending that fits
        QVERIFY(save->isEnabled());
        QCOMPARE(dialog.path(), QString("/tmp/mesh.ply"));
        dialog.setPath("/tmp/voxels.csv");
        QVERIFY(save->isEnabled());
    }

    void choicesAreRestoredAtTheNextStart() {
        SCANLOUPE_REAL_SCAN(path, "ply/stanford_bun000.ply");
        {
            WindowFixture f;
            QVERIFY(f.isShown());
            f.open(path);
            QVERIFY(f.waitForWhole());
            f.child<QDockWidget>("log")->hide();
            f.child<QDockWidget>("data")->hide();
            f.action("Dark")->trigger();
            QVERIFY(f.theme.dark());
            f.window.resize(1200, 800);
            f.window.close();
        }
        WindowFixture f;
        QVERIFY(!f.child<QDockWidget>("data")->isVisible());
        QVERIFY(f.child<QDockWidget>("parameters")->isVisible());
        QVERIFY(f.theme.dark());
        const QString recent = QFileInfo(QString::fromStdString(path.string())).absoluteFilePath();
        QVERIFY(f.action(recent) != nullptr);
        f.action("Light")->trigger();
        f.action(recent)->trigger();
        QVERIFY(f.waitForWhole());
        QVERIFY(f.window.windowTitle().startsWith("stanford_bun000.ply"));
    }

    void emptyWindowSaysWhatToDo() {
        WindowFixture f;
        QVERIFY(f.isShown());
        for (const auto& [choice, name] :
             {std::pair{ThemeChoice::light, "empty_light"}, {ThemeChoice::dark, "empty_dark"}}) {
            f.theme.choose(choice);
            QTest::qWait(50);
            keepPicture(f.window, name);
        }
        QVERIFY(f.child<QPushButton>("open")->isVisible());
        QTest::mouseClick(f.child<QPushButton>("sample"), Qt::LeftButton);
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "street_dark");
        f.theme.choose(ThemeChoice::light);
        QTest::qWait(50);
        keepPicture(f.window, "street_light");
    }
};

SCANLOUPE_TEST_IN(QApplication, TestMainWindow)
#include "test_main_window.moc"
