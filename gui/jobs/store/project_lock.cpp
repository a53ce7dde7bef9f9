// Takes the locks of projects and autosaves, if their paths are lock files.
#include "gui/jobs/store/project_lock.h"

#include <QDir>
#include <QFileInfo>
#include <sys/stat.h>

namespace scanloupe::gui {

namespace {

QString lockOf(const QString& file) {
    const QString own = QFileInfo(file).canonicalFilePath(); // all links to a file share its lock
    const QFileInfo info(own.isEmpty() ? file : own);
    return info.dir().filePath(QStringLiteral(".%1.lock").arg(info.fileName()));
}

/// Whether QLockFile can safely read the path: a pipe, or a link to an endless device, would block it
/// forever. To break a stale lock, it takes a second lock next to the first, which may be stale, too.
bool hasReadableLock(QString path) {
    struct stat info = {};
    for (; ::lstat(QFile::encodeName(path).constData(), &info) == 0; path += QStringLiteral(".rmlock"))
        if (!S_ISREG(info.st_mode))
            return false;
    return true;
}

} // namespace

std::shared_ptr<QLockFile> makeLock(const QString& file) {
    auto lock = std::make_shared<QLockFile>(lockOf(file));
    lock->setStaleLockTime(0);
    return lock;
}

bool canTake(QLockFile& lock) {
    if (!hasReadableLock(lock.fileName()))
        return false;
    return lock.tryLock(0) || lock.error() != QLockFile::LockFailedError;
}

TakenLock takeLock(const QString& path) {
    TakenLock taken{makeLock(path)};
    taken.isFree = canTake(*taken.lock);
    if (!taken.lock->isLocked())
        taken.lock.reset(); // not locked although free: saving will report the reason
    return taken;
}

} // namespace scanloupe::gui
