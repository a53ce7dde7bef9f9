#pragma once
// The operator of this folder, with the choice of its backend.
#include "kernels/core/execution.h"
#include "kernels/histogram/histogram.h"

namespace scanloupe {

/// Counts the values of a column, which lies where it is computed, see cpu::histogram.
inline Histogram histogram(const HistogramColumn& column, const HistogramParams& params,
                           const Execution& on) {
    return on.onDevice() ? cuda::histogram(column, params, *on.device)
                         : cpu::histogram(column, params, on.stop);
}

} // namespace scanloupe
