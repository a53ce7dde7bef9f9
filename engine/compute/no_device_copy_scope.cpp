// Forbids copies of whole results from the device, per thread.
#include "engine/compute/no_device_copy_scope.h"

#include "kernels/core/error.h"

namespace scanloupe {

namespace {
thread_local int scopesOfThread = 0;
}

NoDeviceCopyScope::NoDeviceCopyScope() {
    ++scopesOfThread;
}

NoDeviceCopyScope::~NoDeviceCopyScope() {
    --scopesOfThread;
}

void NoDeviceCopyScope::check() {
    if (scopesOfThread > 0)
        throw Fault("a result on the device was to be copied by a thread that must not wait for it");
}

} // namespace scanloupe
