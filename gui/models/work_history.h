#pragma once
// Declares the history of the work on a scan: undo and redo as values, without side effects and without
// widgets.
#include "engine/measure/measure.h"
#include "engine/recipe/recipe.h"
#include "engine/reference/coordinate_reference.h"

#include <QString>
#include <chrono>
#include <cstddef>
#include <vector>

namespace scanloupe::gui {

/// What people choose and make while they work on a scan.
struct WorkState {
    Recipe recipe;
    MeasureList measures = {};
    std::vector<bool> visible = {}; ///< scans, of those that are shown together; empty: there are none
    bool isAligned = false;         ///< they are at the poses that were found
    ChosenReference reference = {}; ///< unit and coordinate system, where people have set them
    bool operator==(const WorkState&) const = default;
};

/// The states of the work on one scan, one after the other, and which of them is current. Changes of one
/// parameter that follow each other closely, as while a slider is dragged, are one step. Camera and size of
/// the picture follow the views and are no step.
class WorkHistory {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// A step in words, such as "Voxel size: 0.1 m → 0.2 m" or "Distance 2.310 m added".
    struct Step {
        WorkState state; ///< after it
        QString words;
    };

    /// Forgets all steps, and begins with a state.
    void reset(const WorkState& state);
    /// As a project has it: at least one step, of which `current` is the current one.
    void restore(std::vector<Step> steps, std::size_t current);
    /// Adds a step, unless nothing has changed; what was undone is forgotten.
    void record(const WorkState& state, Time now = std::chrono::steady_clock::now());
    /// Sets the up axis of the heights in words, a unit vector, and the unit of lengths.
    void setFrame(Vec3d up, LengthUnit unit) {
        m_up = up;
        m_unit = unit;
    }

    /// [steps + 1], the beginning first, which has no words.
    const std::vector<Step>& steps() const { return m_steps; }
    std::size_t current() const { return m_current; } ///< index of steps()
    const WorkState& state() const { return m_steps[m_current].state; }
    bool canUndo() const { return m_current > 0; }
    bool canRedo() const { return m_current + 1 < m_steps.size(); }
    /// Makes another step the current one, and gives its state.
    const WorkState& goTo(std::size_t step);
    const WorkState& undo() { return goTo(m_current - 1); }
    const WorkState& redo() { return goTo(m_current + 1); }

private:
    std::vector<Step> m_steps{{}};
    std::size_t m_current = 0;
    std::string m_lastKey; ///< of the parameter that the last step changed; empty: another kind of step
    Time m_lastTime;
    Vec3d m_up{0, 0, 1};
    LengthUnit m_unit = LengthUnit::metre;
};

} // namespace scanloupe::gui
