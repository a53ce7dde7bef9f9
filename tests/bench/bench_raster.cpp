// The rasterizer on the device: the operator, its variants and the scheme of a published demo.
#include "tests/bench/bench_raster.h"

#include "kernels/raster/clusters/triangle_clusters.h"
#include "kernels/raster/core/rasterizer.h"
#include "kernels/raster/points/point_batches.h"
#include "kernels/raster/raster_graph.h"
#include "tests/bench/raster_methods.h"
#include "tests/bench/raster_report.h"
#include "tests/bench/raster_scenes.h"
#include "tests/bench/surface_sample.h"
#include "tests/bench/variants/dense_brush.h"
#include "tests/bench/variants/surface_graph.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>

namespace scanloupe::bench {

namespace {

using cuda::RasterGraph;

constexpr int kWarmUps = 3;
constexpr int kLongRepeats = 20; // for cases of more than kLongMs
constexpr double kLongMs = 10;
constexpr std::uint64_t kMaxCpuPrimitives = 10'100'000; // largest scene that the CPU draws as the reference
constexpr std::uint64_t kMaxDemoTriangles = 10'000'000; // largest mesh that the demo's scheme is timed with

struct Picture {
    const char* name;
    int width, height;
};
constexpr Picture kPictures[] = {{"1080p", 1920, 1080}, {"1440p", 2560, 1440}, {"4k", 3840, 2160}};

constexpr std::pair<const char*, RasterWay> kWays[] = {{"stream", RasterWay::stream},
                                                       {"cooperative", RasterWay::cooperative}};

/// Pixels whose bytes differ.
std::uint64_t difference(const VisibilityBuffer& a, const VisibilityBuffer& b) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        count += a.pixels[i] != b.pixels[i];
    return count;
}

class Run {
public:
    Run(const RasterOptions& options, const DeviceInfo& device)
        : m_options(options), m_report(newRasterReport(device)) {
        if (options.smallMeshTriangles >= 0)
            m_tuning.smallMeshTriangles = static_cast<std::uint32_t>(options.smallMeshTriangles);
        if (options.smallPixels > 0)
            m_tuning.maxSmallPixels = options.smallPixels;
        if (options.mediumPixels > 0)
            m_tuning.maxMediumPixels = options.mediumPixels;
        m_report.smallPixels = m_tuning.maxSmallPixels;
        m_report.mediumPixels = m_tuning.maxMediumPixels;
    }

    /// @returns the number of methods with a picture that differs from the reference
    int all() {
        fmt::print("{}, commit {}; tiers up to {} and {} pixels\n", m_report.device.name, m_report.commit,
                   m_tuning.maxSmallPixels, m_tuning.maxMediumPixels);
        for (const char* scene : {"bumpy", "bumpy-shuffled"})
            for (const std::uint64_t triangles : m_options.triangles)
                guarded(scene, [&] { bumpy(scene, triangles); });
        guarded("large", [&] { large(); });
        for (const auto& [name, order] : {std::pair{"points-scan", PointRow::scan},
                                          {"points-morton", PointRow::morton},
                                          {"points-shuffled", PointRow::shuffled}})
            for (const std::uint64_t points : m_options.points)
                guarded("points", [&, name = name, order = order] { cloud(name, points, order); });
        for (const auto& [points, size] :
             {std::pair<std::uint64_t, float>{1'000'000, 0.2f}, {10'000'000, 0.2f}, {10'000'000, 0.1f}})
            guarded("voxels", [&, points = points, size = size] { voxels(points, size); });
        guarded("painter", [&] { painter(); });
        if (m_late)
            m_report.leftOut.push_back(
                fmt::format("what came after {:g} s: --limit-seconds sets another limit", m_options.seconds));
        return m_wrong;
    }
    const RasterReport& report() const { return m_report; }

private:
    static bool has(const std::vector<std::string>& list, const std::string& value) {
        return std::find(list.begin(), list.end(), value) != list.end();
    }
    bool wants(const std::string& method) const {
        return m_options.only.empty() ||
               std::any_of(m_options.only.begin(), m_options.only.end(),
                           [&](const std::string& name) { return method.starts_with(name); });
    }
    void guarded(const std::string& scene, const std::function<void()>& body) {
        if (!has(m_options.scenes, scene))
            return;
        m_late = m_late || m_clock.elapsedMs() > m_options.seconds * 1000;
        if (m_late)
            return;
        try {
            body();
        } catch (const KernelError& error) { // the reason may be too little memory
            leaveOut(scene, error.what());
        }
    }

