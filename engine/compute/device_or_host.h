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

/// A shared handle of a result that stays in the memory space where it was computed, host or device; a copy
/// on the host is made on first use. T has `download(StreamView)`. Copies of a handle share the result;
/// handles compare equal if they share one.
template <class T>
class DeviceOrHost {
public:
    DeviceOrHost() = default; ///< An empty handle.
    explicit DeviceOrHost(T onHost) : m_state(std::make_shared<State>(std::move(onHost), nullptr)) {}
    /// The buffers of `onDevice` are freed on `stream`, which is kept alive as long.
    DeviceOrHost(T onDevice, std::shared_ptr<const Stream> stream)
        : m_state(std::make_shared<State>(std::move(onDevice), std::move(stream))) {}

    explicit operator bool() const { return m_state != nullptr; }
    bool operator==(const DeviceOrHost&) const = default;
    /// An identity of the result for comparison, which keeps it alive.
    std::shared_ptr<const void> identity() const { return m_state; }

    /// The result in its own memory space. Sizes and counts can be read anywhere, elements only there.
    const T* operator->() const { return &m_state->made; }
    bool onDevice() const { return m_state && m_state->stream; }
    /// The result on the device. @throws Fault when it was made on the host.
    const T& device() const {
        if (!onDevice())
            throw Fault("device code asked for a result that lies on the host");
        return m_state->made;
    }
    /// The result on the host; the first call copies a result on the device, and other threads wait for that.
    /// @throws Fault for a copy under a NoDeviceCopyScope; KernelError
    const T& host() const {
        bringToHost();
        return m_state->stream ? *m_state->copy : m_state->made;
    }
    /// Copies a result on the device to the host, unless that was done; true for the caller that copied it.
    /// @throws Fault for a copy under a NoDeviceCopyScope; KernelError
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
    /// Whether host() would return without a copy. Never waits, not even for a copy that is being made.
    bool hasHost() const { return !m_state->stream || m_state->copied.load(std::memory_order_acquire); }

private:
    struct State {
        State(T result, std::shared_ptr<const Stream> on) : stream(std::move(on)), made(std::move(result)) {}
        std::shared_ptr<const Stream> stream; ///< null for a result of the host; outlives `made`
        T made;
        std::mutex mutex; ///< held while the copy is made
        std::optional<T> copy;
        std::atomic<bool> copied = false; ///< `copy` is complete
    };
    std::shared_ptr<State> m_state;
};

} // namespace scanloupe
