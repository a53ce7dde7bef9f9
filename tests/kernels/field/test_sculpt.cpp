// Brushes that change a field by hand, compared with shapes whose truth is known, applied in parts, and on
// both backends.
#include "kernels/field/operators.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "tests/kernels/field/field_backends.h"
#include "tests/support/test_support.h"
#include "tests/support/uploaded_field.h"

#include <cmath>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

LatticeShape latticeOf(int nodes, float edge) {
    return {{0.1f, -0.2f, 0.3f}, {edge, edge, edge}, {nodes, nodes, nodes}};
}

ScalarField emptyField(const LatticeShape& lattice) {
    return scanloupe::emptyField(lattice, {});
}

/// The signed distance to the plane z = `height` within a square from `from` to `to`, known in one cell on
/// each side as in the field of a scan, with a hole of radius `hole` in the middle.
ScalarField sheet(const LatticeShape& lattice, float height, float hole) {
    const Vec3i n = lattice.dims;
    std::vector<float> values;
    const Vec3f middle = lattice.position(n / 2);
    for (int z = 0; z < n.z; ++z)
        for (int y = 0; y < n.y; ++y)
            for (int x = 0; x < n.x; ++x) {
                const Vec3f p = lattice.position({x, y, z});
                const bool isKnown = std::abs(p.z - height) <= 1.01f * lattice.spacing.z &&
                                     std::hypot(p.x - middle.x, p.y - middle.y) >= hole;
                values.push_back(isKnown ? p.z - height : std::numeric_limits<float>::quiet_NaN());
            }
    return cpu::volumeField(values, lattice, false, true, {});
}

/// Removes bricks without values, which the field of a scan would not have.
ScalarField withoutEmptyBricks(const ScalarField& field) {
    std::vector<std::uint64_t> keys, masks;
    std::vector<float> values;
    for (std::size_t brick = 0; brick < field.brickCount(); ++brick) {
        const auto all = field.values.span().subspan(brick * kBrickNodes, kBrickNodes);
        if (std::ranges::all_of(all, [](float value) { return std::isnan(value); }))
            continue;
        const auto mask = field.cellMask.span().subspan(brick * kBrickEdge, kBrickEdge);
        keys.push_back(field.brickKeys[brick]);
        values.insert(values.end(), all.begin(), all.end());
        masks.insert(masks.end(), mask.begin(), mask.end());
    }
    ScalarField some = field.withoutBricks();
    some.brickKeys = hostCopy(std::span<const std::uint64_t>(keys));
    some.values = hostCopy(std::span<const float>(values));
    some.cellMask = hostCopy(std::span<const std::uint64_t>(masks));
    some.minValue = field.minValue;
    some.maxValue = field.maxValue;
    return some;
}

ScalarField sculptOn(const QString& backend, const ScalarField& field, std::span<const SculptDab> dabs) {
    if (backend == "cpu")
        return cpu::sculpt(field, dabs, kAnyBricks, {});
    const Stream stream;
    return cuda::sculpt(uploaded(field, stream), dabs, kAnyBricks, {}, stream).download(stream);
}

bool sameBytes(const ScalarField& a, const ScalarField& b) {
    const auto same = [](const auto& x, const auto& y) {
        return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.bytes()) == 0);
    };
    return same(a.brickKeys, b.brickKeys) && same(a.values, b.values) && same(a.cellMask, b.cellMask) &&
           a.minValue == b.minValue && a.maxValue == b.maxValue;
}

double volumeOf(const TriangleMesh& mesh) {
    double volume = 0;
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
        const auto corner = [&](std::size_t k) {
            return mesh.positions[mesh.indices[3 * t + k]].as<double>();
        };
        volume += dot(corner(0), cross(corner(1), corner(2))) / 6;
    }
    return volume;
}

SculptDab ball(SculptTool tool, Vec3f at, float radius, float slope = 1) {
    SculptDab dab;
    dab.tool = tool;
    dab.from = dab.to = at;
    dab.radius = radius;
    dab.slope = slope;
    return dab;
}

