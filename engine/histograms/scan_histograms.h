#pragma once
// Declares the histograms that sliders stand on: of the coordinates, and of the field.
#include "engine/results/snapshot.h"
#include "kernels/histogram/histogram.h"

#include <array>
#include <memory>
#include <stop_token>

namespace scanloupe {

/// Histograms of the values that a scan's parameters choose from. Null: of nothing that the results have.
struct ScanHistograms {
    static constexpr std::uint32_t kBins = 200;

    /// Of all points along x, y and z: metres, in the file's frame. A few points that lie far off are not
    /// between the limits.
    std::array<std::shared_ptr<const Histogram>, 3> axes;
    /// Of the samples of the field, which lie near the surface, or of all those of a volume; in its unit. NaN
    /// where the field stores no value.
    std::shared_ptr<const Histogram> field;

    bool operator==(const ScanHistograms&) const = default;
};

/// Computes histograms of results, and keeps them as long as the results that they are made from. On the host
/// a sample of a million values is looked at, so that each takes some ten milliseconds.
class HistogramCache {
public:
    /// @throws KernelError; Cancelled, after which those that were finished are known
    ScanHistograms of(const Snapshot& snapshot, const std::stop_token& stop);

private:
    std::shared_ptr<const PointCloud> m_cloud; ///< of the coordinates
    DeviceOrHost<ScalarField> m_field;
    ScanHistograms m_known;
};

} // namespace scanloupe
