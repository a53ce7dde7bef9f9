// Distances between points and a mesh, compared with a loop over all triangles.
#include "kernels/core/parallel.h"
#include "kernels/mesh/distance/hilbert_grid.h"
#include "kernels/mesh/distance/surface_distance.h"
#include "tests/kernels/mesh/mesh_backends.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/test_support.h"
#include "tests/support/time_limits.h"

#include <limits>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// The nearest point on a triangle by another method: minimizing over barycentric coordinates region by
/// region (Eberly, "Distance between point and triangle in 3D").
double eberly(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
    const auto onSegment = [&](Vec3d from, Vec3d to) {
        const double whole = squaredNorm(to - from);
        const double t = whole > 0 ? std::clamp(dot(p - from, to - from) / whole, 0.0, 1.0) : 0;
        return norm(from + (to - from) * t - p);
    };
    double best = std::min({onSegment(a, b), onSegment(b, c), onSegment(c, a)});
    const Vec3d e0 = b - a, e1 = c - a, d = a - p;
    const double m00 = dot(e0, e0), m01 = dot(e0, e1), m11 = dot(e1, e1);
    const double determinant = m00 * m11 - m01 * m01;
    const double s = m01 * dot(e1, d) - m11 * dot(e0, d), t = m01 * dot(e0, d) - m00 * dot(e1, d);
    if (determinant > 0 && s >= 0 && t >= 0 && s + t <= determinant)
        best = std::min(best, norm(d + e0 * (s / determinant) + e1 * (t / determinant)));
    return best;
}

float bruteForce(const TriangleMesh& mesh, Vec3f p) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t)
        best = std::min(best, squaredDistanceToTriangle(p, mesh.positions[mesh.indices[3 * t]],
                                                        mesh.positions[mesh.indices[3 * t + 1]],
                                                        mesh.positions[mesh.indices[3 * t + 2]]));
    return float(std::sqrt(best));
}

PointDistances distancesOf(const std::vector<Vec3f>& points, const TriangleMesh& mesh) {
    return cpu::pointToMesh(points, mesh, cpu::buildTriangleBvh(mesh, {}), {});
}

} // namespace

