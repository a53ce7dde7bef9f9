// Opens, saves and locks the project of a window.
#include "gui/jobs/store/project_store.h"

#include "engine/cloud/error.h"
#include "engine/io/common/file_checksum.h"
#include "engine/io/output_check.h"
#include "gui/base/raw_text.h"
#include "gui/jobs/apart.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <thread>
#include <vector>

namespace scanloupe::gui {

namespace {

using namespace std::chrono_literals;

constexpr auto kDiskPatience = 5s;  // on a worker
constexpr auto kLockPatience = 1s;  // on the GUI thread
constexpr auto kWritePatience = 5s; // when a window ends without being closed; its autosave has the work

/// Refuses to overwrite an open file. A file on an unresponsive disk can't be the target, so the check skips
/// it.
void requireOther(const ProjectToSave& what) {
    std::map<std::filesystem::path, std::vector<std::filesystem::path>> files; // by their folders
    for (const std::filesystem::path& file : what.open)
        files[file.parent_path()].push_back(file);
    std::vector<std::future<void>> checks;
    for (const auto& [folder, all] : files)
        checks.push_back(startApart([all = all, target = rawPath(what.path)] {
            OutputCheck check;
            for (const std::filesystem::path& file : all) {
                check.addInput(file);
                std::error_code unknown; // the scans of a survey
                for (const auto& entry : std::filesystem::directory_iterator(file, unknown))
                    check.addInput(entry.path());
            }
            check.addOutput(target, {});
        }));
    const auto end = std::chrono::steady_clock::now() + kDiskPatience;
    for (std::future<void>& check : checks)
        if (check.wait_until(end) == std::future_status::ready)
            check.get();
}

/// @param isHeld the window has its lock
SavedProject written(const ProjectToSave& what, bool isHeld) {
    SavedProject saved;
    try {
        saved.isReplaced = what.digest && ProjectStore::isReplaced(what.path, *what.digest);
        if (saved.isReplaced)
            return saved;
        requireOther(what);
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

} // namespace

ProjectStore::ProjectStore(QString autosaves, QObject* parent)
    : QObject(parent), m_folder(std::move(autosaves)), m_pool(*this, 1) {
    if (m_folder.isEmpty())
        m_folder = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
                   QStringLiteral("/autosave");
}

ProjectStore::~ProjectStore() {
    m_stop.request_stop();
    const auto end = std::chrono::steady_clock::now() + kWritePatience;
    while (isSaving() && !m_write.isFinished() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(5ms);
    hold(nullptr);
}

Project ProjectStore::read(const QString& path) {
    return readProject(rawPath(path));
}

Project ProjectStore::lastSaved(const QString& path) {
    try {
        return path.isEmpty() ? Project() : read(path);
    } catch (...) {
        return {}; // nothing is saved from here on
    }
}

bool ProjectStore::isForeign(const Project& autosaved) {
    const QString digest = windowOf(autosaved).value(kProjectDigest).toString();
    return isReplaced(fileOf(autosaved), digest.toStdString());
}

QString ProjectStore::fileOf(const Project& autosaved) {
    const QString file = windowOf(autosaved).value(kProjectFile).toString();
    return QDir::isRelativePath(file) ? QString() : file; // relative to an unknown working directory
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
        hold(nullptr); // releases the lock first, since it may be for the same file under another name
        auto taking = startApart([path] { return takeLock(path); });
        // a disk or a network that does not answer now may do so when the project is saved
        const bool isTaken = taking.wait_for(kLockPatience) == std::future_status::ready;
        TakenLock taken = isTaken ? taking.get() : TakenLock{nullptr, true};
        m_isLocked = !taken.isFree;
        m_lock = std::move(taken.lock);
    }
    m_path = path;
    m_digest = std::move(digest);
}

void ProjectStore::hold(std::shared_ptr<QLockFile> lock) {
    if (auto before = std::exchange(m_lock, std::move(lock)); before && before != m_lock)
        startApart([before = std::move(before)]() mutable {
            before.reset(); // removes a file
            return true;
        }).wait_for(kLockPatience);
}

void ProjectStore::save(ProjectToSave project, std::function<void(const SavedProject&)> ended) {
    const auto held = project.path == m_path ? m_lock : nullptr; // until it is written
    const int number = m_saving = ++m_lastWrite;
    m_written[number] = project.path;
    m_write = startApart<SavedProject>(
        *this, [project = std::move(project), held] { return written(project, held != nullptr); },
        [this, number, held, ended = std::move(ended)](const SavedProject& saved) {
            m_written.erase(number);
            if (number != m_saving) { // the caller has stopped waiting for this write
                if (held && held == m_lock && !saved.digest.empty()) {
                    m_digest = saved.digest;
                    m_autosaved = {}; // the autosave refers to the file's previous content
                }
                return;
            }
            m_saving = 0;
            m_write = {}; // releases the lock, too
            ended(saved);
            emit savingEnded(!saved.error && !saved.isReplaced);
        });
}

QString ProjectStore::savedPath() const {
    const auto saved = m_written.find(m_saving);
    return saved == m_written.end() ? QString() : saved->second;
}

void ProjectStore::stopWaiting() {
    m_saving = 0;
    m_write = {};
}

bool ProjectStore::isBeingWritten(const QString& path) const {
    return std::ranges::any_of(
        m_written, [&](const auto& write) { return write.first != m_saving && write.second == path; });
}

void ProjectStore::takeSaved(const QString& path, const SavedProject& saved) {
    if (saved.lock || path != m_path)
        hold(saved.lock);
    m_path = path;
    m_digest = saved.digest;
    m_isLocked = false;
    m_autosaved = {}; // the autosave refers to the file's previous content
}

void ProjectStore::close() {
    hold(nullptr);
    m_path.clear();
    m_isLocked = false;
}

} // namespace scanloupe::gui
