// Runs the steps of a ScanAligner on separate threads: reading, alignment, evidence, and maps.
#include "engine/align/drive_aligner.h"

#include "engine/align/drive_item.h"
#include "engine/align/hidden_time.h"
#include "engine/align/read_ahead_budget.h"
#include "engine/align/scan_check.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/memory.h"
#include "engine/compute/side_by_side.h"
#include "kernels/core/cost.h"
#include "kernels/core/devices.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kMaxAhead = 8;              // scans that are begun and not settled
constexpr std::uint64_t kPointsAhead = 4'000'000; // of all scans that are begun; more would only take memory
constexpr std::uint64_t kBytesAhead = 1U << 29, kShareAhead = 8; // at most; 1 / 8 of what is available

/// A pipeline of threads: some read and prepare scans, one begins them, several judge and one settles them.
class DriveAligner {
public:
    DriveAligner(const AlignJob& job, const std::stop_token& stop)
        : m_job(job), m_stop(stop), m_bytes(std::min(kBytesAhead, availableHostMemory() / kShareAhead)),
          m_device(currentDevice()), m_aligner(job.params, job.backend, m_bytes),
          m_budget(job.scans.size(), m_bytes) {}

    AlignOutcome run() {
        const WallTimer timer;
        addFirst();
        const bool isAhead = m_aligner.canBeginAhead();
        const auto most = std::clamp<std::size_t>(std::size_t(parallelThreads()) / 2, 1, kMaxAhead);
        m_maxBegun = isAhead ? most : 1;
        m_maxWaiting = isAhead || m_job.reads > 1 ? std::max(most, m_job.reads) : 1;
        std::vector<std::function<void()>> functions;
        const auto addFunction = [&](void (DriveAligner::*work)()) {
            functions.push_back([this, work] { guarded(work); });
        };
        addFunction(&DriveAligner::alignAll);
        for (std::size_t i = 0; i < m_maxWaiting; ++i)
            addFunction(&DriveAligner::readAll);
        addFunction(&DriveAligner::settleAll);
        for (std::size_t i = 0; i < m_maxBegun; ++i)
            addFunction(&DriveAligner::judgeAll);
        runSideBySide(functions);
        m_outcome.params = m_aligner.params();
        m_outcome.times.wallMs = timer.elapsedMs();
        m_outcome.times.uploadHiddenMs = hiddenMs(m_uploads, std::move(m_works));
        return std::move(m_outcome);
    }

private:
    using State = DriveItem::State;
    using Lock = std::unique_lock<std::mutex>;

    std::optional<RigidTransform> startOf(std::size_t number) const {
        if (m_job.starts.size() == m_job.scans.size())
            return m_job.starts[number];
        if (number == 1 && m_job.starts.size() == 1)
            return m_job.starts.front();
        return std::nullopt;
    }

    void addFirst() {
        const WallTimer timer;
        const std::shared_ptr<const PointCloud> cloud = readScanOf(m_job, 0);
        m_outcome.times.readMs = timer.elapsedMs();
        m_budget.noteFile(0, m_job.scans[0], fileBytesOf(m_job.scans[0]));
        m_budget.noteScan(0, ReadAheadBudget::bytesOf(*cloud));
        m_check.emplace(*cloud);
        ScanAlignment first = m_aligner.add(*cloud, startOf(0), m_stop);
        report(0, alignedScan(m_job, 0, std::move(first), cloud));
    }

    void report(std::size_t number, AlignedScan scan) {
        m_outcome.scans.push_back(std::make_shared<const AlignedScan>(std::move(scan)));
        if (m_job.onAligned)
            m_job.onAligned(number, m_outcome.scans.back());
    }

    /// Runs the function of a thread on this job's device. If it throws, all other threads end.
    void guarded(void (DriveAligner::*work)()) {
        try {
            const DeviceScope device(m_device);
            (this->*work)();
        } catch (...) {
            const std::lock_guard lock(m_mutex);
            m_hasFailed = true;
            m_changed.notify_all();
            throw;
        }
    }
    /// Waits until a condition is true. @returns false if a thread has failed
    template <class Condition>
    bool waitFor(Lock& lock, Condition&& condition) {
        m_changed.wait(lock, [&] { return m_hasFailed || condition(); });
        return !m_hasFailed;
    }
    bool isDone() const { return m_settled == m_job.scans.size(); }
    std::size_t countOf(State state) const {
        return std::size_t(
            std::ranges::count(m_items, state, [](const DriveItemPtr& item) { return item->state; }));
    }

