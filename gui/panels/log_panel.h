#pragma once
// Declares the log panel.
#include "gui/controls/save_file.h"

#include <QWidget>

class QPlainTextEdit;

namespace scanloupe::gui {

/// Log of events, one line with its time for each; the newest 5,000.
class LogPanel : public QWidget {
    Q_OBJECT
public:
    static constexpr int kLines = 5000;

    explicit LogPanel(SavePathPrompt promptPath = promptSavePath, QWidget* parent = nullptr);
    QString text() const;

public slots:
    void append(const QString& line);
    void appendError(const QString& sentence, const QString& nextStep);
    void copy();
    void save();
    void clear();

signals:
    void saved(const QString& path);
    void failed(const QString& sentence, const QString& nextStep);

private:
    SavePathPrompt m_promptSavePath;
    QPlainTextEdit* m_lines;
};

} // namespace scanloupe::gui
