// Fields of hand-made voxels: values, closed surfaces, gaps, and rejected input.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/values/voxel_values.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "tests/kernels/field/field_backends.h"
#include "tests/kernels/field/field_test_support.h"
#include "tests/kernels/mesh/mesh_test_support.h"
#include "tests/support/test_support.h"
#include "tests/support/uploaded_field.h"

#include <bit>
#include <cstring>
#include <limits>
#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

const GridShape kSmall{{-1, 2, 0.5f}, {0.1f, 0.2f, 0.05f}, {21, 18, 30}};

std::vector<Vec3i> randomCells(Vec3i dims, int count, const char* name) {
    auto random = seededRandom(name);
    std::vector<Vec3i> cells;
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int i = 0; i < count; ++i)
        cells.push_back({below(dims.x), below(dims.y), below(dims.z)});
    return cells;
}

/// The value at a node, NaN outside of all bricks.
float valueAt(const ScalarField& field, Vec3i node) {
    const Vec3i brick{node.x / 8, node.y / 8, node.z / 8};
    const auto keys = field.brickKeys.span();
    const std::uint64_t key = brickKey(brick, field.brickDims);
    const auto found = std::lower_bound(keys.begin(), keys.end(), key);
    if (found == keys.end() || *found != key)
        return std::numeric_limits<float>::quiet_NaN();
    const auto b = static_cast<std::size_t>(found - keys.begin());
    return field
        .values[b * kBrickNodes + static_cast<std::size_t>((node.z % 8 * 8 + node.y % 8) * 8 + node.x % 8)];
}

template <class F>
void forNodes(Vec3i dims, F&& body) {
    for (int z = 0; z < dims.z; ++z)
        for (int y = 0; y < dims.y; ++y)
            for (int x = 0; x < dims.x; ++x)
                body(Vec3i{x, y, z});
}

FieldParams distanceFrom(Vec3f sensor) {
    FieldParams params{FieldKind::signedDistance, 0, {}};
    params.normals.sensor = sensor;
    return params;
}
} // namespace

