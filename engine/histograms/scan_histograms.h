#pragma once
// Declares the histograms behind sliders: of the coordinates, of the field, and of the coloured values.
#include "kernels/histogram/histogram.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

struct Snapshot;
enum class UpAxis : std::uint8_t;

/// The number of points in each class.
struct ClassCounts {
    static constexpr std::size_t kMaxListed = 64;
    struct Row {
        std::string text; ///< "2 Ground"
        std::uint32_t rgba = 0;
        std::uint64_t count = 0; ///< among the sampled points
    };
    std::vector<Row> rows;     ///< the first kMaxListed classes, ascending
    std::size_t classes = 0;   ///< classes of the scan
    std::uint64_t points = 0;  ///< points of the scan
    std::uint64_t sampled = 0; ///< number of sampled points
};

/// Histograms for the parameters of a scan. Null where the results lack the values.
struct ScanHistograms {
    static constexpr std::uint32_t kBins = 200;

    /// Histogram of all points along x, y and z: metres, in the file's frame. The limits exclude a few
    /// outliers.
    std::array<std::shared_ptr<const Histogram>, 3> axes;
    /// Histogram of the samples of the field, which are near the surface, or of all samples of a volume; in
    /// its unit. NaN where the field stores no value.
    std::shared_ptr<const Histogram> field;
    /// Histogram of the values that the colour map shows, around its automatic limits; in their unit. For
    /// voxels, or for the vertices of a volume's surface.
    std::shared_ptr<const Histogram> colours;
    /// Counts over all points, if colours show classes; null if there are more than a histogram has bins.
    std::shared_ptr<const ClassCounts> classes;

    bool operator==(const ScanHistograms&) const = default;
};

/// Computes histograms of results, and caches them by their inputs. On the host a sample of a million values
/// is used, so that each takes some ten milliseconds.
class HistogramCache {
public:
    /// @throws KernelError; Cancelled, after which those that were finished are known
    ScanHistograms of(const Snapshot& snapshot, const std::stop_token& stop);

private:
    /// Identifies a result without keeping it, and its memory, alive.
    using Identity = std::weak_ptr<const void>;
    /// Inputs of the coloured values.
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
