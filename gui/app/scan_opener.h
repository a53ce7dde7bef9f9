#pragma once
#include "gui/jobs/background_worker.h"
#include "gui/jobs/playlist.h"

#include <QPointer>
#include <QStringList>

class QWidget;

namespace scanloupe::gui {

class OpenAsDialog;

/// Opens what people name, drop or choose: one scan, or all of several files and folders, after asking what
/// they are.
class ScanOpener : public QObject {
    Q_OBJECT
public:
    using Find =
        std::function<ScanList(const std::vector<std::filesystem::path>&, const std::stop_token& stop)>;
    /// @param find which scans files and folders hold
    ScanOpener(ScanSession& session, Playlist& playlist, QWidget* window, Find find = findScans);

    /// Paths as rawText() has them. `kind`: what several scans are; without it people are asked.
    void open(const QStringList& paths, std::optional<Playlist::Kind> kind = std::nullopt);
    void openSample(const synth::ScanParams& params);
    void chooseFiles(const QString& folder);
    void chooseFolder(const QString& folder);
    /// What is being opened and can be opened by name again: a file or a folder; empty for anything else.
    const QString& name() const { return m_name; }

signals:
    void failed(const QString& sentence, const QString& nextStep);
    void logged(const QString& line);

private:
    /// What was named, and the scans in it.
    struct Found {
        ScanList list;
        QStringList paths;
        std::optional<Playlist::Kind> kind;
        int number = 0;
    };
    void onScansFound(const Found& found);
    void openSeveral(const Found& found, Playlist::Kind kind);
    /// Whatever was being opened is not wanted any more.
    int beginOpening();

    ScanSession& m_session;
    Playlist& m_playlist;
    QWidget* m_window;
    Find m_find;
    QPointer<OpenAsDialog> m_dialog;
    QString m_name;
    int m_openings = 0;
    BackgroundWorker<Found> m_search;
};

} // namespace scanloupe::gui
