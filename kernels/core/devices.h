#pragma once
// Declares how to choose among the CUDA devices of a machine.

namespace scanloupe {

/// Returns how many CUDA devices this process can use; 0 without CUDA.
int deviceCount();
/// Makes the calling thread use a device for its memory, streams and kernels. Threads without a choice use
/// the first device.
/// @param number index from 0 to deviceCount() - 1 @throws KernelError
void useDevice(int number);
/// Returns the index of the device that this thread uses; 0 without CUDA.
int currentDevice();

/// Makes this thread use a device until the end of the scope. Needed in parallel loops, whose threads have
/// not chosen a device. @throws KernelError
class DeviceScope {
public:
    explicit DeviceScope(int device);
    ~DeviceScope();
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

private:
    int m_before;
    bool m_isOther;
};

} // namespace scanloupe