class TestSurfaceDistance : public QObject {
    Q_OBJECT
private slots:
    void triangleAgainstAnotherMethod() {
        auto random = seededRandom("triangleAgainstAnotherMethod");
        std::uniform_real_distribution<float> along(-1, 1);
        for (int round = 0; round < 20000; ++round) {
            const auto corners = randomPoints(random, 3, 1);
            Vec3f a = corners[0], b = corners[1], c = corners[2];
            if (round % 4 == 1) // a sliver
                c = a + (b - a) * along(random) + corners[2] * 1e-6f;
            if (round % 4 == 2) // on a lattice: equal sides, right angles, shared corners
                for (Vec3f* v : {&a, &b, &c})
                    *v = {std::round(v->x), std::round(v->y), std::round(v->z)};
            Vec3f p = randomPoints(random, 1, 2)[0];
            if (round % 5 == 0)
                p = {std::round(p.x), std::round(p.y), std::round(p.z)};
            const double expected = eberly(p.as<double>(), a.as<double>(), b.as<double>(), c.as<double>());
            const double found = std::sqrt(squaredDistanceToTriangle(p, a, b, c));
            QVERIFY2(std::abs(found - expected) < 1e-7 + 1e-6 * expected,
                     qPrintable(QString("%1 and %2").arg(found).arg(expected)));
        }
    }
    void degenerateTriangles() {
        QCOMPARE(squaredDistanceToTriangle({0, 0, 3}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}), 9.0);
        QCOMPARE(squaredDistanceToTriangle({1, 2, 0}, {0, 0, 0}, {0, 0, 0}, {4, 0, 0}), 4.0);
        QCOMPARE(squaredDistanceToTriangle({5, 0, 0}, {0, 0, 0}, {2, 0, 0}, {4, 0, 0}), 1.0);
        QCOMPARE(squaredDistanceToTriangle({1, 1, -2}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}), 4.0);
    }
    void curvePassesEveryCellOnceInSteps() {
        constexpr int bits = 4, edge = 1 << bits;
        const float last = edge - 1;
        const HilbertGrid grid({{0, 0, 0}, {last, last, last}}, bits);
        std::vector<Vec3i> cells(edge * edge * edge, Vec3i{-1, -1, -1});
        for (int i = 0; i < edge * edge * edge; ++i) {
            const Vec3i cell{i % edge, i / edge % edge, i / edge / edge};
            const std::uint64_t key = grid.key(cell.as<float>(), kHilbertTable);
            QVERIFY(key < cells.size() && cells[key] == (Vec3i{-1, -1, -1}));
            cells[key] = cell;
        }
        for (std::size_t i = 1; i < cells.size(); ++i)
            QCOMPARE(squaredNorm(cells[i] - cells[i - 1]), 1);
        QCOMPARE(grid.key({-5, 0, 0}, kHilbertTable),
                 grid.key({0, 0, 0}, kHilbertTable)); // positions outside are clamped to the border
    }
    void curveOfTheHostIsThatOfDevices() {
        auto random = seededRandom("curveOfTheHostIsThatOfDevices");
        for (int bits = 1; bits <= 20; ++bits) {
            const HilbertGrid grid({{-3, -3, -3}, {3, 3, 3}}, bits);
            for (const Vec3f p : randomPoints(random, 200, 3.5f))
                QCOMPARE(grid.key(p), grid.key(p, kHilbertTable));
        }
    }
    void boundsOfBoxesAreBelow() {
        auto random = seededRandom("boundsOfBoxesAreBelow");
        for (int round = 0; round < 5000; ++round) {
            const auto p = randomPoints(random, 3, 100);
            const Box3f box{min(p[0], p[1]), max(p[0], p[1])};
            const Vec3f nearest = max(box.low, min(box.high, p[2]));
            QVERIFY(double(squaredDistanceLowerBound(box, p[2])) <=
                    squaredNorm((nearest - p[2]).as<double>()));
            QVERIFY(squaredDistanceLowerBound(box, p[0]) == 0.0f);
        }
    }
    void everyPointAgainstEveryTriangle() {
        auto random = seededRandom("everyPointAgainstEveryTriangle");
        const TriangleMesh ball = surfaceOf(21, 1.3f, unitSphere), ring = surfaceOf(25, 1.6f, ringTorus);
        const TriangleMesh one = meshOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 2});
        std::vector<std::uint32_t> soup;
        for (std::uint32_t i = 0; i < 3 * 700; ++i)
            soup.push_back(i);
        // triangles of all sizes
        const TriangleMesh scattered = meshOf(randomPoints(random, 3 * 700, 1.5f), soup);
        const TriangleMesh both = together(ball, ring);
        for (const TriangleMesh* mesh : {&ball, &ring, &one, &scattered, &both}) {
            const auto points = randomPoints(random, 1500, 3);
            const PointDistances found = distancesOf(points, *mesh);
            for (std::size_t i = 0; i < points.size(); ++i)
                QCOMPARE(found.values[i], bruteForce(*mesh, points[i]));
        }
    }
    void pointsOnTheMeshAreAtZero() {
        const TriangleMesh ball = surfaceOf(33, 1.3f, unitSphere);
        const std::vector<Vec3f> vertices(ball.positions.span().begin(), ball.positions.span().end());
        QCOMPARE(distancesOf(vertices, ball).stats.max, 0.0);
        // far from the origin, like shifted clouds in map coordinates
        std::vector<Vec3f> around;
        for (const Vec3f v : vertices)
            around.push_back(v * 2.0f);
        const DistanceStats stats = distancesOf(around, ball).stats;
        QVERIFY(std::abs(stats.mean - 1) < 0.03 && stats.max < 1.1 && stats.rms >= stats.mean);
    }
    void statistics() {
        auto random = seededRandom("statistics");
        for (const std::size_t count : {1, 2, 19, 20, 21, 1000, 200'000}) {
            std::vector<float> values;
            std::uniform_real_distribution<float> exponent(-40, 20);
            for (std::size_t i = 0; i < count; ++i)
                values.push_back(random() % 8 == 0 ? 0.0f : std::exp2(exponent(random)));
            std::vector<float> sorted = values;
            std::sort(sorted.begin(), sorted.end());
            double sum = 0, squares = 0;
            for (const float v : sorted)
                sum += double(v), squares += double(v) * double(v);
            values.insert(values.begin() + std::ptrdiff_t(count / 2), kNan); // a missing distance
            const DistanceStats stats = cpu::statisticsOf(values, {});
            QCOMPARE(stats.count, std::uint64_t(count));
            QCOMPARE(stats.max, double(sorted.back()));
            QCOMPARE(stats.p95, double(sorted[std::size_t(0.95 * double(count - 1))]));
            QVERIFY(std::abs(stats.mean * double(count) / std::max(sum, 1e-30) - 1) < 1e-12 || sum == 0);
            QVERIFY(std::abs(stats.rms * stats.rms * double(count) - squares) <= 1e-12 * squares);
        }
        QCOMPARE(cpu::statisticsOf({}, {}), DistanceStats{});
        QCOMPARE(cpu::statisticsOf(std::vector<float>(7, kNan), {}), DistanceStats{});
        QCOMPARE(cpu::statisticsOf(std::vector<float>(9, 0.0f), {}).p95, 0.0);
    }
    void oddPoints() {
        auto random = seededRandom("oddPoints");
        const TriangleMesh ball = surfaceOf(21, 1.3f, unitSphere);
        auto points = randomPoints(random, 100, 2);
        points[30] = {kNan, 0, 0};
        points[60] = {0, std::numeric_limits<float>::infinity(), 0};
        const PointDistances all = distancesOf(points, ball);
        QCOMPARE(all.stats.count, std::uint64_t{98});
        QVERIFY(std::isnan(all.values[30]) && std::isnan(all.values[60]));
        const PointDistances nothing = distancesOf(points, TriangleMesh{});
        QCOMPARE(nothing.stats, DistanceStats{});
        QVERIFY(std::isnan(nothing.values[0]));
        QCOMPARE(distancesOf({}, ball).stats, DistanceStats{});
        QVERIFY_EXCEPTION_THROWN(cpu::pointToMesh(points, ball, cpu::buildTriangleBvh(sheet(1, 1), {}), {}),
                                 Fault);
    }
    void meshToPoints() {
        auto random = seededRandom("meshToPoints");
        auto points = randomPoints(random, 3000, 1.2f);
        points[7] = {kNan, kNan, kNan};
        const Bvh tree = cpu::buildPointBvh(points, {});
        QCOMPARE(tree.shape.items, std::uint64_t{2999});
        const auto places = randomPoints(random, 500, 2);
        const auto found = distancesToPoints(places, points, tree, {});
        for (std::size_t i = 0; i < places.size(); ++i) {
            double best = std::numeric_limits<double>::infinity();
            for (const Vec3f p : points)
                if (isFinite(p))
                    best = std::min(best, squaredNorm(p.as<double>() - places[i].as<double>()));
            QCOMPARE(found[i], float(std::sqrt(best)));
        }
        const auto none = distancesToPoints(places, {}, cpu::buildPointBvh({}, {}), {});
        QVERIFY(std::isnan(none[0]));
    }
    void sameBytesEveryTime() {
        auto random = seededRandom("sameBytesEveryTime");
        const TriangleMesh ring = surfaceOf(65, 1.6f, ringTorus);
        const auto points = randomPoints(random, 40'000, 2);
        const PointDistances first = distancesOf(points, ring);
        const Bvh tree = cpu::buildTriangleBvh(ring, {});
        for (int run = 0; run < 3; ++run) {
            const PointDistances again = distancesOf(points, ring);
            QVERIFY(std::ranges::equal(again.values.span(), first.values.span()));
            QCOMPARE(again.stats, first.stats);
            QVERIFY(std::ranges::equal(cpu::buildTriangleBvh(ring, {}).order.span(), tree.order.span()));
        }
    }
    void deviceGivesTheSameBytes() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("deviceGivesTheSameBytes");
        const Stream stream;
        const auto onDevice = [&](const auto& buffer) { return buffer.copyTo(MemorySpace::device, stream); };
        const auto treesDiffer = [&](const Bvh& a, const Bvh& b) -> QString {
            const auto order = b.order.copyTo(MemorySpace::host, stream);
            const auto boxes = b.boxes.copyTo(MemorySpace::host, stream);
            if (a.shape.items != b.shape.items || a.shape.levels != b.shape.levels)
                return "the shapes differ";
            for (std::size_t i = 0; i < order.size(); ++i)
                if (a.order[i] != order[i])
                    return QString("item %1 is %2, not %3").arg(i).arg(order[i]).arg(a.order[i]);
            for (std::size_t i = 0; i < boxes.size(); ++i)
                if (!(a.boxes[i].low == boxes[i].low) || !(a.boxes[i].high == boxes[i].high))
                    return QString("box %1 differs").arg(i);
            return {};
        };
        for (const TriangleMesh& mesh : {surfaceOf(65, 1.6f, ringTorus), sheet(1, 1), TriangleMesh{}}) {
            TriangleMesh there;
            there.positions = onDevice(mesh.positions);
            there.indices = onDevice(mesh.indices);
            const Bvh tree = cpu::buildTriangleBvh(mesh, {});
            const Bvh treeThere = cuda::buildTriangleBvh(there, {}, stream);
            QCOMPARE(treesDiffer(tree, treeThere), QString());
            for (const std::size_t count : {0u, 1u, 50'003u}) {
                auto points = randomPoints(random, count, 2);
                if (count > 7)
                    points[7] = {0, kNan, 0};
                const auto host = hostCopy(std::span<const Vec3f>(points));
                const PointDistances expected = cpu::pointToMesh(points, mesh, tree, {});
                const PointDistances found = cuda::pointToMesh(onDevice(host), there, treeThere, {}, stream);
                QCOMPARE(found.stats, expected.stats);
                for (std::size_t i = 0; i < count; ++i)
                    QVERIFY(found.values[i] == expected.values[i] ||
                            (std::isnan(found.values[i]) && std::isnan(expected.values[i])));
                const Bvh pointTree = cpu::buildPointBvh(points, {});
                const auto pointsThere = onDevice(host);
                const Bvh pointTreeThere = cuda::buildPointBvh(pointsThere, {}, stream);
                QCOMPARE(treesDiffer(pointTree, pointTreeThere), QString());
                const auto toPoints = distancesToPoints(mesh.positions.span(), points, pointTree, {});
                const auto toPointsThere = distancesToPoints(there.positions.view(), pointsThere.view(),
                                                             pointTreeThere, {stream, {}});
                for (std::size_t i = 0; i < toPoints.size(); ++i)
                    QVERIFY(toPoints[i] == toPointsThere[i] ||
                            (std::isnan(toPoints[i]) && std::isnan(toPointsThere[i])));
            }
        }
        std::stop_source stop;
        stop.request_stop();
        const auto points = onDevice(hostCopy(std::span<const Vec3f>(randomPoints(random, 100, 1))));
        QVERIFY_EXCEPTION_THROWN(cuda::buildPointBvh(points, stop.get_token(), stream), Cancelled);
    }
    void stopsAtOnce() {
        auto random = seededRandom("stopsAtOnce");
        const TriangleMesh ring = surfaceOf(65, 1.6f, ringTorus);
        const Bvh tree = cpu::buildTriangleBvh(ring, {});
        const auto points = randomPoints(random, 2'000'000, 20);
        std::stop_source stop;
        WallTimer timer;
        double asked = 0;
        std::jthread asks([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            asked = timer.elapsedMs();
            stop.request_stop();
        });
        QVERIFY_EXCEPTION_THROWN(cpu::pointToMesh(points, ring, tree, stop.get_token()), Cancelled);
        const double ended = timer.elapsedMs();
        asks.join();
        QVERIFY2(ended - asked < kStopMs, qPrintable(QString::number(ended - asked)));
        QVERIFY_EXCEPTION_THROWN(cpu::buildPointBvh(points, stop.get_token()), Cancelled);
    }
};

SCANLOUPE_TEST(TestSurfaceDistance)
#include "test_surface_distance.moc"
