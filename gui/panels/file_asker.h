#pragma once
#include <QString>
#include <functional>

class QWidget;

namespace scanloupe::gui {

/// Asks people for the file to save to: parent, the dialog's title, a suggested name, filters as QFileDialog
/// has them. An empty answer: they changed their mind.
using FileAsker = std::function<QString(QWidget*, const QString&, const QString&, const QString&)>;

/// By a file dialog.
QString askSaveFile(QWidget* parent, const QString& title, const QString& suggested, const QString& filter);

/// Writes `text` to `path` whole or not at all; the sentence and the next step of what went wrong, or two
/// empty ones.
struct SaveFailure {
    QString sentence, nextStep;
};
SaveFailure saveText(const QString& path, const std::string& text);

} // namespace scanloupe::gui