    void bumpy(const std::string& name, std::uint64_t triangles) {
        const int n = std::max(1, static_cast<int>(std::lround(std::sqrt(double(triangles) / 12))));
        const TriangleMesh mesh = bumpyOnDevice(n, name == "bumpy-shuffled", m_stream);
        RasterScene scene;
        scene.mesh = &mesh;
        scene.backFaces = false;
        each(scene, name, triangles, test::benchCamera());
    }
    void large() {
        const test::BenchMesh made = test::largeTriangles();
        TriangleMesh mesh;
        mesh.positions = onDevice(made.positions);
        mesh.indices = onDevice(made.indices);
        RasterScene scene;
        scene.mesh = &mesh;
        scene.backFaces = false;
        each(scene, "large", 100, test::benchCamera());
    }
    void cloud(const std::string& name, std::uint64_t points, PointRow order) {
        const Buffer<Vec3f> cloud = bumpyPointsOnDevice(points, order, m_stream);
        RasterScene scene;
        scene.points = {cloud.data(), cloud.size()};
        scene.pointSize = m_options.pointSize;
        each(scene, name, points, test::benchCamera(), [&](const Projection& p) {
            batchRows("batches", BatchOrder::given, scene, p);
            batchRows("curve", BatchOrder::curve, scene, p);
        });
    }
    /// Times a graph over batches of points, and the time to build the batches.
    void batchRows(const std::string& method, BatchOrder order, RasterScene scene, const Projection& p) {
        if (!wants(method))
            return;
        const PointBatches batches = cuda::batchPoints(scene.points, order, m_stream);
        scene.batches = &batches;
        cuda::RasterTuning tuning = m_tuning;
        tuning.batchedPoints = tuning.batchedSquares = 0;
        RasterGraph graph(scene, p.width, p.height, RasterGraph::Output::visibility, tuning, m_stream);
        graph.launch(p, {}, m_stream);
        if (isWrong(method, graph.visibility().download(m_stream)))
            return;
        time(method, [&] { graph.launch(p, {}, m_stream); });
        time(method + "-build", [&] { static_cast<void>(cuda::batchPoints(scene.points, order, m_stream)); });
        if (!batches.areCompact())
            fmt::print("  {} of {} groups are oversized\n", batches.oversized, batches.groups.size());
    }
    void voxels(std::uint64_t points, float size) {
        const auto cloud = onDevice(test::surfaceCloud(points, test::PointOrder::scan));
        VoxelizeParams params{test::kSurfaceMin, test::kSurfaceMax, {size, size, size}};
        params.pointVoxels = false;
        const VoxelGrid grid = cuda::voxelize({cloud.data(), cloud.size(), {}}, params, {}, m_stream);
        RasterScene scene;
        scene.voxels = &grid;
        scene.voxelScale = 0.9f;
        Camera camera;
        camera.eye = {-30, -35, 12};
        camera.target = {0, 0, -1};
        each(scene, fmt::format("voxels-{:g}m", double(size)), points, camera);
    }
    void painter() {
        const int edge = test::kDenseEdge;
        const std::vector<float> values = test::painterGrid();
        const LatticeShape lattice{{0, 0, 0}, {1, 1, 1}, {edge, edge, edge}};
        ScalarField field = cuda::volumeField(values, lattice, false, false, {}, m_stream);
        const TriangleMesh mesh = cuda::extractSurface(field, 0.5f, {}, m_stream);
        RasterScene scene;
        scene.mesh = &mesh;
        scene.backFaces = false;
        Camera camera = test::benchCamera();
        camera.target = {63.5, 63.5, 63.5};
        camera.eye = camera.target + test::benchCamera().eye * 60;
        each(scene, "painter", static_cast<std::uint64_t>(edge), camera, [&](const Projection& p) {
            if (!wants("whole-frame"))
                return;
            cuda::SurfaceGraph surface(field, mesh.vertexCount(), mesh.triangleCount(), m_stream);
            RasterGraph graph(scene, p.width, p.height, RasterGraph::Output::image, m_tuning, m_stream);
            time("whole-frame", [&] {
                surface.launch(0.5f, m_stream);
                graph.launch(p, {}, m_stream);
            });
            cuda::DenseBrush brush(field, m_stream);
            SculptDab dab;
            dab.radius = 6; // some thousand nodes
            dab.level = 0.5f;
            int frame = 0;
            const auto paint = [&] {
                const float turn = 0.1f * float(++frame);
                dab.tool = frame % 2 ? SculptTool::fill : SculptTool::carve;
                dab.from = dab.to = {63.5f + 30 * std::cos(turn), 63.5f + 30 * std::sin(turn), 64};
                brush.apply(dab, m_stream);
            };
            time("brush", paint);
            time("painted-frame", [&] {
                paint();
                surface.launch(0.5f, m_stream);
                graph.launch(p, {}, m_stream);
            });
            SampleMarchingCubes sample(values, edge, 0.5f, false, m_stream);
            DemoRaster demo(mesh, p, m_stream);
            time("demo-frame", [&] { // the two published methods one after the other, without painting
                sample.run(m_stream);
                demo.run(m_stream);
            });
        });
    }

