// The choice of the device that computes, in the window.
#include "gui/panels/device_box.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/support/sycl_library.h"

#include <cstring>
#include <future>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// On a thread of its own: that of the window must not copy from a device.
bool areSame(const Snapshot& a, const Snapshot& b) {
    return std::async(std::launch::async,
                      [&] {
                          const Buffer<std::uint32_t>&x = a.picture->image.host().pixels,
                                &y = b.picture->image.host().pixels;
                          const TriangleMesh &m = a.mesh.host(), &n = b.mesh.host();
                          return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.bytes()) == 0 &&
                                 m.indices.size() == n.indices.size() &&
                                 std::memcmp(m.positions.data(), n.positions.data(), m.positions.bytes()) ==
                                     0;
                      })
        .get();
}

} // namespace

class TestWindowDevice : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { useBuiltSyclLibrary(); }

    void allAreListed() {
        WindowFixture f;
        QVERIFY(f.isShown());
        auto* const box = f.window.findChild<DeviceBox*>(QStringLiteral("device"));
        QVERIFY(box);
        QVERIFY(box->currentData().toString().startsWith(nameOf(testBackend()))); // such as sycl:0
        QSignalSpy listed(box, &DeviceBox::listed);
        box->showPopup();
        QVERIFY(!listed.empty() || listed.wait(120'000));
        box->hidePopup();
        QCOMPARE(box->count(), int(computeDevices().size()));
        QVERIFY(box->findData("cpu") >= 0);
        QVERIFY(box->currentData().toString().startsWith(nameOf(testBackend()))); // such as sycl:0
    }

    void anotherOneComputes_data() {
        QTest::addColumn<QString>("id");
        for (const char* id : {"cpu", "cuda", "sycl:0"})
            QTest::newRow(id) << QString(id);
    }
    void anotherOneComputes() {
        QFETCH(QString, id);
        const std::vector<ComputeDevice> devices = computeDevices();
        const auto device = std::ranges::find(devices, id.toStdString(), &ComputeDevice::id);
        if (device == devices.end())
            QSKIP("there is no such device here");
        WindowFixture f;
        QVERIFY(f.isShown());
        auto* const box = f.window.findChild<DeviceBox*>(QStringLiteral("device"));
        QSignalSpy listed(box, &DeviceBox::listed);
        box->showPopup();
        QVERIFY(!listed.empty() || listed.wait(120'000));
        box->hidePopup();
        synth::ScanParams params;
        params.points = 100'000;
        f.window.jobs().loader().openSample(params);
        QVERIFY(QTest::qWaitFor([&] { return bool(f.snapshot()); }, 60'000));
        QVERIFY(f.waitForRest());
        const SnapshotPtr before = f.snapshot();
        const int at = box->findData(id);
        QVERIFY(at >= 0);
        box->setCurrentIndex(at);
        emit box->activated(at);
        const std::string backend = nameOf(device->backend);
        QVERIFY(QTest::qWaitFor(
            [&] {
                const StageTiming* extract = f.snapshot()->timings.find("extract");
                return extract && extract->backend == backend && (f.snapshot() != before || id == "cpu");
            },
            120'000));
        QVERIFY(f.waitForRest());
        QVERIFY(areSame(*before, *f.snapshot()));
        QCOMPARE(box->currentData().toString(), id);
        // a slider moves on, and what runs can be cancelled
        Recipe recipe = f.window.jobs().runner().recipe();
        recipe.voxelSize = Vec3d{0.05, 0.05, 0.05};
        f.window.jobs().runner().setRecipe(recipe);
        QTest::qWait(30);
        f.window.jobs().runner().cancel();
        recipe.voxelSize = Vec3d{0.5, 0.5, 0.5};
        f.window.jobs().runner().setRecipe(recipe);
        QVERIFY(QTest::qWaitFor(
            [&] {
                const SnapshotPtr& s = f.snapshot();
                return !s->preview && s->recipe.voxelSize == recipe.voxelSize && s->picture;
            },
            60'000));
        QCOMPARE(f.snapshot()->timings.find("voxelize")->backend, backend);
    }
};

QTEST_MAIN(TestWindowDevice)
#include "test_window_device.moc"
