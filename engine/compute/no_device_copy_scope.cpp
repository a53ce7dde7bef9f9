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
        throw Fault("a thread that must not block tried to copy a device result");
}

} // namespace scanloupe
