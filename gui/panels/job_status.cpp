// Shows the running job and its progress in the status bar.
#include "gui/panels/job_status.h"

#include "gui/controls/icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

namespace scanloupe::gui {

namespace {
// ms; runs during a drag are shorter, and a flickering bar would be unreadable
constexpr int kShowDelayMs = 250;

constexpr double kMeasureMs = 500;  // ms; earlier, the rate is unreliable
constexpr double kShortMs = 2000;   // ms; shorter remaining times are not shown
constexpr double kStalledMs = 5000; // ms without progress before the job counts as stalled
} // namespace

QString textOfTimeToGo(double elapsedMs, double doneBefore, double done) {
    if (elapsedMs < kMeasureMs || done <= doneBefore)
        return {};
    const double toGo = elapsedMs * (1 - done) / (done - doneBefore);
    if (toGo < kShortMs)
        return {};
    const int seconds = int(toGo / 1000 + 0.5);
    if (seconds < 60)
        return JobStatus::tr("about %1 s to go").arg(seconds);
    return JobStatus::tr("about %1 min to go").arg((seconds + 30) / 60);
}

QString textOfStall(double stalledMs) {
    return stalledMs < kStalledMs ? QString()
                                  : JobStatus::tr("no progress for %1 s").arg(int(stalledMs / 1000));
}

JobStatus::JobStatus(QWidget* parent)
    : QWidget(parent), m_what(new QLabel(tr("Ready"), this)), m_bar(new QProgressBar(this)),
      m_cancel(new QToolButton(this)), m_delay(new QTimer(this)), m_stall(new QTimer(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 0, 4, 0);
    row->setSpacing(6);
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setFixedSize(160, 12);
    m_bar->setAccessibleName(tr("Progress"));
    m_cancel->setIcon(toolIcon(QStringLiteral("cancel")));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_cancel->setIconSize({14, 14});
    m_cancel->setToolTip(tr("Stop the current job; the last results stay"));
    // otherwise the views and their pictures would change their size whenever a job runs
    m_cancel->setMaximumHeight(m_what->sizeHint().height());
    row->addWidget(m_what);
    row->addWidget(m_bar);
    row->addWidget(m_cancel);
    row->addStretch(1);
    m_delay->setSingleShot(true);
    m_delay->setInterval(kShowDelayMs);
    connect(m_delay, &QTimer::timeout, this, [this] { showWork(true); });
    m_stall->setInterval(1000);
    connect(m_stall, &QTimer::timeout, this, &JobStatus::showStall);
    connect(m_cancel, &QToolButton::clicked, this, &JobStatus::cancelRequested);
    showWork(false);
}

QString JobStatus::what() const {
    return m_what->text();
}

bool JobStatus::isShown() const {
    return !m_bar->isHidden();
}

void JobStatus::setBusy(bool busy) {
    if (busy && !isShown() && !m_delay->isActive()) {
        m_text.clear();
        m_progressed.invalidate(); // a late report of a cancelled job
        m_bar->setRange(0, 0);     // indeterminate until progress is reported
        m_delay->start();
    } else if (!busy) {
        m_delay->stop();
        m_starts.clear();
        showWork(false);
    }
}

void JobStatus::setProgress(const QString& what, double done) {
    Start& start = m_starts[what];
    if (!start.timer.isValid() || done < start.last) { // another job with the same name
        start.timer.start();
        start.done = done;
    }
    if (done != start.last)
        m_progressed.start();
    start.last = done;
    const QString toGo = textOfTimeToGo(double(start.timer.elapsed()), start.done, done);
    m_text = toGo.isEmpty() ? what : tr("%1 – %2").arg(what, toGo);
    m_bar->setRange(0, 1000);
    m_bar->setValue(int(std::clamp(done, 0.0, 1.0) * 1000));
    if (isShown())
        m_what->setText(m_text);
}

void JobStatus::showWork(bool shown) {
    m_bar->setVisible(shown);
    m_cancel->setVisible(shown);
    if (shown) {
        if (!m_progressed.isValid())
            m_progressed.start();
        m_stall->start();
    } else {
        m_progressed.invalidate();
        m_stall->stop();
    }
    m_what->setText(!shown ? tr("Ready") : m_text.isEmpty() ? tr("Working") : m_text);
}

void JobStatus::showStall() {
    const QString stall = textOfStall(double(m_progressed.elapsed()));
    if (!stall.isEmpty())
        m_what->setText(tr("%1 – %2").arg(m_text.isEmpty() ? tr("Working") : m_text, stall));
}

} // namespace scanloupe::gui