/// Dabs of all tools around a point.
std::vector<SculptDab> randomDabs(std::mt19937_64& random, const LatticeShape& lattice, int count,
                                  float slope) {
    const auto uniform = [&](double low, double high) {
        return float(std::uniform_real_distribution<double>(low, high)(random));
    };
    const Vec3f size = lattice.position(lattice.dims) - lattice.origin;
    std::vector<SculptDab> dabs;
    for (int i = 0; i < count; ++i) {
        const auto place = [&] {
            return lattice.origin + Vec3f{uniform(0.2, 0.8), uniform(0.2, 0.8), uniform(0.35, 0.65)} * size;
        };
        SculptDab dab = ball(SculptTool(i % kSculptTools), place(), uniform(0.02, 0.12) * size.x, slope);
        if (dab.tool == SculptTool::fill || dab.tool == SculptTool::carve)
            dab.to = dab.from + (place() - dab.from) * 0.1f;
        dab.strength = dab.tool == SculptTool::raise || dab.tool == SculptTool::lower
                           ? uniform(0.1, 1) * largestRaise(lattice)
                           : uniform(0, 1);
        dab.falloff = uniform(0, 1);
        dab.planeAt = dab.from;
        dab.planeNormal = normalized(Vec3f{uniform(-1, 1), uniform(-1, 1), uniform(0.2, 1)});
        for (int axis = 0; axis < 3; ++axis)
            dab.shift[axis] = int(random() % 41) - 20;
        dabs.push_back(dab);
    }
    return dabs;
}

} // namespace

class TestSculpt : public QObject {
    Q_OBJECT

private slots:
    void fillsABallFromNothing_data() { addCpuAndCuda(); }
    void fillsABallFromNothing() {
        QFETCH(QString, backend);
        if (const std::string why = whyNot(backend); !why.empty())
            QSKIP(why.c_str());
        const LatticeShape lattice = latticeOf(64, 0.1f);
        const Vec3f middle = lattice.position({32, 32, 32});
        constexpr double radius = 1.5;
        const SculptDab fill = ball(SculptTool::fill, middle, float(radius));
        const ScalarField field = sculptOn(backend, emptyField(lattice), {&fill, 1});
        const TriangleMesh mesh = cpu::extractSurface(field, 0, {});
        QCOMPARE(analyseTopology(mesh).boundaryEdges, std::uint64_t{0});
        const double truth = 4 * std::numbers::pi / 3 * std::pow(radius, 3);
        QVERIFY2(std::abs(volumeOf(mesh) / truth - 1) < 0.01, qPrintable(QString::number(volumeOf(mesh))));
        QVERIFY(field.brickCount() < 216); // the field has only some bricks of the lattice
        // removes half of the ball with a second ball that is so large that its surface is nearly flat
        const SculptDab cut = ball(SculptTool::carve, middle + Vec3f{0, 0, 50}, 50);
        const TriangleMesh half = cpu::extractSurface(sculptOn(backend, field, {&cut, 1}), 0, {});
        QCOMPARE(analyseTopology(half).boundaryEdges, std::uint64_t{0});
        QVERIFY(std::abs(volumeOf(half) / truth - 0.5) < 0.02);
    }

    void strokesAreSwept() {
        const LatticeShape lattice = latticeOf(64, 0.1f);
        SculptDab stroke = ball(SculptTool::fill, lattice.position({15, 20, 30}), 0.5f);
        stroke.to = lattice.position({45, 40, 30});
        const TriangleMesh mesh =
            cpu::extractSurface(cpu::sculpt(emptyField(lattice), {&stroke, 1}, kAnyBricks, {}), 0, {});
        const double length = norm((stroke.to - stroke.from).as<double>());
        const double truth = std::numbers::pi * 0.25 * length + 4 * std::numbers::pi / 3 * 0.125;
        QVERIFY(std::abs(volumeOf(mesh) / truth - 1) < 0.02);
    }

