#pragma once
// Aligns scans on a thread of its own.
#include "engine/align/align_scans.h"

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace scanloupe::gui {

using AlignOutcomePtr = std::shared_ptr<const AlignOutcome>;

/// One alignment at a time; all signals arrive on the GUI thread.
class AlignSession : public QObject {
    Q_OBJECT
public:
    explicit AlignSession(QObject* parent = nullptr);
    /// Cancels what runs and waits for it.
    ~AlignSession() override;

    /// Reads and aligns these scans; cancels what runs.
    void start(const std::vector<std::filesystem::path>& scans, const AlignParams& params, Backend backend);
    void cancel();
    bool isBusy() const { return m_busy; }
    /// Of the last alignment that came to its end; null before, and while another runs.
    const AlignOutcomePtr& outcome() const { return m_outcome; }

signals:
    void busyChanged(bool busy);
    /// One of the scans of start() has come to its end.
    void aligned(int scan, const scanloupe::AlignedScanPtr& result);
    void finished(); ///< outcome() has all
    void failed(const QString& sentence, const QString& nextStep);

private:
    void setBusy(bool busy);
    void end(const AlignOutcomePtr& outcome);
    void fail(const QString& sentence, const QString& nextStep);
    /// Queues `action` to the GUI thread; it does not run once this alignment is over.
    void post(int number, std::function<void()> action);

    AlignOutcomePtr m_outcome;
    bool m_busy = false;
    int m_number = 0; ///< so that an alignment that was overtaken is let go
    std::stop_source m_stop;
    QThreadPool m_pool; ///< goes first: nothing is posted after it
};

} // namespace scanloupe::gui