    /// Times all methods on one scene, in pictures of every size.
    void each(
        const RasterScene& scene, const std::string& name, std::uint64_t nominal, const Camera& camera,
        const std::function<void(const Projection&)>& more = [](const Projection&) {}) {
        for (const Picture& picture : kPictures) {
            if (!has(m_options.pictures, picture.name))
                continue;
            const Projection p(camera, picture.width, picture.height);
            const std::uint64_t primitives = scene.mesh     ? scene.mesh->triangleCount()
                                             : scene.voxels ? scene.voxels->size()
                                                            : scene.points.size();
            m_what = {name, picture.name, nominal, primitives, picture.width, picture.height, 0};
            m_reference = {};
            if (primitives <= (m_options.quick ? kMaxCpuPrimitives / 10 : kMaxCpuPrimitives))
                m_reference = onCpu(scene, p);
            operatorRows(scene, p);
            for (const auto& [method, way] : kWays)
                if (wants(method))
                    variant(method, way, scene, p);
            if (scene.mesh && primitives <= kMaxDemoTriangles && wants("demo"))
                demo(*scene.mesh, p);
            more(p);
        }
    }
    void operatorRows(const RasterScene& scene, const Projection& p) {
        RasterGraph graph(scene, p.width, p.height, RasterGraph::Output::visibility, m_tuning, m_stream);
        RasterGraph shaded(scene, p.width, p.height, RasterGraph::Output::image, m_tuning, m_stream);
        graph.launch(p, {}, m_stream);
        shaded.launch(p, {}, m_stream);
        const RasterStats stats = shaded.stats(m_stream);
        m_what.drawnPixels = stats.drawnPixels;
        printRasterCase(m_what);
        if (stats.drawnInline != 0)
            fmt::print("  {} primitives found their queue full\n", stats.drawnInline);
        VisibilityBuffer seen = graph.visibility().download(m_stream);
        if (m_reference.pixels.empty())
            m_reference = std::move(seen);
        else if (isWrong("graph", seen))
            return;
        if (wants("graph"))
            time("graph", [&] { graph.launch(p, {}, m_stream); });
        if (scene.mesh)
            clustered(scene, p);
        if (wants("graph-image"))
            time("graph-image", [&] { shaded.launch(p, {}, m_stream); });
    }
    /// Times a static mesh that is split into clusters once.
    void clustered(const RasterScene& scene, const Projection& p) {
        if (wants("build-clusters"))
            time("build-clusters", [&] { static_cast<void>(cuda::clusterTriangles(*scene.mesh, m_stream)); });
        if (!wants("graph-clusters"))
            return;
        const TriangleClusters clusters = cuda::clusterTriangles(*scene.mesh, m_stream);
        RasterScene with = scene;
        with.clusters = &clusters;
        RasterGraph graph(with, p.width, p.height, RasterGraph::Output::visibility, m_tuning, m_stream);
        graph.launch(p, {}, m_stream);
        if (isWrong("graph-clusters", graph.visibility().download(m_stream)))
            return;
        fmt::print("  clusters: {:.1f} MB, {} of {} unquantized\n", double(clusters.bytes()) / 1e6,
                   clusters.unquantized, clusters.heads.size());
        time("graph-clusters", [&] { graph.launch(p, {}, m_stream); });
    }
    void variant(const std::string& method, RasterWay way, const RasterScene& scene, const Projection& p) {
        RasterVariant variant(way, scene, p, m_tuning, m_stream);
        variant.run(m_stream);
        if (!isWrong(method, variant.seen(m_stream)))
            time(method, [&] { variant.run(m_stream); });
    }
    void demo(const TriangleMesh& mesh, const Projection& p) {
        DemoRaster demo(mesh, p, m_stream);
        demo.run(m_stream);
        const auto drawn = static_cast<double>(demo.drawnPixels(m_stream)),
                   expected = static_cast<double>(m_what.drawnPixels);
        // not checked for "large", where the wider edges of the demo's triangles exceed the tolerance
        if (m_what.scene != "large" && !(std::abs(drawn / expected - 1) < 0.02)) {
            ++m_wrong;
            leaveOut("demo", fmt::format("WRONG RESULT: {} pixels instead of {}", drawn, expected));
            return;
        }
        time("demo", [&] { demo.run(m_stream); });
    }

