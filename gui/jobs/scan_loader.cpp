// Reads and generates scans on a worker thread, and hands them to the runner of the pipeline.
#include "gui/jobs/scan_loader.h"

#include "engine/compute/memory.h"
#include "engine/synth/synthetic_cloud.h"
#include "gui/base/raw_text.h"
#include "gui/jobs/pipeline_runner.h"
#include "kernels/core/cost.h"

namespace scanloupe::gui {

namespace {
constexpr int kThreads = 4; // a load, a read-ahead, and cancelled ones that are still stopping
// Points of a first look. On 2026-11-24, 2 cores, a generated street of 10 million points as LAS: 20 ms until
// 300,000 were read, 230 ms more until they were shown.
constexpr std::size_t kFirstLook = 300'000;
// Each further look has so many times more points, and the last one at most an eighth of the whole, so that
// all of them together take some seventh of its time.
constexpr std::size_t kGrowth = 8;
constexpr double kLongMs = 6000; // of the whole, by the last look; people notice it
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

void ScanLoader::open(const std::filesystem::path& path) {
    const QString name = shownText(path.filename().string());
    load(
        tr("Reading %1").arg(name), Report::failed, nullptr,
        [path, name, device = deviceStreamOf(m_runner.backend())](const ProgressFunction& progress,
                                                                  const std::stop_token& stop) {
            const ReadOptions options{.progress = progress, .deviceStream = device};
            return LoadedScan{std::make_shared<const ScanInput>(readInput(path, options, stop)), name};
        },
        [path, name](std::size_t points, const ProgressFunction& progress,
                     const std::stop_token& stop) -> LoadedScanPtr {
            const WallTimer timer;
            ScanInput part;
            const ReadOptions options{.progress = progress};
            part.cloud = readScanSubsample(path, points, options, stop);
            if (!part.cloud)
                return nullptr;
            part.readMs = timer.elapsedMs();
            return std::make_shared<const LoadedScan>(
                LoadedScan{std::make_shared<const ScanInput>(std::move(part)), name});
        });
}

std::shared_ptr<ScanCache> ScanLoader::cacheOf(std::vector<std::filesystem::path> paths) {
    const std::uint64_t budget = availableHostMemory() / 4; // results need more memory than scans
    // called from the loader's own threads, which end before it
    return std::make_shared<ScanCache>(std::move(paths), budget,
                                       [this] { m_pool.post([this] { emit scansChanged(); }); });
}

int ScanLoader::show(const std::shared_ptr<ScanCache>& scans, std::size_t index, const Opening& opening) {
    const QString name = shownText(scans->path(index).filename().string());
    return load(tr("Reading %1").arg(name), Report::none, scans,
                [=, device = deviceStreamOf(m_runner.backend())](const ProgressFunction& progress,
                                                                 const std::stop_token& stop) {
                    const ReadOptions options{.progress = progress, .deviceStream = device};
                    return LoadedScan{scans->read(index, options, stop), name, opening};
                });
}

int ScanLoader::openMade(const QString& what, const QString& name, Make make, const Opening& opening) {
    return load(what, Report::failed, nullptr,
                [=, make = std::move(make)](const ProgressFunction& progress, const std::stop_token& stop) {
                    ScanInput made;
                    const WallTimer timer;
                    made.cloud = std::make_shared<const PointCloud>(make(progress, stop));
                    made.readMs = timer.elapsedMs();
                    return LoadedScan{std::make_shared<const ScanInput>(std::move(made)), name, opening};
                });
}

void ScanLoader::openSample(const synth::ScanParams& params) {
    openMade(tr("Generating a scan"), tr("sample scan"),
             [params](const ProgressFunction& progress, const std::stop_token& stop) {
                 return syntheticCloud(params, false, progress, stop);
             });
}

int ScanLoader::load(const QString& what, Report report, std::shared_ptr<ScanCache> scans, Load load,
                     LoadSubsample loadSubsample) {
    m_loadStop.request_stop();
    m_loadStop = std::stop_source();
    const int number = ++m_number;
    m_opening = std::move(scans);
    m_runsSubsample = m_showsSubsample = false;
    m_next.reset();
    setBusy(true);
    m_runner.dropCandidate();
    emit logged(what);
    m_pool.start([this, what, report, number, load = std::move(load),
                  loadSubsample = std::move(loadSubsample), stop = m_loadStop.get_token()] {
        const ProgressFunction progress =
            m_pool.progress([this, what](double done) { emit progressed(what, done); });
        for (std::size_t points = loadSubsample ? kFirstLook : 0, shown = 0; points > 0;) {
            LoadedScanPtr part; // a failure is reported by the whole, which meets it, too
            m_pool.guarded(nullptr, [&] { part = loadSubsample(points, progress, stop); }, {});
            if (!part || part->scan->cloud->size() <= shown) // a reader may have no more in parts
                break;
            m_pool.post([this, number, part] { onLoaded(number, part); });
            shown = part->scan->cloud->size();
            points = pointsOfNextLook(shown, part->scan->cloud->subsampledFrom, part->scan->readMs);
        }
        std::function<void(const Failure&)> tell;
        if (report == Report::failed)
            tell = [this](const Failure& failure) { emit failed(failure.sentence, failure.nextStep); };
        LoadedScanPtr loaded;
        m_pool.guarded(
            std::move(tell), [&] { loaded = std::make_shared<const LoadedScan>(load(progress, stop)); },
            tr("Close other scans and programs, or cut the scan into parts."));
        m_pool.post([this, number, loaded] { onLoaded(number, loaded); });
    });
    return number;
}

void ScanLoader::runNext(const LoadedScanPtr& scan) {
    if (m_runsSubsample && (!m_showsSubsample || scan->isSubsample())) { // is about to be shown
        m_next = scan;
        return;
    }
    m_runsSubsample = scan->isSubsample();
    if (!m_showsSubsample)
        return m_runner.runCandidate(scan);
    LoadedScan more = *scan; // what was changed meanwhile stays, and so does the camera
    more.opening.as = Opening::As::rest;
    m_runner.runCandidate(std::make_shared<const LoadedScan>(std::move(more)));
}

void ScanLoader::endReading() {
    ++m_number;
    m_runsSubsample = false;
    m_next.reset();
    m_opening.reset();
    m_runner.dropCandidate();
    if (m_showsSubsample)
        m_runner.setRecipe(m_runner.recipe()); // it stays: its refinements were left out
    else
        m_runner.resume();
    setBusy(false);
}

void ScanLoader::onLoaded(int number, const LoadedScanPtr& loaded) {
    if (number != m_number)
        return; // superseded by a newer opening, or cancelled
    if (loaded)
        return runNext(loaded);
    endReading();
    emit openingEnded(number, OpeningEnd::unreadable);
}

void ScanLoader::onCandidateEnded(bool shown) {
    if (std::exchange(m_runsSubsample, false)) {
        if (shown && !std::exchange(m_showsSubsample, true))
            emit firstLookShown();
        if (const LoadedScanPtr next = std::exchange(m_next, nullptr))
            runNext(next);
        return; // the rest is still being read
    }
    if (shown)
        readAhead(m_opening);
    m_opening.reset();
    setBusy(false);
    emit openingEnded(m_number, shown ? OpeningEnd::shown : OpeningEnd::notRun);
}

void ScanLoader::cancel() {
    if (!m_busy)
        return;
    m_loadStop.request_stop();
    const int number = m_number;
    endReading();
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
