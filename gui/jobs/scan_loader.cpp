// Reads and generates scans on a worker thread, and passes them to the runner of the pipeline.
#include "gui/jobs/scan_loader.h"

#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/compute/memory.h"
#include "engine/io/scan_reader.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/results/snapshot.h"
#include "engine/survey/survey_scan.h"
#include "gui/base/raw_text.h"
#include "gui/jobs/pipeline_runner.h"
#include "kernels/core/cost.h"

#include <mutex>

namespace scanloupe::gui {

namespace {
constexpr int kThreads = 4; // one load, one read-ahead, and cancelled jobs that are still stopping
// Points of a first look. On 2026-11-24, 2 cores, a generated street of 10 million points as LAS: 20 ms until
// 300,000 were read, 230 ms more until they were shown.
constexpr std::size_t kFirstLook = 300'000;
// Ratio of the points of successive looks. The last look has at most an eighth of all points, so all looks
// together take about a seventh of the time of the whole.
constexpr std::size_t kGrowth = 8;
constexpr double kLongMs = 6000; // estimated reading time of the whole scan, noticeable for users
// Points that are read for a view: a second or two of reading and computing, and a GB or two of results.
constexpr std::uint64_t kMaxViewPoints = 1'500'000, kMaxViewPointsOnDevice = 6'000'000;
constexpr std::uint64_t kBytesPerPoint = 200; // host memory per point of a scan and its results

/// Calls `read` and returns its result with the time that it took.
template <class Read>
LoadedScan loadedScan(const QString& name, const Opening& opening, const Read& read) {
    const WallTimer timer;
    ScanInput part;
    part.cloud = read();
    part.readMs = timer.elapsedMs();
    return {std::make_shared<const ScanInput>(std::move(part)), name, opening};
}

} // namespace

std::size_t pointsOfNextLook(std::uint64_t shown, std::uint64_t all, double ms) {
    const bool isLong = ms * double(all) / double(shown) > kLongMs;
    return isLong && kGrowth * kGrowth * shown <= all ? static_cast<std::size_t>(kGrowth * shown) : 0;
}

ScanLoader::ScanLoader(PipelineRunner& runner, QObject* parent)
    : QObject(parent), m_runner(runner), m_pool(*this, kThreads + ScanCache::smallFileReaders()) {
    connect(&m_runner, &PipelineRunner::candidateEnded, this, &ScanLoader::onCandidateEnded);
}

ScanLoader::~ScanLoader() {
    m_loadStop.request_stop();
    m_aheadStop.request_stop();
}

void ScanLoader::setBusy(bool busy) {
    if (std::exchange(m_busy, busy) != busy)
        emit busyChanged(busy);
}

void ScanLoader::setColumns(const std::string& layout, std::vector<ChosenColumn> columns) {
    const std::lock_guard lock(m_columnsMutex);
    m_columns[layout] = std::move(columns);
}

std::vector<ChosenColumn> ScanLoader::columnsOf(const std::filesystem::path& path,
                                                const TextPreview& preview) {
    const std::lock_guard lock(m_columnsMutex);
    if (const auto known = m_columns.find(preview.layout); known != m_columns.end())
        return known->second;
    m_pool.post([this, path = rawText(path.string()), preview] { emit columnsUnsure(path, preview); });
    return {};
}

ScanLoader::Reading ScanLoader::scanReading(const std::filesystem::path& path, const Opening& opening) {
    const QString name = shownText(path.filename().string());
    const auto scanOf = [name, opening](const auto& read) { return loadedScan(name, opening, read); };
    Reading reading;
    reading.load = [this, path, name, opening, device = deviceStreamOf(m_runner.backend())](
                       const ProgressFunction& progress, const std::stop_token& stop) {
        ReadOptions options{.progress = progress, .deviceStream = device};
        options.chooseColumns = [this, path](const TextPreview& preview) { return columnsOf(path, preview); };
        return LoadedScan{std::make_shared<const ScanInput>(readInput(path, options, stop)), name, opening};
    };
    reading.loadSubsample = [path, scanOf](std::size_t points, const ProgressFunction& progress,
                                           const std::stop_token& stop) -> LoadedScanPtr {
        LoadedScan scan =
            scanOf([&] { return readScanSubsample(path, points, {.progress = progress}, stop); });
        scan.isFirstLook = true;
        scan.hasLevels = hasLevels(path);
        return scan.scan->cloud ? std::make_shared<const LoadedScan>(std::move(scan)) : nullptr;
    };
    reading.loadView = [path, scanOf, device = deviceStreamOf(m_runner.backend())](
                           const ViewDetail& view, const ProgressFunction& progress,
                           const std::stop_token& stop) {
        ReadOptions options{.progress = progress, .deviceStream = device};
        options.octree = OctreeReading{.range = {}, .resolution = 0, .view = view};
        return scanOf([&] { return readScan(path, options, stop); });
    };
    return reading;
}

ScanLoader::Reading ScanLoader::surveyReading(const std::filesystem::path& folder, const Opening& opening) {
    const QString name = shownText(folder.filename().string());
    const auto scanOf = [name, opening](const auto& read) { return loadedScan(name, opening, read); };
    // headers are read once, by the first caller
    const auto survey = [folder, known = std::make_shared<std::shared_ptr<const SurveyScan>>(),
                         mutex = std::make_shared<std::mutex>()](const std::stop_token& stop) {
        const std::lock_guard lock(*mutex);
        if (!*known)
            *known = std::make_shared<const SurveyScan>(folder, nullptr, stop);
        return *known;
    };
    Reading reading;
    reading.load = [=](const ProgressFunction& progress, const std::stop_token& stop) {
        return scanOf([&] {
            const auto all = survey(stop);
            return all->sample(all->points(), progress, stop);
        });
    };
    reading.loadSubsample = [=](std::size_t points, const ProgressFunction& progress,
                                const std::stop_token& stop) {
        LoadedScan scan = scanOf([&] { return survey(stop)->sample(points, progress, stop); });
        scan.isFirstLook = true;
        scan.hasLevels = true;
        return std::make_shared<const LoadedScan>(std::move(scan));
    };
    reading.loadView = [=](const ViewDetail& view, const ProgressFunction& progress,
                           const std::stop_token& stop) {
        return scanOf([&] { return survey(stop)->ofView(view, progress, stop); });
    };
    return reading;
}

void ScanLoader::open(const std::filesystem::path& named, const Opening& opening) {
    std::error_code unknown;
    // the path of a folder may end with a slash
    const std::filesystem::path path = named.has_filename() ? named : named.parent_path();
    Reading reading = std::filesystem::is_directory(path, unknown) ? surveyReading(path, opening)
                                                                   : scanReading(path, opening);
    reading.what = tr("Reading %1").arg(shownText(path.filename().string()));
    reading.report = Report::failed;
    load(nullptr, std::move(reading));
}

std::shared_ptr<ScanCache> ScanLoader::cacheOf(std::vector<std::filesystem::path> paths) {
    const std::uint64_t budget = availableHostMemory() / 4; // results need more memory than scans
    // called only from the loader's own threads, which end before the loader
    return std::make_shared<ScanCache>(std::move(paths), budget,
                                       [this] { m_pool.post([this] { emit scansChanged(); }); });
}

int ScanLoader::show(const std::shared_ptr<ScanCache>& scans, std::size_t index, const Opening& opening) {
    const QString name = shownText(scans->path(index).filename().string());
    return load(scans, {tr("Reading %1").arg(name),
                        Report::none,
                        [=, device = deviceStreamOf(m_runner.backend())](const ProgressFunction& progress,
                                                                         const std::stop_token& stop) {
                            const ReadOptions options{.progress = progress, .deviceStream = device};
                            return LoadedScan{scans->read(index, options, stop), name, opening};
                        },
                        {},
                        {}});
}

int ScanLoader::openMade(const QString& what, const QString& name, Make make, const Opening& opening) {
    return load(nullptr,
                {what,
                 Report::failed,
                 [=, make = std::move(make)](const ProgressFunction& progress, const std::stop_token& stop) {
                     ScanInput made;
                     const WallTimer timer;
                     made.cloud = std::make_shared<const PointCloud>(make(progress, stop));
                     made.readMs = timer.elapsedMs();
                     return LoadedScan{std::make_shared<const ScanInput>(std::move(made)), name, opening};
                 },
                 {},
                 {}});
}

void ScanLoader::openSample(const synth::ScanParams& params, const Opening& opening) {
    openMade(
        tr("Generating a scan"), tr("sample scan"),
        [params](const ProgressFunction& progress, const std::stop_token& stop) {
            return syntheticCloud(params, false, progress, stop);
        },
        opening);
}

int ScanLoader::load(std::shared_ptr<ScanCache> scans, Reading reading) {
    m_loadStop.request_stop();
    m_loadStop = std::stop_source();
    ++m_number;
    m_opening = std::move(scans);
    m_showsSubsample = false;
    m_subsample.reset();
    m_followsView = false;
    m_view.reset();
    m_viewAsked.reset();
    m_viewRead.reset();
    m_reading = std::move(reading);
    setBusy(true);
    m_runner.dropCandidate();
    emit logged(m_reading.what);
    if (m_reading.loadSubsample)
        readSubsample(std::size_t(std::min<std::uint64_t>(kFirstLook, maxPoints())));
    else
        readWhole();
    return m_number;
}

ProgressFunction ScanLoader::progressOf(const QString& what) {
    return m_pool.progress([this, what](double done) { emit progressed(what, done); });
}

void ScanLoader::readSubsample(std::size_t points) {
    m_pool.start([this, points, number = m_number, reading = m_reading, stop = m_loadStop.get_token()] {
        LoadedScanPtr subsample; // not reported: reading the whole scan fails in the same way, and reports it
        m_pool.guarded(
            nullptr, [&] { subsample = reading.loadSubsample(points, progressOf(reading.what), stop); }, {});
        m_pool.post([this, number, subsample] { onSubsampleRead(number, subsample); });
    });
}

void ScanLoader::readWhole() {
    m_pool.start([this, number = m_number, reading = m_reading, stop = m_loadStop.get_token()] {
        std::function<void(const Failure&)> tell;
        if (reading.report == Report::failed)
            tell = [this](const Failure& failure) { emit failed(failure.sentence, failure.nextStep); };
        LoadedScanPtr loaded;
        m_pool.guarded(
            std::move(tell),
            [&] {
                loaded = std::make_shared<const LoadedScan>(reading.load(progressOf(reading.what), stop));
            },
            tr("Close other scans and programs, or split the scan into parts."));
        m_pool.post([this, number, loaded] { onLoaded(number, loaded); });
    });
}

void ScanLoader::run(const LoadedScanPtr& scan) {
    if (!m_showsSubsample)
        return m_runner.runCandidate(scan);
    LoadedScan more = *scan; // keeps the user's changes and the camera when the scan is replaced
    more.opening.as = Opening::As::rest;
    m_runner.runCandidate(std::make_shared<const LoadedScan>(std::move(more)));
}

void ScanLoader::endReading() {
    ++m_number;
    m_subsample.reset();
    m_opening.reset();
    m_runner.dropCandidate();
    if (m_showsSubsample)
        m_runner.setRecipe(m_runner.recipe()); // the current scan stays, so request its skipped refinements
    else
        m_runner.resume();
    setBusy(false);
}

void ScanLoader::onSubsampleRead(int number, const LoadedScanPtr& subsample) {
    if (number != m_number)
        return; // superseded by a newer opening, or cancelled
    const std::size_t shown = m_showsSubsample ? m_runner.snapshot()->cloud->size() : 0;
    // the format's reader may not support larger subsamples
    if (!subsample || subsample->scan->cloud->size() <= shown)
        return readWhole();
    m_subsample = subsample;
    run(subsample);
}

void ScanLoader::onLoaded(int number, const LoadedScanPtr& loaded) {
    if (number != m_number)
        return;
    if (loaded)
        return run(loaded);
    endReading();
    emit openingEnded(number, OpeningEnd::unreadable);
}

void ScanLoader::onCandidateEnded(bool shown) {
    if (const LoadedScanPtr subsample = std::exchange(m_subsample, nullptr)) {
        if (shown && !std::exchange(m_showsSubsample, true))
            emit firstLookShown();
        const PointCloud& cloud = *subsample->scan->cloud;
        m_followsView = shown && subsample->hasLevels && cloud.subsampledFrom > maxPoints();
        if (m_followsView) {
            readAhead(nullptr);
            emit openingEnded(m_number, OpeningEnd::shown);
            return readView();
        }
        const std::size_t next =
            shown ? pointsOfNextLook(cloud.size(), cloud.subsampledFrom, subsample->scan->readMs) : 0;
        return next > 0 ? readSubsample(next) : readWhole();
    }
    if (m_followsView) {
        if (!shown)
            m_viewRead.reset(); // the displayed points are outdated
        return readView();
    }
    if (shown)
        readAhead(m_opening);
    m_opening.reset();
    setBusy(false);
    emit openingEnded(m_number, shown ? OpeningEnd::shown : OpeningEnd::notRun);
}

std::uint64_t ScanLoader::maxPoints() const {
    return m_maxPoints ? *m_maxPoints : availableHostMemory() / 2 / kBytesPerPoint;
}

bool ScanLoader::hasRead(const std::optional<Bounds>& range) const {
    const auto isSame = [](const Bounds& a, const Bounds& b) { return a.min == b.min && a.max == b.max; };
    return !m_followsView || (!m_busy && m_viewRead && m_viewRead->range.has_value() == range.has_value() &&
                              (!range || isSame(*range, *m_viewRead->range)));
}

void ScanLoader::setView(const ViewDetail& view) {
    m_view = view;
    if (m_followsView && !m_busy)
        readView();
}

void ScanLoader::readView() {
    if (!m_view || m_view == m_viewAsked)
        return setBusy(false);
    m_viewAsked = m_viewRead = m_view;
    const bool onDevice = m_runner.backend().backend == Backend::cuda;
    m_viewRead->maxRangePoints = maxPoints();
    m_viewRead->maxPoints = std::min(onDevice ? kMaxViewPointsOnDevice : kMaxViewPoints, maxPoints());
    if (m_loadStop.stop_requested())
        m_loadStop = std::stop_source();
    setBusy(true);
    m_pool.start([this, view = *m_viewRead, number = m_number, reading = m_reading,
                  stop = m_loadStop.get_token()] {
        LoadedScanPtr loaded;
        m_pool.guarded([this](const Failure& failure) { emit failed(failure.sentence, failure.nextStep); },
                       [&] {
                           loaded = std::make_shared<const LoadedScan>(
                               reading.loadView(view, progressOf(reading.what), stop));
                       },
                       tr("Close other scans and programs, or choose a smaller range."));
        m_pool.post([this, number, loaded] { onViewRead(number, loaded); });
    });
}

void ScanLoader::onViewRead(int number, const LoadedScanPtr& loaded) {
    if (number != m_number)
        return; // another scan is opened
    if (loaded)
        return run(loaded);
    m_viewRead.reset(); // the displayed points are outdated
    readView();
}

void ScanLoader::cancel() {
    if (!m_busy)
        return;
    m_loadStop.request_stop();
    const int number = m_number;
    endReading();
    if (m_followsView) // keep the displayed points of the open scan until the view changes
        return m_viewRead.reset();
    emit openingEnded(number, OpeningEnd::cancelled);
}

void ScanLoader::readAhead(const std::shared_ptr<ScanCache>& scans) {
    if (scans == m_ahead)
        return;
    m_aheadStop.request_stop();
    m_aheadStop = std::stop_source();
    m_ahead = scans;
    if (!scans)
        return;
    using Prefetch = ScanCache::Prefetch;
    for (int i = 0; i <= ScanCache::smallFileReaders(); ++i)
        m_pool.start(
            [this, scans, files = i == 0 ? Prefetch::all : Prefetch::small, stop = m_aheadStop.get_token()] {
                m_pool.guarded(nullptr, [&] { scans->readAhead(stop, files); }, {});
            });
}

} // namespace scanloupe::gui
