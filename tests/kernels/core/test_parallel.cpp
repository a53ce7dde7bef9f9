#include "kernels/core/buffer.h"
#include "kernels/core/parallel.h"
#include "tests/support/test_support.h"

#include <atomic>
#include <numeric>
#include <thread>

using namespace scanloupe;

class TestParallel : public QObject {
    Q_OBJECT
private slots:
    void chunksCoverEachItemOnce() {
        for (const std::size_t count : {0u, 1u, 7u, 64u, 1000u}) {
            std::vector<int> seen(count, 0);
            parallelFor(count, 7, {}, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                    ++seen[i];
            });
            QVERIFY(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
        }
    }
    void reduceJoinsInOrder() {
        const auto text = parallelReduce(
            1000, 10, {}, std::string(),
            [](std::size_t begin, std::size_t) { return std::to_string(begin) + ","; },
            [](const std::string& a, const std::string& b) { return a + b; });
        std::string expected;
        for (int i = 0; i < 1000; i += 10)
            expected += std::to_string(i) + ",";
        QCOMPARE(text, expected);
    }
    void firstExceptionArrives() {
        QVERIFY_EXCEPTION_THROWN(parallelFor(100, 1, {},
                                             [](std::size_t begin, std::size_t) {
                                                 if (begin == 42)
                                                     throw KernelError("x", "y");
                                             }),
                                 KernelError);
    }
    void stopEndsTheLoop() {
        std::stop_source source;
        std::atomic<int> chunks{0};
        const auto run = [&] {
            parallelFor(100000, 1, source.get_token(), [&](std::size_t, std::size_t) {
                if (++chunks == 10)
                    source.request_stop();
            });
        };
        QVERIFY_EXCEPTION_THROWN(run(), Cancelled);
        QVERIFY(chunks < 1000);
    }
    void scanIsExclusive() {
        std::vector<int> values{3, 0, 2, 5};
        QCOMPARE(exclusiveScan(std::span<int>(values)), 10);
        QCOMPARE(values, (std::vector<int>{0, 3, 3, 5}));
    }
    void sortIsStable_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("bits");
        QTest::newRow("empty") << 0 << 64;
        QTest::newRow("few keys") << 400000 << 3;
        QTest::newRow("wide keys") << 300001 << 64;
        QTest::newRow("odd number of passes") << 300001 << 24;
    }
    void sortIsStable() {
        QFETCH(int, count);
        QFETCH(int, bits);
        auto random = test::seededRandom("sortIsStable");
        std::vector<KeyIndex> items(static_cast<std::size_t>(count)), scratch(items.size());
        for (std::size_t i = 0; i < items.size(); ++i)
            items[i] = {bits == 64 ? random() : random() & ((std::uint64_t{1} << bits) - 1), i};
        auto expected = items;
        std::stable_sort(expected.begin(), expected.end(),
                         [](const KeyIndex& a, const KeyIndex& b) { return a.key < b.key; });
        if (bits <= 32) { // narrow items must be sorted into the same order
            std::vector<KeyIndex32> narrow(items.size()), narrowScratch(items.size());
            for (std::size_t i = 0; i < items.size(); ++i)
                narrow[i] = {std::uint32_t(items[i].key), std::uint32_t(i)};
            parallelSortByKey(narrow, narrowScratch, bits, {});
            QVERIFY(std::equal(
                narrow.begin(), narrow.end(), expected.begin(), expected.end(),
                [](const KeyIndex32& a, const KeyIndex& b) { return a.key == b.key && a.index == b.index; }));
        }
        parallelSortByKey(items, scratch, bits, {});
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (items[i].key != expected[i].key || items[i].index != expected[i].index)
                QFAIL(qPrintable(QString("item %1 differs").arg(i)));
        }
    }
    void bufferSaysWhatItCouldNotHave() {
        try {
            auto buffer = Buffer<double>::host(std::size_t{1} << 58);
            QFAIL("that much memory can't be");
        } catch (const KernelError& error) {
            QVERIFY(QString(error.what()).contains("MiB"));
            QVERIFY(!error.nextStep().empty());
        }
        QVERIFY_EXCEPTION_THROWN(Buffer<double>::host(SIZE_MAX / 4), KernelError);
    }

    void flagsOfChunksDoNotMeet() {
        // parts of one bit each would share bytes, and be lost
        for (int round = 0; round < 50; ++round) {
            const bool odd = parallelReduce(
                20'001, 1, {}, false, [](std::size_t, std::size_t) { return true; },
                [](bool a, bool b) { return a != b; });
            QVERIFY(odd);
        }
    }
};

SCANLOUPE_TEST(TestParallel)
#include "test_parallel.moc"