    /// Each timed frame follows another one, which hides the host's launch overhead.
    void time(const std::string& method, const std::function<void()>& frame) {
        const auto once = [&] {
            frame();
            EventTimer timer(m_stream);
            frame();
            timer.stop();
            return timer.elapsedMs();
        };
        double last = 0;
        for (int i = 0; i < kWarmUps; ++i)
            last = once();
        const int repeats = last > kLongMs ? std::min(m_options.repeats, kLongRepeats) : m_options.repeats;
        std::vector<double> times(static_cast<std::size_t>(repeats));
        std::generate(times.begin(), times.end(), once);
        std::sort(times.begin(), times.end());
        RasterRow row{m_what, method, repeats, times[times.size() / 2], times.front(), times.back()};
        printRasterRow(row);
        m_report.rows.push_back(std::move(row));
    }

    VisibilityBuffer onCpu(const RasterScene& scene, const Projection& p) {
        RasterScene host = scene;
        TriangleMesh mesh;
        VoxelGrid grid;
        Buffer<Vec3f> points;
        if (scene.mesh)
            mesh = scene.mesh->download(m_stream), host.mesh = &mesh;
        if (scene.voxels)
            grid = scene.voxels->download(m_stream), host.voxels = &grid;
        if (!scene.points.empty()) {
            points = Buffer<Vec3f>::host(scene.points.size());
            detail::copyBytes(points.data(), MemorySpace::host, scene.points.data(), MemorySpace::device,
                              points.bytes(), m_stream);
            m_stream.view().synchronize();
            host.points = points.span();
        }
        RasterStats stats;
        return cpu::rasterize(host, p, stats, {});
    }
    template <class T>
    Buffer<T> onDevice(const std::vector<T>& values) {
        auto copy = hostCopy(std::span(values)).copyTo(MemorySpace::device, m_stream);
        m_stream.view().synchronize(); // finishes work that uses memory released at the end of this row
        return copy;
    }
    bool isWrong(const std::string& method, const VisibilityBuffer& seen) {
        const std::uint64_t count = difference(seen, m_reference);
        if (count == 0)
            return false;
        ++m_wrong;
        leaveOut(method, fmt::format("WRONG RESULT: {} pixels differ from the reference", count));
        return true;
    }
    void leaveOut(const std::string& method, const std::string& why) {
        fmt::print("  {:<14} {}\n", method, why);
        m_report.leftOut.push_back(fmt::format("{} of {}: {}", method, m_what.title(), why));
    }

    const RasterOptions& m_options;
    WallTimer m_clock;
    Stream m_stream;
    RasterReport m_report;
    cuda::RasterTuning m_tuning;
    RasterCase m_what;
    VisibilityBuffer m_reference; // picture to compare with, on the host
    int m_wrong = 0;
    bool m_late = false;
};

} // namespace

int raster(const RasterOptions& given) {
    RasterOptions options = given;
    if (options.quick) {
        const auto isLarge = [](std::uint64_t count) { return count > 10'000'000; };
        std::erase_if(options.triangles, isLarge);
        std::erase_if(options.points, isLarge);
        std::erase_if(options.pictures, [](const std::string& name) { return name != "1080p"; });
        options.repeats = std::min(options.repeats, 20);
    }
    const auto device = probeDevice();
    if (!device.usable) {
        fmt::print("nothing to time: {}\n", device.reason);
        return 0;
    }
    Run run(options, device);
    const int wrong = run.all();
    for (const std::string& left : run.report().leftOut)
        fmt::print("left out: {}\n", left);
    if (!options.json.empty())
        writeRasterJson(run.report(), options.json);
    if (!options.compare.empty())
        compareRasters(run.report(), options.compare);
    return wrong == 0 ? 0 : 1;
}

} // namespace scanloupe::bench
