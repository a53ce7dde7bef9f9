#pragma once
// Declares the choice among the CUDA devices of a machine.

namespace scanloupe {

/// How many devices this process sees; 0 without CUDA.
int deviceCount();
/// Makes this thread use a device: its memory, streams and kernels. Other threads use the first device.
/// @param number below deviceCount() @throws KernelError
void useDevice(int number);
/// The device that this thread uses; 0 without CUDA.
int currentDevice();

/// Makes this thread use a device until it goes out of scope: pieces of a parallel loop run on threads that
/// have not chosen one. @throws KernelError
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
