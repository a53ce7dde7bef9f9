// Lines in which planes cut meshes: closed where the surface is closed, of the right length, and on both the
// plane and the surface.
#include "kernels/mesh/section/section_lines.h"
#include "kernels/voxelize/operators.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/test_support.h"

#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr double pi = std::numbers::pi;

const Vec3f kCentre{0.01f, -0.02f, 0.005f}; // centre of unitSphere

} // namespace

class TestSectionLines : public QObject {
    Q_OBJECT
private slots:
    void aBallIsCutInCircles() {
        const TriangleMesh ball = surfaceOf(65, 1.3f, unitSphere);
        auto random = seededRandom("aBallIsCutInCircles");
        std::uniform_real_distribution<float> along(-1, 1);
        for (int i = 0; i < 50; ++i) {
            const Vec3f normal = normalized(Vec3f{along(random), along(random), along(random)});
            const float away = 0.9f * along(random);
            const SectionLines section = cpu::sectionLines(ball, {kCentre + normal * away, normal}, {});
            QCOMPARE(section.lines.size(), std::size_t(1));
            QVERIFY(section.lines[0].isClosed);
            const double radius = std::sqrt(1 - double(away) * double(away));
            QVERIFY2(std::abs(section.length() / (2 * pi * radius) - 1) < 0.01,
                     qPrintable(QString::number(section.length() / (2 * pi * radius))));
            Vec3d area; // Newell's method: the vector is normal to the polygon, with twice its area as length
            const auto& points = section.lines[0].points;
            for (std::size_t p = 0; p < points.size(); ++p) {
                QVERIFY(std::abs(dot(normal, points[p] - kCentre) - away) < 1e-5f);
                QVERIFY(std::abs(norm(points[p] - kCentre) - 1) < 0.01f);
                area += cross((points[p] - kCentre).as<double>(),
                              (points[(p + 1) % points.size()] - kCentre).as<double>());
            }
            // seen against the normal, lines run counter-clockwise, with the outside on their right
            QVERIFY(dot(area, normal.as<double>()) > 0);
        }
    }
    void aTorusIsCutInTwo() {
        const TriangleMesh ring = surfaceOf(65, 1.6f, ringTorus);
        const SectionLines across = cpu::sectionLines(ring, {{0, 0.001f, 0}, {0, 1, 0}}, {});
        QCOMPARE(across.lines.size(), std::size_t(2));
        QVERIFY(across.lines[0].isClosed && across.lines[1].isClosed);
        QVERIFY(cpu::sectionLines(ring, {{0, 3, 0}, {0, 1, 0}}, {}).lines.empty());
    }
    void surfaceWithoutPointsIsLeftOut() {
        // two sheets 0.12 m apart; points are only on the first one
        const TriangleMesh sheets = meshOf({{0, 0, 0},
                                            {1, 0, 0},
                                            {1, 0, 1},
                                            {0, 0, 1},
                                            {0, 0.12f, 0},
                                            {1, 0.12f, 0},
                                            {1, 0.12f, 1},
                                            {0, 0.12f, 1}},
                                           {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7});
        std::vector<Vec3f> points;
        for (int i = 0; i < 100; ++i)
            for (int k = 0; k < 100; ++k)
                points.push_back({0.01f * float(i), 0, 0.01f * float(k)});
        VoxelizeParams params;
        params.rangeMin = {-0.2f, -0.2f, -0.2f};
        params.rangeMax = {1.2f, 1.2f, 1.2f};
        params.voxelSize = {0.08f, 0.08f, 0.08f};
        const VoxelGrid voxels = cpu::voxelize({points.data(), points.size(), {}}, params, {});
        const CutPlane level{{0, 0, 0.4f}, {0, 0, 1}};
        QCOMPARE(cpu::sectionLines(sheets, level, {}).lines.size(), std::size_t(2));
        const SectionLines kept = cpu::sectionLines(sheets, level, {}, {&voxels, 0.06f});
        QCOMPARE(kept.lines.size(), std::size_t(1));
        for (const Vec3f p : kept.lines[0].points)
            QCOMPARE(p.y, 0.0f);
    }
    void bordersEndLines() {
        // two triangles of a square
        const TriangleMesh square = meshOf({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {0, 1, 2, 0, 2, 3});
        const SectionLines section = cpu::sectionLines(square, {{0, 0.25f, 0}, {0, 1, 0}}, {});
        QCOMPARE(section.lines.size(), std::size_t(1));
        QVERIFY(!section.lines[0].isClosed);
        QCOMPARE(section.lines[0].points.size(), std::size_t(3));
        QCOMPARE(section.length(), 1.0);
    }
    void verticesOnThePlaneCountOnce() {
        // the plane passes through two corners of an octahedron and along four of its edges
        const TriangleMesh octahedron =
            meshOf({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                   {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5});
        const SectionLines section = cpu::sectionLines(octahedron, {{0, 0, 0}, {0, 0, 1}}, {});
        QCOMPARE(section.lines.size(), std::size_t(1));
        QVERIFY(section.lines[0].isClosed);
        QCOMPARE(section.lines[0].points.size(), std::size_t(4));
        QVERIFY(std::abs(section.length() - 4 * std::numbers::sqrt2) < 1e-6);
    }
    void noTrianglesNoLines() {
        QVERIFY(cpu::sectionLines(meshOf({}, {}), {{0, 0, 0}, {0, 0, 1}}, {}).lines.empty());
    }
};

SCANLOUPE_TEST(TestSectionLines)
#include "test_section_lines.moc"
