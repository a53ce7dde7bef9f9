#pragma once
// Declares the statistics of the deviations of a run's points, for display.
#include "engine/inspect/deviations.h"
#include "engine/results/snapshot.h"
#include "kernels/histogram/histogram.h"

#include <memory>
#include <optional>
#include <stop_token>

namespace scanloupe {

struct Inspection {
    static constexpr std::uint32_t kBins = 200;

    std::shared_ptr<const Reference> reference; ///< null: deviations came with the scan
    double tolerance = 0;                       ///< that the figures are of; metres; 0: none
    DeviationFigures figures;
    std::uint64_t without = 0;                  ///< points that have no deviation
    std::shared_ptr<const Histogram> histogram; ///< of the deviations, zero in the middle
    std::optional<Misfit> misfit;
};

/// None when the points have no deviations. @throws EngineError when they can't be read; KernelError;
/// Cancelled.
std::optional<Inspection> inspect(const Snapshot& snapshot, const std::stop_token& stop);

} // namespace scanloupe
