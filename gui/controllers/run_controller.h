#pragma once
// Declares the requests for results of a window.
#include "engine/recipe/stored_recipe.h"
#include "gui/controllers/window_context.h"
#include "gui/jobs/forecast_runner.h"

#include <QPointer>
#include <QSize>
#include <QTimer>
#include <optional>

namespace scanloupe::gui {

class AlignPanel;
class CameraController;
class ForecastLine;
class SweepDialog;

/// Requests results with the picture that the views need, if the forecast says that they fit into the memory.
class RunController : public Controller {
    Q_OBJECT
public:
    RunController(const WindowContext& window, const CameraController& camera, ForecastLine& line,
                  AlignPanel& align);

    ForecastRunner& forecasts() { return m_forecasts; }
    /// Whether a recipe waits for its forecast.
    bool isAwaiting() const { return m_awaited.has_value(); }
    /// Whether a run is active or waits for its forecast.
    bool isBusy() const;
    /// Whether the results are complete: no preview, and computed from all points. Otherwise shows a note.
    bool isWhole();
    /// Whether isWhole(), and the alignment of scans that are shown together is right, or the user confirms
    /// the export.
    bool mayExport();
    /// The recipe with the size of the picture that the raster view needs.
    Recipe withPictureSize(Recipe recipe) const;
    /// Shows the dialog of sweeps. The next sweep uses the recipe of the last results and the current camera.
    void showSweep();
    /// The last recipe that is expected to fit into memory, with the current edits and camera.
    Recipe shownRecipe() const;

private:
    /// Another scan is opened with a recipe, which has just run.
    void open(const Recipe& recipe);
    void request(Recipe recipe);
    /// Shows a forecast; runs what waited for it, if it is expected to fit into the memory.
    void onForecast(const Recipe& recipe, const ForecastAnswer& answer);
    /// For a scan that is too large, requests the points that the views need.
    void readView();
    void followSweep();

    const CameraController& m_camera;
    ForecastLine& m_line;
    AlignPanel& m_align;
    ForecastRunner m_forecasts;
    std::optional<StoredRecipe> m_awaited; ///< the recipe that waits for its forecast
    std::optional<StoredRecipe>
        m_fitting;       ///< the last one that was expected to fit; none before a scan's first
    QSize m_pictureSize; ///< the size that the raster view needs
    QPointer<SweepDialog> m_sweep;
    QTimer m_viewRests; ///< fires when the views and the range have stopped changing
};

} // namespace scanloupe::gui
