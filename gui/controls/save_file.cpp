// Prompts for output paths, refuses those of open scans, and saves text.
#include "gui/controls/save_file.h"

#include "engine/io/writers.h"
#include "gui/base/raw_text.h"
#include "gui/base/settings.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <algorithm>
#include <system_error>

namespace scanloupe::gui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("SaveFile", text);
}

/// The endings that a filter names: ".ply", ".las".
QStringList endingsIn(const QString& filter) {
    static const QRegularExpression pattern(QStringLiteral("\\*(\\.[\\w.]+)"));
    QStringList endings;
    for (auto matches = pattern.globalMatch(filter); matches.hasNext();)
        endings << matches.next().captured(1);
    return endings;
}

bool mayReplace(QWidget* parent, const QString& title, const QString& path) {
    QMessageBox question(QMessageBox::Warning, title,
                         tr("'%1' already exists.").arg(shownText(QFileInfo(path).fileName())),
                         QMessageBox::Save | QMessageBox::Cancel, parent);
    question.setInformativeText(tr("Replace it? Its content will be lost."));
    question.button(QMessageBox::Save)->setText(tr("&Replace"));
    question.setDefaultButton(QMessageBox::Cancel);
    return question.exec() == QMessageBox::Save;
}

} // namespace

QString exportFolder(const QString& otherwise) {
    const QString folder = settings::exportFolder.value();
    return folder.isEmpty() ? otherwise : folder;
}

void keepExportFolder(const QString& path) {
    if (const QString folder = QFileInfo(path).absolutePath(); folder.isValidUtf16()) // settings are UTF-8
        settings::exportFolder.set(folder);
}

bool isThere(const QString& path) {
    std::error_code unknown;
    return std::filesystem::exists(rawPath(path), unknown);
}

QString patternsOf(const std::vector<std::string>& endings) {
    QStringList patterns;
    for (const std::string& ending : endings)
        patterns << QLatin1Char('*') + QString::fromStdString(ending);
    return patterns.join(QLatin1Char(' '));
}

QString withEnding(const QString& path, const QString& filter, const QString& first) {
    const QStringList known = endingsIn(filter), wanted = endingsIn(first);
    const bool isKnown = std::ranges::any_of(
        known, [&](const QString& ending) { return path.endsWith(ending, Qt::CaseInsensitive); });
    return isKnown || known.isEmpty() ? path : path + wanted.value(0, known.front());
}

QString promptSavePath(QWidget* parent, const QString& title, const QString& suggested,
                       const QString& filter) {
    QString path = suggested, chosen;
    do { // confirms replacing here, since the dialog would check the name without its ending
        path = QFileDialog::getSaveFileName(parent, title, path, filter, &chosen,
                                            QFileDialog::DontConfirmOverwrite);
        if (!path.isEmpty())
            path = withEnding(path, filter, chosen);
    } while (!path.isEmpty() && QFileInfo::exists(path) && !mayReplace(parent, title, path));
    return path;
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
