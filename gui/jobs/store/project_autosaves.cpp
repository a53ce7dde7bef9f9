// Writes the autosaves of a window, and finds those of windows that did not close normally.
#include "engine/cloud/error.h"
#include "engine/io/common/write/own_files.h"
#include "gui/base/raw_text.h"
#include "gui/jobs/apart.h"
#include "gui/jobs/store/project_store.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <vector>

namespace scanloupe::gui {

namespace {

constexpr std::chrono::seconds kAutosavePatience(2);

QString nameOfAutosave() {
    static std::atomic<int> windows = 0;
    return QStringLiteral("%1-%2-%3.json")
        .arg(QDateTime::currentMSecsSinceEpoch())
        .arg(QCoreApplication::applicationPid())
        .arg(++windows);
}

/// @param own autosave of this window, which is excluded
ProjectStore::AllLeftBehind readLeftBehind(const QString& folder, const QString& own,
                                           const std::stop_token& stop) {
    ProjectStore::AllLeftBehind all;
    const auto files = QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time);
    for (const QFileInfo& file : files) {
        const QString path = file.filePath();
        const auto lock = makeLock(path);
        if (stop.stop_requested() || path == own || !canTake(*lock))
            continue; // skips the autosaves of open windows
        try {
            all.found.push_back(std::make_shared<ProjectStore::LeftBehind>(
                ProjectStore::LeftBehind{path, file.lastModified(), ProjectStore::read(path)}));
        } catch (...) {
            all.unreadable.emplace_back(path, failureOf(std::current_exception(), {}).sentence);
        }
    }
    return all;
}

void lookAround(ProjectStore::LeftBehind& left) {
    const QString file = ProjectStore::fileOf(left.project);
    left.saved = ProjectStore::lastSaved(file);
    if (const QFileInfo info(file); info.isFile())
        left.savedAt = info.lastModified();
    left.missing = missingScans(left.project);
}

/// Checks the files of the projects and scans, which may be on any disk: work on a disk that does not respond
/// is left out, and does not delay the others.
void lookAround(ProjectStore::AllLeftBehind& all) {
    std::vector<std::future<void>> looks;
    for (const ProjectStore::LeftBehindPtr& left : all.found)
        looks.push_back(startApart([left] { lookAround(*left); }));
    const auto end = std::chrono::steady_clock::now() + kAutosavePatience;
    std::vector<ProjectStore::LeftBehindPtr> answered;
    for (std::size_t i = 0; i < looks.size(); ++i) {
        if (looks[i].wait_until(end) == std::future_status::ready)
            answered.push_back(all.found[i]);
        else
            all.unreadable.emplace_back(
                all.found[i]->file,
                ProjectStore::tr(
                    "The disk or network drive with the project or its scans does not respond."));
    }
    all.found = std::move(answered);
}

} // namespace

QString ProjectStore::makeAutosave() const {
    if (!QDir().mkpath(m_folder))
        throw EngineError(
            tr("The folder of autosaves can't be created: %1.").arg(shownText(m_folder)).toStdString(),
            tr("Save your work as a project.").toStdString());
    return QDir(m_folder).filePath(nameOfAutosave());
}

Project ProjectStore::stamped(Project project) const {
    QJsonObject window = QJsonDocument::fromJson(QByteArray::fromStdString(project.window)).object();
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
    m_autosaved = {}; // retry
    if (std::exchange(m_autosaveFailure, failure.sentence) != failure.sentence)
        emit autosaveFailed(tr("The autosave failed: %1").arg(failure.sentence), failure.nextStep);
}

void ProjectStore::endAutosave() {
    if (m_autosave.isEmpty())
        return;
    m_pool.start([file = std::exchange(m_autosave, {}), // after a running write
                  lock = std::move(m_autosaveLock)] { removeOwnFile(rawPath(file)); });
}

void ProjectStore::leaveBehind(const Project& project) {
    const LeftBehind left{{}, QDateTime::currentDateTime(), stamped(project)};
    m_unstored.push_back({std::make_shared<LeftBehind>(left)});
    store(m_unstored.back());
}

