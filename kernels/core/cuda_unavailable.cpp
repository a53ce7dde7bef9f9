// Provides stubs for the .cu files of this folder in a build without nvcc: they throw, or report that there
// is no CUDA backend.
#include "kernels/core/cuda_unavailable.h"

#include "kernels/core/cuda_memory.h"
#include "kernels/core/device.h"
#include "kernels/core/devices.h"
#include "kernels/core/transfer.h"

namespace scanloupe {

namespace detail {
void throwNoCuda() {
    throw KernelError(kNoCudaReason, kNoCudaNextStep);
}
void* cudaAllocate(std::size_t, MemorySpace, StreamView) {
    detail::throwNoCuda();
}
void cudaRelease(void*, MemorySpace, StreamView) noexcept {}
void cudaCopy(void*, const void*, std::size_t, StreamView) {
    detail::throwNoCuda();
}
void cudaFill(void*, std::size_t, std::size_t, PieceBody, StreamView, const std::stop_token&) {
    detail::throwNoCuda();
}
void cudaUse(const void*, std::size_t, std::size_t, PieceBody, StreamView, const std::stop_token&) {
    detail::throwNoCuda();
}
void cudaUpload(void*, const void*, std::size_t, StreamView) {
    detail::throwNoCuda();
}
void cudaDownload(void*, const void*, std::size_t, StreamView) {
    detail::throwNoCuda();
}
} // namespace detail

void StreamView::synchronize() const {
    detail::throwNoCuda();
}
Stream::Stream(StreamPriority) {
    detail::throwNoCuda();
}
Stream::~Stream() {} // not defaulted, since this destructor is not trivial in a build with CUDA
EventTimer::EventTimer(StreamView stream) : m_stream(stream) {
    detail::throwNoCuda();
}
EventTimer::~EventTimer() {}
void EventTimer::stop() {
    detail::throwNoCuda();
}
double EventTimer::elapsedMs() const {
    detail::throwNoCuda();
}
DeviceSpan EventTimer::spanSince(const EventTimer&) const {
    detail::throwNoCuda();
}

std::uint64_t freeDeviceBytes() {
    detail::throwNoCuda();
}

int deviceCount() {
    return 0;
}
void useDevice(int) {
    detail::throwNoCuda();
}
int currentDevice() {
    return 0;
}
DeviceScope::DeviceScope(int device) : m_before(0), m_isOther(device != 0) {}
DeviceScope::~DeviceScope() = default;

DeviceInfo probeDevice() {
    DeviceInfo info;
    info.reason = std::string(detail::kNoCudaReason) + ". " + detail::kNoCudaNextStep;
    return info;
}

} // namespace scanloupe
