// Every control of the window affects all views that it concerns, and the views agree.
#include "engine/picture/view.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/snapshot.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/panels/parameters/colour_by_row.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/panels/parameters/range_row.h"
#include "gui/sliders/number_box.h"
#include "gui/sliders/value_control.h"
#include "gui/views/gl_view.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/gui/views/view_scenes.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <cmath>
#include <fstream>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// The content of the three views, without titles.
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

/// A control that is changed as by a user, and the views that must follow.
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

class TestWindowControls : public QObject {
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

    /// A wavy sheet with z up.
    std::filesystem::path writeSheet(const char* name, double phase) const {
        const std::filesystem::path path = m_settings.path(name).toStdString();
        std::ofstream out(path);
        for (int i = 0; i < 6000; ++i)
            out << 0.1 * (i % 80) << ' ' << 0.1 * (i / 80) << ' ' << 0.5 * std::sin(0.1 * (i % 80) + phase)
                << '\n';
        return path;
    }
    /// Opens a recipe by the file dialog, as a user would.
    void openRecipe(WindowFixture& f, const Recipe& recipe) const {
        const QString path = m_settings.path("opened.json");
        writeRecipe(path.toStdString(), recipe);
        QTimer answer;
        connect(&answer, &QTimer::timeout, &answer, [&] {
            if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                dialog->findChild<QLineEdit*>("fileNameEdit")->setText(path);
                QMetaObject::invokeMethod(dialog, "accept");
            }
        });
        answer.start(50);
        f.action("Open Recipe…")->trigger();
    }
    static void chooseUp(WindowFixture& f, const QString& axis) {
        QComboBox* combo = f.row<ChoiceRow>("up")->combo();
        combo->setCurrentIndex(combo->findText(axis));
        emit combo->activated(combo->currentIndex());
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
        // switches refinement off, because refined pictures would differ
        const auto withoutSamples = [&f] { f.row<NumberRow>("samples")->control()->box()->setValue(1); };
        withoutSamples();
        QTest::qWait(500); // panels have their content, and views their size
        QVERIFY(f.waitForRest());
        const Pictures first(f);
        for (const QImage& image : first.images)
            QVERIFY2(drawnPixels(image) > 3000, qPrintable(QString::number(drawnPixels(image))));
        Pictures before = first;
        for (const Move& move : moves()) {
            const Recipe asked = f.window.jobs().runner().recipe();
            move.make(f);
            const bool style = QByteArrayView(move.name) == "wireframe";
            QVERIFY2(style || QTest::qWaitFor([&] { return f.window.jobs().runner().recipe() != asked; }),
                     move.name);
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
        QTRY_COMPARE(f.window.jobs().runner().recipe().samples, Recipe{}.samples);
        withoutSamples();
        f.window.parameters().setStyle({false, false});
        f.window.views().setStyle({false, false});
        QVERIFY(f.waitForRest());
        QVERIFY(
            QTest::qWaitFor([&] { return Pictures(f).images[0].size() == first.images[0].size(); }, 5000));
        QVERIFY(f.waitForRest());
        const Pictures last(f);
        for (std::size_t v = 0; v < 3; ++v)
            // at edges of adjacent voxels the drawing order decides, and slices may be drawn in another order
            QVERIFY2(differingShare(last.images[v], first.images[v]) < 0.002,
                     qPrintable(QString("reset: view %1, %2")
                                    .arg(v)
                                    .arg(differingShare(last.images[v], first.images[v]))));
    }

    void upIsThatOfOneScan() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.open(writeSheet("first.xyz", 0));
        QVERIFY(f.waitForViews());
        chooseUp(f, "-y");
        QVERIFY(f.waitForViews());
        QVERIFY(f.snapshot()->resolved->up == UpAxis::minusY);
        f.open(writeSheet("second.xyz", 1));
        QVERIFY(QTest::qWaitFor([&] { return f.window.windowTitle().startsWith("second.xyz"); }, 20'000));
        QVERIFY(f.waitForViews());
        QVERIFY(!f.snapshot()->recipe->up && f.snapshot()->resolved->up == UpAxis::z);
        QVERIFY(!f.window.parameters().recipe().up);
        QVERIFY(f.window.camera().camera().up == upVector(UpAxis::z));
    }
    void heightsFollowTheAxisThatIsUp() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.open(writeSheet("first.xyz", 0));
        QVERIFY(f.waitForViews());
        f.window.views().setStyle({false, false});
        Recipe recipe = f.window.parameters().recipe();
        const auto show = [&](ColourMapName map) {
            recipe = f.window.parameters().recipe();
            recipe.colourBy = "height";
            recipe.samples = 1;
            recipe.colourMap = map;
            f.window.parameters().setRecipe(recipe);
            emit f.window.parameters().recipeChanged(recipe);
            return f.waitForRest();
        };
        QVERIFY(show(ColourMapName::viridis));
        const Pictures before(f);
        chooseUp(f, "y");
        QVERIFY(f.waitForRest());
        const Pictures turned(f);
        QVERIFY(!(turned == before));
        QVERIFY(show(ColourMapName::cividis) && show(ColourMapName::viridis)); // all colours are recomputed
        const Pictures anew(f);
        for (std::size_t v = 0; v < 3; ++v)
            QVERIFY2(turned.images[v] == anew.images[v], qPrintable(QString("view %1").arg(v)));
    }
    void recipesTurnTheViewUnlessTheyHaveACamera() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.open(writeSheet("first.xyz", 0));
        QVERIFY(f.waitForViews());
        const Camera before = f.window.camera().camera();
        Recipe recipe;
        recipe.up = UpAxis::y;
        openRecipe(f, recipe);
        QVERIFY(f.waitForViews());
        const Camera after = f.window.camera().camera();
        QVERIFY(after.up == upVector(UpAxis::y));
        QVERIFY(norm(toZUp(after.eye - after.target, UpAxis::y) - (before.eye - before.target)) < 1e-9);
        // a recipe with a camera, and with an up axis that is chosen from the scan
        recipe.up = std::nullopt;
        recipe.camera = before;
        openRecipe(f, recipe);
        QVERIFY(f.waitForViews());
        QVERIFY(f.snapshot()->resolved->up == UpAxis::z);
        QVERIFY(f.window.camera().camera() == before);
        chooseUp(f, "y"); // the user's own choice rotates the view again
        QVERIFY(f.waitForViews());
        QVERIFY(f.window.camera().camera().up == upVector(UpAxis::y));
    }
    void upTurnsTheViewWhenTheNextFrameComesWithIt() {
        WindowFixture f;
        QVERIFY(f.isShown());
        const QString first = rawText(writeSheet("frame1.xyz", 0).string()),
                      second = rawText(writeSheet("frame2.xyz", 1).string());
        f.window.open({first, second}, SeveralAs::sequence);
        QVERIFY(f.waitForViews());
        Playlist& frames = f.window.playlist();
        frames.show(1);
        QVERIFY(QTest::qWaitFor([&] { return frames.shown() == 1; }, 20'000) && f.waitForViews());
        frames.show(0); // by now, both frames are read
        chooseUp(f, "-y");
        QVERIFY(QTest::qWaitFor([&] { return frames.shown() == 0; }, 20'000) && f.waitForViews());
        QVERIFY(f.snapshot()->resolved->up == UpAxis::minusY);
        QVERIFY(f.window.camera().camera().up == upVector(UpAxis::minusY));
    }

    void theViewsShowTheSameSilhouette_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("parameters"); // key=value pairs, separated by spaces
        QTest::newRow("bunny") << "ply/stanford_bun000.ply"
                               << "voxel_size=0.002 field=occupancy iso=0.3";
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
        QTest::keyClick(f.window.views().views()[0]->widget(), Qt::Key_F); // fits the view
        QVERIFY(f.waitForViews());
        const Pictures p(f);
        for (const auto& [a, b] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
            const QImage &one = p.images[std::size_t(a)], &other = p.images[std::size_t(b)];
            // one of the pictures may be a pixel wider
            const QRect common = one.rect().intersected(other.rect());
            const double overlap = silhouetteOverlap(one.copy(common), other.copy(common));
            std::printf("%s, views %d and %d: %.4f\n", QTest::currentDataTag(), a, b, overlap);
            QVERIFY(overlap >= 0.95);
        }
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowControls)
#include "test_window_controls.moc"
