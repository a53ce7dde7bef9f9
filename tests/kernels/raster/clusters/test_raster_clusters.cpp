// Clusters of triangles: culled ones would not draw anything, and pictures equal those of the CPU.
#include "kernels/raster/triangles/triangle_setup.h" // included first, because a macro of Qt uses one of its
                                                     // names
#include "tests/kernels/raster/clusters/raster_host_cluster.h"
#include "tests/kernels/raster/raster_graph_check.h"
#include "tests/support/bench_scenes.h"

#include <cstring>
#include <numeric>

using namespace scanloupe;
using namespace scanloupe::test;
using cuda::RasterGraph;

namespace {

struct NamedView {
    const char* name;
    Projection projection;
};
std::vector<NamedView> manyViews() {
    const auto camera = [](double fov, bool orthographic) {
        Camera c = cameraAt({0.25, -0.5, 0.125}, {0.3, 3, 0.4}, orthographic, 3);
        c.verticalFov = fov;
        return c;
    };
    return {{"usual", Projection(camera(1, false), 1920, 1080)},
            {"small", Projection(camera(1, false), 64, 48)},
            {"wide", Projection(camera(3, false), 800, 600)},
            {"telephoto", Projection(camera(1e-3, false), 800, 600)},
            {"orthographic", Projection(camera(1, true), 1920, 1080)},
            {"part",
             Projection(camera(1, false), 16384, 16384).part(9000, 5, 500, 300).sampledAt(0.3125f, -0.25f)},
            {"part, orthographic", Projection(camera(1, true), 16384, 16384).part(15000, 9, 500, 300)}};
}

/// A sheet of squares whose vertices are shifted a little, n squares by n.
BenchMesh sheet(int n, float wobble, std::mt19937_64& random) {
    std::uniform_real_distribution<float> uniform(-1, 1);
    BenchMesh mesh;
    const float edge = 4.0f / static_cast<float>(n);
    for (int y = 0; y <= n; ++y)
        for (int x = 0; x <= n; ++x)
            mesh.positions.push_back({-2 + edge * (static_cast<float>(x) + wobble * uniform(random)),
                                      0.5f * uniform(random) * edge,
                                      -2 + edge * (static_cast<float>(y) + wobble * uniform(random))});
    const auto at = [n](int x, int y) { return static_cast<std::uint32_t>(y * (n + 1) + x); };
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            const std::uint32_t corners[] = {at(x, y), at(x + 1, y),     at(x + 1, y + 1),
                                             at(x, y), at(x + 1, y + 1), at(x, y + 1)};
            mesh.indices.insert(mesh.indices.end(), corners, corners + 6);
        }
    return mesh;
}

std::string meshDifference(const BenchMesh& made, const Projection& p) {
    const TriangleMesh mesh = meshOf(made.positions, made.indices);
    RasterScene scene;
    scene.mesh = &mesh;
    for (const bool backFaces : {true, false}) {
        scene.backFaces = backFaces;
        if (const std::string why = graphDifference(scene, p, {}); !why.empty())
            return (backFaces ? "back faces: " : "") + why;
    }
    return "";
}

} // namespace

