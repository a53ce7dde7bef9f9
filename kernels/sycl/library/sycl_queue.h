#pragma once
// Defines the queue of a SYCL device as the kernels of kernels/sycl/chain take it. For sources of the SYCL
// compiler only.
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

/// An in-order queue of kernels. Memory that is released is used again by what is queued later, so that
/// nothing waits for it; trim() gives it back. Beside it, on a GPU, a queue that brings shared memory back
/// from the host.
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
    /// @throws SyclFailure also for what has failed on the device meanwhile
    void wait() {
        m_queue.wait_and_throw();
        if (const std::string late = m_lateErrors.take(); !late.empty())
            throw SyclFailure(late, "Take the CPU (--backend cpu).");
    }
    /// Waits before it throws: what is queued may use memory that the exception frees.
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
            trim(); // what is free may lie in pieces of other sizes
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
    /// Gives back memory that nobody uses.
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

    /// Memory of a CPU is the host's; a GPU reads what was made for it.
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

    /// Buffers that are freed are used again: making memory that both reach takes a GPU's driver longer than
    /// most kernels.
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
                prefetch(m_queue, memory, bytes); // before the kernels that use it: else each page is a fault
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
    static constexpr std::size_t kFirstPiece = std::size_t{1} << 15; ///< items
    static constexpr std::size_t kCoarsening = 64;                   ///< items of a processor's work-item
    static constexpr double kShortMs = 5, kLongMs = 20;              ///< of a piece

    sycl::async_handler handler() {
        return [this](const sycl::exception_list& errors) { note(errors); };
    }
    static sycl::property_list properties(const sycl::device& device) {
#ifdef ACPP_EXT_COARSE_GRAINED_EVENTS
        // Without an event for each kernel, for which nobody waits, a kernel starts sooner. On a processor
        // AdaptiveCpp orders the kernels by these events: version 24.06 waits for ever without them.
        if (!device.is_cpu())
            return {sycl::property::queue::in_order{},
                    sycl::property::queue::AdaptiveCpp_coarse_grained_events{}};
#endif
        return {sycl::property::queue::in_order{}};
    }

    /// A processor takes long for what a GPU does at once: in pieces, between which it can be stopped.
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
    /// Waits before an exception leaves: what is queued may use memory that it frees.
    template <class Operation>
    void enqueue(Operation&& operation) {
        try {
            operation();
        } catch (...) {
            waitForKernels();
            throw;
        }
    }

    /// Without a handler, errors that come later would end the program.
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
    /// The pointer of an allocation. If it is null, the error that the runtime has recorded for it is
    /// reported now: later it could not be distinguished from one of a kernel.
    void* orNull(void* memory) {
        if (!memory) {
            m_lateErrors.expectOfAllocation();
            m_queue.throw_asynchronous();
            m_lateErrors.expectNone();
        }
        return memory;
    }

    static constexpr std::size_t kMostShared = std::size_t{1} << 30; ///< bytes that wait to be used again

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
    /// From any thread, when nobody computes with it any more. Pages that the host has read return at once,
    /// while other kernels run: those that use the memory next would wait for them.
    void giveShared(void* memory) noexcept {
        const std::lock_guard lock(m_sharedMutex);
        const auto found = m_sharedSizes.find(memory);
        const std::size_t bytes = found->second;
        if (m_freeSharedBytes + bytes <= kMostShared) {
            try {
                m_freeShared.emplace(bytes, memory);
                m_freeSharedBytes += bytes;
                if (!m_isCpu)
                    prefetch(*m_prefetchQueue, memory, bytes);
                return;
            } catch (const std::bad_alloc&) { // then it is freed
            }
        }
        waitForPrefetches();
        m_sharedSizes.erase(found);
        sycl::free(memory, m_queue);
    }
    /// A hint, on which nothing depends.
    static void prefetch(sycl::queue& queue, void* memory, std::size_t bytes) noexcept {
        try {
            queue.prefetch(memory, bytes);
        } catch (const std::exception&) { // the work that uses the memory will tell
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
        } catch (...) { // told by the work that failed
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
                                    " MiB in one piece could not be had",
                                "Take a larger voxel size or a smaller range, or take the CPU backend.");
    }

    sycl_chain::LateErrors m_lateErrors; // before the queues, which may report errors when they end
    sycl::queue m_queue;
    std::optional<sycl::queue> m_prefetchQueue; ///< none for a processor
    bool m_isCpu;
    std::stop_token m_stop;
    std::multimap<std::size_t, void*> m_free;
    std::unordered_map<void*, std::size_t> m_sizes; ///< of what is in use
    std::mutex m_sharedMutex;                       ///< of what follows
    std::multimap<std::size_t, void*> m_freeShared;
    std::unordered_map<void*, std::size_t> m_sharedSizes; ///< of all
    std::size_t m_freeSharedBytes = 0;
};

} // namespace scanloupe
