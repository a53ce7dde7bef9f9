#pragma once
// Declares the camera moves of a window that the user does not make.
#include "gui/base/snapshot_ptr.h"
#include "gui/controllers/window_context.h"
#include "kernels/raster/core/camera.h"

#include <optional>

namespace scanloupe::gui {

/// Shows another scan as a whole, or with the camera that came with it; keeps the up axis upright. Passes the
/// results to the views.
class CameraController : public Controller {
    Q_OBJECT
public:
    explicit CameraController(const WindowContext& window);

    /// Applies the camera of a recipe, if it has one.
    void take(const Recipe& recipe);
    /// Whether the camera is set when the next results arrive.
    bool isToCome() const { return m_showsAllNext; }
    void showAll();

private:
    /// Another scan is opened. One that was shown before restores its camera; else the first results set it.
    void open(const Recipe& recipe);
    void follow(const SnapshotPtr& results, const SnapshotPtr& before);
    void show(const SnapshotPtr& results);         ///< in the views
    bool isCurrent(const Snapshot& results) const; ///< whether the results have the requested up axis
    void onReshaped();

    LinkedCamera& m_camera;
    bool m_showsAllNext = false;
    /// The camera came with a scan or a recipe: the up axis of the next results does not rotate it.
    bool m_isNew = false;
    /// The camera of showAll(); until the user moves it, it adapts to the aspect ratio of the views.
    std::optional<Camera> m_automatic;
    double m_aspect = 1; ///< aspect ratio of the views that m_automatic fits
};

} // namespace scanloupe::gui
