// Functions that run at the same time, also if the system refuses to create threads.
#include "engine/cloud/error.h"
#include "engine/compute/side_by_side.h"
#include "tests/support/test_support.h"

#include <QTest>
#include <atomic>
#include <fstream>
#include <pthread.h>
#include <stdexcept>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// During its lifetime, new threads get stacks of 64 MiB, and the process may allocate another 224 MiB:
/// enough for three such threads.
class RoomForThreeThreads {
public:
    RoomForThreeThreads() {
        constexpr std::size_t mib = std::size_t{1} << 20;
        pthread_getattr_default_np(&m_attributes);
        pthread_attr_t large = m_attributes;
        pthread_attr_setstacksize(&large, 64 * mib);
        pthread_setattr_default_np(&large);
        getrlimit(RLIMIT_AS, &m_limit);
        std::uint64_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        struct rlimit limit = m_limit;
        limit.rlim_cur = pages * std::uint64_t(sysconf(_SC_PAGESIZE)) + 224 * mib;
        setrlimit(RLIMIT_AS, &limit);
    }
    ~RoomForThreeThreads() {
        setrlimit(RLIMIT_AS, &m_limit);
        pthread_setattr_default_np(&m_attributes);
        pthread_attr_destroy(&m_attributes);
    }
    RoomForThreeThreads(const RoomForThreeThreads&) = delete;
    RoomForThreeThreads& operator=(const RoomForThreeThreads&) = delete;

private:
    pthread_attr_t m_attributes{};
    struct rlimit m_limit {};
};

} // namespace

class TestSideBySide : public QObject {
    Q_OBJECT
private slots:
    void functionsMayWaitForEachOther() {
        std::atomic<int> arrived{0};
        const auto meet = [&] {
            ++arrived;
            arrived.notify_all();
            for (int seen = arrived; seen < 4; seen = arrived)
                arrived.wait(seen);
        };
        runSideBySide(std::vector<std::function<void()>>(4, meet));
        QCOMPARE(arrived.load(), 4);
        runSideBySide({});
    }
    void theFirstExceptionIsThrownAfterAllHaveEnded() {
        std::atomic<int> ended{0};
        std::vector<std::function<void()>> functions(3, [&] { ++ended; });
        functions.push_back([] { throw std::runtime_error("one"); });
        QVERIFY_EXCEPTION_THROWN(runSideBySide(functions), std::runtime_error);
        QCOMPARE(ended.load(), 3);
    }
    /// If a thread is missing, a function that waits for another one would wait forever.
    void noneRunsIfAThreadCannotBeStarted() {
        std::atomic<int> begun{0};
        const std::vector<std::function<void()>> functions(12, [&] { ++begun; });
        {
            const RoomForThreeThreads room;
            QVERIFY_EXCEPTION_THROWN(runSideBySide(functions), EngineError);
        }
        QCOMPARE(begun.load(), 0);
        runSideBySide(functions);
        QCOMPARE(begun.load(), 12);
    }
};

SCANLOUPE_TEST(TestSideBySide)
#include "test_side_by_side.moc"
