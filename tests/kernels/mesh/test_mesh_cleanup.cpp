// Clean-up of surfaces: removal of small components, and decimation that preserves the topology.
#include "kernels/mesh/cleanup/manifold_cut.h"
#include "kernels/mesh/cleanup/mesh_cleanup.h"
#include "kernels/mesh/core/mesh_subset.h"
#include "kernels/mesh/distance/surface_distance.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/test_support.h"
#include "tests/support/time_limits.h"

#include <chrono>
#include <map>
#include <oneapi/tbb/global_control.h>
#include <set>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Maximum distance of the vertices and centroids of `a` from `b`.
double farthest(const TriangleMesh& a, const TriangleMesh& b) {
    std::vector<Vec3f> samples(a.positions.span().begin(), a.positions.span().end());
    for (std::size_t t = 0; t < a.triangleCount(); ++t)
        samples.push_back((a.positions[a.indices[3 * t]] + a.positions[a.indices[3 * t + 1]] +
                           a.positions[a.indices[3 * t + 2]]) /
                          3.0f);
    return cpu::pointToMesh(samples, b, cpu::buildTriangleBvh(b, {}), {}).stats.max;
}

/// Two parallel walls at a small distance, the faces of a thin box.
double thinBox(Vec3d p) {
    return std::max({std::abs(p.x) - 1.0, std::abs(p.y) - 1.0, std::abs(p.z) - 0.06});
}

/// The triangles of a decimated mesh plus all removed triangles.
std::uint64_t trianglesAccountedFor(const DecimatedMesh& coarse) {
    return coarse.mesh.triangleCount() + coarse.collapsedTriangles + coarse.foldedTriangles +
           coarse.chippedTriangles;
}

/// A field of random signs, closed at its border: surfaces with tunnels as fine as they can be.
TriangleMesh randomSurface(std::mt19937_64& random, int n, double share) {
    std::bernoulli_distribution inside(share);
    return cpu::extractSurface(
        denseField({n, n, n},
                   [&](int x, int y, int z) {
                       const bool border = std::min({x, y, z}) == 0 || std::max({x, y, z}) == n - 1;
                       return !border && inside(random);
                   }),
        0.5f, {});
}

/// Whether the triangles around each vertex are connected by edges at this vertex.
bool hasOneFanAVertex(const TriangleMesh& mesh) {
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> links;
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t)
        for (std::size_t i = 0; i < 3; ++i)
            links[mesh.indices[3 * t + i]].push_back(
                {mesh.indices[3 * t + (i + 1) % 3], mesh.indices[3 * t + (i + 2) % 3]});
    return std::ranges::all_of(links, [](const auto& item) {
        std::set<std::uint32_t> reached{item.second[0].first};
        for (std::size_t before = 0; before < reached.size();) {
            before = reached.size();
            for (const auto& [from, to] : item.second) {
                if (reached.contains(from) || reached.contains(to))
                    reached.insert({from, to});
            }
        }
        return std::ranges::all_of(item.second, [&](const auto& e) { return reached.contains(e.first); });
    });
}

/// Runs `action` and requests a stop. @returns the milliseconds until it ends, or -1 when it ended before.
template <class F>
double msAfterStop(std::chrono::microseconds delay, F&& action) {
    std::stop_source stop;
    std::chrono::steady_clock::time_point asked;
    std::jthread asks([&] {
        std::this_thread::sleep_for(delay);
        asked = std::chrono::steady_clock::now();
        stop.request_stop();
    });
    try {
        action(stop.get_token());
    } catch (const Cancelled&) {
        const auto ended = std::chrono::steady_clock::now();
        asks.join();
        return std::chrono::duration<double, std::milli>(ended - asked).count();
    }
    return -1;
}

} // namespace

class TestMeshCleanup : public QObject {
    Q_OBJECT
private slots:
    void exactlyTheSmallPartsAreRemoved() {
        const TriangleMesh ball = surfaceOf(33, 1.3f, unitSphere), pair = sheet(1, 1), three = sheet(3, 1),
                           four = sheet(2, 2);
        // components with 2, many, 6 and 8 triangles
        const TriangleMesh all = together(together(pair, ball), together(three, four));
        const FilteredMesh sifted = cpu::removeSmallComponents(all, 8, {});
        QVERIFY(sameMesh(sifted.mesh, together(ball, four)));
        QCOMPARE(sifted.removedComponents, std::uint64_t{2});
        QCOMPARE(sifted.removedTriangles, std::uint64_t{2 + 6});
        QCOMPARE(sifted.removedVertices, std::uint64_t{4 + 8});
        QVERIFY(sameMesh(cpu::removeSmallComponents(all, 9, {}).mesh, ball));
        QVERIFY(sameMesh(cpu::removeSmallComponents(all, 2, {}).mesh, all));
        const FilteredMesh none = cpu::removeSmallComponents(all, 1'000'000, {});
        QCOMPARE(none.mesh.triangleCount(), std::size_t{0});
        QCOMPARE(none.mesh.vertexCount(), std::size_t{0});
        QCOMPARE(none.removedComponents, std::uint64_t{4});
        QCOMPARE(cpu::removeSmallComponents(TriangleMesh{}, 5, {}).removedTriangles, std::uint64_t{0});
    }
    void unusedVerticesAreRemoved() {
        const TriangleMesh ball = surfaceOf(17, 1.3f, unitSphere);
        const FilteredMesh sifted = cpu::removeSmallComponents(together(sheet(0, 4), ball), 1, {});
        QVERIFY(sameMesh(sifted.mesh, ball));
        // vertices without triangles are not a component
        QCOMPARE(sifted.removedComponents, std::uint64_t{0});
        QCOMPARE(sifted.removedVertices, std::uint64_t{5});
    }

