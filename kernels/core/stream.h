#pragma once
// Declares owning and non-owning handles of CUDA streams, and a timer based on CUDA events.

struct CUstream_st; // cudaStream_t is a pointer to this type; the declaration keeps CUDA out of headers

namespace scanloupe {

/// A non-owning handle of a CUDA stream. Pass it by value, as last parameter, without a default. Host code
/// ignores it.
class StreamView {
public:
    explicit StreamView(CUstream_st* handle) : m_handle(handle) {}
    CUstream_st* handle() const { return m_handle; }

    /// Waits until all work queued on the stream is done. @note Synchronizes. @throws KernelError
    void synchronize() const;

private:
    CUstream_st* m_handle;
};

/// Priority of a stream's work if the device cannot run all streams at once.
enum class StreamPriority : unsigned char { normal, high };

/// Owns a CUDA stream that does not synchronize with the legacy default stream.
class Stream {
public:
    /// Creates a stream. @throws KernelError when there is no usable device.
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

/// A time interval on a device's clock, ms.
struct DeviceSpan {
    double begin = 0, end = 0;
    double length() const { return end - begin; }
};

/// Measures the time between construction and `stop` on a stream with CUDA events.
class EventTimer {
public:
    explicit EventTimer(StreamView stream); ///< Records the start event. @throws KernelError
    ~EventTimer();
    EventTimer(const EventTimer&) = delete;
    EventTimer& operator=(const EventTimer&) = delete;

    void stop();              ///< Records the end event. @throws KernelError
    double elapsedMs() const; ///< Returns the measured time, ms. @note Waits for the end event. @throws
                              ///< KernelError
    /// Returns the measured interval relative to the start of another timer, `clock`, on any stream of the
    /// same device. @note Waits for this timer's end event and for the start event of `clock`. @throws
    /// KernelError
    DeviceSpan spanSince(const EventTimer& clock) const;

private:
    StreamView m_stream;
    void* m_start = nullptr; // cudaEvent_t
    void* m_stop = nullptr;
};

} // namespace scanloupe
