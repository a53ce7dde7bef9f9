#pragma once
// Whether CUDA can write into what OpenGL draws, so that a picture need not go through host memory.
#include "gui/interop/gl_write.h"
#include "kernels/core/device.h"

#include <QString>

namespace scanloupe::gui {

/// Whether CUDA and OpenGL share memory here.
struct InteropState {
    bool usable = false;
    QString facts;   ///< what was tried and how long it took; empty when not usable
    QString problem; ///< why not, and where pictures go instead: a sentence; empty when usable
    QString fix;     ///< what to do: a sentence; empty when usable
};

/// What was seen, before it is told.
struct InteropProbeResult {
    bool cudaBuilt = false;
    cuda::DeviceInfo device;      ///< the GPU that CUDA computes on
    QString glVendor, glRenderer; ///< as OpenGL's driver says; both empty when there is no context
    GlWrite write;
    bool textureArrived = false, bufferArrived = false; ///< OpenGL reads back what CUDA wrote
};

/// Tries it: asks which GPU draws, lets CUDA write a texture and a buffer, and lets OpenGL read them back.
/// Asks anew with each call, and never throws. @note GUI thread; takes the current context off it. Starts
/// CUDA: up to seconds on a machine with many GPUs.
InteropState probeInterop();

/// A finding in sentences.
InteropState describeInterop(const InteropProbeResult& result);

} // namespace scanloupe::gui
