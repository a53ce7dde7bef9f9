// The queue between the thread that reads a survey and those that compute its tiles.
#include "engine/compute/side_by_side.h"
#include "engine/survey/tiles/tile_queue.h"
#include "tests/support/test_support.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

using namespace scanloupe;

class TestTileQueue : public QObject {
    Q_OBJECT
private slots:
    void readersWaitForRoom() {
        TileQueue queue;
        queue.push(7, 60);
        queue.push(8, 50);
        queue.push(9, 10);
        queue.waitForRoom(120, {}); // returns at once
        std::atomic<bool> hasRoom = false;
        bool wasEarly = true;
        const std::function<void()> reader = [&] {
            queue.waitForRoom(59, {});
            hasRoom = true;
        };
        const std::function<void()> worker = [&] {
            const auto first = queue.pop({}); // 60 points are left
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            wasEarly = hasRoom || first != std::size_t{7};
            queue.pop({});
        };
        const std::function<void()> functions[] = {reader, worker};
        runSideBySide(functions);
        QVERIFY(hasRoom && !wasEarly);
        // tiles that are being computed don't count
        QVERIFY(queue.pop({}) == std::size_t{9});
        queue.waitForRoom(0, {});
    }

    void waitingForRoomEnds() {
        TileQueue queue;
        queue.push(0, 1);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(queue.waitForRoom(0, stop.get_token()), Cancelled);
        queue.fail();
        queue.waitForRoom(0, {}); // returns, because no worker will take the tile any more
    }
};

SCANLOUPE_TEST(TestTileQueue)
#include "test_tile_queue.moc"
