#pragma once
// Declares the histograms that sliders stand on: of the coordinates, of the field, and of what colours show.
#include "engine/results/snapshot.h"
#include "kernels/histogram/histogram.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// How many points each class has.
struct ClassCounts {
    static constexpr std::size_t kMostListed = 64;
    struct Row {
        std::string text; ///< "2 Ground"
        std::uint32_t rgba = 0;
        std::uint64_t count = 0; ///< of the points that were looked at
    };
    std::vector<Row> rows;     ///< the first kMostListed of them, ascending
    std::size_t classes = 0;   ///< of the scan
    std::uint64_t points = 0;  ///< of the scan
    std::uint64_t sampled = 0; ///< points that were looked at
};

/// Histograms of the values that a scan's parameters choose from. Null: of nothing that the results have.
struct ScanHistograms {
    static constexpr std::uint32_t kBins = 200;

    /// Of all points along x, y and z: metres, in the file's frame. A few points that lie far off are not
    /// between the limits.
    std::array<std::shared_ptr<const Histogram>, 3> axes;
    /// Of the samples of the field, which lie near the surface, or of all those of a volume; in its unit. NaN
    /// where the field stores no value.
    std::shared_ptr<const Histogram> field;
    /// Of the values that the colour map shows, around its automatic limits; in their unit. Of voxels; of a
    /// volume, of the vertices of its surface.
    std::shared_ptr<const Histogram> colours;
    /// Of all points, if colours show classes; null if there are more than a histogram has bins.
    std::shared_ptr<const ClassCounts> classes;

    bool operator==(const ScanHistograms&) const = default;
};

/// Computes histograms of results, each once for the results that it is made from. On the host
/// a sample of a million values is looked at, so that each takes some ten milliseconds.
class HistogramCache {
public:
    /// @throws KernelError; Cancelled, after which those that were finished are known
    ScanHistograms of(const Snapshot& snapshot, const std::stop_token& stop);

private:
    /// Identifies a result without keeping it, and its memory, alive.
    using Identity = std::weak_ptr<const void>;
    /// What the values that colours show are made from.
    struct ColourInputs {
        Identity coloured; ///< voxels, or a volume's surface
        std::string colourBy;
        std::optional<UpAxis> up;
        Identity quality; ///< for distances
    };
    static ColourInputs colourInputs(const Snapshot& snapshot);
    void updateAxes(const Snapshot& snapshot, const std::stop_token& stop);
    void updateField(const Snapshot& snapshot, const std::stop_token& stop);
    void updateColours(const Snapshot& snapshot, const std::stop_token& stop);

    Identity m_cloud, m_field;
    ColourInputs m_colours;
    ScanHistograms m_known;
};

} // namespace scanloupe
