// Marks over a view: their position, and clipping behind the camera.
#include "gui/views/scene/camera_frame.h"
#include "gui/views/surface/marks_layer.h"
#include "tests/support/test_support.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFont>
#include <QTest>
#include <memory>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::gui;

namespace {

constexpr QSize kView{400, 300};

/// A camera at the origin, looking along y.
Camera lookingAlongY(bool orthographic) {
    Camera camera;
    camera.eye = {0, 0, 0};
    camera.target = {0, 10, 0};
    camera.up = {0, 0, 1};
    camera.orthographic = orthographic;
    camera.orthographicHeight = 8;
    return camera;
}

SceneMark red(std::vector<Vec3d> markers) {
    SceneMark mark;
    mark.markers = std::move(markers);
    mark.colour = QColor(255, 0, 0);
    return mark;
}

/// The view with the marks over black.
QImage drawn(const SceneMarks& marks, const Camera& camera, double ratio = 1,
             std::optional<QPointF> cursor = {}) {
    MarksLayer layer;
    layer.setMarks(marks);
    layer.setCursor(cursor);
    const PlacedImage placed = layer.image(camera, kView, QFont(), ratio);
    QImage view(kView * ratio, QImage::Format_RGB32);
    view.fill(Qt::black);
    for (int y = 0; y < placed.image.height(); ++y)
        for (int x = 0; x < placed.image.width(); ++x)
            view.setPixel(placed.at + QPoint(x, y), placed.image.pixel(x, y));
    return view;
}

bool isRed(const QImage& view, QPointF at) {
    const QColor colour = view.pixelColor(at.toPoint());
    return colour.red() > 200 && colour.green() < 60;
}

int redPixels(const QImage& view) {
    int count = 0;
    for (int y = 0; y < view.height(); ++y)
        for (int x = 0; x < view.width(); ++x)
            count += isRed(view, QPointF(x, y));
    return count;
}

} // namespace

