// The whole window on real scans: every control is followed in every view that it concerns, results are
// saved, and what people chose is there again at the next start.
#include "engine/cli/command_line.h"
#include "engine/io/writers.h"
#include "engine/pipeline/recipe_file.h"
#include "gui/app/export_dialog.h"
#include "gui/app/manual_window.h"
#include "gui/jobs/scan_session.h"
#include "gui/models/property_model.h"
#include "gui/panels/colour_by_row.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/number_box.h"
#include "gui/panels/parameter_rows.h"
#include "gui/panels/range_row.h"
#include "gui/panels/value_control.h"
#include "gui/views/gl_view.h"
#include "tests/gui/view_scenes.h"
#include "tests/gui/window_fixture.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QSlider>
#include <QTextBrowser>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <sstream>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// What the three views show, without titles.
struct Pictures {
    std::array<QImage, 3> images;
    explicit Pictures(WindowFixture& f) {
        for (std::size_t v = 0; v < 3; ++v) {
            ScanView* view = f.window.views().views()[v];
            auto* drawn = dynamic_cast<GlView*>(view);
            images[v] = drawn ? drawn->canvas()->grabPicture() : view->widget()->grab().toImage();
            images[v] = images[v].convertToFormat(QImage::Format_RGB32);
        }
    }
    bool operator==(const Pictures&) const = default;
};

/// Share of the pixels that differ; 1 for pictures of different sizes.
double differingShare(const QImage& a, const QImage& b) {
    if (a.size() != b.size())
        return 1;
    int differing = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            differing += a.pixel(x, y) != b.pixel(x, y);
    return double(differing) / std::max(1, a.width() * a.height());
}

enum Concerned { voxels = 1, mesh = 2, picture = 4, all = 7 };

/// One control as people move it, and the views that have to follow.
struct Move {
    const char* name;
    int concerns;
    std::function<void(WindowFixture&)> make;
};

template <class Box>
void key(Box* box, int code) {
    box->setFocus();
    QTest::keyClick(box, Qt::Key(code));
}
void slide(WindowFixture& f, const char* name, int position) {
    f.row<NumberRow>(name)->control()->slider()->setValue(position);
}

