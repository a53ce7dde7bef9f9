// Shows, copies and saves the log.
#include "gui/panels/log_panel.h"

#include "gui/controls/icons.h"
#include "gui/text/parameter_labels.h"

#include <QApplication>
#include <QClipboard>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLocale>
#include <QPlainTextEdit>
#include <QTime>
#include <QToolButton>

namespace scanloupe::gui {

LogPanel::LogPanel(SavePathPrompt promptPath, QWidget* parent)
    : QWidget(parent), m_promptSavePath(std::move(promptPath)), m_lines(new QPlainTextEdit(this)) {
    m_lines->setReadOnly(true);
    m_lines->setMaximumBlockCount(kLines);
    m_lines->setFrameShape(QFrame::NoFrame);
    m_lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_lines->setAccessibleName(tr("Log"));
    m_lines->setLocale(QLocale::c()); // sentences of the engine are English
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    row->addWidget(m_lines, 1);
    auto* buttons = new QVBoxLayout;
    buttons->setSpacing(2);
    const auto add = [&](const char* icon, const QString& tip, void (LogPanel::*slot)()) {
        QToolButton* button = iconButton(QString::fromLatin1(icon), tip, this);
        connect(button, &QToolButton::clicked, this, slot);
        buttons->addWidget(button);
    };
    add("copy", tr("Copy the log"), &LogPanel::copy);
    add("save", tr("Save the log…"), &LogPanel::save);
    add("close", tr("Clear the log"), &LogPanel::clear);
    buttons->addStretch(1);
    row->addLayout(buttons);
}

QString LogPanel::text() const {
    return m_lines->toPlainText();
}

void LogPanel::append(const QString& line) {
    m_lines->appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss.zzz  ")) +
                             withParameterLabels(line));
}

void LogPanel::appendError(const QString& sentence, const QString& nextStep) {
    append(sentence + QLatin1Char(' ') + nextStep);
}

void LogPanel::copy() {
    QApplication::clipboard()->setText(text());
}

void LogPanel::clear() {
    m_lines->clear();
}

void LogPanel::save() {
    const QString path =
        m_promptSavePath(this, tr("Save the log"), QStringLiteral("scanloupe.log"), tr("Logs (*.log *.txt)"));
    saveText(*this, path, text().toStdString() + '\n');
}

} // namespace scanloupe::gui
