#pragma once
// Declares the history of recipes: undo and redo as values, without side effects and without widgets.
#include "engine/recipe/recipe.h"

#include <QString>
#include <chrono>
#include <cstddef>
#include <vector>

namespace scanloupe::gui {

/// The recipes that were chosen one after the other for one scan, and which of them is current. Changes of
/// one parameter that follow each other closely, as while a slider is dragged, are one step. Camera and size
/// of the picture follow the views and are no step.
class RecipeHistory {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// A step in words, such as "Voxel size: 0.1 m → 0.2 m".
    struct Step {
        Recipe recipe; ///< after it
        QString words;
    };

    /// Forgets all steps, and begins with a recipe.
    void reset(const Recipe& recipe);
    /// As a project has it: at least one step, of which `current` is the current one.
    void restore(std::vector<Step> steps, std::size_t current);
    /// Adds a step, unless nothing has changed; what was undone is forgotten.
    void record(const Recipe& recipe, Time now = std::chrono::steady_clock::now());

    /// [steps + 1], the beginning first, which has no words.
    const std::vector<Step>& steps() const { return m_steps; }
    std::size_t current() const { return m_current; } ///< index of steps()
    bool canUndo() const { return m_current > 0; }
    bool canRedo() const { return m_current + 1 < m_steps.size(); }
    /// Makes another step the current one, and gives its recipe.
    const Recipe& goTo(std::size_t step);
    const Recipe& undo() { return goTo(m_current - 1); }
    const Recipe& redo() { return goTo(m_current + 1); }

private:
    std::vector<Step> m_steps{{}};
    std::size_t m_current = 0;
    std::string m_lastKey; ///< of the parameter that the last step changed; empty: several, or it has ended
    Time m_lastTime;
};

} // namespace scanloupe::gui
