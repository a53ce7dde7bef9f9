#pragma once
// Defines the queue of a SYCL device with the interface that kernels/sycl/chain expects. For sources of the
// SYCL compiler only.
#include "kernels/core/cost.h"
#include "kernels/core/error.h"
#include "kernels/sycl/chain/late_errors.h"
#include "kernels/sycl/chain/queue_memory.h"

#include <cstddef>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <sycl/sycl.hpp>
#include <unordered_map>

namespace scanloupe {

/// An in-order queue of kernels. Released memory is reused by kernels that are queued later, so that
/// releasing does not wait; trim() returns unused memory to the system. On a GPU a second queue prefetches
/// shared memory from the host.
class SyclQueue {
public:
    explicit SyclQueue(const sycl::device& device)
        : m_queue(device, handler(), properties(device)), m_isCpu(device.is_cpu()) {
        if (!m_isCpu)
            m_prefetchQueue.emplace(m_queue.get_context(), device, handler(), properties(device));
    }
    ~SyclQueue() { trim(); }
    SyclQueue(const SyclQueue&) = delete;
    SyclQueue& operator=(const SyclQueue&) = delete;

    void begin(const std::stop_token& stop) { m_stop = stop; }
    bool isGpu() const { return !m_isCpu; }

    template <class Body>
    void forEach(std::size_t count, Body body) {
        inPieces(count, [&](std::size_t first, std::size_t items) { submit(first, items, body); });
    }
    template <class Body>
    void forEachCoarsened(std::size_t count, Body body) {
        if (!m_isCpu)
            return submit(0, count, body);
        inPieces(count, [&](std::size_t first, std::size_t items) {
            const std::size_t end = first + items;
            submit(0, (items + kCoarsening - 1) / kCoarsening, [=](std::size_t group) {
                std::size_t i = first + group * kCoarsening;
                for (const std::size_t last = i + kCoarsening < end ? i + kCoarsening : end; i < last; ++i)
                    body(i);
            });
        });
    }
    /// Waits for all queued work. @throws SyclFailure for any error on the device since the last call
    void wait() {
        m_queue.wait_and_throw();
        if (const std::string late = m_lateErrors.take(); !late.empty())
            throw SyclFailure(late, "Use the CPU (--backend cpu).");
    }
    /// Throws Cancelled if a stop was requested. Waits first, since queued kernels may use memory that the
    /// exception frees.
    void throwIfStopped() {
        if (!m_stop.stop_requested())
            return;
        waitForKernels();
        throw Cancelled();
    }

    void* allocate(std::size_t bytes) {
        const auto found = m_free.lower_bound(bytes);
        if (found != m_free.end() && found->first <= 2 * bytes + kSmall) {
            void* const memory = found->second;
            m_sizes[memory] = found->first;
            m_free.erase(found);
            return memory;
        }
        const auto made = [&] { return orNull(sycl::malloc_device(bytes, m_queue)); };
        void* memory = made();
        if (!memory) {
            trim(); // the free blocks may have other sizes
            memory = made();
        }
        if (!memory)
            failOutOfMemory(bytes);
        m_sizes[memory] = bytes;
        return memory;
    }
    void release(void* memory) noexcept {
        const auto found = m_sizes.find(memory);
        try {
            m_free.emplace(found->second, memory);
        } catch (const std::bad_alloc&) {
            waitForKernels();
            sycl::free(memory, m_queue);
        }
        m_sizes.erase(found);
    }
    /// Returns unused memory to the system.
    void trim() noexcept {
        waitForKernels();
        for (const auto& [bytes, memory] : m_free)
            sycl::free(memory, m_queue);
        m_free.clear();
        const std::lock_guard lock(m_sharedMutex);
        waitForPrefetches();
        for (const auto& [bytes, memory] : m_freeShared) {
            m_sharedSizes.erase(memory);
            sycl::free(memory, m_queue);
        }
        m_freeShared.clear();
        m_freeSharedBytes = 0;
    }
    std::uint64_t freeBytes() const {
        std::uint64_t sum = 0;
        for (const auto& [bytes, memory] : m_free)
            sum += bytes;
        return sum;
    }

