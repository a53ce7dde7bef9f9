// Sets of points: selection by predicates, compared with plain references, with the same bytes on both
// backends.
#include "kernels/select/connected_cells.h"
#include "kernels/select/outline_mask.h"
#include "kernels/select/select_points.h"
#include "kernels/select/stroke_tree.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <stop_token>
#include <thread>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

using Corners = std::vector<std::array<double, 2>>;

std::vector<Vec3f> somePoints(std::size_t count, std::mt19937_64& random) {
    std::uniform_real_distribution<float> along(-2, 2);
    std::vector<Vec3f> points(count);
    for (Vec3f& p : points)
        p = {along(random), along(random), along(random)};
    points[count / 2].y = std::numeric_limits<float>::quiet_NaN();
    points[count / 3].z = std::numeric_limits<float>::infinity();
    points[count / 4] = {kCutAway, kCutAway, kCutAway};
    return points;
}

Projection someView(std::mt19937_64& random) {
    std::uniform_real_distribution<double> along(-1, 1);
    Camera camera;
    camera.eye = {along(random), -3 + along(random), along(random)};
    camera.target = {along(random), along(random), along(random)};
    camera.orthographic = random() % 3 == 0;
    camera.orthographicHeight = 3;
    return {camera, 321, 200};
}

/// Winding number of an outline about a point: the sum of the angles between the corners of its edges, seen
/// from the point.
int windingAbout(const Corners& outline, double x, double y) {
    double angle = 0;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const auto &a = outline[i], &b = outline[(i + 1) % outline.size()];
        const double ax = a[0] - x, ay = a[1] - y, bx = b[0] - x, by = b[1] - y;
        angle += std::atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    return int(std::lround(angle / (2 * std::numbers::pi)));
}

bool isIn(const OutlineMask& mask, int x, int y) {
    x -= mask.left, y -= mask.top;
    return x >= 0 && x < mask.width && y >= 0 && y < mask.height &&
           mask.pixels[std::size_t(y) * std::size_t(mask.rowWords) + std::size_t(x / 32)] >> (x % 32) & 1u;
}

StrokeTree treeOf(std::span<const Vec3f> path, float radius) {
    std::vector<StrokeSegment> segments;
    addSegments(path, segments);
    return StrokeTree::of(segments, radius, {});
}

std::vector<bool> bitsOf(const PointSet& set) {
    std::vector<bool> bits(set.size);
    for (std::size_t i = 0; i < set.size; ++i)
        bits[i] = set.has(i);
    return bits;
}

bool sameWords(const PointSet& a, const PointSet& b) {
    return a.size == b.size && std::ranges::equal(a.words.span(), b.words.span());
}

/// Milliseconds from a stop request to the end of the work; 0 if the work ended before.
template <class Work>
double msToCancel(Work&& work) {
    using Clock = std::chrono::steady_clock;
    std::stop_source source;
    Clock::time_point stopped;
    const std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stopped = Clock::now();
        source.request_stop();
    });
    try {
        work(source.get_token());
        return 0;
    } catch (const Cancelled&) {
        return std::chrono::duration<double, std::milli>(Clock::now() - stopped).count();
    }
}

/// An outline predicate that owns its mask.
struct HeldOutline {
    OutlineMask mask;
    OutlinePredicate predicate;
};
HeldOutline outlineOf(const Corners& corners, const Projection& view) {
    HeldOutline held{outlineMask(corners, view.width, view.height, {}), {}};
    held.predicate.window =
        ViewWindow(view, held.mask.left, held.mask.top, held.mask.width, held.mask.height);
    held.predicate.pixels = held.mask.pixels.data();
    held.predicate.rowWords = held.mask.rowWords;
    return held;
}

} // namespace

class TestSelectPoints : public QObject {
    Q_OBJECT
private slots:
    /// An outline selects each pixel whose centre is inside, even if the outline crosses itself.
    void outlineSelectsThePointsInside() {
        auto random = seededRandom("outlineSelectsThePointsInside");
        std::uniform_real_distribution<double> x(-20, 120), y(-20, 80);
        for (int round = 0; round < 20; ++round) {
            Corners outline(3 + random() % 9);
            for (auto& corner : outline)
                corner = {x(random), y(random)};
            const OutlineMask mask = outlineMask(outline, 100, 60, {});
            for (int row = 0; row < 60; ++row)
                for (int column = 0; column < 100; ++column)
                    QCOMPARE(isIn(mask, column, row), windingAbout(outline, column + 0.5, row + 0.5) != 0);
        }
        QCOMPARE(outlineMask(Corners{{1, 1}, {5, 5}}, 100, 60, {}).width, 0);
        QCOMPARE(outlineMask(Corners{{-9, -9}, {-5, -9}, {-5, -5}}, 100, 60, {}).width, 0);
    }

