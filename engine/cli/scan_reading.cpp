// Reads the scans of an alignment on several threads, and reports their warnings.
#include "engine/cli/scan_reading.h"

#include "engine/cli/input.h"
#include "engine/cli/output/text.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/scan_input.h"

#include <utility>

namespace scanloupe::cli {

ScanReading::ScanReading(std::vector<std::filesystem::path> scans, ReadOptions options, Session& session)
    : m_scans(std::move(scans)), m_options(std::move(options)), m_session(session),
      m_shown(session.console.step("reading " + counted(m_scans.size(), "scan"))), m_done(m_scans.size()) {}

std::shared_ptr<const PointCloud> ScanReading::read(std::size_t scan) {
    ReadOptions options = m_options;
    options.progress = [this, scan](double done) { show(scan, done); };
    std::shared_ptr<const PointCloud> cloud = pointsIn(m_scans[scan], options, m_session);
    show(scan, 1);
    if (m_session.strict)
        cloud->loadAll(m_session.stop);
    return m_session.remembered(nameOf(scan), std::move(cloud));
}

void ScanReading::warn(std::size_t scan, const PointCloud& cloud) const {
    m_session.warn(nameOf(scan), cloud.warnings);
    if (m_session.strict)
        m_session.warn(nameOf(scan), cloud.loadWarnings());
}

std::string ScanReading::nameOf(std::size_t scan) const {
    return std::filesystem::path(m_session.inputs.shown(m_scans[scan])).filename().string();
}

void ScanReading::show(std::size_t scan, double done) {
    double share = 0;
    {
        const std::unique_lock lock(m_mutex, std::try_to_lock);
        if (!lock)
            return; // another thread is updating the progress bar
        m_sum += done - std::exchange(m_done[scan], done);
        share = m_sum / double(m_scans.size());
    }
    m_shown(share);
}

} // namespace scanloupe::cli
