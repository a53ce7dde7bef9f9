#pragma once
#include "gui/app/recent_files.h"
#include "gui/app/scan_opener.h"
#include "gui/jobs/playlist.h"
#include "gui/jobs/scan_session.h"
#include "gui/views/linked_camera.h"

#include <QMainWindow>
#include <QPointer>
#include <QSize>
#include <QTimer>

class QAction;
class QDockWidget;
class QLabel;
class QMenu;
class QStackedWidget;

namespace scanloupe::gui {

class AlignPanel;
class DataPanel;
class DifferenceDialog;
class JobStatus;
class LogPanel;
class ManualWindow;
class MessageBar;
class ParameterPanel;
class PlayerBar;
class Theme;
class TimingsPanel;
class ViewArea;
class WelcomePane;

/// Puts views, panels and the session together; holds no logic of its own.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(Backend wanted, Theme& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Files and folders, as rawText() has their names; `kind`: what several scans are, people are asked
    /// without it.
    void open(const QStringList& paths, std::optional<Playlist::Kind> kind = std::nullopt);
    void openSample();

    ScanSession& session() { return m_session; }
    Playlist& playlist() { return m_playlist; }
    ViewArea& views() { return *m_views; }
    LinkedCamera& camera() { return m_camera; }
    ParameterPanel& parameters() { return *m_parameters; }
    AlignPanel& alignment() { return *m_align; }
    MessageBar& messages() { return *m_messages; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildDocks();
    /// Arranges docks by the window's width.
    void fitDocks();
    void buildActions();
    void buildRecentMenu();
    QAction* addTool(QMenu* menu, const char* icon, const QString& text, const QKeySequence& keys,
                     std::function<void()> action);
    /// The ways to look, with their keys; gives the standard views.
    QList<QAction*> buildCameraActions(QMenu* view);
    void buildSequenceActions(QMenu* view);
    void connectSession();
    void connectPlaylist();
    /// A scan takes the place of the last one.
    void onScanOpened(const QString& name);
    void onSnapshot(const SnapshotPtr& snapshot);
    /// Takes the last results with the figures, or with the finer picture, that came later.
    void onSnapshotRefined(const SnapshotPtr& snapshot);
    /// Asks for results of the panel's recipe, with the picture that the raster view wants.
    void requestResults(Recipe recipe);
    void showAll();
    /// Where to look for scans first.
    QString scanFolder() const;
    /// Whether the results are whole; else says so.
    bool isWhole();
    /// The files that are open, which nothing may be written over.
    std::vector<std::filesystem::path> openScans() const;
    /// Asks for a file that is none of them.
    QString promptSavePath(QWidget* parent, const QString& title, const QString& suggested,
                           const QString& filter);
    void exportDialog();
    void openRecipe();
    void saveRecipe();
    void showManual();
    void showAlignment();
    void showDifference();
    void restoreLayout();

    Theme& m_theme;
    RecentFiles m_recent;
    LinkedCamera m_camera;
    ScanSession m_session;
    Playlist m_playlist;
    ScanOpener m_opener;
    QStackedWidget* m_pages;
    WelcomePane* m_welcome;
    ViewArea* m_views;
    PlayerBar* m_player;
    MessageBar* m_messages;
    JobStatus* m_status;
    QLabel* m_transfer = nullptr; ///< how what the views show came to the screen
    QTimer m_transferTimer;       ///< a label that changes with every frame is a part of each, and illegible
    QDockWidget* m_dataDock = nullptr;
    int m_dataWidth = 260; ///< of its dock, while the window is not narrow
    bool m_isNarrow = false;
    ParameterPanel* m_parameters = nullptr;
    DataPanel* m_data = nullptr;
    TimingsPanel* m_timings = nullptr;
    AlignPanel* m_align = nullptr;
    LogPanel* m_log = nullptr;
    QMenu* m_recentMenu = nullptr;
    QAction* m_exportAction = nullptr;
    QAction* m_saveRecipeAction = nullptr;
    QAction* m_openRecipeAction = nullptr;
    QPointer<ManualWindow> m_manual; ///< while it is open
    QPointer<DifferenceDialog> m_difference;
    SnapshotPtr m_snapshot;
    QSize m_pictureSize;        ///< what the raster view wants
    bool m_showAllNext = false; ///< the first results of a new scan set the camera
    bool m_cameraIsNew = false; ///< came with a scan or a recipe: the next results' up does not turn it
};

} // namespace scanloupe::gui
