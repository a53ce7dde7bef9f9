#pragma once
// Results that may lie on the device.
#include "kernels/core/error.h"
#include "kernels/core/stream.h"

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace scanloupe {

/// A shared handle of a result that stays where it was made, on the host or on the device, with a copy on the
/// host from when somebody first asks for it. T has `download(StreamView)`. Copies of a handle are the same
/// result; handles are compared by which result they stand for.
template <class T>
class Resident {
public:
    Resident() = default; ///< Of nothing.
    explicit Resident(T onHost) : m_state(std::make_shared<State>(std::move(onHost), nullptr)) {}
    /// What `onDevice` holds is freed on `stream`, which lives as long.
    Resident(T onDevice, std::shared_ptr<const Stream> stream)
        : m_state(std::make_shared<State>(std::move(onDevice), std::move(stream))) {}

    explicit operator bool() const { return m_state != nullptr; }
    bool operator==(const Resident&) const = default;
    /// Which result it is, to tell it from others; keeps it alive.
    std::shared_ptr<const void> identity() const { return m_state; }

    /// The result where it was made. Its sizes, shapes and counts can be read anywhere, its elements only
    /// there.
    const T* operator->() const { return &m_state->made; }
    bool onDevice() const { return m_state && m_state->stream; }
    /// The result on the device. @throws Fault when it was made on the host.
    const T& device() const {
        if (!onDevice())
            throw Fault("device code asked for a result that lies on the host");
        return m_state->made;
    }
    /// The result on the host, for any thread; the first call copies what lies on the device.
    /// @throws KernelError
    const T& host() const {
        bringToHost();
        return m_state->stream ? *m_state->copy : m_state->made;
    }
    /// Lets host() copy nothing: true where this call has copied it, which of all callers is one.
    /// @throws KernelError
    bool bringToHost() const {
        if (!m_state->stream)
            return false;
        const std::lock_guard lock(m_state->mutex);
        if (m_state->copy)
            return false;
        m_state->copy.emplace(m_state->made.download(*m_state->stream));
        return true;
    }
    /// Whether host() copies nothing.
    bool hasHost() const {
        if (!m_state->stream)
            return true;
        const std::lock_guard lock(m_state->mutex);
        return m_state->copy.has_value();
    }

private:
    struct State {
        State(T result, std::shared_ptr<const Stream> on) : stream(std::move(on)), made(std::move(result)) {}
        std::shared_ptr<const Stream> stream; ///< null for a result of the host; outlives `made`
        T made;
        std::mutex mutex;
        std::optional<T> copy;
    };
    std::shared_ptr<State> m_state;
};

} // namespace scanloupe