class TestRasterClusters : public QObject {
    Q_OBJECT
private slots:
    void culledClustersDrawNothing_data() {
        QTest::addColumn<int>("view");
        for (std::size_t i = 0; i < manyViews().size(); ++i)
            QTest::newRow(manyViews()[i].name) << static_cast<int>(i);
    }
    void culledClustersDrawNothing() {
        QFETCH(int, view);
        const Projection p = manyViews()[static_cast<std::size_t>(view)].projection;
        const RasterView of = rasterView(p);
        auto random = seededRandom("culledClustersDrawNothing");
        std::uniform_real_distribution<double> uniform(-1, 1);
        Found found;
        for (int i = 0; i < 6000; ++i) {
            // small pieces of a plane, turned anywhere or nearly edge-on, in the picture or about its border
            const double reach = std::pow(10.0, 1.2 * uniform(random)),
                         w = 0.5 + 4 * std::abs(uniform(random));
            const double x = of.width * (0.5 + 0.55 * uniform(random)),
                         y = of.height * (0.5 + 0.55 * uniform(random));
            const Vec3d middle = unproject(p, x, y, w), pixel = unproject(p, x + 1, y, w) - middle;
            const double metre = norm(pixel);
            const Vec3d along = normalized(Vec3d{uniform(random), uniform(random), uniform(random)});
            Vec3d across = normalized(cross(along, Vec3d{uniform(random), uniform(random), uniform(random)}));
            if (i % 3 == 0) // seen from the side
                across = normalized(middle - p.eye + 0.02 * norm(middle - p.eye) * across);
            std::vector<std::array<Vec3f, 3>> triangles;
            for (int k = 0; k < 12; ++k) {
                std::array<Vec3f, 3> t;
                const double u = reach * uniform(random), v = reach * uniform(random),
                             size = 0.3 * reach * (0.05 + std::abs(uniform(random)));
                const auto at = [&](double du, double dv) {
                    return (middle + metre * ((u + size * du) * along + (v + size * dv) * across +
                                              0.01 * size * uniform(random) * cross(along, across)))
                        .as<float>();
                };
                t[0] = at(0, 0), t[1] = at(1, 0.1), t[2] = at(0.2, k == 11 && i % 5 == 0 ? 0.01 : 1);
                if (k == 7 && i % 4 == 0)
                    t[2] = t[1];
                triangles.push_back(t);
                if (k % 3 == 0) // adds a triangle that shares an edge with the previous one
                    triangles.push_back({t[2], t[1], at(uniform(random), uniform(random))});
            }
            const HostCluster cluster(std::move(triangles));
            const std::string why = look(cluster, of, i % 2 == 0, found);
            QVERIFY2(why.empty(), qPrintable(QString::fromStdString(why) + " " + QString::number(i)));
        }
        qInfo("%d hidden, %d on a grid; of %d triangles %d were kept and %d draw", found.culled, found.onGrid,
              found.triangles, found.kept, found.drawn);
        if (view == 0) {
            QVERIFY(found.culled > 500 && found.onGrid > 2000);
            QVERIFY(found.kept < 3 * found.drawn);
        }
    }
    void clustersSeenFromBehindDrawNothing_data() { culledClustersDrawNothing_data(); }
    void clustersSeenFromBehindDrawNothing() {
        QFETCH(int, view);
        const Projection p = manyViews()[static_cast<std::size_t>(view)].projection;
        const RasterView of = rasterView(p);
        const CullView cull = cullView(of);
        auto random = seededRandom("clustersSeenFromBehindDrawNothing");
        std::uniform_real_distribution<double> uniform(-1, 1);
        const auto anywhere = [&] { return Vec3d{uniform(random), uniform(random), uniform(random)}; };
        Found found;
        int fromBehind = 0;
        for (int i = 0; i < 20000; ++i) {
            // the clusters are near the centre of a pixel and nearly edge-on; every other one is bent
            const auto x = static_cast<double>(random() % static_cast<unsigned>(of.width)) + 0.5,
                       y = static_cast<double>(random() % static_cast<unsigned>(of.height)) + 0.5;
            const bool bent = i % 2 == 0;
            const double w = 0.5 + 4 * std::abs(uniform(random)),
                         away = std::abs(uniform(random)) * (bent ? 0.8 : 0.06),
                         size =
                             std::pow(10.0, bent ? 1 + 0.5 * uniform(random) : 0.8 * uniform(random) - 0.4);
            const Vec3d middle = unproject(p, x, y, w), pixel = unproject(p, x + 1, y, w) - middle;
            const Vec3d along = of.orthographic ? p.forward.as<double>() : normalized(middle - p.eye);
            const Vec3d beside = normalized(cross(along, anywhere()));
            const Vec3d normal = along * away + beside * std::sqrt(1 - away * away);
            std::vector<std::array<Vec3f, 3>> triangles;
            for (int k = 0; k < 12; ++k) {
                const Vec3d up = normalized(normal + (bent ? 0.5 : 0.0) * anywhere());
                const Vec3d u = normalized(cross(up, anywhere())) * (norm(pixel) * size), v = cross(up, u);
                const Vec3d from = middle - (u + v) * (0.3 + 0.1 * uniform(random));
                triangles.push_back({from.as<float>(), (from + u).as<float>(), (from + v).as<float>()});
            }
            const HostCluster cluster(std::move(triangles));
            ClusterGrid grid;
            fromBehind += visibilityOf(of, cull, cluster.head, true, grid) == ClusterVisibility::onGrid &&
                          visibilityOf(of, cull, cluster.head, false, grid) == ClusterVisibility::culled;
            const std::string why = look(cluster, of, false, found);
            QVERIFY2(why.empty(), qPrintable(QString::fromStdString(why) + " " + QString::number(i)));
        }
        qInfo("%d clusters were seen from behind", fromBehind);
        if (view == 0)
            QVERIFY(fromBehind > 3000);
    }
    void patchesInAnyView() {
        auto random = seededRandom("patchesInAnyView");
        constexpr int vertices = 8; // vertices along each side of a patch; a cluster is a patch of pairs
        constexpr std::size_t corners = 6 * (vertices - 1) * (vertices - 1);
        Found found;
        double share = 0;
        for (int i = 0; i < 60; ++i) {
            const Projection p = randomView(random);
            const double pixels = std::exp2(static_cast<double>(random() % 8) - 3);
            const BenchMesh mesh = patchesIn(p, 40, vertices, pixels, random);
            for (std::size_t first = 0; first < mesh.indices.size(); first += corners) {
                std::vector<std::array<Vec3f, 3>> triangles(corners / 3);
                for (std::size_t k = 0; k < corners; ++k)
                    triangles[k / 3][k % 3] = mesh.positions[mesh.indices[first + k]];
                const HostCluster cluster(std::move(triangles));
                for (const Projection& view : {p, randomView(random)}) {
                    const std::string why = look(cluster, rasterView(view), i % 2 == 0, found);
                    QVERIFY2(why.empty(), qPrintable(QString::fromStdString(why) + " " + QString::number(i)));
                    share = std::max(share, shareOfMargin(cluster, rasterView(view)));
                }
            }
        }
        qInfo("%d hidden, %d on a grid; of %d triangles %d were kept and %d draw; off by %.2f of the margin",
              found.culled, found.onGrid, found.triangles, found.kept, found.drawn, share);
        QVERIFY(share <= 1);
        QVERIFY(found.culled > 1000 && found.onGrid > 1000 && found.drawn > 10000);
        QVERIFY(found.kept < 2 * found.drawn);
    }
    void sheets_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<float>("wobble");
        for (const int n : {8, 60, 250})
            for (const float wobble : {0.0f, 0.3f, 2.0f})
                QTest::addRow("%d %g", n, double(wobble)) << n << wobble;
    }
    void sheets() {
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, n);
        QFETCH(float, wobble);
        auto random = seededRandom("sheets");
        BenchMesh mesh = sheet(n, wobble, random);
        for (const Projection& p : views(640, 360))
            QCOMPARE(meshDifference(mesh, p), std::string());
        for (const auto& [name, p] : manyViews())
            QCOMPARE(meshDifference(mesh, p), std::string());
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const auto any = [&] { return random() % mesh.positions.size(); };
        mesh.positions[any()].x = nan;
        mesh.positions[any()].y = std::numeric_limits<float>::infinity();
        mesh.positions[any()].z = 1e20f;
        mesh.positions[any()] = {3e38f, -3e38f, 3e38f};
        for (int i = 0; i < 5; ++i) { // triangles without area, and folded ones
            mesh.indices[3 * (random() % (mesh.indices.size() / 3))] = mesh.indices[0];
            mesh.positions[any()] = mesh.positions[any()];
        }
        for (const Projection& p : views(320, 200))
            QCOMPARE(meshDifference(mesh, p), std::string());
    }
    void anyOrder() { // any order of triangles, and of vertices
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("anyOrder");
        const BenchMesh rows = sheet(100, 0.2f, random);
        BenchMesh mesh = rows;
        std::vector<std::uint32_t> order(rows.positions.size());
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin(), order.end(), random);
        for (std::size_t i = 0; i < order.size(); ++i)
            mesh.positions[order[i]] = rows.positions[i];
        for (std::uint32_t& index : mesh.indices)
            index = order[index];
        for (const Projection& p : views(500, 300))
            QCOMPARE(meshDifference(mesh, p), std::string());
        std::vector<std::array<std::uint32_t, 3>> triangles(mesh.indices.size() / 3);
        std::memcpy(triangles.data(), mesh.indices.data(), mesh.indices.size() * sizeof(std::uint32_t));
        std::shuffle(triangles.begin(), triangles.end(), random);
        std::memcpy(mesh.indices.data(), triangles.data(), mesh.indices.size() * sizeof(std::uint32_t));
        for (const Projection& p : views(500, 300))
            QCOMPARE(meshDifference(mesh, p), std::string());
    }
    void anyCount() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("anyCount");
        const BenchMesh all = sheet(182, 0.2f, random); // 66,248 triangles
        for (const std::size_t count : {0, 1, 2, 31, 125, 126, 127, 128, 253, 1000, 65537}) {
            BenchMesh mesh = all;
            mesh.indices.resize(3 * count);
            QCOMPARE(meshDifference(mesh, views(400, 300)[0]), std::string());
            QCOMPARE(meshDifference(mesh, views(400, 300)[2]), std::string());
        }
    }
    void patches_data() {
        QTest::addColumn<int>("vertices");  // number of vertices along each side of a patch
        QTest::addColumn<double>("pixels"); // approximate side of a triangle
        for (const int vertices : {2, 5, 9, 30})
            for (const double pixels : {0.2, 1.0, 5.0})
                QTest::addRow("%d, %g", vertices, pixels) << vertices << pixels;
    }
    void patches() { // patches with random orientations, in random views
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, vertices);
        QFETCH(double, pixels);
        auto random = seededRandom("patches");
        for (int i = 0; i < 4; ++i) {
            const Projection p = randomView(random);
            const BenchMesh mesh = patchesIn(p, 20000 / (vertices * vertices), vertices, pixels, random);
            QCOMPARE(meshDifference(mesh, p), std::string());
            QCOMPARE(meshDifference(mesh, randomView(random)), std::string());
        }
    }
    void clustersHoldTheirTriangles() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("clustersHoldTheirTriangles");
        const Projection p = randomView(random);
        for (const int vertices : {2, 3, 9, 60}) {
            BenchMesh made = patchesIn(p, 20000 / (vertices * vertices), vertices, 1, random);
            for (int i = 0; i < 20;
                 ++i) { // repeats the triangle, reverses it, and uses one of its corners twice
                const std::size_t from = 3 * (random() % (made.indices.size() / 3));
                const std::uint32_t a = made.indices[from], b = made.indices[from + 1],
                                    c = made.indices[from + 2];
                const std::uint32_t more[] = {a, b, c, c, b, a, a, a, b};
                made.indices.insert(made.indices.end(), more, more + 9);
            }
            const Stream stream;
            const TriangleMesh mesh = meshOf(made.positions, made.indices);
            RasterScene scene;
            scene.mesh = &mesh;
            const DeviceScene device(scene, stream);
            const TriangleClusters clusters = cuda::clusterTriangles(*device.scene().mesh, stream);
            // otherwise few clusters would be tested
            QVERIFY(clusters.unquantized * 2 < clusters.heads.size());
            const HostClusters all(clusters, made.positions, made.indices, stream);
            QCOMPARE(all.error(), std::string());
            qInfo("%d: %.1f slots of %u triangles", vertices, all.slotsPerCluster(), kClusterTriangles);
            if (vertices == 60)
                QVERIFY(all.slotsPerCluster() < 66);
        }
    }
    void farFromTheOrigin() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("farFromTheOrigin");
        BenchMesh mesh = sheet(100, 0.2f, random);
        for (Vec3f& position : mesh.positions)
            position = position + Vec3f{100000, -70000, 500};
        for (const bool orthographic : {false, true})
            QCOMPARE(meshDifference(mesh, Projection(cameraAt({100000.3, -70004, 500.5},
                                                              {100000, -70000, 500}, orthographic, 2.5),
                                                     640, 360)),
                     std::string());
    }
    void sameBytesEveryTime() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("sameBytesEveryTime");
        const BenchMesh made = sheet(150, 0.2f, random);
        const TriangleMesh mesh = meshOf(made.positions, made.indices);
        RasterScene scene;
        scene.mesh = &mesh;
        const Stream stream;
        const DeviceScene device(scene, stream);
        const auto bytesOf = [&](const TriangleClusters& clusters) {
            const auto heads = clusters.heads.copyTo(MemorySpace::host, stream);
            const auto words = clusters.words.copyTo(MemorySpace::host, stream);
            const auto order = clusters.order.copyTo(MemorySpace::host, stream);
            std::string bytes(reinterpret_cast<const char*>(heads.data()), heads.bytes());
            bytes.append(reinterpret_cast<const char*>(order.data()), order.bytes());
            return bytes.append(reinterpret_cast<const char*>(words.data()),
                                words.bytes() - kClusterBeyond * sizeof(std::uint32_t));
        };
        const TriangleClusters first = cuda::clusterTriangles(*device.scene().mesh, stream);
        QCOMPARE(first.unquantized, std::uint64_t(0));
        QCOMPARE(first.heads.size(), (mesh.triangleCount() + kClusterTriangles - 1) / kClusterTriangles);
        for (int run = 0; run < 5; ++run)
            QVERIFY(bytesOf(cuda::clusterTriangles(*device.scene().mesh, stream)) == bytesOf(first));
    }
    void aMissingVertexIsReported() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("aMissingVertexIsReported");
        BenchMesh made = sheet(50, 0.2f, random);
        made.indices[3 * 1234 + 1] = static_cast<std::uint32_t>(made.positions.size());
        const TriangleMesh mesh = meshOf(made.positions, made.indices);
        RasterScene scene;
        scene.mesh = &mesh;
        const Stream stream;
        const DeviceScene device(scene, stream);
        const TriangleClusters clusters = cuda::clusterTriangles(*device.scene().mesh, stream);
        RasterScene there = device.scene();
        there.clusters = &clusters;
        RasterGraph graph(there, 64, 64, RasterGraph::Output::visibility, {}, stream);
        graph.launch(Projection(cameraAt({0, -3, 0}, {0, 0, 0}), 64, 64), {}, stream);
        try {
            static_cast<void>(graph.stats(stream));
            QFAIL("nothing was thrown");
        } catch (const KernelError& error) {
            QVERIFY(QString(error.what()).contains("triangle 1234 "));
        }
        const TriangleMesh other = meshOf({{-1, 2, -1}, {1, 2, -1}, {0, 2, 1}}, {0, 1, 2});
        scene.mesh = &other;
        const DeviceScene otherDevice(scene, stream);
        there = otherDevice.scene();
        there.clusters = &clusters;
        QVERIFY_EXCEPTION_THROWN(RasterGraph(there, 64, 64, RasterGraph::Output::image, {}, stream), Fault);
    }
};

SCANLOUPE_TEST(TestRasterClusters)
#include "test_raster_clusters.moc"
