// Voxels of a surface: compared with a plain reference, updated as during a brush stroke, and on both
// backends.
#include "kernels/field/operators.h"
#include "kernels/voxelize/operators.h"
#include "tests/kernels/field/field_backends.h"
#include "tests/support/test_support.h"
#include "tests/support/uploaded_field.h"

#include <cmath>
#include <cstring>
#include <optional>
#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

/// The value of a node; NaN if its brick is missing.
float valueAt(const ScalarField& field, Vec3i node) {
    for (int axis = 0; axis < 3; ++axis)
        if (node[axis] < 0 || node[axis] >= field.lattice.dims[axis])
            return kNone;
    const std::uint64_t key = brickKey({node.x >> 3, node.y >> 3, node.z >> 3}, field.brickDims);
    const auto keys = field.brickKeys.span();
    const auto at = std::lower_bound(keys.begin(), keys.end(), key);
    return at == keys.end() || *at != key
               ? kNone
               : field.values[std::size_t(at - keys.begin()) * kBrickNodes +
                              std::size_t(((node.z & 7) * 8 + (node.y & 7)) * 8 + (node.x & 7))];
}
bool mayCarry(const ScalarField& field, Vec3i cell) {
    const std::uint64_t key = brickKey({cell.x >> 3, cell.y >> 3, cell.z >> 3}, field.brickDims);
    const auto keys = field.brickKeys.span();
    const auto at = std::lower_bound(keys.begin(), keys.end(), key);
    return at != keys.end() && *at == key &&
           (field.cellMask[std::size_t(at - keys.begin()) * 8 + std::size_t(cell.z & 7)] >>
                ((cell.x & 7) + 8 * (cell.y & 7)) &
            1) != 0;
}

struct Voxel {
    bool isSolid = false, hasSurface = false;
};
Voxel voxelOf(const ScalarField& field, const VoxelLattice& lattice, Vec3i voxel) {
    const auto isInside = [&](Vec3i node) {
        const float value = valueAt(field, node);
        return lattice.insideBelow ? value < lattice.level : value > lattice.level;
    };
    const Vec3i at = voxel + Vec3i{lattice.shift, lattice.shift, lattice.shift};
    if (!lattice.hasCorners) {
        const bool inside = isInside(at);
        bool isBuried = true;
        for (int axis = 0; axis < 3; ++axis)
            for (const int step : {-1, 1}) {
                Vec3i beside = at;
                beside[axis] += step;
                const int place = voxel[axis] + step;
                const bool isBeyond = place < 0 || place >= lattice.shape.dims[axis];
                isBuried = isBuried && ((lattice.isOpen && isBeyond) || isInside(beside));
            }
        return {inside, inside && !isBuried};
    }
    int inside = 0, known = 0;
    for (int i = 0; i < 8; ++i) {
        const Vec3i corner = at + Vec3i{i & 1, i >> 1 & 1, i >> 2};
        inside += isInside(corner);
        known += !std::isnan(valueAt(field, corner));
    }
    return {inside > 0, known == 8 && inside > 0 && inside < 8 && mayCarry(field, at)};
}

/// The keys of the expected voxels.
std::vector<std::uint64_t> wantedKeys(const ScalarField& field, const ScalarField* base,
                                      const std::vector<std::uint64_t>& points, const VoxelLattice& lattice) {
    const std::set<std::uint64_t> withPoints(points.begin(), points.end());
    std::vector<std::uint64_t> keys;
    const Vec3i dims = lattice.shape.dims;
    for (int z = 0; z < dims.z; ++z)
        for (int y = 0; y < dims.y; ++y)
            for (int x = 0; x < dims.x; ++x) {
                const std::uint64_t key = lattice.shape.key({x, y, z});
                const Voxel now = voxelOf(field, lattice, {x, y, z});
                bool isWanted = now.hasSurface;
                if (base) {
                    const Voxel before = voxelOf(*base, lattice, {x, y, z});
                    isWanted = withPoints.contains(key) ? !(before.isSolid && !now.isSolid)
                                                        : now.hasSurface && !before.hasSurface;
                }
                if (isWanted)
                    keys.push_back(key);
            }
    return keys;
}

