#pragma once
// Declares a reader of several scans at a time, with one progress bar for all.
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

/// Reads the scans of a command. read() is thread-safe.
class ScanReading {
public:
    /// @param scans paths returned by Session::input()
    /// @param session must outlive this object
    ScanReading(std::vector<std::filesystem::path> scans, ReadOptions options, Session& session);

    /// Same as readPoints(), without its warnings. Thread-safe. @throws EngineError; Cancelled
    std::shared_ptr<const PointCloud> read(std::size_t scan);
    /// Reports the warnings of a scan that was read. Must not be called concurrently. @throws EngineError
    /// with --strict
    void warn(std::size_t scan, const PointCloud& cloud) const;

private:
    std::string nameOf(std::size_t scan) const;
    void show(std::size_t scan, double done);

    std::vector<std::filesystem::path> m_scans;
    ReadOptions m_options;
    Session& m_session;
    ProgressFunction m_shown;
    std::mutex m_mutex;
    std::vector<double> m_done; ///< fraction of each scan that is read, 0 to 1
    double m_sum = 0;           ///< sum of m_done
};

} // namespace scanloupe::cli