    void readAll() {
        Lock lock(m_mutex);
        while (const DriveItemPtr item = nextToRead(lock)) {
            lock.unlock();
            std::shared_ptr<const PointCloud> cloud = read(*item);
            lock.lock();
            item->state = State::read;
            item->bytes = cloud ? ReadAheadBudget::bytesOf(*cloud) : 0;
            if (cloud)
                m_budget.noteScan(item->number, item->bytes);
            m_changed.notify_all();
            if (!waitFor(lock, [&] { return m_nextAccepted == item->number; }))
                return;
            lock.unlock();
            if (cloud)
                accept(*item, *cloud);
            lock.lock();
            ++m_nextAccepted;
            m_changed.notify_all();
            lock.unlock();
            if (!item->error)
                prepare(*item, cloud);
            cloud.reset();
            lock.lock();
            item->state = State::prepared;
            if (!m_job.keepClouds)
                item->bytes = ReadAheadBudget::preparedBytes(item->points);
            m_changed.notify_all();
        }
    }
    /// Waits for room for one more scan. @returns null after the last scan, or if a thread has failed
    DriveItemPtr nextToRead(Lock& lock) {
        const auto isMeasured = [&] { return m_budget.isKnown(m_nextRead); };
        const auto isLast = [&] { return m_nextRead == m_job.scans.size(); };
        while (waitFor(lock, [&] { return isLast() || !isMeasured() || canRead(); }) && !isLast()) {
            if (isMeasured()) {
                const auto item = std::make_shared<DriveItem>();
                item->number = m_nextRead++;
                item->pending.start = startOf(item->number);
                item->bytes = m_budget.forecast(item->number);
                m_items.push_back(item);
                return item;
            }
            const std::size_t number = m_nextRead;
            lock.unlock();
            const std::uint64_t bytes = fileBytesOf(m_job.scans[number]);
            lock.lock();
            m_budget.noteFile(number, m_job.scans[number], bytes);
        }
        return nullptr;
    }
    /// Whether there is room for one more scan. Requires m_mutex to be held.
    bool canRead() const {
        const std::size_t reading = countOf(State::reading);
        const std::size_t waiting = reading + countOf(State::read) + countOf(State::prepared);
        std::uint64_t held = 0;
        for (const DriveItemPtr& item : m_items)
            held += item->bytes;
        return waiting == 0 ||
               (reading < m_job.reads && waiting < m_maxWaiting && m_budget.fits(m_nextRead, held));
    }
    /// @returns null if the scan can't be read
    std::shared_ptr<const PointCloud> read(DriveItem& item) const {
        const WallTimer timer;
        try {
            std::shared_ptr<const PointCloud> cloud = m_job.read(item.number);
            item.readMs = timer.elapsedMs();
            item.points = cloud->size();
            return cloud;
        } catch (const Error&) {
            item.fail(std::current_exception());
            return nullptr;
        }
    }
    void accept(DriveItem& item, const PointCloud& cloud) const {
        try {
            if (m_job.onRead)
                m_job.onRead(item.number, cloud);
        } catch (const Error&) {
            item.fail(std::current_exception());
        }
    }
    void prepare(DriveItem& item, const std::shared_ptr<const PointCloud>& cloud) const {
        try {
            m_check->require(*cloud);
            item.pending.scan = m_aligner.prepare(*cloud, m_stop);
            if (m_job.keepClouds)
                item.cloud = cloud;
        } catch (const Error&) {
            item.fail(std::current_exception());
        }
    }

    void alignAll() {
        Lock lock(m_mutex);
        for (;;) {
            const WallTimer timer;
            const bool isStarved = countOf(State::prepared) == 0;
            if (!waitFor(lock, [&] { return isDone() || m_isRewinding || next(); }) || isDone())
                return;
            if (m_isRewinding) {
                if (!rewound(lock))
                    return;
                continue;
            }
            m_outcome.times.waitMs += isStarved ? timer.elapsedMs() : 0;
            const DriveItemPtr item = next();
            item->pending.isAhead = m_maxBegun > 1;
            lock.unlock();
            const bool isBegun = begun(*item);
            lock.lock();
            if (!isBegun && !begunAlone(lock, *item))
                return;
            if (!m_isRewinding) // otherwise the item is begun again after the rewind
                item->state = State::begun;
            m_changed.notify_all();
        }
    }
    /// Returns the next item in order if it can be begun, otherwise null.
    DriveItemPtr next() const {
        const auto item =
            std::ranges::find_if(m_items, [](const DriveItemPtr& i) { return i->state <= State::prepared; });
        if (item == m_items.end() || (*item)->state < State::prepared)
            return nullptr;
        const auto begun = std::size_t(item - m_items.begin());
        if (begun >= m_maxBegun || (begun > 0 && !m_items[begun - 1]->pending.isAhead))
            return nullptr;
        std::uint64_t points = 0;
        for (std::size_t i = 0; i <= begun; ++i)
            points += m_items[i]->points;
        return begun == 0 || points <= kPointsAhead ? *item : nullptr;
    }
    /// Begins an item. @returns false if the item has to be begun again after all previous items are settled
    bool begun(DriveItem& item) {
        try {
            return m_aligner.begin(item.pending, m_stop);
        } catch (const Error&) {
            if (item.pending.isAhead)
                return false; // a wrong pose of a previous item may be the cause
            item.fail(std::current_exception());
            return m_aligner.begin(item.pending, m_stop);
        }
    }
    /// Begins an item after all previous items are settled. @returns false if a thread has failed
    bool begunAlone(Lock& lock, DriveItem& item) {
        if (!waitFor(lock, [&] { return m_isRewinding || m_items.front().get() == &item; }))
            return false;
        if (m_isRewinding)
            return true;
        m_aligner.rewind();
        item.pending.isAhead = false;
        lock.unlock();
        begun(item);
        lock.lock();
        return true;
    }
    /// Resets all items that were aligned to a pose that turned out not to be right, so that they are begun
    /// again. @returns false if a thread has failed
    bool rewound(Lock& lock) {
        if (!waitFor(lock, [&] { return countOf(State::judging) == 0; }))
            return false;
        m_aligner.rewind();
        for (const DriveItemPtr& item : m_items) {
            if (item->state <= State::prepared)
                continue;
            item->state = State::prepared;
            if (item->pending.scan)
                item->error = nullptr;
        }
        m_isRewinding = false;
        m_changed.notify_all();
        return true;
    }