    /// Returns whether kernels can read the memory. A CPU reads all host memory; a GPU only memory that was
    /// allocated for it.
    bool reaches(const void* memory) const {
        return m_isCpu || sycl::get_pointer_type(memory, m_queue.get_context()) != sycl::usm::alloc::unknown;
    }
    void copy(void* to, const void* from, std::size_t bytes) {
        if (bytes > 0)
            enqueue([&] { m_queue.memcpy(to, from, bytes); });
    }
    void clear(void* memory, std::size_t bytes) {
        enqueue([&] { m_queue.memset(memory, 0, bytes); });
    }

    /// Allocates a Buffer in shared memory. Freed buffers are reused, since allocating shared memory takes a
    /// GPU's driver longer than most kernels.
    template <class T>
    Buffer<T> shared(std::size_t count) {
        if (count == 0)
            return {};
        const std::size_t bytes = count * sizeof(T);
        void* memory = takeShared(bytes);
        if (!memory) {
            const auto made = [&] { return orNull(sycl::malloc_shared(bytes, m_queue)); };
            memory = made();
            if (!memory) {
                trim();
                memory = made();
            }
            if (!memory)
                failOutOfMemory(bytes);
            try {
                const std::lock_guard lock(m_sharedMutex);
                m_sharedSizes[memory] = bytes;
            } catch (const std::bad_alloc&) {
                waitForKernels();
                sycl::free(memory, m_queue);
                throw;
            }
            if (!m_isCpu)
                // prefetches before the kernels run, which would otherwise cause a page fault per page
                prefetch(m_queue, memory, bytes);
        }
        return Buffer<T>::adopt(
            static_cast<T*>(memory), count,
            [](void* data, void* owner) { static_cast<SyclQueue*>(owner)->giveShared(data); }, this);
    }

    template <class T>
    static T load(const T* word) {
        return atomic(*const_cast<T*>(word)).load();
    }
    template <class T>
    static void set(T* word, T value) {
        atomic(*word).store(value);
    }
    template <class T>
    static T add(T* word, T value) {
        return atomic(*word).fetch_add(value);
    }
    template <class T>
    static T bitOr(T* word, T bits) {
        return atomic(*word).fetch_or(bits);
    }
    template <class T>
    static T max(T* word, T value) {
        return atomic(*word).fetch_max(value);
    }
    template <class T>
    static T exchangeIf(T* word, T expected, T desired) {
        atomic(*word).compare_exchange_strong(expected, desired);
        return expected;
    }

private:
    static constexpr std::size_t kSmall = 4096;
    static constexpr std::size_t kFirstPiece = std::size_t{1} << 15; ///< number of items of the first piece
    static constexpr std::size_t kCoarsening = 64;      ///< number of items per work-item on a CPU
    static constexpr double kShortMs = 5, kLongMs = 20; ///< durations of a piece below or above which the
                                                        ///< next piece is larger or smaller

    sycl::async_handler handler() {
        return [this](const sycl::exception_list& errors) { note(errors); };
    }
    static sycl::property_list properties(const sycl::device& device) {
#ifdef ACPP_EXT_COARSE_GRAINED_EVENTS
        // Avoids an event per kernel, so that kernels start sooner. Not on a CPU, where AdaptiveCpp uses the
        // events to order the kernels; version 24.06 hangs without them.
        if (!device.is_cpu())
            return {sycl::property::queue::in_order{},
                    sycl::property::queue::AdaptiveCpp_coarse_grained_events{}};
#endif
        return {sycl::property::queue::in_order{}};
    }

    /// Splits work on a CPU, where it takes longer than on a GPU, into pieces; the work can be stopped
    /// between them.
    template <class Piece>
    void inPieces(std::size_t count, Piece piece) {
        if (!m_isCpu || count <= kFirstPiece)
            return piece(0, count);
        std::size_t most = kFirstPiece;
        for (std::size_t first = 0; first < count;) {
            const std::size_t items = most < count - first ? most : count - first;
            const WallTimer timer;
            piece(first, items);
            wait();
            throwIfStopped();
            first += items;
            if (timer.elapsedMs() < kShortMs)
                most *= 2;
            else if (timer.elapsedMs() > kLongMs && most > kFirstPiece / 8)
                most /= 2;
        }
    }

    template <class Body>
    void submit(std::size_t first, std::size_t items, Body body) {
        if (items > 0)
            enqueue([&] {
                m_queue.parallel_for(sycl::range<1>(items), [=](sycl::id<1> i) { body(first + i[0]); });
            });
    }
    /// Calls `operation`. If it throws, waits before passing the exception on, since queued kernels may use
    /// memory that the exception frees.
    template <class Operation>
    void enqueue(Operation&& operation) {
        try {
            operation();
        } catch (...) {
            waitForKernels();
            throw;
        }
    }

