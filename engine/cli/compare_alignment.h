#pragma once
// Declares how `compare` brings a scan onto its reference.
#include "engine/cli/compare_options.h"
#include "engine/inspect/fit/absolute_orientation.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>

namespace scanloupe {
class PointCloud;
struct Reference;
} // namespace scanloupe

namespace scanloupe::cli {

/// How a scan was brought onto its reference.
struct Alignment {
    std::optional<Orientation> pairs; ///< by picked pairs, scan's frame
    std::optional<Fit> fit;
    double fitMs = 0;          ///< wall time of the fit
    RigidTransform motion;     ///< total motion, scan's frame
    double referenceScale = 1; ///< factor on the reference's unit

    bool fitsScale = false; ///< the fit includes a scale

    bool any() const { return pairs || fit; }
    int directions() const { return fitsScale ? 7 : 6; } ///< degrees of freedom of the fit
};

/// Reads lines of six numbers: a point of the scan, and its counterpart in the reference's own unit. Empty
/// lines and lines that begin with '#' are skipped; numbers may be separated by commas or semicolons.
/// @throws EngineError that names the line
std::vector<PickedPair> readPairs(const std::filesystem::path& path);

/// The points of a scan, moved in double precision, with a new origin and rotated normals; without other
/// attributes. @throws Cancelled
std::shared_ptr<const PointCloud> movedScan(const PointCloud& scan, const RigidTransform& motion,
                                            const std::stop_token& stop);

/// Adds the motion of picked pairs. @throws EngineError as absoluteOrientation()
void alignByPairs(Alignment& alignment, const std::vector<PickedPair>& pairs, bool scales);
/// Adds the motion of a fit of the scan as it has been moved. @throws as fitToReference()
void alignByFit(Alignment& alignment, const std::shared_ptr<const PointCloud>& moved,
                const Reference& reference, const FitOptions& options, const Execution& on);

} // namespace scanloupe::cli
