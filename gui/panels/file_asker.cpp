#include "gui/panels/file_asker.h"

#include "engine/cloud/error.h"
#include "engine/io/writers.h"

#include <QFileDialog>

namespace scanloupe::gui {

QString askSaveFile(QWidget* parent, const QString& title, const QString& suggested, const QString& filter) {
    return QFileDialog::getSaveFileName(parent, title, suggested, filter);
}

SaveFailure saveText(const QString& path, const std::string& text) {
    try {
        writeAtomically(path.toStdString(), [&](std::ostream& out) { out << text; });
        return {};
    } catch (const Error& error) {
        return {QString::fromStdString(error.what()), QString::fromStdString(error.nextStep())};
    }
}

} // namespace scanloupe::gui
