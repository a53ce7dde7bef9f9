#pragma once
// Declares a scope that forbids copies of whole results from the device, for threads that must not block.

namespace scanloupe {

/// While an object of this class exists, DeviceOrHost throws a Fault instead of copying a result from the
/// device to the host on the thread that created the object. For threads that must not block, such as the GUI
/// thread. Reading single elements is allowed, see engine/picture/pick.h. Scopes can be nested; each must be
/// destroyed on its own thread.
class NoDeviceCopyScope {
public:
    NoDeviceCopyScope();
    ~NoDeviceCopyScope();
    NoDeviceCopyScope(const NoDeviceCopyScope&) = delete;
    NoDeviceCopyScope& operator=(const NoDeviceCopyScope&) = delete;

    /// @throws Fault if copies are forbidden on this thread.
    static void check();
};

} // namespace scanloupe
