// The core of the device backend: probing, buffers, streams and timers. A machine without a device gets a
// message with the reason.
#include "kernels/core/buffer.h"
#include "kernels/core/device.h"
#include "kernels/core/transfer.h"
#include "kernels/core/vec3.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

using namespace scanloupe;

class TestCudaCore : public QObject {
    Q_OBJECT
private slots:
    void probeAlwaysAnswers() {
        const auto info = probeDevice();
        QCOMPARE(info.usable, info.reason.empty());
        if (info.usable) {
            QVERIFY(!info.name.empty());
            QVERIFY(info.major >= 7 && info.multiprocessors > 0);
            QVERIFY(info.freeBytes > 0 && info.freeBytes <= info.totalBytes);
            QVERIFY(info.driverVersion >= 1000 && info.runtimeVersion >= 1000);
        } else {
            QVERIFY2(QString::fromStdString(info.reason).contains("CPU backend"), info.reason.c_str());
            QVERIFY(info.reason.ends_with('.'));
        }
    }
    void withoutADeviceEverythingSaysSo() {
        if (probeDevice().usable)
            QSKIP("this machine has a device");
        for (int times = 0; times < 2; ++times) { // the second error must be reported as well
            try {
                const Stream stream;
                QFAIL("there is no device to have a stream on");
            } catch (const KernelError& error) {
                QVERIFY(*error.what() != 0 && !error.nextStep().empty());
            }
            QVERIFY_EXCEPTION_THROWN(Buffer<int>::in(MemorySpace::pinned, 16, StreamView(nullptr)),
                                     KernelError);
        }
    }
    void deviceMemoryNeedsAStream() { // throws a Fault, or a KernelError in a build without CUDA
        QVERIFY_EXCEPTION_THROWN(Buffer<int>::in(MemorySpace::device, 16, StreamView(nullptr)),
                                 std::exception);
        QVERIFY_EXCEPTION_THROWN(StreamView(nullptr).synchronize(), std::exception);
        QVERIFY_EXCEPTION_THROWN(EventTimer(StreamView(nullptr)), std::exception);
    }
    void roundTrip() {
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        auto values = Buffer<int>::host(1'000'003);
        std::iota(values.data(), values.data() + values.size(), 7);
        const auto pinned = values.copyTo(MemorySpace::pinned, stream);
        const auto device = pinned.copyTo(MemorySpace::device, stream);
        QVERIFY_EXCEPTION_THROWN(device.span(), Fault);
        const auto second = device.copyTo(MemorySpace::device, stream);
        for (const MemorySpace target : {MemorySpace::host, MemorySpace::pinned}) {
            const auto back = second.copyTo(target, stream);
            QVERIFY(std::equal(back.data(), back.data() + back.size(), values.data()));
        }
    }
    void
    // the threads share a ring of pinned memory, whose slots are reused many times
    largeUploadsOfSeveralThreads() {
        SCANLOUPE_NEEDS_CUDA();
        constexpr std::size_t size = 30'000'001; // 229 MiB, and no multiple of a slot
        constexpr int threads = 4;
        std::vector<std::uint64_t> wrong(threads);
        {
            std::vector<std::jthread> all;
            for (int t = 0; t < threads; ++t) {
                all.emplace_back([&wrong, t] {
                    const Stream stream;
                    auto values = Buffer<std::uint64_t>::host(size);
                    std::iota(values.data(), values.data() + size, std::uint64_t(t) << 40);
                    const auto device = values.copyTo(MemorySpace::device, stream);
                    std::fill(values.data(), values.data() + size, 0); // must not affect the copy
                    const auto back = device.copyTo(MemorySpace::host, stream);
                    for (std::size_t i = 0; i < size; ++i)
                        wrong[std::size_t(t)] += back[i] != (std::uint64_t(t) << 40) + i;
                });
            }
        }
        for (const std::uint64_t count : wrong)
            QCOMPARE(count, std::uint64_t{0});
    }
    void filledUploads_data() {
        QTest::addColumn<int>("size");
        for (const int size : {0, 1, 1000, 400'000, 5'000'003})
            QTest::addRow("%d", size) << size;
    }
    void filledUploads() { // elements of 12 bytes, which no slot size is a multiple of
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, size);
        const Stream stream;
        const auto value = [](std::size_t i) { return Vec3f{float(i % 1000), float(i / 1000), -1}; };
        const auto device = uploadFilled<Vec3f>(std::size_t(size), stream, {},
                                                [&](std::size_t first, std::span<Vec3f> piece) {
                                                    for (std::size_t i = 0; i < piece.size(); ++i)
                                                        piece[i] = value(first + i);
                                                });
        const auto back = device.copyTo(MemorySpace::host, stream);
        QCOMPARE(back.size(), std::size_t(size));
        for (std::size_t i = 0; i < back.size(); ++i)
            if (!(back[i] == value(i)))
                QFAIL(qPrintable(QString::number(i)));
    }
    void aCancelledUploadLeavesTheRing() {
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        for (int i = 0; i < 50; ++i) { // more often than the ring has slots
            std::stop_source stop;
            QVERIFY_EXCEPTION_THROWN(uploadFilled<int>(std::size_t{1} << 22, stream, stop.get_token(),
                                                       [&](std::size_t first, std::span<int> piece) {
                                                           std::fill(piece.begin(), piece.end(), 1);
                                                           if (first > 0)
                                                               stop.request_stop();
                                                       }),
                                     Cancelled);
        }
        const auto ones =
            uploadFilled<int>(std::size_t{1} << 22, stream, {}, [](std::size_t, std::span<int> piece) {
                std::fill(piece.begin(), piece.end(), 1);
            }).copyTo(MemorySpace::host, stream);
        QVERIFY(std::all_of(ones.data(), ones.data() + ones.size(), [](int one) { return one == 1; }));
    }
    void tooMuchMemoryNamesSizesAndTheWayOut() {
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        try {
            const auto buffer = Buffer<char>::in(MemorySpace::device, std::size_t{1} << 45, stream);
            QFAIL("no device has that much memory");
        } catch (const KernelError& error) {
            QVERIFY2(QString(error.what()).contains("33554432 MiB"), error.what());
            QVERIFY2(QString(error.what()).contains("free"), error.what());
            QVERIFY(QString::fromStdString(error.nextStep()).contains("voxel size"));
        }
        QVERIFY(!Buffer<char>::in(MemorySpace::device, 1 << 20, stream).empty()); // the device remains usable
        stream.view().synchronize();
    }
    void memoryIsFreed() {
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        const std::size_t most = probeDevice().freeBytes / 2;
        for (int i = 0; i < 16; ++i)
            QVERIFY(!Buffer<char>::in(MemorySpace::device, most, stream).empty());
        stream.view().synchronize();
    }
    void timerMeasures() {
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        const auto from = Buffer<char>::in(MemorySpace::device, std::size_t{256} << 20, stream);
        auto to = Buffer<char>::in(MemorySpace::device, from.size(), stream);
        EventTimer timer(stream);
        for (int i = 0; i < 4; ++i)
            detail::copyBytes(to.data(), MemorySpace::device, from.data(), MemorySpace::device, from.bytes(),
                              stream);
        timer.stop();
        QVERIFY(timer.elapsedMs() > 0.01 && timer.elapsedMs() < 10'000);
    }
    void spansOfStreamsHaveOneClock() {
        SCANLOUPE_NEEDS_CUDA();
        const Stream first, second;
        const auto from = Buffer<char>::in(MemorySpace::device, std::size_t{64} << 20, first);
        auto to = Buffer<char>::in(MemorySpace::device, from.size(), first);
        const EventTimer clock(first);
        const auto timed = [&](const Stream& stream) {
            EventTimer timer(stream);
            detail::copyBytes(to.data(), MemorySpace::device, from.data(), MemorySpace::device, from.bytes(),
                              stream);
            timer.stop();
            const DeviceSpan span = timer.spanSince(clock); // reading the span waits for the copy
            QTest::qSleep(5);
            return span;
        };
        const DeviceSpan before = timed(first), after = timed(second);
        QVERIFY(before.begin >= 0 && before.length() > 0 && after.length() > 0);
        QVERIFY(after.begin > before.end + 4 && after.begin < before.end + 60'000);
    }
};

SCANLOUPE_TEST(TestCudaCore)
#include "test_cuda_core.moc"
