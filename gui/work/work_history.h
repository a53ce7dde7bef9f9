#pragma once
// Declares the history of the work on a scan: undo and redo as values, without side effects and without
// widgets.
#include "engine/cloud/reference/coordinate_reference.h"
#include "engine/inspect/measure/measure.h"
#include "engine/recipe/stored_recipe.h"

#include <QString>
#include <chrono>
#include <cstddef>
#include <vector>

namespace scanloupe::gui {

/// The user's choices and edits while working on a scan.
struct WorkState {
    StoredRecipe recipe;
    MeasureList measures = {};
    std::vector<bool> visible = {}; ///< visibility of scans that are shown together; empty: a single scan
    bool isAligned = false;         ///< the scans are at the poses that were found
    ChosenReference reference = {}; ///< unit and coordinate system, if the user has set them
    bool operator==(const WorkState&) const = default;
};

/// The sequence of states of the work on one scan, and which of them is current. Changes of one parameter in
/// quick succession, as while a slider is dragged, are one step. Camera and picture size follow the views and
/// do not make a step.
class WorkHistory {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// A step in words, such as "Voxel size: 0.1 m → 0.2 m" or "Distance 2.310 m added".
    struct Step {
        WorkState state; ///< after it
        QString words;
    };

    /// Discards all steps, and begins with a state.
    void reset(const WorkState& state);
    /// Restores the steps of a project: at least one, of which `current` is the current one.
    void restore(std::vector<Step> steps, std::size_t current);
    /// Adds a step, unless nothing has changed; discards the undone steps.
    void record(const WorkState& state, Time now = std::chrono::steady_clock::now());
    /// Sets the up axis of the heights in words, a unit vector, and the unit of lengths.
    void setFrame(Vec3d up, LengthUnit unit) {
        m_up = up;
        m_unit = unit;
    }

    /// [steps + 1], beginning with the initial state, which has no words.
    const std::vector<Step>& steps() const { return m_steps; }
    std::size_t current() const { return m_current; } ///< index of steps()
    const WorkState& state() const { return m_steps[m_current].state; }
    bool canUndo() const { return m_current > 0; }
    bool canRedo() const { return m_current + 1 < m_steps.size(); }
    /// Makes another step the current one, and returns its state.
    const WorkState& goTo(std::size_t step);
    const WorkState& undo() { return goTo(m_current - 1); }
    const WorkState& redo() { return goTo(m_current + 1); }

private:
    std::vector<Step> m_steps{{}};
    std::size_t m_current = 0;
    std::string m_lastKey; ///< key of the parameter that the last step changed; empty: another kind of step
    Time m_lastTime;
    Vec3d m_up{0, 0, 1};
    LengthUnit m_unit = LengthUnit::metre;
};

} // namespace scanloupe::gui
