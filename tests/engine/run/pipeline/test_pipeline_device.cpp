// The pipeline on the device, compared with the CPU's results bit by bit.
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/volume/read_volume.h"
#include "engine/picture/device_scene.h"
#include "engine/picture/pick.h"
#include "engine/picture/picture_bands.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/quality.h"
#include "engine/results/voxel_attributes.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/shuffle_cell.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::shared_ptr<const Volume> ballVolume() {
    constexpr int edge = 37;
    auto volume = std::make_shared<Volume>();
    volume->lattice = {{}, {0.1f, 0.1f, 0.1f}, {edge, edge, edge}};
    volume->values = Buffer<float>::host(std::size_t{edge} * edge * edge);
    for (std::size_t i = 0; i < volume->values.size(); ++i) {
        const Vec3f node{float(i % edge), float(i / edge % edge), float(i / edge / edge)};
        volume->values[i] = 15 - norm(node - Vec3f{18, 17, 18.5f});
    }
    return volume;
}

bool sameFloat(float a, float b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

/// The differences between the results of two runs, bit by bit.
QString differences(const Snapshot& a, const Snapshot& b) {
    const auto same = [](const auto& x, const auto& y) {
        return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.bytes()) == 0);
    };
    QString names;
    if (bool(a.voxels) != bool(b.voxels) ||
        (a.voxels && !(same(a.voxels.host().keys, b.voxels.host().keys) &&
                       same(a.voxels.host().means, b.voxels.host().means) &&
                       same(a.voxels.host().pointVoxel, b.voxels.host().pointVoxel))))
        names += "voxels ";
    if (a.attributes && b.attributes) {
        const VoxelTable t = voxelTable(*a.attributes, {}), u = voxelTable(*b.attributes, {});
        if (!same(t.grid.means, u.grid.means) || !same(t.grid.modes, u.grid.modes))
            names += "attributes ";
    }
    const ScalarField &f = a.field.host(), &g = b.field.host();
    if (!same(f.brickKeys, g.brickKeys) || !same(f.values, g.values) || !same(f.cellMask, g.cellMask) ||
        f.minValue != g.minValue || f.maxValue != g.maxValue || f.normalsGuessed != g.normalsGuessed)
        names += "field ";
    const TriangleMesh &m = a.mesh.host(), &n = b.mesh.host();
    if (!same(m.positions, n.positions) || !same(m.normals, n.normals) || !same(m.indices, n.indices) ||
        m.zeroAreaTriangles != n.zeroAreaTriangles)
        names += "mesh ";
    return names;
}

/// Allocates the device's memory except `left` bytes and up to 34 MB more.
std::vector<Buffer<std::byte>> maxOfTheDevice(std::size_t left, const Stream& stream) {
    std::vector<Buffer<std::byte>> all;
    for (std::size_t piece = std::size_t{1} << 36; piece >= std::size_t{1} << 25; piece /= 2) {
        while (probeDevice().freeBytes > piece + left)
            all.push_back(Buffer<std::byte>::in(MemorySpace::device, piece, stream));
    }
    return all;
}

/// About 16.8 million points of a surface, in rows or shuffled.
std::vector<Vec3f> saddle(bool shuffled) {
    constexpr std::size_t across = 4096, count = across * 4100 + 5;
    std::vector<Vec3f> points(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t place = shuffled ? shuffledIndex(i, count) : i;
        const float x = float(place % across) / 2048 - 1, z = float(place / across) / 2050 - 1;
        points[i] = {x, x * x - 0.5f * z * z, z};
    }
    return points;
}

} // namespace