    void outlineChoosesByPixels() {
        auto random = seededRandom("outlineChoosesByPixels");
        const auto points = somePoints(5000, random);
        for (int round = 0; round < 8; ++round) {
            const Projection view = someView(random);
            const HeldOutline outline = outlineOf({{60, 20}, {250, 60}, {200, 180}, {90, 150}}, view);
            const PointSet set = selectPoints(points, outline.predicate, {});
            std::size_t chosen = 0;
            for (std::size_t i = 0; i < points.size(); ++i) {
                const Vec3d away = points[i].as<double>() - view.eye;
                const double depth = dot(view.forward.as<double>(), away);
                const double perMetre = double(view.scale) / (view.orthographic ? 1 : depth);
                const double px = double(view.centreX) + dot(view.right.as<double>(), away) * perMetre,
                             py = double(view.centreY) + dot(view.down.as<double>(), away) * perMetre;
                const bool isSeen = isFinite(points[i]) && points[i].x != kCutAway &&
                                    depth > double(view.nearPlane) && px >= 0 && py >= 0 && px < 321 &&
                                    py < 200;
                if (isSeen && (std::abs(px - std::round(px)) < 1e-3 || std::abs(py - std::round(py)) < 1e-3))
                    continue; // at the edge of a pixel, single precision decides
                QCOMPARE(set.has(i), isSeen && isIn(outline.mask, int(px), int(py)));
                chosen += set.has(i);
            }
            QVERIFY(chosen > 50);
        }
    }

    /// Points behind a wall are not selected, but those of the wall are; without the wall, all points are.
    void hiddenPointsCanBeLeftOut() {
        std::vector<Vec3f> points;
        for (int i = -50; i <= 50; ++i)
            for (int j = -50; j <= 50; ++j)
                points.push_back({float(i) * 0.02f, 0, float(j) * 0.02f});
        const std::size_t wall = points.size();
        for (int i = -20; i <= 20; ++i)
            points.push_back({float(i) * 0.02f, 1, 0});
        Camera camera;
        camera.eye = {0, -3, 0};
        const Projection view(camera, 400, 300);
        HeldOutline outline = outlineOf({{0, 0}, {400, 0}, {400, 300}, {0, 300}}, view);
        QCOMPARE(countOf(selectPoints(points, outline.predicate, {}), {}), points.size());
        const Buffer<std::uint32_t> nearest = nearestDepths(points, outline.predicate.window, 0.02f, {});
        outline.predicate.nearest = nearest.data();
        outline.predicate.slack = 0.08f;
        const PointSet seen = selectPoints(points, outline.predicate, {});
        QCOMPARE(countOf(seen, {}), wall);
        QVERIFY(!seen.has(wall));
    }

    void strokeChoosesByDistance() {
        auto random = seededRandom("strokeChoosesByDistance");
        const auto points = somePoints(3000, random);
        std::uniform_real_distribution<float> along(-2.5f, 2.5f);
        for (int round = 0; round < 30; ++round) {
            std::vector<Vec3f> path(1 + random() % 6);
            for (Vec3f& p : path)
                p = {along(random), along(random), along(random)};
            const float radius = round % 3 ? 0.3f : 5.0f; // sometimes larger than the scan
            const StrokeTree tree = treeOf(path, radius);
            const PointSet set = selectPoints(points, tree.predicate(), {});
            for (std::size_t i = 0; i < points.size(); ++i) {
                float least = std::numeric_limits<float>::infinity();
                for (std::size_t k = 0; k < path.size(); ++k)
                    least = std::min(least, StrokePredicate::squaredDistance(
                                                points[i], path[k], path[std::min(k + 1, path.size() - 1)]));
                QCOMPARE(set.has(i), isPresent(points[i]) && least <= radius * radius);
            }
        }
        QCOMPARE(countOf(selectPoints(points, StrokeTree::of({}, 1, {}).predicate(), {}), {}), 0u);
    }

    /// Strokes of any length take bounded memory, and time that does not depend on their extent.
    void longStrokesStaySmall() {
        auto random = seededRandom("longStrokesStaySmall");
        std::uniform_real_distribution<float> along(-1000, 1000);
        std::vector<Vec3f> path(100'000);
        for (Vec3f& p : path)
            p = {along(random), along(random), along(random)};
        const StrokeTree tree = treeOf(path, 0.01f);
        QVERIFY(tree.segmentOf.size() <= path.size() + (1u << 20));
    }

    /// A dense path, and points that narrowly miss the whole path.
    void crowdedStrokesAreFast() {
        auto random = seededRandom("crowdedStrokesAreFast");
        std::uniform_real_distribution<float> around(-1, 1);
        const auto somewhere = [&] { return Vec3f{around(random), around(random), around(random)}; };
        std::vector<Vec3f> path(200'000), points(50'000);
        for (Vec3f& p : path)
            p = somewhere() * 0.01f;
        for (Vec3f& p : points) {
            const Vec3f way = somewhere();
            p = way * ((1.05f + 0.3f * std::fabs(around(random))) / norm(way));
        }
        const auto begin = std::chrono::steady_clock::now();
        const StrokeTree tree = treeOf(path, 1);
        QCOMPARE(countOf(selectPoints(points, tree.predicate(), {}), {}), std::uint64_t{0});
        points = path;
        QCOMPARE(countOf(selectPoints(points, tree.predicate(), {}), {}), std::uint64_t(path.size()));
        // each with each would be 10^10 distances
        QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(6));
    }

