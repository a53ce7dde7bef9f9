#pragma once
// Declares the statistics of the deviations of a run's points, for display.
#include "engine/inspect/deviation_at.h"
#include "engine/inspect/deviations.h"
#include "engine/results/snapshot.h"
#include "kernels/histogram/histogram.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct Inspection {
    static constexpr std::uint32_t kBins = 200;
    static constexpr std::size_t kMostWhiskers = 2000;

    std::shared_ptr<const Reference> reference; ///< null: deviations came with the scan
    double tolerance = 0;                       ///< that the figures are of; metres; 0: none
    DeviationFigures figures;
    std::uint64_t without = 0;                  ///< points that have no deviation
    std::shared_ptr<const Histogram> histogram; ///< of the deviations, zero in the middle
    std::optional<Misfit> misfit;
    std::vector<PlaceDeviation> whiskers; ///< of some that have a deviation; none where they were moved since
    /// Lines in which the section's middle plane cuts a mesh; scan's frame. Empty without a section or a
    /// mesh.
    std::vector<std::vector<Vec3d>> sectionLines;
};

/// Whether points are moved after they were compared: deviations are those of other places.
bool movedSince(const Edits& edits);

/// None when the points have no deviations. @throws EngineError when they can't be read; KernelError;
/// Cancelled.
std::optional<Inspection> inspect(const Snapshot& snapshot, const std::stop_token& stop);

/// Inspects results that follow each other, and keeps what does not depend on the tolerance for the next ones
/// with the same deviations.
class Inspector {
public:
    /// As inspect(), with the same result.
    std::optional<Inspection> inspect(const Snapshot& snapshot, const std::stop_token& stop);

private:
    /// What is kept, and what it was made of.
    struct Kept {
        std::weak_ptr<const PointCloud> cloud;
        std::optional<Section> section;
        Buffer<float> values;  ///< [N] NaN without a deviation
        Inspection inspection; ///< without what depends on the tolerance
    };
    static Kept measured(const Snapshot& snapshot, const Attribute& deviations, const std::stop_token& stop);

    std::optional<Kept> m_kept;
};

} // namespace scanloupe
