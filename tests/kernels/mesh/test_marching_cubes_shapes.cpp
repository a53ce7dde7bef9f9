// Marching cubes on analytic shapes, odd lattices, odd values and sparse bricks.
#include "kernels/mesh/core/mesh_limits.h"
#include "tests/kernels/mesh/mesh_backends.h"
#include "tests/kernels/mesh/mesh_test_support.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {
constexpr double pi = std::numbers::pi;
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

LatticeShape latticeAround(Vec3i dims, float half) {
    const Vec3f spacing = Vec3f{2 * half, 2 * half, 2 * half} / (dims - Vec3i{1, 1, 1}).as<float>();
    return {{-half, -half, -half}, spacing, dims};
}
double sphere(Vec3d p) {
    return norm(p - Vec3d{0.01, -0.02, 0.005}) - 1;
}
double torus(Vec3d p) {
    const double ring = std::hypot(p.x, p.y) - 1;
    return std::hypot(ring, p.z) - 0.4;
}
} // namespace

class TestMarchingCubesShapes : public QObject {
    Q_OBJECT
private slots:
    ON_EACH_MESH_BACKEND(sphereConvergesAtSecondOrder)
    ON_EACH_MESH_BACKEND(torusHasOneHole)
    ON_EACH_MESH_BACKEND(threeSpacingsAreRespected)
    ON_EACH_MESH_BACKEND(strictRuleAtTheIsoValue)
    ON_EACH_MESH_BACKEND(zeroAreaIsCounted)
    ON_EACH_MESH_BACKEND(oddValuesMakeNoSurface)
    ON_EACH_MESH_BACKEND(extremeValuesStayFinite)
    ON_EACH_MESH_BACKEND(flatFieldsHaveFallbackNormals)
    ON_EACH_MESH_BACKEND(thinLattices)
    ON_EACH_MESH_BACKEND(surfaceTouchesTheLastSlice)
    ON_EACH_MESH_BACKEND(sparseEqualsDense)
    ON_EACH_MESH_BACKEND(maskedCellsAreLeftOut)
    ON_EACH_MESH_BACKEND(latticeOfMoreThan32Bits)
    ON_EACH_MESH_BACKEND(badInputIsRefused)
    ON_EACH_MESH_BACKEND(stopsAndRepeats)

