// Bans copies of whole results from the device on single threads.
#include "engine/results/device_copy_ban.h"

#include "kernels/core/error.h"

namespace scanloupe {

namespace {
thread_local int bans = 0;
}

DeviceCopyBan::DeviceCopyBan() {
    ++bans;
}

DeviceCopyBan::~DeviceCopyBan() {
    --bans;
}

void DeviceCopyBan::check() {
    if (bans > 0)
        throw Fault("a result on the device was to be copied by a thread that must not wait for it");
}

} // namespace scanloupe