    void largeSelectionsAreCancelled() {
        Corners outline(1'000'000); // runs from the upper to the lower border and back
        for (std::size_t i = 0; i < outline.size(); ++i)
            outline[i] = {0.004 * double(i), i % 2 == 0 ? -1.0 : 2001.0};
        QVERIFY(msToCancel([&](const std::stop_token& stop) { outlineMask(outline, 4000, 2000, stop); }) <
                500);
        auto random = seededRandom("largeSelectionsAreCancelled");
        std::uniform_real_distribution<float> along(-1, 1);
        std::vector<Vec3f> path(1'000'000); // long segments, with most of their boxes overlapping
        for (Vec3f& p : path)
            p = {along(random), along(random), along(random)};
        const std::vector<Vec3f> points = somePoints(1'000'000, random);
        QVERIFY(msToCancel([&](const std::stop_token& stop) {
                    std::vector<StrokeSegment> segments;
                    addSegments(path, segments);
                    const StrokeTree tree = StrokeTree::of(segments, 1e-6f, stop);
                    selectPoints(points, tree.predicate(), {std::nullopt, stop});
                }) < 500);
    }

    void setsCombine() {
        auto random = seededRandom("setsCombine");
        const auto points = somePoints(1000, random);
        const PointSet a = selectPoints(points, PlanePredicate{{0, 0, 0}, {1, 0, 0}}, {}),
                       b = selectPoints(points, PlanePredicate{{0, 0, 0}, {0, 1, 0}}, {});
        const auto inA = bitsOf(a), inB = bitsOf(b);
        for (const SetOperation operation :
             {SetOperation::replace, SetOperation::add, SetOperation::intersect, SetOperation::subtract}) {
            PointSet set = a.copyTo(MemorySpace::host, StreamView(nullptr));
            combine(set, b, operation, {});
            std::uint64_t count = 0;
            for (std::size_t i = 0; i < points.size(); ++i) {
                const bool expected = operation == SetOperation::replace     ? inB[i]
                                      : operation == SetOperation::add       ? inA[i] || inB[i]
                                      : operation == SetOperation::intersect ? inA[i] && inB[i]
                                                                             : inA[i] && !inB[i];
                QCOMPARE(set.has(i), expected);
                count += expected;
            }
            QCOMPARE(countOf(set, {}), count);
        }
        QCOMPARE(countOf(selectPoints(points, PresentPredicate{}, {}), {}), 997u);
    }

    /// Cells are connected across corners, but not across the border of the grid.
    void cellsAreConnected() {
        auto random = seededRandom("cellsAreConnected");
        for (int round = 0; round < 20; ++round) {
            GridShape shape{{0, 0, 0}, {1, 1, 1}, {7, 5, 6}};
            std::vector<std::uint64_t> keys;
            for (std::uint64_t key = 0; key < shape.cellCount(); ++key)
                if (random() % 7 == 0)
                    keys.push_back(key);
            const auto touch = [&](std::size_t a, std::size_t b) {
                const Vec3i away = shape.cell(keys[a]) - shape.cell(keys[b]);
                return std::max({std::abs(away.x), std::abs(away.y), std::abs(away.z)}) <= 1;
            };
            PointSet seeds = PointSet::none(keys.size());
            const std::size_t seed = random() % keys.size();
            seeds.words[seed / 32] |= 1u << seed % 32;
            std::vector<bool> reached(keys.size());
            reached[seed] = true;
            for (int step = 1; step <= 300; ++step) {
                std::vector<bool> next = reached;
                for (std::size_t a = 0; a < keys.size(); ++a)
                    for (std::size_t b = 0; b < keys.size() && !next[a]; ++b)
                        next[a] = reached[b] && touch(a, b);
                if (step <= 2) {
                    const PointSet grown = grownVoxels(
                        shape, keys, seeds.copyTo(MemorySpace::host, StreamView(nullptr)), step, {});
                    QVERIFY(bitsOf(grown) == next);
                }
                if (std::exchange(reached, next) == next)
                    break;
            }
            QVERIFY(bitsOf(connectedVoxels(shape, keys, seeds, {})) == reached);
        }
    }

