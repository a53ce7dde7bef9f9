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

    std::shared_ptr<const Reference> reference; ///< null: the deviations were read from the scan's file
    double tolerance = 0;                       ///< tolerance used for `figures`, metres; 0: none
    DeviationFigures figures;
    std::uint64_t without = 0;                  ///< number of points without a deviation
    std::shared_ptr<const Histogram> histogram; ///< histogram of the deviations, centred on zero
    std::optional<Misfit> misfit;
    /// Lines from some of the points to the reference; empty if points were moved after the comparison.
    std::vector<PlaceDeviation> deviationLines;
    /// Lines in which the section's middle plane intersects a reference mesh; scan's frame. Empty without a
    /// section or without a mesh.
    std::vector<std::vector<Vec3d>> sectionLines;
};

/// Whether points were moved after they were compared, so that their deviations are out of date.
bool movedSince(const Edits& edits);

/// Returns the inspection of a run's points; none if they have no deviations. @throws EngineError if the
/// deviations can't be read; KernelError; Cancelled.
std::optional<Inspection> inspect(const Snapshot& snapshot, const std::stop_token& stop);

/// Inspects consecutive results. Everything that does not depend on the tolerance is cached and reused while
/// the deviations stay the same.
class Inspector {
public:
    /// Returns the same result as the function inspect(), faster.
    std::optional<Inspection> inspect(const Snapshot& snapshot, const std::stop_token& stop);

private:
    /// The cached deviations, and the inputs for which they are valid.
    struct Kept {
        std::weak_ptr<const PointCloud> cloud;
        std::optional<Section> section;
        Buffer<float> values;  ///< [N] NaN for points without a deviation
        Inspection inspection; ///< the inspection without the members that depend on the tolerance
    };
    static Kept measured(const Snapshot& snapshot, const Attribute& deviations, const std::stop_token& stop);

    std::optional<Kept> m_kept;
};

} // namespace scanloupe
