#pragma once
// Declares queues of kernels, by which an operator has one body for all backends, and the choice between
// them.
//
// A body is a function of a queue. Its source includes queue_body.h, where Queue is HostQueue for C++, and
// CudaQueue for nvcc, and is compiled once by each (scanloupe_operators() in kernels/CMakeLists.txt), so that
// its header declares an overload for each queue. Bodies of kernels are HD lambdas that capture values:
// - q.forEach(count, body) calls body(i) for each i in [0, count), in any order, after all that was queued;
// - q.forEachLong(count, limits, body): the same for items that may take long, so that a stop is noticed
//   between them;
// - q.forEachBit(words, count, body): the same for each i < count whose bit in `words` is set; bits past
//   `count` are 0;
// - q.forEachWalk(count, start, body): body(walk, i) where start(first) is a walk through ascending items
// from
//   `first` on: one for each chunk of the host, which need not search again, and one for each item of a
//   device;
// - q.writeBits(count, words, isIn, chunk): bit i of `words` becomes isIn(i); bits past `count` become 0. The
//   host takes chunks of `chunk` items, and 32 at once where `isIn` has a function word(first);
// - q.sum<T>(count, valueOf): the sum of valueOf(i), T{} for none; synchronizes. T is std::uint64_t,
//   or a struct of such with operator+, so that the order does not matter;
// - q.countSlots(count, slots, slotOf): [slots] how often slotOf(i) is each slot; synchronizes;
// - q.largest(count, valueOf): the largest of valueOf(i), floats that are not negative, 0 for none;
// synchronizes;
// - q.fillBytes(memory, bytes, byte): queued;
// - q.space(), q.stream(): of the memory that bodies read and write, see bufferOn();
// - Queue::add(word, value), Queue::bitOr(word, bits), Queue::min(word, value), Queue::set(word, value):
//   atomic and relaxed; the first three return the value before.
#include "kernels/core/buffer.h"
#include "kernels/core/cost.h"
#include "kernels/core/cuda_unavailable.h"
#include "kernels/core/device_copy.h"
#include "kernels/core/execution.h"
#include "kernels/core/hd.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace scanloupe {

/// Limits of a loop over items that may take long.
struct LongItems {
    std::size_t chunk;  ///< items of a chunk of the host, which is not stopped inside
    std::size_t launch; ///< items of a launch of the device, which is not stopped inside
};

/// Runs kernels on all cores; each is complete when its call returns. Checks for a stop before each chunk.
class HostQueue {
public:
    explicit HostQueue(std::stop_token stop) : m_stop(std::move(stop)) {}
    MemorySpace space() const { return MemorySpace::host; }
    StreamView stream() const { return StreamView(nullptr); }
    const std::stop_token& stop() const { return m_stop; }
    Execution execution() const { return {std::nullopt, m_stop}; }

    // host_queue.h defines them
    template <class Body>
    void forEach(std::size_t count, Body body);
    template <class Body>
    void forEachLong(std::size_t count, LongItems limits, Body body);
    template <class Body>
    void forEachBit(const std::uint32_t* words, std::size_t count, Body body);
    template <class Start, class Body>
    void forEachWalk(std::size_t count, Start start, Body body);
    template <class IsIn>
    void writeBits(std::size_t count, std::uint32_t* words, IsIn isIn, std::size_t chunk);
    template <class T, class ValueOf>
    T sum(std::size_t count, ValueOf valueOf);
    template <class SlotOf>
    std::vector<std::uint64_t> countSlots(std::size_t count, std::size_t slots, SlotOf slotOf);
    template <class ValueOf>
    float largest(std::size_t count, ValueOf valueOf);
    void fillBytes(void* memory, std::size_t bytes, int byte);
    template <class T>
    static T add(T* word, T value);
    template <class T>
    static T bitOr(T* word, T bits);
    template <class T>
    static T min(T* word, T value);
    template <class T>
    static void set(T* word, T value);

private:
    std::stop_token m_stop;
};

/// Queues kernels on a CUDA stream. Asynchronous, except for sums.
class CudaQueue {
public:
    CudaQueue(StreamView stream, std::stop_token stop) : m_stream(stream), m_stop(std::move(stop)) {}
    MemorySpace space() const { return MemorySpace::device; }
    StreamView stream() const { return m_stream; }
    const std::stop_token& stop() const { return m_stop; }
    Execution execution() const { return {m_stream, m_stop}; }

