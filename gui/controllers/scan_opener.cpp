// Opens files and folders: finds their scans on a worker, and asks how to open several.
#include "gui/controllers/scan_opener.h"

#include "engine/io/formats.h"
#include "gui/base/raw_text.h"
#include "gui/controls/save_file.h"
#include "gui/dialogs/open_as_dialog.h"
#include "gui/dialogs/text_columns_dialog.h"
#include "gui/jobs/failure.h"

#include <QFileDialog>
#include <QUrl>
#include <utility>

namespace scanloupe::gui {

namespace {

bool isFolder(const QStringList& paths) {
    std::error_code unknown;
    return paths.size() == 1 && std::filesystem::is_directory(rawPath(paths.front()), unknown);
}

} // namespace

ScanOpener::ScanOpener(ScanLoader& loader, Playlist& playlist, QWidget* window, Find find)
    : m_loader(loader), m_playlist(playlist), m_window(window), m_find(std::move(find)),
      m_search([this](const Found& found) { onScansFound(found); },
               [this](const std::exception_ptr& error) {
                   const Failure failure = failureOf(error, tr("Choose fewer files."));
                   if (!failure.sentence.isEmpty()) // an empty sentence means that the window is closing
                       emit failed(failure.sentence, failure.nextStep);
               }) {
    connect(&m_loader, &ScanLoader::columnsUnsure, this, &ScanOpener::askColumns);
}

int ScanOpener::beginOpening() {
    m_playlist.setPlaying(false);
    if (m_dialog)
        m_dialog->reject();
    if (m_columnsDialog)
        std::exchange(m_columnsDialog, nullptr)->reject();
    return ++m_openings;
}

void ScanOpener::open(const QStringList& paths, std::optional<SeveralAs> as) {
    const int number = beginOpening();
    std::vector<std::filesystem::path> files;
    for (const QString& path : paths)
        files.push_back(rawPath(path));
    if (files.size() == 1 && !isFolder(paths)) {
        m_name = paths.first();
        emit began();
        m_loader.open(files.front());
        return;
    }
    m_search.run([=, find = m_find](const std::stop_token& stop) {
        return Found{find(files, stop), paths, as, number};
    });
}

void ScanOpener::open(const Project& project, const QString& path) {
    beginOpening();
    m_name = path;
    const Opening before{Opening::As::before, project.recipe, {}};
    if (const auto& sample = project.scans.front().sample)
        m_loader.openSample(*sample, before);
    else if (project.kind == ProjectKind::scan)
        m_loader.open(project.scans.front().path, before);
    else
        m_playlist.open(project);
}

void ScanOpener::openSample(const synth::ScanParams& params) {
    beginOpening();
    m_name.clear();
    emit began();
    m_loader.openSample(params);
}

void ScanOpener::onScansFound(const Found& found) {
    if (found.number != m_openings)
        return; // another file was opened meanwhile
    const std::size_t files = found.list.scans.size() + found.list.leftOut.size();
    for (const LeftOut& file : found.list.leftOut)
        emit logged(QString::fromStdString(file.why));
    if (found.list.scans.empty()) {
        const QString sentence =
            files == 0
                ? tr("There are no files in '%1'.").arg(shownText(found.paths.join(QStringLiteral("', '"))))
                : QString::fromStdString(describeLeftOut(found.list.leftOut, files));
        emit failed(sentence, tr("Choose a scan, or a folder that contains scans."));
    } else if (found.as || found.list.scans.size() == 1) {
        openSeveral(found, found.as.value_or(SeveralAs::clouds));
    } else {
        m_dialog = new OpenAsDialog(int(found.list.scans.size()), isFolder(found.paths), m_window);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_dialog, &OpenAsDialog::chosen, this,
                [this, found](SeveralAs as) { openSeveral(found, as); });
        m_dialog->open();
    }
}

void ScanOpener::openSeveral(const Found& found, SeveralAs as) {
    m_name = found.paths.size() == 1 ? found.paths.first() : QString();
    if (as == SeveralAs::survey && !isFolder(found.paths)) {
        emit failed(tr("A survey must be one folder of scans, but several files or folders were chosen."),
                    tr("Move them into one folder and open it."));
        return;
    }
    emit began();
    if (as == SeveralAs::survey)
        m_loader.open(rawPath(found.paths.front()));
    else
        m_playlist.open(found.list.scans, Playlist::Kind(as), found.list.leftOut);
}

void ScanOpener::askColumns(const QString& path, const TextPreview& preview) {
    if (path != m_name || m_columnsDialog)
        return; // another file was opened meanwhile, or a project with this scan
    m_columnsDialog = new TextColumnsDialog(preview, m_window);
    m_columnsDialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_columnsDialog, &QDialog::accepted, this, [this, path, layout = preview.layout] {
        m_loader.setColumns(layout, std::exchange(m_columnsDialog, nullptr)->columns());
        open({path});
    });
    m_columnsDialog->open();
}

void ScanOpener::chooseFiles(const QString& folder) {
    QStringList paths; // URLs keep the bytes of names that are not UTF-8
    for (const QUrl& url : QFileDialog::getOpenFileUrls(
             m_window, tr("Open scans"), QUrl::fromLocalFile(folder),
             tr("Scans (%1);;Volumes (*.raw);;All files (*)").arg(patternsOf(scanEndings())), nullptr, {},
             {QStringLiteral("file")}))
        paths << rawTextOf(url);
    if (!paths.isEmpty())
        open(paths);
}

void ScanOpener::chooseFolder(const QString& folder) {
    const QUrl url = QFileDialog::getExistingDirectoryUrl(
        m_window, tr("Open a folder of scans"), QUrl::fromLocalFile(folder), QFileDialog::ShowDirsOnly,
        {QStringLiteral("file")});
    if (const QString path = rawTextOf(url); !path.isEmpty())
        open({path});
}

} // namespace scanloupe::gui
