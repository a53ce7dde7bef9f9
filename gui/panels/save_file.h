#pragma once
#include "engine/cli/output_check.h"
#include "gui/jobs/failure.h"

#include <QString>
#include <filesystem>
#include <functional>
#include <vector>

class QWidget;

namespace scanloupe::gui {

/// Asks people for the file to save to: parent, the dialog's title, a suggested name, filters as QFileDialog
/// has them. An empty answer: they changed their mind.
using SavePathPrompt = std::function<QString(QWidget*, const QString&, const QString&, const QString&)>;

/// What refuses to write over one of the `scans` that are open, through whatever links. Looks at every one of
/// them: dialogs make it once.
cli::OutputCheck outputCheckFor(const std::vector<std::filesystem::path>& scans);
/// Its refusal of one output as sentences; none: it may be written.
Failure checkOutput(const QString& target, cli::OutputCheck outputs);

/// By a file dialog.
QString promptSavePath(QWidget* parent, const QString& title, const QString& suggested,
                       const QString& filter);

/// Writes `text` to `path` whole or not at all; what went wrong, or two empty sentences.
Failure saveText(const QString& path, const std::string& text);

} // namespace scanloupe::gui
