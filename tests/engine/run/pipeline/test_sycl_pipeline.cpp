// The pipeline in the SYCL backend, compared with the CPU's results bit by bit.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/compute/memory.h"
#include "engine/io/common/read_options.h"
#include "engine/io/scan_input.h"
#include "engine/io/volume/read_volume.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "engine/stages/extract.h"
#include "tests/kernels/sycl/sycl_support.h"
#include "tests/support/allocation_watch.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

template <class T>
bool same(const Buffer<T>& a, const Buffer<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

/// The differences between the results of two runs, bit by bit.
QString differences(const Snapshot& a, const Snapshot& b) {
    QString names;
    if (bool(a.voxels) != bool(b.voxels) ||
        (a.voxels &&
         !(same(a.voxels->keys, b.voxels->keys) && same(a.voxels->counts, b.voxels->counts) &&
           same(a.voxels->means, b.voxels->means) && same(a.voxels->pointVoxel, b.voxels->pointVoxel))))
        names += "voxels ";
    if (!same(a.field->values, b.field->values) || !same(a.field->brickKeys, b.field->brickKeys))
        names += "field ";
    if (!same(a.mesh->positions, b.mesh->positions) || !same(a.mesh->normals, b.mesh->normals) ||
        !same(a.mesh->indices, b.mesh->indices) || a.mesh->zeroAreaTriangles != b.mesh->zeroAreaTriangles)
        names += "mesh ";
    if (!same(a.picture->image.host().pixels, b.picture->image.host().pixels))
        names += "picture ";
    return names;
}

/// The maximum memory that a surface is documented to need.
std::uint64_t extractBytes(std::uint64_t bricks, const MeshSize& mesh, bool bySycl) {
    RunSize size;
    size.bricks = double(bricks);
    size.extracted = mesh;
    size.extractedBySycl = bySycl;
    return ExtractStage::bytes(size, {}).peak;
}

/// A device that fails after some calls.
class FrailDevice final : public HostSyclDevice {
public:
    explicit FrailDevice(int calls) : m_calls(calls) { m_info.name = "a frail device"; }

private:
    void wear() const override {
        if (m_calls-- > 0)
            return;
        fail("A frail device has failed with SYCL: it was lost.");
        throw SyclFailure("a frail device was lost", "Take the CPU.");
    }

    mutable int m_calls;
};

/// The backend choice that uses this SYCL device.
BackendChoice choiceOf(std::shared_ptr<const SyclDevice> device) {
    BackendChoice choice;
    choice.backend = Backend::sycl;
    choice.sycl = std::move(device);
    return choice;
}

} // namespace

