#pragma once
// Declares the reading of several scans at a time, with one progress bar.
#include "engine/cli/output/session.h"
#include "engine/io/common/read_options.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::cli {

/// Reads the scans of a command from any thread.
class ScanReading {
public:
    /// @param scans see Session::input() @param session has to outlive this
    ScanReading(std::vector<std::filesystem::path> scans, ReadOptions options, Session& session);

    /// As readPoints(), without its warnings. From any thread. @throws EngineError; Cancelled
    std::shared_ptr<const PointCloud> read(std::size_t scan);
    /// Reports the warnings of a scan that was read. One at a time. @throws EngineError with --strict
    void warn(std::size_t scan, const PointCloud& cloud) const;

private:
    std::string nameOf(std::size_t scan) const;
    void show(std::size_t scan, double done);

    std::vector<std::filesystem::path> m_scans;
    ReadOptions m_options;
    Session& m_session;
    ProgressFunction m_shown;
    std::mutex m_mutex;
    std::vector<double> m_done; ///< share of each scan
    double m_sum = 0;           ///< of m_done
};

} // namespace scanloupe::cli
