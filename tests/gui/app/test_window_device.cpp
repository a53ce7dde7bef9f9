// The choice of the device that computes, in the window.
#include "engine/results/snapshot.h"
#include "gui/controllers/device_controller.h"
#include "gui/panels/device_box.h"
#include "gui/panels/job_status.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/support/sycl_library.h"

#include <QElapsedTimer>
#include <QTemporaryFile>
#include <QToolButton>

#include <algorithm>
#include <cstring>
#include <future>
#include <optional>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// Compares on another thread: the GUI thread must not copy from a device.
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

void addDevices() {
    QTest::addColumn<QString>("id");
    for (const char* id : {"cpu", "cuda", "sycl:0"})
        QTest::newRow(id) << QString(id);
}

std::optional<ComputeDevice> deviceNamed(const QString& id) {
    const std::vector<ComputeDevice> devices = computeDevices();
    const auto device = std::ranges::find(devices, id.toStdString(), &ComputeDevice::id);
    return device == devices.end() ? std::nullopt : std::optional(*device);
}

bool openSample(WindowFixture& f, std::size_t points) {
    synth::ScanParams params;
    params.points = points;
    if (!f.isShown())
        return false;
    f.window.jobs().loader().openSample(params);
    return QTest::qWaitFor([&] { return bool(f.snapshot()); }, 60'000) && f.waitForRest();
}

/// Chooses a device from the list, as a user does.
bool choose(WindowFixture& f, const QString& id) {
    auto* const box = f.window.findChild<DeviceBox*>(QStringLiteral("device"));
    QSignalSpy listed(box, &DeviceBox::listed);
    box->showPopup();
    if (listed.empty() && !listed.wait(120'000))
        return false;
    box->hidePopup();
    const int at = box->findData(id);
    if (at < 0)
        return false;
    box->setCurrentIndex(at);
    emit box->activated(at);
    return true;
}

void setVoxels(WindowFixture& f, double edge) {
    Recipe recipe = f.window.jobs().runner().recipe();
    recipe.voxelSize = Vec3d{edge, edge, edge};
    f.window.jobs().runner().setRecipe(recipe);
}

/// The time until the window has complete results with voxels of this edge; -1 if they don't arrive.
double msOfVoxels(WindowFixture& f, double edge) {
    QElapsedTimer timer;
    timer.start();
    setVoxels(f, edge);
    const bool came = QTest::qWaitFor(
        [&] {
            const SnapshotPtr& s = f.snapshot();
            return !s->preview && s->recipe->voxelSize == Vec3d{edge, edge, edge} && s->picture;
        },
        60'000);
    return came ? double(timer.nsecsElapsed()) / 1e6 : -1;
}

} // namespace

class TestWindowDevice : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { useBuiltSyclLibrary(); }
    void init() { QSettings().clear(); }

    void allDevicesAreListed() {
        WindowFixture f;
        QVERIFY(f.isShown());
        auto* const box = f.window.findChild<DeviceBox*>(QStringLiteral("device"));
        QVERIFY(box);
        QVERIFY(box->currentData().toString().startsWith(nameOf(testBackend()))); // for example, sycl:0
        QSignalSpy listed(box, &DeviceBox::listed);
        box->showPopup();
        QVERIFY(!listed.empty() || listed.wait(120'000));
        box->hidePopup();
        QCOMPARE(box->count(), int(computeDevices().size()));
        QVERIFY(box->findData("cpu") >= 0);
        QVERIFY(box->currentData().toString().startsWith(nameOf(testBackend()))); // for example, sycl:0
    }

    void chosenDeviceComputes_data() { addDevices(); }
    void chosenDeviceComputes() {
        QFETCH(QString, id);
        const auto device = deviceNamed(id);
        if (!device)
            QSKIP("there is no such device here");
        WindowFixture f;
        QVERIFY(openSample(f, 100'000));
        const SnapshotPtr before = f.snapshot();
        auto* const box = f.window.findChild<DeviceBox*>(QStringLiteral("device"));
        const bool isOther = box->currentData().toString() != id;
        QVERIFY(choose(f, id));
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
        QVERIFY(msOfVoxels(f, 0.5) >= 0); // the device runs again after a slider has moved
        QCOMPARE(f.snapshot()->timings.find("voxelize")->backend, backend);
        if (!isOther)
            return;
        // the next start uses the same device, unless another one is requested
        const BackendRequest next = rememberedDevice();
        if (id.toStdString() == computeDevices().front().id)
            QVERIFY(next.backend == Backend::automatic && next.device.empty());
        else
            QVERIFY(id == "cpu" ? next.backend == Backend::cpu : next.device == id.toStdString());
    }

    void nextStartUsesTheRememberedDevice() {
        const auto isAutomatic = [] {
            return deviceOf(chooseBackend(rememberedDevice())).id == computeDevices().front().id;
        };
        QVERIFY(isAutomatic());
        rememberDevice({Backend::sycl, "sycl:99", "one that is gone", {}});
        QVERIFY(isAutomatic());
        if (deviceNamed("sycl:0")) {
            rememberDevice({Backend::sycl, "sycl:0", "another card", {}});
            QVERIFY(isAutomatic());
        }
        rememberDevice(computeDevices().back()); // the CPU, or the last SYCL device
        rememberDevice(computeDevices().front());
        QVERIFY(isAutomatic());
    }

    /// Loading SYCL and testing its devices takes seconds: the window does not wait for it.
    void theWindowIsThereBeforeSyclIsTested() {
        QVERIFY(!loadsSycl(Backend::cpu) && !loadsSycl(Backend::cuda));
        BackendRequest cpu;
        cpu.device = "CPU";
        QVERIFY(!loadsSycl(cpu));
        const bool isBuilt = hasSyclLibrary();
        QTemporaryFile broken;
        QVERIFY(broken.open());
        if (!isBuilt)
            qputenv("SCANLOUPE_SYCL_LIBRARY", QFile::encodeName(broken.fileName()));
        QVERIFY(loadsSycl(Backend::sycl));
        Theme theme;
        MainWindow window(Backend::sycl, theme);
        QSignalSpy refused(&window.device(), &DeviceController::refused);
        QVERIFY(window.device().isSeeking());
        QVERIFY(window.jobs().runner().backend().backend == Backend::cpu);
        bool isReady = false;
        window.device().whenReady([&] { isReady = true; });
        QVERIFY(!isReady);
        QTRY_VERIFY_WITH_TIMEOUT(!window.device().isSeeking(), 120'000);
        QVERIFY(isReady != (refused.size() == 1)); // a rejected backend opens no file
        if (!isBuilt)
            qunsetenv("SCANLOUPE_SYCL_LIBRARY");
        const Backend used = window.jobs().runner().backend().backend;
        QVERIFY(refused.size() == 1 ? used == Backend::cpu : used == Backend::sycl);
        QVERIFY(isBuilt || refused.size() == 1);
    }

    /// A program whose backend is rejected exits without opening a file, unless another device was selected
    /// meanwhile.
    void onlyWhatIsStillWantedIsRefused() {
        const bool isBuilt = hasSyclLibrary();
        QTemporaryFile broken;
        QVERIFY(broken.open());
        if (!isBuilt)
            qputenv("SCANLOUPE_SYCL_LIBRARY", QFile::encodeName(broken.fileName()));
        BackendRequest none;
        none.device = "no such device";
        for (const bool isOtherChosen : {false, true}) {
            Theme theme;
            MainWindow window(none, theme);
            QSignalSpy refused(&window.device(), &DeviceController::refused);
            QVERIFY(window.device().isSeeking());
            bool isReady = false;
            window.device().whenReady([&] { isReady = true; });
            if (isOtherChosen)
                emit window.findChild<DeviceBox*>(QStringLiteral("device"))->chosen(QStringLiteral("cpu"));
            QTRY_VERIFY_WITH_TIMEOUT(isReady || !refused.empty(), 120'000);
            QCOMPARE(isReady, isOtherChosen);
            QCOMPARE(refused.size(), isOtherChosen ? 0 : 1);
            QVERIFY(!window.device().isSeeking());
            QVERIFY(window.jobs().runner().backend().backend == Backend::cpu);
        }
        if (!isBuilt)
            qunsetenv("SCANLOUPE_SYCL_LIBRARY");
    }

    /// Time from the click on Cancel to the results of a coarse recipe, compared with their time alone.
    void cancelStopsAtOnce_data() { addDevices(); }
    void cancelStopsAtOnce() {
        QFETCH(QString, id);
        if (!deviceNamed(id))
            QSKIP("there is no such device here");
        WindowFixture f;
        QVERIFY(openSample(f, 1'000'000));
        QVERIFY(choose(f, id));
        QVERIFY(f.waitForRest());
        auto random = seededRandom("cancelStopsAtOnce");
        std::vector<double> stops;
        for (int round = 0; round < 9; ++round) {
            const double alone = msOfVoxels(f, 2.0 + 0.02 * round);
            QVERIFY(alone >= 0 && f.waitForRest());
            setVoxels(f, 0.03 + 0.0002 * round); // a run that takes seconds on a CPU
            auto* const status = f.window.findChild<JobStatus*>();
            if (!QTest::qWaitFor([&] { return status->isShown(); }, 2000))
                QSKIP("a run is over before it could be cancelled");
            QTest::qWait(int(random() % 400));
            QTest::mouseClick(status->cancelButton(), Qt::LeftButton);
            QVERIFY(!f.window.jobs().runner().isBusy());
            const double after = msOfVoxels(f, 2.01 + 0.02 * round);
            QVERIFY(after >= 0);
            stops.push_back(after - alone);
        }
        std::ranges::sort(stops);
        qInfo("%s: stops %.0f ms after the click, at most %.0f", qPrintable(id), stops[stops.size() / 2],
              stops.back());
        QVERIFY(stops[stops.size() / 2] < 100);
    }

private:
    ScratchSettings m_settings;
};

SCANLOUPE_TEST_IN(QApplication, TestWindowDevice)
#include "test_window_device.moc"
