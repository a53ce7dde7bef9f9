// Marching cubes on small patterns of signs: every case, every pair of neighbours, random signs.
#include "kernels/mesh/extract/cube_tables.h"
#include "tests/kernels/mesh/mesh_backends.h"
#include "tests/kernels/mesh/mesh_test_support.h"
#include "tests/support/test_support.h"

#include <bit>
#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {
float sign(bool inside) {
    return inside ? 1.0f : -1.0f;
}

/// The case's corners in the middle of outside samples.
TriangleMesh paddedCase(const Extractor& extract, unsigned which) {
    const auto field = denseField({4, 4, 4}, [&](int x, int y, int z) {
        const bool middle = x >= 1 && x <= 2 && y >= 1 && y <= 2 && z >= 1 && z <= 2;
        return sign(middle && (which >> ((x - 1) | (y - 1) << 1 | (z - 1) << 2) & 1) != 0);
    });
    return extract(field, 0);
}

TriangleMesh singleCell(const Extractor& extract, unsigned which) {
    const auto field = denseField(
        {2, 2, 2}, [&](int x, int y, int z) { return sign((which >> (x | y << 1 | z << 2) & 1) != 0); });
    return extract(field, 0);
}

/// Directed edges without an opposite edge in the surface of a cell; they lie on the faces of the cell.
std::set<std::pair<Triple, Triple>> border(const TriangleMesh& mesh) {
    const auto edges = directedEdges(mesh);
    std::set<std::pair<Triple, Triple>> result;
    for (const auto& [edge, count] : edges)
        if (!edges.contains({edge.second, edge.first}))
            result.insert({triple(mesh.positions[edge.first]), triple(mesh.positions[edge.second])});
    return result;
}

bool hasAmbiguousFace(unsigned which) {
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const auto corners = detail::faceCorners(axis, side);
            const auto in = [&](std::size_t i) { return (which >> corners[i] & 1) != 0; };
            if (in(0) == in(2) && in(1) == in(3) && in(0) != in(1))
                return true;
        }
    return false;
}
} // namespace

