// What kind of surface a mesh is: parts, edges, Euler number, area, volume and holes of known shapes.
#include "kernels/core/parallel.h"
#include "tests/kernels/mesh_shapes.h"
#include "tests/support/stop_limit.h"
#include "tests/support/test_support.h"

#include <numbers>
#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr double pi = std::numbers::pi;

/// The figures by other means: maps of directed edges.
struct Counted {
    std::uint64_t boundary = 0, nonManifold = 0;
    double boundaryLength = 0;
};
Counted countedEdges(const TriangleMesh& mesh) {
    const auto edges = directedEdges(mesh);
    Counted counted;
    for (const auto& [edge, count] : edges) {
        const auto back = edges.find({edge.second, edge.first});
        const int opposite = back == edges.end() ? 0 : back->second;
        counted.nonManifold += count > 1;
        for (int i = opposite; i < count; ++i) {
            ++counted.boundary;
            counted.boundaryLength +=
                norm(mesh.positions[edge.first].as<double>() - mesh.positions[edge.second].as<double>());
        }
    }
    return counted;
}

bool same(const MeshTopology& a, const MeshTopology& b) {
    return a.boundaryEdges == b.boundaryEdges && a.nonManifoldEdges == b.nonManifoldEdges &&
           a.components == b.components && a.euler == b.euler && a.area == b.area && a.volume == b.volume &&
           a.holes.count == b.holes.count && a.holes.length == b.holes.length &&
           a.holes.longest == b.holes.longest;
}

} // namespace

