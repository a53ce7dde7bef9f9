// Signed distances to meshes, against closed forms and against trying every triangle.
#include "kernels/core/parallel.h"
#include "kernels/cut/cut_points.h"
#include "kernels/mesh/operators.h"
#include "tests/kernels/mesh/mesh_backends.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/test_support.h"
#include "tests/support/time_limits.h"

#include <array>
#include <limits>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Signed distances to the welded mesh on one backend; input and result are on the host.
SignedDistances signedOn(const QString& backend, const std::vector<Vec3f>& points, const TriangleMesh& mesh,
                         float largest = kAnyDistance) {
    const TriangleMesh welded = weldedMesh(mesh, {});
    const Pseudonormals normals = pseudonormalsOf(welded, {});
    const Bvh tree = cpu::buildTriangleBvh(welded, {});
    if (backend == "cpu")
        return cpu::signedDistances(points, welded, tree, normals, largest, {});
    const Stream stream;
    const auto there = [&](const auto& buffer) { return buffer.copyTo(MemorySpace::device, stream); };
    TriangleMesh device;
    device.positions = there(welded.positions);
    device.indices = there(welded.indices);
    return cuda::signedDistances(there(hostCopy(std::span<const Vec3f>(points))), device,
                                 {there(tree.boxes), there(tree.order), tree.shape},
                                 normals.copyTo(MemorySpace::device, stream), largest, {}, stream);
}

