#pragma once
// Declares the ban on copies of whole results from the device, for threads that must answer.

namespace scanloupe {

/// While one exists, the thread that made it copies no result from the device to the host: DeviceOrHost
/// throws a Fault instead. For a thread that must answer people at once, such as that of a window; single
/// elements, see engine/picture/pick.h, it may read. Bans nest; each ends on the thread that made it.
class DeviceCopyBan {
public:
    DeviceCopyBan();
    ~DeviceCopyBan();
    DeviceCopyBan(const DeviceCopyBan&) = delete;
    DeviceCopyBan& operator=(const DeviceCopyBan&) = delete;

    /// @throws Fault when this thread must not copy a result.
    static void check();
};

} // namespace scanloupe
