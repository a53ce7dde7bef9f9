// Opens, saves, locks and autosaves the project of a window.
#include "gui/jobs/project_store.h"

#include "engine/cloud/error.h"
#include "engine/io/common/file_checksum.h"
#include "engine/io/common/write/own_files.h"
#include "engine/io/output_check.h"
#include "gui/base/raw_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <atomic>
#include <sys/stat.h>

namespace scanloupe::gui {

namespace {

QString lockOf(const QString& file) {
    const QString own = QFileInfo(file).canonicalFilePath(); // the same for each link to it
    const QFileInfo info(own.isEmpty() ? file : own);
    return info.dir().filePath(QStringLiteral(".%1.lock").arg(info.fileName()));
}

/// A lock that another process can only break when this one has ended.
std::shared_ptr<QLockFile> makeLock(const QString& file) {
    auto lock = std::make_shared<QLockFile>(lockOf(file));
    lock->setStaleLockTime(0);
    return lock;
}

/// Whether QLockFile may read what is there: a pipe, or a link to a device without an end, would block it for
/// ever. To break a stale lock, it takes another one beside it, which may be stale, too.
bool hasReadableLock(QString path) {
    struct stat info = {};
    for (; ::lstat(QFile::encodeName(path).constData(), &info) == 0; path += QStringLiteral(".rmlock"))
        if (!S_ISREG(info.st_mode))
            return false;
    return true;
}

/// Takes a lock. False when another window has it, or where something else than a lock is in its place; a
/// folder that can't be written to is no reason.
bool canTake(QLockFile& lock) {
    if (!hasReadableLock(lock.fileName()))
        return false;
    return lock.tryLock(0) || lock.error() != QLockFile::LockFailedError;
}

struct TakenLock {
    std::shared_ptr<QLockFile> lock; ///< null where it is another window's, or the folder is read-only
    bool isFree = false;             ///< no other window has it
};
TakenLock takeLock(const QString& path) {
    TakenLock taken{makeLock(path)};
    taken.isFree = canTake(*taken.lock);
    if (!taken.lock->isLocked())
        taken.lock.reset(); // where it is free, saving says why
    return taken;
}

/// @param isHeld the window has its lock
SavedProject written(const ProjectToSave& what, bool isHeld) {
    SavedProject saved;
    try {
        saved.isReplaced = what.digest && ProjectStore::isReplaced(what.path, *what.digest);
        if (saved.isReplaced)
            return saved;
        OutputCheck check;
        for (const std::filesystem::path& file : what.open)
            check.addInput(file);
        check.addOutput(rawPath(what.path), {});
        TakenLock taken;
        if (!isHeld)
            taken = takeLock(what.path);
        if (!isHeld && !taken.isFree)
            throw EngineError(ProjectStore::tr("Another window has this project open.").toStdString(),
                              ProjectStore::tr("Save it under another name.").toStdString());
        writeProject(rawPath(what.path), what.project);
        saved.lock = std::move(taken.lock);
        saved.digest = ProjectStore::digestOf(what.path);
    } catch (...) {
        saved.error = std::current_exception();
    }
    return saved;
}

QJsonObject windowOf(const Project& project) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(project.window)).object();
}

QString nameOfAutosave() {
    static std::atomic<int> windows = 0;
    return QStringLiteral("%1-%2-%3.json")
        .arg(QDateTime::currentMSecsSinceEpoch())
        .arg(QCoreApplication::applicationPid())
        .arg(++windows);
}

/// @param own autosave of this window, which is left out
ProjectStore::AllLeftBehind readLeftBehind(const QString& folder, const QString& own,
                                           const std::stop_token& stop) {
    ProjectStore::AllLeftBehind all;
    const auto files = QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time);
    for (const QFileInfo& file : files) {
        const QString path = file.filePath();
        const auto lock = makeLock(path);
        if (stop.stop_requested() || path == own || !canTake(*lock))
            continue; // its window is open
        try {
            all.found.push_back({path, file.lastModified(), ProjectStore::read(path)});
            ProjectStore::LeftBehind& left = all.found.back();
            left.saved = ProjectStore::lastSaved(ProjectStore::fileOf(left.project));
        } catch (...) {
            all.unreadable.emplace_back(path, failureOf(std::current_exception(), {}).sentence);
        }
    }
    return all;
}

} // namespace

ProjectStore::ProjectStore(QString autosaves, QObject* parent)
    : QObject(parent), m_folder(std::move(autosaves)), m_saver(*this, 1), m_pool(*this, 1) {
    if (m_folder.isEmpty())
        m_folder = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
                   QStringLiteral("/autosave");
}

ProjectStore::~ProjectStore() {
    m_stop.request_stop();
}

Project ProjectStore::read(const QString& path) {
    return readProject(rawPath(path));
}

Project ProjectStore::lastSaved(const QString& path) {
    try {
        return path.isEmpty() ? Project() : read(path);
    } catch (const Error&) {
        return {}; // nothing of it is saved any more
    }
}

bool ProjectStore::isForeign(const Project& autosaved) {
    const QString digest = windowOf(autosaved).value(kProjectDigest).toString();
    return isReplaced(fileOf(autosaved), digest.toStdString());
}

QString ProjectStore::fileOf(const Project& autosaved) {
    const QString file = windowOf(autosaved).value(kProjectFile).toString();
    return QDir::isRelativePath(file) ? QString() : file; // of another working directory
}

std::string ProjectStore::digestOf(const QString& path) {
    return path.isEmpty() ? std::string() : sha256Of(rawPath(path));
}

bool ProjectStore::isReplaced(const QString& path, const std::string& digest) {
    std::error_code unknown;
    return !path.isEmpty() &&
           std::filesystem::symlink_status(rawPath(path), unknown).type() !=
               std::filesystem::file_type::not_found &&
           digestOf(path) != digest;
}