VoxelGrid gridOf(const GridShape& shape, const std::vector<std::uint64_t>& keys, std::mt19937_64& random) {
    VoxelGrid grid;
    grid.shape = shape;
    const std::size_t count = keys.size();
    grid.keys = Buffer<std::uint64_t>::host(count);
    grid.counts = Buffer<std::uint32_t>::host(count);
    grid.means = Buffer<float>::host(3 * count);
    for (std::size_t i = 0; i < count; ++i) {
        grid.keys[i] = keys[i];
        grid.counts[i] = 1 + std::uint32_t(random() % 9);
    }
    for (std::size_t i = 0; i < 3 * count; ++i)
        grid.means[i] = float(random() % 1000);
    grid.pointVoxel = Buffer<std::uint32_t>::host(500);
    for (std::uint32_t& voxel : grid.pointVoxel.span())
        voxel = count == 0 || random() % 10 == 0 ? kNoVoxel : std::uint32_t(random() % count);
    return grid;
}

VoxelGrid onDevice(const VoxelGrid& grid, StreamView stream) {
    VoxelGrid copy;
    copy.shape = grid.shape;
    copy.keys = grid.keys.copyTo(MemorySpace::device, stream);
    copy.counts = grid.counts.copyTo(MemorySpace::device, stream);
    copy.means = grid.means.copyTo(MemorySpace::device, stream);
    copy.pointVoxel = grid.pointVoxel.copyTo(MemorySpace::device, stream);
    return copy;
}

bool sameBytes(const VoxelGrid& a, const VoxelGrid& b) {
    const auto same = [](const auto& x, const auto& y) {
        return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.bytes()) == 0);
    };
    return a.shape == b.shape && same(a.keys, b.keys) && same(a.counts, b.counts) && same(a.means, b.means) &&
           same(a.pointVoxel, b.pointVoxel);
}

struct Scene {
    ScalarField base;
    VoxelLattice lattice;
    VoxelGrid points; ///< empty for a volume
    bool isVolume = false;
};

/// The grid on `backend` after changes in some bricks.
VoxelGrid changed(const QString& backend, const Scene& scene, const ScalarField& now, const VoxelGrid& there,
                  std::span<const std::uint64_t> bricks) {
    const auto grid = [&](const ScalarField& field, const ScalarField& base, const VoxelGrid& points,
                          const VoxelGrid& begin, const Execution& on) {
        SurfaceVoxelSource source{
            .lattice = scene.lattice, .field = field, .there = begin.keys, .bricks = bricks};
        if (!scene.isVolume) {
            source.base = &base;
            source.points = &points.keys;
        }
        return spliceVoxels(begin, surfaceVoxels(source, on), on);
    };
    if (backend == "cpu")
        return grid(now, scene.base, scene.points, there, {});
    const Stream stream;
    return grid(uploaded(now, stream), uploaded(scene.base, stream), onDevice(scene.points, stream),
                onDevice(there, stream), {stream.view(), {}})
        .download(stream);
}

} // namespace

