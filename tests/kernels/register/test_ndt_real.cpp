// Real pairs of scans, whose poses are known to about 5 cm and 1 degree.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/scan_reader.h"
#include "kernels/mesh/distance/surface_distance.h"
#include "tests/kernels/register/ndt_backends.h"
#include "tests/kernels/register/ndt_test_support.h"

#include <fstream>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::vector<Vec3f> readPoints(const std::filesystem::path& path) {
    const auto cloud = readScan(path, {}, {});
    const auto view = cloud->floatView({});
    return {view.data(), view.data() + view.size()};
}
RigidTransform readPose(const std::filesystem::path& path) {
    std::ifstream file(path);
    RigidTransform pose;
    for (int i = 0; i < 3; ++i)
        file >> pose.rows[i].x >> pose.rows[i].y >> pose.rows[i].z >> pose.translation[i];
    return pose;
}
NdtMap cellsOf(const std::vector<Vec3f>& points, double resolution) {
    NdtMapParams params;
    params.resolution = resolution;
    return mapOf(points, params);
}
/// Fraction of the points within 5 cm of a point of the other scan.
double shareNear(const std::vector<Vec3f>& points, const RigidTransform& pose,
                 const std::vector<Vec3f>& others) {
    std::vector<Vec3f> moved;
    for (const Vec3f p : points)
        moved.push_back(pose(p.as<double>()).as<float>());
    const auto distances = distancesToPoints(moved, others, cpu::buildPointBvh(others, {}), {});
    std::size_t near = 0;
    for (const float d : distances.span())
        near += d < 0.05f;
    return double(near) / double(points.size());
}

} // namespace

class TestNdtReal : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { SKIP_WITHOUT_NDT_BACKEND(); }
    void outdoorPair() {
        SCANLOUPE_REAL_SCAN(folder, "ndt");
        const auto target = readPoints(folder / "251370668.pcd"),
                   source = readPoints(folder / "251371071.pcd");
        const RigidTransform poses[] = {readPose(folder / "fast_gicp_relative.txt"),
                                        readPose(folder / "small_gicp_T_target_source.txt")};
        const auto scan = cpu::thinScan(source, 0.2, {});
        for (const double resolution : {1.0, 2.0}) {
            const NdtMap map = cellsOf(target, resolution);
            for (int n = 0; n < 3; ++n) {
                NdtParams params;
                params.neighbours = NdtNeighbours(n);
                const NdtResult result = NdtBackend::current().align(map, {scan, {}}, {}, params);
                QVERIFY(result.converged());
                QCOMPARE(result.geometry.degenerate, 0);
                for (const RigidTransform& pose : poses)
                    VERIFY_POSE(result.pose, pose, 50, 1.0);
            }
        }
    }
    void room() {
        SCANLOUPE_REAL_SCAN(folder, "ndt");
        const auto target = readPoints(folder / "room_scan1.pcd"),
                   source = readPoints(folder / "room_scan2.pcd");
        const RigidTransform start = fromRollPitchYaw({0, 0, 0.6931}, {1.794, 0.720, 0});
        // the result of PCL's tutorial; it is 0.59 m from the true pose
        const RigidTransform published = fromRollPitchYaw({0, 0, 0.6931}, {1.846, 0.635, 0.006});
        const auto scan = cpu::thinScan(source, 0.2, {});
        const NdtMap map = cellsOf(target, 1);
        std::vector<NdtResult> results;
        for (int n = 0; n < 3; ++n) {
            NdtParams params;
            params.neighbours = NdtNeighbours(n);
            results.push_back(NdtBackend::current().align(map, {scan, {}}, start, params));
            const NdtResult& result = results.back();
            QVERIFY(result.converged());
            QCOMPARE(result.geometry.degenerate, 0);
            VERIFY_POSE(result.pose, results.front().pose, 10, 0.2);
            VERIFY_POSE(result.pose, cpu::alignNdt(map, {scan, {}}, start, params, {}).pose, 10, 0.2);
            const NdtResult there = NdtBackend::current().score(map, {scan, {}}, published, params);
            QVERIFY(result.score > 1.5 * there.score);
            // does not depend on scores: uses the distances between the points themselves
            const double share = shareNear(scan, result.pose, target);
            const double shareThere = shareNear(scan, published, target);
            std::printf("%.1f %% of the points within 5 cm; %.1f %% at the published pose\n", 100 * share,
                        100 * shareThere);
            QVERIFY(share > 3 * shareThere);
        }
    }
    void roomFromAllAround() { // the true pose has the best score
        SCANLOUPE_REAL_SCAN(folder, "ndt");
        const auto target = readPoints(folder / "room_scan1.pcd"),
                   source = readPoints(folder / "room_scan2.pcd");
        const auto scan = cpu::thinScan(source, 0.2, {});
        const NdtMap map = cellsOf(target, 1);
        std::vector<RigidTransform> starts;
        for (const double x : {-1.0, -0.5, 0.0, 0.5, 1.0})
            for (const double y : {-1.0, -0.5, 0.0, 0.5, 1.0})
                for (const double yaw : {-0.3, 0.0, 0.3})
                    starts.push_back(fromRollPitchYaw({0, 0, 0.6931 + yaw}, {1.794 + x, 0.72 + y, 0}));
        const NdtFound found = NdtBackend::current().findPose(map, {scan, {}}, starts, {}, {});
        const NdtResult alone = NdtBackend::current().align(map, {scan, {}}, starts[37], {});
        VERIFY_POSE(found.best.pose, alone.pose, 5, 0.1);
    }
};

NDT_TEST(TestNdtReal)
#include "test_ndt_real.moc"
