#pragma once
// Declares the opening of files and folders.
#include "gui/jobs/background_worker.h"
#include "gui/jobs/playlist.h"

#include <QPointer>
#include <QStringList>

class QWidget;

namespace scanloupe::gui {

class OpenAsDialog;
class TextColumnsDialog;

/// Opens the paths that the user names, drops or chooses: a single scan, or all scans of several files and
/// folders, after asking how.
class ScanOpener : public QObject {
    Q_OBJECT
public:
    using Find =
        std::function<ScanList(const std::vector<std::filesystem::path>&, const std::stop_token& stop)>;
    /// @param find finds the scans in files and folders
    ScanOpener(ScanLoader& loader, Playlist& playlist, QWidget* window, Find find = findScans);

    /// Opens paths, as rawText() returns them. `as`: how several scans are opened; without it the user is
    /// asked.
    void open(const QStringList& paths, std::optional<SeveralAs> as = std::nullopt);
    /// Opens the scans of a project. `path`: its file; empty if it has no file yet.
    void open(const Project& project, const QString& path);
    void openSample(const synth::ScanParams& params);
    void chooseFiles(const QString& folder);
    void chooseFolder(const QString& folder);
    /// File or folder that is being opened, if it can be opened again by name; otherwise empty.
    const QString& name() const { return m_name; }

signals:
    /// Emitted when reading of scans without a project begins.
    void began();
    void failed(const QString& sentence, const QString& nextStep);
    void logged(const QString& line);

private:
    /// Paths that were named, and the scans found in them.
    struct Found {
        ScanList list;
        QStringList paths;
        std::optional<SeveralAs> as;
        int number = 0;
    };
    void onScansFound(const Found& found);
    void openSeveral(const Found& found, SeveralAs as);
    void askColumns(const QString& path, const TextPreview& preview);
    /// Abandons the previous opening; returns the number of the new one.
    int beginOpening();

    ScanLoader& m_loader;
    Playlist& m_playlist;
    QWidget* m_window;
    Find m_find;
    QPointer<OpenAsDialog> m_dialog;
    QPointer<TextColumnsDialog> m_columnsDialog;
    QString m_name;
    int m_openings = 0;
    BackgroundWorker<Found> m_search;
};

} // namespace scanloupe::gui
