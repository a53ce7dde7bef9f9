#pragma once
// Declares the statistics of the deviations of a run's points, for display.
#include "engine/inspect/deviation_at.h"
#include "engine/inspect/deviations.h"
#include "engine/recipe/section.h"
#include "kernels/histogram/histogram.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace scanloupe {

class Attribute;
struct Edits;
class PointCloud;
struct Reference;
struct Snapshot;

struct Inspection {
    static constexpr std::uint32_t kBins = 200;
    static constexpr std::size_t kMaxDeviationLines = 2000;

    std::shared_ptr<const Reference> reference; ///< null: the scan's file contained the deviations
    double tolerance = 0;                       ///< the tolerance of `figures`, metres; 0: none
    DeviationFigures figures;
    std::uint64_t without = 0;                  ///< points that have no deviation
    std::shared_ptr<const Histogram> histogram; ///< histogram of the deviations, centred on zero
    std::optional<Misfit> misfit;
    /// Lines of some points with a deviation; none where they were moved since.
    std::vector<PlaceDeviation> deviationLines;
    /// Lines in which the section's middle plane cuts a mesh; scan's frame. Empty without a section or a
    /// mesh.
    std::vector<std::vector<Vec3d>> sectionLines;
};

/// Whether points were moved after they were compared: the deviations are then out of date.
bool movedSince(const Edits& edits);

/// None when the points have no deviations. @throws EngineError when they can't be read; KernelError;
/// Cancelled.
std::optional<Inspection> inspect(const Snapshot& snapshot, const std::stop_token& stop);

/// Inspects consecutive results, and caches what does not depend on the tolerance for the next ones with the
/// same deviations.
class Inspector {
public:
    /// As inspect(), with the same result.
    std::optional<Inspection> inspect(const Snapshot& snapshot, const std::stop_token& stop);

private:
    /// Cached deviations, with their inputs.
    struct Kept {
        std::weak_ptr<const PointCloud> cloud;
        std::optional<Section> section;
        Buffer<float> values;  ///< [N] NaN without a deviation
        Inspection inspection; ///< without the members that depend on the tolerance
    };
    static Kept measured(const Snapshot& snapshot, const Attribute& deviations, const std::stop_token& stop);

    std::optional<Kept> m_kept;
};

} // namespace scanloupe
