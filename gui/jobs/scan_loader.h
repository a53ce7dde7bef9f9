#pragma once
// Declares the loader of scans.
#include "engine/io/common/read_options.h"
#include "engine/io/scan_cache.h"
#include "gui/jobs/job_pool.h"
#include "gui/jobs/opening.h"
#include "kernels/synth/scan_generator.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::gui {

class PipelineRunner;

enum class OpeningEnd {
    shown,
    unreadable, ///< the file can't be read; its cache holds the reason
    notRun,     ///< the first run failed; the runner reports the reason
    cancelled,
};

/// Number of points of the next look, after one at `shown` of `all` points that took `ms` to read. 0: the
/// whole scan follows.
std::size_t pointsOfNextLook(std::uint64_t shown, std::uint64_t all, double ms);

/// Opens scans: reads or generates them on a separate thread, and passes them to the runner, which shows them
/// with their first results. One opening at a time: a second one cancels the first. All signals are emitted
/// on the GUI thread.
class ScanLoader : public QObject {
    Q_OBJECT
public:
    explicit ScanLoader(PipelineRunner& runner, QObject* parent = nullptr);
    /// Cancels reading and waits for it.
    ~ScanLoader() override;

    /// Whether a scan is being opened: read, or run for the first time.
    bool isBusy() const { return m_busy; }
    /// Number of the last opening, for openingEnded().
    int number() const { return m_number; }

    /// Opens a scan or a volume, or the scans of a folder as one survey. It replaces the current one with its
    /// first results, so that a scan that can't be read or run changes nothing. Parameters that depend on the
    /// old scan's place and scale are chosen from the data again. A large scan is shown first as a subsample
    /// while the rest is read; the subsample stays if the rest can't be read or run, or if the opening is
    /// cancelled.
    void open(const std::filesystem::path& path, const Opening& opening = {});
    /// Creates a cache of files for show(); scansChanged() is emitted when the cache has more details of the
    /// files.
    std::shared_ptr<ScanCache> cacheOf(std::vector<std::filesystem::path> paths);
    /// Opens one of several files, as open() does, and reads ahead those after it. An unreadable file is
    /// reported only by openingEnded() and the cache. Returns the number for openingEnded().
    int show(const std::shared_ptr<ScanCache>& scans, std::size_t index, const Opening& opening);
    using Make = std::function<PointCloud(const ProgressFunction&, const std::stop_token&)>;
    /// Opens a scan that `make` generates; `what` names the job in progress messages. Returns the number for
    /// openingEnded().
    int openMade(const QString& what, const QString& name, Make make, const Opening& opening = {});
    /// Sets the region that the views show. If a scan with levels of detail is too large to be read as a
    /// whole, the loader reads as much as the views need after each change, and keeps the displayed points
    /// meanwhile. It chooses the maximum number of points itself.
    void setView(const ViewDetail& view);
    /// Whether the displayed points were read for this range, so that none of them are pending. True for
    /// scans that are read as a whole.
    bool hasRead(const std::optional<Bounds>& range) const;
    /// Sets how many points of a scan with levels of detail, or of a range of it, are read as a whole; by
    /// default as many as fit into half of the memory.
    void setMaxPoints(std::uint64_t points) { m_maxPoints = points; }
    /// Sets the columns for text files of a layout, as described by TextPreview.
    void setColumns(const std::string& layout, std::vector<ChosenColumn> columns);
    /// Opens a synthetic scan.
    void openSample(const synth::ScanParams& params, const Opening& opening = {});
    /// Cancels the opening, if there is one; the run of the current scan continues.
    void cancel();

signals:
    /// Emitted when the last open(), openMade(), openSample() or show() has ended; never for a superseded
    /// call.
    void openingEnded(int number, scanloupe::gui::OpeningEnd end);
    /// Emitted when a first look has replaced the old scan while the rest is being read.
    void firstLookShown();
    /// Emitted when a cache of cacheOf() has more details
    void scansChanged();
    void failed(const QString& sentence, const QString& nextStep); ///< a scan can't be read
    void progressed(const QString& what, double done);             ///< 0 to 1
    void busyChanged(bool busy);
    /// Emitted when the columns of an opened text are ambiguous and setColumns() was not called for its
    /// layout. The text is read, or refused, with the detected columns.
    void columnsUnsure(const QString& path, const scanloupe::TextPreview& preview);
    void logged(const QString& line);

private:
    using Load = std::function<LoadedScan(const ProgressFunction&, const std::stop_token&)>;
    /// Reads about the given number of points; null if a scan can't be read in parts.
    using LoadSubsample =
        std::function<LoadedScanPtr(std::size_t points, const ProgressFunction&, const std::stop_token&)>;
    /// Reads the part of a scan with levels of detail that a view needs.
    using LoadView =
        std::function<LoadedScan(const ViewDetail& view, const ProgressFunction&, const std::stop_token&)>;
    enum class Report { failed, none }; ///< how an unreadable scan is reported
    struct Reading {
        QString what; ///< name of the job in progress messages
        Report report = Report::none;
        Load load;
        LoadSubsample loadSubsample; ///< none: no first look
        LoadView loadView;           ///< none: no levels of detail
    };

    Reading scanReading(const std::filesystem::path& path, const Opening& opening);
    /// The columns set for a layout. Called from threads of m_pool.
    std::vector<ChosenColumn> columnsOf(const std::filesystem::path& path, const TextPreview& preview);
    Reading surveyReading(const std::filesystem::path& folder, const Opening& opening);
    /// @param scans the cache that has the scan; null: none @param loadSubsample none: no first look
    int load(std::shared_ptr<ScanCache> scans, Reading reading);
    /// Reads about this number of points for a first look, runs it, and only then reads more: the first look
    /// gets all cores, which gains more time than the whole scan loses.
    void readSubsample(std::size_t points);
    void readWhole();
    std::uint64_t maxPoints() const;
    /// Reads what the view needs, unless that has been read.
    void readView();
    void onViewRead(int number, const LoadedScanPtr& loaded);
    ProgressFunction progressOf(const QString& what);
    void run(const LoadedScanPtr& scan);
    /// Ends an opening whose scan could not be read, or that was cancelled.
    void endReading();
    void onSubsampleRead(int number, const LoadedScanPtr& subsample);
    void onLoaded(int number, const LoadedScanPtr& loaded);
    void onCandidateEnded(bool shown);
    void setBusy(bool busy);
    /// Stops the current read-ahead and starts one in `scans`, unless that is null.
    void readAhead(const std::shared_ptr<ScanCache>& scans);

    PipelineRunner& m_runner;
    bool m_busy = false;
    int m_number = 0;              ///< number of the current opening; older ones are dropped
    Reading m_reading;             ///< how the scan of the current opening is read
    bool m_showsSubsample = false; ///< whether a first look at the opening scan has replaced the old scan
    LoadedScanPtr m_subsample;     ///< first look that the runner is running as its candidate; null: none
    std::optional<std::uint64_t> m_maxPoints;
    bool m_followsView = false;       ///< the scan is too large to be read as a whole
    std::optional<ViewDetail> m_view; ///< the region that the views show
    /// The last requested view, and the displayed one with its limits.
    std::optional<ViewDetail> m_viewAsked, m_viewRead;
    std::shared_ptr<ScanCache> m_opening; ///< cache of the scan that is being opened
    std::shared_ptr<ScanCache> m_ahead;   ///< cache that readAhead() fills
    std::stop_source m_loadStop, m_aheadStop;
    std::mutex m_columnsMutex;
    std::map<std::string, std::vector<ChosenColumn>> m_columns; ///< by layout
    JobPool m_pool;                                             ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