/// A box from -half to half, facing outwards; with `apart`, corners are not shared.
TriangleMesh box(Vec3f half, bool apart) {
    std::vector<Vec3f> positions;
    std::vector<std::uint32_t> indices;
    for (int axis = 0; axis < 3; ++axis)
        for (const float side : {-1.0f, 1.0f}) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            const auto first = std::uint32_t(positions.size());
            for (const auto& [a, b] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
                Vec3f p;
                p[axis] = side * half[axis];
                p[u] = float(a) * half[u];
                p[v] = float(b) * half[v];
                positions.push_back(p);
            }
            const std::array<std::uint32_t, 6> out{0, 1, 2, 0, 2, 3}, in{0, 2, 1, 0, 3, 2};
            for (const std::uint32_t i : side > 0 ? out : in)
                indices.push_back(first + i);
        }
    const TriangleMesh mesh = meshOf(positions, indices);
    return apart ? meshOf(positions, indices) : weldedMesh(mesh, {});
}
double toBox(Vec3d p, Vec3d half) {
    const Vec3d q{std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z};
    const Vec3d outside{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
    return norm(outside) + std::min(std::max({q.x, q.y, q.z}), 0.0);
}

/// The sign of the solid angle of a closed mesh around a point: an independent inside-outside test (Van
/// Oosterom and Strackee, "The solid angle of a plane triangle", 1983).
bool isInsideOf(const TriangleMesh& mesh, Vec3d p) {
    double angle = 0;
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
        const auto corner = [&](std::size_t i) {
            return mesh.positions[mesh.indices[3 * t + i]].as<double>() - p;
        };
        const Vec3d a = corner(0), b = corner(1), c = corner(2);
        const double la = norm(a), lb = norm(b), lc = norm(c);
        angle += 2 * std::atan2(dot(a, cross(b, c)),
                                la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return angle > 2 * std::numbers::pi; // half of the full angle, 4 pi
}

} // namespace

class TestSignedDistance : public QObject {
    Q_OBJECT
private slots:
    ON_CPU_AND_CUDA(boxInsideAndOutside)
    ON_CPU_AND_CUDA(planeCylinderAndSphere)
    ON_CPU_AND_CUDA(edgesAndVerticesHaveTheirOwnNormals)
    ON_CPU_AND_CUDA(signAgainstSolidAngles)
    ON_CPU_AND_CUDA(bordersAreReported)
    ON_CPU_AND_CUDA(farAndOddPointsHaveNone)
    ON_CPU_AND_CUDA(sharpFoldsKeepTheirSide)

    void bothBackendsGiveTheSameBytes() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("bothBackendsGiveTheSameBytes");
        const TriangleMesh ring = surfaceOf(41, 1.6f, ringTorus);
        auto points = randomPoints(random, 100'000, 2);
        for (std::size_t i = 0; i < ring.vertexCount(); ++i)
            points.push_back(ring.positions[i]); // these points are on the mesh itself
        for (const Vec3f odd :
             {Vec3f{kCutAway, kCutAway, kCutAway}, {kNan, 0, 0}, {9e4f, -3, 7}, {0, 1e9f, 0}})
            points.insert(points.begin() + 50, odd);
        for (const float largest : {kAnyDistance, 0.3f}) {
            const SignedDistances one = signedOn("cpu", points, ring, largest),
                                  other = signedOn("cuda", points, ring, largest);
            QVERIFY(sameBytes(one.values, other.values));
            QVERIFY(sameBytes(one.features, other.features));
        }
    }
    void weldingKeepsTriangles() {
        const TriangleMesh apart = box({1, 2, 3}, true);
        QCOMPARE(apart.vertexCount(), std::size_t{24});
        const TriangleMesh welded = weldedMesh(apart, {});
        QCOMPARE(welded.vertexCount(), std::size_t{8});
        for (std::size_t i = 0; i < apart.indices.size(); ++i)
            QVERIFY(welded.positions[welded.indices[i]] == apart.positions[apart.indices[i]]);
        QVERIFY(analyseTopology(welded).closed());
        TriangleMesh wrong = box({1, 1, 1}, true);
        wrong.indices[4] = 99;
        QVERIFY_EXCEPTION_THROWN(weldedMesh(wrong, {}), KernelError);
    }
    void everyPointAgainstEveryTriangle() {
        auto random = seededRandom("everyPointAgainstEveryTriangle");
        const TriangleMesh ball = surfaceOf(17, 1.3f, unitSphere);
        const auto points = randomPoints(random, 2000, 3);
        const SignedDistances found = signedOn("cpu", points, ball);
        const PointDistances unsignedOnes =
            cpu::pointToMesh(points, ball, cpu::buildTriangleBvh(ball, {}), {});
        for (std::size_t i = 0; i < points.size(); ++i)
            QCOMPARE(std::abs(found.values[i]), unsignedOnes.values[i]);
    }
    void otherTreesAreRefused() {
        const TriangleMesh one = box({1, 1, 1}, false), ball = surfaceOf(9, 1.3f, unitSphere);
        const std::vector<Vec3f> points{{0, 0, 0}};
        QVERIFY_EXCEPTION_THROWN(cpu::signedDistances(points, one, cpu::buildTriangleBvh(ball, {}),
                                                      pseudonormalsOf(one, {}), kAnyDistance, {}),
                                 Fault);
    }

private:
    void boxInsideAndOutsideOn(const QString& backend) {
        auto random = seededRandom("boxInsideAndOutside");
        const Vec3f half{1, 0.7f, 0.4f};
        const auto points = randomPoints(random, manyOf(1'000'000), 1.5f);
        // corners that are not shared, as in STL and in exports with sharp edges
        for (const bool apart : {false, true}) {
            const SignedDistances found = signedOn(backend, points, box(half, apart));
            double worst = 0;
            for (std::size_t i = 0; i < points.size(); ++i)
                worst = std::max(worst, std::abs(double(found.values[i]) -
                                                 toBox(points[i].as<double>(), half.as<double>())));
            QVERIFY2(worst < 2e-7, qPrintable(QString("off by %1").arg(worst)));
        }
    }
    void planeCylinderAndSphereOn(const QString& backend) {
        auto random = seededRandom("planeCylinderAndSphere");
        const auto points = randomPoints(random, manyOf(1'000'000), 1.5f);
        const auto worstOf = [&](const TriangleMesh& mesh, const std::vector<Vec3f>& at, auto&& expected) {
            const SignedDistances found = signedOn(backend, at, mesh);
            double worst = 0;
            for (std::size_t i = 0; i < at.size(); ++i)
                worst = std::max(worst, std::abs(double(found.values[i]) - expected(at[i].as<double>())));
            return worst;
        };
        // a plane at an angle, much wider than the points
        const Vec3d normal = normalized(Vec3d{0.3, -0.5, 0.8}),
                    across = normalized(cross(normal, Vec3d{1, 0, 0}));
        const Vec3d along = cross(across, normal);
        std::vector<Vec3f> corners;
        for (const auto& [a, b] : {std::pair{-8, -8}, {8, -8}, {8, 8}, {-8, 8}})
            corners.push_back((along * double(a) + across * double(b)).as<float>());
        const double side = dot(cross(corners[1].as<double>() - corners[0].as<double>(),
                                      corners[2].as<double>() - corners[0].as<double>()),
                                normal) > 0
                                ? 1
                                : -1;
        const double plane = worstOf(meshOf(corners, {0, 1, 2, 0, 2, 3}), points,
                                     [&](Vec3d p) { return side * dot(p, normal); });
        QVERIFY2(plane < 2e-6, qPrintable(QString("plane: off by %1").arg(plane)));
        // a tube with distant ends and enough facets to be within 2e-7 of the true cylinder
        constexpr int facets = 5000;
        std::vector<Vec3f> ring;
        std::vector<std::uint32_t> tube;
        for (int i = 0; i < facets; ++i) {
            const double angle = 2 * std::numbers::pi * i / facets;
            for (const double z : {-20.0, 20.0})
                ring.push_back(Vec3d{std::cos(angle), std::sin(angle), z}.as<float>());
            const auto a = std::uint32_t(2 * i), b = std::uint32_t(2 * ((i + 1) % facets));
            for (const std::uint32_t corner : {a, b, a + 1, b, b + 1, a + 1})
                tube.push_back(corner);
        }
        const double cylinder =
            worstOf(meshOf(ring, tube), points, [](Vec3d p) { return std::hypot(p.x, p.y) - 1; });
        QVERIFY2(cylinder < 2e-6, qPrintable(QString("cylinder: off by %1").arg(cylinder)));
        // a sphere, outside of its vertices, where facets don't matter
        std::vector<Vec3f> vertices{{0, 0, 1}};
        std::vector<std::uint32_t> caps;
        constexpr int rows = 150, columns = 300;
        for (int row = 1; row < rows; ++row)
            for (int column = 0; column < columns; ++column) {
                const double polar = std::numbers::pi * row / rows,
                             angle = 2 * std::numbers::pi * column / columns;
                vertices.push_back(Vec3d{std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle),
                                         std::cos(polar)}
                                       .as<float>());
            }
        vertices.push_back({0, 0, -1});
        const auto at = [](int row, int column) {
            return row == 0      ? 0u
                   : row == rows ? std::uint32_t(1 + (rows - 1) * columns)
                                 : std::uint32_t(1 + (row - 1) * columns + column % columns);
        };
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) {
                if (row + 1 < rows)
                    for (const std::uint32_t corner :
                         {at(row, column), at(row + 1, column), at(row + 1, column + 1)})
                        caps.push_back(corner);
                if (row > 0)
                    for (const std::uint32_t corner :
                         {at(row, column), at(row + 1, column + 1), at(row, column + 1)})
                        caps.push_back(corner);
            }
        std::vector<Vec3f> outside;
        for (std::size_t i = 0; i < points.size(); ++i)
            outside.push_back(vertices[i % vertices.size()] * (1 + std::abs(points[i].x)));
        const double sphere = worstOf(meshOf(vertices, caps), outside, [](Vec3d p) { return norm(p) - 1; });
        QVERIFY2(sphere < 2e-6, qPrintable(QString("sphere: off by %1").arg(sphere)));
    }
    void edgesAndVerticesHaveTheirOwnNormalsOn(const QString& backend) {
        const TriangleMesh one = box({1, 1, 1}, false);
        // outside and inside of a face, an edge and a vertex along their normals; and on the diagonals of
        // faces
        const std::vector<Vec3f> points{{0.3f, 0.1f, 2}, {2, 2, 0.1f}, {3, 3, 3}, {0.3f, 0.1f, 0.9f},
                                        {0, 0, 1.5f},    {1, 1, 1},    {1, 1, 0}};
        const SignedDistances found = signedOn(backend, points, one);
        const float expected[] = {1, std::sqrt(2.0f), std::sqrt(12.0f), -0.1f, 0.5f, 0, 0};
        for (std::size_t i = 0; i < points.size(); ++i)
            QVERIFY2(std::abs(found.values[i] - expected[i]) < 1e-6f,
                     qPrintable(QString("%1: %2").arg(i).arg(double(found.values[i]))));
        const auto kindOf = [&](std::size_t i) { return found.features[i]; };
        QCOMPARE(int(kindOf(0)), int(MeshFeature::face));
        QVERIFY(kindOf(1) >= 1 && kindOf(1) <= 3);
        QVERIFY(kindOf(2) >= 4 && kindOf(2) <= 6);
    }
    void signAgainstSolidAnglesOn(const QString& backend) {
        auto random = seededRandom("signAgainstSolidAngles");
        const TriangleMesh shapes[] = {weldedMesh(surfaceOf(15, 1.3f, unitSphere), {}),
                                       weldedMesh(surfaceOf(21, 1.6f, ringTorus), {})};
        for (const TriangleMesh& mesh : shapes) {
            QVERIFY(analyseTopology(mesh).closed());
            const auto points = randomPoints(random, 3000, 1.7f);
            const SignedDistances found = signedOn(backend, points, mesh);
            for (std::size_t i = 0; i < points.size(); ++i)
                if (std::abs(found.values[i]) > 1e-5f)
                    QCOMPARE(found.values[i] < 0, isInsideOf(mesh, points[i].as<double>()));
        }
    }
    void bordersAreReportedOn(const QString& backend) {
        const TriangleMesh flat = sheet(4, 4);
        const std::vector<Vec3f> points{
            {2.2f, 2.1f, 1}, {2.2f, 2.1f, -1}, {-1, 2.2f, 0.5f}, {-1, -1, 0.5f}, {2, 2, 3}};
        const SignedDistances found = signedOn(backend, points, flat);
        QCOMPARE(found.values[0], 1.0f);
        QCOMPARE(found.values[1], -1.0f);
        QVERIFY((found.features[0] & kAtBorder) == 0 && (found.features[4] & kAtBorder) == 0);
        QVERIFY((found.features[2] & kAtBorder) != 0 && (found.features[3] & kAtBorder) != 0);
        QVERIFY(found.values[2] > 0 && found.values[3] > 0); // these points are above the plane of the sheet
    }
    void farAndOddPointsHaveNoneOn(const QString& backend) {
        const std::vector<Vec3f> points{
            {0, 0, 1.5f}, {0, 0, 3}, {kNan, 0, 0}, {0, 0, 2}, {std::numeric_limits<float>::infinity(), 0, 0}};
        const SignedDistances found = signedOn(backend, points, box({1, 1, 1}, false), 1);
        QCOMPARE(found.values[0], 0.5f);
        QCOMPARE(found.values[3], 1.0f); // clamped to the limit
        for (const std::size_t i : {1, 2, 4}) {
            QVERIFY(std::isnan(found.values[i]));
            QCOMPARE(int(found.features[i]), int(MeshFeature::none));
        }
        const TriangleMesh none = meshOf({}, {});
        QVERIFY(std::isnan(signedOn(backend, points, none).values[0]));
    }
    /// A spike with faces that meet at nearly 180 degrees: near its edges, the normal of a single face gives
    /// the wrong side.
    void sharpFoldsKeepTheirSideOn(const QString& backend) {
        const TriangleMesh spike = meshOf({{-0.05f, -0.05f, 0}, {0.05f, -0.05f, 0}, {0, 0.05f, 0}, {0, 0, 4}},
                                          {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3});
        QVERIFY(analyseTopology(spike).volume > 0);
        auto random = seededRandom("sharpFoldsKeepTheirSide");
        const auto points = randomPoints(random, 4000, 5);
        const SignedDistances found = signedOn(backend, points, spike);
        for (std::size_t i = 0; i < points.size(); ++i)
            if (std::abs(found.values[i]) > 1e-5f)
                QCOMPARE(found.values[i] < 0, isInsideOf(spike, points[i].as<double>()));
    }
};

SCANLOUPE_TEST(TestSignedDistance)
#include "test_signed_distance.moc"
