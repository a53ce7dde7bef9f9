// Handles of results: where the data is, when it is copied, and which threads must not wait for a copy.
#include "engine/compute/device_or_host.h"
#include "tests/support/fake_stream.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <atomic>
#include <future>
#include <thread>

using namespace scanloupe;
using test::fakeStream;

namespace {

/// A result that counts its copies. A test can block a copy with `release`.
struct FakeResult {
    std::atomic<int>* copies = nullptr;
    std::shared_future<void> release = {}; ///< if valid: a copy waits for this future

    FakeResult download(StreamView) const {
        ++*copies;
        if (release.valid())
            release.wait();
        return {copies};
    }
};

} // namespace

class TestDeviceOrHost : public QObject {
    Q_OBJECT
private slots:
    void aResultOnTheDeviceIsCopiedOnce() {
        std::atomic<int> copies = 0;
        const DeviceOrHost<FakeResult> result({&copies}, fakeStream());
        QVERIFY(result.onDevice() && !result.hasHost());
        QVERIFY(result.bringToHost());
        QVERIFY(result.hasHost() && !result.bringToHost());
        QCOMPARE(&result.host(), &result.host());
        QCOMPARE(copies.load(), 1);
    }
    void aThreadThatMustAnswerCopiesNothing() {
        std::atomic<int> copies = 0;
        const DeviceOrHost<FakeResult> onDevice({&copies}, fakeStream()), onHost(FakeResult{&copies});
        {
            const NoDeviceCopyScope noCopies;
            QVERIFY_EXCEPTION_THROWN(onDevice.host(), Fault);
            {
                const NoDeviceCopyScope nested;
                QVERIFY_EXCEPTION_THROWN(onDevice.bringToHost(), Fault);
            }
            QVERIFY_EXCEPTION_THROWN(onDevice.bringToHost(), Fault);
            QCOMPARE(onHost.host().copies, &copies); // the result is already on the host
            QCOMPARE(copies.load(), 0);
            std::thread([&] { onDevice.bringToHost(); }).join(); // other threads may copy
            QCOMPARE(onDevice.host().copies, &copies);
            QCOMPARE(copies.load(), 1);
        }
        const DeviceOrHost<FakeResult> another({&copies}, fakeStream());
        QVERIFY(another.bringToHost()); // after the end of the scope, copies are allowed
    }
    void askingDoesNotWaitForACopy() {
        std::atomic<int> copies = 0;
        std::promise<void> release;
        const DeviceOrHost<FakeResult> result({&copies, release.get_future().share()}, fakeStream());
        std::thread copying([&] { result.bringToHost(); });
        while (copies == 0)
            std::this_thread::yield();
        auto asked = std::async(std::launch::async, [&] { return result.hasHost(); });
        const bool answered = asked.wait_for(std::chrono::seconds(5)) == std::future_status::ready;
        release.set_value();
        copying.join();
        QVERIFY(answered);
        QVERIFY(!asked.get());
        QVERIFY(result.hasHost());
    }
};

SCANLOUPE_TEST(TestDeviceOrHost)
#include "test_device_or_host.moc"
