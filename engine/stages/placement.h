#pragma once
// Decides where a stage computes, device or host, and brings results to the host.
#include "engine/results/device_or_host.h"
#include "engine/stages/forecast.h"
#include "engine/stages/run_context.h"
#include "kernels/core/cost.h"
#include "kernels/core/error.h"

namespace scanloupe {

/// The result on the host. All copies from the device in a run are timed as one stage, `download`.
/// @throws EngineError when the host has too little memory for it.
template <class T>
const T& onHost(const RunContext& run, const DeviceOrHost<T>& result) {
    if (result.hasHost())
        return result.host();
    requireDownloadMemory(run, result->bytes());
    const WallTimer timer;
    if (result.bringToHost()) // false if another thread has copied it meanwhile
        noteDownload(*run.timings, timer.elapsedMs(), result->bytes());
    return result.host();
}

/// Computes by `device` if that is possible and its memory suffices, else by `host`.
template <class Device, class Host>
auto preferDevice(const RunContext& run, bool canDevice, Device&& device, Host&& host)
    -> DeviceOrHost<decltype(host())> {
    if (canDevice) {
        try {
            return {device(), run.stream};
        } catch (const DeviceMemoryShort&) {
            // the host usually has more; if not, its own check reports what to do
        }
    }
    return DeviceOrHost(host());
}

/// Fills in the backend of a result, its device time, and why the device was not used.
template <class T>
void describePlace(StageTiming& timing, const RunContext& run, const DeviceOrHost<T>& result) {
    timing.backend = result.onDevice() ? "cuda" : "cpu";
    if (result.onDevice() && !timing.reused)
        timing.deviceMs = result->cost.deviceMs;
    if (run.stream && !result.onDevice())
        timing.why = "the device has too little memory";
}

} // namespace scanloupe