class TestPipelineDevice : public QObject {
    Q_OBJECT
private slots:
    void everyStrategyGivesTheSameVoxels_data() {
        QTest::addColumn<QString>("backend");
        QTest::newRow("cpu") << "cpu";
        QTest::newRow("cuda") << "cuda";
    }
    void everyStrategyGivesTheSameVoxels() {
        QFETCH(QString, backend);
        if (backend == "cuda")
            SCANLOUPE_NEEDS_CUDA();
        Run cpu(bumpyCloud());
        const Snapshot expected = cpu();
        Pipeline pipeline(chooseBackend(backend == "cuda" ? Backend::cuda : Backend::cpu));
        pipeline.setInput(bumpyCloud(), 0);
        Recipe recipe = cpu.recipe;
        for (const char* strategy : {"bitmap-rank", "brick-hash", "hash", "radix-sort", "dense-grid"}) {
            setFromText(recipe, parameter("voxel_strategy"), strategy);
            const Snapshot s = pipeline.run(recipe, {}, {});
            QVERIFY(std::ranges::equal(s.voxels.host().keys.span(), expected.voxels->keys.span()));
            QVERIFY(std::ranges::equal(s.voxels.host().means.span(), expected.voxels->means.span()));
            const StageTiming& timing = *s.timings.find("voxelize");
            QCOMPARE(timing.method, std::string(strategy));
            QVERIFY(!timing.why.empty() && toJson(s.timings).find(timing.why) != std::string::npos);
        }
    }
    void cloudsThatTheDeviceIsTooSmallFor() {
        SCANLOUPE_NEEDS_CUDA();
        Run cpu(bumpyCloud());
        const Snapshot expected = cpu();
        Pipeline pipeline(chooseBackend(Backend::cuda));
        pipeline.setInput(bumpyCloud(), 0);
        pipeline.setDeviceMemoryLimit(1 << 20);
        const Snapshot s = pipeline.run(cpu.recipe, {}, {});
        QVERIFY(std::ranges::equal(s.voxels.host().means.span(), expected.voxels->means.span()));
        QVERIFY(std::ranges::equal(s.voxels.host().pointVoxel.span(), expected.voxels->pointVoxel.span()));
        QCOMPARE(s.timings.find("voxelize")->why, std::string("the points come in pieces"));
    }
    void picturesAreDrawnAndStayThere_data() {
        QTest::addColumn<QString>("show");
        for (const char* show : {"points", "averaged points", "voxels", "mesh"})
            QTest::newRow(show) << show;
    }
    void picturesAreDrawnAndStayThere() {
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(QString, show);
        Run cpu(bumpyCloud()), cuda(bumpyCloud(), Backend::cuda);
        std::vector<Snapshot> plain, fine;
        std::vector<std::vector<std::uint32_t>> banded;
        for (Run* run : {&cpu, &cuda}) {
            run->set("show", qPrintable(show.section(' ', -1)));
            run->set("points", show.startsWith("averaged") ? "averaged" : "nearest");
            run->set("colour_by", "intensity");
            plain.push_back((*run)());
            fine.push_back(run->pipeline.refine(plain.back(), 8, {}));
            const PictureSource source = run->pipeline.pictureSource(plain.back(), {});
            BandOptions options;
            options.samples = 8;
            options.maxPixels = 320 * 37;
            PictureBands bands(*source.scene, source.camera, 320, 240, options, {});
            auto& all = banded.emplace_back();
            while (all.size() < 320u * 240u)
                for (const std::uint32_t pixel : bands.rowsFrom(int(all.size() / 320)))
                    all.push_back(pixel);
        }
        const Picture &a = *plain[0].picture, &b = *plain[1].picture;
        QVERIFY(b.image.onDevice() && b.visibility.onDevice() && !b.image.hasHost());
        QCOMPARE(plain[1].timings.find("rasterize")->backend, std::string("cuda"));
        for (int y = 3; y < 240; y += 17) // voxels are picked one by one, without copying all of them
            for (int x = 5; x < 320; x += 13) {
                QCOMPARE(pickPixel(a, x, y).id, pickPixel(b, x, y).id);
                QCOMPARE(pickPixel(a, x, y).depth, pickPixel(b, x, y).depth);
            }
        QVERIFY(!b.visibility.hasHost());
        QCOMPARE(a.stats.drawnPixels, b.stats.drawnPixels);
        for (const auto* pair : {&plain, &fine})
            QVERIFY(std::ranges::equal((*pair)[0].picture->image.host().pixels.span(),
                                       (*pair)[1].picture->image.host().pixels.span()));
        QVERIFY(fine[1].picture->image.onDevice());
        QVERIFY(banded[0] == banded[1]);
        QVERIFY(std::ranges::equal(banded[1], fine[1].picture->image.host().pixels.span()));
    }
    void cudaGivesTheSameBytes_data() {
        QTest::addColumn<QString>("field");
        for (const char* field : {"occupancy", "density", "distance"})
            QTest::newRow(field) << field;
    }
    void cudaGivesTheSameBytes() {
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(QString, field);
        Run cpu(bumpyCloud()), cuda(bumpyCloud(), Backend::cuda);
        const RunOptions options{.quality = true};
        std::optional<Snapshot> last;
        for (Run* run : {&cpu, &cuda}) {
            run->set("field", qPrintable(field));
            run->set("colour_by", "point_distance");
            run->set("quality", "all");
            const Snapshot s = (*run)(options);
            if (last) {
                QCOMPARE(differences(*last, s), QString());
                QVERIFY(std::ranges::equal(last->quality->distances.values.span(),
                                           s.quality->distances.values.span(), sameFloat));
                QVERIFY(
                    std::ranges::equal(last->vertexDistances->span(), s.vertexDistances->span(), sameFloat));
                QVERIFY(std::ranges::equal(last->picture->image.host().pixels.span(),
                                           s.picture->image.host().pixels.span()));
            }
            last = s;
        }
        QVERIFY(last->mesh.onDevice() && last->field.onDevice() && last->voxels.onDevice());
        for (const char* stage : {"upload", "voxelize", "field", "extract", "distances"})
            QCOMPARE(last->timings.find(stage)->backend, std::string("cuda"));
        for (const char* stage : {"voxelize", "field", "extract"})
            QVERIFY(last->timings.find(stage)->deviceMs > 0);
        QVERIFY(last->timings.find("download")->bytes >= last->mesh->bytes());
    }
    void isoValueOnTheDevice() { // a changed iso-value only runs the extraction again
        SCANLOUPE_NEEDS_CUDA();
        Run cpu(bumpyCloud()), cuda(bumpyCloud(), Backend::cuda);
        for (Run* run : {&cpu, &cuda})
            run->set("field", "density");
        cuda();
        const Snapshot before = cuda();
        for (const char* iso : {"50000", "90000"}) {
            cpu.set("iso", iso);
            cuda.set("iso", iso);
            const Snapshot s = cuda();
            QCOMPARE(ran(s), QString("extract,rasterize,resolve,")); // drawn on the device
            QCOMPARE(differences(cpu(), s), QString());
        }
        // earlier results stay valid, and several threads may read them at once
        const Snapshot fresh = Run(bumpyCloud(), Backend::cuda)(kNoPicture);
        std::array<const VoxelGrid*, 4> copies{};
        {
            std::vector<std::jthread> threads;
            for (const VoxelGrid*& copy : copies)
                threads.emplace_back([&] { copy = &fresh.voxels.host(); });
        }
        QCOMPARE(std::ranges::count(copies, &fresh.voxels.host()), std::ptrdiff_t(copies.size()));
        QVERIFY(before.mesh.host().triangleCount() > 0);
    }
    void resultsOutliveThePipelineOnTheDevice() {
        SCANLOUPE_NEEDS_CUDA();
        const Snapshot expected = Run(bumpyCloud())(kNoPicture);
        Snapshot s;
        {
            Run run(bumpyCloud(), Backend::cuda);
            s = run(kNoPicture);
        }
        QCOMPARE(differences(expected, s), QString());
    }
    void volumesOnTheDevice() {
        SCANLOUPE_NEEDS_CUDA();
        Pipeline cpu(chooseBackend(Backend::cpu)), cuda(chooseBackend(Backend::cuda));
        const auto volume = ballVolume();
        cpu.setInput(volume, 0);
        cuda.setInput(volume, 0);
        const Snapshot a = cpu.run({}, kNoPicture, {}), b = cuda.run({}, kNoPicture, {});
        QVERIFY(a.mesh->triangleCount() > 0 && b.field.onDevice() && b.mesh.onDevice());
        QCOMPARE(differences(a, b), QString());
    }
    // the host computes a field that does not fit the device, and the timings report this
    void deviceTooSmallForTheField() {
        SCANLOUPE_NEEDS_CUDA();
        Run cpu(bumpyCloud(300'000)), cuda(bumpyCloud(300'000), Backend::cuda);
        for (Run* run : {&cpu, &cuda}) {
            run->set("voxel_size", "0.0015");
            run->set("field", "occupancy");
        }
        const Snapshot expected = cpu(kNoPicture);
        QVERIFY(expected.field->bytes() > 300'000'000);
        const Stream stream;
        auto others = maxOfTheDevice(100'000'000, stream);
        const Snapshot s = cuda(kNoPicture);
        QCOMPARE(s.timings.find("field")->backend, std::string("cpu"));
        QCOMPARE(s.timings.find("field")->why, std::string("the device has too little memory"));
        QVERIFY(toJson(s.timings).find("the device has too little memory") != std::string::npos);
        QCOMPARE(differences(expected, s), QString());
        others.clear();
        stream.view().synchronize();
        QCOMPARE(differences(expected, Run(bumpyCloud(300'000), Backend::cuda, cuda.recipe)(kNoPicture)),
                 QString());
    }
    void pointsThatAreDrawnAgainStayTheSame_data() {
        QTest::addColumn<bool>("shuffled");
        QTest::addColumn<bool>("outlier");
        QTest::addColumn<float>("size");
        QTest::addColumn<int>("bytes"); // bytes of batches per point
        QTest::newRow("rows") << false << false << 2.0f << 1;
        QTest::newRow("rows of one pixel") << false << false << 1.0f << 0; // too few
        QTest::newRow("shuffled") << true << false << 2.0f << 17;          // along a curve
        QTest::newRow("rows with an outlier") << false << true << 2.0f << 1;
        QTest::newRow("shuffled, with an outlier") << true << true << 2.0f << 0; // one cell of a curve
    }
    void pointsThatAreDrawnAgainStayTheSame() {
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(bool, shuffled);
        QFETCH(bool, outlier);
        QFETCH(float, size);
        QFETCH(int, bytes);
        std::vector<Vec3f> points = saddle(shuffled);
        const std::size_t count = points.size();
        if (outlier)
            points[count / 3].y = 1e6f;
        RasterScene scene;
        scene.points = points;
        scene.pointSize = size;
        const auto stream = std::make_shared<const Stream>();
        Camera camera;
        camera.eye = {0.3, -3, 0.4};
        const Projection first(camera, 320, 240);
        camera.eye = {0.4, -2, 0.1};
        const Projection second(camera, 320, 240);
        DeviceScene once(scene, {}, {}, stream), again(scene, {}, {}, stream);
        static_cast<void>(again.draw(first, {}, {}));
        QCOMPARE(again.preparedBytes(), std::uint64_t{0});
        const DeviceFrame expected = once.draw(second, {}, {}), drawn = again.draw(second, {}, {});
        QCOMPARE(once.preparedBytes(), std::uint64_t{0});
        // plus 1/32 for each batch
        QCOMPARE(again.preparedBytes() / count, static_cast<std::uint64_t>(bytes));
        QCOMPARE(again.preparedBytes() == 0, bytes == 0);
        const auto a = expected.image.download(*stream), b = drawn.image.download(*stream);
        QVERIFY(std::ranges::equal(a.pixels.span(), b.pixels.span()));
        QVERIFY(std::ranges::equal(expected.visibility.download(*stream).pixels.span(),
                                   drawn.visibility.download(*stream).pixels.span()));
        QCOMPARE(drawn.stats.drawnPixels, expected.stats.drawnPixels);
        QVERIFY(drawn.stats.drawnPixels > 1000);
    }
    void aMeshThatIsDrawnAgainStaysTheSame() {
        SCANLOUPE_NEEDS_CUDA();
        constexpr std::uint32_t side = 2050; // edge of the mesh in squares: over 8 million triangles
        TriangleMesh mesh;
        mesh.positions = Buffer<Vec3f>::host(std::size_t{side + 1} * (side + 1));
        mesh.normals = Buffer<Vec3f>::host(mesh.positions.size());
        mesh.indices = Buffer<std::uint32_t>::host(std::size_t{side} * side * 6);
        for (std::uint32_t y = 0, i = 0; y <= side; ++y)
            for (std::uint32_t x = 0; x <= side; ++x, ++i) {
                const float u = 2.0f * float(x) / side - 1, v = 2.0f * float(y) / side - 1;
                mesh.positions[i] = {u, v, 0.3f * std::sin(5 * u) * std::cos(4 * v)};
                mesh.normals[i] = {0, 0, 1};
            }
        for (std::uint32_t y = 0, i = 0; y < side; ++y)
            for (std::uint32_t x = 0; x < side; ++x) {
                const std::uint32_t a = y * (side + 1) + x, b = a + 1, c = a + side + 1, d = c + 1;
                for (const std::uint32_t vertex : {a, b, c, b, d, c})
                    mesh.indices[i++] = vertex;
            }
        RasterScene scene;
        scene.mesh = &mesh;
        const auto stream = std::make_shared<const Stream>();
        Camera camera;
        camera.eye = {0.3, -3, 0.9};
        const Projection first(camera, 320, 240);
        camera.eye = {0.4, -2, 0.6};
        const Projection second(camera, 320, 240), larger(camera, 640, 480);
        DeviceScene once(scene, {}, {}, stream), again(scene, {}, {}, stream);
        static_cast<void>(again.draw(first, {}, {}));
        QCOMPARE(again.preparedBytes(), std::uint64_t{0});
        const DeviceFrame expected = once.draw(second, {}, {}), drawn = again.draw(second, {}, {});
        QCOMPARE(once.preparedBytes(), std::uint64_t{0});
        QVERIFY(again.preparedBytes() > 8 * mesh.triangleCount() &&
                again.preparedBytes() < 12 * mesh.triangleCount());
        QVERIFY(std::ranges::equal(expected.image.download(*stream).pixels.span(),
                                   drawn.image.download(*stream).pixels.span()));
        QVERIFY(std::ranges::equal(expected.visibility.download(*stream).pixels.span(),
                                   drawn.visibility.download(*stream).pixels.span()));
        QVERIFY(drawn.stats.drawnPixels > 1000);
        DeviceScene other(scene, {}, {}, stream);
        const DeviceFrame wide = other.draw(larger, {}, {}), wideAgain = again.draw(larger, {}, {});
        QVERIFY(std::ranges::equal(wide.visibility.download(*stream).pixels.span(),
                                   wideAgain.visibility.download(*stream).pixels.span()));
    }
    // kept results are dropped if the device has no memory for both them and new results
    void keptResultsMakeRoom() {
        SCANLOUPE_NEEDS_CUDA();
        Run run(bumpyCloud(2'000'000), Backend::cuda);
        run.recipe.quality = QualityChoice::off;
        run.set("field", "distance");
        std::uint64_t kept = 0;
        for (const char* size : {"0.004", "0.0041", "0.0042"}) {
            run.set("voxel_size", size);
            const Snapshot snapshot = run(kNoPicture);
            kept += snapshot.voxels->bytes() + snapshot.field->bytes() + snapshot.mesh->bytes();
            run.pipeline.keepResults();
        }
        const Stream stream;
        try { // a failed allocation makes the device's pool release its unused memory
            static_cast<void>(Buffer<std::byte>::in(MemorySpace::device, std::size_t{1} << 40, stream));
        } catch (const DeviceMemoryShort&) {
        }
        const auto others = maxOfTheDevice(100'000'000, stream);
        run.set("voxel_size", "0.0043");
        const Snapshot snapshot = run(kNoPicture);
        std::printf("kept %.0f MB\n", double(kept) / 1e6);
        QVERIFY(snapshot.field.onDevice() && snapshot.mesh.onDevice());
    }
    /// Rotated and inverted ranges, and sections.
    void cutsGiveTheSameBytes() {
        SCANLOUPE_NEEDS_CUDA();
        const auto cloud = bumpyCloud(100'000);
        for (const std::array<const char*, 3>& cut :
             {std::array{"0", "off", "0.2,0.1,0,1,2,0.5,0.4"}, std::array{"33", "off", "auto"},
              std::array{"-70", "on", "auto"}, std::array{"33", "on", "0,0,0,0,0,1,1"}}) {
            Run host(cloud), device(cloud, Backend::cuda);
            for (Run* run : {&host, &device}) {
                run->set("voxel_size", "0.03");
                run->set("range", "-0.9,-0.7,-1,1,0.8,1.1");
                run->set("range_rotation", cut[0]);
                run->set("range_inverted", cut[1]);
                run->set("section", cut[2]);
            }
            const Snapshot a = host(), b = device();
            QCOMPARE(differences(a, b), QString());
            QCOMPARE(a.voxels->stats.pointsInRange, b.voxels->stats.pointsInRange);
            QVERIFY(a.voxels->stats.pointsInRange > 100 && a.voxels->stats.pointsOutside > 100);
            QCOMPARE(bool(a.section), bool(b.section));
            if (a.section)
                QCOMPARE(a.section->length(), b.section->length());
        }
    }
    void framesComeBeforeBatches() { // frames take precedence where the device has no memory for both
        SCANLOUPE_NEEDS_CUDA();
        const std::vector<Vec3f> points = saddle(true);
        RasterScene scene;
        scene.points = points;
        scene.pointSize = 2;
        const auto stream = std::make_shared<const Stream>();
        Camera camera;
        camera.eye = {0.3, -3, 0.4};
        const Projection small(camera, 320, 240), large(camera, 4600, 4500); // 497 MB of frames
        DeviceScene drawn(scene, {}, {}, stream);
        for (int i = 0; i < 2; ++i)
            static_cast<void>(drawn.draw(small, {}, {}));
        QVERIFY(drawn.preparedBytes() > 280'000'000);
        try { // a failed allocation makes the device's pool release its unused memory
            static_cast<void>(Buffer<std::byte>::in(MemorySpace::device, std::size_t{1} << 40, *stream));
        } catch (const DeviceMemoryShort&) {
        }
        // room for the frames and for a copy of one of their two buffers
        auto others = maxOfTheDevice(400'000'000, *stream);
        const DeviceFrame frame = drawn.draw(large, {}, {});
        QCOMPARE(drawn.preparedBytes(), std::uint64_t{0});
        others.clear();
        stream->view().synchronize();
        DeviceScene again(scene, {}, {}, stream);
        const DeviceFrame expected = again.draw(large, {}, {});
        QVERIFY(std::ranges::equal(expected.visibility.download(*stream).pixels.span(),
                                   frame.visibility.download(*stream).pixels.span()));
        static_cast<void>(drawn.draw(small, {}, {}));
        QCOMPARE(drawn.preparedBytes(), std::uint64_t{0}); // the batches are not built again
    }
};

SCANLOUPE_TEST(TestPipelineDevice)
#include "test_pipeline_device.moc"
