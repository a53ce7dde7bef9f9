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
constexpr int kShowDelayMs = 250; // ms; runs within a drag are shorter, and a flickering bar tells nothing
}

JobStatus::JobStatus(QWidget* parent)
    : QWidget(parent), m_what(new QLabel(tr("Ready"), this)), m_bar(new QProgressBar(this)),
      m_cancel(new QToolButton(this)), m_delay(new QTimer(this)) {
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
    m_cancel->setToolTip(tr("Stop what runs; the last results stay"));
    row->addWidget(m_what);
    row->addWidget(m_bar);
    row->addWidget(m_cancel);
    row->addStretch(1);
    m_delay->setSingleShot(true);
    m_delay->setInterval(kShowDelayMs);
    connect(m_delay, &QTimer::timeout, this, [this] { showWork(true); });
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
        m_name.clear();
        m_bar->setRange(0, 0); // indeterminate until progress is reported
        m_delay->start();
    } else if (!busy) {
        m_delay->stop();
        showWork(false);
    }
}

void JobStatus::setProgress(const QString& what, double done) {
    m_name = what;
    m_bar->setRange(0, 1000);
    m_bar->setValue(int(std::clamp(done, 0.0, 1.0) * 1000));
    if (isShown())
        m_what->setText(what);
}

void JobStatus::showWork(bool shown) {
    m_bar->setVisible(shown);
    m_cancel->setVisible(shown);
    m_what->setText(!shown ? tr("Ready") : m_name.isEmpty() ? tr("Working") : m_name);
}

} // namespace scanloupe::gui
