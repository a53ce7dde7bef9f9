#pragma once
// Declares owning and non-owning handles of CUDA streams, and a timer by CUDA events.

struct CUstream_st; // cudaStream_t is a pointer to this: headers stay free of CUDA

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

/// Which stream's work the device schedules first where it can't run all.
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

/// Measures the time of the work that is queued on a stream between construction and `stop`, by CUDA events.
class EventTimer {
public:
    explicit EventTimer(StreamView stream); ///< Records the start. @throws KernelError
    ~EventTimer();
    EventTimer(const EventTimer&) = delete;
    EventTimer& operator=(const EventTimer&) = delete;

    void stop();              ///< Records the end. @throws KernelError
    double elapsedMs() const; ///< @note Synchronizes with the end. @throws KernelError

private:
    StreamView m_stream;
    void* m_start = nullptr; // cudaEvent_t
    void* m_stop = nullptr;
};

} // namespace scanloupe
