#pragma once
// Declares the runner that aligns scans on a worker thread.
#include "engine/align/align_scans.h"
#include "gui/jobs/job_pool.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace scanloupe::gui {

using AlignOutcomePtr = std::shared_ptr<const AlignOutcome>;
/// Some points of a scan, spread over all of it, in its full coordinates. [N]
using ScanSamplePtr = std::shared_ptr<const std::vector<Vec3d>>;

/// Runs one alignment at a time. All signals are emitted on the GUI thread.
class AlignRunner : public QObject {
    Q_OBJECT
public:
    explicit AlignRunner(QObject* parent = nullptr);
    /// Cancels a running alignment and waits for it.
    ~AlignRunner() override;

    /// Reads and aligns the scans. Cancels a running alignment.
    void start(const std::vector<std::filesystem::path>& scans, const AlignParams& params, Backend backend);
    void cancel();
    bool isBusy() const { return m_busy; }
    /// Outcome of the last finished alignment; null before the first, and while another runs.
    const AlignOutcomePtr& outcome() const { return m_outcome; }

signals:
    void busyChanged(bool busy);
    /// Scan number `scan` of start() is aligned, or has failed. Emitted again if a loop closure has moved it.
    /// @param sample null if the pose is right or unknown
    void aligned(int scan, const scanloupe::AlignedScanPtr& result,
                 const scanloupe::gui::ScanSamplePtr& sample);
    void finished(); ///< outcome() is complete
    void failed(const QString& sentence, const QString& nextStep);

private:
    void setBusy(bool busy);
    void end(const AlignOutcomePtr& outcome);
    void fail(const QString& sentence, const QString& nextStep);
    /// Queues `action` to the GUI thread; it is dropped once alignment `number` is over.
    void post(int number, std::function<void()> action);

    AlignOutcomePtr m_outcome;
    bool m_busy = false;
    int m_number = 0; ///< number of the current alignment; results of older ones are dropped
    std::stop_source m_stop;
    JobPool m_pool; ///< declared last, so destroyed first: nothing is posted afterwards
};

} // namespace scanloupe::gui
