#pragma once
// Declares the project file of a window: opened, saved, locked against a second window, and autosaved.
#include "engine/project/project.h"
#include "gui/jobs/job_pool.h"
#include "gui/jobs/store/project_lock.h"

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
/// Member of autosaves: the SHA-256 of that file when the window last read or wrote it.
inline constexpr const char* kProjectDigest = "project_sha256";

/// A project to write.
struct ProjectToSave {
    QString path;
    Project project;
    /// Digest of the file when last read or written; a file with other content is not replaced. None:
    /// replaces any.
    std::optional<std::string> digest;
    /// files that must not be replaced, and folders of such files
    std::vector<std::filesystem::path> open = {};
};

/// How writing a project ended.
struct SavedProject {
    std::exception_ptr error;             ///< null: writing succeeded
    bool isReplaced = false;              ///< nothing was written: the file has unexpected content
    std::string digest = {};              ///< digest of the written file
    std::shared_ptr<QLockFile> lock = {}; ///< lock of the file; null if it can't be locked or already was
};

/// Paths are as rawText() represents them. GUI thread; projects and autosaves are written on workers, since
/// disks and networks may be slow or gone. Autosaves, in the program's folder, wait for no other file.
class ProjectStore : public QObject {
    Q_OBJECT
public:
    /// @param autosaves folder of autosaves; empty: that of the program's data
    explicit ProjectStore(QString autosaves = {}, QObject* parent = nullptr);
    /// Waits until the autosave is written, and some seconds for the project. Keeps the autosave: only
    /// endAutosave() removes it.
    ~ProjectStore() override;

    /// File of the open project; empty: there is none.
    const QString& path() const { return m_path; }
    /// Whether another window has the project open, or the lock's path is not a lock file.
    bool isLocked() const { return m_isLocked; }
    /// Digest of that file when this window last read or wrote it.
    const std::string& digest() const { return m_digest; }

    /// Reads a project; take() makes it the open one. @throws EngineError
    static Project read(const QString& path);
    /// The project in its file; empty without a file, or if that cannot be read.
    static Project lastSaved(const QString& path);
    /// Whether saving a restored autosave would replace a foreign file: not a project, or a project written
    /// after the autosave's window had read its version.
    static bool isForeign(const Project& autosaved);
    /// The project file that an autosave belongs to; empty: there is none.
    static QString fileOf(const Project& autosaved);
    /// The SHA-256 of a project's file, to be computed before reading it; empty: there is none.
    static std::string digestOf(const QString& path);
    /// Whether a file exists with content other than that of `digest`: another program or project has
    /// replaced it.
    static bool isReplaced(const QString& path, const std::string& digest);
    /// @param digest of the file when it was read
    void take(const QString& path, std::string digest);
    /// Starts to write a project; fails if another window has that file open. Must not be called while
    /// isSaving().
    /// @param ended is called once, on the GUI thread
    void save(ProjectToSave project, std::function<void(const SavedProject&)> ended);
    bool isSaving() const { return m_saving != 0; }
    /// File of the project that isSaving().
    QString savedPath() const;
    /// Stops waiting for the project that isSaving(): writing continues, but `ended` is not called.
    void stopWaiting();
    /// Whether a project is still being written to this file, even after stopWaiting(), so that no other
    /// write may start.
    bool isBeingWritten(const QString& path) const;
    /// Makes a written project the open one.
    void takeSaved(const QString& path, const SavedProject& saved);
    /// Closes the open project.
    void close();

    /// Writes the open project to the folder of autosaves, unless that is up to date.
    void autosave(const Project& project);
    /// Removes the autosave: the window is closed, and the user has decided what to keep.
    void endAutosave();