    void triangleTargetsAreMet_data() {
        QTest::addColumn<int>("target");
        for (const int target : {20000, 5000, 1000, 200, 40})
            QTest::newRow(qPrintable(QString::number(target))) << target;
    }
    void triangleTargetsAreMet() {
        QFETCH(int, target);
        const auto wanted = std::uint64_t(target);
        const TriangleMesh ball = surfaceOf(97, 1.3f, unitSphere), ring = surfaceOf(97, 1.6f, ringTorus);
        for (const TriangleMesh* mesh : {&ball, &ring}) {
            const DecimatedMesh coarse = cpu::decimate(*mesh, wanted, {});
            const MeshTopology topology = analyseTopology(coarse.mesh);
            QVERIFY2(wellFormed(coarse.mesh), "not well formed");
            QVERIFY(coarse.reachedTarget);
            QVERIFY(coarse.mesh.triangleCount() <= wanted);
            QVERIFY2(double(coarse.mesh.triangleCount()) >= (target >= 1000 ? 0.9 : 0.5) * target,
                     qPrintable(QString::number(coarse.mesh.triangleCount())));
            QVERIFY(topology.closed());
            QCOMPARE(std::uint64_t(mesh->triangleCount()), trianglesAccountedFor(coarse));
            if (target >= 200) { // coarser meshes may close the hole of the ring
                QCOMPARE(topology.components, std::uint64_t{1});
                QCOMPARE(topology.euler, mesh == &ball ? 2 : 0);
            }
            const double error = std::max(farthest(coarse.mesh, *mesh), farthest(*mesh, coarse.mesh));
            QVERIFY2(error < 0.5 * double(coarse.cellSize), qPrintable(QString::number(error)));
        }
    }
    void finerMeshesAreCloser() {
        const TriangleMesh ball = surfaceOf(97, 1.3f, unitSphere);
        double last = 10;
        for (const std::uint64_t target : {100, 1000, 10000}) {
            const double error = farthest(ball, cpu::decimate(ball, target, {}).mesh);
            QVERIFY(error < last / 3); // the error is quadratic in the edge length
            last = error;
        }
        QVERIFY(last < 2e-3);
    }
    void flatStaysFlatAndEdgesStaySharp() {
        const TriangleMesh flat = sheet(60, 60);
        const DecimatedMesh few = cpu::decimate(flat, 400, {});
        for (const Vec3f p : few.mesh.positions.span())
            QCOMPARE(p.z, 0.0f);
        const MeshTopology topology = analyseTopology(few.mesh);
        QCOMPARE(topology.rims.count, std::uint64_t{1});
        QCOMPARE(topology.nonManifoldEdges, std::uint64_t{0});
        // at an edge between planes, quadrics preserve it where a mean would round it off
        const TriangleMesh roof = surfaceOf(65, 1.3f, [](Vec3d p) {
            return std::max(std::abs(p.x) + p.z - 0.5, std::max(std::abs(p.y) - 1.0, -p.z - 1.0));
        });
        float highest = -1;
        const DecimatedMesh coarse = cpu::decimate(roof, 800, {});
        for (const Vec3f p : coarse.mesh.positions.span())
            highest = std::max(highest, p.z);
        QVERIFY2(std::abs(highest - 0.5f) < 0.03f, qPrintable(QString::number(highest)));
    }
    void thinWallsDoNotGrowTogether() {
        const TriangleMesh wall = surfaceOf(81, 1.2f, thinBox);
        const DecimatedMesh coarse = cpu::decimate(wall, 300, {}); // cubes are wider than the wall is thick
        QVERIFY(coarse.cellSize > 0.12f);
        const MeshTopology topology = analyseTopology(coarse.mesh);
        QVERIFY(topology.closed());
        QCOMPARE(topology.euler, 2);
        QVERIFY(topology.volume > 0.7 * analyseTopology(wall).volume);
    }
    void noEdgeBranches() {
        auto random = seededRandom("noEdgeBranches");
        std::uint64_t parted = 0;
        for (int round = 0; round < 40; ++round) {
            const int n = 6 + int(random() % 14);
            const TriangleMesh mesh = randomSurface(random, n, 0.1 + 0.8 * double(random() % 100) / 100);
            if (mesh.triangleCount() < 16)
                continue;
            const auto target = std::uint64_t(double(mesh.triangleCount()) / double(2 + random() % 12)) + 4;
            const DecimatedMesh coarse = cpu::decimate(mesh, target, {});
            const MeshTopology topology = analyseTopology(coarse.mesh);
            const QString what = QString("round %1, %2^3 to %3: %4 branching edges, %5 at the border")
                                     .arg(round)
                                     .arg(n)
                                     .arg(target)
                                     .arg(topology.nonManifoldEdges)
                                     .arg(topology.boundaryEdges);
            QVERIFY2(topology.nonManifoldEdges == 0 && topology.closed(), qPrintable(what));
            QVERIFY2(hasOneFanAVertex(coarse.mesh), qPrintable(what));
            QVERIFY2(wellFormed(coarse.mesh), qPrintable(what));
            QCOMPARE(topology.euler % 2, 0);
            QCOMPARE(std::uint64_t(mesh.triangleCount()), trianglesAccountedFor(coarse));
            QCOMPARE(coarse.branchingBefore, std::uint64_t{0});
            parted += coarse.partedEdges;
        }
        QVERIFY(parted > 100); // branching occurs in the input
    }
    void openSurfacesDoNotBranchEither() {
        auto random = seededRandom("openSurfacesDoNotBranchEither");
        for (int round = 0; round < 30; ++round) {
            const TriangleMesh mesh = randomSurface(random, 16, 0.4);
            std::vector<std::uint64_t> kept;
            for (std::size_t t = 0; t < mesh.triangleCount(); ++t)
                if (random() % 10 > 0)
                    kept.push_back(t);
            const TriangleMesh open = subset(mesh, kept, {});
            const DecimatedMesh coarse = cpu::decimate(open, open.triangleCount() / 5, {});
            QCOMPARE(analyseTopology(coarse.mesh).nonManifoldEdges, std::uint64_t{0});
            QVERIFY(hasOneFanAVertex(coarse.mesh));
        }
    }
    void aMeshThatBranchesIsParted() {
        // two boxes of four walls each that share an edge of their height
        const auto tube = [](float x, float y) {
            std::vector<Vec3f> positions;
            for (int i = 0; i <= 8; ++i)
                for (const auto& [a, b] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
                    positions.push_back({x + float(a), y + float(b), float(i)});
            return positions;
        };
        std::vector<Vec3f> positions = tube(0, 0), second = tube(1, 1);
        std::vector<std::uint32_t> indices;
        for (std::uint32_t side = 0; side < 2; ++side) {
            const auto name = [&](std::uint32_t ring,
                                  // corner 0 of the second box coincides with corner 2 of the first
                                  std::uint32_t corner) {
                return side == 1 && corner == 0 ? 4 * ring + 2 : 36 * side + 4 * ring + corner;
            };
            for (std::uint32_t ring = 0; ring < 8; ++ring)
                for (std::uint32_t i = 0; i < 4; ++i) {
                    const std::uint32_t a = name(ring, i), b = name(ring, (i + 1) % 4),
                                        c = name(ring + 1, (i + 1) % 4), d = name(ring + 1, i);
                    indices.insert(indices.end(), {a, b, c, a, c, d});
                }
        }
        positions.insert(positions.end(), second.begin(), second.end());
        const TriangleMesh mesh = meshOf(positions, indices);
        // each of the shared edges is used in both directions twice
        QCOMPARE(analyseTopology(mesh).nonManifoldEdges, std::uint64_t{16});
        std::vector<std::uint32_t> cut(mesh.indices.span().begin(), mesh.indices.span().end());
        const ManifoldCut done = cutToManifold(cut, mesh.positions.span(), {});
        QCOMPARE(done.branchingEdges, std::uint64_t{8});
        QCOMPARE(done.copiedFrom.size(), std::size_t{9});
        for (const std::uint32_t of : done.copiedFrom)
            positions.push_back(positions[of]);
        const MeshTopology parted = analyseTopology(meshOf(positions, cut));
        QCOMPARE(parted.nonManifoldEdges, std::uint64_t{0});
        QCOMPARE(parted.components, std::uint64_t{2}); // each box encloses its own volume
        QCOMPARE(parted.boundaryEdges, std::uint64_t{16});
        const DecimatedMesh coarse = cpu::decimate(mesh, 80, {});
        QCOMPARE(analyseTopology(coarse.mesh).nonManifoldEdges, std::uint64_t{0});
        QVERIFY(coarse.partedEdges > 0);
        QCOMPARE(coarse.branchingBefore, std::uint64_t{16});
        // a mesh that has few enough triangles is not parted
        const DecimatedMesh whole = cpu::decimate(mesh, mesh.triangleCount(), {});
        QVERIFY(sameMesh(whole.mesh, mesh));
        QCOMPARE(whole.cellSize, 0.0f);
        QCOMPARE(whole.partedEdges, std::uint64_t{0});
    }
    void branchingEdgesAreCountedAsByTheTopology() {
        const TriangleMesh ball = surfaceOf(129, 1.3f, unitSphere);
        const auto positions = ball.positions.span();
        std::vector<std::uint32_t> twice(ball.indices.span().begin(), ball.indices.span().end());
        twice.insert(twice.end(), ball.indices.span().begin(), ball.indices.span().end());
        const TriangleMesh mesh = meshOf({positions.begin(), positions.end()}, twice);
        const DecimatedMesh coarse = cpu::decimate(mesh, 2000, {});
        QVERIFY(coarse.partedEdges > 0);
        // each edge of each triangle branches
        QCOMPARE(coarse.branchingBefore, std::uint64_t(ball.indices.size()));
        QCOMPARE(coarse.branchingBefore, analyseTopology(mesh).nonManifoldEdges);
    }
    void sameBytesEveryTime() {
        const TriangleMesh mesh = together(surfaceOf(65, 1.3f, unitSphere), surfaceOf(49, 1.6f, ringTorus));
        const DecimatedMesh first = cpu::decimate(mesh, 3000, {});
        const FilteredMesh sifted = cpu::removeSmallComponents(mesh, 12000, {});
        for (int run = 0; run < 4; ++run) {
            QVERIFY(sameMesh(cpu::decimate(mesh, 3000, {}).mesh, first.mesh));
            QVERIFY(sameMesh(cpu::removeSmallComponents(mesh, 12000, {}).mesh, sifted.mesh));
        }
    }
    void partingIsTheSameOnAnyNumberOfThreads() {
        auto random = seededRandom("partingIsTheSameOnAnyNumberOfThreads");
        const TriangleMesh mesh = randomSurface(random, 48, 0.3);
        const DecimatedMesh all = cpu::decimate(mesh, mesh.triangleCount() / 5, {});
        QVERIFY(all.partedEdges > 1000);
        for (const std::size_t threads : {1, 2, 3}) {
            const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                                    threads);
            QVERIFY(sameMesh(cpu::decimate(mesh, mesh.triangleCount() / 5, {}).mesh, all.mesh));
        }
    }
    void oddInputs() {
        QCOMPARE(cpu::decimate(TriangleMesh{}, 10, {}).mesh.triangleCount(), std::size_t{0});
        const TriangleMesh small = sheet(2, 2);
        // the mesh has few enough triangles already
        QVERIFY(sameMesh(cpu::decimate(small, 8, {}).mesh, small));
        QCOMPARE(cpu::decimate(small, 8, {}).cellSize, 0.0f);
        QVERIFY_EXCEPTION_THROWN(cpu::decimate(small, 0, {}), KernelError);
        // a closed surface has more than one triangle: decimation stops at the minimum, and reports it
        const DecimatedMesh least = cpu::decimate(surfaceOf(33, 1.3f, unitSphere), 1, {});
        QVERIFY(!least.reachedTarget);
        QVERIFY(least.mesh.triangleCount() >= 4);
        QVERIFY(analyseTopology(least.mesh).closed());
        // all corners coincide
        const DecimatedMesh point =
            cpu::decimate(meshOf(std::vector<Vec3f>(5, {1, 2, 3}), {0, 1, 2, 2, 3, 4}), 1, {});
        QVERIFY(!point.reachedTarget);
        QCOMPARE(point.mesh.triangleCount(), std::size_t{2});
    }
    void stopsInTheMiddle() {
        const TriangleMesh mesh = surfaceOf(257, 1.3f, unitSphere);
        int stopped = 0;
        for (const int delay : {0, 2000, 10000, 30000}) {
            const double decimating = msAfterStop(std::chrono::microseconds(delay),
                                                  [&](const auto& stop) { cpu::decimate(mesh, 1000, stop); });
            const double sifting = msAfterStop(std::chrono::microseconds(delay / 4), [&](const auto& stop) {
                cpu::removeSmallComponents(mesh, 1000, stop);
            });
            QVERIFY2(decimating < kStopMs && sifting < kStopMs,
                     qPrintable(QString("%1 and %2 ms").arg(decimating).arg(sifting)));
            stopped += (decimating >= 0) + (sifting >= 0);
        }
        QVERIFY(stopped >= 2);
    }
};

SCANLOUPE_TEST(TestMeshCleanup)
#include "test_mesh_cleanup.moc"
