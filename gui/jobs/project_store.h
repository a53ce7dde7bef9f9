#pragma once
// Declares the project file of a window: opened, saved, locked against a second window, and autosaved.
#include "engine/project/project.h"
#include "gui/jobs/job_pool.h"

#include <QDateTime>
#include <QLockFile>
#include <QString>
#include <exception>
#include <filesystem>
#include <functional>
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
    std::vector<std::filesystem::path> open = {}; ///< files that it must not replace
};

/// How writing a project ended.
struct SavedProject {
    std::exception_ptr error;             ///< null: it did not fail
    bool isReplaced = false;              ///< nothing was written: the file has another content than expected
    std::string digest = {};              ///< of the file
    std::shared_ptr<QLockFile> lock = {}; ///< of the file; null where it can't be locked, or was before
};

/// Paths are as rawText() represents them. GUI thread; projects and autosaves are written on workers, since
/// disks and networks may be slow or gone.
class ProjectStore : public QObject {
    Q_OBJECT
public:
    /// @param autosaves folder of autosaves; empty: that of the program's data
    explicit ProjectStore(QString autosaves = {}, QObject* parent = nullptr);
    /// Waits until the project and the autosave are written. It stays: only endAutosave() removes it.
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
    bool isSaving() const { return m_isSaving; }
    /// Makes a project that was written the open one.
    void takeSaved(const QString& path, const SavedProject& saved);
    /// No project is open any more.
    void close();

    /// Writes what is open to the folder of autosaves, unless it is there already.
    void autosave(const Project& project);
    /// The window is closed, and its user was asked what to keep: removes its autosave.
    void endAutosave();
    /// Gets the file of an autosave that was left behind; empty: it can't be written, and why.
    using LeftEnd = std::function<void(const QString& file, const Failure& failure)>;
    /// Starts to write an autosave of what is about to be replaced, and leaves it behind.
    /// @param ended is called on the GUI thread
    void leaveBehind(const Project& project, LeftEnd ended);
    /// As above, of what the window's autosave is an older state of: removes that once the new one is
    /// written, otherwise leaves it behind. Later autosaves get another file.
    void leaveAutosaveBehind(const Project& project, LeftEnd ended);

    /// An autosave of a window that did not close as it should.
    struct LeftBehind {
        QString file; ///< empty: it could not be written, and is in the memory only
        QDateTime when;
        Project project;
        Project saved = {}; ///< as the project's file has it; empty without one
    };
    struct AllLeftBehind {
        std::vector<LeftBehind> found; ///< the newest first
        /// Files that can't be read, which stay where they are, and why. Each is reported once.
        std::vector<std::pair<QString, QString>> unreadable;
    };
    /// Looks for those of windows that are no longer open, on the worker. Removes none.
    /// @param found gets them, on the GUI thread
    void findLeftBehind(std::function<void(AllLeftBehind)> found);
    /// Deletes an autosave, unless another window has taken it meanwhile.
    void discard(const LeftBehind& left);
    /// Continues an autosave that was restored, as that of this window. One that another window has taken
    /// meanwhile stays with that.
    void adopt(const LeftBehind& left);

signals:
    /// The autosave can't be written; each reason is reported once.
    void autosaveFailed(const QString& sentence, const QString& nextStep);
    /// A save() has ended, and its caller knows; isSaving() if that has started another one.
    void savingEnded(bool isWritten);

private:
    /// A new file's path, with its folder. @throws EngineError
    QString makeAutosave() const;
    /// @param written is called on the worker
    void writeBehind(const Project& project, std::function<void()> written, LeftEnd ended);
    /// With the digest of the file that it is of.
    Project stamped(Project project) const;
    void onAutosaveFailed(const Failure& failure);

    QString m_folder, m_path;
    std::string m_digest;              ///< of the file, as last read or written
    std::shared_ptr<QLockFile> m_lock; ///< of the open project; null where it can't be locked
    bool m_isLocked = false, m_isSaving = false;
    QString m_autosave; ///< file; empty: none was written
    std::shared_ptr<QLockFile> m_autosaveLock;
    Project m_autosaved;
    QString m_autosaveFailure; ///< that was reported last
    QStringList m_unreadable;  ///< autosaves that were reported
    std::stop_source m_stop;
    JobPool m_saver; ///< of projects: autosaves do not wait for a network
    JobPool m_pool;  ///< of autosaves; both are declared last, so destroyed first
};

/// A project whose scans are being opened.
struct PendingProject {
    Project project;
    QString path;       ///< empty: it has no file yet
    std::string digest; ///< of that file as it was read
    std::optional<ProjectStore::LeftBehind> left;
    QString note; ///< shown when they are open
};

} // namespace scanloupe::gui
