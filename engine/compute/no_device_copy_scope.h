#pragma once
// Declares a scope that forbids copies of whole results from the device, for threads that must not block.

namespace scanloupe {

/// While an object of this class exists, DeviceOrHost throws a Fault instead of copying a result from the
/// device to the host on the thread that created the object. For threads that must not block, such as the GUI
/// thread. Reading single elements is allowed, see engine/picture/pick.h. Scopes nest; destroy each one on
/// the thread that created it.
class NoDeviceCopyScope {
public:
    NoDeviceCopyScope();
    ~NoDeviceCopyScope();
    NoDeviceCopyScope(const NoDeviceCopyScope&) = delete;
    NoDeviceCopyScope& operator=(const NoDeviceCopyScope&) = delete;

    /// @throws Fault when this thread must not copy a result.
    static void check();
};

} // namespace scanloupe
