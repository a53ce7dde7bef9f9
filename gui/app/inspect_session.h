#pragma once
// Declares the inspection of a scan against a model or another scan in the window.
#include "engine/inspect/deviations.h"
#include "engine/inspect/fit.h"
#include "engine/report/place_view.h"
#include "gui/app/edit_host.h"
#include "gui/jobs/inspection_runner.h"
#include "gui/views/surface/scene_marks.h"
#include "gui/views/view_context.h"

#include <QObject>

class QWidget;

namespace scanloupe::gui {

class EditSession;
class ExportRunner;
class InspectPanel;
class MessageBar;

/// Turns what people do in the panel into layers and a tolerance of the recipe, and shows what the deviations
/// of the results tell. What it is given outlives it.
class InspectSession : public QObject {
    Q_OBJECT
public:
    InspectSession(EditHost& host, EditSession& edit, InspectPanel& panel, MessageBar& messages,
                   ExportRunner& exporter, const ViewContext& context, QWidget* window);

    InspectPanel& panel() { return m_panel; }
    /// Asks for a model or another scan.
    void chooseModel();
    /// Reads the mesh or scan in a file; if it can be used, compares the scan, or the selected points, with
    /// it: a step of the history.
    void compareWith(const QString& path);
    /// Shows tolerance and results of the host.
    void show();
    /// What is drawn over the scan: whiskers, and the section of the reference.
    std::vector<SceneMark> marks() const;
    /// How a place deviates, for its label; empty where nothing is compared.
    QString deviationText(Vec3d place) const;

signals:
    void marksChanged();

private:
    void showError(const std::exception_ptr& error);
    /// A file that can be compared with.
    struct Readable {
        std::weak_ptr<const PointCloud> scan; ///< that it is for
        QString path;
        double scale = 1; ///< the scan's unit of a unit of it
    };
    void addComparison(const Readable& readable);
    void setTolerance(double tolerance);
    void setLocalModel(LocalModel model);
    void takeInspection(const std::optional<Inspection>& inspection);
    /// Takes the reference's coordinates times `scale`.
    void scaleReference(double scale);
    /// Flies to a place, to where it is seen.
    void lookAt(DeviationRegion region);
    /// Brings the points onto the reference, by a layer below the one that compares.
    void fit();
    struct Fitted {
        Fit fit;
        FitInScanFrame inScan;
        int directions = 6; ///< that were free
        std::weak_ptr<const PointCloud> scan;
        EditLayers layers; ///< that the points were fitted with
    };
    void takeFit(const Fitted& fitted);
    /// Shows the dialog of picked pairs, and moves the points by them.
    void pickPairs();
    /// Whether points can be moved onto the reference; otherwise shows why not.
    bool canMove();
    /// Moves the points by a layer below the one that compares, a step of the history. Says so, and does
    /// nothing, where scan and layers, by which the motion was found, are no longer those that are open.
    bool moveOntoReference(const FitInScanFrame& found, const std::weak_ptr<const PointCloud>& scan,
                           const EditLayers& layers, const QString& what);
    /// Asks for a file, and writes the report of what is shown.
    void saveReport();

    EditHost& m_host;
    EditSession& m_edit;
    InspectPanel& m_panel;
    MessageBar& m_messages;
    ExportRunner& m_exporter;
    ViewContext m_context;
    QWidget* m_window;
    InspectionRunner m_runner;
    std::optional<Inspection> m_inspection;
    BackgroundWorker<Fitted> m_fitter;
    BackgroundWorker<Readable> m_reader;  ///< of models, before they become a layer
    BackgroundWorker<PlaceView> m_looker; ///< of the side that a place is seen from
};

} // namespace scanloupe::gui
