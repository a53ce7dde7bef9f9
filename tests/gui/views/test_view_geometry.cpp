// Geometry that workers prepare for the OpenGL views: it is complete, levels get coarser, and chunks are
// within their bounds.
#include "engine/results/snapshot.h"
#include "gui/views/geometry/view_geometry.h"
#include "gui/views/scene/chunk_culling.h"
#include "tests/gui/views/view_scenes.h"
#include "tests/support/test_support.h"

#include <set>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

bool within(Vec3f p, Vec3f low, Vec3f high) {
    const float slack = 1e-4f;
    return p.x >= low.x - slack && p.y >= low.y - slack && p.z >= low.z - slack && p.x <= high.x + slack &&
           p.y <= high.y + slack && p.z <= high.z + slack;
}

/// Whether the chunks are consecutive and cover `total` items.
bool covers(const std::vector<DrawChunk>& chunks, std::size_t total) {
    std::size_t next = 0;
    for (const DrawChunk& chunk : chunks) {
        if (chunk.first != next || chunk.count == 0)
            return false;
        next += chunk.count;
    }
    return next == total;
}

} // namespace

class TestViewGeometry : public QObject {
    Q_OBJECT

private slots:
    void everyVoxelHasItsBox() {
        const auto snapshot = streetVoxels(100'000, 0.3f);
        const VoxelGrid& grid = snapshot->voxels.host();
        const auto geometry = buildVoxelGeometry(*snapshot, 1000, {});
        const auto& boxes = geometry->boxLevels.front().boxes;
        QCOMPARE(boxes.size(), grid.size());
        std::set<std::uint32_t> seen;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const std::uint32_t voxel = geometry->voxelOf[i];
            QVERIFY(seen.insert(voxel).second);
            const Vec3f middle =
                grid.shape.origin + grid.shape.voxelSize * (grid.shape.cell(grid.keys[voxel]).as<float>() +
                                                            Vec3f{0.5f, 0.5f, 0.5f});
            QVERIFY(norm(middle - boxes[i].middle) < 1e-3f);
        }
    }

