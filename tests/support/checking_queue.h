#pragma once
// A queue of the host that checks the use of memory, so that the kernels for SYCL can be tested where no
// compiler for SYCL is.
#include "kernels/core/error.h"
#include "kernels/core/parallel.h"
#include "kernels/sycl/chain/queue_memory.h"

#include <QtGlobal>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <stop_token>

namespace scanloupe::test {

/// Runs each kernel immediately, on all cores. Device memory is separate host memory, filled with garbage,
/// and input is copied into it: kernels that read host pointers or uninitialized memory get garbage. Aborts
/// when memory was not released.
class CheckingQueue {
public:
    explicit CheckingQueue(std::stop_token stop = {}, bool isGpu = false)
        : m_stop(std::move(stop)), m_isGpu(isGpu) {}
    CheckingQueue(const CheckingQueue&) = delete;
    CheckingQueue& operator=(const CheckingQueue&) = delete;
    ~CheckingQueue() {
        if (m_allocated != 0)
            qFatal("%d blocks of memory were not released", m_allocated);
    }

    template <class Body>
    void forEach(std::size_t count, Body body) {
        parallelFor(count, 64, {}, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                body(i);
        });
    }
    template <class Body>
    void forEachCoarsened(std::size_t count, Body body) {
        forEach(count, body);
    }
    bool isGpu() const { return m_isGpu; }
    void wait() {}
    void throwIfStopped() {
        if (m_stop.stop_requested())
            throw Cancelled();
    }
    void* allocate(std::size_t bytes) {
        void* const memory = std::malloc(bytes);
        std::memset(memory, 0xa5, bytes);
        ++m_allocated;
        return memory;
    }
    void release(void* memory) noexcept {
        std::free(memory);
        --m_allocated;
    }
    bool reaches(const void*) const { return false; }
    void copy(void* to, const void* from, std::size_t bytes) {
        if (bytes > 0)
            std::memcpy(to, from, bytes);
    }
    void clear(void* memory, std::size_t bytes) { std::memset(memory, 0, bytes); }
    template <class T>
    Buffer<T> shared(std::size_t count) {
        return Buffer<T>::host(count);
    }

    template <class T>
    static T load(const T* word) {
        return std::atomic_ref(*const_cast<T*>(word)).load(std::memory_order_relaxed);
    }
    template <class T>
    static void set(T* word, T value) {
        std::atomic_ref(*word).store(value, std::memory_order_relaxed);
    }
    template <class T>
    static T add(T* word, T value) {
        return std::atomic_ref(*word).fetch_add(value, std::memory_order_relaxed);
    }
    template <class T>
    static T bitOr(T* word, T bits) {
        return std::atomic_ref(*word).fetch_or(bits, std::memory_order_relaxed);
    }
    template <class T>
    static T max(T* word, T value) {
        std::atomic_ref atomic(*word);
        T before = atomic.load(std::memory_order_relaxed);
        while (before < value && !atomic.compare_exchange_weak(before, value, std::memory_order_relaxed)) {
        }
        return before;
    }
    template <class T>
    static T exchangeIf(T* word, T expected, T desired) {
        std::atomic_ref(*word).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
        return expected;
    }

private:
    std::stop_token m_stop;
    bool m_isGpu;
    int m_allocated = 0;
};

} // namespace scanloupe::test
