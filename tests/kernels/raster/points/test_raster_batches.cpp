// Points in batches, and very many points: culled ones would draw nothing, and pictures of the device equal
// those of the CPU.
#include "kernels/raster/points/batch_element.h"
#include "kernels/raster/raster_graph.h"
#include "tests/kernels/raster/raster_crowd.h"
#include "tests/kernels/raster/raster_cull_views.h"
#include "tests/support/bench_scenes.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A batch of one group, with the box that the device computes next to groups that extend from `low` to
/// `high`.
struct OneGroup {
    PointBatch batch{};
    GroupBox box{};

    OneGroup(const std::vector<Vec3f>& points, Vec3f low, Vec3f high) {
        Vec3f from = points.front(), to = from;
        for (const Vec3f p : points)
            for (int k = 0; k < 3; ++k) {
                from[k] = std::min(from[k], p[k]), to[k] = std::max(to[k], p[k]);
                low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
            }
        batch.origin = low;
        for (int k = 0; k < 3; ++k)
            batch.step[k] = boxStep(low[k], high[k]);
        box = groupBox(batch, from, to);
    }
    GroupPixels pixels(const RasterView& view, const CullView& cull, float size, float extent) const {
        const BatchView b = batchView(view, cull, batch);
        const auto look = [&]<bool Orthographic>(std::bool_constant<Orthographic>) {
            return size <= 1 && extent <= 0 ? groupPixels<Orthographic, true>(view, cull, b, box, size,
                                                                              extent, 1e6f, RoughReciprocal{})
                                            : groupPixels<Orthographic, false>(
                                                  view, cull, b, box, size, extent, 1e6f, RoughReciprocal{});
        };
        return view.orthographic ? look(std::true_type{}) : look(std::false_type{});
    }
};

/// Uses batches for any number of points.
cuda::RasterTuning always() {
    cuda::RasterTuning tuning;
    tuning.batchedPoints = tuning.batchedSquares = 0;
    return tuning;
}
/// As always(), and lets warps draw whole batches.
cuda::RasterTuning alwaysWhole() {
    cuda::RasterTuning tuning = always();
    tuning.wholeBatches = 0;
    return tuning;
}

/// The differences between the device's picture of a scene's points, by batches, and the CPU's.
std::string batchDifference(const RasterScene& scene, const std::vector<Projection>& views,
                            const cuda::RasterTuning& tuning = always()) {
    const Stream stream;
    const DeviceScene device(scene, stream);
    for (const BatchOrder order : {BatchOrder::given, BatchOrder::curve}) {
        const PointBatches batches = cuda::batchPoints(device.scene().points, order, stream);
        RasterScene batched = device.scene();
        batched.batches = &batches;
        for (const Projection& p : views) {
            cuda::RasterGraph graph(batched, p.width, p.height, cuda::RasterGraph::Output::image, tuning,
                                    stream);
            graph.launch(p, {}, stream);
            RasterStats expected;
            const auto seen = cpu::rasterize(scene, p, expected, {});
            const RasterStats stats = graph.stats(stream);
            if (const auto why = difference(seen, graph.visibility().download(stream)); !why.empty())
                return why;
            if (const auto why =
                    difference(cpu::resolve(seen, scene, p, {}, {}), graph.image().download(stream));
                !why.empty())
                return why;
            if (stats.drawnPixels != expected.drawnPixels ||
                stats.rejectedNotFinite != expected.rejectedNotFinite)
                return "other counts";
        }
    }
    return {};
}

std::vector<Vec3f> sphere(std::size_t points, Vec3f middle = {}) {
    std::vector<Vec3f> cloud = bumpyPoints(points);
    for (Vec3f& p : cloud)
        p += middle;
    return cloud;
}

} // namespace

