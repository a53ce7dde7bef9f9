#pragma once
// Declares the project file of a window: opened, saved, locked against a second window, and autosaved.
#include "engine/project/project.h"
#include "gui/jobs/job_pool.h"
#include "gui/jobs/project_lock.h"

#include <QDateTime>
#include <QFuture>
#include <QString>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace scanloupe::gui {

/// Member of Project::window: the path of the project's file.
inline constexpr const char* kProjectFile = "project_file";
/// Of autosaves: the SHA-256 of that file, as the window had read or written it.
inline constexpr const char* kProjectDigest = "project_sha256";

/// A project that is to be written.
struct ProjectToSave {
    QString path;
    Project project;
    /// Of the file as it was last read or written: a file with another content is not replaced. None: any is.
    std::optional<std::string> digest;
    std::vector<std::filesystem::path> open =
        {}; ///< files that it must not replace, and folders of such files
};

/// How writing a project ended.
struct SavedProject {
    std::exception_ptr error;             ///< null: it did not fail
    bool isReplaced = false;              ///< nothing was written: the file has another content than expected
    std::string digest = {};              ///< of the file
    std::shared_ptr<QLockFile> lock = {}; ///< of the file; null where it can't be locked, or was before
};

/// Paths are as rawText() represents them. GUI thread; projects and autosaves are written on workers, since
/// disks and networks may be slow or gone. Autosaves, in the program's own folder, wait for no other file.
class ProjectStore : public QObject {
    Q_OBJECT
public:
    /// @param autosaves folder of autosaves; empty: that of the program's data
    explicit ProjectStore(QString autosaves = {}, QObject* parent = nullptr);
    /// Waits until the autosave is written, and some seconds for the project. The autosave stays: only
    /// endAutosave() removes it.
    ~ProjectStore() override;

    /// File of the open project; empty: there is none.
    const QString& path() const { return m_path; }
    /// Another window has the project open, or something else than a lock is in the lock's place.
    bool isLocked() const { return m_isLocked; }
    /// Of that file, as this window has read or written it.
    const std::string& digest() const { return m_digest; }

    /// Reads a project; take() makes it the open one. @throws EngineError
    static Project read(const QString& path);
    /// The project as its file has it; empty without a file, or where that can't be read.
    static Project lastSaved(const QString& path);
    /// Whether something else is in the place of the project that an autosave is of, and saving would replace
    /// it: no project, or one that was written after the autosave's window had read its own.
    static bool isForeign(const Project& autosaved);
    /// The file of the project that an autosave is of; empty: there is none.
    static QString fileOf(const Project& autosaved);
    /// The SHA-256 of a project's file, to be asked for before it is read; empty: there is none.
    static std::string digestOf(const QString& path);
    /// Whether a file is there, with another content than that of `digest`: another program, or another
    /// project, has taken its place.
    static bool isReplaced(const QString& path, const std::string& digest);
    /// @param digest of the file as it was read
    void take(const QString& path, std::string digest);
    /// Starts to write a project; fails when another window has that file open. While isSaving(), no other
    /// one may be started.
    /// @param ended is called once, on the GUI thread
    void save(ProjectToSave project, std::function<void(const SavedProject&)> ended);
    bool isSaving() const { return m_saving != 0; }
    /// File of the project that isSaving().
    QString savedPath() const;
    /// Leaves the project that isSaving() to be written for as long as it takes; its `ended` is not called.
    void stopWaiting();
    /// Whether a project that was left so is still being written to this file: no other one may be.
    bool isBeingWritten(const QString& path) const;
    /// Makes a project that was written the open one.
    void takeSaved(const QString& path, const SavedProject& saved);
    /// No project is open any more.
    void close();

    /// Writes what is open to the folder of autosaves, unless it is there already.
    void autosave(const Project& project);
    /// The window is closed, and its user was asked what to keep: removes its autosave.
    void endAutosave();

