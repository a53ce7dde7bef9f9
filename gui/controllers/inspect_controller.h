#pragma once
// Declares the inspection of a scan against a model or another scan in the window.
#include "engine/edit/edits.h"
#include "engine/inspect/deviations.h"
#include "engine/inspect/fit/fit.h"
#include "engine/inspect/report/place_view.h"
#include "engine/inspect/scan_change.h"
#include "gui/controllers/window_context.h"
#include "gui/jobs/inspection_runner.h"
#include "gui/views/surface/scene_marks.h"

class QWidget;

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::gui {

class EditController;
class InspectPanel;
class RunController;

/// Turns the user's actions in the panel into layers and a tolerance of the recipe, and shows the deviations
/// of the results. Constructor arguments must outlive it.
class InspectController : public Controller {
    Q_OBJECT
public:
    InspectController(const WindowContext& window, RunController& run, EditController& edit,
                      InspectPanel& panel);

    InspectPanel& panel() { return m_panel; }
    /// Asks for a model or another scan.
    void chooseModel();
    /// Reads a mesh or scan from a file and compares the scan, or the selected points, with it, as a step of
    /// the history.
    void compareWith(const QString& path);
    /// Asks for a later scan and for the output file, and starts findChange().
    void chooseLaterScan();
    /// Compares the scan with a later one from a file, and writes the distances between both to `target`.
    void findChange(const QString& later, const QString& target);
    /// Marks drawn over the scan: deviation lines, and the section of the reference.
    std::vector<SceneMark> marks() const;
    /// The deviation at a position, as text for its label; empty without a comparison.
    QString deviationText(Vec3d place) const;

signals:
    void wanted(); ///< requests that the panel is shown after a new comparison

private:
    /// Shows the last results, with the tolerance.
    void show();
    /// A reference that was read from a file.
    struct Readable {
        std::weak_ptr<const PointCloud> scan; ///< the scan to compare
        QString path;
        double scale = 1; ///< one unit of the file in units of the scan
    };
    void addComparison(const Readable& readable);
    void setTolerance(double tolerance);
    void setLocalModel(LocalModel model);
    void takeInspection(const std::optional<Inspection>& inspection);
    /// Changes the comparison layer, if there is one.
    void changeComparison(const std::function<void(CompareAction&)>& change);
    /// Multiplies the reference's coordinates by `scale`.
    void scaleReference(double scale);
    /// Moves the camera to a side from which a region is visible.
    void lookAt(DeviationRegion region);
    /// Fits the points to the reference, and inserts the motion as a layer below the comparison layer.
    void fit();
    struct Fitted {
        Fit fit;
        FitInScanFrame inScan;
        int directions = 6; ///< number of free directions
        std::weak_ptr<const PointCloud> scan;
        EditLayers layers; ///< layers at the time of the fit
    };
    void takeFit(const Fitted& fitted);
    /// Shows the dialog of picked pairs, and moves the points by them.
    void pickPairs();
    /// Whether points can be moved onto the reference; otherwise shows why not.
    bool canMove();
    /// Moves the points by a layer below the comparison layer, as a step of the history. Refuses with a
    /// message if the scan or the layers that the motion was computed from have been replaced.
    bool moveOntoReference(const FitInScanFrame& found, const std::weak_ptr<const PointCloud>& scan,
                           const EditLayers& layers, const QString& what);
    /// Asks for a file, and writes the report of the current inspection.
    void saveReport();
    void tellChange(const ScanChange& change, const QString& path);

    RunController& m_run;
    EditController& m_edit;
    InspectPanel& m_panel;
    InspectionRunner m_runner;
    std::optional<Inspection> m_inspection;
    BackgroundWorker<Fitted> m_fitter;
    BackgroundWorker<Readable> m_reader;  ///< reads models before they become a layer
    BackgroundWorker<PlaceView> m_looker; ///< finds a side from which a region is visible
};

} // namespace scanloupe::gui
