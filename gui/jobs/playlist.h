#pragma once
// Several files that are opened together: which of them is shown, and what comes next.
#include "gui/jobs/scan_session.h"

#include <QElapsedTimer>
#include <QTimer>

namespace scanloupe::gui {

/// Steps through a sequence, or changes between clouds, by showing one after the other in the session. What
/// can't be read is passed over and told in one sentence. Lives on the GUI thread and never waits.
class Playlist : public QObject {
    Q_OBJECT
public:
    enum class Kind {
        sequence, ///< frames of the same place: recipe and camera stay
        clouds,   ///< each has its own
    };

    explicit Playlist(ScanSession& session, QObject* parent = nullptr);

    /// Shows the first scan that can be; the list takes the place of the old one with it. `leftOut`: what was
    /// found to be no scan.
    void open(const std::vector<std::filesystem::path>& scans, Kind kind, std::vector<LeftOut> leftOut);

    int size() const { return m_list ? int(m_list->scans->size()) : 0; } ///< 0: one scan or none is open
    Kind kind() const { return m_list ? m_list->kind : Kind::clouds; }
    int shown() const { return m_list ? m_list->shown : -1; } ///< -1: none, or all together
    /// What was asked for last: it is shown, or on its way. -1: none, or all together.
    int wanted() const;
    QString nameOf(int index) const;
    const std::filesystem::path& path(int index) const { return m_list->scans->path(std::size_t(index)); }
    ScanCache::State at(int index) const { return m_list->scans->at(std::size_t(index)); }
    bool isPlaying() const { return m_playing; }
    double rate() const { return 1000.0 / m_intervalMs; }

    /// Shows this one. A frame that is being shown is let end first, so that frames keep coming however fast
    /// others are asked for.
    void show(int index);
    /// Shows all of them as one cloud, which `make` puts together; the list stays.
    void showTogether(ScanSession::Make make);
    /// Where its scans are worked on: cpu or cuda.
    Backend backend() const { return m_session.backend().backend; }
    /// Whether something else is about to take the list's place.
    bool isLeaving() const { return m_session.isLoading() && !(m_attempt && m_attempt->list == m_list); }
    /// Whether they are shown as one cloud.
    bool isTogether() const { return m_list && m_list->shown == kTogether; }
    /// To the next (1) or the one before (-1) that can be read, round and round.
    void step(int direction);
    void setPlaying(bool playing);
    /// Frames a second while it plays, at most.
    void setRate(double framesPerSecond);

signals:
    void replaced();       ///< another list, or none
    void moved();          ///< shown() or wanted() is another
    void detailsChanged(); ///< at() tells more
    void playingChanged(bool playing);
    void problemsFound(const QString& sentence, const QString& nextStep);
    void logged(const QString& line);

private:
    static constexpr int kTogether = -1; ///< in place of an index

    struct List {
        std::shared_ptr<ScanCache> scans;
        Kind kind;
        std::vector<LeftOut> leftOut; ///< before any was read
        int shown = -1;
        std::vector<std::optional<Recipe>> recipes = {}; ///< of the clouds that were shown
        std::optional<Recipe> together = {};             ///< of all as one cloud, once they were shown so
        std::vector<bool> reported = {};                 ///< whose problem has been told
        bool leftOutReported = false;
    };
    using ListPtr = std::shared_ptr<List>;
    struct Step {
        int index = 0;
        int direction = 0; ///< where to go on when it can't be read; 0: nowhere
    };
    /// One that the session was asked to show.
    struct Attempt {
        ListPtr list;
        Step step;
        int number = 0;
    };

    void goTo(const Step& step);
    void startAttempt(const ListPtr& list, const Step& step);
    void keepRecipe();
    void onOpeningEnded(int number, OpeningEnd how);
    void setShown(const Attempt& shown);
    void skipUnreadable(const Attempt& unreadable);
    void scheduleNextFrame();
    void close();
    /// The next that is not known to be broken, and is not `from` itself; nothing when there is none.
    static std::optional<int> next(const List& list, int from, int direction);
    void reportProblems(List& list);

    ScanSession& m_session;
    ListPtr m_list;
    std::optional<Attempt> m_attempt;
    std::optional<Step> m_waiting; ///< what is shown after m_try
    bool m_playing = false;
    int m_intervalMs = 100;
    QElapsedTimer m_sinceBegin;
    QTimer m_next;
};

} // namespace scanloupe::gui