    void flattenClosesAHole_data() { addCpuAndCuda(); }
    void flattenClosesAHole() {
        QFETCH(QString, backend);
        if (const std::string why = whyNot(backend); !why.empty())
            QSKIP(why.c_str());
        const LatticeShape lattice = latticeOf(48, 0.1f);
        const Vec3f middle = lattice.position({24, 24, 24});
        const ScalarField holed = sheet(lattice, middle.z + 0.03f, 0.8f);
        const TriangleMesh before = cpu::extractSurface(holed, 0, {});
        SculptDab dab = ball(SculptTool::flatten, middle, 1.2f, -1);
        dab.planeAt = {middle.x, middle.y, middle.z + 0.03f};
        dab.planeNormal = {0, 0, 1};
        dab.falloff = 0.3f;
        const TriangleMesh after = cpu::extractSurface(sculptOn(backend, holed, {&dab, 1}), 0, {});
        const auto rims = [](const TriangleMesh& mesh) { return analyseTopology(mesh).boundaryEdges; };
        QVERIFY(rims(before) > rims(after));
        const int side = 47 * 4;
        QCOMPARE(rims(after), std::uint64_t(side)); // the only boundary is that of the lattice
        for (const Vec3f p : after.positions.span())
            QVERIFY(std::abs(p.z - dab.planeAt.z) < 1e-3f);
    }

    void raiseMovesTheSurface_data() { addCpuAndCuda(); }
    void raiseMovesTheSurface() {
        QFETCH(QString, backend);
        if (const std::string why = whyNot(backend); !why.empty())
            QSKIP(why.c_str());
        const LatticeShape lattice = latticeOf(48, 0.1f);
        for (const SculptTool tool : {SculptTool::raise, SculptTool::lower})
            for (const int times : {6, 18}) { // beyond the values of the sheet, and into new bricks
                const Vec3f middle = lattice.position({24, 24, 24});
                const float height = middle.z + 0.03f;
                SculptDab dab = ball(tool, middle, 1, -1);
                dab.strength = largestRaise(lattice);
                dab.falloff = 0.8f;
                std::vector<SculptDab> dabs(std::size_t(times), dab);
                const float step = tool == SculptTool::raise ? dab.strength : -dab.strength;
                for (int i = 6; i < times; ++i) // the later dabs follow the raised surface
                    dabs[std::size_t(i)].from.z = dabs[std::size_t(i)].to.z = middle.z + step * float(i);
                const TriangleMesh mesh = cpu::extractSurface(
                    sculptOn(backend, withoutEmptyBricks(sheet(lattice, height, 0)), dabs), 0, {});
                double farthest = 0;
                for (const Vec3f p : mesh.positions.span())
                    if (std::abs(double{p.z} - double{height}) > std::abs(farthest))
                        farthest = double{p.z} - double{height};
                const double wanted = times * double{step};
                QVERIFY2(std::abs(farthest - wanted) < (times == 6 ? 0.02 : 0.25),
                         qPrintable(QString::number(farthest)));
                // no holes, only the outer boundary
                QCOMPARE(analyseTopology(mesh).boundaryEdges, std::uint64_t(47 * 4));
            }
    }

    void smoothTakesNoise() {
        auto random = seededRandom("smooth");
        const LatticeShape lattice = latticeOf(32, 0.1f);
        const Vec3f middle = lattice.position({16, 16, 16});
        ScalarField rough = sheet(lattice, middle.z, 0);
        std::normal_distribution<float> noise(0, 0.02f);
        for (float& value : rough.values.span())
            value += noise(random);
        SculptDab dab = ball(SculptTool::smooth, middle, 1.2f, -1);
        const std::vector<SculptDab> dabs(4, dab);
        const auto roughness = [&](const ScalarField& field) {
            const TriangleMesh mesh = cpu::extractSurface(field, 0, {});
            double sum = 0;
            std::size_t count = 0;
            for (const Vec3f p : mesh.positions.span())
                if (norm(p - middle) < 1) {
                    sum += std::pow(double{p.z} - double{middle.z}, 2);
                    ++count;
                }
            return std::sqrt(sum / double(count));
        };
        QVERIFY(roughness(cpu::sculpt(rough, dabs, kAnyBricks, {})) < 0.4 * roughness(rough));
    }

