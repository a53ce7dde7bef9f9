#pragma once
// Declares the work in a window: the user's choices and edits, and their results.
#include "gui/base/snapshot_ptr.h"
#include "gui/work/project_work.h"
#include "gui/work/work_history.h"

#include <QObject>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace scanloupe::gui {

class Playlist;

/// Owns the user's choices and edits for the displayed scan, their history, and the last results. Code that
/// changes them calls a function of this class, and code that shows them follows its signals. A change is
/// complete before the first signal.
class Work : public QObject {
    Q_OBJECT
public:
    /// @param playlist of the scans; outlives it
    explicit Work(Playlist& playlist);

    /// The recipe that is shown: that of the current step, unless a change is in progress, such as a stroke.
    const Recipe& recipe() const { return m_recipe; }
    const MeasureList& measures() const { return m_history.state().measures; }
    const WorkHistory& history() const { return m_history; }
    /// The last results; null before the first.
    const SnapshotPtr& results() const { return m_results; }
    /// Whether there are results of a cloud.
    bool hasCloud() const;
    /// The unit and the coordinate system of the displayed scan, from its file or from the user.
    const CoordinateReference& reference() const { return m_reference; }
    LengthUnit unit() const { return m_reference.unit; }
    /// The unit vector of the up axis of the results.
    Vec3d up() const;
    /// Counts how often another scan or list has replaced the open one.
    int replaced() const { return m_replaced; }
    /// Identifies the displayed scan: changes when another one is displayed; frames of a sequence share it.
    std::pair<int, int> scan() const { return {m_replaced, place()}; }
    /// Stores measures and references of all scans in a project that has these scans.
    void describe(Project& project) const;

    // Each of the following adds a step to the history, unless nothing has changed.
    void changeRecipe(const Recipe& recipe);
    void editRecipe(const std::function<void(Recipe&)>& change);
    void changeMeasures(const MeasureList& measures);
    void changeReference(const ChosenReference& chosen);

    /// Shows a recipe while a change is in progress; its end becomes a step.
    void showRecipe(const Recipe& recipe);
    /// Asks for results of a recipe that does not become the current one.
    void tryRecipe(const Recipe& recipe) { emit resultsWanted(recipe); }
    /// Goes back or forward to a step of the history.
    void goTo(std::size_t step);

    /// Begins the history of another scan, which is displayed with this recipe and whose results follow.
    /// @param isReplaced it is not part of the open list
    void open(const Recipe& recipe, bool isReplaced);
    /// Sets the measures and references of a project whose scans are those of the playlist.
    void takeClouds(const Project& project);
    /// Adds the stored measures and references of the displayed cloud to its state.
    void addOfCloud();
    /// Restarts the history of the displayed scan, with a state of the same recipe.
    void begin(const WorkState& state);
    /// Restores the history of the project that has the displayed scan and its recipe.
    void restore(std::vector<WorkHistory::Step> steps, std::size_t current);
    /// Sets the results of a run.
    void setResults(const SnapshotPtr& results);
    /// Replaces the last results by those with the quality metrics, or with the finer picture, that followed.
    void refineResults(const SnapshotPtr& results);

signals:
    /// Another scan is displayed; the other signals follow.
    void scanOpened(const scanloupe::Recipe& recipe);
    void recipeChanged(const scanloupe::Recipe& recipe);
    /// Requests the results of a recipe: recipe(), also while the user is still changing it.
    void resultsWanted(const scanloupe::Recipe& recipe);
    /// measures() were changed by the user, undone or redone; measuresChanged() follows.
    void measuresEdited();
    void measuresChanged();
    void referenceChanged(const scanloupe::CoordinateReference& before);
    void unitChanged(scanloupe::LengthUnit unit);
    void historyChanged();
    /// The content of results() has changed, as opposed to a new picture of it; resultsChanged() follows.
    /// @param before the previous results; null: none
    void contentChanged(const scanloupe::gui::SnapshotPtr& results,
                        const scanloupe::gui::SnapshotPtr& before);
    /// results() are of a new run.
    void resultsChanged(const scanloupe::gui::SnapshotPtr& results);
    /// results() have the quality metrics, or the finer picture, that followed a run.
    void resultsRefined(const scanloupe::gui::SnapshotPtr& results);

private:
    /// Adds a step with the current state, modified by `change`.
    template <class Change>
    void record(const Change& change);
    void followReference();
    /// Scans that are shown together were hidden, shown or aligned: adds a step.
    void recordTogether();
    /// Another cloud of the playlist is displayed.
    void changeCloud();
    /// Index in m_clouds of the displayed cloud; frames of a sequence share that of the first.
    int place() const;

    Playlist& m_playlist;
    StoredRecipe m_recipe;
    WorkHistory m_history;
    SnapshotPtr m_results;
    CoordinateReference m_reference;
    ChosenReference m_chosen;                  ///< the user's choices behind m_reference
    std::shared_ptr<const PointCloud> m_cloud; ///< the cloud behind m_reference; null for a volume
    int m_replaced = 0;
    std::map<int, ScanWork> m_clouds; ///< work on clouds of the playlist that are not displayed
    int m_shownCloud = -1;            ///< place() of the displayed cloud
    ScanWork m_left;                  ///< work on the previously displayed scan
};

} // namespace scanloupe::gui