void ProjectStore::take(const QString& path, std::string digest) {
    m_isLocked = false;
    if (!m_lock || path != m_path) {
        TakenLock taken = takeLock(path);
        m_isLocked = !taken.isFree;
        m_lock = std::move(taken.lock);
    }
    m_path = path;
    m_digest = std::move(digest);
}

void ProjectStore::save(ProjectToSave project, std::function<void(const SavedProject&)> ended) {
    m_isSaving = true;
    const auto held = project.path == m_path ? m_lock : nullptr; // until it is written
    m_saver.start([this, project = std::move(project), held, ended = std::move(ended)] {
        SavedProject saved = written(project, held != nullptr);
        m_saver.post([this, saved = std::move(saved), ended] {
            m_isSaving = false;
            ended(saved);
            emit savingEnded(!saved.error && !saved.isReplaced);
        });
    });
}

void ProjectStore::takeSaved(const QString& path, const SavedProject& saved) {
    if (saved.lock || path != m_path)
        m_lock = saved.lock;
    m_path = path;
    m_digest = saved.digest;
    m_isLocked = false;
    m_autosaved = {}; // it names the file as it was before
}

void ProjectStore::close() {
    m_lock.reset();
    m_path.clear();
    m_isLocked = false;
}

QString ProjectStore::makeAutosave() const {
    if (!QDir().mkpath(m_folder))
        throw EngineError(
            tr("The folder of autosaves can't be made: %1.").arg(shownText(m_folder)).toStdString(),
            tr("Save your work as a project.").toStdString());
    return QDir(m_folder).filePath(nameOfAutosave());
}

Project ProjectStore::stamped(Project project) const {
    QJsonObject window = windowOf(project);
    if (!m_path.isEmpty() && fileOf(project) == m_path && !window.contains(kProjectDigest)) {
        window.insert(kProjectDigest, QString::fromStdString(m_digest));
        project.window = QJsonDocument(window).toJson(QJsonDocument::Compact).toStdString();
    }
    return project;
}

void ProjectStore::autosave(const Project& project) {
    if (!m_autosave.isEmpty() && project == m_autosaved)
        return;
    if (m_autosave.isEmpty()) {
        try {
            m_autosave = makeAutosave();
        } catch (const EngineError&) {
            return onAutosaveFailed(failureOf(std::current_exception(), {}));
        }
        m_autosaveLock = makeLock(m_autosave);
        canTake(*m_autosaveLock);
    }
    m_autosaved = project;
    m_pool.start([this, project = stamped(project), file = m_autosave] {
        m_pool.guarded([this](const Failure& failure) { onAutosaveFailed(failure); },
                       [&] { writeProject(rawPath(file), project); },
                       tr("Close other programs, or save your work as a project."));
    });
}

void ProjectStore::onAutosaveFailed(const Failure& failure) {
    m_autosaved = {}; // is tried again
    if (std::exchange(m_autosaveFailure, failure.sentence) != failure.sentence)
        emit autosaveFailed(tr("The autosave failed: %1").arg(failure.sentence), failure.nextStep);
}

void ProjectStore::endAutosave() {
    if (m_autosave.isEmpty())
        return;
    m_pool.start([file = std::exchange(m_autosave, {}), // after a running write
                  lock = std::move(m_autosaveLock)] { removeOwnFile(rawPath(file)); });
}

void ProjectStore::leaveBehind(const Project& project, LeftEnd ended) {
    writeBehind(
        project, [] {}, std::move(ended));
}

void ProjectStore::leaveAutosaveBehind(const Project& project, LeftEnd ended) {
    writeBehind(
        project,
        [file = std::exchange(m_autosave, {}), // its lock is held until it is known whether it is needed
         lock = std::move(m_autosaveLock)] {
            if (!file.isEmpty())
                removeOwnFile(rawPath(file));
        },
        std::move(ended));
}

void ProjectStore::writeBehind(const Project& project, std::function<void()> written, LeftEnd ended) {
    m_pool.start([this, project = stamped(project), written = std::move(written), ended = std::move(ended)] {
        QString file;
        Failure failure;
        try {
            const QString made = makeAutosave();
            const auto lock = makeLock(made);
            canTake(*lock);
            writeProject(rawPath(made), project);
            file = made;
            written();
        } catch (...) {
            failure = failureOf(std::current_exception(), {});
        }
        m_pool.post([=] { ended(file, failure); });
    });
}

void ProjectStore::findLeftBehind(std::function<void(AllLeftBehind)> found) {
    m_pool.start([this, folder = m_folder, own = m_autosave, stop = m_stop.get_token(),
                  found = std::move(found)] {
        const auto all = std::make_shared<AllLeftBehind>(readLeftBehind(folder, own, stop));
        m_pool.post([this, all, found] {
            std::erase_if(all->unreadable, [&](const auto& one) { return m_unreadable.contains(one.first); });
            for (const auto& [file, why] : all->unreadable)
                m_unreadable << file;
            found(std::move(*all));
        });
    });
}

void ProjectStore::discard(const LeftBehind& left) {
    if (left.file.isEmpty())
        return;
    m_pool.start([file = left.file] {
        const auto lock = makeLock(file);
        if (canTake(*lock))
            removeOwnFile(rawPath(file));
    });
}

void ProjectStore::adopt(const LeftBehind& left) {
    if (left.file.isEmpty())
        return;
    auto lock = makeLock(left.file);
    if (!canTake(*lock))
        return;
    endAutosave();
    m_autosave = left.file;
    m_autosaveLock = std::move(lock);
    m_autosaved = {};
}

} // namespace scanloupe::gui
