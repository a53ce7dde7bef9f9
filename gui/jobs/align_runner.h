#pragma once
// Declares the runner that aligns scans on a worker thread.
#include "engine/align/align_scans.h"
#include "gui/jobs/job_runner.h"

#include <memory>
#include <vector>

namespace scanloupe::gui {

using AlignOutcomePtr = std::shared_ptr<const AlignOutcome>;
/// Some points of a scan, spread over all of it, in its full coordinates. [N]
using ScanSamplePtr = std::shared_ptr<const std::vector<Vec3d>>;

/// Runs one alignment at a time.
class AlignRunner : public JobRunner {
    Q_OBJECT
public:
    explicit AlignRunner(QObject* parent = nullptr) : JobRunner(parent) {}

    /// Reads and aligns the scans. Cancels a running alignment.
    void start(const std::vector<std::filesystem::path>& scans, const AlignParams& params, Backend backend);
    /// Cancels a running alignment, and drops the outcome of the last one.
    void cancel() override;
    /// Outcome of the last finished alignment; null before the first, and while another runs.
    const AlignOutcomePtr& outcome() const { return m_outcome; }

signals:
    /// Scan number `scan` of start() is aligned, or has failed. Emitted again if a loop closure has moved it.
    /// @param sample null if the pose is right or unknown
    void aligned(int scan, const scanloupe::AlignedScanPtr& result,
                 const scanloupe::gui::ScanSamplePtr& sample);
    void finished(); ///< outcome() is complete

private:
    AlignOutcomePtr m_outcome;
};

} // namespace scanloupe::gui
