#pragma once
// Declares a shared handle for a result in host or device memory.
#include "engine/compute/no_device_copy_scope.h"
#include "kernels/core/error.h"
#include "kernels/core/stream.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace scanloupe {

/// A shared handle of a result that stays in the memory space where it was computed. For a device result, the
/// first call of host() creates a copy on the host. T has `download(StreamView)`. Copies of a handle share
/// the result; handles are equal if they share one.
template <class T>
class DeviceOrHost {
public:
    DeviceOrHost() = default; ///< creates an empty handle
    explicit DeviceOrHost(T onHost) : m_state(std::make_shared<State>(std::move(onHost), nullptr)) {}
    /// Creates a handle of a device result. Its buffers are freed on `stream`, which the handle keeps alive.
    DeviceOrHost(T onDevice, std::shared_ptr<const Stream> stream)
        : m_state(std::make_shared<State>(std::move(onDevice), std::move(stream))) {}

    explicit operator bool() const { return m_state != nullptr; }
    bool operator==(const DeviceOrHost&) const = default;
    /// An identity of the result for comparisons. It keeps the result alive.
    std::shared_ptr<const void> identity() const { return m_state; }

    /// Access to the result in its own memory space. Sizes and counts can be read anywhere, elements only
    /// there.
    const T* operator->() const { return &m_state->made; }
    bool onDevice() const { return m_state && m_state->stream; }
    /// Returns the result on the device. @throws Fault if it was computed on the host.
    const T& device() const {
        if (!onDevice())
            throw Fault("a device result was requested, but the result is on the host");
        return m_state->made;
    }
    /// Returns the result on the host. The first call copies a device result; other threads wait for that
    /// copy.
    /// @throws Fault for a copy within a NoDeviceCopyScope; KernelError
    const T& host() const {
        bringToHost();
        return m_state->stream ? *m_state->copy : m_state->made;
    }
    /// Copies a device result to the host if there is no copy yet. @returns whether this call made the copy
    /// @throws Fault for a copy within a NoDeviceCopyScope; KernelError
    bool bringToHost() const {
        if (hasHost())
            return false;
        NoDeviceCopyScope::check();
        const std::lock_guard lock(m_state->mutex);
        if (hasHost())
            return false;
        m_state->copy.emplace(m_state->made.download(*m_state->stream));
        m_state->copied.store(true, std::memory_order_release);
        return true;
    }
    /// Whether host() would return without a copy. Never blocks, not even while another thread makes the
    /// copy.
    bool hasHost() const { return !m_state->stream || m_state->copied.load(std::memory_order_acquire); }

private:
    struct State {
        State(T result, std::shared_ptr<const Stream> on) : stream(std::move(on)), made(std::move(result)) {}
        std::shared_ptr<const Stream> stream; ///< null for a host result; outlives `made`
        T made;
        std::mutex mutex; ///< locked while the copy is made
        std::optional<T> copy;
        std::atomic<bool> copied = false; ///< whether `copy` is complete
    };
    std::shared_ptr<State> m_state;
};

} // namespace scanloupe
