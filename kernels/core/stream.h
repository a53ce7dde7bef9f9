#pragma once
// Declares owning and non-owning handles of CUDA streams, and a timer by CUDA events.

struct CUstream_st; // cudaStream_t is a pointer to this; keeps headers free of CUDA

namespace scanloupe {

/// A non-owning handle of a CUDA stream. Passed by value, last, never defaulted. Host code ignores it.
class StreamView {
public:
    explicit StreamView(CUstream_st* handle) : m_handle(handle) {}
    CUstream_st* handle() const { return m_handle; }

    /// Waits until all work queued on the stream so far is done. @note Synchronizes. @throws KernelError
    void synchronize() const;

private:
    CUstream_st* m_handle;
};

/// Priority of a stream's work if the device cannot run all streams at once.
enum class StreamPriority : unsigned char { normal, high };

/// Owns a CUDA stream that doesn't synchronize with the legacy default stream.
class Stream {
public:
    /// @throws KernelError when there is no usable device.
    Stream() : Stream(StreamPriority::normal) {}
    explicit Stream(StreamPriority priority);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    StreamView view() const { return StreamView(m_handle); }
    operator StreamView() const { return view(); }

private:
    CUstream_st* m_handle = nullptr;
};

/// An interval on the clock of a device, ms.
struct DeviceSpan {
    double begin = 0, end = 0;
    double length() const { return end - begin; }
};

/// Measures the time of the work that is queued on a stream between construction and `stop`, by CUDA events.
class EventTimer {
public:
    explicit EventTimer(StreamView stream); ///< Records the start. @throws KernelError
    ~EventTimer();
    EventTimer(const EventTimer&) = delete;
    EventTimer& operator=(const EventTimer&) = delete;

    void stop();              ///< Records the end. @throws KernelError
    double elapsedMs() const; ///< @note Synchronizes with the end. @throws KernelError
    /// Since the start of another timer, on any stream of the same device. @note Synchronizes with the end of
    /// this one, and the start of the other. @throws KernelError
    DeviceSpan spanSince(const EventTimer& clock) const;

private:
    StreamView m_stream;
    void* m_start = nullptr; // cudaEvent_t
    void* m_stop = nullptr;
};

} // namespace scanloupe
