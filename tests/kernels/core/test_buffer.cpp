// Host memory of buffers: aligned, writable to the last byte, and reused after it was freed.
#include "kernels/core/buffer.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <vector>

#ifdef __linux__
#include <malloc.h>
#endif

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if __GLIBC_PREREQ(2, 33)
#define SCANLOUPE_TEST_HEAP
#endif
#endif

using namespace scanloupe;
using namespace scanloupe::test;

class TestBuffer : public QObject {
    Q_OBJECT
private slots:
    void hostMemoryIsAligned() {
        auto random = seededRandom("sizes");
        std::vector<Buffer<std::uint8_t>> kept; // the buffers stay alive, so that their addresses differ
        std::vector<std::uint8_t> values;
        for (int turn = 0; turn < 500; ++turn) {
            const std::size_t size = turn < 150 ? std::size_t(turn) + 1 : 1 + random() % 300'000;
            auto buffer = Buffer<std::uint8_t>::host(size);
            QCOMPARE(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, std::uintptr_t{0});
            values.push_back(std::uint8_t(random()));
            std::ranges::fill(buffer.span(), values.back());
            kept.push_back(std::move(buffer));
        }
        for (std::size_t i = 0; i < kept.size(); ++i) // no buffer overlaps another one or its offset
            QVERIFY(std::ranges::count(kept[i].span(), values[i]) == std::ptrdiff_t(kept[i].size()));
    }

    void sizesThatDoNotFitAreReported() {
        constexpr std::size_t max = std::numeric_limits<std::size_t>::max();
        for (const std::size_t size : {max, max - 63, max - 64, max / 2})
            QVERIFY_EXCEPTION_THROWN(Buffer<std::uint8_t>::host(size), KernelError);
        QVERIFY_EXCEPTION_THROWN(Buffer<std::uint64_t>::host(max / 4), KernelError);
        QVERIFY(Buffer<std::uint64_t>::host(0).data() == nullptr);
    }

    /// Freed memory fits arrays of the same size again, although small objects in the gaps of their alignment
    /// are in use.
    void freedMemoryIsReused() {
#ifdef SCANLOUPE_TEST_HEAP
        constexpr std::size_t count = 200, size = 100'000; // bytes: allocated in the heap, not by mmap
        const auto heapBytes = [] { return mallinfo2().arena + mallinfo2().hblkhd; };
        std::vector<Buffer<std::uint8_t>> arrays(count);
        std::deque<std::unique_ptr<std::uint64_t>> between;
        for (Buffer<std::uint8_t>& array : arrays) {
            array = Buffer<std::uint8_t>::host(size);
            for (int i = 0; i < 4; ++i)
                between.push_back(std::make_unique<std::uint64_t>(1));
        }
        const std::size_t before = heapBytes();
        for (int turn = 0; turn < 3; ++turn) {
            for (Buffer<std::uint8_t>& array : arrays)
                array = {};
            for (Buffer<std::uint8_t>& array : arrays)
                array = Buffer<std::uint8_t>::host(size);
        }
        const std::size_t after = heapBytes();
        QVERIFY2(after < before + count * size / 20,
                 qPrintable(QString("%1 bytes, then %2").arg(before).arg(after)));
#else
        QSKIP("the C library does not report its heap");
#endif
    }
};

SCANLOUPE_TEST(TestBuffer)
#include "test_buffer.moc"
