// Smoothing of meshes: noise decreases, volume and rims are kept, and the device computes the same bytes.
#include "kernels/core/device.h"
#include "kernels/mesh/smooth/smooth_mesh.h"
#include "tests/kernels/mesh/mesh_backends.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <limits>
#include <random>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

SmoothedMesh smoothOn(const QString& backend, const TriangleMesh& mesh, const SmoothParams& params,
                      const std::stop_token& stop = {}) {
    if (backend != "cuda")
        return smoothMesh(mesh, params, {std::nullopt, stop});
    const Stream stream;
    TriangleMesh there;
    there.positions = mesh.positions.copyTo(MemorySpace::device, stream);
    there.normals = mesh.normals.copyTo(MemorySpace::device, stream);
    there.indices = mesh.indices.copyTo(MemorySpace::device, stream);
    there.activeBricks = mesh.activeBricks;
    there.activeCells = mesh.activeCells;
    const SmoothedMesh smoothed = smoothMesh(there, params, {stream, stop});
    return {smoothed.mesh.download(stream), smoothed.maxMove};
}

/// A mesh whose vertices are moved by up to `most` along each axis of `axes`.
TriangleMesh shaken(TriangleMesh mesh, std::mt19937_64& random, float most, Vec3f axes = {1, 1, 1}) {
    const auto moves = randomPoints(random, mesh.vertexCount(), most);
    for (std::size_t v = 0; v < mesh.vertexCount(); ++v)
        mesh.positions[v] += moves[v] * axes;
    return mesh;
}

/// Root mean square of distances from the unit sphere.
double roughness(const TriangleMesh& ball) {
    double sum = 0;
    for (const Vec3f p : ball.positions.span())
        sum += std::pow(unitSphere(p.as<double>()), 2);
    return std::sqrt(sum / double(ball.vertexCount()));
}

/// A vertex with `count` triangles around it, except the last one.
TriangleMesh fan(std::uint32_t count) {
    std::vector<Vec3f> positions{{0, 0, 1}};
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < count; ++i) {
        const double angle = 6.28 * i / count;
        positions.push_back({float(std::cos(angle)), float(std::sin(angle)), 0});
        if (i > 0)
            indices.insert(indices.end(), {0, i, i + 1});
    }
    return meshOf(positions, indices);
}

} // namespace

class TestSmoothMesh : public QObject {
    Q_OBJECT
private slots:
    void factorsMatchTaubin() {
        for (const double band : {0.01, 0.1, 0.2, 0.9}) {
            const auto [lambda, mu] = smoothingFactors(band);
            const auto gain = [l = double(lambda), m = double(mu)](double k) {
                return (1 - l * k) * (1 - m * k);
            };
            QVERIFY(lambda > 0 && mu < -lambda);
            QVERIFY(std::abs(gain(0) - 1) < 1e-9 && std::abs(gain(band) - 1) < 1e-6);
            QVERIFY(std::abs(gain(1) + gain(2)) < 1e-6 && std::abs(gain(2)) < 1);
        }
        for (const double band : {0.0, 1.0, -0.1, std::numeric_limits<double>::quiet_NaN()})
            QVERIFY_EXCEPTION_THROWN(smoothingFactors(band), KernelError);
    }

