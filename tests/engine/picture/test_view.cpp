// Where the camera of a picture stands: what it shows of the points.
#include "engine/picture/view.h"
#include "tests/engine/io/test_io_support.h"

#include <cmath>
#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr double kAspect = 16.0 / 9;

/// A sphere's surface about the origin, radius 1.
std::vector<Vec3f> sphere(std::size_t count, std::mt19937_64& random) {
    std::normal_distribution<double> spread;
    std::vector<Vec3f> points;
    while (points.size() < count)
        points.push_back(normalized(Vec3d{spread(random), spread(random), spread(random)}).as<float>());
    return points;
}

/// Where a point comes to lie in the picture, -1 to 1 both ways.
std::pair<double, double> placed(const Camera& camera, Vec3f point) {
    const Vec3d forward = normalized(camera.target - camera.eye);
    const Vec3d right = normalized(cross(forward, camera.up)), down = cross(forward, right);
    const Vec3d v = point.as<double>() - camera.eye;
    const double across = dot(v, forward) * std::tan(camera.verticalFov / 2);
    return {dot(v, right) / (across * kAspect), dot(v, down) / across};
}

Camera seen(const std::vector<Vec3f>& points) {
    Recipe recipe;
    recipe.imageWidth = 1600;
    recipe.imageHeight = 900;
    return cameraFor(recipe, {{{-100, -100, -100}, {100, 100, 100}}, points, {}, nullptr});
}

} // namespace

class TestView : public QObject {
    Q_OBJECT
private slots:
    void thinTipsAreShownWhole() {
        // an ear has few points, but is no stray
        auto random = seededRandom("thinTipsAreShownWhole");
        auto points = sphere(20000, random);
        for (int i = 0; i < 30; ++i)
            points.push_back({0, 0, 1 + float(i) * 0.01f});
        const Camera camera = seen(points);
        for (const Vec3f& point : points) {
            const auto [x, y] = placed(camera, point);
            QVERIFY2(std::abs(x) < 1 && std::abs(y) < 1, qPrintable(QString("%1 %2").arg(x).arg(y)));
        }
    }
    void strayPointsDoNotMakeTheRestSmall() {
        auto random = seededRandom("strayPointsDoNotMakeTheRestSmall");
        auto points = sphere(20000, random);
        const std::size_t whole = points.size();
        for (int i = 0; i < 30; ++i)
            points.push_back({0, 0, 5 + float(i)});
        const Camera camera = seen(points);
        double highest = 1, lowest = -1;
        for (std::size_t i = 0; i < whole; ++i) {
            const double y = placed(camera, points[i]).second;
            highest = std::min(highest, y);
            lowest = std::max(lowest, y);
        }
        QVERIFY2(lowest - highest > 1.7, qPrintable(QString::number(lowest - highest)));
    }
    void missingPointsAreNotFramed() {
        // depth cameras write NaN where they measured nothing, often in a third of all pixels
        auto random = seededRandom("missingPointsAreNotFramed");
        const auto points = sphere(3000, random);
        const Camera alone = seen(points);
        auto withMissing = points;
        const float nan = std::numeric_limits<float>::quiet_NaN();
        for (int i = 0; i < 1000; ++i)
            withMissing.push_back(i % 2 ? Vec3f{nan, nan, nan} : Vec3f{0, 0, nan});
        const Camera camera = seen(withMissing);
        QVERIFY(camera == alone);
        QVERIFY(isFinite(camera.eye) && isFinite(camera.target));
    }
};

QTEST_GUILESS_MAIN(TestView)
#include "test_view.moc"
