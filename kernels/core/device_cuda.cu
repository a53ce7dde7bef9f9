// Queries the CUDA device, and explains why it is unusable.
#include "kernels/core/cuda_check.h"
#include "kernels/core/device.h"
#include "kernels/core/devices.h"

namespace scanloupe {

namespace {

constexpr std::uint64_t kMinFreeBytes = std::uint64_t{256} << 20;

/// A kernel whose attributes are queried: the query fails if this build has no code for the device. It is
/// never launched.
__global__ void probeKernel() {}

std::string versionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string errorText(cudaError_t status) {
    static_cast<void>(cudaGetLastError());
    return std::string(cudaGetErrorString(status)) + " (" + cudaGetErrorName(status) + ")";
}

/// Returns why no device was found; empty if one was found.
std::string reasonForNoDevice(const DeviceInfo& info) {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (info.driverVersion == 0)
        return "there is no NVIDIA driver on this machine. Take the CPU backend, or install the driver of an "
               "NVIDIA GPU.";
    if (status == cudaErrorInsufficientDriver)
        return "the NVIDIA driver is too old: it supports CUDA " + versionText(info.driverVersion) +
               " and this program needs " + versionText(info.runtimeVersion) +
               ". Update the driver, or use the CPU backend.";
    if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
        return "the NVIDIA driver finds no GPU. Check that one is installed and not hidden by "
               "CUDA_VISIBLE_DEVICES, or use the CPU backend.";
    if (status != cudaSuccess)
        return "the NVIDIA driver does not answer: " + errorText(status) +
               ". Restart the machine, or use the CPU backend.";
    return {};
}

/// Returns the number of bytes that the memory pool of this thread's device has reserved but no buffer uses.
std::uint64_t unusedPoolBytes() {
    int device = 0;
    cudaMemPool_t pool = nullptr;
    std::uint64_t reserved = 0, used = 0;
    if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceGetDefaultMemPool(&pool, device) != cudaSuccess ||
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved) != cudaSuccess ||
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) != cudaSuccess) {
        cuda::checkNoThrow(cudaGetLastError());
        return 0;
    }
    return reserved > used ? reserved - used : 0;
}

LaunchLimits limitsOf(const cudaDeviceProp& properties) {
    int isTimed = 0; // queried as an attribute, since cudaDeviceProp of CUDA 13 no longer has this property
    cuda::checkNoThrow(cudaDeviceGetAttribute(&isTimed, cudaDevAttrKernelExecTimeout, 0));
    return {properties.maxThreadsPerBlock,         properties.regsPerBlock,
            properties.sharedMemPerBlock,          properties.sharedMemPerBlockOptin,
            properties.sharedMemPerMultiprocessor, isTimed != 0};
}

/// Fills in the device's properties. @returns why the device is unusable; empty if it is usable.
std::string describe(DeviceInfo& info) {
    cudaDeviceProp properties{};
    if (const cudaError_t status = cudaGetDeviceProperties(&properties, 0); status != cudaSuccess)
        return "cannot query the GPU's properties: " + errorText(status) +
               ". Restart the machine, or use the CPU backend.";
    info.name = properties.name;
    info.major = properties.major;
    info.minor = properties.minor;
    info.multiprocessors = properties.multiProcessorCount;
    info.limits = limitsOf(properties);
    std::size_t free = 0, total = 0;
    if (const cudaError_t status = cudaMemGetInfo(&free, &total); status != cudaSuccess)
        return "the GPU can't be used: " + errorText(status) +
               ". Close other programs that use it, or use the CPU backend.";
    info.freeBytes = free + unusedPoolBytes();
    info.totalBytes = total;
    if (free < kMinFreeBytes)
        return "the GPU has only " + std::to_string(free >> 20) + " MiB of free memory, and " +
               std::to_string(kMinFreeBytes >> 20) +
               " MiB are needed to start. Close other programs that use it, or use the CPU backend.";
    cudaFuncAttributes attributes{};
    if (const cudaError_t status = cudaFuncGetAttributes(&attributes, probeKernel); status != cudaSuccess)
        return "this build holds no code for the " + info.name + " (compute capability " +
               std::to_string(info.major) + "." + std::to_string(info.minor) + "): " + errorText(status) +
               ". Take a build for this GPU, or the CPU backend.";
    int pools = 0;
    if (cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0) != cudaSuccess || pools == 0)
        return "the " + info.name +
               " has no stream-ordered memory pools under this driver. Update the driver, or "
               "take the CPU backend.";
    return {};
}

} // namespace

DeviceInfo probeDevice() {
    DeviceInfo info;
    // neither call needs a driver: without a driver, the driver version is 0
    cuda::checkNoThrow(cudaDriverGetVersion(&info.driverVersion));
    cuda::checkNoThrow(cudaRuntimeGetVersion(&info.runtimeVersion));
    info.reason = reasonForNoDevice(info);
    if (info.reason.empty())
        info.reason = describe(info);
    cuda::checkNoThrow(cudaGetLastError());
    info.usable = info.reason.empty();
    return info;
}

std::uint64_t freeDeviceBytes() {
    std::size_t free = 0, total = 0;
    cuda::check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free + unusedPoolBytes();
}

int deviceCount() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    cuda::checkNoThrow(status);
    return status == cudaSuccess ? count : 0;
}

void useDevice(int number) {
    cuda::check(cudaSetDevice(number), "cudaSetDevice");
}

int currentDevice() {
    int number = 0;
    return cudaGetDevice(&number) == cudaSuccess ? number : 0;
}

DeviceScope::DeviceScope(int device) : m_before(currentDevice()), m_isOther(device != m_before) {
    if (m_isOther)
        useDevice(device);
}
DeviceScope::~DeviceScope() {
    if (m_isOther)
        cuda::checkNoThrow(cudaSetDevice(m_before));
}

} // namespace scanloupe
