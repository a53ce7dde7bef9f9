// The nearest triangles of groups of points, compared with searches for single points.
#include "kernels/mesh/distance/surface_distance.h"
#include "kernels/mesh/distance/triangle_search.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Random triangles; some are slivers, points, or on a lattice, where many are equally near.
TriangleMesh soup(std::mt19937_64& random, int triangles, float size, Vec3f at) {
    std::vector<Vec3f> positions;
    std::vector<std::uint32_t> indices;
    std::uniform_real_distribution<float> along(-1, 1);
    for (int t = 0; t < triangles; ++t) {
        auto corners = randomPoints(random, 3, size);
        const Vec3f middle = randomPoints(random, 1, 10 * size)[0];
        for (Vec3f& corner : corners) {
            corner = corner + middle;
            if (t % 4 == 1)
                corner = {std::round(corner.x), std::round(corner.y), std::round(corner.z)};
        }
        if (t % 4 == 2)
            corners[2] = corners[0] + (corners[1] - corners[0]) * along(random);
        if (t % 40 == 3)
            corners[1] = corners[2] = corners[0];
        for (const Vec3f corner : corners) {
            indices.push_back(std::uint32_t(positions.size()));
            positions.push_back(corner + at);
        }
    }
    return meshOf(positions, indices);
}

/// The nearest triangles of all points, searched by groups; points that are not finite have none.
std::vector<NearestItem> byGroups(const std::vector<Vec3f>& points, const TriangleMesh& mesh,
                                  double squaredLimit) {
    const Bvh tree = cpu::buildTriangleBvh(mesh, {});
    std::vector<NearestItem> all(points.size(), {kNoItem, -1});
    cpu::forNearestTriangles(points, cpu::TriangleSearch(mesh, tree, {}), squaredLimit, {},
                             [&](std::size_t i, NearestItem nearest) { all[i] = nearest; });
    return all;
}

void compare(const std::vector<Vec3f>& points, const TriangleMesh& mesh, double squaredLimit = HUGE_VAL) {
    const Bvh tree = cpu::buildTriangleBvh(mesh, {});
    const std::vector<NearestItem> found = byGroups(points, mesh, squaredLimit);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!isPresent(points[i])) {
            QCOMPARE(found[i].squaredDistance, -1.0);
            continue;
        }
        const NearestItem expected = nearestTriangle(tree.view(), mesh.positions.data(), mesh.indices.data(),
                                                     points[i], {kNoItem, squaredLimit});
        QCOMPARE(found[i].item, expected.item);
        QCOMPARE(found[i].squaredDistance, expected.squaredDistance);
    }
}

} // namespace

class TestTriangleSearch : public QObject {
    Q_OBJECT
private slots:
    void groupsAgainstSinglePoints() {
        auto random = seededRandom("groupsAgainstSinglePoints");
        for (const float size : {1e-3f, 1.0f, 40.0f})
            for (const Vec3f at : {Vec3f{}, Vec3f{0, 3e4f, -2e5f}}) {
                const TriangleMesh mesh = soup(random, 900, size, at);
                auto points = randomPoints(random, 3000, 12 * size);
                for (std::size_t i = 0; i < points.size(); ++i) {
                    if (i % 3 == 0) // on a lattice
                        points[i] = {std::round(points[i].x), std::round(points[i].y), points[i].z};
                    points[i] = i % 7 == 0 ? mesh.positions[i % mesh.vertexCount()] : points[i] + at;
                }
                points.push_back({NAN, 0, 0});
                points.push_back({INFINITY, 0, 0});
                compare(points, mesh);
                compare(points, mesh, double(size) * double(size));
            }
    }
    void surfacesAndTheirPoints() {
        auto random = seededRandom("surfacesAndTheirPoints");
        const TriangleMesh ring = surfaceOf(41, 1.6f, ringTorus);
        auto points = randomPoints(random, 20'000, 2);
        for (std::size_t i = 0; i < ring.vertexCount(); ++i)
            points.push_back(ring.positions[i] * (1 + 1e-4f * float(i % 3)));
        compare(points, ring);
    }
    void strays() { // because of the outliers, all other points share one cell of the common box
        auto random = seededRandom("strays");
        const TriangleMesh ball = surfaceOf(41, 1.3f, unitSphere);
        auto points = randomPoints(random, 5000, 1.5f);
        constexpr float away = std::numeric_limits<float>::max();
        for (const Vec3f stray :
             {Vec3f{away, away, away}, Vec3f{2e5f, 0, 0}, {0, -3e7f, 1}, {1e18f, 1e18f, 1e18f}, {4, 5, 6}})
            points.insert(points.begin() + 77, stray);
        compare(points, ball);
        compare(points, ball, 1e3);
    }
    void fewPointsAndTriangles() {
        auto random = seededRandom("fewPointsAndTriangles");
        for (const int triangles : {1, 3, 4, 5, 17})
            for (const std::size_t points : {1u, 15u, 16u, 17u})
                compare(randomPoints(random, points, 3), soup(random, triangles, 1, {}));
        QVERIFY(byGroups({}, soup(random, 3, 1, {}), HUGE_VAL).empty());
    }
    void allInstructionSetsGiveTheSame() {
        auto random = seededRandom("allInstructionSetsGiveTheSame");
        const TriangleMesh mesh = soup(random, 60, 1, {});
        std::vector<cpu::TriangleSlabs> triangles;
        Box3f box = emptyBox();
        for (std::uint32_t t = 0; t < 60; ++t) {
            const auto corner = [&](std::size_t i) { return mesh.positions[mesh.indices[3 * t + i]]; };
            triangles.push_back(cpu::slabsOf(corner(0), corner(1), corner(2), t));
            for (std::size_t i = 0; i < 3; ++i)
                box = joined(box, {corner(i), corner(i)});
        }
        std::vector<std::uint32_t> rows(cpu::PointGroup::kSize);
        for (std::uint32_t i = 0; i < rows.size(); ++i)
            rows[i] = i;
        for (int round = 0; round < 300; ++round) {
            const auto points = randomPoints(random, rows.size(), 10);
            cpu::PointGroup widest, plain;
            widest.set(points, rows, HUGE_VAL);
            plain.set(points, rows, HUGE_VAL);
            cpu::addCandidates(triangles, box, widest);
            cpu::measureCandidates(widest);
            cpu::addCandidatesInline<2>(triangles, box, plain);
            cpu::measureCandidatesInline<2>(plain);
            QVERIFY(widest.items == plain.items);
            QVERIFY(widest.squaredDistances == plain.squaredDistances);
            for (std::size_t i = 0; i < points.size(); ++i) {
                double least = HUGE_VAL;
                for (const cpu::TriangleSlabs& t : triangles)
                    least = std::min(least, squaredDistanceToTriangle(points[i], t.a, t.b, t.c));
                QCOMPARE(plain.squaredDistances[i], least);
            }
        }
    }
};

SCANLOUPE_TEST(TestTriangleSearch)
#include "test_triangle_search.moc"
