// Camera placement: the picture covers the points.
#include "engine/picture/opening_view.h"
#include "engine/picture/view.h"
#include "engine/recipe/recipe.h"
#include "tests/engine/io/test_io_support.h"

#include <cmath>
#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr double kAspect = 16.0 / 9;

/// Points on a sphere of radius 1 about the origin.
std::vector<Vec3f> sphere(std::size_t count, std::mt19937_64& random) {
    std::normal_distribution<double> spread;
    std::vector<Vec3f> points;
    while (points.size() < count)
        points.push_back(normalized(Vec3d{spread(random), spread(random), spread(random)}).as<float>());
    return points;
}

/// Position of a point in the picture, from -1 to 1 along both axes.
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

/// Points of a street of 100 m x 8 m with walls of 6 m; its axis is at `degrees` to the x axis.
std::vector<Vec3f> street(double degrees, std::mt19937_64& random) {
    std::uniform_real_distribution<double> part(-0.5, 0.5);
    const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
    std::vector<Vec3f> points;
    while (points.size() < 20'000) {
        const double along = 100 * part(random), aside = 8 * part(random);
        const double height = std::abs(aside) > 3 ? 6 * (part(random) + 0.5) : 0;
        points.push_back(Vec3d{along * c - aside * s, along * s + aside * c, height}.as<float>());
    }
    return points;
}

/// Distance of the eye from the target.
double distance(const Camera& camera) {
    return norm(camera.target - camera.eye);
}

} // namespace

class TestView : public QObject {
    Q_OBJECT
private slots:
    void thinTipsAreShownWhole() {
        // a thin tip of few points must not count as an outlier
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
        // depth cameras write NaN for missing measurements, often in a third of all pixels
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
    void aLongSubjectLiesAcrossAWidePicture() {
        auto random = seededRandom("aLongSubjectLiesAcrossAWidePicture");
        Recipe wide;
        wide.imageWidth = 1600;
        wide.imageHeight = 400;
        for (const double degrees : {0.0, 30.0, 52.0, 90.0, 140.0}) {
            const auto points = street(degrees, random);
            const ViewSubject subject{{{-60, -60, -1}, {60, 60, 10}}, points, {}, nullptr};
            const Camera usual = cameraFor(wide, subject), opening = openingCamera(wide, subject);
            QVERIFY2(distance(opening) <= distance(usual), qPrintable(QString::number(degrees)));
            const Vec3d right = normalized(cross(opening.target - opening.eye, opening.up));
            const Vec3d axis{std::cos(degrees * M_PI / 180), std::sin(degrees * M_PI / 180), 0};
            QVERIFY2(std::abs(dot(right, axis)) > 0.75, qPrintable(QString::number(degrees)));
            QVERIFY(opening.up == usual.up);
        }
        // a street along the usual view: the opening view looks at it from the side, where it is much larger
        const auto points = street(52, random);
        const ViewSubject subject{{{-60, -60, -1}, {60, 60, 10}}, points, {}, nullptr};
        QVERIFY(distance(openingCamera(wide, subject)) < 0.8 * distance(cameraFor(wide, subject)));
    }
    void whatHasNoLongAxisOrAViewOfItsOwnIsNotTurned() {
        auto random = seededRandom("whatHasNoLongAxisOrAViewOfItsOwnIsNotTurned");
        Recipe recipe;
        recipe.imageWidth = 1600;
        recipe.imageHeight = 400;
        const auto round = sphere(20'000, random);
        const ViewSubject ball{{{-2, -2, -2}, {2, 2, 2}}, round, {}, nullptr};
        QVERIFY(openingCamera(recipe, ball) == cameraFor(recipe, ball));
        const auto points = street(52, random);
        const ViewSubject subject{{{-60, -60, -1}, {60, 60, 10}}, points, {}, nullptr};
        recipe.view = ViewPreset::oblique; // a view that the user chose is kept
        QVERIFY(openingCamera(recipe, subject) == cameraFor(recipe, subject));
        recipe.view = ViewPreset::automatic;
        recipe.imageWidth = 200; // in a narrow picture, the street would be smaller from the side
        QVERIFY(openingCamera(recipe, subject) == cameraFor(recipe, subject));
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestView)
#include "test_view.moc"
