#pragma once
// Declares how `compare` aligns a scan with its reference.
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

/// The alignment of a scan with its reference.
struct Alignment {
    std::optional<Orientation> pairs; ///< alignment by picked point pairs, in the scan's frame; none without
                                      ///< --pairs
    std::optional<Fit> fit;
    double fitMs = 0;          ///< wall time of the fit, ms
    RigidTransform motion;     ///< total motion of the scan, in the scan's frame
    double referenceScale = 1; ///< total scale factor that was applied to the reference

    bool fitsScale = false; ///< the fit estimates the reference's scale in addition to the pose

    bool any() const { return pairs || fit; }
    int directions() const { return fitsScale ? 7 : 6; } ///< degrees of freedom of the fit
};

/// Reads picked point pairs, one per line as six numbers: a point of the scan, then its counterpart in the
/// reference, each in its own unit. Empty lines and lines that begin with '#' are skipped; numbers may be
/// separated by spaces, commas or semicolons.
/// @throws EngineError for an unreadable file, or naming the line that is not a pair
std::vector<PickedPair> readPairs(const std::filesystem::path& path);

/// Returns the scan's points after a rigid motion, computed in double precision: with a new origin and
/// rotated normals, but without other attributes. @throws Cancelled
std::shared_ptr<const PointCloud> movedScan(const PointCloud& scan, const RigidTransform& motion,
                                            const std::stop_token& stop);

/// Computes the motion that aligns the picked pairs and adds it to `alignment`. With `scales`, also estimates
/// the reference's scale. @throws EngineError as absoluteOrientation()
void alignByPairs(Alignment& alignment, const std::vector<PickedPair>& pairs, bool scales);
/// Fits `moved`, the scan after the previous motions, to the reference, and adds the fit's motion to
/// `alignment`.
/// @throws as fitToReference()
void alignByFit(Alignment& alignment, const std::shared_ptr<const PointCloud>& moved,
                const Reference& reference, const FitOptions& options, const Execution& on);

} // namespace scanloupe::cli