class TestRasterBatches : public QObject {
    Q_OBJECT
private slots:
    void culledGroupsDrawNothing_data() { addViews(); }
    void culledGroupsDrawNothing() {
        auto random = seededRandom("culledGroupsDrawNothing");
        std::uniform_real_distribution<double> uniform(-1, 1);
        const Projection p = viewOfRow();
        const int width = p.width, height = p.height;
        const RasterView view = rasterView(p);
        const CullView cull = cullView(view);
        int kinds[3] = {};
        for (int i = 0; i < 60000; ++i) {
            const double place = i % 5 == 0 ? 10 : 0.6, reach = std::pow(10.0, 2 * uniform(random)),
                         w = i % 7 == 0 ? 3 * uniform(random) : 0.01 + 5 * std::abs(uniform(random)),
                         x = width * (0.5 + place * uniform(random)),
                         y = height * (0.5 + place * uniform(random));
            std::vector<Vec3f> points;
            for (std::uint32_t k = 0; k < kGroupPoints; ++k)
                points.push_back(unproject(p, x + reach * uniform(random), y + reach * uniform(random),
                                           w * (1 + 0.01 * uniform(random)))
                                     .as<float>());
            // the group is alone, or in a batch that is slightly or very much larger
            const auto larger = static_cast<float>(i % 3 == 0 ? 0 : std::pow(10.0, 3 * uniform(random) - 1));
            const Vec3f beside{larger, larger / 3, larger * 2};
            const OneGroup group(points, points[0] - beside, points[0] + beside);
            const float size = i % 4 == 0 ? 3.7f : 1.0f, extent = i % 8 == 0 ? 0.01f : 0.0f;
            const GroupPixels pixels = group.pixels(view, cull, size, extent);
            ++kinds[pixels.kind];
            if (pixels.kind == GroupPixels::unknown)
                continue;
            for (const Vec3f point : points) {
                const ScreenVertex v = projectVertex(view, point);
                if (v.state == ScreenVertex::outside)
                    continue;
                QVERIFY(v.state == ScreenVertex::drawable);
                const PixelBox box = pointPixels(v, pointEdge(size, extent, v, view), width, height);
                if (box.empty())
                    continue;
                QVERIFY2(pixels.kind == GroupPixels::within, qPrintable(QString::number(i)));
                QVERIFY(box.minX >= pixels.box.minX && box.maxX <= pixels.box.maxX);
                QVERIFY(box.minY >= pixels.box.minY && box.maxY <= pixels.box.maxY);
                QVERIFY(depthKey(v.depth, view.orthographic) <= pixels.nearest);
            }
        }
        QVERIFY(kinds[GroupPixels::nothing] > 3000 && kinds[GroupPixels::within] > 3000);
    }
    void undecidableGroupsAreUnknown() {
        const RasterView view = rasterView(Projection(cameraAt({0, 0, 0}, {0, 1, 0}), 64, 48));
        const OneGroup around({{-1, -1, -1}, {1, 1, 1}}, {}, {}); // the eye is inside the box
        QVERIFY(around.pixels(view, cullView(view), 1, 0).kind == GroupPixels::unknown);
        RasterView lost = view;
        lost.eyeHigh.x = std::numeric_limits<float>::infinity();
        QVERIFY(around.pixels(lost, cullView(view), 1, 0).kind == GroupPixels::unknown);
        QVERIFY(!canBeBoxed({0, 1e20f, 0}));
        QVERIFY(!canBeBoxed({std::numeric_limits<float>::quiet_NaN(), 0, 0}));
    }
    void randomClouds() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("randomClouds");
        Crowd crowd;
        fill(crowd, 20000, 1, random);
        for (const float size : {1.0f, 2.0f, 30.0f}) {
            crowd.scene.pointSize = size;
            QCOMPARE(batchDifference(crowd.scene, views(333, 251)), std::string());
        }
        crowd.scene.pointSize = 2;
        crowd.scene.pointExtent = 0.02f;
        QCOMPARE(batchDifference(crowd.scene, views(333, 251)), std::string());
        crowd.scene.pointBlend = PointBlend::averaged;
        QCOMPARE(batchDifference(crowd.scene, views(200, 151)), std::string());
        RasterScene points;
        points.points = crowd.points;
        for (const std::size_t count : {1u, 7u, 8u, 9u, 255u, 1023u, 1024u, 1025u, 5003u}) {
            points.points = std::span(crowd.points).first(count);
            QCOMPARE(batchDifference(points, views(333, 251)), std::string());
        }
        for (std::size_t skipped = 1; skipped < 4; ++skipped) { // wide loads need aligned points
            points.points = std::span(crowd.points).subspan(skipped, 3000);
            QCOMPARE(batchDifference(points, views(211, 157)), std::string());
        }
    }
    void surfaces() {
        SCANLOUPE_NEEDS_CUDA();
        const std::vector<Vec3f> cloud = sphere(400000);
        const std::vector<std::uint32_t> colours(cloud.size(), 0xff3366ccu);
        RasterScene scene;
        scene.points = cloud;
        scene.pointColour.rgba = colours.data();
        Camera close = benchCamera(), flat = benchCamera();
        close.eye = close.eye * 0.55;
        flat.orthographic = true;
        flat.orthographicHeight = 2.5;
        const Projection whole(benchCamera(), 640, 360);
        const std::vector<Projection> all{whole,
                                          Projection(close, 640, 360),
                                          Projection(flat, 640, 360),
                                          Projection(benchCamera(), 64, 48),
                                          Projection(benchCamera(), 1, 1),
                                          whole.part(100, 90, 333, 101),
                                          whole.sampledAt(0.4375f, -0.28125f)};
        for (const float size : {1.0f, 3.0f}) {
            scene.pointSize = size;
            QCOMPARE(batchDifference(scene, all), std::string());
            QCOMPARE(batchDifference(scene, all, alwaysWhole()), std::string());
        }
    }
    void manyBatches() { // points of one pixel, in more batches than the device has warps
        SCANLOUPE_NEEDS_CUDA();
        constexpr std::size_t across = 3000, count = across * 2800 + 3;
        std::vector<Vec3f> cloud(count);
        for (std::size_t i = 0; i < count; ++i) {
            const float x = float(i % across) / 1500 - 1, z = float(i / across) / 1400 - 1;
            cloud[i] = {x, x * x - 0.5f * z * z, z};
        }
        RasterScene scene;
        scene.points = cloud;
        const std::vector<Projection> view{Projection(cameraAt({0.4, -2, 0.1}, {0, 0, 0}), 640, 480)};
        QCOMPARE(batchDifference(scene, view, alwaysWhole()), std::string());
    }
    void veryManyPoints() { // a few points occlude the rest tile by tile
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        auto random = seededRandom("veryManyPoints");
        std::vector<Vec3f> cloud = sphere(4300000);
        std::shuffle(cloud.begin(), cloud.end(), random);
        cloud[4200000].x = std::numeric_limits<float>::quiet_NaN();
        cloud.resize(4299997); // the number of points ends within a run
        Camera far = benchCamera(), flat = benchCamera();
        far.eye = far.eye * 3; // a distant view, whose tiles are not full
        flat.orthographic = true;
        flat.orthographicHeight = 1.2;
        RasterScene scene;
        scene.points = cloud;
        const DeviceScene device(scene, stream);
        for (const Projection& p :
             {Projection(benchCamera(), 181, 170), Projection(far, 181, 170), Projection(flat, 150, 83),
              Projection(benchCamera(), 16384, 2), Projection(benchCamera(), 640, 480)}) {
            RasterStats stats, expected;
            const auto seen = cuda::rasterize(device.scene(), p, stats, stream).download(stream);
            QCOMPARE(difference(cpu::rasterize(scene, p, expected, {}), seen), std::string());
            QCOMPARE(stats.rejectedNotFinite, expected.rejectedNotFinite);
        }
    }
    // the two picture sizes have tiles that need different amounts of a block's memory
    void veryManyPointsInPicturesOfTwoSizes() {
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        auto random = seededRandom("veryManyPointsInPicturesOfTwoSizes");
        std::vector<Vec3f> cloud = sphere(4300000);
        std::shuffle(cloud.begin(), cloud.end(), random);
        RasterScene scene;
        scene.points = cloud;
        const DeviceScene device(scene, stream);
        const int sizes[2][2] = {{16384, 2}, {150, 83}};
        std::vector<std::unique_ptr<cuda::RasterGraph>> graphs;
        for (const auto& [width, height] : sizes)
            graphs.push_back(std::make_unique<cuda::RasterGraph>(device.scene(), width, height,
                                                                 cuda::RasterGraph::Output::visibility,
                                                                 cuda::RasterTuning{}, stream));
        for (int turn = 0; turn < 6; ++turn) {
            Camera camera = benchCamera();
            camera.eye = camera.eye * (1 + 0.1 * turn);
            const std::size_t which = static_cast<std::size_t>(turn % 2);
            const Projection p(camera, sizes[which][0], sizes[which][1]);
            graphs[which]->launch(p, {}, stream);
            RasterStats expected;
            QCOMPARE(difference(cpu::rasterize(scene, p, expected, {}),
                                graphs[which]->visibility().download(stream)),
                     std::string());
        }
    }
    void pointsBeforeAndBehindTiles() { // neighbours in one pixel, one of them occluded by a tile
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        auto random = seededRandom("pointsBeforeAndBehindTiles");
        std::uniform_real_distribution<double> uniform(0, 1);
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 100, 80);
        std::vector<Vec3f> cloud(4300000);
        Vec3d at;
        for (std::size_t i = 0; i < cloud.size(); ++i) {
            if (i % 4 == 0)
                at = {100 * uniform(random), 80 * uniform(random), 0};
            const bool filling = i / 128 % 16 == 0; // whether the run of this point is drawn first
            const double w = filling ? 2 : i % 2 == 0 ? 3 + uniform(random) : 1 + 0.5 * uniform(random);
            cloud[i] =
                unproject(p, filling ? 100 * uniform(random) : at.x, filling ? 80 * uniform(random) : at.y, w)
                    .as<float>();
        }
        RasterScene scene;
        scene.points = cloud;
        const DeviceScene device(scene, stream);
        RasterStats stats, expected;
        const auto seen = cuda::rasterize(device.scene(), p, stats, stream).download(stream);
        QCOMPARE(difference(cpu::rasterize(scene, p, expected, {}), seen), std::string());
    }
    void farFromTheOrigin() {
        SCANLOUPE_NEEDS_CUDA();
        const Vec3f away{90000, -90000, 300};
        const std::vector<Vec3f> cloud = sphere(50000, away);
        RasterScene scene;
        scene.points = cloud;
        Camera camera = benchCamera();
        camera.eye = camera.eye + away.as<double>();
        camera.target = camera.target + away.as<double>();
        QCOMPARE(batchDifference(scene, {Projection(camera, 500, 300)}), std::string());
        std::vector<Vec3f> both = sphere(50000); // one batch has points of both spheres
        for (std::size_t i = 0; i < both.size(); i += 1000)
            both[i] += away;
        scene.points = both;
        QCOMPARE(batchDifference(scene, {Projection(camera, 500, 300), Projection(benchCamera(), 500, 300)}),
                 std::string());
    }
    void shapesWithoutExtent() {
        SCANLOUPE_NEEDS_CUDA();
        const std::vector<Projection> all = views(200, 130);
        std::vector<Vec3f> cell(3000, Vec3f{0.1f, 0.2f, 0.3f}), line, plane;
        for (int i = 0; i < 3000; ++i) {
            line.push_back({0.001f * static_cast<float>(i % 700) - 0.5f, 0, 0});
            plane.push_back({0.01f * static_cast<float>(i % 61), 0.5f, 0.02f * static_cast<float>(i / 61)});
        }
        for (const auto& cloud : {cell, line, plane}) {
            RasterScene scene;
            scene.points = cloud;
            QCOMPARE(batchDifference(scene, all), std::string());
        }
    }
    void nonFinitePointsDrawNothing() {
        SCANLOUPE_NEEDS_CUDA();
        const float nan = std::numeric_limits<float>::quiet_NaN(),
                    inf = std::numeric_limits<float>::infinity();
        std::vector<Vec3f> cloud = sphere(9000);
        for (std::size_t i = 0; i < 1024; ++i) // the second batch and some groups have no valid point
            cloud[1024 + i] = {nan, 0, 0};
        for (std::size_t i = 0; i < 8; ++i)
            cloud[80 + i].y = inf;
        for (std::size_t i = 3000; i < 4000; i += 7)
            cloud[i].z = -inf;
        RasterScene scene;
        scene.points = cloud;
        QCOMPARE(batchDifference(scene, views(200, 130)), std::string());
        for (const float wild : {1e15f, 1e20f, 3e38f, -3e38f}) {
            cloud[6000].x = wild;
            QCOMPARE(batchDifference(scene, views(200, 130)), std::string());
        }
        cloud.assign(2000, {nan, nan, nan});
        scene.points = cloud;
        QCOMPARE(batchDifference(scene, views(200, 130)), std::string());
    }
    void aboutTheNearPlane() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("aboutTheNearPlane");
        std::uniform_real_distribution<float> uniform(-1, 1);
        for (const bool orthographic : {false, true}) {
            Camera camera = cameraAt({0, 0, 0}, {0, 1, 0}, orthographic, 1);
            camera.nearPlane = 0.5;
            std::vector<Vec3f> cloud;
            for (int i = 0; i < 20000; ++i)
                cloud.push_back({0.2f * uniform(random), 0.5f + 1e-4f * static_cast<float>(i / 100 - 100),
                                 0.2f * uniform(random)});
            RasterScene scene;
            scene.points = cloud;
            QCOMPARE(batchDifference(scene, {Projection(camera, 200, 130)}), std::string());
        }
    }
    void oneGraphManyCameras() {
        SCANLOUPE_NEEDS_CUDA();
        const std::vector<Vec3f> cloud = sphere(60000);
        RasterScene scene;
        scene.points = cloud;
        const Stream stream;
        const DeviceScene device(scene, stream);
        const PointBatches batches = cuda::batchPoints(device.scene().points, BatchOrder::curve, stream);
        RasterScene batched = device.scene();
        batched.batches = &batches;
        cuda::RasterGraph graph(batched, 320, 200, cuda::RasterGraph::Output::visibility, always(), stream);
        for (int turn = 0; turn < 40; ++turn) {
            Camera camera = benchCamera();
            camera.eye = Vec3d{3 * std::cos(0.3 * turn), 3 * std::sin(0.3 * turn), 0.1 * turn - 2};
            const Projection p(camera, 320, 200);
            graph.launch(p, {}, stream);
            RasterStats expected;
            QCOMPARE(difference(cpu::rasterize(scene, p, expected, {}), graph.visibility().download(stream)),
                     std::string());
        }
        const auto graphOf = [&](const RasterScene& of) {
            cuda::RasterGraph(of, 9, 9, cuda::RasterGraph::Output::visibility, always(), stream);
        };
        batched.points = batched.points.first(100);
        QVERIFY_EXCEPTION_THROWN(graphOf(batched), Fault);
        const DeviceScene other(scene, stream); // the same number of points with other positions
        batched.points = other.scene().points;
        QVERIFY_EXCEPTION_THROWN(graphOf(batched), Fault);
        const PointBatches none;
        batched.batches = &none;
        QVERIFY_EXCEPTION_THROWN(graphOf(batched), Fault);
        const std::span<const Vec3f> tooMany(batched.points.data(), std::size_t{1} << 30);
        QVERIFY_EXCEPTION_THROWN(cuda::batchPoints(tooMany, BatchOrder::given, stream), KernelError);
    }
    void sameBytesRunAfterRun() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("sameBytesRunAfterRun");
        std::vector<Vec3f> cloud = sphere(30000);
        std::shuffle(cloud.begin(), cloud.end(), random);
        const Stream stream;
        RasterScene scene;
        scene.points = cloud;
        const DeviceScene device(scene, stream);
        const auto made = [&](BatchOrder order) {
            PointBatches batches = cuda::batchPoints(device.scene().points, order, stream);
            return std::pair(batches.groups.copyTo(MemorySpace::host, stream),
                             batches.indices.copyTo(MemorySpace::host, stream));
        };
        QVERIFY(!cuda::batchPoints(device.scene().points, BatchOrder::given, stream).areCompact());
        QVERIFY(cuda::batchPoints(device.scene().points, BatchOrder::curve, stream).areCompact());
        const auto first = made(BatchOrder::curve);
        for (int run = 0; run < 5; ++run) {
            const auto again = made(BatchOrder::curve);
            QVERIFY(std::ranges::equal(first.second.span(), again.second.span()));
            QVERIFY(std::memcmp(first.first.data(), again.first.data(), first.first.bytes()) == 0);
        }
    }
};

SCANLOUPE_TEST(TestRasterBatches)
#include "test_raster_batches.moc"
