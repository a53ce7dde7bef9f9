#pragma once
// Declares the open document of a window: opening, saving as a project or a recipe, and recovery after a
// crash.
#include "engine/edit/edits.h"
#include "engine/project/project.h"
#include "gui/controllers/window_context.h"
#include "gui/jobs/playlist.h"
#include "gui/jobs/store/project_store.h"
#include "gui/work/project_work.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QAction;
class QMenu;

namespace scanloupe::gui {

class CameraController;
class EditController;
class MeasureController;
class RecentFiles;
class RunController;
class ScanOpener;
class WelcomePane;

/// The parts of a window that a project controller uses; they outlive the controller.
struct ProjectParts {
    RunController& run;
    CameraController& camera;
    EditController& edit;
    MeasureController& measuring;
    ScanOpener& opener;
    RecentFiles& recent;
    WelcomePane& welcome;
    std::function<QJsonArray()> shownPanels; ///< names of the docks that are shown
};

/// Keeps track of the open files and of unsaved work: asks before unsaved work is discarded, autosaves it,
/// and offers to restore it.
class ProjectController : public Controller {
    Q_OBJECT
public:
    ProjectController(const WindowContext& window, ProjectParts parts);

    void buildProjectActions(QMenu* file);
    void buildRecipeActions(QMenu* file);
    ProjectStore& store() { return m_store; }

    /// Opens paths, as rawText() returns them. Without `as` the user is asked how to open several scans.
    void open(const QStringList& paths, std::optional<SeveralAs> as = std::nullopt);
    void openSample(const synth::ScanParams& params);
    /// Opens a project's file; `path` as rawText() returns it.
    void openProject(const QString& path);
    /// Asks for scans and opens them.
    void chooseFiles(), chooseFolder();
    /// Asks for an empty grid, writes its files and opens it.
    void newGrid();
    /// Opens files that were dropped on the window.
    void drop(const QStringList& paths);
    /// Saves the open scans and the work on them as a project, which becomes the open one. Waits until it is
    /// written, while the window stays responsive. False: it failed, and the message bar says why.
    bool saveProjectTo(const QString& path);
    /// Autosaves the current work, to be restored after a crash.
    void autosave();
    /// Ends autosaving, since the window closes.
    void endAutosave();
    /// Offers on the start page to restore the work of a window that crashed.
    void offerRestore();
    /// Asks whether to save modifications. False: the window stays as it is.
    bool mayClose();
    bool mayLeaveUnstored();               ///< asks about work on earlier scans that could not be stored
    void stayOpen() { m_givenUp.reset(); } ///< the user chose to keep the window open

    /// The open files, which no output may replace. @param replaced an exception that may be replaced
    std::vector<std::filesystem::path> openFiles(const QString& replaced = {}) const;
    /// Prompts for a path other than openFiles().
    QString promptSavePath(QWidget* parent, const QString& title, const QString& suggested,
                           const QString& filter) const;
    /// Must be called when the displayed poses were saved.
    void takePoses();
    /// Handles new results, after all other receivers.
    void takeResults();

signals:
    /// Emitted with the panels that a project shows.
    void panelsWanted(const QJsonArray& names);

private:
    static constexpr const char* kPanels = "panels"; // of Project::window
    static constexpr const char* kViews = "views";
    using SaveEnd = std::function<void(bool isSaved)>; ///< false: the message bar says why not, if it failed

    void onScanOpened(const QString& name);
    void onOpeningEnded(OpeningEnd end);
    void onProjectOpened(); ///< handles an opened project, or a scan without one
    void takeProject(PendingProject& pending);
    void showTitle(), showModified();
    /// Initial folder of the dialogs that open scans.
    QString scanFolder() const;
    /// openFiles() without the scans in folders, so that no disk is accessed.
    std::vector<std::filesystem::path> openPaths(const QString& replaced = {}) const;
    /// The open scans and the work on them as a project; none while nothing is open.
    std::optional<Project> project() const;
    /// The project without the history and the layout of the window. There must be results.
    Project work() const;
    /// Opens the scans of a project. `path`: its file, or empty. @param left the autosave that it comes from
    /// @param saved the project's file, if it comes from an autosave
    void apply(Project project, const QString& path, std::string digest,
               const ProjectStore::LeftBehindPtr& left = {}, const Project& saved = {});
    /// Asks for a folder while scans are missing. False: the user cancelled.
    bool askForMissing(Project& project, const QString& folder, std::vector<std::filesystem::path> missing);
    /// Names of the work that is in no file, as by workBeyond().
    QStringList unsavedWork() const;
    /// whether the open project has changed; without one, whether there is unsaved work
    bool isModified() const;

    AskedProject asked() const;
    void saveProject(const AskedProject& asked, const SaveEnd& ended);
    void saveProjectAs(const AskedProject& asked, const SaveEnd& ended);
    /// Saves in the background. @param digest see ProjectToSave::digest
    void startSaving(const QString& named, const AskedProject& asked,
                     const std::optional<std::string>& digest, const SaveEnd& ended);
    void onSaved(const QString& path, const AskedProject& asked, const SavedProject& saved,
                 const SaveEnd& ended);
    /// Runs `save` and waits, while the window stays responsive. @returns whether the project is saved; none:
    /// the user chose not to wait
    std::optional<bool> isSavedBy(const std::function<void(const SaveEnd&)>& save);
    /// Waits until the project is written. False: writing failed, or the user cancelled. None: the user chose
    /// not to wait.
    std::optional<bool> waitForSaving();
    static QString projectFilter();

    /// restores, discards, or offers again the last autosave
    void restoreLeftBehind(), discardLeftBehind(), offerAgain();
    /// Offers to restore unsaved work on the scans that were just opened. @param note shown above the offer
    void offerLeftBehind(const QString& note = {});
    /// Another scan replaces the open one: autosaves the work since the user was asked. Returns a note.
    QString leaveUnsavedWork();

    void chooseRecipe(), saveRecipe();
    void openRecipe(const QString& path);
    void showRecipeOfAnotherScan();
    /// Whether a dropped file is a recipe, as opposed to the sidecar of a volume.
    static bool isRecipe(const QString& path);

    ProjectParts m_parts;
    Playlist& m_playlist;
    ProjectStore m_store;
    std::optional<Edits> m_recipeEdits;      ///< edits in a recipe's file, in addition to those of m_saved
    QString m_recipeFile;                    ///< the recipe last opened or saved; empty: none for this scan
    Project m_saved;                         ///< as stored in its file; without a file, as it was opened
    std::optional<Project> m_givenUp;        ///< work that the user agreed to discard
    std::optional<PendingProject> m_pending; ///< the project whose scans are being opened
    ProjectStore::LeftBehindPtr m_left;      ///< the work that is offered for restoring
    QTimer m_autosaveTimer;
    QString m_shownName;       ///< name of the scan
    bool m_isOpened = false;   ///< the results that follow are the first ones of another scan
    bool m_isReplaced = false; ///< the other scan is not part of the open list
    QAction *m_saveProjectAction = nullptr, *m_saveProjectAsAction = nullptr;
    QAction *m_saveRecipeAction = nullptr, *m_openRecipeAction = nullptr;
};

} // namespace scanloupe::gui
