#pragma once
// Declares surveys of files that are looked at as one scan.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/view_detail.h"
#include "engine/io/scan_list.h"
#include "engine/tiles/survey_files.h"

#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The scans of a folder in one frame, such as the LAZ tiles of a city. Files have no levels of detail: what
/// lies far away, or what may not be read as a whole, is a sample of a file. Points have the attribute
/// `scan`, the number of their file. From any thread.
class SurveyScan {
public:
    /// Reads the headers. @throws EngineError when the folder can't be listed or has no scan that can be
    /// read; Cancelled
    SurveyScan(std::filesystem::path folder, const ProgressFunction& progress, const std::stop_token& stop);

    std::uint64_t points() const { return m_points; }
    /// About so many points, evenly over all files. @throws EngineError when memory is too small; Cancelled
    std::shared_ptr<const PointCloud> sample(std::uint64_t points, const ProgressFunction& progress,
                                             const std::stop_token& stop) const;
    /// What a view needs, see nodesForView(). @throws as sample()
    std::shared_ptr<const PointCloud> ofView(const ViewDetail& view, const ProgressFunction& progress,
                                             const std::stop_token& stop) const;

private:
    /// A file, and how many of its points are read.
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
        m_nodes;                 ///< of each file its samples, each finer than the one before, then all of it
    std::vector<Share> m_shares; ///< of the nodes
    std::uint64_t m_points = 0;
};

} // namespace scanloupe
