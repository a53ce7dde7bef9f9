#pragma once
// Declares the main window.
#include "engine/compute/backend.h"
#include "engine/compute/no_device_copy_scope.h"
#include "gui/controllers/edit_controller.h"
#include "gui/controllers/recent_files.h"
#include "gui/controllers/scan_opener.h"
#include "gui/jobs/playlist.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/views/view_context.h"
#include "gui/work/work.h"

#include <QMainWindow>
#include <optional>

class QStackedWidget;

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::gui {

class AlignPanel;
class CameraController;
class CompareBar;
class ComparisonController;
class CutController;
class DataPanel;
class DeviceBox;
class DeviceController;
class EditPanel;
class HelpController;
class InspectController;
class InspectPanel;
class LogPanel;
class MeasureController;
class MeasuresPanel;
class MessageBar;
class ParameterPanel;
class ProjectController;
class RunController;
class SequenceController;
class Theme;
class TimingsPanel;
class ViewArea;
class WelcomePane;
class WindowLayout;

/// Assembles views, panels and jobs; contains no logic itself.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(const BackendRequest& wanted, Theme& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens paths, as rawText() returns them. Without `as` the user is asked how to open several scans.
    void open(const QStringList& paths, std::optional<SeveralAs> as = std::nullopt);
    /// Opens a generated scan; by default the sample, a street that a lidar drove along.
    void openSample(const synth::ScanParams& params = {});
    ScanJobs& jobs() { return m_jobs; }
    /// Whether a job runs or waits for its forecast.
    bool isBusy() const;
    Playlist& playlist() { return m_playlist; }
    ViewArea& views() { return *m_views; }
    LinkedCamera& camera() { return m_camera; }
    /// How device results reach the views.
    InteropChoice& interop() { return m_interop; }
    ParameterPanel& parameters() { return *m_parameters; }
    AlignPanel& alignment() { return *m_align; }
    EditPanel& editing() { return *m_editing; }
    InspectController& inspection() { return *m_inspect; }
    EditTool& editTool() { return m_edit->tool(); }
    MessageBar& messages() { return *m_messages; }
    ProjectController& project() { return *m_project; }
    MeasureController& measuring() { return *m_measuring; }
    DeviceController& device() { return *m_device; }
    HelpController& help() { return *m_help; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    WindowContext context(); ///< requires that the log exists
    void buildDocks(CompareBar& compareBar, DeviceBox& device);
    void buildControllers(InspectPanel& inspect, MeasuresPanel& measures, CompareBar& compareBar,
                          DeviceBox& device);
    void buildActions(), connectPanels();
    /// Draws the marks of all tools in the views.
    void showMarks();
    /// Shows the scan's unit and coordinate system, from its file or the user.
    void showReference(const CoordinateReference& before);
    /// @param points whether the points are preselected
    void exportDialog(bool points);

    NoDeviceCopyScope m_noCopies; ///< a copy would block the GUI thread
    Theme& m_theme;
    RecentFiles m_recent;
    LinkedCamera m_camera;
    DrawScheduler m_scheduler;
    InteropChoice m_interop;
    ScanJobs m_jobs;
    Playlist m_playlist;
    Work m_work;
    ScanOpener m_opener;
    QStackedWidget* m_pages;
    WelcomePane* m_welcome;
    ViewArea* m_views;
    MessageBar* m_messages;
    ParameterPanel* m_parameters = nullptr;
    DataPanel* m_data = nullptr;
    TimingsPanel* m_timings = nullptr;
    AlignPanel* m_align = nullptr;
    LogPanel* m_log = nullptr;
    InspectController* m_inspect = nullptr;
    CameraController* m_cameraController = nullptr;
    RunController* m_run = nullptr;
    SequenceController* m_sequence = nullptr;
    MeasureController* m_measuring = nullptr;
    CutController* m_cut = nullptr;
    ProjectController* m_project = nullptr;
    EditPanel* m_editing = nullptr;
    EditController* m_edit = nullptr;
    ComparisonController* m_comparison = nullptr;
    DeviceController* m_device = nullptr;
    HelpController* m_help = nullptr;
    WindowLayout* m_layout = nullptr;
};

} // namespace scanloupe::gui
