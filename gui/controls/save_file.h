#pragma once
// Declares prompts for output paths, checks of these, and the saving of text.
#include "engine/io/output_check.h"
#include "gui/jobs/failure.h"

#include <QObject>
#include <QString>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

class QWidget;

namespace scanloupe::gui {

/// The folder of the last export, which dialogs suggest; `otherwise` before the first.
QString exportFolder(const QString& otherwise);
void keepExportFolder(const QString& path);
/// Whether there is a file at a path, which need not be UTF-8.
bool isThere(const QString& path);

/// Prompts for the path to save to: parent, the dialog's title, a suggested name, filters as in QFileDialog.
/// Returns an empty string if the user cancels.
using SavePathPrompt = std::function<QString(QWidget*, const QString&, const QString&, const QString&)>;

/// A check that refuses to overwrite one of the open `scans`, through links, too. It examines each of them:
/// dialogs create it once.
OutputCheck outputCheckFor(const std::vector<std::filesystem::path>& scans);
/// The message if the check refuses an output; empty if the output may be written.
Failure checkOutput(const QString& target, OutputCheck outputs);

/// The patterns of a filter of file dialogs: "*.ply *.las".
QString patternsOf(const std::vector<std::string>& endings);
/// The path with an ending of a file dialog's filter: the first ending is appended if the path has none of
/// them.
/// @param first the selected filter if `filter` has several; empty: the first one
QString withEnding(const QString& path, const QString& filter, const QString& first = {});

/// Prompts with a file dialog. The path gets an ending of the filter, and an existing file of that name is
/// replaced only if the user agrees.
QString promptSavePath(QWidget* parent, const QString& title, const QString& suggested,
                       const QString& filter);

/// Writes `text` to `path` atomically. Returns the error message, empty on success.
Failure saveText(const QString& path, const std::string& text);
/// Saves text for a widget, which then emits its signal saved() or failed(). @param path empty: nothing is
/// saved
template <class Widget>
void saveText(Widget& from, const QString& path, const std::string& text) {
    if (path.isEmpty())
        return;
    const Failure failure = saveText(path, text);
    if (failure.sentence.isEmpty())
        emit from.saved(path);
    else
        emit from.failed(failure.sentence, failure.nextStep);
}

} // namespace scanloupe::gui