    /// Notes asynchronous errors. Without such a handler they would end the program.
    void note(const sycl::exception_list& errors) {
        for (const std::exception_ptr& error : errors) {
            try {
                std::rethrow_exception(error);
            } catch (const sycl::exception& late) {
                // a rejected prefetch is harmless
                if (std::string_view(late.what()).find("MemPrefetchAsync") == std::string_view::npos)
                    m_lateErrors.note(late.code() == sycl::errc::memory_allocation, late.what());
            } catch (const std::exception& late) {
                m_lateErrors.note(false, late.what());
            }
        }
    }
    /// Returns the pointer of an allocation. If it is null, makes the runtime report the error that it has
    /// recorded, since that could not be distinguished from an error of a kernel later.
    void* orNull(void* memory) {
        if (!memory) {
            m_lateErrors.expectOfAllocation();
            m_queue.throw_asynchronous();
            m_lateErrors.expectNone();
        }
        return memory;
    }

    /// maximum number of bytes that are kept for reuse
    static constexpr std::size_t kMaxFreeShared = std::size_t{1} << 30;

    void* takeShared(std::size_t bytes) {
        const std::lock_guard lock(m_sharedMutex);
        const auto found = m_freeShared.lower_bound(bytes);
        if (found == m_freeShared.end() || found->first > bytes + bytes / 4 + kSmall)
            return nullptr;
        void* const memory = found->second;
        m_freeSharedBytes -= found->first;
        m_freeShared.erase(found);
        return memory;
    }
    /// Releases shared memory for reuse. Thread-safe. No kernel may still use the memory. Prefetches pages
    /// that the host has read back to the device while other kernels run, since the next use would wait for
    /// them.
    void giveShared(void* memory) noexcept {
        const std::lock_guard lock(m_sharedMutex);
        const auto found = m_sharedSizes.find(memory);
        const std::size_t bytes = found->second;
        if (m_freeSharedBytes + bytes <= kMaxFreeShared) {
            try {
                m_freeShared.emplace(bytes, memory);
                m_freeSharedBytes += bytes;
                if (!m_isCpu)
                    prefetch(*m_prefetchQueue, memory, bytes);
                return;
            } catch (const std::bad_alloc&) { // cannot be kept for reuse: freed below
            }
        }
        waitForPrefetches();
        m_sharedSizes.erase(found);
        sycl::free(memory, m_queue);
    }
    /// Prefetches memory. This is only a hint, so errors are ignored.
    static void prefetch(sycl::queue& queue, void* memory, std::size_t bytes) noexcept {
        try {
            queue.prefetch(memory, bytes);
        } catch (const std::exception&) { // a rejected prefetch is harmless: the next access reports errors
        }
    }

    void waitForKernels() noexcept {
        waitFor(m_queue);
    }
    void waitForPrefetches() noexcept {
        if (m_prefetchQueue)
            waitFor(*m_prefetchQueue);
    }
    static void waitFor(sycl::queue& queue) noexcept {
        try {
            queue.wait();
        } catch (...) { // the operation that failed has already reported the error
        }
    }
    template <class T>
    static auto atomic(T& word) {
        return sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device,
                                sycl::access::address_space::global_space>(word);
    }
    [[noreturn]] void failOutOfMemory(std::size_t bytes) {
        waitForKernels();
        throw DeviceMemoryShort("not enough memory of the SYCL device: " + std::to_string(bytes >> 20) +
                                    " MiB in one piece could not be allocated",
                                "Use a larger voxel size or a smaller range, or use the CPU backend.");
    }

    // Declared before the queues, whose destructors may report errors.
    sycl_chain::LateErrors m_lateErrors;
    sycl::queue m_queue;
    std::optional<sycl::queue> m_prefetchQueue; ///< empty for a CPU
    bool m_isCpu;
    std::stop_token m_stop;
    std::multimap<std::size_t, void*> m_free;
    std::unordered_map<void*, std::size_t> m_sizes; ///< sizes of allocations in use
    std::mutex m_sharedMutex;                       ///< guards the following members
    std::multimap<std::size_t, void*> m_freeShared;
    std::unordered_map<void*, std::size_t> m_sharedSizes; ///< sizes of all shared allocations, in use or free
    std::size_t m_freeSharedBytes = 0;
};

} // namespace scanloupe