class TestMarksLayer : public QObject {
    Q_OBJECT
private slots:
    void markersLieAtTheirPlaces() {
        for (const bool orthographic : {false, true})
            for (const double ratio : {1.0, 2.0}) {
                const Camera camera = lookingAlongY(orthographic);
                const Vec3d p{1.5, 10, 0.75};
                const QPointF at = CameraFrame(camera, kView).project(p);
                const QImage view = drawn({{red({p})}}, camera, ratio);
                QVERIFY(isRed(view, at * ratio));
                QVERIFY(redPixels(view) > 20 * ratio && redPixels(view) < 100 * ratio * ratio);
            }
    }
    void marksBehindTheCameraAreNotDrawn() {
        for (const bool orthographic : {false, true}) {
            const Camera camera = lookingAlongY(orthographic);
            QCOMPARE(redPixels(drawn({{red({{0, -5, 0}})}}, camera)), 0);
            SceneMark behind = red({});
            behind.lines = {{{-1, -5, 0}, {1, -5, 0}}};
            behind.area = {{-1, -5, 0}, {1, -5, 0}, {0, -5, 1}};
            behind.text = "behind";
            behind.textAt = {0, -5, 0};
            QCOMPARE(redPixels(drawn({{behind}}, camera)), 0);
        }
    }
    void textsAtTheRightBorderAreWhole() {
        const Camera camera = lookingAlongY(false);
        const auto textAt = [&](double x) {
            SceneMark mark = red({});
            mark.text = "12.345 m";
            mark.textAt = CameraFrame(camera, kView).pointAt(QPointF(x, 150), 10);
            return redPixels(drawn({{mark}}, camera));
        };
        QVERIFY(textAt(200) > 50);
        QVERIFY(textAt(390) > 0.9 * textAt(200));
    }
    /// A line from behind the eye to a visible point ends at this point, and enters the picture from the
    /// correct side.
    void linesFromBehindAreCut() {
        const Camera camera = lookingAlongY(false);
        SceneMark mark = red({});
        mark.lines = {{{2, -10, 0}, {2, 10, 0}}}; // a line to the right of the eye
        const QImage view = drawn({{mark}}, camera);
        const QPointF end = CameraFrame(camera, kView).project({2, 10, 0});
        QVERIFY(redPixels(view) > 100);
        for (int x = 0; x < view.width(); ++x)
            QCOMPARE(isRed(view, QPointF(x, end.y())), x >= end.x() - 1);
        mark.lines.clear();
        // the ground as an area
        mark.area = {{-1e6, -1e6, -1}, {1e6, -1e6, -1}, {1e6, 1e6, -1}, {-1e6, 1e6, -1}};
        mark.colour = QColor(255, 0, 0);
        const QImage ground = drawn({{mark}}, camera);
        QCOMPARE(ground.pixelColor(200, 100).red(), 0); // the sky
        QVERIFY(ground.pixelColor(200, 250).red() > 30);
    }
    void arrowsEndWithinTheView() {
        const Camera camera = lookingAlongY(false);
        const CameraFrame frame(camera, kView);
        SceneMark mark = red({});
        mark.arrows = true;
        mark.lines = {{{-2, 10, 0}, {2, 10, 0}}};
        const QPointF left = frame.project({-2, 10, 0}), right = frame.project({2, 10, 0});
        const auto isHeadAt = [&](const QImage& view, QPointF tip, double inwards) {
            return isRed(view, tip + QPointF(8 * inwards, 3)) &&
                   isRed(view, tip + QPointF(8 * inwards, -4)) && !isRed(view, tip - QPointF(8 * inwards, 0));
        };
        const QImage whole = drawn({{mark}}, camera);
        QVERIFY(isHeadAt(whole, left, 1) && isHeadAt(whole, right, -1));
        QVERIFY(isRed(whole, (left + right) / 2));
        mark.lines = {{{-200, 10, 0}, {2, 10, 0}}}; // a line from far to the left
        const QImage cut = drawn({{mark}}, camera);
        QVERIFY(isHeadAt(cut, QPointF(12, left.y()), 1) && isHeadAt(cut, right, -1));
        mark.lines = {{{-200, 10, 0}, {-100, 10, 0}}};
        QCOMPARE(redPixels(drawn({{mark}}, camera)), 0);
    }
    void pointsAreTranslucentDots() {
        for (const double ratio : {1.0, 2.0}) {
            const Camera camera = lookingAlongY(false);
            const Vec3d p{1.5, 10, 0.75};
            SceneMark mark = red({});
            mark.points =
                std::make_shared<const std::vector<Vec3d>>(std::vector<Vec3d>{p, {0, -10, 0}, {1e9, 1, 0}});
            MarksLayer layer;
            layer.setMarks({{mark}});
            const PlacedImage placed = layer.image(camera, kView, QFont(), ratio);
            const QPoint at = (CameraFrame(camera, kView).project(p) * ratio).toPoint() - placed.at;
            int dots = 0;
            for (int y = 0; y < placed.image.height(); ++y)
                for (int x = 0; x < placed.image.width(); ++x)
                    if (const QColor seen = placed.image.pixelColor(x, y); seen.alpha() > 0) {
                        QVERIFY(seen.red() > 250 && seen.alpha() > 100 && seen.alpha() < 220);
                        QVERIFY((QPoint(x, y) - at).manhattanLength() <= 4 * ratio);
                        ++dots;
                    }
            QCOMPARE(dots, int(4 * ratio * ratio));
        }
    }
    void textsAvoidEachOther() {
        const Camera camera = lookingAlongY(false);
        std::vector<SceneMark> marks(3, red({}));
        for (std::size_t i = 0; i < marks.size(); ++i) {
            marks[i].text = "also fits 4.00 m along x";
            marks[i].textAt = {-2 + 0.1 * double(i), 10, 0};
        }
        const int over = redPixels(drawn({marks}, camera));
        for (SceneMark& mark : marks)
            mark.textAvoidsOthers = true;
        const int apart = redPixels(drawn({marks}, camera)), one = redPixels(drawn({{marks[0]}}, camera));
        QVERIFY2(apart > 2.8 * one && apart < 3.2 * one,
                 qPrintable(QStringLiteral("%1, each alone %2").arg(apart).arg(one)));
        QVERIFY(over < 2.8 * one);
        // a marker behind the text, and an arrow through it
        for (const bool isArrow : {false, true}) {
            SceneMark other = red({});
            other.colour = QColor(0, 255, 0);
            other.arrows = isArrow;
            if (isArrow)
                other.lines = {{{-3, 10, -0.25}, {3, 10, 0.75}}};
            else
                other.markers = {{-0.5, 10, 0.3}};
            const QImage seen = drawn({{marks[0], other}}, camera);
            QVERIFY(redPixels(seen) > 0.98 * one);
        }
    }
    /// For arbitrary positions, drawing ends soon and stays within the view.
    void farPlacesAreHarmless() {
        auto random = test::seededRandom("farPlacesAreHarmless");
        std::uniform_real_distribution<double> exponent(-3, 12), sign(-1, 1);
        const auto any = [&] { return std::copysign(std::pow(10, exponent(random)), sign(random)); };
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 200; ++i) {
            SceneMark mark = red({{any(), any(), any()}});
            mark.lines = {{{any(), any(), any()}, {any(), any(), any()}, {any(), any(), any()}}};
            mark.dashedLines = mark.lines;
            mark.area = mark.lines.front();
            mark.text = "far";
            mark.textAt = mark.area.front();
            MarksLayer layer;
            layer.setMarks({{mark}});
            const PlacedImage& placed = layer.image(lookingAlongY(i % 2 == 0), kView, QFont(), 1);
            QVERIFY(placed.image.isNull() ||
                    QRect(QPoint(0, 0), kView).contains(QRect(placed.at, placed.image.size())));
        }
        SceneMark nowhere = red({{any(), std::nan(""), any()}});
        nowhere.lines = {{{0, std::nan(""), 0}, {1, 5, 0}}};
        QCOMPARE(redPixels(drawn({{nowhere}}, lookingAlongY(false))), 0);
        QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
    }
    void theRubberLineFollowsTheCursor() {
        const Camera camera = lookingAlongY(false);
        SceneMarks marks{{red({{0, 10, 0}})}, Vec3d{0, 10, 0}};
        const auto redAt = [&](std::optional<QPointF> cursor) {
            return drawn(marks, camera, 1, cursor).pixelColor(280, 150).red();
        };
        QVERIFY(redAt(QPointF(300, 150)) > 60); // a thin line between two rows of pixels is still visible
        QCOMPARE(redAt(std::nullopt), 0);
        QCOMPARE(redAt(QPointF(100, 150)), 0);
        marks.rubberFrom.reset();
        QCOMPARE(redAt(QPointF(300, 150)), 0);
    }
    void imagesAreKept() {
        MarksLayer layer;
        QVERIFY(layer.setMarks({{red({{0, 10, 0}})}}));
        QVERIFY(!layer.setMarks({{red({{0, 10, 0}})}}));
        const qint64 first = layer.image(lookingAlongY(false), kView, QFont(), 1).image.cacheKey();
        QVERIFY(!layer.setCursor(QPointF(5, 5))); // there is no rubber line
        QCOMPARE(layer.image(lookingAlongY(false), kView, QFont(), 1).image.cacheKey(), first);
        QVERIFY(layer.image(lookingAlongY(true), kView, QFont(), 1).image.cacheKey() != first);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestMarksLayer)
#include "test_marks_layer.moc"
