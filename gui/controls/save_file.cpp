// Prompts for output paths, refuses those of open scans, and saves text.
#include "gui/controls/save_file.h"

#include "engine/io/writers.h"
#include "gui/base/raw_text.h"

#include <QFileDialog>

namespace scanloupe::gui {

QString promptSavePath(QWidget* parent, const QString& title, const QString& suggested,
                       const QString& filter) {
    return QFileDialog::getSaveFileName(parent, title, suggested, filter);
}

OutputCheck outputCheckFor(const std::vector<std::filesystem::path>& scans) {
    OutputCheck outputs;
    for (const std::filesystem::path& scan : scans)
        outputs.addInput(scan);
    return outputs;
}

Failure checkOutput(const QString& target, OutputCheck outputs) {
    try {
        outputs.addOutput(rawPath(target), {});
        return {};
    } catch (...) {
        return failureOf(std::current_exception(), {});
    }
}

Failure saveText(const QString& path, const std::string& text) {
    try {
        writeAtomically(rawPath(path), [&](std::ostream& out) { out << text; });
        return {};
    } catch (...) {
        return failureOf(std::current_exception(), {});
    }
}

} // namespace scanloupe::gui
