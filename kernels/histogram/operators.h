#pragma once
// The operator of this folder, which dispatches to the backend of an Execution.
#include "kernels/core/execution.h"
#include "kernels/histogram/histogram.h"

namespace scanloupe {

/// Counts the values of a column in bins, see cpu::histogram. The column is in the memory of the backend.
inline Histogram histogram(const HistogramColumn& column, const HistogramParams& params,
                           const Execution& on) {
    return on.onDevice() ? cuda::histogram(column, params, *on.device)
                         : cpu::histogram(column, params, on.stop);
}

} // namespace scanloupe
