#pragma once
// Declares where a stage computes, on the device or host, and the copies of results to the host.
#include "engine/compute/device_or_host.h"
#include "engine/graph/memory_check.h"
#include "engine/graph/run_context.h"
#include "engine/graph/timings.h"
#include "kernels/core/cost.h"
#include "kernels/core/execution.h"

namespace scanloupe {

/// Returns a result on the host. All copies from the device in a run are timed as one stage, `download`.
/// @throws EngineError if the host memory is too small.
template <class T>
const T& onHost(const RunContext& run, const DeviceOrHost<T>& result) {
    if (result.hasHost())
        return result.host();
    requireDownloadMemory(run, result->bytes());
    const WallTimer timer;
    if (result.bringToHost()) // false if another thread has copied it in the meantime
        noteDownload(*run.timings, timer.elapsedMs(), result->bytes());
    return result.host();
}

/// Returns where a stage computes: on the run's CUDA device if there is one and `canDevice` is set; else with
/// SYCL if it is usable; else on the CPU.
inline Execution executionOf(const RunContext& run, bool canDevice) {
    if (run.stream && canDevice)
        return {run.stream->view(), run.stop};
    return {std::nullopt, run.stop, run.sycl && run.sycl->isUsable() ? run.sycl.get() : nullptr};
}

/// Returns `compute(execution)`. If the device memory is too small, tries again without the results of
/// earlier recipes, and finally on the host.
template <class Compute>
auto orWithoutKept(const RunContext& run, const Execution& execution, Compute&& compute)
    -> decltype(compute(execution)) {
    if (execution.onDevice() && run.releaseKeptOnDevice) {
        try {
            return compute(execution);
        } catch (const DeviceMemoryShort&) {
            if (!run.releaseKeptOnDevice())
                return compute(execution.onHost());
        }
    }
    return orOnHost(execution, compute);
}

/// Returns an input in the memory space that an execution reads.
/// @throws EngineError if the host memory is too small.
template <class T>
const T& inputFor(const RunContext& run, const DeviceOrHost<T>& input, const Execution& on) {
    return on.onDevice() ? input.device() : onHost(run, input);
}

/// Returns the result of `compute(execution)`, computed on the device if `canDevice` is set and its memory
/// suffices, otherwise on the host.
template <class Compute>
auto onDeviceOrHost(const RunContext& run, bool canDevice, Compute&& compute)
    -> DeviceOrHost<decltype(compute(Execution{}))> {
    return orWithoutKept(run, executionOf(run, canDevice), [&](const Execution& on) {
        using Result = DeviceOrHost<decltype(compute(on))>;
        return on.onDevice() ? Result(compute(on), run.stream) : Result(compute(on));
    });
}

/// Fills in the backend of a result, its times and steps, and why the device was not used.
template <class T>
void describePlace(StageTiming& timing, const RunContext& run, const DeviceOrHost<T>& result) {
    timing.backend = result.onDevice() ? "cuda" : result->cost.bySycl ? "sycl" : "cpu";
    if (!timing.reused) {
        if (result.onDevice())
            timing.deviceMs = result->cost.deviceMs;
        for (const StepCost& step : result->cost.steps)
            timing.steps.emplace_back(step.name, step.wallMs);
    }
    if (run.stream && !result.onDevice())
        timing.why = "the device has too little memory";
}

/// Like describePlace(), for a stage that has SYCL kernels; also states why SYCL was not used.
template <class T>
void describeSyclPlace(StageTiming& timing, const RunContext& run, const DeviceOrHost<T>& result) {
    describePlace(timing, run, result);
    if (!run.sycl || result->cost.bySycl)
        return;
    timing.why = run.sycl->isUsable() ? "the device has too little memory" : run.sycl->failure();
}

} // namespace scanloupe
