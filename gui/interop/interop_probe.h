#pragma once
// Declares the probe of CUDA/OpenGL interoperability, by which pictures reach OpenGL without a copy through
// host memory.
#include "gui/interop/gl_write.h"
#include "kernels/core/device.h"

#include <QString>

namespace scanloupe::gui {

/// Whether CUDA and OpenGL can share memory on this machine.
struct InteropState {
    bool usable = false;
    QString facts; ///< the tests that passed, with times; empty when not usable
    /// Why interoperability is unusable and which path pictures use instead, a sentence; empty when usable
    QString problem;
    QString fix; ///< what to do: a sentence; empty when usable
};

/// Raw result of the probe, before it is described in sentences.
struct InteropProbeResult {
    bool cudaBuilt = false;
    DeviceInfo device;            ///< the GPU that CUDA computes on
    QString glVendor, glRenderer; ///< as reported by the driver; both empty when there is no context
    GlWrite write;
    bool textureArrived = false, bufferArrived = false; ///< OpenGL reads back what CUDA wrote
};

/// Finds out which GPU draws, writes a texture and a buffer from CUDA, and reads them back with OpenGL.
/// Repeats the probe with each call, and never throws. @note GUI thread; leaves no context current.
/// Initializes CUDA: up to seconds on a machine with many GPUs.
InteropState probeInterop();

/// Describes a result in sentences.
InteropState describeInterop(const InteropProbeResult& result);

} // namespace scanloupe::gui
