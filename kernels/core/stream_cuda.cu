// Implements streams and event timers, and turns errors of the CUDA runtime into exceptions.
#include "kernels/core/cuda_check.h"

#include <string>

namespace scanloupe {

namespace cuda {

void fail(cudaError_t status, const char* call) {
    static_cast<void>(cudaGetLastError()); // clears the error; otherwise the next check would report it again
    const std::string what =
        std::string(call) + " failed: " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ")";
    switch (status) {
    case cudaErrorMemoryAllocation:
        throw DeviceMemoryShort(
            "not enough device memory: " + what,
            "Use a larger voxel size or a smaller range, or close other programs that use the GPU.");
    case cudaErrorInsufficientDriver:
    case cudaErrorNoDevice:
    case cudaErrorInitializationError:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
        throw KernelError(what,
                          "Use the CPU backend, or install a driver and a GPU that this build supports.");
    default:
        throw KernelError(
            what,
            "Use the CPU backend. If the error occurs again, restart the program and report the error.");
    }
}

cudaStream_t ownStream(StreamView stream) {
    if (!stream.handle())
        throw Fault("device work was asked for without a stream");
    return stream.handle();
}

namespace {
__global__ void attributesProbe() {}
} // namespace

bool supportsProgrammaticLaunch() {
    // Depends on the compiled code, not on the device: code compiled for an older architecture, then
    // translated for this device by the driver, does not wait at syncGridDependency().
    static const bool can = [] {
        cudaFuncAttributes attributes{};
        check(cudaFuncGetAttributes(&attributes, attributesProbe), "cudaFuncGetAttributes");
        return attributes.ptxVersion >= 90;
    }();
    return can;
}

} // namespace cuda

void StreamView::synchronize() const {
    cuda::check(cudaStreamSynchronize(cuda::ownStream(*this)), "cudaStreamSynchronize");
}

Stream::Stream(StreamPriority priority) {
    int least = 0, greatest = 0; // `least` is the default priority of streams
    cuda::check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
    cuda::check(cudaStreamCreateWithPriority(&m_handle, cudaStreamNonBlocking,
                                             priority == StreamPriority::high ? greatest : least),
                "cudaStreamCreateWithPriority");
}

Stream::~Stream() {
    cuda::checkNoThrow(cudaStreamDestroy(m_handle));
}

EventTimer::EventTimer(StreamView stream) : m_stream(stream) {
    cudaEvent_t start = nullptr, stop = nullptr;
    cuda::check(cudaEventCreate(&start), "cudaEventCreate");
    m_start = start;
    try {
        cuda::check(cudaEventCreate(&stop), "cudaEventCreate");
        m_stop = stop;
        cuda::check(cudaEventRecord(start, cuda::ownStream(stream)), "cudaEventRecord");
    } catch (...) { // if a constructor throws, the destructor does not run
        cuda::checkNoThrow(cudaEventDestroy(start));
        if (stop)
            cuda::checkNoThrow(cudaEventDestroy(stop));
        throw;
    }
}

EventTimer::~EventTimer() {
    cuda::checkNoThrow(cudaEventDestroy(static_cast<cudaEvent_t>(m_start)));
    cuda::checkNoThrow(cudaEventDestroy(static_cast<cudaEvent_t>(m_stop)));
}

void EventTimer::stop() {
    cuda::check(cudaEventRecord(static_cast<cudaEvent_t>(m_stop), cuda::ownStream(m_stream)),
                "cudaEventRecord");
}

double EventTimer::elapsedMs() const {
    float ms = 0;
    const auto stop = static_cast<cudaEvent_t>(m_stop);
    cuda::check(cudaEventSynchronize(stop), "cudaEventSynchronize");
    cuda::check(cudaEventElapsedTime(&ms, static_cast<cudaEvent_t>(m_start), stop), "cudaEventElapsedTime");
    return static_cast<double>(ms);
}

DeviceSpan EventTimer::spanSince(const EventTimer& clock) const {
    const double length = elapsedMs();
    float begin = 0;
    const auto zero = static_cast<cudaEvent_t>(clock.m_start);
    cuda::check(cudaEventSynchronize(zero), "cudaEventSynchronize");
    cuda::check(cudaEventElapsedTime(&begin, zero, static_cast<cudaEvent_t>(m_start)),
                "cudaEventElapsedTime");
    return {static_cast<double>(begin), static_cast<double>(begin) + length};
}

} // namespace scanloupe