    /// An autosave of a window that was not closed normally, or of work that another scan replaced.
    struct LeftBehind {
        QString file; ///< empty: so far in memory only
        QDateTime when;
        Project project;
        Project saved = {};                              ///< as the project's file has it; empty without one
        QDateTime savedAt = {};                          ///< when that file was written
        std::vector<std::filesystem::path> missing = {}; ///< scans that can't be found
    };
    /// Shared by all holders: its file may become known while it is offered.
    using LeftBehindPtr = std::shared_ptr<LeftBehind>;
    /// Work that is not in any file yet.
    struct Unstored {
        LeftBehindPtr left;
        Failure failure = {}; ///< why the last attempt to write it failed; empty: first attempt
        bool isBeingWritten = false;
        std::function<void()> removeOlder = {}; ///< removes its older autosave, on the worker
    };
    /// Starts to write an autosave of the work that is about to be replaced, and leaves it behind. While
    /// writing fails, the work is unstored().
    void leaveBehind(const Project& project);
    /// As above, for newer work than the window's autosave: removes the old autosave once the new one is
    /// written, otherwise leaves it behind. Later autosaves get another file.
    void leaveAutosaveBehind(const Project& project);
    /// Unstored work, in the order in which it was left behind.
    const std::vector<Unstored>& unstored() const { return m_unstored; }
    /// The newest unstored work that could not be written; null: there is none.
    LeftBehindPtr newestUnstored() const;
    /// Tries again to write unstored work.
    void storeAgain();
    /// Whether unstored work is being written.
    bool isStoring() const;

    struct AllLeftBehind {
        std::vector<LeftBehindPtr> found; ///< the newest first
        /// Unreadable files, which are kept, and why. Each is reported once.
        std::vector<std::pair<QString, QString>> unreadable;
    };
    /// Finds the autosaves of windows that are no longer open, on the worker. Removes none.
    /// @param found receives them, on the GUI thread
    void findLeftBehind(std::function<void(AllLeftBehind)> found);
    /// Deletes an autosave, unless another window has adopted it meanwhile.
    void discard(const LeftBehindPtr& left);
    /// Makes a restored autosave that of this window, unless another window has adopted it meanwhile.
    void adopt(const LeftBehindPtr& left);

signals:
    /// Emitted when the autosave can't be written, once for each reason.
    void autosaveFailed(const QString& sentence, const QString& nextStep);
    /// Emitted once for each work that was left behind and can't be written; it is in unstored().
    void leavingFailed(const QString& sentence);
    /// Emitted after a save() has called its `ended`; isSaving() if `ended` has started another save.
    void savingEnded(bool isWritten);

private:
    /// A new file's path, with its folder. @throws EngineError
    QString makeAutosave() const;
    /// Starts to write unstored work, unless it is being written already.
    void store(Unstored& one);
    void onStored(const LeftBehindPtr& left, const QString& file, const Failure& failure);
    /// Adds the digest of the project's file.
    Project stamped(Project project) const;
    void onAutosaveFailed(const Failure& failure);
    /// Releases the lock of the open project, and holds another one.
    void hold(std::shared_ptr<QLockFile> lock);

    QString m_folder, m_path;
    std::string m_digest;              ///< digest of the file when last read or written
    std::shared_ptr<QLockFile> m_lock; ///< lock of the open project; null if it can't be locked
    bool m_isLocked = false;
    int m_saving = 0;                 ///< number of the write that isSaving(); 0: there is none
    int m_lastWrite = 0;              ///< number of the last write
    std::map<int, QString> m_written; ///< paths of the writes that have not ended
    QFuture<SavedProject> m_write;    ///< the current write
    QString m_autosave;               ///< path of the autosave file; empty: none was written
    std::shared_ptr<QLockFile> m_autosaveLock;
    Project m_autosaved;
    QString m_autosaveFailure; ///< the last reported failure
    QStringList m_unreadable;  ///< reported unreadable autosaves
    std::vector<Unstored> m_unstored;
    std::stop_source m_stop;
    JobPool m_pool; ///< writes autosaves; declared last, so destroyed first
};

/// A project whose scans are being opened.
struct PendingProject {
    Project project;
    QString path;                     ///< empty: it has no file yet
    std::string digest;               ///< digest of that file when it was read
    ProjectStore::LeftBehindPtr left; ///< the autosave that was restored; null: none
    Project saved;                    ///< the project's file, if this is an autosave
    QString note;                     ///< note to show when the scans are open
};

} // namespace scanloupe::gui
