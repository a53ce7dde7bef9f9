#pragma once
// Declares a watch over files that people write in their editor.
#include <QFileSystemWatcher>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QTimer>

namespace scanloupe::gui {

/// Tells when files were saved, also by editors that put another file in their place, and when one that was
/// gone is there again. Files whose names are not UTF-8 can't be watched.
class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(QObject* parent = nullptr);

    /// Watches these paths, and no others.
    void setFiles(const QStringList& files);
    const QStringList& files() const { return m_files; }

signals:
    /// Some time after its last change, so that a file that is being written is complete.
    void saved(const QString& file);

private:
    /// Watches what is there; @return the files that were not watched before
    QStringList watchAgain();
    void emitSaved();

    QStringList m_files;
    QFileSystemWatcher m_watcher; ///< of the files and their folders
    QSet<QString> m_changed;
    QTimer m_settled;
};

} // namespace scanloupe::gui