    // cuda_queue.cuh defines them, for CUDA sources
    template <class Body>
    void forEach(std::size_t count, Body body);
    template <class Body>
    void forEachLong(std::size_t count, LongItems limits, Body body);
    template <class Body>
    void forEachBit(const std::uint32_t* words, std::size_t count, Body body);
    template <class Start, class Body>
    void forEachWalk(std::size_t count, Start start, Body body);
    template <class IsIn>
    void writeBits(std::size_t count, std::uint32_t* words, IsIn isIn, std::size_t chunk);
    template <class T, class ValueOf>
    T sum(std::size_t count, ValueOf valueOf);
    template <class SlotOf>
    std::vector<std::uint64_t> countSlots(std::size_t count, std::size_t slots, SlotOf slotOf);
    template <class ValueOf>
    float largest(std::size_t count, ValueOf valueOf);
    void fillBytes(void* memory, std::size_t bytes, int byte);
    template <class T>
    HD static T add(T* word, T value);
    template <class T>
    HD static T bitOr(T* word, T bits);
    template <class T>
    HD static T min(T* word, T value);
    template <class T>
    HD static void set(T* word, T value);

private:
    StreamView m_stream;
    std::stop_token m_stop;
};

/// Replaces values by their exclusive sums (prefix sums). Asynchronous on the device.
void exclusiveScan(HostQueue& q, std::uint64_t* values, std::size_t count);
void exclusiveScan(CudaQueue& q, std::uint64_t* values, std::size_t count);

/// `count` elements in the memory that the kernels of a queue read and write, not initialised. @throws
/// DeviceMemoryShort, KernelError
template <class T, class Q>
Buffer<T> bufferOn(Q& q, std::size_t count) {
    return Buffer<T>::in(q.space(), count, q.stream());
}

/// A value in the memory of a queue. @note Synchronizes.
template <class T, class Q>
T readOne(Q& q, const T* value) {
    T read{};
    detail::copyBytes(&read, MemorySpace::host, value, q.space(), sizeof read, q.stream());
    return read;
}

/// A result of a queue's kernels, on the host. @note Synchronizes.
template <class T, class Q>
Buffer<T> toHost(Q& q, Buffer<T>&& result) {
    return q.space() == MemorySpace::host ? std::move(result) : result.copyTo(MemorySpace::host, q.stream());
}

/// A list of the host, or its copy on the device, for the kernels of a queue.
template <class T>
class Reachable {
public:
    /// @param values outlive it if the queue is of the host
    template <class Q>
    Reachable(Q& q, std::span<const T> values) : m_data(values.data()) {
        if (q.space() == MemorySpace::host)
            return;
        m_copy = deviceCopy(values, q.stream());
        m_data = m_copy.data();
    }
    const T* data() const { return m_data; }

private:
    Buffer<T> m_copy;
    const T* m_data;
};

/// Measures an operator: its steps on the host, or its time on the device.
class QueueTimer {
public:
    template <class Q>
    explicit QueueTimer(Q& q) {
        if (q.space() == MemorySpace::device)
            m_device.emplace(q.stream());
    }
    void endStep(const char* name) {
        if (!m_device)
            m_stepTimer.end(name);
    }
    /// All kernels that count are queued.
    void stop() {
        if (m_device)
            m_device->stop();
    }
    /// @param bytes of the result @note Synchronizes.
    Cost cost(std::uint64_t bytes) const {
        const double deviceMs = m_device ? m_device->elapsedMs() : 0;
        return {m_wall.elapsedMs(), deviceMs, bytes, false, m_steps};
    }

private:
    WallTimer m_wall;
    std::vector<StepCost> m_steps;
    StepTimer m_stepTimer{m_steps};
    std::optional<EventTimer> m_device;
};

/// @throws Cancelled
template <class Q>
void throwIfStopped(Q& q) {
    if (q.stop().stop_requested())
        throw Cancelled();
}

/// `compute(queue)` with the queue of an execution: an operator of all backends. @throws KernelError in a
/// build without nvcc, if it is to compute on the device
template <class Compute>
auto onQueue(const Execution& on, Compute&& compute) {
    if (on.onDevice()) {
#if defined(SCANLOUPE_NO_CUDA)
        detail::throwNoCuda();
#else
        CudaQueue q(*on.device, on.stop);
        return compute(q);
#endif
    }
    HostQueue q(on.stop);
    return compute(q);
}

} // namespace scanloupe