std::vector<Move> moves() {
    const auto pickPicture = [](int index) {
        return [index](WindowFixture& f) {
            f.row<ChoiceRow>("show")->combo()->setCurrentIndex(index);
            emit f.row<ChoiceRow>("show")->combo()->activated(index);
        };
    };
    return {
        {"range", all,
         [](WindowFixture& f) {
             auto* range = f.row<RangeRow>("range");
             range->upper(0)->setValue(0.5 * (range->lower(0)->value() + range->upper(0)->value()));
         }},
        {"range, automatic", all,
         [](WindowFixture& f) {
             QTest::mouseClick(f.row<RangeRow>("range")->resetButton(), Qt::LeftButton);
         }},
        {"voxel size", all,
         [](WindowFixture& f) {
             QSlider* slider = f.row<VoxelSizeRow>("voxel_size")->control(0)->slider();
             slider->setValue(slider->value() + 120);
         }},
        {"voxel size, one axis", all,
         [](WindowFixture& f) {
             auto* row = f.row<VoxelSizeRow>("voxel_size");
             QTest::mouseClick(row->linkButton(), Qt::LeftButton);
             row->control(2)->box()->setValue(2 * row->control(2)->value());
         }},
        {"field", mesh | picture,
         [](WindowFixture& f) {
             auto* combo = f.row<ChoiceRow>("field")->combo();
             const int other = combo->currentIndex() == 0 ? 1 : 0;
             combo->setCurrentIndex(other);
             emit combo->activated(other);
         }},
        {"radius", mesh | picture,
         [](WindowFixture& f) {
             QSlider* slider = f.row<NumberRow>("radius")->control()->slider();
             slider->setValue(slider->value() + 150);
         }},
        {"iso-value", mesh | picture,
         [](WindowFixture& f) {
             QSlider* slider = f.row<NumberRow>("iso")->control()->slider();
             slider->setValue(slider->value() - 60);
         }},
        {"points a voxel at most", 0,
         [](WindowFixture& f) { f.row<NumberRow>("max_points_per_voxel")->control()->box()->setValue(20); }},
        {"voxels at most", all,
         [](WindowFixture& f) { f.row<NumberRow>("max_voxels")->control()->box()->setValue(500); }},
        {"picture of points", picture, pickPicture(0)},
        {"point size", picture, [](WindowFixture& f) { slide(f, "point_size", 700); }},
        {"picture of voxels", picture, pickPicture(1)},
        {"voxel scale", voxels | picture, [](WindowFixture& f) { slide(f, "voxel_scale", 400); }},
        {"colour by", all,
         [](WindowFixture& f) {
             auto* combo = f.row<ColourByRow>("colour_by")->combo();
             combo->setCurrentIndex(combo->findData("count"));
             emit combo->activated(combo->currentIndex());
         }},
        {"colour map", all,
         [](WindowFixture& f) { key(f.row<ChoiceRow>("colour_map")->combo(), Qt::Key_Down); }},
        {"picture of the mesh", picture, pickPicture(2)},
        {"eye-dome strength", all, [](WindowFixture& f) { slide(f, "eye_dome_strength", 900); }},
        {"eye-dome lighting", all,
         [](WindowFixture& f) { key(f.row<FlagRow>("eye_dome")->box(), Qt::Key_Space); }},
        {"light", all, [](WindowFixture& f) { key(f.row<FlagRow>("light")->box(), Qt::Key_Space); }},
        {"back faces", 0, [](WindowFixture& f) { key(f.row<FlagRow>("back_faces")->box(), Qt::Key_Space); }},
        {"wireframe", mesh,
         [](WindowFixture& f) { key(f.window.parameters().wireframeBox(), Qt::Key_Space); }},
    };
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

    /// Four scans of four kinds: lidar sweep, laser scan with a sensor, depth camera, lidar with a map
    /// around.
    static void addScans() {
        QTest::addColumn<QString>("file");
        QTest::newRow("sweep") << "sweeps/kitti_training_000000.bin";
        QTest::newRow("bunny") << "ply/stanford_bun000.ply";
        QTest::newRow("office") << "pcd/office1.pcd";
        QTest::newRow("room") << "ndt/room_scan1.pcd";
    }

private slots:
    void everyControlIsFollowed_data() { addScans(); }
    void everyControlIsFollowed() {
        QFETCH(QString, file);
        SCANLOUPE_REAL_SCAN(path, file.toStdString());
        WindowFixture f;
        QVERIFY(f.isShown());
        f.open(path);
        QVERIFY(f.waitForViews());
        keepPicture(f.window, QTest::currentDataTag());
        f.window.parameters().setStyle({false, false});
        f.window.views().setStyle({false, false});
        QVERIFY(f.waitForViews());
        const Pictures first(f);
        for (const QImage& image : first.images)
            QVERIFY2(drawnPixels(image) > 3000, qPrintable(QString::number(drawnPixels(image))));
        Pictures before = first;
        for (const Move& move : moves()) {
            const Recipe asked = f.window.session().recipe();
            move.make(f);
            const bool style = QByteArrayView(move.name) == "wireframe";
            QVERIFY2(style || f.window.session().recipe() != asked, move.name);
            QVERIFY2(f.waitForViews(), move.name);
            QVERIFY2(!f.window.messages().isVisible(), qPrintable(f.window.messages().text()));
            const Pictures after(f);
            for (std::size_t v = 0; v < 3; ++v)
                if (move.concerns >> v & 1)
                    QVERIFY2(after.images[v] != before.images[v],
                             qPrintable(QString("%1: view %2").arg(move.name).arg(v)));
            before = after;
        }
        QTest::mouseClick(f.child<QPushButton>("resetAll"), Qt::LeftButton);
        f.window.parameters().setStyle({false, false});
        f.window.views().setStyle({false, false});
        QVERIFY(f.waitForViews());
        const Pictures last(f);
        for (std::size_t v = 0; v < 3; ++v)
            // where two voxels meet, the face that is drawn first is seen, and turns may begin elsewhere
            QVERIFY2(differingShare(last.images[v], first.images[v]) < 0.002,
                     qPrintable(QString("reset: view %1, %2")
                                    .arg(v)
                                    .arg(differingShare(last.images[v], first.images[v]))));
    }

    void theViewsShowTheSameSilhouette_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("parameters"); // key=value, with blanks between
        QTest::newRow("bunny") << "ply/stanford_bun000.ply"
                               << "voxel_size=0.002 iso=0.3";
        QTest::newRow("office") << "pcd/office1.pcd"
                                << "";
        QTest::newRow("room") << "ndt/room_scan1.pcd"
                              << "voxel_size=0.1 field=occupancy iso=0.3";
        QTest::newRow("sweep") << "sweeps/kitti_training_000000.bin"
                               << "range=0,-10,-2.5,20,10,2 voxel_size=0.25 field=occupancy iso=0.3";
    }
    void theViewsShowTheSameSilhouette() {
        QFETCH(QString, file);
        QFETCH(QString, parameters);
        SCANLOUPE_REAL_SCAN(path, file.toStdString());
        WindowFixture f;
        QVERIFY(f.isShown());
        f.open(path);
        QVERIFY(f.waitForWhole());
        Recipe recipe = f.window.parameters().recipe();
        for (const QString& word : parameters.split(' ', Qt::SkipEmptyParts))
            setFromText(recipe, parameter(word.section('=', 0, 0).toStdString()),
                        word.section('=', 1).toStdString());
        f.window.parameters().setRecipe(recipe);
        emit f.window.parameters().recipeChanged(recipe);
        f.window.views().setStyle({false, false});
        QVERIFY(f.waitForWhole());
        QTest::keyClick(f.window.views().views()[0]->widget(), Qt::Key_F); // fit
        QVERIFY(f.waitForViews());
        const Pictures p(f);
        for (const auto& [a, b] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
            const QImage &one = p.images[std::size_t(a)], &other = p.images[std::size_t(b)];
            const QRect common = one.rect().intersected(other.rect()); // one may be a pixel wider
            const double overlap = silhouetteOverlap(one.copy(common), other.copy(common));
            std::printf("%s, views %d and %d: %.4f\n", QTest::currentDataTag(), a, b, overlap);
            QVERIFY(overlap >= 0.95);
        }
    }

    void aClickTellsWhatLiesThere() {
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
            QVERIFY2(data->picked()->rowCount() >= 3, qPrintable(view->title()));
            const auto hit = view->pick(widget->rect().center());
            const Snapshot& s = *f.snapshot();
            QVERIFY(hit && hit->position.x >= s.resolved.rangeMin->x &&
                    hit->position.x <= s.resolved.rangeMax->x);
        }
    }

    void doubleClickFillsTheWindow() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.window.openSample();
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
        f.window.openSample();
        QVERIFY(f.waitForWhole());
        QTemporaryDir folder;
        for (const auto& [what, name] : {std::pair{ExportDialog::What::mesh, "street.glb"},
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
            QSignalSpy written(&f.window.session(), &ScanSession::exported);
            f.action("Export…")->trigger();
            QVERIFY(written.count() > 0 || written.wait(30'000));
            QVERIFY2(QFileInfo(path).size() > 10'000, name);
            QVERIFY(f.window.messages().isVisible() && !f.window.messages().isError());
        }
        // where nothing can be written: told, and the window goes on
        ExportDialog dialog(f.snapshot(), &f.window);
        dialog.setPath("/proc/street.glb");
        QSignalSpy failed(&f.window.session(), &ScanSession::failed);
        f.window.session().exportFile(dialog.description(), dialog.snapshot(), dialog.job());
        QVERIFY(failed.wait(30'000));
        QVERIFY(f.window.messages().isError() && f.window.messages().text().contains("/proc"));
    }

    void aNewcomerSavesAMesh() {
        // from the empty window to a GLB by clicks on what can be seen
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
        QSignalSpy written(&f.window.session(), &ScanSession::exported);
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
        writeMesh(mine, *s.mesh, meshVertexColours(s, {}), {s.origin(), {}}, {});
        std::ostringstream out, err;
        const std::vector<std::string> line{"run", path.string(), "--recipe", recipe, "--mesh", theirs};
        QVERIFY2(runCommandLine(line, out, err, {}) == 0, err.str().c_str());
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

    void theManualNamesEveryParameter() {
        WindowFixture f;
        QVERIFY(f.isShown());
        QAction* help = f.action("Manual"); // a window without a window manager gets no shortcuts
        QVERIFY(help->shortcuts().contains(QKeySequence(Qt::Key_F1)));
        help->trigger();
        auto* manual = f.window.findChild<ManualWindow*>();
        QVERIFY(manual && manual->isVisible());
        const QString text = manual->findChild<QTextBrowser*>()->toPlainText();
        for (const Parameter& p : parameters())
            QVERIFY2(text.contains(QString::fromStdString(p.key)) &&
                         text.contains(QString::fromStdString(p.label)),
                     p.key.c_str());
        QVERIFY(!text.contains("<!--"));
        auto* chapters = manual->findChild<QListWidget*>();
        QVERIFY(chapters->count() >= 6);
        keepPicture(*manual, "manual");
        const int before = manual->findChild<QTextBrowser*>()->verticalScrollBar()->value();
        chapters->setCurrentRow(chapters->count() - 1);
        QVERIFY(manual->findChild<QTextBrowser*>()->verticalScrollBar()->value() > before);
    }

    void endingsChooseTheFormat() {
        WindowFixture f;
        f.window.openSample();
        QVERIFY(f.waitForWhole());
        ExportDialog dialog(f.snapshot(), &f.window);
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

    void whatWasChosenIsThereAgain() {
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

QTEST_MAIN(TestMainWindow)
#include "test_main_window.moc"
