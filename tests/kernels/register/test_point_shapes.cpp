// Planes around evenly sampled points, and the patches of maps that they form.
#include "kernels/register/point_shapes.h"
#include "kernels/register/surface_map.h"
#include "kernels/register/voxel_means.h"
#include "tests/kernels/register/ndt_test_support.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Rings of a spinning sensor at a height of 1.8 m on flat ground: dense along each ring, but metres apart.
std::vector<Vec3f> groundRings(double noise, std::mt19937_64& random) {
    std::normal_distribution<double> normal(0, noise);
    std::vector<Vec3f> points;
    for (const double degrees : {4.0, 5.0, 6.0, 7.0, 9.0, 11.0, 13.0, 15.0}) {
        const double radius = 1.8 / std::tan(degrees * 3.14159265358979323846 / 180);
        for (int i = 0; i < 1800; ++i) {
            const double azimuth = 2 * 3.14159265358979323846 * i / 1800;
            points.push_back(
                Vec3d{radius * std::cos(azimuth), radius * std::sin(azimuth), -1.8 + normal(random)}
                    .as<float>());
        }
    }
    return points;
}

PointShapeParams paramsOf(double edge, int neighbours) {
    PointShapeParams params;
    params.edge = edge;
    params.neighbours = neighbours;
    return params;
}

double tiltOf(Vec3f normal, Vec3d from) {
    return std::acos(std::min(1.0, std::abs(dot(normal.as<double>(), from)))) * 180 / 3.14159265358979323846;
}

/// Shapes of points on thin planes.
PointShapes shapesOf(const std::vector<Vec3f>& points, const std::vector<Vec3f>& normals) {
    return {points, normals, std::vector<float>(points.size(), 1), std::vector<float>(points.size(), 0)};
}

} // namespace