class TestMarchingCubesCases : public QObject {
    Q_OBJECT
private slots:
    ON_EACH_MESH_BACKEND(oneSample)
    ON_EACH_MESH_BACKEND(cubeOfSamples)
    ON_EACH_MESH_BACKEND(eachCaseUsesItsCrossedEdges)
    ON_EACH_MESH_BACKEND(eachCaseIsClosedInItsSurroundings)
    ON_EACH_MESH_BACKEND(complementIsTurnedOver)
    ON_EACH_MESH_BACKEND(neighboursAgreeOnTheirFace)
    ON_EACH_MESH_BACKEND(randomSignsAreClosed)

private:
    void oneSampleOn(const Extractor& extract) {
        const auto mesh =
            denseField({3, 3, 3}, [](int x, int y, int z) { return sign(x == 1 && y == 1 && z == 1); });
        const auto surface = extract(mesh, 0);
        QCOMPARE(surface.vertexCount(), std::size_t{6});
        QCOMPARE(surface.triangleCount(), std::size_t{8});
        QCOMPARE(surface.activeCells, std::uint64_t{8});
        const auto topology = analyseTopology(surface);
        QCOMPARE(topology.euler, 2);
        QVERIFY(std::abs(topology.volume - 1.0 / 6) <
                // the volume of an octahedron with a half-diagonal of half a cell; positive, so that it is
                // not inside out
                1e-6);
    }
    void cubeOfSamplesOn(const Extractor& extract) {
        const auto surface = paddedCase(extract, 255);
        QCOMPARE(surface.vertexCount(), std::size_t{24});
        QCOMPARE(surface.triangleCount(), std::size_t{44});
    }
    void eachCaseUsesItsCrossedEdgesOn(const Extractor& extract) {
        for (unsigned which = 0; which < 256; ++which) {
            std::set<int> crossed, used;
            for (int e = 0; e < kCubeEdges; ++e) {
                const CubeEdge edge = cubeEdge(e);
                if (((which >> edge.corner ^ which >> (edge.corner | 1 << edge.axis)) & 1) != 0)
                    crossed.insert(e);
            }
            for (std::size_t i = 0; i < 3u * kCubeTables.triangleCount[which]; ++i)
                used.insert(kCubeTables.edges[which][i]);
            QCOMPARE(used, crossed);
            const auto cell = singleCell(extract, which);
            QCOMPARE(cell.vertexCount(), crossed.size());
            QCOMPARE(cell.triangleCount(), std::size_t{kCubeTables.triangleCount[which]});
            QVERIFY(wellFormed(cell));
        }
    }
    void eachCaseIsClosedInItsSurroundingsOn(const Extractor& extract) {
        for (unsigned which = 1; which < 256; ++which) {
            const auto mesh = paddedCase(extract, which);
            const auto topology = analyseTopology(mesh);
            QCOMPARE(topology.boundaryEdges, std::uint64_t{0});
            QCOMPARE(topology.nonManifoldEdges, std::uint64_t{0});
            QVERIFY(topology.volume > 0);
            QVERIFY(wellFormed(mesh));
            // inside corners that only touch on a diagonal stay separate: parts are the edge-connected groups
            // of corners
            std::set<unsigned> left;
            for (unsigned c = 0; c < 8; ++c)
                if ((which >> c & 1) != 0)
                    left.insert(c);
            std::uint64_t groups = 0;
            while (!left.empty()) {
                ++groups;
                std::vector<unsigned> queue{*left.begin()};
                left.erase(left.begin());
                while (!queue.empty()) {
                    const unsigned c = queue.back();
                    queue.pop_back();
                    for (unsigned axis = 0; axis < 3; ++axis)
                        if (left.erase(c ^ 1u << axis))
                            queue.push_back(c ^ 1u << axis);
                }
            }
            QCOMPARE(topology.components, groups);
        }
    }
    /// Without an ambiguous face, the complement of a case has the same surface with opposite orientation.
    /// With one, the rule separates the inside corners in both cases, so that the surfaces differ, but only
    /// at this face.
    void complementIsTurnedOverOn(const Extractor& extract) {
        for (unsigned which = 0; which < 256; ++which) {
            const auto mine = border(singleCell(extract, which)),
                       other = border(singleCell(extract, 255 - which));
            std::set<std::pair<Triple, Triple>> turned;
            for (const auto& [from, to] : other)
                turned.insert({to, from});
            QCOMPARE(mine == turned, !hasAmbiguousFace(which));
            QCOMPARE(mine.size(), turned.size());
        }
    }
    void neighboursAgreeOnTheirFaceOn(const Extractor& extract) {
        for (int axis = 0; axis < 3; ++axis) {
            Vec3i dims{2, 2, 2};
            dims[axis] = 3;
            for (unsigned pattern = 0; pattern < 1u << 12; ++pattern) {
                const auto mesh =
                    extract(denseField(dims,
                                       [&](int x, int y, int z) {
                                           return sign((pattern >> ((z * dims.y + y) * dims.x + x) & 1) != 0);
                                       }),
                            0);
                const auto edges = directedEdges(mesh);
                for (const auto& [edge, count] : edges) {
                    QCOMPARE(count, 1);
                    const bool onSharedFace =
                        mesh.positions[edge.first][axis] == 1 && mesh.positions[edge.second][axis] == 1;
                    if (onSharedFace && !edges.contains({edge.second, edge.first}))
                        QFAIL(qPrintable(QString("axis %1, pattern %2: a crack").arg(axis).arg(pattern)));
                }
            }
        }
    }
    void randomSignsAreClosedOn(const Extractor& extract) {
        for (const int percent : {5, 30, 50, 70, 95})
            randomSignsAreClosed(extract, percent);
    }
    static void randomSignsAreClosed(const Extractor& extract, int percent) {
        auto random = seededRandom("randomSignsAreClosed");
        for (const Vec3i dims : {Vec3i{20, 20, 20}, Vec3i{9, 17, 33}, Vec3i{12, 5, 30}}) {
            const auto field = denseField(dims, [&](int x, int y, int z) {
                const bool rim =
                    x == 0 || y == 0 || z == 0 || x == dims.x - 1 || y == dims.y - 1 || z == dims.z - 1;
                const bool inside = !rim && static_cast<int>(random() % 100) < percent;
                return sign(inside) * static_cast<float>(1 + random() % 1000);
            });
            const auto mesh = extract(field, 0);
            QVERIFY(mesh.triangleCount() > 0);
            QVERIFY(wellFormed(mesh));
            const auto edges = directedEdges(mesh);
            for (const auto& [edge, count] : edges) {
                QCOMPARE(count, 1);
                QVERIFY(edges.contains({edge.second, edge.first}));
            }
            const auto topology = analyseTopology(mesh);
            QCOMPARE(topology.boundaryEdges, std::uint64_t{0});
            QCOMPARE(topology.nonManifoldEdges, std::uint64_t{0});
            QVERIFY(topology.volume > 0);
            const auto numbers = eulerNumbers(mesh);
            QCOMPARE(topology.components, std::uint64_t{numbers.size()});
            QCOMPARE(topology.euler, std::accumulate(numbers.begin(), numbers.end(), 0L));
            for (const long number : numbers)
                QVERIFY(number % 2 == 0 && number <= 2);
        }
    }
};

SCANLOUPE_TEST(TestMarchingCubesCases)
#include "test_marching_cubes_cases.moc"