    void smearMovesTheSurface_data() { addCpuAndCuda(); }
    /// A ball smaller than the brush moves with the stroke and keeps its volume.
    void smearMovesTheSurface() {
        QFETCH(QString, backend);
        if (const std::string why = whyNot(backend); !why.empty())
            QSKIP(why.c_str());
        const LatticeShape lattice = latticeOf(80, 0.1f);
        const Vec3f start = lattice.position({30, 40, 40});
        const SculptDab fill = ball(SculptTool::fill, start, 0.8f);
        const ScalarField before = sculptOn(backend, emptyField(lattice), {&fill, 1});
        const auto meanOf = [](const TriangleMesh& mesh) {
            Vec3d sum;
            for (const Vec3f p : mesh.positions.span())
                sum += p.as<double>();
            return sum / double(mesh.positions.size());
        };
        std::vector<SculptDab> dabs(12, ball(SculptTool::smear, start, 1.6f));
        const Vec3i step{1, 0, -1};
        for (std::size_t i = 0; i < dabs.size(); ++i) {
            dabs[i].shift = -step;
            dabs[i].from = dabs[i].to = lattice.position(Vec3i{30, 40, 40} + step * int(i));
        }
        const TriangleMesh ball = cpu::extractSurface(before, 0, {});
        const TriangleMesh moved = cpu::extractSurface(sculptOn(backend, before, dabs), 0, {});
        QCOMPARE(analyseTopology(moved).boundaryEdges, std::uint64_t{0});
        const Vec3d way = meanOf(moved) - meanOf(ball), wanted = (step * 12).as<double>() * 0.1;
        QVERIFY2(norm(way - wanted) < 0.02, qPrintable(QString::number(norm(way))));
        QVERIFY2(std::abs(volumeOf(moved) / volumeOf(ball) - 1) < 0.01,
                 qPrintable(QString::number(volumeOf(moved) / volumeOf(ball))));
        // a ball larger than the brush is pulled out to one side, and stays closed
        const SculptDab large = ::ball(SculptTool::fill, start, 1.5f);
        for (SculptDab& dab : dabs) {
            dab.radius = 0.8f;
            dab.falloff = 0.5f;
            dab.shift = {-1, 0, 0};
        }
        for (std::size_t i = 0; i < dabs.size(); ++i)
            dabs[i].from = dabs[i].to = lattice.position({44 + int(i), 40, 40});
        const ScalarField round = sculptOn(backend, emptyField(lattice), {&large, 1});
        const TriangleMesh pulled = cpu::extractSurface(sculptOn(backend, round, dabs), 0, {});
        QCOMPARE(analyseTopology(pulled).boundaryEdges, std::uint64_t{0});
        float farthest = 0;
        for (const Vec3f p : pulled.positions.span())
            farthest = std::max(farthest, p.x - start.x);
        QVERIFY2(farthest > 1.9f, qPrintable(QString::number(double{farthest})));
    }

    void partsAreTheWhole_data() {
        QTest::addColumn<QString>("backend");
        QTest::addColumn<bool>("ofSheet");
        for (const char* backend : {"cpu", "cuda"})
            for (const bool ofSheet : {false, true})
                QTest::addRow("%s, %s", backend, ofSheet ? "sheet" : "nothing")
                    << QString(backend) << ofSheet;
    }
    void partsAreTheWhole() {
        QFETCH(QString, backend);
        QFETCH(bool, ofSheet);
        if (const std::string why = whyNot(backend); !why.empty())
            QSKIP(why.c_str());
        auto random = seededRandom("parts");
        // the dimensions are not a multiple of the brick size
        const LatticeShape lattice = latticeOf(70, 0.1f);
        const float slope = ofSheet ? -1.0f : 1.0f;
        const ScalarField base =
            ofSheet ? sheet(lattice, lattice.position({35, 35, 35}).z + 0.04f, 0.5f) : emptyField(lattice);
        const auto dabs = randomDabs(random, lattice, 300, slope);
        const ScalarField whole = sculptOn(backend, base, dabs);
        ScalarField parts = cpu::sculpt(base, {}, kAnyBricks, {});
        QVERIFY(sameBytes(parts, base));
        for (std::size_t done = 0; done < dabs.size();) {
            // each part has at least one dab
            const std::size_t next = std::min<std::size_t>(1 + random() % 12, dabs.size() - done);
            parts = sculptOn(backend, parts, std::span(dabs).subspan(done, next));
            done += next;
        }
        QVERIFY(sameBytes(whole, parts));
        QVERIFY(sameBytes(whole, cpu::sculpt(base, dabs, kAnyBricks, {})));
        const TriangleMesh mesh = cpu::extractSurface(whole, 0, {});
        QVERIFY(mesh.triangleCount() > 1000);
        std::printf("%zu bricks, %zu triangles\n", whole.brickCount(), mesh.triangleCount());
    }