    void coloursAreTinted() {
        PointSet set = PointSet::none(3);
        set.words[0] = 0b101;
        const std::vector<std::uint32_t> colours{0xff000000u, 0xff102030u, 0xffffffffu, 0xff000000u};
        auto rgba = hostCopy(std::span<const std::uint32_t>(colours));
        const std::vector<std::uint32_t> items{0, 1, 2, 7};
        tintChosen(rgba, set, items.data(), {});
        QCOMPARE(rgba[1], 0xff102030u);
        QCOMPARE(rgba[3], 0xff000000u); // the colour of a pixel without an item
        QCOMPARE(rgba[0] & 0xffu, 170u);
        QCOMPARE(rgba[2] & 0xffu, 255u);
        QVERIFY(rgba[2] != 0xffffffffu);
    }

    void backendsAgree() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("backendsAgree");
        const Stream stream;
        const StreamView on = stream.view();
        for (const std::size_t count : {std::size_t{5}, std::size_t{31}, std::size_t{100'003}}) {
            const auto points = somePoints(count, random);
            const Buffer<Vec3f> there =
                hostCopy(std::span<const Vec3f>(points)).copyTo(MemorySpace::device, on);
            const std::span<const Vec3f> onDevice(there.data(), there.size());
            const auto compare = [&](const PointPredicate& host, const PointPredicate& device) {
                const PointSet mine = selectPoints(points, host, {});
                const PointSet theirs = selectPoints(onDevice, device, {on, {}});
                QCOMPARE(countOf(theirs, {on, {}}), countOf(mine, {}));
                QVERIFY(sameWords(mine, theirs.copyTo(MemorySpace::host, on)));
            };
            compare(PresentPredicate{}, PresentPredicate{});
            for (int round = 0; round < 5; ++round) {
                const Projection view = someView(random);
                HeldOutline outline = outlineOf({{60, 20}, {250, 60}, {200, 180}, {90, 150}}, view);
                const Buffer<std::uint32_t> pixels = outline.mask.pixels.copyTo(MemorySpace::device, on);
                OutlinePredicate device = outline.predicate;
                device.pixels = pixels.data();
                compare(outline.predicate, device);
                const Buffer<std::uint32_t> nearest = nearestDepths(points, device.window, 0.05f, {});
                const Buffer<std::uint32_t> nearestThere =
                    nearestDepths(onDevice, device.window, 0.05f, {on, {}});
                QVERIFY(
                    std::ranges::equal(nearest.span(), nearestThere.copyTo(MemorySpace::host, on).span()));
                outline.predicate.nearest = nearest.data();
                device.nearest = nearestThere.data();
                outline.predicate.slack = device.slack = 0.2f;
                compare(outline.predicate, device);
                const auto path = somePoints(8, random);
                const StrokeTree tree = treeOf(std::span(path).last(2), 0.4f);
                const StrokeTree treeThere = tree.copyTo(MemorySpace::device, on);
                compare(tree.predicate(), treeThere.predicate());
            }
            std::vector<std::uint32_t> voxel(count);
            for (auto& v : voxel)
                v = random() % 5 ? std::uint32_t(random() % 50) : 0xffffffffu;
            const auto voxelHere = hostCopy(std::span<const std::uint32_t>(voxel));
            const auto voxelThere = voxelHere.copyTo(MemorySpace::device, on);
            const PointSet half = selectPoints(points, PlanePredicate{{0, 0, 0}, {1, 0, 0}}, {});
            const PointSet halfThere = half.copyTo(MemorySpace::device, on);
            QVERIFY(sameWords(voxelsOf(half, voxelHere, 50, {}),
                              voxelsOf(halfThere, voxelThere, 50, {on, {}}).copyTo(MemorySpace::host, on)));
            auto rgba = hostCopy(std::span<const std::uint32_t>(std::vector(count, 0xff204060u)));
            auto rgbaThere = rgba.copyTo(MemorySpace::device, on);
            tintChosen(rgba, half, nullptr, {});
            tintChosen(rgbaThere, halfThere, nullptr, {on, {}});
            QVERIFY(std::ranges::equal(rgba.span(), rgbaThere.copyTo(MemorySpace::host, on).span()));
            auto left = hostCopy(std::span<const Vec3f>(points));
            Buffer<Vec3f> leftThere = there.copyTo(MemorySpace::device, on);
            removePoints(left, half, {});
            removePoints(leftThere, halfThere, {on, {}});
            const Buffer<Vec3f> back = leftThere.copyTo(MemorySpace::host, on);
            QVERIFY(std::memcmp(left.data(), back.data(), back.bytes()) == 0);
        }
    }
};

SCANLOUPE_TEST(TestSelectPoints)
#include "test_select_points.moc"