class TestSurfaceVoxels : public QObject {
    Q_OBJECT
private slots:
    void surfaceVoxelsMatchThePlainReference_data() {
        QTest::addColumn<QString>("backend");
        QTest::addColumn<FieldKind>("kind");
        for (const char* backend : {"cpu", "cuda"}) {
            QTest::addRow("%s, volume", backend) << QString(backend) << FieldKind::volume;
            QTest::addRow("%s, occupancy", backend) << QString(backend) << FieldKind::occupancy;
            QTest::addRow("%s, distance", backend) << QString(backend) << FieldKind::signedDistance;
        }
    }
    void surfaceVoxelsMatchThePlainReference() {
        QFETCH(QString, backend);
        QFETCH(FieldKind, kind);
        if (const std::string why = whyNot(backend); !why.empty())
            QSKIP(why.c_str());
        auto random = seededRandom("surface voxels");
        const auto uniform = [&](float low, float high) {
            return std::uniform_real_distribution<float>(low, high)(random);
        };
        // a wavy sheet, known near it alone; no whole number of bricks
        const LatticeShape shape{{0.5f, -1, 0}, {0.25f, 0.25f, 0.5f}, {43, 37, 29}};
        const bool isBelow = kind == FieldKind::signedDistance;
        std::vector<float> values;
        for (int z = 0; z < shape.dims.z; ++z)
            for (int y = 0; y < shape.dims.y; ++y)
                for (int x = 0; x < shape.dims.x; ++x) {
                    const float away = shape.position({x, y, z}).z - 7 - std::sin(0.5f * float(x)) * 0.8f;
                    values.push_back(std::abs(away) < 1.6f ? (isBelow ? away : -away) : kNone);
                }
        Scene scene;
        scene.isVolume = kind == FieldKind::volume;
        scene.base =
            // the border of a volume is duplicated
            cpu::volumeField(values, shape, scene.isVolume, isBelow, {});
        scene.base.kind = kind;
        const float level = 0.1f;
        if (scene.isVolume) {
            scene.lattice = VoxelLattice::ofVolume(scene.base, shape.dims, level);
            scene.points = gridOf(scene.lattice.shape, {}, random);
        } else {
            const int less = isBelow ? 1 : 2;
            const GridShape grid{shape.origin, shape.spacing, shape.dims - Vec3i{less, less, less}};
            scene.lattice = VoxelLattice::ofScan(scene.base, grid, level);
            std::vector<std::uint64_t> keys;
            for (int z = 0; z < grid.dims.z; ++z)
                for (int y = 0; y < grid.dims.y; ++y)
                    for (int x = 0; x < grid.dims.x; ++x)
                        if (voxelOf(scene.base, scene.lattice, {x, y, z}).hasSurface ? random() % 4 != 0
                                                                                     : random() % 50 == 0)
                            keys.push_back(grid.key({x, y, z}));
            scene.points = gridOf(grid, keys, random);
        }
        const std::vector<std::uint64_t> points(scene.points.keys.span().begin(),
                                                scene.points.keys.span().end());
        const ScalarField* base = scene.isVolume ? nullptr : &scene.base;
        ScalarField now = cpu::sculpt(scene.base, {}, kAnyBricks, {});
        VoxelGrid shown = scene.isVolume ? changed(backend, scene, now, scene.points, now.brickKeys.span())
                                         : changed(backend, scene, now, scene.points, {});
        std::vector<std::uint64_t> touched;
        for (int round = 0; round < 12; ++round) {
            SculptDab dab;
            dab.tool = SculptTool(round % kSculptTools);
            dab.from = dab.to =
                shape.position({int(random() % 43), int(random() % 37), int(8 + random() % 12)});
            dab.radius = uniform(0.4f, 1.6f);
            dab.strength = 0.1f;
            dab.level = level;
            dab.slope = isBelow ? -1 : 1;
            dab.planeAt = dab.from;
            dab.planeNormal = {0, 0, 1};
            dab.shift = {int(random() % 21) - 10, int(random() % 21) - 10, int(random() % 5) - 2};
            now = cpu::sculpt(now, {&dab, 1}, kAnyBricks, {});
            const auto bricks = bricksNearDabs(shape, now.brickDims, {&dab, 1}, {});
            shown = changed(backend, scene, now, shown, bricks);
            touched.insert(touched.end(), bricks.begin(), bricks.end());
            const auto expected = wantedKeys(now, base, points, scene.lattice);
            QVERIFY(expected.size() > 500);
            QVERIFY(std::ranges::equal(shown.keys.span(), expected));
        }
        // updates everything that was touched at once
        std::ranges::sort(touched);
        touched.erase(std::ranges::unique(touched).begin(), touched.end());
        const auto all = now.brickKeys.span();
        const VoxelGrid anew = changed(backend, scene, now, scene.points,
                                       scene.isVolume ? all : std::span<const std::uint64_t>(touched));
        QVERIFY(std::ranges::equal(anew.keys.span(), shown.keys.span()));
        QVERIFY(std::ranges::equal(anew.counts.span(), shown.counts.span()));
        QVERIFY(sameBytes(anew, changed("cpu", scene, now, scene.points,
                                        scene.isVolume ? all : std::span<const std::uint64_t>(touched))));
        // voxels with points keep them
        for (std::size_t i = 0; i < scene.points.pointVoxel.size(); ++i) {
            const std::uint32_t before = scene.points.pointVoxel[i], after = anew.pointVoxel[i];
            if (after == kNoVoxel)
                QVERIFY(before == kNoVoxel || !std::ranges::binary_search(anew.keys.span(), points[before]));
            else
                QVERIFY(anew.keys[after] == points[before] &&
                        anew.counts[after] == scene.points.counts[before] &&
                        anew.mean(2)[after] == scene.points.mean(2)[before]);
        }
    }
};

SCANLOUPE_TEST(TestSurfaceVoxels)
#include "test_surface_voxels.moc"