class TestField : public QObject {
    Q_OBJECT
private slots:
    ON_EACH_FIELD_BACKEND(occupancyIsOneInVoxels)
    ON_EACH_FIELD_BACKEND(smoothedSurfacesAreClosed)
    ON_EACH_FIELD_BACKEND(smoothingMatchesAPlainLoop)
    ON_EACH_FIELD_BACKEND(densityCountsPoints)
    ON_CPU_AND_CUDA(valuesAtVoxelsAreThoseOfTheirNodes)
    ON_EACH_FIELD_BACKEND(distanceOfAPlane)
    ON_EACH_FIELD_BACKEND(surfaceClosesGapsOfOneVoxelOnly)
    ON_EACH_FIELD_BACKEND(loneVoxelsStayAlone)
    ON_EACH_FIELD_BACKEND(normalsComeFromTheFile)
    ON_EACH_FIELD_BACKEND(guessedNormalsAgree)
    ON_EACH_FIELD_BACKEND(bricksAreCountedBefore)
    ON_EACH_FIELD_BACKEND(onlyNearSpaceHasBricks)
    ON_EACH_FIELD_BACKEND(badInputIsRefused)
    ON_EACH_FIELD_BACKEND(sameInputSameBytes)

private:
    void occupancyIsOneInVoxelsOn(const QString& backend) {
        const auto cells = randomCells(kSmall.dims, 300, "occupancyIsOneInVoxels");
        const auto grid = gridOfCells(cells, kSmall);
        const auto field = fieldOn(backend, grid, {});
        QCOMPARE(field.lattice.dims, kSmall.dims + (Vec3i{2, 2, 2}));
        QVERIFY(norm(field.lattice.position({1, 1, 1}) - kSmall.origin - kSmall.voxelSize * 0.5f) < 1e-6f);
        QVERIFY(!field.insideBelow);
        QCOMPARE(field.minValue, 0.0f);
        QCOMPARE(field.maxValue, 1.0f);
        std::set<std::array<int, 3>> occupied;
        for (const Vec3i c : cells)
            occupied.insert({c.x + 1, c.y + 1, c.z + 1});
        forNodes(field.lattice.dims, [&](Vec3i n) {
            const float value = valueAt(field, n);
            if (occupied.contains({n.x, n.y, n.z}))
                QCOMPARE(value, 1.0f);
            else
                QVERIFY(value == 0.0f || std::isnan(value));
        });
        const auto mesh = cpu::extractSurface(field, 0.5f, {});
        QVERIFY(wellFormed(mesh));
        QCOMPARE(analyseTopology(mesh).boundaryEdges, std::uint64_t{0}); // no NaN next to a voxel
        QVERIFY(analyseTopology(mesh).volume > 0);
    }
    void smoothedSurfacesAreClosedOn(const QString& backend) {
        auto cells = randomCells({14, 14, 14}, 500, "smoothedSurfacesAreClosed");
        cells.push_back({20, 17, 29}); // a voxel at the grid's last corner
        const auto grid = gridOfCells(cells, kSmall);
        for (const float radius : {0.06f, 0.2f, 0.34f}) {
            for (const FieldKind kind : {FieldKind::occupancy, FieldKind::density}) {
                const auto field = fieldOn(backend, grid, {kind, radius, {}});
                QVERIFY(field.minValue >= 0 && (kind == FieldKind::density || field.maxValue <= 1.0001f));
                for (const float share : {0.001f, 0.3f, 0.7f}) {
                    const auto mesh = cpu::extractSurface(field, share * field.maxValue, {});
                    QVERIFY(mesh.triangleCount() > 0);
                    QCOMPARE(analyseTopology(mesh).boundaryEdges, std::uint64_t{0});
                }
            }
        }
    }
    void smoothingMatchesAPlainLoopOn(const QString& backend) {
        const auto cells = randomCells(kSmall.dims, 200, "smoothingMatchesAPlainLoop");
        const auto grid = gridOfCells(cells, kSmall);
        std::set<std::array<int, 3>> occupied;
        for (const Vec3i c : cells)
            occupied.insert({c.x, c.y, c.z});
        const double radius = 0.21;
        const auto field = fieldOn(backend, grid, {FieldKind::occupancy, static_cast<float>(radius), {}});
        const auto bump = [&](Vec3i d) {
            const Vec3d metres = d.as<double>() * kSmall.voxelSize.as<double>();
            const double left = 1 - squaredNorm(metres) / (radius * radius);
            return left > 0 ? left * left * left : 0;
        };
        forNodes(kSmall.dims, [&](Vec3i n) {
            double sum = 0, all = 0;
            forNodes({7, 5, 11}, [&](Vec3i step) {
                const Vec3i d = step - Vec3i{3, 2, 5};
                all += bump(d);
                if (occupied.contains({n.x + d.x, n.y + d.y, n.z + d.z}))
                    sum += bump(d);
            });
            const float value = valueAt(field, n + Vec3i{1, 1, 1});
            if (std::isnan(value))
                QCOMPARE(sum, 0.0);
            else
                QVERIFY(std::abs(value - sum / all) < 1e-5);
        });
    }
    void densityCountsPointsOn(const QString& backend) {
        // 20 points a voxel everywhere: 20 / (0.1 * 0.2 * 0.05) points per cubic metre inside
        const GridShape shape{{0, 0, 0}, {0.1f, 0.2f, 0.05f}, {20, 20, 20}};
        auto random = seededRandom("densityCountsPoints");
        std::uniform_real_distribution<float> unit(0, 1);
        std::vector<Vec3f> points;
        for (int i = 0; i < 20 * 8000; ++i)
            points.push_back(Vec3f{unit(random), unit(random), unit(random)} * Vec3f{2, 4, 1});
        const auto field = fieldOn(backend, binPoints(points, shape), {FieldKind::density, 0, {}});
        double sum = 0;
        int count = 0;
        forNodes({10, 10, 10}, [&](Vec3i n) {
            sum += double{valueAt(field, n + Vec3i{6, 6, 6})};
            ++count;
        });
        QVERIFY(std::abs(sum / count / 20000 - 1) < 0.03);
        QCOMPARE(analyseTopology(cpu::extractSurface(field, 10000, {})).euler, 2);
        QVERIFY(std::abs(analyseTopology(cpu::extractSurface(field, 10000, {})).volume / 8 - 1) < 0.15);
    }
    static Buffer<float> valuesAtVoxelsOn(const QString& backend, const ScalarField& field,
                                          const VoxelGrid& grid, std::size_t stride) {
        if (backend == "cpu")
            return valuesAtVoxels(field, grid, stride, {});
        const Stream stream;
        const VoxelGrid voxels = uploaded(grid, stream);
        const ScalarField there = uploaded(field, stream);
        return valuesAtVoxels(there, voxels, stride, {stream, {}}).copyTo(MemorySpace::host, stream);
    }
    void valuesAtVoxelsAreThoseOfTheirNodesOn(const QString& backend) {
        auto random = seededRandom("valuesAtVoxelsAreThoseOfTheirNodes");
        const GridShape shape{{-1, 2, 3}, {0.5f, 0.25f, 1}, {21, 17, 9}};
        std::uniform_real_distribution<float> part(0, 1);
        std::vector<Vec3f> points;
        for (int i = 0; i < 400; ++i)
            points.push_back(shape.origin +
                             Vec3f{part(random) * 10.4f, part(random) * 4.2f, part(random) * 8.9f});
        const VoxelGrid grid = binPoints(points, shape);
        for (const FieldKind kind : {FieldKind::occupancy, FieldKind::density}) {
            const FieldParams params{kind, 1.2f, {}};
            const ScalarField field = cpu::computeField(grid, params, {});
            for (const std::size_t stride : {1, 7}) {
                const Buffer<float> values = valuesAtVoxelsOn(backend, field, grid, stride);
                QCOMPARE(values.size(), (grid.size() + stride - 1) / stride);
                for (std::size_t i = 0; i < values.size(); ++i) {
                    const Vec3i node = shape.cell(grid.keys[i * stride]) + Vec3i{1, 1, 1};
                    QCOMPARE(values[i], valueAt(field, node));
                    QVERIFY(values[i] > 0);
                }
            }
        }
        const ScalarField distance = cpu::computeField(grid, {FieldKind::signedDistance, 0, {}}, {});
        QVERIFY_EXCEPTION_THROWN(valuesAtVoxelsOn(backend, distance, grid, 1), KernelError);
    }
    void distanceOfAPlaneOn(const QString& backend) {
        const GridShape shape{{0, 0, 0}, {0.05f, 0.07f, 0.11f}, {40, 30, 12}};
        std::vector<Vec3f> points;
        const auto height = [](float x, float y) { return 0.6f + 0.1f * x - 0.2f * (y - 1); };
        for (int i = 0; i < 200; ++i)
            for (int j = 0; j < 200; ++j)
                points.push_back(
                    {float(i) * 0.01f, float(j) * 0.0105f, height(float(i) * 0.01f, float(j) * 0.0105f)});
        const auto grid = binPoints(points, shape);
        for (const float side : {1.0f, -1.0f}) {
            const auto field = fieldOn(backend, grid, distanceFrom({1, 1, side * 30}));
            QCOMPARE(field.lattice.dims, shape.dims + (Vec3i{1, 1, 1}));
            QVERIFY(field.insideBelow);
            QCOMPARE(field.normalsGuessed, std::uint64_t{0});
            const float slant = std::sqrt(1 + 0.01f + 0.04f);
            int known = 0;
            forNodes(field.lattice.dims, [&](Vec3i n) {
                const float value = valueAt(field, n);
                if (std::isnan(value))
                    return;
                ++known;
                const Vec3f p = field.lattice.position(n);
                QVERIFY(std::abs(value - side * (p.z - height(p.x, p.y)) / slant) < 0.003f);
            });
            QVERIFY(known > 2000);
            const auto mesh = cpu::extractSurface(field, 0, {});
            QVERIFY(wellFormed(mesh));
            for (const Vec3f normal : mesh.normals.span())
                QVERIFY(normal.z * side > 0.9f);
            const auto topology = analyseTopology(mesh);
            QCOMPARE(topology.components, std::uint64_t{1});
            // the surface ends at the rim
            QVERIFY(std::abs(topology.area / (2 * 2.1 * double{slant}) - 1) < 0.06);
        }
    }
    void surfaceClosesGapsOfOneVoxelOnlyOn(const QString& backend) {
        // a floor with one missing voxel, a missing row of one and, farther on, of two; along each axis, with
        // the gaps at each position in a brick and across borders of bricks
        for (int up = 0; up < 3; ++up) {
            for (int shift = 0; shift < kBrickEdge; ++shift) {
                const auto turned = [up](Vec3f p) {
                    Vec3f result;
                    for (int axis = 0; axis < 3; ++axis)
                        result[(up + 1 + axis) % 3] = p[axis];
                    return result;
                };
                std::vector<Vec3f> points;
                for (int x = 0; x < 24; ++x)
                    for (int y = 0; y < 10; ++y)
                        if (!(x == 4 && y == 5) && x != 9 && x != 15 && x != 16)
                            for (int i = 0; i < 4; ++i)
                                points.push_back(
                                    turned({(float(x + shift) + 0.3f + 0.4f * float(i & 1)) * 0.1f,
                                            (float(y + shift) + 0.3f + 0.4f * float(i >> 1)) * 0.1f,
                                            (float(shift) + 0.6f) * 0.1f}));
                const auto grid = binPoints(points, {{0, 0, 0}, {0.1f, 0.1f, 0.1f}, {32, 32, 32}});
                const auto mesh = cpu::extractSurface(
                    fieldOn(backend, grid, distanceFrom(turned({1, 0.5f, 20})), {}), 0, {});
                const auto topology = analyseTopology(mesh);
                QCOMPARE(topology.components, std::uint64_t{2});
                // the two ends of the missing row are not closed: the surface ends there
                const double cells = 15 * 10 - 2 + 7 * 10;
                QVERIFY2(std::abs(topology.area - 0.1 * 0.1 * cells) < 1e-3,
                         qPrintable(QString("up %1, shift %2: %3").arg(up).arg(shift).arg(topology.area)));
                for (const Vec3f p : mesh.positions.span())
                    QVERIFY(std::abs(p[up] - (float(shift) + 0.6f) * 0.1f) < 1e-4f);
            }
        }
    }
    void loneVoxelsStayAloneOn(const QString& backend) {
        const auto grid = gridOfCells({{3, 3, 3}, {14, 9, 20}}, kSmall);
        const auto field = fieldOn(backend, grid, distanceFrom({-1, 2, 10}));
        std::uint64_t cells = 0;
        for (const std::uint64_t word : field.cellMask.span())
            cells += static_cast<std::uint64_t>(std::popcount(word));
        QCOMPARE(cells, std::uint64_t{2});
        QCOMPARE(analyseTopology(cpu::extractSurface(field, 0, {})).components, std::uint64_t{2});
    }
    void normalsComeFromTheFileOn(const QString& backend) {
        // the normals in the file of a flat patch face down and aside, and are used as they are
        std::vector<Vec3f> points;
        std::vector<std::vector<float>> features(6);
        const Vec3f told = normalized(Vec3f{0.5f, 0, -1});
        for (int x = 0; x < 30; ++x)
            for (int y = 0; y < 30; ++y) {
                points.push_back({float(x) * 0.03f, float(y) * 0.03f, 0.41f});
                for (std::size_t a = 0; a < 3; ++a) {
                    features[a].push_back(told[static_cast<int>(a)] +
                                          1); // stored relative to the channel's minimum
                    features[3 + a].push_back(a == 2 ? 60.0f : 0.0f);
                }
            }
        const auto grid = binPoints(points, {{0, 0, 0}, {0.1f, 0.1f, 0.1f}, {9, 9, 9}}, features);
        FieldParams params{FieldKind::signedDistance, 0, {}};
        params.normals.normals = vectorsFrom(grid, 3, {-1, -1, -1});
        auto field = fieldOn(backend, grid, params);
        QCOMPARE(field.normalsGuessed, std::uint64_t{0});
        QVERIFY(valueAt(field, {4, 4, 4}) > 0 && valueAt(field, {4, 4, 5}) < 0);
        // without them: up, to the sensor of each point, 10 m below the offset of 60
        params.normals = {};
        params.normals.sensors = vectorsFrom(grid, 6, {0, 0, -70});
        field = fieldOn(backend, grid, params);
        QVERIFY(valueAt(field, {4, 4, 4}) > 0 && valueAt(field, {4, 4, 5}) < 0);
        params.normals.sensors.offset = {0, 0, 0};
        field = fieldOn(backend, grid, params);
        QVERIFY(valueAt(field, {4, 4, 4}) < 0 && valueAt(field, {4, 4, 5}) > 0);
    }
    void guessedNormalsAgreeOn(const QString& backend) {
        // two spheres without a known sensor: normals of both point outwards, all voxels are counted
        auto random = seededRandom("guessedNormalsAgree");
        std::normal_distribution<float> normal;
        std::vector<Vec3f> points;
        for (int i = 0; i < 20000; ++i)
            points.push_back(normalized(Vec3f{normal(random), normal(random), normal(random)}) * 0.5f +
                             (i % 2 ? Vec3f{1, 1, 1} : Vec3f{1, 2.5f, 1}));
        const auto grid = binPoints(points, {{0, 0, 0}, {0.06f, 0.06f, 0.06f}, {40, 60, 40}});
        const auto field = fieldOn(backend, grid, {FieldKind::signedDistance, 0, {}});
        QCOMPARE(field.normalsGuessed, std::uint64_t{grid.size()});
        const auto mesh = cpu::extractSurface(field, 0, {});
        const auto topology = analyseTopology(mesh);
        QCOMPARE(topology.boundaryEdges, std::uint64_t{0});
        QCOMPARE(topology.components, std::uint64_t{2});
        QCOMPARE(topology.euler, 4);
        QVERIFY(std::abs(topology.volume - 2 * 4.18879 * 0.125) < 0.03);
        for (std::size_t v = 0; v < mesh.vertexCount(); ++v) {
            const Vec3f middle = mesh.positions[v].y > 1.75f ? Vec3f{1, 2.5f, 1} : Vec3f{1, 1, 1};
            QVERIFY(dot(mesh.normals[v], normalized(mesh.positions[v] - middle)) > 0.9f);
        }
    }
    void bricksAreCountedBeforeOn(const QString& backend) {
        const auto grid = gridOfCells(randomCells(kSmall.dims, 40, "bricksAreCountedBefore"), kSmall);
        for (const FieldKind kind : {FieldKind::occupancy, FieldKind::density, FieldKind::signedDistance}) {
            for (const float radius : {0.0f, 0.3f}) {
                const FieldParams params{kind, radius, {}};
                const auto field = fieldOn(backend, grid, params);
                std::uint64_t counted = 0;
                cpu::computeField(grid, params, {}, [&](std::uint64_t bricks) { counted = bricks; });
                QCOMPARE(counted, std::uint64_t{field.brickCount()});
                const auto refuse = [](std::uint64_t) { throw KernelError("too many", ""); };
                QVERIFY_EXCEPTION_THROWN(cpu::computeField(grid, params, {}, refuse), KernelError);
                QVERIFY(std::is_sorted(field.brickKeys.span().begin(), field.brickKeys.span().end()));
            }
        }
    }
    void onlyNearSpaceHasBricksOn(const QString& backend) {
        // voxels in two corners of a grid of 6e13 cells
        const Vec3i dims{40000, 40000, 40000};
        const auto grid = gridOfCells({{0, 0, 0}, {39999, 39999, 39999}},
                                      {{-20, -20, -20}, {0.001f, 0.001f, 0.001f}, dims});
        for (const FieldKind kind : {FieldKind::occupancy, FieldKind::signedDistance}) {
            const auto field = fieldOn(backend, grid, {kind, 0, {}});
            QVERIFY(field.brickCount() >= 2 && field.brickCount() <= 16);
            QCOMPARE(analyseTopology(cpu::extractSurface(field, kind == FieldKind::occupancy ? 0.5f : 0, {}))
                         .components,
                     std::uint64_t{2});
        }
    }
    void badInputIsRefusedOn(const QString& backend) {
        const auto grid = gridOfCells({{1, 2, 3}}, kSmall);
        VoxelGrid empty;
        empty.shape = kSmall;
        QVERIFY_EXCEPTION_THROWN(fieldOn(backend, empty, {}), KernelError);
        QVERIFY_EXCEPTION_THROWN(fieldOn(backend, grid, {FieldKind::volume, 0, {}}), KernelError);
        for (const float radius : {-1.0f, std::nanf(""), std::numeric_limits<float>::infinity(), 10.0f})
            QVERIFY_EXCEPTION_THROWN(fieldOn(backend, grid, {FieldKind::density, radius, {}}), KernelError);
        try {
            fieldOn(backend, grid, {FieldKind::occupancy, 0.5f, {}});
            QFAIL("0.5 m are ten voxels along z");
        } catch (const KernelError& error) {
            QVERIFY(QString::fromStdString(error.nextStep()).contains("0.35"));
        }
        std::stop_source source;
        source.request_stop();
        for (const FieldKind kind : {FieldKind::occupancy, FieldKind::density, FieldKind::signedDistance})
            QVERIFY_EXCEPTION_THROWN(fieldOn(backend, grid, {kind, 0, {}}, source.get_token()), Cancelled);
    }
    void sameInputSameBytesOn(const QString& backend) {
        const auto grid = gridOfCells(randomCells(kSmall.dims, 3000, "sameInputSameBytes"), kSmall);
        for (const FieldKind kind : {FieldKind::occupancy, FieldKind::density, FieldKind::signedDistance}) {
            const auto a = fieldOn(backend, grid, {kind, 0.15f, {}});
            const auto b = fieldOn(backend, grid, {kind, 0.15f, {}});
            QCOMPARE(a.values.size(), b.values.size());
            QCOMPARE(std::memcmp(a.values.data(), b.values.data(), a.values.bytes()), 0);
            QCOMPARE(std::memcmp(a.cellMask.data(), b.cellMask.data(), a.cellMask.bytes()), 0);
        }
    }
};

SCANLOUPE_TEST(TestField)
#include "test_field.moc"
