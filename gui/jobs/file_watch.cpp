// Watches files that the user writes in an editor.
#include "gui/jobs/file_watch.h"

#include <QFileInfo>
#include <utility>

namespace scanloupe::gui {

namespace {

constexpr int kSettledMs = 60; // ms; between two writes to a file that is still being written

} // namespace

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
    m_settled.setSingleShot(true);
    m_settled.setInterval(kSettledMs);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this](const QString& file) {
        m_changed << file;
        m_settled.start();
    });
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] {
        for (const QString& file : watchAgain()) // for a replaced file, fileChanged() is not emitted
            m_changed << file;
        if (!m_changed.isEmpty())
            m_settled.start();
    });
    connect(&m_settled, &QTimer::timeout, this, &FileWatch::emitSaved);
}

void FileWatch::setFiles(const QStringList& files) {
    if (files == m_files)
        return;
    m_files = files;
    QStringList wanted = m_files;
    for (const QString& file : m_files)
        wanted << QFileInfo(file).absolutePath();
    wanted.removeDuplicates();
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    for (const QString& path : watched)
        if (!wanted.contains(path))
            m_watcher.removePath(path);
    for (const QString& path : wanted)
        if (!watched.contains(path) && QFileInfo::exists(path))
            m_watcher.addPath(path);
}

QStringList FileWatch::watchAgain() {
    QStringList added;
    const QStringList watched = m_watcher.files();
    for (const QString& file : m_files)
        if (!watched.contains(file) && QFileInfo::exists(file) && m_watcher.addPath(file))
            added << file;
    return added;
}

void FileWatch::emitSaved() {
    for (const QString& file : watchAgain())
        m_changed << file;
    for (const QString& file : std::exchange(m_changed, {}))
        if (m_files.contains(file) && QFileInfo::exists(file))
            emit saved(file);
}

} // namespace scanloupe::gui
