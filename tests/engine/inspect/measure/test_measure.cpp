// The arithmetic of measurements, including degenerate cases, their CSV, and snapping.
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/measure/measure_kind.h"
#include "engine/picture/nearest_point.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <numbers>

using namespace scanloupe;

namespace {

constexpr Vec3d kUp{0, 0, 1};
const Vec3d kFar{652'000.25, 5'430'000.5, 400.125}; // map coordinates of a survey

Measure measureOf(MeasureKind kind, const std::vector<Vec3d>& points) {
    Measure measure{kind, "m", {}, 0xff8000, true};
    for (const Vec3d& p : points)
        measure.points.push_back({p, MeasureSnap::scanPoint});
    return measure;
}

MeasureValues valuesAt(MeasureKind kind, std::vector<Vec3d> points, Vec3d offset = {}, Vec3d up = kUp) {
    for (Vec3d& p : points)
        p += offset;
    return valuesOf(measureOf(kind, points), up);
}

bool isNear(double value, double expected, double tolerance = 1e-9) {
    return std::abs(value - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

/// Rotates a vector about a unit axis (Rodrigues).
Vec3d rotated(Vec3d v, Vec3d axis, double angle) {
    return v * std::cos(angle) + cross(axis, v) * std::sin(angle) +
           axis * dot(axis, v) * (1 - std::cos(angle));
}

} // namespace

class TestMeasure : public QObject {
    Q_OBJECT
private slots:
    void distances() {
        const MeasureValues v = valuesAt(MeasureKind::distance, {{1, 2, 3}, {4, 6, -9}});
        QVERIFY(isNear(v.distance, 13) && isNear(v.horizontal, 5) && isNear(v.height, -12));
        QVERIFY(std::isnan(v.angle) && std::isnan(v.area));
        const MeasureValues y = valuesAt(MeasureKind::distance, {{1, 2, 3}, {4, 6, -9}}, {}, {0, -1, 0});
        QVERIFY(isNear(y.distance, 13) && isNear(y.horizontal, std::hypot(3, 12)) && isNear(y.height, -4));
        const MeasureValues same = valuesAt(MeasureKind::distance, {{1, 2, 3}, {1, 2, 3}}, kFar);
        QVERIFY(same.distance == 0 && same.horizontal == 0 && same.height == 0);
        QVERIFY(isNear(valuesAt(MeasureKind::height, {{0, 0, 1}, {7, 0, 3.5}}).height, 2.5));
    }
    /// At map coordinates, a millimetre is still measured as a millimetre.
    void farFromTheOrigin() {
        QVERIFY(
            isNear(valuesAt(MeasureKind::distance, {{0, 0, 0}, {0.001, 0, 0}}, kFar).distance, 0.001, 1e-9));
        const std::vector<Vec3d> square{{0, 0, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}};
        QVERIFY(isNear(valuesAt(MeasureKind::area, square, kFar).area, 0.25));
    }
    void angles() {
        QVERIFY(isNear(valuesAt(MeasureKind::angle, {{1, 0, 0}, {0, 0, 0}, {0, 5, 0}}).angle, 90));
        QVERIFY(isNear(valuesAt(MeasureKind::angle, {{1, 0, 0}, {0, 0, 0}, {-3, 0, 0}}).angle, 180));
        QCOMPARE(valuesAt(MeasureKind::angle, {{1, 0, 0}, {0, 0, 0}, {4, 0, 0}}).angle, 0.0);
        // the arccosine of a dot product would be 0 here
        const double tiny = 1e-9;
        QVERIFY(isNear(valuesAt(MeasureKind::angle, {{1, 0, 0}, {0, 0, 0}, {1, tiny, 0}}).angle,
                       tiny * 180 / std::numbers::pi, 1e-15));
        QVERIFY(std::isnan(valuesAt(MeasureKind::angle, {{1, 1, 1}, {1, 1, 1}, {4, 0, 0}}).angle));
    }
    void circles() {
        const MeasureValues unit = valuesAt(MeasureKind::circle, {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}}, kFar);
        QVERIFY(isNear(unit.radius, 1, 1e-6) && isNear(unit.diameter, 2, 1e-6));
        // a triangle with sides of 13, 14 and 15; its circumradius is the product of the sides over four
        // times its area of 84
        const MeasureValues tilted = valuesAt(MeasureKind::circle, {{0, 0, 0}, {0, 0, 14}, {12, 0, 5}});
        QVERIFY(isNear(tilted.radius, 13.0 * 14 * 15 / (4 * 84)));
        const MeasureValues line = valuesAt(MeasureKind::circle, {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}});
        QVERIFY(std::isnan(line.radius) && std::isnan(line.diameter));
    }
    /// The drawn outline passes through the three picked points, and has a constant distance from the centre.
    void aCircleIsDrawnThroughItsPoints() {
        Measure measure;
        measure.kind = MeasureKind::circle;
        measure.points = {{{3, 4, 5}}, {{3, 6, 7}}, {{1, 4, 7.5}}};
        const MeasureDrawing drawing = drawingOf(measure, {0, 0, 1});
        const double radius = valuesOf(measure, {0, 0, 1}).radius;
        for (const MeasurePoint& point : measure.points)
            QVERIFY(isNear(norm(point.position - drawing.textAt), radius));
        for (const Vec3d& corner : drawing.lines[0])
            QVERIFY(isNear(norm(corner - drawing.textAt), radius));
        QVERIFY(norm(drawing.lines[0].front() - measure.points[0].position) < 1e-9);
    }
    void tooFewPointsHaveNoValues() {
        for (const MeasureKindRow& row : measureKinds())
            for (std::size_t n = 0; n < row.minPoints; ++n) {
                const MeasureValues v = valuesAt(row.kind, std::vector<Vec3d>(n));
                for (const MeasureFigure& figure : measureFigures())
                    QVERIFY(std::isnan(v.*figure.value));
            }
    }
    void kindsAreInTheOrderOfTheEnumeration() {
        for (const MeasureKindRow& row : measureKinds()) {
            QVERIFY(&rowOf(row.kind) == &row);
            QVERIFY(row.evaluate && row.draw && row.minPoints <= row.maxPoints);
        }
    }
    void areas() {
        const std::vector<Vec3d> l{{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
        const MeasureValues flat = valuesAt(MeasureKind::area, l);
        QVERIFY(isNear(flat.area, 4) && isNear(flat.perimeter, 10) && flat.deviation < 1e-12);
        QVERIFY(!flat.edgesCross);
        std::vector<Vec3d> backwards(l.rbegin(), l.rend());
        QVERIFY(isNear(valuesAt(MeasureKind::area, backwards).area, 4));
    }
    /// Two perpendicular triangles with a common edge, each with an area of 0.5. Their projection has an area
    /// of sqrt(2) / 2.
    void foldedAreas() {
        const MeasureValues v = valuesAt(MeasureKind::area, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
        // half the cross product of the diagonals (0, 1, 0) and (-1, 0, 1) is the area vector
        QVERIFY(isNear(v.area, std::sqrt(2.0) / 2));
        QVERIFY(v.deviation > 0.1);
    }
    void degenerateAreas() {
        const MeasureValues line = valuesAt(MeasureKind::area, {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}}, kFar);
        QVERIFY(line.area < 1e-9 && isNear(line.perimeter, 2 * std::sqrt(27.0)) && !line.edgesCross);
        const MeasureValues point = valuesAt(MeasureKind::area, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}});
        QVERIFY(point.area == 0 && point.perimeter == 0 && point.deviation == 0);
        // a bow tie, whose halves cancel exactly
        const MeasureValues tie =
            valuesAt(MeasureKind::area, {{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 2, 0}}, kFar);
        QVERIFY(tie.edgesCross && std::isnan(tie.area) && isNear(tie.perimeter, 4 + 4 * std::sqrt(2.0)));
        // a crossed polygon with halves of different areas
        const MeasureValues uneven =
            valuesAt(MeasureKind::area, {{0, 0, 0}, {4, 4, 0}, {4, 0, 0}, {0, 1, 0}});
        QVERIFY(uneven.edgesCross && std::isnan(uneven.area));
        // only the closing edge crosses another edge
        QVERIFY(valuesAt(MeasureKind::area, {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {6, 2, 0}}).edgesCross);
    }
    /// A regular polygon in any pose, first planar, then with corners off its plane.
    void areasOfTurnedPolygons() {
        auto random = test::seededRandom("areasOfTurnedPolygons");
        std::uniform_real_distribution<double> any(-1, 1);
        for (int round = 0; round < 200; ++round) {
            const int n = 3 + int(random() % 20);
            const double radius = std::pow(10.0, 2 * any(random));
            const Vec3d axis = normalized(Vec3d{any(random), any(random), any(random) + 2});
            const double angle = 3 * any(random);
            std::vector<Vec3d> corners;
            for (int i = 0; i < n; ++i) {
                const double a = 2 * std::numbers::pi * i / n;
                corners.push_back(rotated(Vec3d{std::cos(a), std::sin(a), 0} * radius, axis, angle));
            }
            const MeasureValues v = valuesAt(MeasureKind::area, corners);
            QVERIFY(isNear(v.area / (radius * radius), n * std::sin(2 * std::numbers::pi / n) / 2));
            QVERIFY(isNear(v.perimeter / radius, 2 * n * std::sin(std::numbers::pi / n)));
            QVERIFY(v.deviation < 1e-9 * radius && !v.edgesCross);
            const Vec3d normal = rotated({0, 0, 1}, axis, angle);
            const double off = 0.1 * radius;
            for (Vec3d& corner : corners) // all corners shifted to the same side: the fitted plane follows
                corner += normal * off;
            QVERIFY(valuesAt(MeasureKind::area, corners).deviation < 1e-9 * radius);
            if (n % 2 == 0) {
                for (int i = 0; i < n; ++i) // corners alternate above and below the plane, which keeps the
                                            // projected area
                    corners[std::size_t(i)] += normal * (i % 2 ? off : -off);
                const MeasureValues zigzag = valuesAt(MeasureKind::area, corners);
                QVERIFY(isNear(zigzag.area, v.area) && isNear(zigzag.deviation / off, 1, 1e-6));
            }
        }
    }

    void csv() {
        MeasureList list{measureOf(MeasureKind::distance, {{1, 2, 3}, {4, 6, 3}}),
                         measureOf(MeasureKind::point, {kFar})};
        list[0].name = "a \"wide\" gap, really";
        list[0].points[1].snap = MeasureSnap::surface;
        list[1].visible = false;
        QCOMPARE(QString::fromStdString(toCsv(list, kUp, LengthUnit::metre)),
                 QStringLiteral(
                     "measure,name,kind,distance_m,horizontal_m,height_m,angle_deg,area_m2,"
                     "perimeter_m,deviation_m,radius_m,diameter_m,colour,visible,point,x,y,z,snapped_to\n"
                     "1,\"a \"\"wide\"\" gap, really\",distance,5,5,0,,,,,,,#ff8000,1,1,1,2,3,"
                     "scan point\n"
                     "1,\"a \"\"wide\"\" gap, really\",distance,5,5,0,,,,,,,#ff8000,1,2,4,6,3,"
                     "surface\n"
                     "2,\"m\",point,,,,,,,,,,#ff8000,0,1,652000.25,5430000.5,400.125,"
                     "scan point\n"));
        QVERIFY(toCsv({}, kUp, LengthUnit::foot)
                    .starts_with("measure,name,kind,distance_ft,horizontal_ft,height_ft,angle_deg,area_ft2,"
                                 "perimeter_ft,deviation_ft,radius_ft,diameter_ft,"));
        QCOMPARE(toCsv({}, kUp, LengthUnit::metre).find('\n'), toCsv({}, kUp, LengthUnit::metre).size() - 1);
    }

    /// The nearest of many points, compared with the result of a plain loop.
    void nearestPoints() {
        auto random = test::seededRandom("nearestPoints");
        std::uniform_real_distribution<double> any(0, 10);
        DoublePositions positions{Buffer<Vec3d>::host(200'000), -1};
        for (std::size_t i = 0; i < positions.xyz.size(); ++i)
            positions.xyz[i] = Vec3d{any(random), any(random), any(random)} + kFar;
        positions.xyz[5].y = MeasureValues::kNone;
        positions.xyz[199'999] = positions.xyz[70'000]; // a second point at the same position
        const Vec3d twice = positions.xyz[70'000];
        const PointCloud cloud(std::move(positions), {}, {});
        const Bounds all{kFar, kFar + Vec3d{10, 10, 10}};
        for (int round = 0; round < 20; ++round) {
            const Vec3d place = Vec3d{any(random), any(random), any(random)} + kFar;
            std::size_t expected = 0;
            double least = 1e300;
            for (std::size_t i = 0; i < cloud.size(); ++i)
                if (const double d = norm(cloud.position(i) - place); d < least) {
                    least = d;
                    expected = i;
                }
            const auto found = nearestPoint(cloud, place, 1, all, {}, {});
            QVERIFY(found && *found == expected);
            QVERIFY(!nearestPoint(cloud, place, least * 0.99, all, {}, {}));
            const Bounds beside{cloud.position(expected) + Vec3d{1e-6, 0, 0}, all.max};
            const auto next = nearestPoint(cloud, place, 20, beside, {}, {});
            QVERIFY(!next || *next != expected);
        }
        QCOMPARE(*nearestPoint(cloud, twice, 1, all, {}, {}), std::size_t(70'000));
    }
};

SCANLOUPE_TEST(TestMeasure)
#include "test_measure.moc"