class TestSyclPipeline : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { useBuiltSyclLibrary(); }

    void generatedScans_data() { addSyclRows(); }
    void generatedScans() {
        SCANLOUPE_SYCL_DEVICE(device);
        for (const char* field : {"occupancy", "density", "distance"}) {
            Run cpu(bumpyCloud());
            Pipeline pipeline(choiceOf(device));
            pipeline.setInput(bumpyCloud(), 0);
            cpu.set("field", field);
            for (const char* show : {"mesh", "voxels", "points"}) {
                cpu.set("show", show);
                const Snapshot expected = cpu(), found = pipeline.run(cpu.recipe, {}, {});
                QCOMPARE(differences(expected, found), QString());
                for (const char* stage : {"voxelize", "field", "extract", "rasterize", "resolve"})
                    QCOMPARE(found.timings.find(stage)->backend, std::string("sycl"));
                const Snapshot finer = cpu.pipeline.refine(expected, 4, {}),
                               finerFound = pipeline.refine(found, 4, {});
                QCOMPARE(differences(finer, finerFound), QString());
            }
        }
    }

    void buckyball_data() { addSyclRows(); }
    void buckyball() {
        SCANLOUPE_REAL_SCAN(path, "volume/Bucky.raw");
        SCANLOUPE_SYCL_DEVICE(device);
        const std::shared_ptr<const Volume> volume = readInput(path, {}, {}).volume;
        Run cpu(volume);
        Pipeline pipeline(choiceOf(device));
        pipeline.setInput(volume, 0);
        for (const char* iso : {"0.2", "0.5"}) {
            cpu.set("iso", iso);
            for (const char* show : {"mesh", "voxels"}) {
                cpu.set("show", show);
                const Snapshot expected = cpu(), found = pipeline.run(cpu.recipe, {}, {});
                QVERIFY(found.mesh->triangleCount() > 10'000);
                QCOMPARE(differences(expected, found), QString());
                QCOMPARE(found.timings.find("extract")->backend, std::string("sycl"));
            }
        }
    }

    void fieldsOfVolumesAreMadeOnTheHost() {
        auto volume = std::make_shared<Volume>();
        volume->lattice = {{-1, -1, -1}, {0.1f, 0.1f, 0.1f}, {20, 20, 20}};
        volume->values = Buffer<float>::host(20 * 20 * 20);
        for (int i = 0; i < 20 * 20 * 20; ++i)
            volume->values[std::size_t(i)] =
                norm(volume->lattice.position(Vec3i{i % 20, i / 20 % 20, i / 400}));
        Pipeline cpu(chooseBackend(Backend::cpu)), sycl(choiceOf(std::make_shared<const HostSyclDevice>()));
        cpu.setInput(std::shared_ptr<const Volume>(volume), 0);
        sycl.setInput(std::shared_ptr<const Volume>(volume), 0);
        const Snapshot found = sycl.run({}, {}, {});
        QCOMPARE(differences(cpu.run({}, {}, {}), found), QString());
        QCOMPARE(found.timings.find("field")->backend, std::string("cpu"));
        QCOMPARE(found.timings.find("field")->why, std::string());
        QCOMPARE(found.timings.find("extract")->backend, std::string("sycl"));
    }

    void memoryThatOnlyTheHostHasEnoughOf() {
        auto volume = std::make_shared<Volume>();
        volume->lattice = {{0, 0, 0}, {1, 1, 1}, {40, 40, 40}};
        volume->values = Buffer<float>::host(40 * 40 * 40);
        for (int i = 0; i < 40 * 40 * 40; ++i) // the surface crosses each cell
            volume->values[std::size_t(i)] = (i + i / 40 + i / 1600) % 2 ? 1.0f : -1.0f;
        Recipe recipe;
        recipe.iso = 0;
        Pipeline cpu(chooseBackend(Backend::cpu)), sycl(choiceOf(std::make_shared<const HostSyclDevice>()));
        for (Pipeline* pipeline : {&cpu, &sycl})
            pipeline->setInput(std::shared_ptr<const Volume>(volume), 0);
        const Snapshot expected = cpu.run(recipe, kNoPicture, {});
        const std::uint64_t bricks = expected.field->brickCount();
        std::uint64_t cells = 0;
        for (const std::uint64_t word : expected.field->cellMask.span())
            cells += std::uint64_t(std::popcount(word));
        QVERIFY(cells > 30'000);
        const auto bytes = [&](bool bySycl) { return extractBytes(bricks, {cells, 2 * cells}, bySycl); };
        const AllocationWatch watch;
        const TriangleMesh mesh = HostSyclDevice().extractSurface(expected.field.host(), 0, {});
        if (const double taken = double(watch.peak()); taken > 0) { // 0 under sanitizers
            // the host's queue also copies its inputs
            const std::uint64_t copies = bricks * (kBrickNodes * sizeof(float) + 9 * sizeof(std::uint64_t));
            const double told =
                double(copies + extractBytes(bricks, {mesh.vertexCount(), mesh.triangleCount()}, true));
            QVERIFY2(taken < told * 1.05 && taken > told * 0.9,
                     qPrintable(QString("%1 bytes, told %2").arg(taken).arg(told)));
        }
        // the lists of SYCL do not fit, and then fit with one more byte
        for (const std::uint64_t more : {0, 1}) {
            sycl.setMemoryLimit(bytes(true) - 1 + more);
            recipe.iso = 0.1 * double(more);
            const Snapshot found = sycl.run(recipe, kNoPicture, {});
            const StageTiming& timing = *found.timings.find("extract");
            QCOMPARE(timing.backend, std::string(more ? "sycl" : "cpu"));
            QCOMPARE(timing.why, std::string(more ? "" : "the device has too little memory"));
        }
        recipe.iso = 0.2;
        sycl.setMemoryLimit(bytes(false) - 1);
        QVERIFY_EXCEPTION_THROWN(sycl.run(recipe, kNoPicture, {}), HostMemoryShort);
    }

    void otherStrategiesRunOnTheHost() {
        if (syclDevices().usable.empty())
            QSKIP(syclDevices().refused.front().c_str());
        for (const auto& [name, value] :
             {std::pair{"voxel_strategy", "brick-hash"}, std::pair{"max_points_per_voxel", "3"}}) {
            Run cpu(bumpyCloud()), sycl(bumpyCloud(), Backend::sycl);
            setFromText(cpu.recipe, parameter(name), value);
            setFromText(sycl.recipe, parameter(name), value);
            const Snapshot expected = cpu(), found = sycl();
            QCOMPARE(differences(expected, found), QString());
            QCOMPARE(found.timings.find("voxelize")->backend, std::string("cpu"));
            QCOMPARE(found.timings.find("extract")->backend, std::string("sycl"));
        }
    }

    void realScans() {
        constexpr std::uint64_t most = 3'000'000; // maximum number of points, to limit the duration
        if (syclDevices().usable.empty())
            QSKIP(syclDevices().refused.front().c_str());
        const std::filesystem::path folder = scansFolder();
        if (!std::filesystem::exists(folder))
            QSKIP("the folder of real scans is not here: set SCANLOUPE_SCANS to run this test");
        int compared = 0, refused = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (!entry.is_regular_file())
                continue;
            const std::string name = entry.path().filename().string();
            std::optional<Snapshot> expected, found;
            std::string failure, otherFailure;
            const auto runOn = [&](Backend backend, std::optional<Snapshot>& result, std::string& sentence) {
                try {
                    const ScanInput input = readInput(entry.path(), {}, {});
                    if (input.cloud && input.cloud->size() > most)
                        return;
                    Pipeline pipeline(chooseBackend(backend));
                    if (input.cloud)
                        pipeline.setInput(input.cloud, 0);
                    else
                        pipeline.setInput(input.volume, 0);
                    result = pipeline.run({}, {}, {});
                } catch (const Error& error) {
                    sentence = error.what();
                }
            };
            runOn(Backend::cpu, expected, failure);
            runOn(Backend::sycl, found, otherFailure);
            QVERIFY2(failure == otherFailure, name.c_str());
            if (!expected) {
                ++refused;
                continue;
            }
            QVERIFY2(found, name.c_str());
            QVERIFY2(differences(*expected, *found).isEmpty(), name.c_str());
            ++compared;
        }
        qInfo("%d scans have the same bytes, %d files are refused with the same sentence or too large",
              compared, refused);
        QVERIFY(compared > 20);
    }

    void lostDevices_data() {
        QTest::addColumn<int>("calls");
        QTest::newRow("at once") << 0;
        QTest::newRow("after the voxels") << 1;
        QTest::newRow("after the field") << 2;
        QTest::newRow("after the surface") << 3;
        QTest::newRow("before the colours") << 4;
    }
    void lostDevices() {
        QFETCH(int, calls);
        Run cpu(bumpyCloud());
        const Snapshot expected = cpu();
        const BackendChoice choice = choiceOf(std::make_shared<const FrailDevice>(calls));
        Pipeline pipeline(choice);
        pipeline.setInput(bumpyCloud(), 0);
        const Snapshot found = pipeline.run(cpu.recipe, {}, {});
        QCOMPARE(differences(expected, found), QString());
        int stage = 0;
        for (const char* name : {"voxelize", "field", "extract"}) {
            const StageTiming& timing = *found.timings.find(name);
            const bool isBySycl = stage++ < calls;
            QCOMPARE(timing.backend, std::string(isBySycl ? "sycl" : "cpu"));
            if (!isBySycl)
                QCOMPARE(timing.why, std::string("A frail device has failed with SYCL: it was lost."));
        }
        QCOMPARE(found.timings.find("rasterize")->backend, std::string("cpu"));
        QVERIFY(!choice.sycl->isUsable());
        const Snapshot next = pipeline.run(cpu.recipe, {}, {}); // the failed device is not used again
        QCOMPARE(differences(expected, next), QString());
    }

    void devicesAreNamed() {
        const std::vector<ComputeDevice> devices = computeDevices();
        QVERIFY(std::ranges::any_of(devices, [](const ComputeDevice& d) { return d.id == "cpu"; }));
        for (const ComputeDevice& device : devices) {
            BackendRequest request;
            request.device = device.id;
            QCOMPARE(nameOf(chooseBackend(request).backend), nameOf(device.backend));
        }
        BackendRequest unknown;
        unknown.device = "no such thing";
        QVERIFY_EXCEPTION_THROWN(chooseBackend(unknown), EngineError);
        if (syclDevices().usable.empty())
            QVERIFY_EXCEPTION_THROWN(chooseBackend(Backend::sycl), EngineError);
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestSyclPipeline)
#include "test_sycl_pipeline.moc"
