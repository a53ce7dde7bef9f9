#pragma once
// Opens scans, runs the pipeline and writes exports on threads of its own; hands results to the GUI thread.
#include "engine/compute/backend.h"
#include "engine/io/scan_cache.h"
#include "engine/pipeline/latest_wins.h"
#include "engine/pipeline/pipeline.h"
#include "kernels/synth/scan_generator.h"

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace scanloupe::gui {

using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// How a scan comes to be shown.
struct Opening {
    enum class As {
        another, ///< parameters that belong to the old scan's place and scale are chosen from the new one
        frame,   ///< of the same sequence: the recipe and the camera stay
        before,  ///< it was shown once: with the recipe and the camera of then
    };
    As as = As::another;
    Recipe recipe = {}; ///< of then
};

enum class OpeningEnd {
    shown,
    unreadable, ///< the file, as its cache tells
    notRun,     ///< failed() or, for a frame, runFailed() told
    cancelled,
};

/// One scan and the results that follow its recipe. All signals arrive on the GUI thread. A request never
/// waits: the newest recipe wins, results come whole (see LatestWins). Failures keep what was there.
class ScanSession : public QObject {
    Q_OBJECT
public:
    explicit ScanSession(Backend wanted, QObject* parent = nullptr);
    /// Cancels what runs and waits for it (at most some 100 ms).
    ~ScanSession() override;

    const BackendChoice& backend() const { return m_backend; }
    /// The last whole or preview result; null before the first.
    const SnapshotPtr& snapshot() const { return m_snapshot; }
    const Recipe& recipe() const { return m_recipe; }
    bool isBusy() const { return m_running || m_loading || m_exporting; }
    bool isExporting() const { return m_exporting; }
    bool isLoading() const { return m_loading; }

    /// Reads and runs a scan or a volume beside what is shown; it takes its place with its first results, so
    /// that one that can't be read or run changes nothing. A second call cancels the first. Parameters that
    /// belong to the old scan's place and scale go back to being chosen from the data.
    void open(const std::filesystem::path& path);
    /// A cache of files for show(); scansChanged() tells when it knows more.
    std::shared_ptr<ScanCache> cacheOf(std::vector<std::filesystem::path> paths);
    /// The same for one of several files; those that come after it are read ahead. That a file can't be read
    /// is told by openingEnded() and the cache alone. Gives the number for openingEnded().
    int show(std::shared_ptr<ScanCache> scans, std::size_t index, const Opening& opening);
    using Make = std::function<PointCloud(const ProgressFunction&, const std::stop_token&)>;
    /// Makes a scan instead of reading one; `what` is told while it is made. Gives the number for
    /// openingEnded().
    int openMade(const QString& what, const QString& name, Make make, const Opening& opening = {});
    /// A generated scan.
    void openSample(const synth::ScanParams& params);
    /// Asks for results of `recipe`; returns at once.
    void setRecipe(const Recipe& recipe);
    /// Stops one thing: what is opened, else what is computed, else the export. The last results stay.
    void cancel();

    using Export = std::function<void(const Snapshot&, const ProgressFunction&, const std::stop_token&)>;
    /// Runs `write` on `snapshot`; `what` is told in progress, success and failure. One at a time.
    void exportFile(const QString& what, const SnapshotPtr& snapshot, Export write);

signals:
    void opened(const QString& name);   ///< a new scan takes the place of the old; its results follow at once
    void advanced(const QString& name); ///< the same for the next frame, which keeps recipe and camera
    /// The last open(), openMade(), openSample() or show() has come to its end; one that a newer overtook
    /// never does.
    void openingEnded(int number, scanloupe::gui::OpeningEnd end);
    void scansChanged(); ///< a cache of cacheOf() knows more
    void snapshotReady(const scanloupe::gui::SnapshotPtr& snapshot);
    /// The figures of the mesh of the last results, which come after these: snapshot() is now the one with
    /// them.
    void measured(const scanloupe::gui::SnapshotPtr& snapshot);
    /// The picture of the last results has become finer: snapshot() is now the one with it.
    void refined(const scanloupe::gui::SnapshotPtr& snapshot);
    /// The mesh can't be measured; the results are good all the same.
    void measureFailed(const QString& sentence, const QString& nextStep);
    void exported(const QString& what);
    /// Reading, the first run of what was read, or writing failed.
    void failed(const QString& sentence, const QString& nextStep);
    /// The recipe can't be run.
    void runFailed(const QString& sentence, const QString& nextStep);
    void progressed(const QString& what, double done); ///< 0 to 1
    void busyChanged(bool busy);
    void exportingChanged(bool exporting);
    void logged(const QString& line);

private:
    /// A scan that was read, and what reading it took.
    struct Input {
        std::shared_ptr<const ScanInput> scan;
        QString name;
        Opening opening = {};
        std::shared_ptr<ScanCache> scans = {}; ///< null: it is not one of several
    };
    using InputPtr = std::shared_ptr<const Input>;
    /// What the worker is asked for.
    struct Request {
        Recipe recipe;
        InputPtr input;
        bool first = false; ///< the input has to show that it can be run
        int number = 0;     ///< the last request's is m_requested
    };
    using Work = LatestWins<Request>::Work;
    using Load = std::function<Input(const ProgressFunction&, const std::stop_token&)>;
    using Told = void (ScanSession::*)(const QString& sentence, const QString& nextStep);

    /// The recipe that a scan begins with, where the one before had `recipe`.
    static Recipe recipeFor(const Input& input, Recipe recipe);

    /// `failure`: how it is told when it can't be read.
    void load(const QString& what, Told failure, Load load);
    void tryOut(const InputPtr& input);
    void dropCandidate();
    void submit();
    /// Asks again for what a candidate had pushed aside.
    void resume();
    void work();
    SnapshotPtr run(Pipeline& pipeline, const Work& work);
    /// What nobody waits for, unless a request comes first: quick figures of the mesh, a finer picture, all
    /// figures.
    void addExtras(Pipeline& pipeline, const Work& work, const SnapshotPtr& result);
    /// These give the results with what they have added, which are what they were where there is nothing to
    /// add; null where a request came first.
    SnapshotPtr measure(Pipeline& pipeline, const Work& work, const SnapshotPtr& result,
                        QualityEffort effort);
    SnapshotPtr refine(Pipeline& pipeline, const Work& work, const SnapshotPtr& result);
    using Added = void (ScanSession::*)(const SnapshotPtr& snapshot);
    /// Puts `with` in the place of `of`, and tells.
    void postAdded(const SnapshotPtr& of, const SnapshotPtr& with, Added added);
    void takeOutcome(const Request& request, bool preview, const SnapshotPtr& result);
    void takeCandidate(const Request& request, const SnapshotPtr& result);
    /// Keeps a thread that reads ahead of what is shown; null: none.
    void readAhead(const std::shared_ptr<ScanCache>& scans);

    /// Runs `job` on a thread that gives way to the window's.
    void start(std::function<void()> job);
    void setFlag(bool& flag, bool value);
    /// Queues `action` to the GUI thread; it doesn't run once the session is gone.
    void post(std::function<void()> action);
    /// A progress function that tells the GUI thread at most every 30 ms.
    ProgressFunction progressFor(const QString& what);
    /// Runs `action` and tells what it throws by `failure`; null: nobody is told. True when it threw nothing.
    /// @param whenShort what to do where memory is short
    bool guarded(Told failure, const std::function<void()>& action,
                 const char* whenShort = QT_TR_NOOP("Take a larger voxel size or a smaller range."));

    BackendChoice m_backend;
    Recipe m_recipe;
    SnapshotPtr m_snapshot;
    InputPtr m_input;
    InputPtr m_candidate; ///< was read, and runs for the first time
    bool m_running = false, m_loading = false, m_exporting = false;
    bool m_aside = false; ///< a candidate has pushed a request for the old scan aside
    LatestWins<Request> m_requests;
    std::stop_source m_loadStop, m_exportStop, m_aheadStop;
    std::shared_ptr<ScanCache> m_ahead; ///< what is read ahead
    int m_loads = 0;                    ///< so that a load that was overtaken is let go
    int m_requested = 0;                ///< so that what was overtaken does not end the work
    QThreadPool m_pool;
};

} // namespace scanloupe::gui

Q_DECLARE_METATYPE(scanloupe::gui::SnapshotPtr)
