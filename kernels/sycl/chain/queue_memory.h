#pragma once
// Defines memory that kernels of this folder use while they run.
//
// The kernels are templates over a queue Q, so that the same bodies run with SYCL and, in tests, on the host:
// - q.forEach(count, body) calls body(i) for each i in [0, count), in arbitrary order, after all previously
//   queued work;
// - q.forEachCoarsened(count, body): the same; a work-item of a processor takes several items in a loop
//   (thread coarsening) instead of one vector lane each, which is faster where items diverge;
// - q.isGpu(): whether to launch many small items;
// - q.wait() waits for it; q.throwIfStopped() waits and throws Cancelled if a stop was requested;
// - q.allocate(bytes), q.release(memory): memory of the device; queued kernels may still use it when it is
//   released; q.reaches(memory): whether kernels may read it; q.copy(to, from, bytes), q.clear(memory,
//   bytes): queued;
// - q.template shared<T>(count): a Buffer in memory that host and device access;
// - Q::add(word, value), Q::bitOr(word, bits), Q::max(word, value), Q::exchangeIf(word, expected, desired):
//   atomic and relaxed, return the value before; Q::load(word), Q::set(word, value): the same way.
//   atomic and relaxed, return the value before; Q::load(word), Q::set(word, value): the same way.
// - Q::add(word, value), Q::bitOr(word, bits), Q::max(word, value), Q::exchangeIf(word, expected, desired):
//   atomic and relaxed, return the value before; Q::load(word), Q::set(word, value): the same way.
//   atomic and relaxed, return the value before; Q::load(word), Q::set(word, value): the same way.
#include "kernels/core/buffer.h"

#include <cstddef>
#include <span>
#include <utility>

namespace scanloupe::sycl_chain {

/// Uninitialized device memory for `size` elements.
template <class T, class Q>
class DeviceArray {
public:
    DeviceArray(Q& q, std::size_t size)
        : m_queue(&q), m_data(size > 0 ? static_cast<T*>(q.allocate(size * sizeof(T))) : nullptr),
          m_size(size) {}
    ~DeviceArray() {
        if (m_data)
            m_queue->release(m_data);
    }
    DeviceArray(DeviceArray&& other) noexcept
        : m_queue(other.m_queue), m_data(std::exchange(other.m_data, nullptr)), m_size(other.m_size) {}
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    DeviceArray& operator=(DeviceArray&& other) noexcept {
        std::swap(m_queue, other.m_queue);
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
        return *this;
    }

    T* data() const { return m_data; }
    std::size_t size() const { return m_size; }
    void clear() const {
        if (m_size > 0)
            m_queue->clear(m_data, m_size * sizeof(T));
    }
    /// Returns an element on the host. @note Synchronizes.
    T read(std::size_t i) const {
        T value{};
        m_queue->copy(&value, m_data + i, sizeof(T));
        m_queue->wait();
        return value;
    }

private:
    Q* m_queue;
    T* m_data;
    std::size_t m_size;
};

/// Input that kernels can read: the original memory if they can access it, otherwise a copy.
template <class T, class Q>
class Reachable {
public:
    Reachable(Q& q, const T* values, std::size_t size)
        : m_copy(q, size > 0 && !q.reaches(values) ? size : 0), m_data(values) {
        if (m_copy.size() == 0)
            return;
        q.copy(m_copy.data(), values, size * sizeof(T));
        m_data = m_copy.data();
    }
    Reachable(Q& q, std::span<const T> values) : Reachable(q, values.data(), values.size()) {}
    const T* data() const { return m_data; }

private:
    DeviceArray<T, Q> m_copy;
    const T* m_data;
};

} // namespace scanloupe::sycl_chain
