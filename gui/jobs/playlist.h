#pragma once
// Declares the playlist of scans that are opened together: which of them is shown, and which comes next.
#include "engine/project/project.h"
#include "gui/jobs/scan_loader.h"
#include "kernels/core/rigid_transform.h"

#include <QElapsedTimer>
#include <QTimer>

namespace scanloupe {
enum class Backend;
}

namespace scanloupe::gui {

class PipelineRunner;

/// How several scans are opened.
enum class SeveralAs {
    sequence, ///< these three as Playlist::Kind
    clouds,
    place,
    survey, ///< a folder of scans as one scan
};

/// Steps through a sequence, or switches between clouds, by opening one scan after the other. Unreadable
/// scans are skipped, and reported in one sentence. Lives on the GUI thread and never blocks.
class Playlist : public QObject {
    Q_OBJECT
public:
    enum class Kind {
        sequence, ///< frames of the same place: recipe and camera stay
        clouds,   ///< each has its own recipe and camera
        place,    ///< scans of one place, which are shown together
    };
    /// T_world_scan of each scan; none: its pose is unknown, and it is left out.
    using Poses = std::vector<std::optional<RigidTransform>>;
    /// Verdicts of the alignment that found the poses; none: not aligned.
    using Verdicts = std::vector<std::optional<PoseVerdict>>;

    /// @param runner has the recipe of the shown scan
    Playlist(ScanLoader& loader, const PipelineRunner& runner, QObject* parent = nullptr);

    /// Shows the first readable scan, or all scans together; then this list replaces the old one. `leftOut`:
    /// files that are not scans.
    void open(const std::vector<std::filesystem::path>& scans, Kind kind, std::vector<LeftOut> leftOut);

    /// Like open(), with the state from a project: the displayed scan and its recipe, hidden scans, estimated
    /// poses.
    void open(const Project& project);
    /// Stores the recipe of the displayed scan, to be used when it is displayed again.
    void keepRecipe(const Recipe& recipe);
    /// Stores the scans and their state in a project.
    void describe(Project& project) const;

    int size() const { return m_list ? int(m_list->scans->size()) : 0; } ///< 0: one scan or none is open
    Kind kind() const { return m_list ? m_list->kind : Kind::clouds; }
    /// Index of the displayed scan; -1: none, or all together
    int shown() const { return m_list ? m_list->shown : -1; }
    /// Index of the last request, shown or still being opened. -1: none, or all together.
    int wanted() const;
    QString nameOf(int index) const;
    const std::filesystem::path& path(int index) const { return m_list->scans->path(std::size_t(index)); }
    ScanCache::State at(int index) const { return m_list->scans->at(std::size_t(index)); }
    bool isPlaying() const { return m_playing; }
    double rate() const { return 1000.0 / m_intervalMs; }

    /// Shows a single scan, even of scans of one place. A frame that is being opened is completed first, so
    /// that frames keep appearing at any request rate.
    void show(int index);
    /// Shows all visible scans as one cloud, at the poses of `showsAligned()`; the list stays open.
    void showTogether();
    /// Shows all visible scans as one cloud at these estimated poses.
    void showTogether(Poses poses, Verdicts verdicts);
    /// Whether scans that are shown together are at the estimated poses, instead of the poses in their files.
    bool showsAligned() const { return m_list && m_list->isAligned; }
    bool hasPoses() const { return m_list && !m_list->poses.empty(); }
    /// The estimated or loaded poses; empty before.
    Poses poses() const { return m_list ? m_list->poses : Poses(); }
    Verdicts verdicts() const { return m_list ? m_list->verdicts : Verdicts(); } ///< empty as poses()
    void setAligned(bool aligned);
    /// Whether a scan is one of those that are shown together.
    bool isVisible(int index) const { return m_list->visible[std::size_t(index)]; }
    /// Hides scans, or shows them again; at least one stays visible.
    void setVisible(const std::vector<bool>& visible);
    const std::vector<bool>& visible() const { return m_list->visible; }
    /// Sets visibility and poses in one step.
    void setTogether(const std::vector<bool>& visible, bool aligned);
    /// Backend that processes the scans: cpu or cuda.
    Backend backend() const;
    /// Whether another scan or list is being opened in place of this one.
    bool isLeaving() const {
        return m_loader.isBusy() &&
               !(m_attempt && m_attempt->list == m_list && m_attempt->number == m_loader.number());
    }
    /// Whether all scans are shown as one cloud.
    bool isTogether() const { return m_list && m_list->shown == kTogether; }
    /// Steps to the next (1) or the previous (-1) readable scan, cyclically.
    void step(int direction);
    void setPlaying(bool playing);
    /// Sets the highest frame rate of playback, in frames per second.
    void setRate(double framesPerSecond);

signals:
    void replaced();        ///< emitted when the list was replaced or closed
    void togetherChanged(); ///< visible() or showsAligned() has changed
    void moved();           ///< shown() or wanted() has changed
    void detailsChanged();  ///< at() returns more details
    void playingChanged(bool playing);
    void problemsFound(const QString& sentence, const QString& nextStep);
    void logged(const QString& line);

private:
    static constexpr int kTogether = -1; ///< pseudo-index of all scans as one cloud

    struct List {
        std::shared_ptr<ScanCache> scans;
        Kind kind;
        std::vector<LeftOut> leftOut; ///< files that were excluded before reading began
        int shown = -1;
        std::vector<std::optional<StoredRecipe>> recipes = {}; ///< recipes of displayed scans, see recipeOf()
        std::optional<StoredRecipe> together = {};             ///< recipe of all as one cloud, once displayed
        std::vector<bool> visible = {};                        ///< whether each scan of one cloud is visible
        Poses poses = {};                                      ///< found poses; empty: none yet
        Verdicts verdicts = {};                                ///< on these
        bool isAligned = false;                                ///< shown together at these poses
        std::vector<bool> reported = {};                       ///< scans whose problem has been reported
        bool leftOutReported = false;
    };
    using ListPtr = std::shared_ptr<List>;
    struct Step {
        int index = 0;
        /// Direction of the next attempt if this scan can't be read; 0: no further attempt
        int direction = 0;
    };
    /// A request to the loader to open a scan.
    struct Attempt {
        ListPtr list;
        Step step;
        int number = 0;
    };

    void goTo(const Step& step);
    void startAttempt(const ListPtr& list, const Step& step);
    void startTogether(const ListPtr& list);
    void showOnly(int index); ///< hides the other scans of one place
    /// Index of the recipe of a scan: each cloud has its own, and the frames of a sequence share the first.
    static std::size_t recipeOf(const List& list, int index);
    void onOpeningEnded(int number, OpeningEnd how);
    void onFirstLookShown();
    void setShown(const Attempt& shown);
    void skipUnreadable(const Attempt& unreadable);
    void scheduleNextFrame();
    void close();
    /// The next scan that is not known to be unreadable, other than `from`; none when there is no such scan.
    static std::optional<int> next(const List& list, int from, int direction);
    void reportProblems(List& list);

    ScanLoader& m_loader;
    const PipelineRunner& m_runner;
    ListPtr m_list;
    std::optional<Attempt> m_attempt;
    std::optional<Step> m_waiting; ///< step to do after m_attempt
    bool m_playing = false;
    int m_intervalMs = 100;
    QElapsedTimer m_sinceBegin;
    QTimer m_next;
};

} // namespace scanloupe::gui