    void cloneCopiesASurface_data() { addCpuAndCuda(); }
    /// Clone shifts a ball by whole nodes, so the target gets the same surface, bit for bit, even where there
    /// were no bricks; where the source is outside the lattice, nothing changes.
    void cloneCopiesASurface() {
        QFETCH(QString, backend);
        if (const std::string why = whyNot(backend); !why.empty())
            QSKIP(why.c_str());
        const LatticeShape lattice = latticeOf(100, 0.125f); // shifts are exact
        const Vec3i from{27, 30, 33}, to{61, 70, 57};
        const SculptDab fill = ball(SculptTool::fill, lattice.position(from), 1);
        const ScalarField one = sculptOn(backend, emptyField(lattice), {&fill, 1});
        SculptDab clone = ball(SculptTool::clone, lattice.position(to), 1.4f);
        clone.shift = from - to;
        const ScalarField two = sculptOn(backend, one, {&clone, 1});
        QVERIFY(two.brickCount() > one.brickCount());
        QCOMPARE(two.minValue, one.minValue);
        QCOMPARE(two.maxValue, one.maxValue);
        const TriangleMesh before = cpu::extractSurface(one, 0, {}), after = cpu::extractSurface(two, 0, {});
        QCOMPARE(after.triangleCount(), 2 * before.triangleCount());
        QCOMPARE(analyseTopology(after).boundaryEdges, std::uint64_t{0});
        QVERIFY(std::abs(volumeOf(after) / volumeOf(before) - 2) < 1e-5);
        clone.shift = {500, 0, 0};
        QVERIFY(sameBytes(sculptOn(backend, two, {&clone, 1}), two));
        // another surface at the target is replaced, with a smooth transition
        clone.shift = to - from;
        clone.from = clone.to = lattice.position(from);
        clone.radius = 2;
        clone.falloff = 0.3f;
        const SculptDab raise = ball(SculptTool::carve, lattice.position(from) + Vec3f{0, 0, 1}, 0.4f);
        const ScalarField dented = sculptOn(backend, two, {&raise, 1});
        QVERIFY(volumeOf(cpu::extractSurface(dented, 0, {})) < 1.98 * volumeOf(before));
        const TriangleMesh mended = cpu::extractSurface(sculptOn(backend, dented, {&clone, 1}), 0, {});
        QCOMPARE(analyseTopology(mended).boundaryEdges, std::uint64_t{0});
        QVERIFY(std::abs(volumeOf(mended) / volumeOf(before) - 2) < 1e-3);
    }

    /// Parts far off the plane are flattened, too, in all bricks of the ball.
    void flattenReachesAllOfTheBall() {
        const LatticeShape lattice = latticeOf(64, 0.1f);
        const Vec3f middle = lattice.position({32, 32, 20});
        std::vector<float> values; // ground with a dome of 1.5 m
        for (int z = 0; z < 64; ++z)
            for (int y = 0; y < 64; ++y)
                for (int x = 0; x < 64; ++x) {
                    const Vec3f p = lattice.position({x, y, z}) - middle;
                    values.push_back(std::min(p.z, norm(p) - 1.5f));
                }
        const ScalarField bump = cpu::volumeField(values, lattice, false, true, {});
        SculptDab dab = ball(SculptTool::flatten, middle, 2.2f, -1);
        dab.planeAt = middle;
        dab.planeNormal = {0, 0, 1};
        const TriangleMesh mesh = cpu::extractSurface(cpu::sculpt(bump, {&dab, 1}, kAnyBricks, {}), 0, {});
        for (const Vec3f p : mesh.positions.span())
            QVERIFY2(std::abs(p.z - middle.z) < 0.01f, qPrintable(QString::number(double{p.z - middle.z})));
    }

