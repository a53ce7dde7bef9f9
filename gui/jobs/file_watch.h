#pragma once
// Declares a watch over files that the user writes in an editor.
#include <QFileSystemWatcher>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QTimer>

namespace scanloupe::gui {

/// Reports when files are saved, even by editors that replace the file, and when a missing file exists again.
/// Files whose names are not UTF-8 cannot be watched.
class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(QObject* parent = nullptr);

    /// Watches exactly these paths.
    void setFiles(const QStringList& files);
    const QStringList& files() const { return m_files; }

signals:
    /// Emitted some time after the last change, so that the file is complete.
    void saved(const QString& file);

private:
    /// Watches the existing files; @return the files that were not watched before
    QStringList watchAgain();
    void emitSaved();

    QStringList m_files;
    QFileSystemWatcher m_watcher; ///< watches the files and their folders
    QSet<QString> m_changed;
    QTimer m_settled;
};

} // namespace scanloupe::gui