    ON_CPU_AND_CUDA(noiseFallsAndVolumeStays)
    void noiseFallsAndVolumeStaysOn(const QString& backend) {
        auto random = seededRandom("noiseFallsAndVolumeStays");
        const TriangleMesh ball = surfaceOf(65, 1.3f, unitSphere);
        const TriangleMesh noisy = shaken(surfaceOf(65, 1.3f, unitSphere), random, 0.01f);
        const SmoothedMesh smoothed = smoothOn(backend, noisy, {.steps = 20});
        const double volume = analyseTopology(ball).volume,
                     kept = analyseTopology(smoothed.mesh).volume / volume;
        QVERIFY2(std::abs(kept - 1) < 0.005, qPrintable(QString::number(kept)));
        const double before = roughness(noisy), after = roughness(smoothed.mesh);
        QVERIFY2(after < 0.35 * before, qPrintable(QString("%1 to %2").arg(before).arg(after)));
        QVERIFY(std::ranges::equal(smoothed.mesh.indices.span(), noisy.indices.span()));
        double farthest = 0;
        for (std::size_t v = 0; v < noisy.vertexCount(); ++v) {
            farthest = std::max(
                farthest, norm(smoothed.mesh.positions[v].as<double>() - noisy.positions[v].as<double>()));
            const Vec3d outwards = normalized(smoothed.mesh.positions[v].as<double>());
            const Vec3d normal = smoothed.mesh.normals[v].as<double>();
            QVERIFY(std::abs(norm(normal) - 1) < 1e-6 && dot(normal, outwards) > 0.9);
        }
        QVERIFY(std::abs(double(smoothed.maxMove) - farthest) < 1e-6);
        // without the second half of its steps, a filter would shrink the ball
        const TriangleMesh still = smoothOn(backend, ball, {.steps = 20}).mesh;
        QVERIFY(std::abs(analyseTopology(still).volume / volume - 1) < 0.005);
    }
    ON_CPU_AND_CUDA(planesStayPlanes)
    void planesStayPlanesOn(const QString& backend) {
        auto random = seededRandom("planesStayPlanes");
        const TriangleMesh level = shaken(sheet(20, 15, {}, 2.5f), random, 0.3f, {1, 1, 0});
        const SmoothedMesh smoothed = smoothOn(backend, level, {.steps = 50});
        QVERIFY(smoothed.maxMove > 0.05f);
        for (std::size_t v = 0; v < level.vertexCount(); ++v) {
            QCOMPARE(smoothed.mesh.positions[v].z, 2.5f);
            QCOMPARE(smoothed.mesh.normals[v], (Vec3f{0, 0, 1}));
        }
        TriangleMesh tilted = shaken(sheet(20, 15), random, 0.3f, {1, 1, 0});
        for (Vec3f& p : tilted.positions.span())
            p.z = 0.5f * p.x - 0.25f * p.y;
        const TriangleMesh plane = smoothOn(backend, tilted, {.steps = 50}).mesh;
        for (const Vec3f p : plane.positions.span())
            QVERIFY(std::abs(p.z - (0.5f * p.x - 0.25f * p.y)) < 1e-4f);
    }
    ON_CPU_AND_CUDA(rimsAreNotPulledIn)
    void rimsAreNotPulledInOn(const QString& backend) {
        constexpr int edge = 60;
        constexpr std::uint32_t steps = 10;
        auto random = seededRandom("rimsAreNotPulledIn");
        TriangleMesh rough = sheet(edge, edge);
        const auto moves = randomPoints(random, rough.vertexCount(), 0.4f);
        const auto isOnRim = [](Vec3f p) { return p.x == 0 || p.y == 0 || p.x == edge || p.y == edge; };
        const TriangleMesh flat = sheet(edge, edge);
        double before = 0, after = 0;
        for (std::size_t v = 0; v < rough.vertexCount(); ++v)
            if (!isOnRim(flat.positions[v]))
                rough.positions[v].z += moves[v].z, before += std::abs(double(moves[v].z));
        const SmoothedMesh smoothed = smoothOn(backend, rough, {.steps = steps});
        for (std::size_t v = 0; v < rough.vertexCount(); ++v) {
            const Vec3f p = flat.positions[v], now = smoothed.mesh.positions[v];
            if (!isOnRim(p)) {
                after += std::abs(double(now.z));
                continue;
            }
            QCOMPARE(now.z, 0.0f);
            const auto fromCorner = [](float x) { return std::min(x, edge - x); };
            if (std::max(fromCorner(p.x), fromCorner(p.y)) > 2 * steps) // corners are rounded
                QVERIFY(squaredNorm(now - p) < 1e-8f);
            QVERIFY(squaredNorm(now - p) < 0.25f);
        }
        QVERIFY2(after < 0.4 * before, qPrintable(QString("%1 to %2").arg(before).arg(after)));
    }
    ON_CPU_AND_CUDA(verticesWithoutTrianglesStay)
    void verticesWithoutTrianglesStayOn(const QString& backend) {
        // only the vertices 0, 1, 2, 3 and 6 are used
        const TriangleMesh holed = sheet(2, 2, {{0, 0}, {1, 0}, {0, 1}});
        const TriangleMesh smoothed = smoothOn(backend, holed, {.steps = 7}).mesh;
        for (const std::size_t v : {0u, 1u, 2u, 3u, 6u})
            QVERIFY(smoothed.positions[v] == holed.positions[v] && smoothed.normals[v] == holed.normals[v]);
        QVERIFY(!(smoothed.positions[8] == holed.positions[8]));
        const TriangleMesh none = smoothOn(backend, TriangleMesh{}, {}).mesh;
        QCOMPARE(none.vertexCount(), std::size_t{0});
        // a triangle without area has no neighbours in itself
        const TriangleMesh point = meshOf({{1, 2, 3}}, {0, 0, 0});
        const SmoothedMesh same = smoothOn(backend, point, {});
        QVERIFY(same.mesh.positions[0] == point.positions[0] && same.mesh.normals[0] == point.normals[0]);
        QCOMPARE(same.mesh.zeroAreaTriangles, std::uint64_t{1});
    }
    void noStepsMoveNothing() {
        const TriangleMesh ball = surfaceOf(17, 1.3f, unitSphere);
        const SmoothedMesh same = smoothMesh(ball, {.steps = 0}, {});
        QVERIFY(std::ranges::equal(same.mesh.positions.span(), ball.positions.span()));
        QCOMPARE(same.maxMove, 0.0f);
    }
    void orderOfTrianglesChangesNoPosition() {
        auto random = seededRandom("orderOfTrianglesChangesNoPosition");
        TriangleMesh ball = shaken(surfaceOf(33, 1.3f, unitSphere), random, 0.02f);
        const TriangleMesh before = smoothMesh(ball, {}, {}).mesh;
        for (std::size_t t = ball.triangleCount(); --t > 0;)
            std::swap_ranges(&ball.indices[3 * t], &ball.indices[3 * t] + 3,
                             &ball.indices[3 * (random() % t)]);
        const TriangleMesh after = smoothMesh(ball, {}, {}).mesh;
        QVERIFY(std::ranges::equal(before.positions.span(), after.positions.span()));
    }
    void devicesComputeTheSameBytes() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("devicesComputeTheSameBytes");
        std::vector<std::uint32_t> soup; // branching edges, repeated triangles and corners
        for (int i = 0; i < 3 * 4000; ++i)
            soup.push_back(std::uint32_t(random() % 900));
        const TriangleMesh meshes[] = {shaken(surfaceOf(129, 1.3f, unitSphere), random, 0.01f),
                                       shaken(sheet(70, 50, {{3, 4}, {30, 20}}), random, 0.3f),
                                       together(surfaceOf(33, 1.6f, ringTorus), fan(20'000)),
                                       meshOf(randomPoints(random, 900, 5), soup),
                                       meshOf({{1, 2, 3}}, {0, 0, 0})};
        for (const TriangleMesh& mesh : meshes) {
            for (const SmoothParams& params :
                 {SmoothParams{}, SmoothParams{.steps = 1, .passBand = 0.01}, SmoothParams{.steps = 33}}) {
                const SmoothedMesh here = smoothOn("cpu", mesh, params),
                                   there = smoothOn("cuda", mesh, params);
                QCOMPARE(difference(there.mesh, here.mesh), std::string());
                QCOMPARE(there.maxMove, here.maxMove);
            }
        }
    }
    ON_CPU_AND_CUDA(stopsWhenAsked)
    void stopsWhenAskedOn(const QString& backend) {
        std::stop_source stopped;
        stopped.request_stop();
        const TriangleMesh ball = surfaceOf(33, 1.3f, unitSphere);
        QVERIFY_EXCEPTION_THROWN(smoothOn(backend, ball, {}, stopped.get_token()), Cancelled);
    }
};

SCANLOUPE_TEST(TestSmoothMesh)
#include "test_smooth_mesh.moc"
