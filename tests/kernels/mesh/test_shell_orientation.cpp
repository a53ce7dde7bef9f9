// Orientation of the parts of a mesh: shells next to and within each other, flipped triangles, borders.
#include "kernels/core/parallel.h"
#include "kernels/mesh/cleanup/shell_orientation.h"
#include "kernels/mesh/distance/signed_distance.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/test_support.h"
#include "tests/support/time_limits.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A cuboid of 12 triangles that face outwards.
TriangleMesh cuboid(Vec3f low, Vec3f high) {
    std::vector<Vec3f> positions;
    for (int i = 0; i < 8; ++i)
        positions.push_back({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
    return meshOf(positions, {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                              2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5});
}
TriangleMesh cube(Vec3f centre, float half) {
    return cuboid(centre - Vec3f{half, half, half}, centre + Vec3f{half, half, half});
}
template <class IsTurned>
TriangleMesh withTurned(const TriangleMesh& mesh, IsTurned&& isTurned) {
    TriangleMesh result = together(mesh, meshOf({}, {}));
    for (std::size_t t = 0; t < result.triangleCount(); ++t)
        if (isTurned(t))
            std::swap(result.indices[3 * t], result.indices[3 * t + 1]);
    return result;
}
TriangleMesh turned(const TriangleMesh& mesh, std::size_t one, std::size_t other) {
    return withTurned(mesh, [&](std::size_t t) { return t == one || t == other; });
}
TriangleMesh insideOut(const TriangleMesh& mesh) {
    return withTurned(mesh, [](std::size_t) { return true; });
}
template <class... Rest>
TriangleMesh all(const TriangleMesh& first, const Rest&... rest) {
    if constexpr (sizeof...(rest) == 0)
        return together(first, meshOf({}, {}));
    else
        return together(first, all(rest...));
}

ShellOrientation orientationOf(const TriangleMesh& mesh, const std::stop_token& stop = {}) {
    const TriangleMesh welded = weldedMesh(mesh, {});
    return analyseOrientation(welded, cpu::buildTriangleBvh(welded, {}), stop);
}

/// Whether the numbers of closed, inward-facing and inconsistent parts match.
bool hasShells(const ShellOrientation& found, std::uint64_t closed, std::uint64_t inwards,
               std::uint64_t outwards) {
    const bool isSo = found.closedParts == closed && found.facingInwards == inwards &&
                      found.facingOutwards == outwards && found.oneSidedParts == 0;
    if (!isSo)
        qWarning("%d closed parts, %d face inwards, %d face outwards, %d one-sided", int(found.closedParts),
                 int(found.facingInwards), int(found.facingOutwards), int(found.oneSidedParts));
    return isSo;
}

} // namespace

class TestShellOrientation : public QObject {
    Q_OBJECT
private slots:
    void shellsBesideEachOther() {
        const TriangleMesh one = cube({0, 0, 0}, 1), other = cube({5, 0, 0}, 1);
        QVERIFY(hasShells(orientationOf(one), 1, 0, 0));
        QVERIFY(hasShells(orientationOf(insideOut(one)), 1, 1, 0));
        QVERIFY(hasShells(orientationOf(all(one, other)), 2, 0, 0));
        QVERIFY(hasShells(orientationOf(all(one, insideOut(other))), 2, 1, 0));
        QVERIFY(hasShells(orientationOf(insideOut(all(one, other))), 2, 2, 0));
    }
    void shellsThatTouch() {
        // in a vertex, along an edge, with a side, and with a quarter of a side
        for (const Vec3f centre : {Vec3f{2, 2, 2}, Vec3f{2, 2, 0}, Vec3f{2, 0, 0}, Vec3f{2, 1, 1}}) {
            QVERIFY(hasShells(orientationOf(all(cube({0, 0, 0}, 1), cube(centre, 1))), 2, 0, 0));
            QVERIFY(hasShells(orientationOf(all(cube({0, 0, 0}, 1), insideOut(cube(centre, 1)))), 2, 1, 0));
        }
    }
    /// Blocks that each have their own sides: up to eight triangles at an edge, and two at each position.
    void shellsOfABlock() {
        for (const int wrong : {-1, 0, 13, 26}) {
            TriangleMesh block = meshOf({}, {});
            for (int i = 0; i < 27; ++i) {
                const TriangleMesh one =
                    cube({2.0f * float(i % 3), 2.0f * float(i / 3 % 3), 2.0f * float(i / 9)}, 1);
                block = together(block, i == wrong ? insideOut(one) : all(one));
            }
            QVERIFY(hasShells(orientationOf(block), 27, wrong < 0 ? 0 : 1, 0));
        }
    }
    void shellsWithinEachOther() {
        const auto sized = [](float half) { return cube({0, 0, 0}, half); };
        const TriangleMesh hollow = all(sized(4), insideOut(sized(3)));
        QVERIFY(hasShells(orientationOf(hollow), 2, 0, 0));
        QVERIFY(hasShells(orientationOf(insideOut(hollow)), 2, 1, 1));
        QVERIFY(hasShells(orientationOf(all(sized(4), sized(3))), 2, 0, 1));
        // an island in the cavity, and a cavity in that
        QVERIFY(hasShells(orientationOf(all(hollow, sized(2))), 3, 0, 0));
        QVERIFY(hasShells(orientationOf(all(hollow, insideOut(sized(2)))), 3, 1, 0));
        QVERIFY(hasShells(orientationOf(all(hollow, sized(2), insideOut(sized(1)))), 4, 0, 0));
        QVERIFY(hasShells(orientationOf(all(hollow, sized(2), sized(1))), 4, 0, 1));
        // two cavities side by side
        const auto pore = [](float x) { return cube({x, 0.25f, 0.125f}, 1); };
        QVERIFY(hasShells(orientationOf(all(sized(4), insideOut(pore(-2)), insideOut(pore(2)))), 3, 0, 0));
        QVERIFY(hasShells(orientationOf(all(sized(4), insideOut(pore(-2)), pore(2))), 3, 0, 1));
    }
    void shellsThatOverlapAreNotNested() {
        // a spoke with its ends inside a ring, and its middle outside
        const TriangleMesh ring = surfaceOf(65, 1.6f, ringTorus);
        const TriangleMesh spoke = cuboid({-0.9f, -0.1f, -0.1f}, {0.9f, 0.1f, 0.1f});
        QVERIFY(hasShells(orientationOf(all(ring, spoke)), 2, 0, 0));
        QVERIFY(hasShells(orientationOf(all(ring, insideOut(spoke))), 2, 1, 0));
        QVERIFY(hasShells(orientationOf(all(cube({0, 0, 0}, 1), cube({1, 0.5f, 0.5f}, 1))), 2, 0, 0));
    }
    void finelyMeshedShells() {
        const TriangleMesh ball = surfaceOf(65, 1.3f, unitSphere);
        const TriangleMesh inner = surfaceOf(65, 1.3f, [](Vec3d p) { return norm(p) - 0.5; });
        QVERIFY(hasShells(orientationOf(all(ball, insideOut(inner))), 2, 0, 0));
        QVERIFY(hasShells(orientationOf(all(ball, inner)), 2, 0, 1));
        QVERIFY(hasShells(orientationOf(all(inner, insideOut(ball))), 2, 1, 1));
    }
    void turnedTriangles() {
        const ShellOrientation one = orientationOf(turned(cube({0, 0, 0}, 1), 5, 5));
        QVERIFY(hasShells(one, 1, 0, 0));
        QCOMPARE(one.flippedTriangles, std::uint64_t{1});
        QCOMPARE(one.flippedEdges, std::uint64_t{3});
        const ShellOrientation first = orientationOf(turned(insideOut(cube({0, 0, 0}, 1)), 0, 7));
        QVERIFY(hasShells(first, 1, 1, 0));
        QCOMPARE(first.flippedTriangles, std::uint64_t{2});
        // a reversed triangle is also found in an open component
        const ShellOrientation open = orientationOf(turned(sheet(4, 4), 0, 9));
        QVERIFY(hasShells(open, 0, 0, 0));
        QCOMPARE(open.flippedTriangles, std::uint64_t{2});
    }
    void openAndFlatPartsAreNotShells() {
        QVERIFY(hasShells(orientationOf(TriangleMesh{}), 0, 0, 0));
        QVERIFY(hasShells(orientationOf(all(sheet(3, 3), insideOut(cube({9, 9, 9}, 1)))), 1, 1, 0));
        QVERIFY(hasShells(orientationOf(all(sheet(3, 3), insideOut(sheet(3, 3)))), 0, 0, 0));
        // a box without a lid encloses nothing
        TriangleMesh box = cube({0, 0, 0}, 2);
        box.indices = hostCopy(std::span<const std::uint32_t>(box.indices.span().subspan(6)));
        QVERIFY(hasShells(orientationOf(all(box, cube({0, 0, 0}, 1))), 1, 0, 0));
        // four fins around an edge, each with a boundary
        const TriangleMesh fin = meshOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                                        {0, 1, 2, 0, 3, 1, 0, 1, 4, 0, 5, 1});
        QVERIFY(hasShells(orientationOf(fin), 0, 0, 0));
        // triangles that repeat a vertex are no neighbours
        TriangleMesh odd = cube({0, 0, 0}, 1);
        std::vector<std::uint32_t> indices(odd.indices.span().begin(), odd.indices.span().end());
        indices.insert(indices.end(), {0, 0, 1, 5, 7, 5});
        odd.indices = hostCopy(std::span(indices));
        QVERIFY(hasShells(orientationOf(odd), 1, 0, 0));
        QVERIFY(hasShells(orientationOf(insideOut(odd)), 1, 1, 0));
    }
    void oneSidedPartsAreCounted() {
        std::vector<Vec3f> positions;
        std::vector<std::uint32_t> indices;
        constexpr std::uint32_t steps = 24;
        for (std::uint32_t i = 0; i < steps; ++i) {
            const float angle = float(i) * 6.2831853f / steps;
            for (const float across : {-0.3f, 0.3f}) {
                const float r = 1 + across * std::cos(angle / 2);
                positions.push_back({r * std::cos(angle), r * std::sin(angle), across * std::sin(angle / 2)});
            }
            const bool isLast = i + 1 == steps;
            const std::uint32_t a = 2 * i, b = a + 1, c = isLast ? 1 : a + 2, d = isLast ? 0 : a + 3;
            indices.insert(indices.end(), {a, c, b, b, c, d});
        }
        const ShellOrientation strip = orientationOf(meshOf(positions, indices));
        QCOMPARE(strip.oneSidedParts, std::uint64_t{1});
        QCOMPARE(strip.closedParts, std::uint64_t{0});
    }
    void manyShells() {
        // 8000 pores in a cube, every seventh of which faces outwards
        TriangleMesh sponge = cube({9.5f, 9.5f, 9.5f}, 11);
        std::vector<Vec3f> positions(sponge.positions.span().begin(), sponge.positions.span().end());
        std::vector<std::uint32_t> indices(sponge.indices.span().begin(), sponge.indices.span().end());
        std::uint64_t wrong = 0;
        for (int i = 0; i < 8000; ++i) {
            const bool isWrong = i % 7 == 0;
            wrong += isWrong;
            const Vec3f centre{float(i % 20), float(i / 20 % 20), float(i / 400)};
            const TriangleMesh pore = isWrong ? cube(centre, 0.25f) : insideOut(cube(centre, 0.25f));
            for (const std::uint32_t index : pore.indices.span())
                indices.push_back(index + std::uint32_t(positions.size()));
            positions.insert(positions.end(), pore.positions.span().begin(), pore.positions.span().end());
        }
        QVERIFY(hasShells(orientationOf(meshOf(positions, indices)), 8001, 0, wrong));
    }
    void aMillionTrianglesAreQuick() {
        const TriangleMesh ball = surfaceOf(321, 1.1f, unitSphere);
        const TriangleMesh both =
            weldedMesh(all(ball, insideOut(surfaceOf(225, 1.1f, [](Vec3d p) { return norm(p) - 0.9; }))), {});
        const Bvh tree = cpu::buildTriangleBvh(both, {});
        const WallTimer timer;
        QVERIFY(hasShells(analyseOrientation(both, tree, {}), 2, 0, 0));
        qInfo("%zu triangles: %.1f ms on %d threads", both.triangleCount(), timer.elapsedMs(),
              parallelThreads());
        std::stop_source stop;
        stop.request_stop();
        const WallTimer stopping;
        QVERIFY_EXCEPTION_THROWN(analyseOrientation(both, tree, stop.get_token()), Cancelled);
        QVERIFY(stopping.elapsedMs() < kStopMs);
    }
};

SCANLOUPE_TEST(TestShellOrientation)
#include "test_shell_orientation.moc"
