// Topology of meshes: parts, edges, Euler number, area, volume and holes of known shapes.
#include "kernels/core/parallel.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/test_support.h"
#include "tests/support/time_limits.h"

#include <numbers>
#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr double pi = std::numbers::pi;

/// The figures by an independent method: maps of directed edges.
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
           a.rims.count == b.rims.count && a.rims.length == b.rims.length &&
           a.rims.longest == b.rims.longest && a.tunnels == b.tunnels && a.gaps == b.gaps;
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
        QCOMPARE(ball.rims.count, std::uint64_t{0});
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
        QCOMPARE(whole.rims.count, std::uint64_t{1}); // the outer rim is the only one
        QCOMPARE(whole.rims.length, 18.0);
        QCOMPARE(whole.rims.longest, 18.0);
        QCOMPARE(whole.euler, 1);
        QCOMPARE(whole.area, 20.0);
        QCOMPARE(whole.volume, 0.0);
        const MeshTopology pierced = analyseTopology(sheet(9, 5, {{1, 1}, {3, 3}, {4, 3}}));
        QCOMPARE(pierced.rims.count, std::uint64_t{3});
        QCOMPARE(pierced.rims.length, 28.0 + 4 + 6);
        QCOMPARE(pierced.rims.longest, 28.0);
        QCOMPARE(pierced.euler, -1);
    }
    void holesAreTunnelsAndInnerRims() {
        QCOMPARE(analyseTopology(surfaceOf(33, 1.3f, unitSphere)).holes(), std::uint64_t{0});
        const TriangleMesh ring = surfaceOf(49, 1.6f, ringTorus);
        QCOMPARE(analyseTopology(ring).tunnels, std::uint64_t{1});
        // the outer boundary of a sheet is not a hole
        QCOMPARE(analyseTopology(sheet(5, 4)).holes(), std::uint64_t{0});
        QCOMPARE(analyseTopology(sheet(9, 5, {{1, 1}, {3, 3}, {4, 3}})).gaps, std::uint64_t{2});
        // a crust around a sheet with gaps has as many through-holes
        const auto pierced = [](Vec3d p) {
            double plate = std::max({std::abs(p.x) - 1.2, std::abs(p.y) - 1.2, std::abs(p.z) - 0.1});
            for (const double x : {-0.7, 0.0, 0.7})
                for (const double y : {-0.5, 0.5})
                    plate = std::max(plate, 0.2 - std::hypot(p.x - x, p.y - y));
            return plate;
        };
        const TriangleMesh crust = surfaceOf(81, 1.5f, pierced);
        QCOMPARE(analyseTopology(crust).tunnels, std::uint64_t{6});
        QCOMPARE(analyseTopology(crust).holes(), std::uint64_t{6});
        // each part counts separately, open and closed ones
        const MeshTopology all = analyseTopology(
            together(together(crust, sheet(6, 6, {{2, 2}}, 5)), together(ring, sheet(3, 3, {}, 7))));
        QCOMPARE(all.tunnels, std::uint64_t{7});
        QCOMPARE(all.gaps, std::uint64_t{1});
        QCOMPARE(all.holes(), std::uint64_t{8});
        // the crust around a closed body has two surfaces; its first gap makes them one, the others tunnels
        const auto shell = [](int gaps) {
            return surfaceOf(97, 1.3f, [gaps](Vec3d p) {
                double crusty = std::abs(norm(p) - 1) - 0.12;
                const Vec3d towards[] = {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}};
                for (int i = 0; i < gaps; ++i)
                    crusty = std::max(crusty, 0.25 - norm(p - towards[i]));
                return crusty;
            });
        };
        QCOMPARE(analyseTopology(shell(0)).components, std::uint64_t{2});
        QCOMPARE(analyseTopology(shell(0)).holes(), std::uint64_t{0});
        QCOMPARE(analyseTopology(shell(1)).components, std::uint64_t{1});
        QCOMPARE(analyseTopology(shell(1)).holes(), std::uint64_t{0});
        QCOMPARE(analyseTopology(shell(3)).holes(), std::uint64_t{2});
        // two tetrahedra with a common edge have no genus
        const TriangleMesh branching =
            meshOf({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}},
                   {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2, 0, 1, 4, 0, 4, 5, 0, 5, 1, 1, 5, 4});
        QCOMPARE(analyseTopology(branching).nonManifoldEdges, std::uint64_t{2});
        QVERIFY(analyseTopology(branching).closed());
        QCOMPARE(analyseTopology(together(branching, ring)).holes(), std::uint64_t{1});
    }
    void rimsThatTouchArePartedIntoLoops() {
        // two missing squares share a corner: their common rim passes this corner twice, and counts as two
        // holes
        const MeshTopology touching = analyseTopology(sheet(6, 6, {{2, 2}, {3, 3}}));
        QCOMPARE(touching.rims.count, std::uint64_t{3});
        QCOMPARE(touching.rims.length, 24.0 + 4 + 4);
        QCOMPARE(touching.boundaryEdges, std::uint64_t{32});
    }
    void twoPartsAndUnusedVertices() {
        const TriangleMesh ball = surfaceOf(17, 1.3f, unitSphere);
        const MeshTopology both = analyseTopology(together(ball, sheet(3, 3)));
        QCOMPARE(both.components, std::uint64_t{2});
        QCOMPARE(both.euler, 2 + 1);
        QCOMPARE(both.volume, 0.0); // the surface is not closed
        TriangleMesh lonely = together(ball, meshOf({{5, 5, 5}, {6, 6, 6}}, {}));
        QVERIFY(same(analyseTopology(lonely), analyseTopology(ball)));
        QVERIFY(same(analyseTopology(TriangleMesh{}), MeshTopology{}));
    }
    void edgesThatMeetThreeTimes() {
        // three wings on one edge; two of them have the same direction along it
        const TriangleMesh wings =
            meshOf({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, -1, 0}}, {0, 1, 2, 0, 1, 3, 1, 0, 4});
        const MeshTopology topology = analyseTopology(wings);
        QCOMPARE(topology.nonManifoldEdges, std::uint64_t{1});
        const Counted counted = countedEdges(wings);
        QCOMPARE(topology.boundaryEdges, counted.boundary);
        QVERIFY(std::abs(topology.rims.length - counted.boundaryLength) < 1e-12);
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
            QVERIFY(std::abs(topology.rims.length - counted.boundaryLength) < 1e-9);
            QVERIFY(topology.rims.longest <= topology.rims.length);
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
        QVERIFY(first.rims.count > 2 && !first.closed());
        for (int run = 0; run < 5; ++run)
            QVERIFY(same(analyseTopology(mesh), first));
        const Counted counted = countedEdges(mesh);
        QCOMPARE(first.boundaryEdges, counted.boundary);
        QVERIFY(std::abs(first.rims.length / counted.boundaryLength - 1) < 1e-12);
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

SCANLOUPE_TEST(TestMeshTopology)
#include "test_mesh_topology.moc"