    void judgeAll() {
        Lock lock(m_mutex);
        for (;;) {
            const auto begun = [&] {
                return std::ranges::find(m_items, State::begun,
                                         [](const DriveItemPtr& i) { return i->state; });
            };
            if (!waitFor(lock, [&] { return isDone() || (!m_isRewinding && begun() != m_items.end()); }) ||
                isDone())
                return;
            const DriveItemPtr item = *begun();
            item->state = State::judging;
            lock.unlock();
            std::exception_ptr error;
            try {
                m_aligner.judge(item->pending, m_stop);
            } catch (const Error&) {
                error = std::current_exception();
            }
            lock.lock();
            if (error && !m_isRewinding)
                item->error = error; // settleAll() excludes the scan
            item->state = State::judged;
            m_changed.notify_all();
        }
    }

    void settleAll() {
        Lock lock(m_mutex);
        while (m_settled < m_job.scans.size()) {
            if (!waitFor(lock, [&] {
                    return !m_isRewinding && !m_items.empty() && m_items.front()->state == State::judged;
                }))
                return;
            const DriveItemPtr item = m_items.front();
            lock.unlock();
            const bool isAsAssumed = settled(*item);
            report(item->number, outcomeOf(*item));
            lock.lock();
            m_items.pop_front();
            ++m_settled;
            addTimes(*item);
            m_isRewinding = !isAsAssumed && item->pending.isAhead;
            m_outcome.times.rewinds += m_isRewinding;
            m_changed.notify_all();
        }
    }
    bool settled(DriveItem& item) {
        try {
            if (!item.error || !item.pending.scan)
                return m_aligner.settle(item.pending, m_stop);
        } catch (const Error&) {
            item.error = std::current_exception();
        }
        item.fail(item.error);
        ScanAlignment assumed;
        assumed.start = assumed.pose = item.pending.alignment.start;
        item.pending.alignment = std::move(assumed);
        m_aligner.settle(item.pending, m_stop);
        return false;
    }
    AlignedScan outcomeOf(DriveItem& item) const {
        if (!item.error)
            return alignedScan(m_job, item.number, std::move(item.pending.alignment), item.cloud);
        try {
            std::rethrow_exception(item.error);
        } catch (const Error& error) {
            return failedScan(m_job, item.number, error, item.pending.alignment.pose);
        }
    }
    void addTimes(const DriveItem& item) {
        const ScanAlignment& scan = m_outcome.scans.back()->alignment;
        AlignTimes& times = m_outcome.times;
        times.readMs += item.readMs;
        times.prepareMs += scan.prepareMs;
        times.uploadMs += scan.uploadMs;
        times.alignMs += scan.alignMs;
        times.evidenceMs += scan.evidenceMs;
        times.mapMs += scan.mapMs;
        m_uploads.push_back(item.pending.upload);
        m_works.push_back(item.pending.work);
    }

    const AlignJob& m_job;
    const std::stop_token& m_stop;
    std::uint64_t m_bytes; ///< see kBytesAhead
    int m_device;
    ScanAligner m_aligner;
    std::optional<ScanCheck> m_check;
    std::size_t m_maxBegun = 1, m_maxWaiting = 1; ///< maximum numbers of scans: not settled; not begun
    std::mutex m_mutex;                           ///< guards all members below, except for m_outcome.scans
    std::condition_variable m_changed;
    ReadAheadBudget m_budget;
    std::size_t m_nextRead = 1, m_nextAccepted = 1; ///< scans; onRead() is next for the second
    std::deque<DriveItemPtr> m_items;               ///< in the order of the scans
    std::size_t m_settled = 1;                      ///< number of settled scans
    bool m_isRewinding = false;                     ///< later items rely on a pose that is not right
    bool m_hasFailed = false;                       ///< a thread has ended by an exception
    AlignOutcome m_outcome;
    std::vector<DeviceSpan> m_uploads, m_works; ///< upload and work of the settled scans
};

} // namespace

AlignOutcome alignInTurn(const AlignJob& job, const std::stop_token& stop) {
    return DriveAligner(job, stop).run();
}

} // namespace scanloupe