    /// An autosave of a window that did not close as it should, or of what another scan has replaced.
    struct LeftBehind {
        QString file; ///< empty: it is in the memory only, so far
        QDateTime when;
        Project project;
        Project saved = {};                              ///< as the project's file has it; empty without one
        QDateTime savedAt = {};                          ///< when that file was written
        std::vector<std::filesystem::path> missing = {}; ///< scans that can't be found
    };
    /// All who have one have the same, whose file may become known while it is offered.
    using LeftBehindPtr = std::shared_ptr<LeftBehind>;
    /// Work that no file has so far.
    struct Unstored {
        LeftBehindPtr left;
        Failure failure = {}; ///< of the last attempt to write it; empty: it is the first one
        bool isBeingWritten = false;
        std::function<void()> removeOlder = {}; ///< state of it, on the worker
    };
    /// Starts to write an autosave of what is about to be replaced, and leaves it behind. While that fails,
    /// it is unstored().
    void leaveBehind(const Project& project);
    /// As above, of what the window's autosave is an older state of: removes that once the new one is
    /// written, otherwise leaves it behind. Later autosaves get another file.
    void leaveAutosaveBehind(const Project& project);
    /// In the order in which it was left behind.
    const std::vector<Unstored>& unstored() const { return m_unstored; }
    /// The newest of it that could not be written; null: there is none.
    LeftBehindPtr newestUnstored() const;
    /// Tries again to write what is unstored.
    void storeAgain();
    /// Whether some of that is being written.
    bool isStoring() const;

    struct AllLeftBehind {
        std::vector<LeftBehindPtr> found; ///< the newest first
        /// Files that can't be read, which stay where they are, and why. Each is reported once.
        std::vector<std::pair<QString, QString>> unreadable;
    };
    /// Looks for those of windows that are no longer open, on the worker. Removes none.
    /// @param found gets them, on the GUI thread
    void findLeftBehind(std::function<void(AllLeftBehind)> found);
    /// Deletes an autosave, unless another window has taken it meanwhile.
    void discard(const LeftBehindPtr& left);
    /// Continues an autosave that was restored, as that of this window. One that another window has taken
    /// meanwhile stays with that.
    void adopt(const LeftBehindPtr& left);

signals:
    /// The autosave can't be written; each reason is reported once.
    void autosaveFailed(const QString& sentence, const QString& nextStep);
    /// What was left behind can't be written: it is unstored(). Emitted once for each.
    void leavingFailed(const QString& sentence);
    /// A save() has ended, and its caller knows; isSaving() if that has started another one.
    void savingEnded(bool isWritten);

private:
    /// A new file's path, with its folder. @throws EngineError
    QString makeAutosave() const;
    /// Starts to write something unstored, unless it is being written.
    void store(Unstored& one);
    void onStored(const LeftBehindPtr& left, const QString& file, const Failure& failure);
    /// With the digest of the file that it is of.
    Project stamped(Project project) const;
    void onAutosaveFailed(const Failure& failure);
    /// Releases the lock of the open project, and holds another one.
    void hold(std::shared_ptr<QLockFile> lock);

    QString m_folder, m_path;
    std::string m_digest;              ///< of the file, as last read or written
    std::shared_ptr<QLockFile> m_lock; ///< of the open project; null where it can't be locked
    bool m_isLocked = false;
    int m_saving = 0;                 ///< number of the write that isSaving(); 0: there is none
    int m_lastWrite = 0;              ///< number
    std::map<int, QString> m_written; ///< paths of the writes that have not ended
    QFuture<SavedProject> m_write;    ///< the one that isSaving()
    QString m_autosave;               ///< file; empty: none was written
    std::shared_ptr<QLockFile> m_autosaveLock;
    Project m_autosaved;
    QString m_autosaveFailure; ///< that was reported last
    QStringList m_unreadable;  ///< autosaves that were reported
    std::vector<Unstored> m_unstored;
    std::stop_source m_stop;
    JobPool m_pool; ///< of autosaves; declared last, so destroyed first
};

/// A project whose scans are being opened.
struct PendingProject {
    Project project;
    QString path;                     ///< empty: it has no file yet
    std::string digest;               ///< of that file as it was read
    ProjectStore::LeftBehindPtr left; ///< that it comes from; null: it is no autosave
    Project saved;                    ///< of an autosave: as the project's file has it
    QString note;                     ///< shown when they are open
};

} // namespace scanloupe::gui
