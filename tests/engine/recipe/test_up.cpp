// The up axis: its detection from scans, and its effect on views, heights and recipes.
#include "engine/io/common/read_options.h"
#include "engine/io/scan_reader.h"
#include "engine/picture/view.h"
#include "engine/recipe/defaults.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/snapshot.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/pipeline_run.h"

#include <cmath>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr UpAxis kAll[] = {UpAxis::x, UpAxis::minusX, UpAxis::y, UpAxis::minusY, UpAxis::z, UpAxis::minusZ};

std::string nameOfUp(UpAxis up) {
    Recipe recipe;
    recipe.up = up;
    return toText(recipe, parameter("up"));
}

std::shared_ptr<PointCloud> cloudOf(const std::vector<Vec3f>& points,
                                    std::vector<Attribute> attributes = {}) {
    return std::make_shared<PointCloud>(FloatPositions{hostCopy(std::span(points))}, std::move(attributes),
                                        std::stop_token());
}

/// Points with z up, rotated so that `up` is up.
std::vector<Vec3f> turned(std::vector<Vec3f> points, UpAxis up) {
    for (Vec3f& p : points)
        p = fromZUp(p.as<double>(), up).as<float>();
    return points;
}

/// The side of a cone without its base, as scanners see a statue.
std::vector<Vec3f> cone(double height, std::mt19937_64& random) {
    std::uniform_real_distribution<double> part(0, 1);
    std::vector<Vec3f> points;
    for (int i = 0; i < 5000; ++i) {
        const double h = part(random), angle = 6.28318 * part(random), radius = 0.4 * (1 - h) * height;
        points.push_back(
            {float(radius * std::cos(angle)), float(radius * std::sin(angle)), float(h * height)});
    }
    return points;
}

UpAxis guessed(const PointCloud& cloud) {
    return defaultsFor(cloud, {}).up.up;
}

} // namespace