    /// If the field changes its sign but its cells carry no surface, brushes create none.
    void brushesCreateNoSurfaceInMaskedCells() {
        const LatticeShape lattice = latticeOf(48, 0.1f);
        const Vec3f middle = lattice.position({24, 24, 24});
        ScalarField half = sheet(lattice, middle.z + 0.03f, 0);
        for (std::size_t b = 0; b < half.brickCount(); ++b)
            if (brickOf(half.brickKeys[b], half.brickDims).x >= 3) // bricks in the upper half along x
                std::fill_n(&half.cellMask[b * kBrickEdge], kBrickEdge, std::uint64_t{0});
        for (const SculptTool tool : {SculptTool::smooth, SculptTool::raise}) {
            SculptDab dab = ball(tool, middle, 1, -1);
            dab.strength = tool == SculptTool::raise ? 0.01f : 0.5f;
            const std::vector<SculptDab> dabs(3, dab);
            const TriangleMesh mesh = cpu::extractSurface(cpu::sculpt(half, dabs, kAnyBricks, {}), 0, {});
            QVERIFY(mesh.triangleCount() > 0);
            for (const Vec3f p : mesh.positions.span())
                QVERIFY2(p.x <= middle.x + 0.001f, qPrintable(QString::number(double{p.x - middle.x})));
        }
    }

    /// Brushes with a slope that fits a volume keep its values in range, however often they are applied.
    void valuesStayInTheirRange() {
        const LatticeShape lattice = latticeOf(32, 1);
        std::vector<float> values(32 * 32 * 32);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = i % 32 < 16 ? 1.0f : 0.0f;
        ScalarField field = cpu::volumeField(values, lattice, false, false, {});
        for (int round = 0; round < 6; ++round)
            for (const SculptTool tool : {SculptTool::fill, SculptTool::carve, SculptTool::raise}) {
                SculptDab dab = ball(tool, lattice.position({15, 16, 16}), 9, 0.25f);
                dab.level = 0.5f;
                dab.strength = 0.5f;
                field = cpu::sculpt(field, {&dab, 1}, kAnyBricks, {});
                QVERIFY(field.minValue >= 0 && field.maxValue <= 1);
            }
    }

    void hugeAndWrongBrushesAreRefused() {
        const LatticeShape lattice{{}, {0.01f, 0.01f, 0.01f}, {100'000, 100'000, 100'000}};
        const SculptDab huge = ball(SculptTool::fill, {500, 500, 500}, 400);
        QVERIFY_THROWS_EXCEPTION(KernelError, cpu::sculpt(emptyField(lattice), {&huge, 1}, kAnyBricks, {}));
        const SculptDab large = ball(SculptTool::fill, {5, 5, 5}, 1);
        QVERIFY_THROWS_EXCEPTION(KernelError, cpu::sculpt(emptyField(lattice), {&large, 1}, 1000, {}));
        const SculptDab outside = ball(SculptTool::fill, {-500, 500, 1e9f}, 4);
        QCOMPARE(cpu::sculpt(emptyField(lattice), {&outside, 1}, kAnyBricks, {}).brickCount(),
                 std::size_t{0});
        for (const float radius : {0.0f, -1.0f, std::nanf(""), std::numeric_limits<float>::infinity()}) {
            const SculptDab wrong = ball(SculptTool::fill, {1, 1, 1}, radius);
            QVERIFY_THROWS_EXCEPTION(KernelError,
                                     cpu::sculpt(emptyField(lattice), {&wrong, 1}, kAnyBricks, {}));
        }
    }
};

SCANLOUPE_TEST(TestSculpt)
#include "test_sculpt.moc"
