// Describes the result of the interoperability probe in sentences for users.
#include "gui/interop/interop_probe.h"

#include <QCoreApplication>

namespace scanloupe::gui {

namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("Interop", text);
}

InteropState notUsable(const QString& why, const QString& fix) {
    InteropState state;
    state.problem = translated("%1, so pictures go through host memory.").arg(why);
    state.fix = fix;
    return state;
}

/// Advice if NVIDIA's driver draws OpenGL but CUDA cannot write: the versions of the CUDA driver and the
/// OpenGL driver may differ.
QString driverAdvice() {
    return translated("Update the NVIDIA driver and restart the machine: its CUDA and OpenGL parts must have "
                      "the same version. A partitioned GPU (MIG) can't draw.");
}

InteropState drawnByAnotherGpu(const InteropProbeResult& result, const QString& gpu) {
    const QString why = translated("OpenGL is drawn by %1, not by CUDA's GPU (%2)");
    const bool nvidia = result.glVendor.contains("NVIDIA", Qt::CaseInsensitive);
    if (nvidia && result.write.drawingDevice >= 0)
        return notUsable(why.arg(result.glRenderer, gpu),
                         translated("Start the window with CUDA_VISIBLE_DEVICES=%1: then CUDA uses the GPU "
                                    "that draws.")
                             .arg(result.write.drawingDevice));
    if (nvidia)
        return notUsable(translated("CUDA cannot access the GPU that draws OpenGL (%1)")
                             .arg(QString::fromStdString(result.write.problem)),
                         driverAdvice());
    return notUsable(
        why.arg(result.glRenderer, gpu),
        translated("Let the NVIDIA driver draw: start the window with __NV_PRIME_RENDER_OFFLOAD=1 "
                   "__GLX_VENDOR_LIBRARY_NAME=nvidia (on a laptop prime-run does that), and without "
                   "LIBGL_ALWAYS_SOFTWARE. The driver's OpenGL libraries must be installed."));
}

} // namespace

InteropState describeInterop(const InteropProbeResult& result) {
    if (!result.cudaBuilt)
        return notUsable(translated("This build has no CUDA backend"),
                         translated("If this machine has an NVIDIA GPU, use a build with CUDA."));
    if (!result.device.usable)
        return notUsable(translated("CUDA has found no GPU"),
                         translated("If this machine has an NVIDIA GPU, see the line GPU."));
    if (result.glRenderer.isEmpty())
        return notUsable(translated("No OpenGL is available that CUDA can write to"),
                         translated("See the line OpenGL."));
    const QString gpu = QString::fromStdString(result.device.name);
    const bool failed = !result.write.problem.empty();
    if (failed && !result.write.sameDevice)
        return drawnByAnotherGpu(result, gpu);
    if (failed)
        return notUsable(translated("CUDA could not write to OpenGL (%1)")
                             .arg(QString::fromStdString(result.write.problem)),
                         driverAdvice());
    if (!result.textureArrived || !result.bufferArrived)
        return notUsable(translated("Data that CUDA writes into an OpenGL %1 does not arrive there")
                             .arg(result.textureArrived ? translated("buffer") : translated("texture")),
                         driverAdvice());
    InteropState state;
    state.usable = true;
    state.facts = translated("texture and buffer written by %1 and read back by OpenGL, %2 and %3 ms")
                      .arg(gpu)
                      .arg(result.write.textureMs, 0, 'f', 2)
                      .arg(result.write.bufferMs, 0, 'f', 2);
    if (!result.write.sameDevice)
        state.facts += translated(", drawn by another GPU");
    return state;
}

} // namespace scanloupe::gui