    void tooManyVerticesAreRefused() {
        requireIndexable(kMaxVertices, 1);
        try {
            requireIndexable(kMaxVertices + 1, std::uint64_t{1} << 33);
            QFAIL("2^32 vertices can't be indexed");
        } catch (const KernelError& error) {
            QVERIFY(QString(error.what()).contains("4294967296 vertices"));
            QVERIFY(QString(error.what()).contains("GiB"));
        }
    }

private:
    void sphereConvergesAtSecondOrderOn(const Extractor& extract) {
        std::vector<double> areaErrors, volumeErrors;
        for (const int n : {17, 33, 65}) {
            const auto mesh = extract(sampledField(latticeAround({n, n, n}, 1.3f), sphere), 0);
            const auto topology = analyseTopology(mesh);
            QCOMPARE(topology.euler, 2);
            QCOMPARE(topology.components, std::uint64_t{1});
            QCOMPARE(topology.boundaryEdges, std::uint64_t{0});
            areaErrors.push_back(std::abs(topology.area - 4 * pi));
            volumeErrors.push_back(std::abs(topology.volume - 4 * pi / 3));
        }
        for (const auto& errors : {areaErrors, volumeErrors})
            for (std::size_t i = 1; i < errors.size(); ++i)
                QVERIFY(errors[i] < errors[i - 1] / 3.2);
        QVERIFY(volumeErrors.back() < 0.01);
    }
    void torusHasOneHoleOn(const Extractor& extract) {
        const auto topology =
            analyseTopology(extract(sampledField(latticeAround({50, 50, 50}, 1.6f), torus), 0));
        QCOMPARE(topology.euler, 0);
        QCOMPARE(topology.components, std::uint64_t{1});
        QVERIFY(std::abs(topology.volume - 2 * pi * pi * 0.16) < 0.03);
    }
    void threeSpacingsAreRespectedOn(const Extractor& extract) {
        for (const bool below : {true, false}) {
            const LatticeShape lattice = latticeAround({61, 37, 23}, 1.3f);
            const auto mesh =
                extract(sampledField(
                            lattice, [&](Vec3d p) { return below ? sphere(p) : -sphere(p); }, below),
                        0);
            QVERIFY(wellFormed(mesh));
            const auto topology = analyseTopology(mesh);
            QVERIFY(std::abs(topology.volume - 4 * pi / 3) < 0.05);
            for (std::size_t v = 0; v < mesh.vertexCount(); ++v) {
                const Vec3d p = mesh.positions[v].as<double>() - Vec3d{0.01, -0.02, 0.005};
                QVERIFY(std::abs(norm(p) - 1) < 0.005);
                QVERIFY(dot(normalized(p), mesh.normals[v].as<double>()) > 0.995);
            }
        }
    }
    void strictRuleAtTheIsoValueOn(const Extractor& extract) {
        // integers: many samples are exactly at the iso-value, and count as outside
        for (const bool below : {true, false}) {
            const auto value = [&](int x, int y, int z) {
                const int d = std::abs(x - 6) + std::abs(y - 6) + std::abs(z - 6) - 4;
                return below ? d : -d;
            };
            const auto mesh = extract(denseField({13, 13, 13}, value, below), 0);
            const auto topology = analyseTopology(mesh);
            QVERIFY(wellFormed(mesh));
            QVERIFY(mesh.zeroAreaTriangles > 0);
            QCOMPARE(topology.boundaryEdges, std::uint64_t{0});
            QCOMPARE(topology.euler, 2);
            QVERIFY(std::abs(topology.volume - 4.0 * 4 * 4 * 4 / 3) <
                    1e-3); // the octahedron |x|+|y|+|z| <= 4
        }
    }
    void zeroAreaIsCountedOn(const Extractor& extract) {
        // number of active cells, counted by visiting all cells
        const auto counted = [](const TriangleMesh& mesh) {
            std::uint64_t count = 0;
            for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
                const auto corner = [&](std::size_t i) {
                    return mesh.positions[mesh.indices[3 * t + i]].as<double>();
                };
                count += cross(corner(1) - corner(0), corner(2) - corner(0)) == Vec3d{};
            }
            return count;
        };
        const auto smooth = extract(sampledField(latticeAround({20, 20, 20}, 1.3f), sphere), 0);
        QCOMPARE(smooth.zeroAreaTriangles, std::uint64_t{0});
        // far from the origin, vertices near a node coincide with it
        for (const float origin : {0.0f, 10.0f, 1000.0f, 1e5f}) {
            const LatticeShape lattice{{origin, -origin, 0.3f}, {0.1f, 0.07f, 0.2f}, {70, 70, 40}};
            const auto mesh =
                extract(denseField(
                            lattice.dims,
                            [](int x, int y, int z) {
                                return std::sin(0.2 * x) + std::cos(0.3 * y) + std::sin(0.25 * z);
                            },
                            false, lattice.origin, lattice.spacing),
                        0.1f);
            QCOMPARE(mesh.zeroAreaTriangles, counted(mesh));
            QVERIFY((mesh.zeroAreaTriangles > 0) == (origin >= 1000));
        }
        for (const float iso : {0.0f, 0.5f}) { // equal to a sample, and between samples
            const auto mesh = extract(
                denseField({30, 30, 30}, [](int x, int y, int z) { return (x * y + z) % 5 - 2; }), iso);
            QCOMPARE(mesh.zeroAreaTriangles, counted(mesh));
            QCOMPARE(mesh.zeroAreaTriangles > 0, iso == 0);
        }
    }
    void oddValuesMakeNoSurfaceOn(const Extractor& extract) {
        for (const float odd : {notANumber, inf, -inf}) {
            const auto value = [&](int x, int y, int z) {
                if (x == 5 && y == 5 && z == 3)
                    return odd;
                return static_cast<float>(z) - 3.4f;
            };
            const auto mesh = extract(denseField({10, 10, 10}, value), 0);
            QVERIFY(wellFormed(mesh));
            QCOMPARE(mesh.activeCells,
                     std::uint64_t{81 - 4}); // the four cells at the odd sample are left out
            QCOMPARE(mesh.triangleCount(), std::size_t{2 * 77});
            QCOMPARE(mesh.vertexCount(), std::size_t{99});
            for (const Vec3f normal : mesh.normals.span())
                QVERIFY(dot(normal, Vec3f{0, 0, -1}) > 0.9f);
        }
        const auto allNan = denseField({9, 9, 9}, [](int, int, int) { return notANumber; });
        QCOMPARE(extract(allNan, 0).triangleCount(), std::size_t{0});
    }
    void extremeValuesStayFiniteOn(const Extractor& extract) {
        // scales from denormal numbers to nearly the largest
        for (const float scale : {4e-45f, 1e-38f, 1e30f, 3e36f})
            extremeValuesStayFinite(extract, scale);
    }
    static void extremeValuesStayFinite(const Extractor& extract, float scale) {
        const auto field = denseField({12, 12, 12}, [&](int x, int y, int z) {
            // radius² between two integers: no node is at the iso-value, and none on the border is inside
            return (24.5f - static_cast<float>((x - 5) * (x - 5) + (y - 6) * (y - 6) + (z - 5) * (z - 5))) *
                   scale;
        });
        const auto mesh = extract(field, 0);
        QVERIFY(mesh.triangleCount() > 100);
        QVERIFY(wellFormed(mesh));
        QCOMPARE(analyseTopology(mesh).euler, 2);
        const auto far = denseField({2, 2, 2}, [](int x, int, int) { return x ? 3.3e38f : -3.3e38f; });
        const auto plane = extract(far, 2e38f);
        QVERIFY(wellFormed(plane));
        for (const Vec3f position : plane.positions.span())
            QVERIFY(std::abs(position.x - 5.3f / 6.6f) < 1e-5f);
    }
    void flatFieldsHaveFallbackNormalsOn(const Extractor& extract) {
        const auto field =
            denseField({3, 3, 3}, [](int x, int y, int z) { return x == 1 && y == 1 && z == 1; });
        const auto mesh = extract(field, 0.99999994f); // vertices at the peak, where the slope is 0
        QVERIFY(wellFormed(mesh));
    }
    void thinLatticesOn(const Extractor& extract) {
        for (const Vec3i dims : {Vec3i{1, 1, 40}, Vec3i{1, 9, 9}, Vec3i{40, 1, 1}, Vec3i{1, 1, 1}}) {
            const auto field = denseField(dims, [](int x, int y, int z) { return (x + y + z) % 2 ? 1 : -1; });
            QCOMPARE(extract(field, 0).triangleCount(), std::size_t{0}); // a field without any cells
            std::vector<float> values;
            for (int i = 0; i < dims.x * dims.y * dims.z; ++i)
                values.push_back(i % 2 ? 1.0f : -1.0f);
            const auto clamped = cpu::volumeField(values, {{}, {1, 1, 1}, dims}, true, false, {});
            QCOMPARE(clamped.lattice.dims, dims + (Vec3i{1, 1, 1}));
            QVERIFY(wellFormed(extract(clamped, 0)));
        }
        const auto column = denseField({2, 2, 77}, [](int, int, int z) { return z % 2 ? 1 : -1; });
        QCOMPARE(extract(column, 0).triangleCount(), std::size_t{2 * 76});
    }
    void surfaceTouchesTheLastSliceOn(const Extractor& extract) {
        for (const int n : {8, 9, 16, 17, 23}) {
            const auto top =
                extract(denseField({n, n, n}, [&](int, int, int z) { return z == n - 1 ? 1 : -1; }), 0);
            QCOMPARE(top.activeCells, std::uint64_t((n - 1) * (n - 1)));
            QCOMPARE(top.triangleCount(), std::size_t(2 * (n - 1) * (n - 1)));
            for (const Vec3f p : top.positions.span())
                QCOMPARE(p.z, static_cast<float>(n) - 1.5f);
        }
    }
    void sparseEqualsDenseOn(const Extractor& extract) {
        const LatticeShape lattice = latticeAround({83, 70, 77}, 1.3f);
        const auto dense = sampledField(lattice, sphere);
        const auto sparse = withoutBricks(dense, [](std::span<const float> values) {
            return std::any_of(values.begin(), values.end(), [](float v) { return std::abs(v) < 0.12f; });
        });
        QVERIFY(sparse.brickCount() < dense.brickCount() / 2);
        const auto a = extract(dense, 0), b = extract(sparse, 0);
        QCOMPARE(a.vertexCount(), b.vertexCount());
        QVERIFY(sortedTriangles(a) == sortedTriangles(b));
        std::vector<std::array<Triple, 2>> verticesA, verticesB;
        for (std::size_t v = 0; v < a.vertexCount(); ++v) {
            verticesA.push_back({triple(a.positions[v]), triple(a.normals[v])});
            verticesB.push_back({triple(b.positions[v]), triple(b.normals[v])});
        }
        std::sort(verticesA.begin(), verticesA.end());
        std::sort(verticesB.begin(), verticesB.end());
        QVERIFY(verticesA == verticesB);
        // no duplicate vertices: no two coincide (none is on a node here)
        for (std::size_t v = 1; v < verticesA.size(); ++v)
            QVERIFY(verticesA[v - 1][0] != verticesA[v][0]);
        const auto topology = analyseTopology(b);
        QCOMPARE(topology.boundaryEdges, std::uint64_t{0});
        QCOMPARE(topology.euler, 2);
    }
    void maskedCellsAreLeftOutOn(const Extractor& extract) {
        auto field = denseField({17, 17, 17}, [](int, int, int z) { return z < 8 ? 1 : -1; });
        field.cellMask[0 * 8 + 7] &= ~(std::uint64_t{1} << (3 + 8 * 3)); // cell (3, 3, 7)
        const auto mesh = extract(field, 0);
        QCOMPARE(mesh.activeCells, std::uint64_t{255});
        QCOMPARE(mesh.triangleCount(), std::size_t{2 * 255});
        QCOMPARE(analyseTopology(mesh).boundaryEdges, std::uint64_t{64 + 4});
    }
    void latticeOfMoreThan32BitsOn(const Extractor& extract) {
        // bricks in the far corner of 4000^3 nodes: keys and cell indices exceed 2^31
        ScalarField field = denseField(
            {24, 24, 24}, [](int x, int y, int z) { return 8.3 - std::hypot(x - 11.6, y - 11.7, z - 12.2); });
        const auto small = extract(field, 0);
        const Vec3i shift{497, 497, 497}; // bricks
        field.lattice.dims = {4000, 4000, 4000};
        field.brickDims = {500, 500, 500};
        for (std::size_t b = 0; b < field.brickCount(); ++b) {
            const auto at = static_cast<int>(field.brickKeys[b]);
            const Vec3i brick = Vec3i{at % 3, at / 3 % 3, at / 9} + shift;
            field.brickKeys[b] =
                (std::uint64_t(brick.z) * 500 + std::uint64_t(brick.y)) * 500 + std::uint64_t(brick.x);
        }
        const auto far = extract(field, 0);
        QCOMPARE(far.vertexCount(), small.vertexCount());
        QVERIFY(
            std::equal(far.indices.span().begin(), far.indices.span().end(), small.indices.span().begin()));
        for (std::size_t v = 0; v < far.vertexCount(); ++v)
            QVERIFY(norm(far.positions[v] - small.positions[v] - (shift * 8).as<float>()) < 0.001f);
        // 4,300 bricks along each axis: 8.6e10 bricks, 4.4e13 cells
        field.brickDims = {4300, 4300, 4300};
        field.lattice.dims = {34400, 34400, 34400};
        for (std::size_t b = 0; b < field.brickCount(); ++b) {
            const auto at = static_cast<std::uint64_t>(b);
            field.brickKeys[b] = ((4297 + at / 9) * 4300 + 4297 + at / 3 % 3) * 4300 + 4297 + at % 3;
        }
        QCOMPARE(extract(field, 0).triangleCount(), small.triangleCount());
    }
    void badInputIsRefusedOn(const Extractor& extract) {
        const auto field = denseField({3, 3, 3}, [](int, int, int) { return 1; });
        QVERIFY_EXCEPTION_THROWN(extract(field, notANumber), KernelError);
        QCOMPARE(extract(field, inf).triangleCount(), std::size_t{0});
        QCOMPARE(extract(field, -inf).triangleCount(), std::size_t{0});
        const std::vector<float> values(26);
        QVERIFY_EXCEPTION_THROWN(cpu::volumeField(values, {{}, {1, 1, 1}, {3, 3, 3}}, false, false, {}),
                                 KernelError);
        QVERIFY_EXCEPTION_THROWN(cpu::volumeField(values, {{}, {1, 0, 1}, {13, 2, 1}}, false, false, {}),
                                 KernelError);
        QVERIFY_EXCEPTION_THROWN(cpu::volumeField(values, {{}, {1, 1, 1}, {26, 1, 0}}, false, false, {}),
                                 KernelError);
    }
    void stopsAndRepeatsOn(const Extractor& extract) {
        std::stop_source source;
        const auto field = sampledField(latticeAround({60, 60, 60}, 1.6f), torus);
        const auto a = extract(field, 0), b = extract(field, 0);
        QVERIFY(std::equal(a.indices.span().begin(), a.indices.span().end(), b.indices.span().begin()));
        QVERIFY(std::equal(a.positions.span().begin(), a.positions.span().end(), b.positions.span().begin()));
        QVERIFY(std::equal(a.normals.span().begin(), a.normals.span().end(), b.normals.span().begin()));
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(extract(field, 0, source.get_token()), Cancelled);
    }
};

SCANLOUPE_TEST(TestMarchingCubesShapes)
#include "test_marching_cubes_shapes.moc"
