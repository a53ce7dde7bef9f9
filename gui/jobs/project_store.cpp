// Opens, saves, locks and autosaves the project of a window.
#include "gui/jobs/project_store.h"

#include "engine/cloud/error.h"
#include "engine/io/common/write/own_files.h"
#include "gui/base/raw_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <atomic>

namespace scanloupe::gui {

namespace {

constexpr int kDaysOfAutosaves = 30;

QString lockOf(const QString& file) {
    const QFileInfo info(file);
    return info.dir().filePath(QStringLiteral(".%1.lock").arg(info.fileName()));
}

/// A lock that another process can only break when this one has ended.
std::unique_ptr<QLockFile> makeLock(const QString& file) {
    auto lock = std::make_unique<QLockFile>(lockOf(file));
    lock->setStaleLockTime(0);
    return lock;
}

QString nameOfAutosave() {
    static std::atomic<int> windows = 0;
    return QStringLiteral("%1-%2-%3.json")
        .arg(QDateTime::currentMSecsSinceEpoch())
        .arg(QCoreApplication::applicationPid())
        .arg(++windows);
}

} // namespace

ProjectStore::ProjectStore(QString autosaves, QObject* parent)
    : QObject(parent), m_folder(std::move(autosaves)), m_pool(*this, 1) {
    if (m_folder.isEmpty())
        m_folder = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
                   QStringLiteral("/autosave");
}

ProjectStore::~ProjectStore() {
    if (m_autosave.isEmpty())
        return;
    const QString file = m_autosave;
    m_pool.start([file] { removeOwnFile(rawPath(file)); }); // after a write that still runs
}

bool ProjectStore::lock(const QString& path, std::unique_ptr<QLockFile>& lock) const {
    if (m_lock && path == m_path)
        return true;
    lock = makeLock(path);
    if (lock->tryLock(0))
        return true;
    const bool isTaken = lock->error() == QLockFile::LockFailedError;
    lock.reset(); // else the folder is read-only, and saving says so
    return !isTaken;
}

Project ProjectStore::read(const QString& path) {
    return readProject(rawPath(path));
}

void ProjectStore::take(const QString& path) {
    std::unique_ptr<QLockFile> taken;
    m_isLocked = !lock(path, taken);
    if (!m_lock || path != m_path)
        m_lock = std::move(taken);
    m_path = path;
}

void ProjectStore::save(const QString& path, const Project& project) {
    std::unique_ptr<QLockFile> taken;
    if (!lock(path, taken))
        throw EngineError(tr("Another window has this project open.").toStdString(),
                          tr("Save it under another name.").toStdString());
    writeProject(rawPath(path), project);
    if (!m_lock || path != m_path)
        m_lock = std::move(taken);
    m_path = path;
    m_isLocked = false;
}

void ProjectStore::close() {
    m_lock.reset();
    m_path.clear();
    m_isLocked = false;
}

void ProjectStore::autosave(const Project& project) {
    if (!m_autosave.isEmpty() && project == m_autosaved)
        return;
    if (m_autosave.isEmpty()) {
        if (!QDir().mkpath(m_folder))
            return; // nowhere to write: nothing is lost but the autosave
        m_autosave = QDir(m_folder).filePath(nameOfAutosave());
        m_autosaveLock = makeLock(m_autosave);
        m_autosaveLock->tryLock(0);
    }
    m_autosaved = project;
    m_pool.start([this, project, file = m_autosave] {
        m_pool.guarded(nullptr, [&] { writeProject(rawPath(file), project); }, {});
    });
}

std::optional<ProjectStore::LeftBehind> ProjectStore::leftBehind() const {
    const QDir folder(m_folder);
    const QDateTime tooOld = QDateTime::currentDateTime().addDays(-kDaysOfAutosaves);
    std::optional<LeftBehind> newest;
    const auto files = folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time);
    for (const QFileInfo& file : files) {
        const auto lock = makeLock(file.filePath());
        if (file.filePath() == m_autosave || !lock->tryLock(0))
            continue; // its window is open
        if (file.lastModified() < tooOld) {
            removeOwnFile(rawPath(file.filePath()));
            continue;
        }
        if (newest)
            continue;
        try {
            newest = LeftBehind{file.filePath(), file.lastModified(), readProject(rawPath(file.filePath()))};
        } catch (const Error&) { // written by another version, or damaged
            removeOwnFile(rawPath(file.filePath()));
        }
    }
    return newest;
}

void ProjectStore::discard(const LeftBehind& left) {
    removeOwnFile(rawPath(left.file));
}

} // namespace scanloupe::gui