    void voxelLevelsGetCoarserAndHoldTheFinerOnes() {
        const auto snapshot = streetVoxels(100'000, 0.3f);
        const auto geometry = buildVoxelGeometry(*snapshot, 1000, {});
        QVERIFY(geometry->boxLevels.size() >= 3);
        QVERIFY(geometry->boxLevels.back().boxes.size() <= 1000);
        for (std::size_t l = 0; l < geometry->boxLevels.size(); ++l) {
            const auto& level = geometry->boxLevels[l];
            QVERIFY(covers(geometry->levels[l], level.boxes.size()));
            for (const DrawChunk& chunk : geometry->levels[l]) {
                QVERIFY(chunk.first / kBoxPage == (chunk.first + chunk.count - 1) / kBoxPage);
                for (std::uint32_t i = chunk.first; i < chunk.first + chunk.count; ++i)
                    QVERIFY(within(level.boxes[i].middle, chunk.low, chunk.high));
            }
            if (l == 0)
                continue;
            const auto& finer = geometry->boxLevels[l - 1];
            QVERIFY(level.boxes.size() < finer.boxes.size());
            QCOMPARE(level.edge.x, finer.edge.x * 2);
            std::size_t at =
                0; // both have the same order: each finer box is in the current coarse box or in the next one
            for (const BoxInstance& box : finer.boxes) {
                const auto holds = [&](std::size_t i) {
                    return within(box.middle, level.boxes[i].middle - level.edge * 0.5f,
                                  level.boxes[i].middle + level.edge * 0.5f);
                };
                if (!holds(at))
                    ++at;
                QVERIFY(at < level.boxes.size() && holds(at));
            }
        }
    }

    void noLevelsWhenAllIsAffordable() {
        QCOMPARE(buildVoxelGeometry(*streetVoxels(20'000, 0.5f), 1'000'000, {})->levels.size(),
                 std::size_t(1));
        QCOMPARE(buildMeshGeometry(*bumpyMesh(10'000), 1'000'000, {})->levels.size(), std::size_t(1));
    }

    void meshLevelsGetCoarserAndKeepTheShape() {
        const auto snapshot = bumpyMesh(300'000);
        const auto geometry = buildMeshGeometry(*snapshot, 3000, {});
        QVERIFY(geometry->pages.size() >= 3 && geometry->pages.size() == geometry->levels.size());
        QVERIFY(geometry->pages.front().size() >= 3);
        std::size_t finer = 0;
        for (std::size_t l = 0; l < geometry->pages.size(); ++l) {
            const auto& pages = geometry->pages[l];
            std::size_t triangles = 0;
            for (const MeshPart& page : pages) {
                QCOMPARE(triangles, (&page - pages.data()) * std::size_t{kMeshPage});
                triangles += page.indices.size() / 3;
                for (const MeshVertex& vertex : page.vertices)
                    QVERIFY(norm(vertex.position) > 0.8f && norm(vertex.position) < 1.1f);
                std::vector<bool> named(page.vertices.size());
                for (const std::uint32_t index : page.indices)
                    named.at(index) = true;
                QVERIFY(std::find(named.begin(), named.end(), false) == named.end());
            }
            QVERIFY(covers(geometry->levels[l], triangles));
            for (const DrawChunk& chunk : geometry->levels[l]) {
                const MeshPart& page = pages.at(chunk.first / kMeshPage);
                const std::size_t first = chunk.first % kMeshPage;
                for (std::size_t i = 3 * first; i < 3 * (first + chunk.count); ++i)
                    QVERIFY(within(page.vertices.at(page.indices.at(i)).position, chunk.low, chunk.high));
            }
            QVERIFY(l == 0 || triangles < finer / 2);
            finer = triangles;
        }
        // the first level is the mesh, triangle by triangle
        const TriangleMesh& mesh = snapshot->mesh.host();
        for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
            const MeshPart& page = geometry->pages.front()[i / 3 / kMeshPage];
            const Vec3f place = page.vertices[page.indices[i % (3 * kMeshPage)]].position;
            QVERIFY(place == mesh.positions[mesh.indices[i]]);
        }
    }

    void sameInputSameGeometry() {
        const auto snapshot = bumpyMesh(30'000);
        const auto a = buildMeshGeometry(*snapshot, 500, {}), b = buildMeshGeometry(*snapshot, 500, {});
        for (std::size_t l = 0; l < a->pages.size(); ++l)
            for (std::size_t p = 0; p < a->pages[l].size(); ++p)
                QVERIFY(a->pages[l][p].indices == b->pages[l][p].indices);
    }

    void nothingMakesNoLevels() {
        QVERIFY(buildVoxelGeometry(Snapshot{}, 10, {})->levels.empty());
        QVERIFY(buildMeshGeometry(Snapshot{}, 10, {})->levels.empty());
    }

    void aStopEndsTheWork() {
        const auto snapshot = streetVoxels(50'000, 0.3f);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(buildVoxelGeometry(*snapshot, 10, stop.get_token()), Cancelled);
    }

    void cullingKeepsAllThatIsSeen_data() {
        QTest::addColumn<bool>("orthographic");
        QTest::newRow("perspective") << false;
        QTest::newRow("orthographic") << true;
    }
    void cullingKeepsAllThatIsSeen() {
        QFETCH(bool, orthographic);
        auto random = seededRandom("cullingKeepsAllThatIsSeen");
        std::uniform_real_distribution<double> unit(-1, 1);
        int kept = 0, dropped = 0;
        for (int round = 0; round < 200; ++round) {
            Camera camera;
            camera.eye = {unit(random) * 5, unit(random) * 5, unit(random) * 5};
            camera.target = {unit(random), unit(random), unit(random)};
            camera.orthographic = orthographic;
            camera.orthographicHeight = 1.5;
            const CameraFrame frame(camera, {400, 300});
            const Frustum frustum(frame, QRectF(100, 50, 200, 150));
            const Vec3f low{float(unit(random) * 4), float(unit(random) * 4), float(unit(random) * 4)};
            const Vec3f high = low + Vec3f{0.7f, 0.5f, 0.9f};
            bool seen = false;
            for (int i = 0; i < 100; ++i) {
                const Vec3d part{std::abs(unit(random)), std::abs(unit(random)), std::abs(unit(random))};
                const Vec3d p = low.as<double>() + (high - low).as<double>() * part;
                seen |= frame.inView(p).z > frame.nearPlane &&
                        QRectF(100, 50, 200, 150).contains(frame.project(p));
            }
            const bool meets = frustum.intersects(low, high);
            QVERIFY(meets || !seen);
            meets ? ++kept : ++dropped;
        }
        QVERIFY(kept > 0 && dropped > kept); // chunks outside of the view are culled
    }
};

SCANLOUPE_TEST(TestViewGeometry)
#include "test_view_geometry.moc"
