#pragma once
// Declares the main window.
#include "engine/results/device_copy_ban.h"
#include "gui/app/before_presentation.h"
#include "gui/app/edit_session.h"
#include "gui/app/recent_files.h"
#include "gui/app/scan_opener.h"
#include "gui/app/window_parts.h"
#include "gui/jobs/backend_search.h"
#include "gui/jobs/measure_store.h"
#include "gui/jobs/playlist.h"
#include "gui/jobs/project_store.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/models/cut_tool.h"
#include "gui/models/measure_tool.h"
#include "gui/models/project_work.h"
#include "gui/models/result_times.h"
#include "gui/models/scene_aids.h"
#include "gui/models/work_history.h"
#include "gui/views/view_context.h"

#include <QMainWindow>
#include <QPointer>
#include <QSize>
#include <QTimer>
#include <map>
#include <optional>

namespace scanloupe::gui {

/// Assembles views, panels and jobs; holds no logic of its own.
class MainWindow : public QMainWindow, private EditHost {
    Q_OBJECT
public:
    MainWindow(const BackendWish& wanted, Theme& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens paths, as rawText() returns them. Without `as` the user is asked how to open several scans.
    void open(const QStringList& paths, std::optional<SeveralAs> as = std::nullopt);
    /// Opens a generated scan; by default the sample, a street that a lidar drove along.
    void openSample(const synth::ScanParams& params = {});
    /// A project's file, as rawText() returns it.
    void openProject(const QString& path);
    /// Saves what is open as a project, which becomes the open one, and waits for that while the window
    /// answers. False: it failed, and the message bar says why.
    bool saveProjectTo(const QString& path);
    /// Keeps what is open for the case of a crash.
    void autosave();
    /// Offers on the start page what was open when a window crashed.
    void offerRestore();
    /// Starts the tour, unless it was ever offered.
    void offerTour();
    /// Calls `action` at once, or once the backend that was asked for has passed its self-test.
    void whenReady(std::function<void()> action);
    bool seeksBackend() const { return m_sought.has_value(); } ///< until then, the CPU computes

    ScanJobs& jobs() { return m_jobs; }
    /// Whether something runs, or waits for its forecast.
    bool isBusy() const { return m_awaited || m_jobs.isBusy(); }
    Playlist& playlist() { return m_playlist; }
    ViewArea& views() { return *m_views; }
    LinkedCamera& camera() { return m_camera; }
    /// How device results reach the views.
    InteropChoice& interop() { return m_interop; }
    ParameterPanel& parameters() { return *m_parameters; }
    AlignPanel& alignment() { return *m_align; }
    EditPanel& editing() { return *m_editing; }
    InspectSession& inspection() { return *m_inspect; }
    ChangeSession& changes() { return *m_change; }
    EditTool& editTool() { return m_edit->tool(); }
    MessageBar& messages() { return *m_messages; }
    ProjectStore& store() { return m_store; }
    MeasureStore& measureStore() { return m_measureStore; }

signals:
    /// The backend that was asked for can't be used, and nothing was opened meanwhile.
    void backendRefused(const QString& sentence, const QString& nextStep);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // for editing by hand
    const Recipe& recipe() const override;
    void takeRecipe(const Recipe& recipe, Step step) override;
    void tryRecipe(const Recipe& recipe) override { requestResults(recipe); }
    const Recipe& askedRecipe() const override { return m_jobs.runner().recipe(); }
    bool isAwaiting() const override { return m_awaited.has_value(); }
    const SnapshotPtr& results() const override { return m_snapshot; }
    bool runsCuda() const override { return m_jobs.runner().backend().backend == Backend::cuda; }
    LengthUnit unit() const override { return m_reference.unit; }
    Vec3d lookedAt() const override { return m_camera.camera().target; }
    void showEditTool(bool isActive) override;

    void buildDocks(), buildActions(), restoreLayout();
    /// Arranges docks by the window's width.
    void fitDocks();
    /// Asks for an empty grid, writes its files and opens it.
    void newGrid();
    void buildRecentMenu(), buildEditMenu(), buildHistoryMenu(), buildMeasureMenu(), buildCutMenu();
    /// Shows in the menu what can be undone.
    void showHistory();
    /// People have changed the recipe: a step of the history.
    void changeRecipe(const Recipe& recipe);
    /// People have hidden or aligned scans that are shown together: a step of the history.
    void recordTogether();
    /// Goes back or forward to a step of the history.
    void goTo(std::size_t step);
    /// People have cut the scan in the views or by the menu.
    void takeCut(const Recipe& recipe);
    void takeSection(const std::optional<Section>& section);
    /// Shows range and section of the current recipe in the views and in the menu.
    void showCut();
    /// Has people click the two points that the section goes through.
    void measureSection();
    void takeMeasuredSection(const Measure& measure);
    void lookAtSection(), saveSection();
    /// People have made, changed or removed measures: a step of the history.
    void changeMeasures(const MeasureList& measures);
    /// Shows the measures of the current step in the list and in the views.
    void showMeasures();
    /// Keeps them of a scan that is no part of a project, for the next time that it is opened.
    void keepMeasures();
    void onMeasuresKept(const QString& scan, int replaced, const MeasureList& measures, bool isKept);
    void readKeptMeasures();
    /// Shows the dock of a tool that works in the views, and gives these the keyboard.
    void showDockOfTool(const char* name) override;
    /// Gives the keyboard to a view that is seen.
    void focusView();
    /// Draws measures, the one that is being made, and the picked point in the views.
    void showMarks();
    void addMeasure(Measure measure);
    /// Another scan is about to be shown.
    void leaveMeasures();
    /// Another cloud of the playlist is shown: with the measures that were made in it.
    void restoreMeasures();
    /// Index in m_cloudWork of what is shown: frames of a sequence share the first.
    int placeOfWork() const;
    void showCloudWork(); ///< adds what was made in the cloud that is shown
    void takeCloudWork(const Project& project);
    void onMeasuringChanged();
    /// What to do next while something is measured; empty while nothing is.
    QString measureHint() const;
    /// People have set unit or coordinate system: a step of the history.
    void changeReference(const ChosenReference& chosen);
    /// Shows unit and coordinate system of the scan, as its file or people say, and all lengths in that unit.
    void showReference();
    static QString whereUnitIsSet();
    /// The unit vector of the up axis of the results.
    Vec3d up() const override;
    QAction* addTool(QMenu* menu, const char* icon, const QString& text, const QKeySequence& keys,
                     std::function<void()> action);
    /// Adds the camera commands with their keys; returns the standard views.
    QList<QAction*> buildCameraActions(QMenu* view);
    void buildSequenceActions(QMenu* view);
    /// Adds the limits of a sequence's colours.
    void buildFrameLimitActions(QMenu* view);
    /// Sets limits of the colour map, or lets each frame have its own: a step of the history.
    void setColourLimits(std::optional<std::pair<double, double>> limits);
    /// Adds the grids in the views, and the trajectory.
    void buildGridActions(QMenu* view);
    /// The grid and the trajectory that are chosen, of what is shown.
    std::vector<SceneMark> aidMarks();
    /// Adds the layouts of the views, their own windows, and the presentation.
    void buildLayoutActions(QMenu* view);
    /// Adds what copies the current view.
    void buildCopyAction(QMenu* edit);
    void showViewMenu(QPoint at, const std::optional<Hit>& hit);
    void copyView();
    /// Adds the submenu that chooses what the picture shows.
    void buildPictureActions(QMenu* view);
    void showPictureContent();
    void startTour(), showPalette(), showKeys();
    /// Hides all but the views, on the whole screen, or brings everything back.
    void setPresenting(bool presenting);
    /// Names of the docks that are shown, or will be after the presentation. A project has no
    /// QMainWindow::saveState(): restoreState() crashes on damaged bytes.
    QJsonArray shownPanels() const;
    void showPanels(const QJsonArray& names);
    /// Esc ends a presentation, but what is measured first.
    void showPresentationKeys();
    void connectPanels(), connectJobs(), connectPlaylist(), connectForecast(), connectMeasures();
    /// Shows a forecast; runs what waited for it, if it is expected to fit into the memory.
    void onForecast(const Recipe& recipe, const ForecastAnswer& answer);
    Recipe withPictureSize(Recipe recipe) const; ///< the one that the raster view needs
    /// Has "fit" frame the range of the results.
    void frameResults();
    void onScanOpened(const QString& name);
    void onSnapshot(const SnapshotPtr& snapshot);
    /// Replaces the last results by those with the quality metrics, or with the finer picture, that followed.
    void onSnapshotRefined(const SnapshotPtr& snapshot);
    /// Requests results of the panel's recipe, with the picture that the raster view needs.
    void requestResults(Recipe recipe);
    void findInterop(); ///< whether CUDA, if it computes, can write buffers of OpenGL
    void seekBackend(); ///< that of m_sought
    void useBackend(const BackendChoice& choice);
    void chooseDevice(const QString& id); ///< as BackendWish::device
    void showAll(), showTitle();
    /// Initial folder of the dialogs that open scans.
    QString scanFolder() const;
    bool isWhole() override;
    bool mayExport() override;
    /// The open files, which no output may replace. @param replaced is one that it may
    std::vector<std::filesystem::path> openFiles(const QString& replaced = {}) const;
    /// The same without the scans in folders, so that no disk is asked.
    std::vector<std::filesystem::path> openPaths(const QString& replaced = {}) const;
    /// Prompts for a path that is none of these.
    QString promptSavePath(QWidget* parent, const QString& title, const QString& suggested,
                           const QString& filter) override;
    /// @param points the points are chosen to be written
    void exportDialog(bool points);
    void buildProjectActions(QMenu* file);
    /// What is open, as a project; none while nothing is.
    std::optional<Project> project() const;
    /// The same without the history and the looks of the window. There are results.
    Project work() const;
    /// The last recipe that is expected to fit, with the present edits and camera.
    Recipe shownRecipe() const;
    /// Opens the scans of a project. `path`: its file, or empty. @param left the autosave that it comes from
    /// @param saved of such: as the project's file has it
    void apply(Project project, const QString& path, std::string digest,
               const ProjectStore::LeftBehindPtr& left = {}, const Project& saved = {});
    void onOpeningEnded(OpeningEnd end);
    /// Asks for a folder while scans are missing. False: the user has given up.
    bool askForMissing(Project& project, const QString& folder, std::vector<std::filesystem::path> missing);
    void onProjectOpened(); ///< or a scan of none
    /// workBeyond() what the open project and other files have.
    QStringList unsavedWork() const;
    bool isModified() const; ///< the open project has changed; without one, there is unsaved work
    AskedProject asked() const;
    using SaveEnd = std::function<void(bool isSaved)>; ///< false: the message bar says why not, if it failed
    void saveProject(const AskedProject& asked, const SaveEnd& ended);
    void saveProjectAs(const AskedProject& asked, const SaveEnd& ended);
    /// Saves in the background. @param digest as ProjectToSave::digest
    void startSaving(const QString& named, const AskedProject& asked,
                     const std::optional<std::string>& digest, const SaveEnd& ended);
    void onSaved(const QString& path, const AskedProject& asked, const SavedProject& saved,
                 const SaveEnd& ended);
    /// Whether what `save` starts is saved. Waits for that, and the window answers.
    /// None: it is no longer waited for.
    std::optional<bool> isSavedBy(const std::function<void(const SaveEnd&)>& save);
    /// Of a project that is being written. False: that failed, or the user has cancelled what waits for it.
    /// None: it is no longer waited for.
    std::optional<bool> waitForSaving();
    static QString projectFilter();
    void restoreLeftBehind(), discardLeftBehind(), offerAgain(); ///< the last one after a question's Cancel
    /// Offers to restore unsaved work on the scans that were just opened. @param note shown above the offer
    void offerLeftBehind(const QString& note = {});
    /// Another scan replaces what is open: keeps what was made since the user was asked. Returns a note.
    QString leaveUnsavedWork();
    bool mayClose();         ///< asks whether to save what is modified
    bool mayLeaveUnstored(); ///< asks about work that was left behind, and that no file has
    void chooseRecipe(), saveRecipe();
    void openRecipe(const QString& path);
    void showRecipeOfAnotherScan();
    /// Whether a file that was dropped is a recipe, and no sidecar of a volume.
    static bool isRecipe(const QString& path);
    void showManual(), showAlignment(), showDifference(), showSweep();
    /// The next sweep is of the last results' recipe, with the present camera.
    void followSweep();
    void buildCompareActions(QMenu* view); ///< the submenu that compares two runs
    /// Whether the results are whole, and a second run fits into the memory; otherwise says why.
    bool fitsSecondRun();
    void keepAsA();
    void keepResults(); ///< the last ones, as A
    void connectCompare(), showComparison(), compareBackends(), swapComparison();
    /// With the first one that is there. @param reasons why those before are not
    void compareWithOneOf(std::vector<Backend> backends, QStringList reasons);
    /// People want the parameters of A again: a step of the history.
    void takeA();

    DeviceCopyBan m_noCopies; ///< the GUI thread must answer
    Theme& m_theme;
    RecentFiles m_recent;
    WorkHistory m_history; ///< of the scan that is shown
    MeasureTool m_measuring;
    bool m_measuresSection = false; ///< what is measured becomes the section
    CutTool m_cut;
    std::map<int, ScanWork> m_cloudWork;                ///< of clouds of the playlist that are not shown
    int m_measuredCloud = -1;                           ///< placeOfWork() of what is shown
    ScanWork m_leftWork;                                ///< of the scan that was shown before
    CoordinateReference m_reference;                    ///< of the scan that is shown
    ChosenReference m_chosenReference;                  ///< that it was made with
    std::shared_ptr<const PointCloud> m_referenceCloud; ///< that it was made of; null for a volume
    std::optional<Vec3d> m_picked; ///< what the data panel shows the properties of; file's frame
    ProjectStore m_store;
    MeasureStore m_measureStore;
    QString m_keptScan;             ///< the file whose measures m_measureStore keeps; empty: it keeps none
    bool m_areMeasuresKept = false; ///< in m_measureStore
    std::optional<Edits> m_recipeEdits; ///< that a recipe's file has, beside m_saved
    QString m_recipeFile; ///< of the recipe that was opened or saved last; empty: none for this scan
    Project m_saved;      ///< as its file has it; without a file, as it was opened
    std::optional<Project> m_givenUp;        ///< what people have said to discard
    std::optional<PendingProject> m_pending; ///< whose scans are being opened
    ProjectStore::LeftBehindPtr m_left;      ///< that is offered
    QTimer m_autosaveTimer;
    QString m_shownName;       ///< of the scan
    bool m_isOpened = false;   ///< the results that follow are the first ones of another scan
    bool m_isReplaced = false; ///< and that is none of the list that was open
    int m_replaced = 0;        ///< how often another scan or list has replaced what was open
    LinkedCamera m_camera;
    DrawScheduler m_scheduler;
    InteropChoice m_interop;
    std::optional<BackendWish> m_sought; ///< that is looked for in the background, unless a device is chosen
    std::function<void()> m_whenReady;
    ScanJobs m_jobs;
    Playlist m_playlist;
    ScanOpener m_opener;
    QStackedWidget* m_pages;
    WelcomePane* m_welcome;
    ViewArea* m_views;
    PlayerBar* m_player;
    MessageBar* m_messages;
    JobStatus* m_status;
    DeviceBox* m_device = nullptr;
    QLabel* m_transfer = nullptr; ///< how the contents of the views reached the screen
    QTimer m_transferTimer; ///< a label that changed with every frame would be part of each, and illegible
    QDockWidget* m_dataDock = nullptr;
    int m_dataWidth = 260; ///< width of its dock, while the window is not narrow
    bool m_isNarrow = false;
    ParameterPanel* m_parameters = nullptr;
    DataPanel* m_data = nullptr;
    TimingsPanel* m_timings = nullptr;
    AlignPanel* m_align = nullptr;
    LogPanel* m_log = nullptr;
    MeasuresPanel* m_measures = nullptr;
    InspectSession* m_inspect = nullptr;
    ChangeSession* m_change = nullptr;
    EditPanel* m_editing = nullptr;
    EditSession* m_edit = nullptr;
    QMenu *m_recentMenu = nullptr, *m_historyMenu = nullptr;
    QList<QAction*> m_cutActions, m_sectionActions; ///< for clouds, and while there is a section
    QList<QAction*> m_pictureActions;               ///< of points, voxels, mesh
    QMenu* m_pictureMenu = nullptr;
    FrameLimitsRunner* m_frameLimits = nullptr;
    SceneGrid m_grid = SceneGrid::none;
    bool m_showsTrajectory = true;
    GroundHeight m_ground;            ///< for the grid
    QList<QAction*> m_measureActions; ///< of the kinds of measures, in their order
    QAction *m_undoAction = nullptr, *m_redoAction = nullptr;
    QAction *m_exportAction = nullptr, *m_savePointsAction = nullptr;
    QAction *m_saveRecipeAction = nullptr, *m_openRecipeAction = nullptr;
    QAction *m_saveProjectAction = nullptr, *m_saveProjectAsAction = nullptr;
    QPointer<ManualWindow> m_manual; ///< while it is open
    QPointer<TourBar> m_tour;        ///< while it runs
    QPointer<DifferenceDialog> m_difference;
    QPointer<SweepDialog> m_sweep;
    CompareSession* m_compare = nullptr;
    CompareBar* m_compareBar;
    QList<QAction*> m_compareActions; ///< keep, other backend, swap, take back, end
    ResultTimes m_resultTimes;        ///< of the window's runs and of A
    /// Time of the run that was kept as A, as the window has run it: that of A itself ran behind the window.
    std::optional<double> m_keptMs;
    SnapshotPtr m_snapshot;
    ForecastSession* m_forecasts = nullptr;
    std::optional<Recipe> m_awaited; ///< the recipe that is wanted, until its forecast says that it fits
    std::optional<Recipe> m_fitting; ///< the last one that was expected to fit; none before a scan's first
    QSize m_pictureSize;             ///< the size that the raster view needs
    bool m_showAllNext = false;      ///< the first results of a new scan set the camera
    /// The camera of showAll(); while nobody moves it, it follows the shape of the views.
    std::optional<Camera> m_automaticCamera;
    double m_automaticAspect = 1; ///< of the views that it was made for
    std::optional<BeforePresentation> m_beforePresentation;
    QAction *m_presentAction = nullptr, *m_copyAction = nullptr;
    QMenu* m_layoutMenu = nullptr;
    QList<QAction*> m_cameraActions; ///< fit, then the standard views
    /// Came with a scan or a recipe: the next results' up axis does not rotate it.
    bool m_cameraIsNew = false;
    BackendSearch m_backends; ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
