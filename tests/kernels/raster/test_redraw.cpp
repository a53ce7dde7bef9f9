// Surfaces and pictures that reuse unchanged parts, compared with those computed from scratch.
#include "kernels/field/sculpt/sculpt.h"
#include "kernels/mesh/extract/surface_memory.h"
#include "kernels/raster/core/rasterizer.h"
#include "kernels/raster/redraw.h"
#include "kernels/raster/resolve/resolve.h"
#include "tests/kernels/mesh/mesh_test_support.h"
#include "tests/kernels/raster/test_raster_support.h"
#include "tests/support/test_support.h"

#include <cstring>
#include <random>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr Vec3i kDims{60, 50, 40};

template <class T>
bool areSame(const Buffer<T>& a, const Buffer<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

/// Hills with a flat part, whose triangles are degenerate at nodes, over a hollow with a floor that is
/// visible through holes.
ScalarField hills() {
    return denseField(kDims, [](int x, int y, int z) {
        const double height = x < 20 ? 18.0 : 18 + 4 * std::sin(0.3 * x) * std::cos(0.25 * y);
        return std::min(height - z, std::max(z - 14.0, 6.0 - z));
    });
}

/// Flips the sign of some samples in one brick, including border samples at edges that cross into
/// neighbouring bricks.
ScalarField withFlips(const ScalarField& field, std::mt19937_64& random) {
    ScalarField flipped = cpu::sculpt(field, {}, kAnyBricks, {});
    const std::size_t brick = random() % field.brickCount();
    for (int i = 0; i < 40; ++i) {
        float& value = flipped.values[brick * kBrickNodes + random() % kBrickNodes];
        value = -value;
    }
    return flipped;
}

SculptDab someDab(std::mt19937_64& random) {
    std::uniform_real_distribution<float> share(0.1f, 0.9f);
    SculptDab dab;
    dab.tool = random() % 2 ? SculptTool::fill : SculptTool::carve;
    dab.from = dab.to = kDims.as<float>() * Vec3f{share(random), share(random), 0.45f};
    dab.radius = 2 + 4 * share(random);
    dab.strength = 1;
    dab.slope = 1;
    return dab;
}

/// A mesh with its inputs and its picture.
struct Shown {
    ScalarField field;
    cpu::SurfaceTrace trace;
    TriangleMesh mesh;
    std::vector<float> heights;
    VisibilityBuffer visibility;
    Image image;
    RasterStats stats;

    RasterScene scene(bool withHeights) {
        RasterScene shown;
        shown.mesh = &mesh;
        heights.clear();
        for (const Vec3f p : mesh.positions.span())
            heights.push_back(p.z);
        if (withHeights)
            shown.meshColour.values = heights.data();
        shown.meshColour.low = 5;
        shown.meshColour.high = 30;
        return shown;
    }
};

std::vector<std::uint64_t> changedBricks(const ScalarField& before, const ScalarField& now) {
    std::vector<std::uint64_t> changed;
    const auto has = [](const ScalarField& field, std::uint64_t key) {
        return std::ranges::find(field.brickKeys.span(), key) - field.brickKeys.span().begin();
    };
    std::vector<std::uint64_t> all(before.brickKeys.span().begin(), before.brickKeys.span().end());
    all.insert(all.end(), now.brickKeys.span().begin(), now.brickKeys.span().end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const std::uint64_t key : all) {
        const auto a = std::size_t(has(before, key)), b = std::size_t(has(now, key));
        if (a == before.brickCount() || b == now.brickCount() ||
            std::memcmp(&before.values[a * kBrickNodes], &now.values[b * kBrickNodes], kBrickNodes * 4) !=
                0 ||
            std::memcmp(&before.cellMask[a * 8], &now.cellMask[b * 8], 64) != 0)
            changed.push_back(key);
    }
    return changed;
}

bool areSameMeshes(const TriangleMesh& a, const TriangleMesh& b) {
    return areSame(a.positions, b.positions) && areSame(a.normals, b.normals) &&
           areSame(a.indices, b.indices) && a.activeBricks == b.activeBricks &&
           a.activeCells == b.activeCells && a.zeroAreaTriangles == b.zeroAreaTriangles;
}

} // namespace

