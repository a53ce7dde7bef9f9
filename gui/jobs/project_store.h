#pragma once
// Declares the project file of a window: opened, saved, locked against a second window, and autosaved.
#include "engine/project/project.h"
#include "gui/jobs/job_pool.h"

#include <QDateTime>
#include <QLockFile>
#include <QString>
#include <memory>
#include <optional>

namespace scanloupe::gui {

/// Paths are as rawText() represents them. GUI thread; autosaves are written on a worker.
class ProjectStore : public QObject {
    Q_OBJECT
public:
    /// @param autosaves folder of autosaves; empty: that of the program's data
    explicit ProjectStore(QString autosaves = {}, QObject* parent = nullptr);
    /// Removes the autosave: the window was closed, and did not crash.
    ~ProjectStore() override;

    /// File of the open project; empty: there is none.
    const QString& path() const { return m_path; }
    /// Another window has the project open.
    bool isLocked() const { return m_isLocked; }

    /// Reads a project; take() makes it the open one. @throws EngineError
    static Project read(const QString& path);
    void take(const QString& path);
    /// Writes the project and makes it the open one. @throws EngineError, also when another window has that
    /// file open
    void save(const QString& path, const Project& project);
    /// No project is open any more.
    void close();

    /// Writes what is open to the folder of autosaves, unless it is there already.
    void autosave(const Project& project);

    /// An autosave of a window that has crashed.
    struct LeftBehind {
        QString file;
        QDateTime when;
        Project project;
    };
    /// The newest one that can be read. Removes those that can't, and those that are older than a month.
    std::optional<LeftBehind> leftBehind() const;
    static void discard(const LeftBehind& left);

private:
    bool lock(const QString& path, std::unique_ptr<QLockFile>& lock) const;

    QString m_folder, m_path;
    std::unique_ptr<QLockFile> m_lock; ///< of the open project; null where it can't be locked
    bool m_isLocked = false;
    QString m_autosave; ///< file; empty: none was written
    std::unique_ptr<QLockFile> m_autosaveLock;
    Project m_autosaved;
    JobPool m_pool; ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