class TestMeshTopology : public QObject {
    Q_OBJECT
private slots:
    void closedShapes() {
        const MeshTopology ball = analyseTopology(surfaceOf(65, 1.3f, unitSphere));
        QVERIFY(ball.closed());
        QCOMPARE(ball.euler, 2);
        QCOMPARE(ball.components, std::uint64_t{1});
        QCOMPARE(ball.holes.count, std::uint64_t{0});
        QVERIFY(std::abs(ball.area / (4 * pi) - 1) < 0.003);
        QVERIFY(std::abs(ball.volume / (4 * pi / 3) - 1) < 0.003);
        const MeshTopology ring = analyseTopology(surfaceOf(65, 1.6f, ringTorus));
        QCOMPARE(ring.euler, 0);
        QVERIFY(ring.closed());
        QVERIFY(std::abs(ring.area / (4 * pi * pi * 0.4) - 1) < 0.005);
        // a cube: blocks of samples inside
        const auto cube =
            cpu::extractSurface(denseField({12, 12, 12},
                                           [](int x, int y, int z) {
                                               return std::min({x, y, z}) > 3 && std::max({x, y, z}) < 8;
                                           }),
                                0.5f, {});
        const MeshTopology block = analyseTopology(cube);
        QCOMPARE(block.euler, 2);
        QVERIFY(block.closed() && block.volume > 3 * 3 * 3 && block.volume < 4 * 4 * 4);
    }
    void sheetsAndTheirHoles() {
        const MeshTopology whole = analyseTopology(sheet(5, 4));
        QCOMPARE(whole.boundaryEdges, std::uint64_t{18});
        QCOMPARE(whole.holes.count, std::uint64_t{1}); // the outer rim
        QCOMPARE(whole.holes.length, 18.0);
        QCOMPARE(whole.holes.longest, 18.0);
        QCOMPARE(whole.euler, 1);
        QCOMPARE(whole.area, 20.0);
        QCOMPARE(whole.volume, 0.0);
        const MeshTopology pierced = analyseTopology(sheet(9, 5, {{1, 1}, {3, 3}, {4, 3}}));
        QCOMPARE(pierced.holes.count, std::uint64_t{3});
        QCOMPARE(pierced.holes.length, 28.0 + 4 + 6);
        QCOMPARE(pierced.holes.longest, 28.0);
        QCOMPARE(pierced.euler, -1);
    }
    void rimsThatTouchArePartedIntoLoops() {
        // two squares are missing that share a corner: one rim passes it twice, and is two holes
        const MeshTopology touching = analyseTopology(sheet(6, 6, {{2, 2}, {3, 3}}));
        QCOMPARE(touching.holes.count, std::uint64_t{3});
        QCOMPARE(touching.holes.length, 24.0 + 4 + 4);
        QCOMPARE(touching.boundaryEdges, std::uint64_t{32});
    }
    void twoPartsAndUnusedVertices() {
        const TriangleMesh ball = surfaceOf(17, 1.3f, unitSphere);
        const MeshTopology both = analyseTopology(together(ball, sheet(3, 3)));
        QCOMPARE(both.components, std::uint64_t{2});
        QCOMPARE(both.euler, 2 + 1);
        QCOMPARE(both.volume, 0.0); // not closed
        TriangleMesh lonely = together(ball, meshOf({{5, 5, 5}, {6, 6, 6}}, {}));
        QVERIFY(same(analyseTopology(lonely), analyseTopology(ball)));
        QVERIFY(same(analyseTopology(TriangleMesh{}), MeshTopology{}));
    }
    void edgesThatMeetThreeTimes() {
        // three wings on one edge; two of them run the same way along it
        const TriangleMesh wings =
            meshOf({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, -1, 0}}, {0, 1, 2, 0, 1, 3, 1, 0, 4});
        const MeshTopology topology = analyseTopology(wings);
        QCOMPARE(topology.nonManifoldEdges, std::uint64_t{1});
        const Counted counted = countedEdges(wings);
        QCOMPARE(topology.boundaryEdges, counted.boundary);
        QVERIFY(std::abs(topology.holes.length - counted.boundaryLength) < 1e-12);
    }
    void randomTrianglesAgreeWithMaps() {
        auto random = seededRandom("randomTrianglesAgreeWithMaps");
        for (int round = 0; round < 60; ++round) {
            const std::size_t vertices = 3 + random() % 40, triangles = 1 + random() % 120;
            std::vector<std::uint32_t> indices;
            for (std::size_t t = 0; t < triangles; ++t) {
                std::uint32_t corner[3];
                do {
                    for (std::uint32_t& c : corner)
                        c = std::uint32_t(random() % vertices);
                } while (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]);
                indices.insert(indices.end(), corner, corner + 3);
            }
            const TriangleMesh mesh = meshOf(randomPoints(random, vertices, 1), indices);
            const MeshTopology topology = analyseTopology(mesh);
            const Counted counted = countedEdges(mesh);
            QCOMPARE(topology.boundaryEdges, counted.boundary);
            QCOMPARE(topology.nonManifoldEdges, counted.nonManifold);
            QVERIFY(std::abs(topology.holes.length - counted.boundaryLength) < 1e-9);
            QVERIFY(topology.holes.longest <= topology.holes.length);
            std::set<std::uint32_t> used(indices.begin(), indices.end());
            long euler = 0, parts = 0;
            for (const long number : eulerNumbers(mesh))
                euler += number, ++parts;
            const auto unused = long(vertices - used.size());
            QCOMPARE(topology.euler, std::int64_t(euler - unused));
            QCOMPARE(topology.components, std::uint64_t(parts - unused));
        }
    }
    void sameNumbersEveryTime() {
        const TriangleMesh mesh = surfaceOf(97, 1.7f, [](Vec3d p) {
            return std::sin(5 * p.x) * std::cos(5 * p.y) + std::sin(5 * p.y) * std::cos(5 * p.z) +
                   std::sin(5 * p.z) * std::cos(5 * p.x); // a gyroid, cut open by the cube
        });
        const MeshTopology first = analyseTopology(mesh);
        QVERIFY(first.holes.count > 2 && !first.closed());
        for (int run = 0; run < 5; ++run)
            QVERIFY(same(analyseTopology(mesh), first));
        const Counted counted = countedEdges(mesh);
        QCOMPARE(first.boundaryEdges, counted.boundary);
        QVERIFY(std::abs(first.holes.length / counted.boundaryLength - 1) < 1e-12);
    }
    void stopsAtOnce() {
        const TriangleMesh mesh = surfaceOf(129, 1.3f, unitSphere);
        std::stop_source stop;
        stop.request_stop();
        const WallTimer timer;
        QVERIFY_EXCEPTION_THROWN(analyseTopology(mesh, stop.get_token()), Cancelled);
        QVERIFY(timer.elapsedMs() < kStopMs);
    }
};

QTEST_APPLESS_MAIN(TestMeshTopology)
#include "test_mesh_topology.moc"
