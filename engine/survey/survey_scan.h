#pragma once
// Declares surveys of files that are viewed as one scan.
#include "engine/io/common/view_detail.h"
#include "engine/io/scan_list.h"
#include "engine/tiles/survey/survey_files.h"

#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

class PointCloud;

/// The scans of a folder in one frame, such as the LAZ tiles of a city. Files have no levels of detail:
/// distant files, and those that exceed the limit, are sampled. Points have the attribute `scan`, the number
/// of their file. Thread-safe.
class SurveyScan {
public:
    /// Reads the headers. @throws EngineError when the folder can't be listed or has no scan that can be
    /// read; Cancelled
    SurveyScan(std::filesystem::path folder, const ProgressFunction& progress, const std::stop_token& stop);

    std::uint64_t points() const { return m_points; }
    /// Approximately `points` points, evenly over all files. @throws EngineError when memory is too small;
    /// Cancelled
    std::shared_ptr<const PointCloud> sample(std::uint64_t points, const ProgressFunction& progress,
                                             const std::stop_token& stop) const;
    /// The points for a view, see nodesForView(). @throws as sample()
    std::shared_ptr<const PointCloud> ofView(const ViewDetail& view, const ProgressFunction& progress,
                                             const std::stop_token& stop) const;

private:
    /// A file, and the number of its points to read.
    struct Share {
        std::size_t file = 0;
        std::uint64_t points = 0;
    };
    std::shared_ptr<PointCloud> read(std::span<const Share> shares, const ProgressFunction& progress,
                                     const std::stop_token& stop) const;

    std::filesystem::path m_folder;
    ScanList m_list;
    SurveyFiles m_files;
    std::vector<DetailNode>
        m_nodes; ///< for each file its samples, each finer than the previous one, then the whole file
    std::vector<Share> m_shares; ///< shares of the nodes
    std::uint64_t m_points = 0;
};

} // namespace scanloupe