void ProjectStore::leaveAutosaveBehind(const Project& project) {
    const LeftBehind left{{}, QDateTime::currentDateTime(), stamped(project)};
    m_unstored.push_back({std::make_shared<LeftBehind>(left)});
    if (const QString older = std::exchange(m_autosave, {}); !older.isEmpty())
        m_unstored.back().removeOlder = [older,
                                         lock = std::move(m_autosaveLock)] { // keeps the lock until then
            removeOwnFile(rawPath(older));
        };
    store(m_unstored.back());
}

void ProjectStore::store(Unstored& one) {
    if (std::exchange(one.isBeingWritten, true))
        return;
    m_pool.start([this, left = one.left, removeOlder = one.removeOlder] {
        QString file;
        Failure failure;
        try {
            const QString made = makeAutosave();
            const auto lock = makeLock(made);
            canTake(*lock);
            writeProject(rawPath(made), left->project);
            file = made;
            if (removeOlder)
                removeOlder();
        } catch (...) {
            failure = failureOf(std::current_exception(), tr("Close other programs."));
        }
        m_pool.post([=, this] { onStored(left, file, failure); });
    });
}

void ProjectStore::onStored(const LeftBehindPtr& left, const QString& file, const Failure& failure) {
    left->file = file;
    const auto one = std::ranges::find(m_unstored, left, &Unstored::left);
    if (one == m_unstored.end()) // the work was restored or discarded meanwhile
        return discard(left);
    if (!file.isEmpty()) {
        m_unstored.erase(one);
        return;
    }
    one->isBeingWritten = false;
    const bool isFirst = one->failure.sentence.isEmpty();
    one->failure = failure;
    if (isFirst)
        emit leavingFailed(failure.sentence);
}

ProjectStore::LeftBehindPtr ProjectStore::newestUnstored() const {
    for (auto one = m_unstored.rbegin(); one != m_unstored.rend(); ++one)
        if (!one->failure.sentence.isEmpty())
            return one->left;
    return nullptr;
}

void ProjectStore::storeAgain() {
    for (Unstored& one : m_unstored)
        store(one);
}

bool ProjectStore::isStoring() const {
    return std::ranges::any_of(m_unstored, &Unstored::isBeingWritten);
}

void ProjectStore::findLeftBehind(std::function<void(AllLeftBehind)> found) {
    const std::stop_token stop = m_stop.get_token();
    m_pool.start([=, this, folder = m_folder, own = m_autosave] {
        const auto all = std::make_shared<AllLeftBehind>(readLeftBehind(folder, own, stop));
        m_pool.post([=, this] {
            startApart<bool>(
                *this, [all] { return lookAround(*all), true; },
                [=, this](bool) {
                    std::erase_if(all->unreadable,
                                  [&](const auto& one) { return m_unreadable.contains(one.first); });
                    for (const auto& [file, why] : all->unreadable)
                        m_unreadable << file;
                    std::erase_if(all->found, // drop the one that this window has meanwhile started to use
                                  [&](const LeftBehindPtr& left) { return left->file == m_autosave; });
                    found(std::move(*all));
                });
        });
    });
}

void ProjectStore::discard(const LeftBehindPtr& left) {
    const auto one = std::ranges::find(m_unstored, left, &Unstored::left);
    if (one != m_unstored.end()) {
        if (one->removeOlder)
            m_pool.start(one->removeOlder);
        m_unstored.erase(one);
    }
    if (left->file.isEmpty()) // while it is being written, onStored() removes it
        return;
    m_pool.start([file = left->file] {
        const auto lock = makeLock(file);
        if (canTake(*lock))
            removeOwnFile(rawPath(file));
    });
}

void ProjectStore::adopt(const LeftBehindPtr& left) {
    std::erase_if(m_unstored, [&](const Unstored& one) { return one.left == left; });
    if (left->file.isEmpty())
        return;
    auto lock = makeLock(left->file);
    if (!canTake(*lock))
        return;
    endAutosave();
    m_autosave = left->file;
    m_autosaveLock = std::move(lock);
    m_autosaved = {};
}

} // namespace scanloupe::gui
