#pragma once
// Declares surveys of several files that are displayed as one scan.
#include "engine/io/common/view_detail.h"
#include "engine/io/scan_list.h"
#include "engine/survey/source/survey_files.h"

#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

class PointCloud;

/// The scans of a folder in a common frame, such as the LAZ tiles of a city. The files have no levels of
/// detail, so distant files, and those beyond the point limit, are sampled. Points have the attribute `scan`,
/// the index of their file. Thread-safe.
class SurveyScan {
public:
    /// Reads the headers. @throws EngineError if the folder can't be listed or contains no readable scan;
    /// Cancelled
    SurveyScan(std::filesystem::path folder, const ProgressFunction& progress, const std::stop_token& stop);

    std::uint64_t points() const { return m_points; }
    /// Returns approximately `points` points, evenly distributed over all files. @throws EngineError when out
    /// of memory; Cancelled
    std::shared_ptr<const PointCloud> sample(std::uint64_t points, const ProgressFunction& progress,
                                             const std::stop_token& stop) const;
    /// Returns the points for a view, see nodesForView(). @throws as sample()
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
        m_nodes; ///< for each file: its samples, each finer than the previous one, then the whole file
    std::vector<Share> m_shares; ///< [m_nodes] share to read for each node
    std::uint64_t m_points = 0;
};

} // namespace scanloupe
