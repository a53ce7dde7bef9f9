#pragma once
// Declares sequences and scans of one place in the window: stepping, the limits of their colours, the grid
// and the sensor's trajectory.
#include "gui/controllers/window_context.h"
#include "gui/jobs/frame_limits_runner.h"
#include "gui/marks/scene_aids.h"

#include <optional>
#include <utility>
#include <vector>

class QMenu;

namespace scanloupe::gui {

/// Steps through the playlist, sets the limits of a sequence's colours, and shows the grid and the trajectory
/// in the views.
class SequenceController : public Controller {
    Q_OBJECT
public:
    explicit SequenceController(const WindowContext& window);

    /// Adds stepping and the limits of colours.
    void buildSequenceActions(QMenu* view);
    /// Adds the grids in the views, and the trajectory.
    void buildGridActions(QMenu* view);
    /// Returns the marks of the chosen grid and of the trajectory.
    std::vector<SceneMark> marks();

signals:
    void alignmentWanted();

private:
    /// Adds the limits of a sequence's colours.
    void buildFrameLimitActions(QMenu* view);
    /// Sets limits of the colour map, or nullopt for separate limits per frame: adds a step to the history.
    void setColourLimits(std::optional<std::pair<double, double>> limits);
    void takeFrameLimits(const FrameLimits& found);

    Playlist& m_playlist;
    FrameLimitsRunner m_frameLimits;
    SceneGrid m_grid = SceneGrid::none;
    bool m_showsTrajectory = true;
    GroundHeight m_ground; ///< for the grid
};

} // namespace scanloupe::gui
