// Borders of surfaces occur only where the data ends, never between bricks.
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/common/read_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

using namespace scanloupe;

namespace {

/// Reads a field's bricks.
class FieldCells {
public:
    explicit FieldCells(const ScalarField& field) : m_field(field) {}
    /// Whether marching cubes may make surface in a cell: the field lets it, and its corners have samples.
    bool mayCarrySurface(Vec3i cell) const {
        const std::optional<std::size_t> brick = brickAt(cell);
        if (!brick)
            return false;
        const auto local = [](int i) { return std::size_t(i) % kBrickEdge; };
        const std::uint64_t mask = m_field.cellMask[*brick * kBrickEdge + local(cell.z)];
        if ((mask >> (local(cell.x) + 8 * local(cell.y)) & 1) == 0)
            return false;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3i node = cell + Vec3i{corner & 1, corner >> 1 & 1, corner >> 2};
            const std::optional<std::size_t> at = brickAt(node);
            if (!at || std::isnan(m_field.values[*at * kBrickNodes + local(node.x) + 8 * local(node.y) +
                                                 64 * local(node.z)]))
                return false;
        }
        return true;
    }

private:
    std::optional<std::size_t> brickAt(Vec3i node) const {
        std::uint64_t key = 0;
        for (int axis = 2; axis >= 0; --axis) {
            if (node[axis] < 0 || node[axis] / kBrickEdge >= m_field.brickDims[axis])
                return std::nullopt;
            key = key * std::uint64_t(m_field.brickDims[axis]) + std::uint64_t(node[axis] / kBrickEdge);
        }
        const auto keys = m_field.brickKeys.span();
        const auto found = std::ranges::lower_bound(keys, key);
        if (found == keys.end() || *found != key)
            return std::nullopt;
        return std::size_t(found - keys.begin());
    }
    const ScalarField& m_field;
};

/// Directed edges that have no opposite edge.
std::vector<std::array<std::uint32_t, 2>> boundaryOf(const TriangleMesh& mesh) {
    // lower vertex, higher vertex, and whether the edge leads to the higher one
    std::vector<std::uint64_t> edges;
    edges.reserve(mesh.indices.size());
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint64_t a = mesh.indices[3 * t + i], b = mesh.indices[3 * t + (i + 1) % 3];
            edges.push_back(std::min(a, b) << 32 | std::max(a, b));
        }
    std::ranges::sort(edges);
    std::vector<std::array<std::uint32_t, 2>> single;
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i;
        while (end < edges.size() && edges[end] == edges[i])
            ++end;
        if (end - i == 1)
            single.push_back({std::uint32_t(edges[i] >> 32), std::uint32_t(edges[i])});
        i = end;
    }
    return single;
}

struct Borders {
    std::size_t edges = 0;
    std::size_t atBricks = 0;   ///< edges in a face between two bricks
    std::size_t withinData = 0; ///< edges in a face with a cell on either side that may carry surface
    std::size_t elsewhere = 0;  ///< edges in no face of a cell
};

/// A boundary edge is in a face of the cell that made it. On the other side of that face there must be no
/// cell with a surface.
Borders bordersOf(const Snapshot& snapshot) {
    const ScalarField& field = snapshot.field.host();
    const TriangleMesh& mesh = snapshot.mesh.host();
    const FieldCells cells(field);
    const auto place = [&](std::uint32_t vertex) {
        return (mesh.positions[vertex] - field.lattice.origin).as<double>() /
               field.lattice.spacing.as<double>();
    };
    Borders borders;
    for (const auto& [a, b] : boundaryOf(mesh)) {
        ++borders.edges;
        const Vec3d p = place(a), q = place(b), middle = (p + q) * 0.5;
        constexpr double near = 2e-3; // fraction of a cell: single precision of positions
        bool inFace = false, atBricks = false;
        for (int axis = 0; axis < 3; ++axis) {
            const double node = std::round(middle[axis]);
            if (std::abs(p[axis] - node) > near || std::abs(q[axis] - node) > near)
                continue;
            inFace = true;
            atBricks |= int(node) % kBrickEdge == 0;
        }
        // the cells around: two, or more where the edge is short and near a corner
        int around = 0, carrying = 0;
        for (int side = 0; side < 8; ++side) {
            const auto cell = [&](int axis) {
                return int(std::floor(middle[axis] + ((side >> axis & 1) != 0 ? near : -near)));
            };
            ++around;
            carrying += cells.mayCarrySurface({cell(0), cell(1), cell(2)});
        }
        const bool ends = carrying > 0 && carrying < around;
        borders.elsewhere += !inFace;
        borders.withinData += inFace && !ends;
        borders.atBricks += atBricks;
    }
    return borders;
}

} // namespace

class TestSurfaceBorders : public QObject {
    Q_OBJECT
private slots:
    void onlyWhereTheDataEnds_data() {
        QTest::addColumn<QString>("backend");
        QTest::addColumn<QString>("sweep");
        QTest::addColumn<QString>("field");
        QTest::addColumn<double>("voxel");
        for (const char* backend : {"cpu", "cuda"}) {
            const auto row = [&](const char* sweep, const char* field, double voxel) {
                QTest::addRow("%s %s %s %g m", backend, *sweep ? sweep : "room of 20 M points", field, voxel)
                    << backend << sweep << field << voxel;
            };
            row("", "distance", 0.02);
            for (const char* sweep : {"kitti_training_000000.bin", "nuscenes_10sweep_ff9eff_f32.bin",
                                      "voxelize_cuda_0000000000.bin"})
                for (const char* field : {"distance", "density", "occupancy"})
                    row(sweep, field, 0.1);
        }
    }
    void onlyWhereTheDataEnds() {
        QFETCH(QString, backend);
        QFETCH(QString, sweep);
        QFETCH(QString, field);
        QFETCH(double, voxel);
        if (backend == "cuda")
            SCANLOUPE_NEEDS_CUDA();
        std::shared_ptr<const PointCloud> cloud;
        if (sweep.isEmpty()) {
            SCANLOUPE_LONG_TEST();
            synth::ScanParams params;
            params.scene = synth::Scene::room;
            params.points = 20'000'000;
            cloud = std::make_shared<const PointCloud>(syntheticCloud(params, false, {}, {}));
        } else {
            SCANLOUPE_REAL_SCAN(path, "sweeps/" + sweep.toStdString());
            cloud = readScan(path, {}, {});
        }
        Pipeline pipeline(chooseBackend(backend == "cuda" ? Backend::cuda : Backend::cpu));
        pipeline.setInput(cloud, 0);
        Recipe recipe;
        setFromText(recipe, parameter("voxel_size"), std::to_string(voxel));
        setFromText(recipe, parameter("field"), field.toStdString());
        const Snapshot s = pipeline.run(recipe, {.picture = false}, {});
        QVERIFY(s.mesh->triangleCount() > 10'000);
        const Borders borders = bordersOf(s);
        std::printf("%s: %zu voxels, %zu triangles, %zu boundary edges, %zu of them between bricks, "
                    "%zu within the data, %zu in no face\n",
                    QTest::currentDataTag(), s.voxels->size(), s.mesh->triangleCount(), borders.edges,
                    borders.atBricks, borders.withinData, borders.elsewhere);
        QCOMPARE(borders.withinData, std::size_t{0});
        QCOMPARE(borders.elsewhere, std::size_t{0});
        // an eighth of all faces along an axis are between bricks: gaps there would increase the number
        QVERIFY(double(borders.atBricks) <= 0.2 * double(borders.edges) + 100);
    }
};

SCANLOUPE_TEST(TestSurfaceBorders)
#include "test_surface_borders.moc"