class TestRedraw : public QObject {
    Q_OBJECT
private slots:
    void redrawAfterDabsEqualsAFullPicture_data() {
        QTest::addColumn<bool>("orthographic");
        QTest::newRow("perspective") << false;
        QTest::newRow("orthographic") << true;
    }
    void redrawAfterDabsEqualsAFullPicture() {
        QFETCH(bool, orthographic);
        auto random = seededRandom("redrawAfterDabsEqualsAFullPicture");
        const Projection from(cameraAt({30, -25, 45}, {30, 25, 18}, orthographic, 60), 320, 240);
        const Shading shading;
        Shown shown;
        shown.field = hills();
        shown.mesh = cpu::extractSurface(shown.field, 0, {}, nullptr, &shown.trace);
        shown.visibility = cpu::rasterize(shown.scene(true), from, shown.stats, {});
        shown.image = cpu::resolve(shown.visibility, shown.scene(true), from, shading, {});
        std::size_t sharedTriangles = 0;
        for (int round = 0; round < 40; ++round) {
            const SculptDab dab = someDab(random);
            Shown next;
            next.field = round % 2 ? withFlips(shown.field, random)
                                   : cpu::sculpt(shown.field, {&dab, 1}, kAnyBricks, {});
            const auto changed = changedBricks(shown.field, next.field);
            const cpu::PreviousSurface earlier{shown.trace, shown.mesh, changed};
            next.mesh = cpu::extractSurface(next.field, 0, {}, &earlier, &next.trace);
            QVERIFY(areSameMeshes(next.mesh, cpu::extractSurface(next.field, 0, {})));
            for (const SharedRun& run : next.trace.shared.vertices)
                QVERIFY(std::memcmp(&shown.mesh.positions[run.before], &next.mesh.positions[run.now],
                                    run.count * sizeof(Vec3f)) == 0);
            for (const SharedRun& run : next.trace.shared.triangles)
                sharedTriangles += run.count;
            const bool isColoured = round % 5 != 4;
            const RasterScene scene = next.scene(isColoured);
            const cpu::PreviousPicture picture{shown.visibility, shown.image, next.trace.shared.triangles,
                                               isColoured && round % 5 != 0};
            RasterStats stats, wholeStats;
            cpu::RedrawnPixels again = cpu::rasterizeAgain(scene, from, picture, stats, {});
            const VisibilityBuffer whole = cpu::rasterize(scene, from, wholeStats, {});
            QVERIFY(areSame(again.visibility.pixels, whole.pixels));
            QCOMPARE(stats.drawnPixels, wholeStats.drawnPixels);
            QCOMPARE(stats.rejectedNotFinite, wholeStats.rejectedNotFinite);
            cpu::resolveAgain(again, scene, from, shading, picture, {});
            QVERIFY(areSame(again.image.pixels, cpu::resolve(whole, scene, from, shading, {}).pixels));
            next.visibility = std::move(again.visibility);
            next.image = std::move(again.image);
            shown = std::move(next);
        }
        QVERIFY2(sharedTriangles > 40 * shown.mesh.triangleCount() / 4, "little is taken over");
    }
    void otherPicturesAreRefused() {
        Shown shown;
        shown.field = hills();
        shown.mesh = cpu::extractSurface(shown.field, 0, {}, nullptr, &shown.trace);
        const Projection from(cameraAt({30, -25, 45}, {30, 25, 18}), 64, 48),
            other(cameraAt({30, -25, 45}, {30, 25, 18}), 65, 48);
        const VisibilityBuffer seen = cpu::rasterize(shown.scene(false), from, shown.stats, {});
        const cpu::PreviousPicture picture{seen, shown.image, {}, false};
        RasterStats stats;
        QVERIFY_EXCEPTION_THROWN(cpu::rasterizeAgain(shown.scene(false), other, picture, stats, {}), Fault);
        // without anything to reuse, the whole picture is drawn
        const cpu::RedrawnPixels again = cpu::rasterizeAgain(shown.scene(false), from, picture, stats, {});
        QVERIFY(areSame(again.visibility.pixels, seen.pixels));
    }
};

SCANLOUPE_TEST(TestRedraw)
#include "test_redraw.moc"