class TestUp : public QObject {
    Q_OBJECT
private slots:
    void turnsAreRotations() {
        for (const UpAxis up : kAll) {
            const Vec3d x = fromZUp({1, 0, 0}, up), y = fromZUp({0, 1, 0}, up), z = upVector(up);
            QVERIFY(cross(x, y) == z && dot(x, y) == 0 && norm(x) == 1);
            QVERIFY((toZUp(fromZUp({1, 2, 3}, up), up) == Vec3d{1, 2, 3}));
            QCOMPARE(z[int(up) / 2], int(up) % 2 == 0 ? 1.0 : -1.0);
            QVERIFY(levelUp(x, up) == z);
            QVERIFY(levelUp(z * -3.0, up) == y);
        }
    }
    void objectsStandOnTheirBase() {
        auto random = seededRandom("objectsStandOnTheirBase");
        const auto points = cone(0.2, random);
        for (const UpAxis up : kAll)
            QCOMPARE(nameOfUp(guessed(*cloudOf(turned(points, up)))), nameOfUp(up));
    }
    void whatIsNoObjectKeepsZ() {
        auto random = seededRandom("whatIsNoObjectKeepsZ");
        const auto small = turned(cone(0.2, random), UpAxis::y);
        QVERIFY(guessed(*cloudOf(turned(cone(20, random), UpAxis::y))) == UpAxis::z); // a hill
        std::vector<Attribute> time;
        time.push_back(makeAttribute("time", ScalarType::float64, std::vector<double>(small.size(), 1.0)));
        QVERIFY(guessed(*cloudOf(small, std::move(time))) == UpAxis::z);
        auto inUtm = std::vector<Vec3d>();
        for (const Vec3f& p : small)
            inUtm.push_back(p.as<double>() + Vec3d{512800, 5403700, 250});
        QVERIFY(guessed(PointCloud(DoublePositions{hostCopy(std::span(inUtm)), -1}, {}, {})) == UpAxis::z);
        auto georeferenced = cloudOf(small);
        georeferenced->coordinateSystem = "EPSG:25832";
        QVERIFY(guessed(*georeferenced) == UpAxis::z);
        auto scanned = cloudOf(small);
        scanned->sensor = SensorPose{{1, 2, 3}, {}};
        QVERIFY(guessed(*scanned) == UpAxis::z);
        QVERIFY(guessed(*cloudOf({small.begin(), small.begin() + 100})) == UpAxis::z);
        std::vector<Vec3f> ball, wall;
        // three normal variates have a uniformly distributed direction
        std::normal_distribution<float> direction;
        for (const Vec3f& p : small) {
            ball.push_back(normalized(Vec3f{direction(random), direction(random), direction(random)}));
            wall.push_back({p.x, 0, p.y});
        }
        QVERIFY(guessed(*cloudOf(ball)) == UpAxis::z);
        QVERIFY(guessed(*cloudOf(wall)) == UpAxis::z);
    }
    void depthCamerasHaveYDown() {
        auto random = seededRandom("depthCamerasHaveYDown");
        auto points = cone(0.2, random);
        for (Vec3f& p : points)
            p += Vec3f{0, 0, 0.6f};
        auto cloud = cloudOf(points);
        cloud->sensor = SensorPose{};
        QVERIFY(guessed(*cloud) == UpAxis::minusY);
        for (Vec3f& p : points)
            p = {p.z, p.x, p.y}; // the lidar of a robot looks along x
        cloud = cloudOf(points);
        cloud->sensor = SensorPose{};
        QVERIFY(guessed(*cloud) != UpAxis::minusY);
    }
    void realScans_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("up");
        for (const char* bunny : {"ply/stanford_bun000.ply", "ply/stanford_bun045.ply", "e57/bunnyInt32.e57",
                                  "pcd/bun0.pcd", "pcd/bun4.pcd", "ply/happly_spot_quad_nopoly.ply"})
            QTest::newRow(bunny) << bunny << "y";
        for (const char* camera : {"pcd/milk.pcd", "pcd/office1.pcd"})
            QTest::newRow(camera) << camera << "-y";
        for (const char* upright :
             {"pcd/lamppost.pcd", "pcd/min_cut_segmentation_tutorial.pcd", "pcd/samp11-utm.pcd",
              "ndt/room_scan1.pcd", "ply/trimesh_fuze.ply", "ply/open3d_bathtub_0154.ply",
              "las/pdal_autzen_trim.laz", "sweeps/kitti_training_000000.bin", "e57/pdal_A4.e57",
              "e57/libe57_ColouredCubeFloat.e57"})
            QTest::newRow(upright) << upright << "z";
    }
    void realScans() {
        QFETCH(QString, file);
        QFETCH(QString, up);
        SCANLOUPE_REAL_SCAN(path, file.toStdString());
        QCOMPARE(QString::fromStdString(nameOfUp(guessed(*readScan(path, {}, {})))), up);
    }
    /// A scan that is rotated together with its up axis looks the same as before.
    void picturesTurnWithTheScan() {
        auto random = seededRandom("picturesTurnWithTheScan");
        const auto points = cone(8, random); // too large for a guess
        for (const char* view : {"oblique", "top", "front", "left"}) {
            const auto picture = [&](UpAxis up, const char* chosen) {
                Run run(std::shared_ptr<const PointCloud>(cloudOf(turned(points, up))));
                run.set("show", "points");
                run.set("point_size", "5");
                run.set("colour_by", "height");
                run.set("samples", "1");
                run.set("view", view);
                run.set("voxel_size", "0.25");
                run.set("up", chosen);
                const Snapshot snapshot = run();
                const auto pixels = snapshot.picture->image.host().pixels.span();
                return std::vector<std::uint32_t>(pixels.begin(), pixels.end());
            };
            const auto wanted = picture(UpAxis::z, "auto");
            for (const UpAxis up : kAll) {
                const auto shown = picture(up, nameOfUp(up).c_str());
                std::size_t different = 0, lit = 0;
                for (std::size_t i = 0; i < wanted.size(); ++i) {
                    const auto differs = [&](int shift) {
                        const int a = int(wanted[i] >> shift & 0xff), b = int(shown[i] >> shift & 0xff);
                        return std::abs(a - b) > 24;
                    };
                    different += differs(0) || differs(8) || differs(16);
                    lit += wanted[i] != wanted[0];
                }
                QVERIFY2(lit > 2000 && different < lit / 50,
                         qPrintable(QString("%1 %2: %3 of %4")
                                        .arg(view, QString::fromStdString(nameOfUp(up)))
                                        .arg(different)
                                        .arg(lit)));
            }
        }
    }
    void aNoteTellsTheGuess() {
        auto random = seededRandom("aNoteTellsTheGuess");
        const auto says = [](const Snapshot& snapshot) {
            return std::any_of(snapshot.notes.begin(), snapshot.notes.end(), [](const RunNote& note) {
                return note.text == "Up axis estimated: y, since the points have a broad base on that side.";
            });
        };
        Run run(std::shared_ptr<const PointCloud>(cloudOf(turned(cone(0.2, random), UpAxis::y))));
        const Snapshot guess = run(kNoPicture);
        QVERIFY(says(guess) && guess.resolved->up == UpAxis::y);
        run.set("up", "z");
        const Snapshot given = run(kNoPicture);
        QVERIFY(!says(given) && given.resolved->up == UpAxis::z);
    }
    void recipesAndOptionsKeepIt() {
        Recipe recipe;
        QCOMPARE(toText(recipe, parameter("up")), std::string("auto"));
        recipe.up = UpAxis::minusX;
        QVERIFY(recipeFromJson(toJson(recipe)) == recipe);
        const Scratch scratch;
        std::string text;
        for (int i = 0; i < 50; ++i)
            text += std::to_string(i % 7) + " " + std::to_string(i % 5) + " " + std::to_string(i) + "\n";
        const auto scan = scratch.file("a.xyz", text).string();
        const auto written = cli({"recipe", scan, "--up=-y", "--camera=0,10,0,0,0,0"});
        QCOMPARE(written.code, 0);
        const Recipe chosen = recipeFromJson(written.out);
        QVERIFY(chosen.up == UpAxis::minusY);
        QVERIFY(chosen.camera && chosen.camera->up == fromZUp({0, 1, 0}, UpAxis::minusY)); // a plan
        QVERIFY(recipeFromJson(cli({"recipe", scan}).out).up == UpAxis::z);
        const auto wrong = cli({"recipe", scan, "--up", "north"});
        QVERIFY(wrong.code == 2 && wrong.err.find("x, -x, y, -y, z, -z") != std::string::npos);
    }
};

SCANLOUPE_TEST(TestUp)
#include "test_up.moc"