class TestPointShapes : public QObject {
    Q_OBJECT
private slots:
    void neighboursSpanRings_data() {
        QTest::addColumn<int>("neighbours");
        QTest::newRow("nearest 16") << 16;
        QTest::newRow("in the cells around") << 0;
    }
    void neighboursSpanRings() {
        QFETCH(int, neighbours);
        auto random = seededRandom("neighboursSpanRings");
        const std::vector<Vec3f> points = groundRings(0.01, random);
        const PointShapes shapes =
            cpu::findPointShapes(points, {.edge = 0.25, .neighbours = neighbours, .viewpoint = Vec3d{}}, {});
        std::size_t known = 0, good = 0;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            if (squaredNorm(shapes.normals[i]) == 0) {
                QCOMPARE(shapes.planarity[i], 0.0F);
                continue;
            }
            ++known;
            good += tiltOf(shapes.normals[i], {0, 0, 1}) < 5;
            QVERIFY(std::abs(norm(shapes.normals[i]) - 1) < 1e-5F);
            QVERIFY(shapes.normals[i].z > 0); // normals point towards the sensor
            QVERIFY(shapes.planarity[i] > 0 && shapes.planarity[i] <= 1);
        }
        std::printf("%zu points, %zu with a plane, %zu within 5 degrees\n", shapes.size(), known, good);
        QVERIFY(known > shapes.size() / 2);
        QVERIFY(good > known * 95 / 100);
    }
    void lineHasNoPlane() {
        std::vector<Vec3f> points;
        for (int i = 0; i < 5000; ++i)
            points.push_back({0.01F * float(i), 3, 0});
        for (const int neighbours : {0, 16}) {
            const PointShapes shapes = cpu::findPointShapes(points, paramsOf(0.25, neighbours), {});
            QVERIFY(shapes.size() > 100);
            QVERIFY(std::ranges::all_of(shapes.normals, [](Vec3f n) { return n == Vec3f{}; }));
        }
    }
    void thicknessIsTheNoise() {
        auto random = seededRandom("thicknessIsTheNoise");
        const std::vector<Vec3f> points =
            toFloat(sample({{{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}}, 4000, 0.02, random));
        const PointShapes shapes = cpu::findPointShapes(points, paramsOf(0.05, 20), {});
        std::vector<float> thickness = shapes.thickness;
        std::ranges::nth_element(thickness, thickness.begin() + std::ptrdiff_t(thickness.size() / 2));
        const float median = thickness[thickness.size() / 2];
        QVERIFY2(median > 0.014F && median < 0.024F, qPrintable(QString::number(double(median))));
    }
    void wrongParametersAreRefused() {
        const std::vector<Vec3f> points(20);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (const double edge : {0.0, -1.0, nan})
            QVERIFY_EXCEPTION_THROWN(cpu::findPointShapes(points, paramsOf(edge, 16), {}), KernelError);
        for (const int neighbours : {-1, 4, 1000})
            QVERIFY_EXCEPTION_THROWN(cpu::findPointShapes(points, paramsOf(0.25, neighbours), {}),
                                     KernelError);
        QCOMPARE(cpu::findPointShapes({}, {}, {}).size(), std::size_t(0));
    }
    void cellsAroundAPointAreFound() {
        auto random = seededRandom("cellsAroundAPointAreFound");
        std::uniform_real_distribution<float> along(-3, 3);
        std::vector<Vec3f> points(3000);
        for (Vec3f& p : points)
            p = {along(random), along(random), along(random)};
        const VoxelMeans cells = cpu::voxelMeans(points, 0.5, {});
        QVERIFY(std::ranges::is_sorted(cells.keys));
        const auto cellOf = [&](Vec3f p) {
            const Vec3d place = (p.as<double>() - cells.grid.low) * 2.0;
            return Vec3i{int(place.x), int(place.y), int(place.z)};
        };
        CellsAround around(cells); // shared by all searches, although the points are in random order
        for (std::size_t i = 0; i < points.size(); i += 50) {
            std::vector<std::size_t> found, foundAlone, wanted;
            around.forEach(points[i], [&](std::size_t at) { found.push_back(at); });
            forCellsAround(cells.grid, cells.keys.data(), std::uint32_t(cells.keys.size()), points[i],
                           [&](std::size_t at) { foundAlone.push_back(at); });
            for (std::size_t k = 0; k < cells.means.size(); ++k) {
                const Vec3i step = cellOf(cells.means[k]) - cellOf(points[i]);
                if (std::abs(step.x) <= 1 && std::abs(step.y) <= 1 && std::abs(step.z) <= 1)
                    wanted.push_back(k);
            }
            QCOMPARE(found, wanted);
            QCOMPARE(foundAlone, wanted);
        }
    }

    void patchesOfACellDifferInDirection() {
        const std::vector<Vec3f> points{
            {0.2F, 0.2F, 0.1F}, {0.4F, 0.4F, 0.1F}, {0.1F, 0.3F, 0.4F}, {0.3F, 0.3F, 0.3F}};
        const std::vector<Vec3f> normals{{0, 0, 1}, {0, 0, 1}, {-1, 0, 0}, {0, 0, 0}};
        SurfaceMap map(SurfaceLevel{1, true});
        map.add(shapesOf(points, normals), {}, {});
        QCOMPARE(map.patches().size(), std::size_t(2)); // the point without a normal adds no patch
        const std::uint32_t first = map.firstIn({0, 0, 0});
        QVERIFY(first != kNoPatch);
        const SurfacePatch &ground = map.patches()[first], &wall = map.patches()[ground.next];
        QVERIFY(norm(ground.mean - Vec3d{0.3, 0.3, 0.1}) < 1e-6);
        QVERIFY(norm(wall.mean - Vec3d{0.1, 0.3, 0.4}) < 1e-6);
        QVERIFY((ground.normal == Vec3f{0, 0, 1}) && (wall.normal == Vec3f{-1, 0, 0}));
        QCOMPARE(wall.next, kNoPatch);
        QCOMPARE(map.firstIn({1, 0, 0}), kNoPatch);
    }
    void unorientedPatchesJoinBothSides() {
        const std::vector<Vec3f> points{{0.2F, 0.2F, 0.1F}, {0.4F, 0.4F, 0.1F}},
            normals{{0, 0, 1}, {0, 0, -1}};
        for (const bool isOriented : {true, false}) {
            SurfaceMap map(SurfaceLevel{1, isOriented});
            map.add(shapesOf(points, normals), {}, {});
            QCOMPARE(map.patches().size(), std::size_t(isOriented ? 2 : 1));
        }
    }
    void mapsTooWideAreRefused() {
        SurfaceMap map(SurfaceLevel{0.001, true});
        const std::vector<Vec3f> points{{0, 0, 0}, {5000, 0, 0}}, normals{{0, 0, 1}, {0, 0, 1}};
        QVERIFY_EXCEPTION_THROWN(map.add(shapesOf(points, normals), {}, {}), KernelError);
        RigidTransform pose;
        pose.translation.x = std::numeric_limits<double>::infinity();
        QVERIFY_EXCEPTION_THROWN(map.add(shapesOf(points, normals), {}, pose), KernelError);
    }
};

SCANLOUPE_TEST(TestPointShapes)
#include "test_point_shapes.moc"
