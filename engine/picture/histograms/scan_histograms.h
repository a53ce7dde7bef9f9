#pragma once
// Declares the histograms of sliders: of coordinates, of the field, and of coloured values.
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
        std::uint64_t count = 0; ///< number of sampled points in the class
    };
    std::vector<Row> rows;     ///< the first kMaxListed classes, ascending
    std::size_t classes = 0;   ///< number of classes of the scan
    std::uint64_t points = 0;  ///< number of points of the scan
    std::uint64_t sampled = 0; ///< number of sampled points
};

/// Histograms for the parameters of a scan. A histogram is null if the results lack its values.
struct ScanHistograms {
    static constexpr std::uint32_t kBins = 200;

    /// Histograms of all points along x, y and z; metres, in the file's frame. The limits exclude a few
    /// outliers.
    std::array<std::shared_ptr<const Histogram>, 3> axes;
    /// Histogram of the field's samples, which are near the surface, or of all samples of a volume; in the
    /// unit of the field. Nodes without a stored value are not counted.
    std::shared_ptr<const Histogram> field;
    /// Histogram of the values that the colour map shows, for voxels or for the vertices of a volume's
    /// surface; in their unit, around the automatic limits.
    std::shared_ptr<const Histogram> colours;
    /// Counts of classes over all points, if colours show classes; null if there are more classes than bins
    /// in a histogram.
    std::shared_ptr<const ClassCounts> classes;

    bool operator==(const ScanHistograms&) const = default;
};

/// Computes histograms of results, and caches them by their inputs. On the host, a sample of a million values
/// is used, so that each histogram takes about ten milliseconds.
class HistogramCache {
public:
    /// Returns the histograms of results. @throws KernelError; Cancelled, after which finished histograms
    /// stay cached
    ScanHistograms of(const Snapshot& snapshot, const std::stop_token& stop);

private:
    /// Identifies a result without keeping it in memory.
    using Identity = std::weak_ptr<const void>;
    /// The inputs of the histogram of coloured values.
    struct ColourInputs {
        Identity coloured; ///< the voxels, or a volume's surface
        std::string colourBy;
        std::optional<UpAxis> up;
        Identity quality; ///< set if the colours show distances
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
