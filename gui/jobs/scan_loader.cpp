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
}

ScanLoader::ScanLoader(PipelineRunner& runner, QObject* parent)
    : QObject(parent), m_runner(runner), m_pool(*this, kThreads) {
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
    load(tr("Reading %1").arg(name), Report::failed, nullptr,
         [path, name](const ProgressFunction& progress, const std::stop_token& stop) {
             const ReadOptions options{.progress = progress};
             return LoadedScan{std::make_shared<const ScanInput>(readInput(path, options, stop)), name};
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
                [=](const ProgressFunction& progress, const std::stop_token& stop) {
                    const ReadOptions options{.progress = progress};
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

int ScanLoader::load(const QString& what, Report report, std::shared_ptr<ScanCache> scans, Load load) {
    m_loadStop.request_stop();
    m_loadStop = std::stop_source();
    const int number = ++m_number;
    m_opening = std::move(scans);
    setBusy(true);
    m_runner.dropCandidate();
    emit logged(what);
    m_pool.start([this, what, report, number, load = std::move(load), stop = m_loadStop.get_token()] {
        std::function<void(const Failure&)> tell;
        if (report == Report::failed)
            tell = [this](const Failure& failure) { emit failed(failure.sentence, failure.nextStep); };
        const ProgressFunction progress =
            m_pool.progress([this, what](double done) { emit progressed(what, done); });
        LoadedScanPtr loaded;
        m_pool.guarded(
            std::move(tell), [&] { loaded = std::make_shared<const LoadedScan>(load(progress, stop)); },
            tr("Close other scans and programs, or cut the scan into parts."));
        m_pool.post([this, number, loaded] { onLoaded(number, loaded); });
    });
    return number;
}

void ScanLoader::onLoaded(int number, const LoadedScanPtr& loaded) {
    if (number != m_number)
        return; // superseded by a newer opening, or cancelled
    if (loaded)
        return m_runner.runCandidate(loaded);
    m_opening.reset();
    setBusy(false);
    m_runner.resume();
    emit openingEnded(number, OpeningEnd::unreadable);
}

void ScanLoader::onCandidateEnded(bool shown) {
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
    const int number = m_number++;
    m_opening.reset();
    m_runner.dropCandidate();
    m_runner.resume();
    setBusy(false);
    emit openingEnded(number, OpeningEnd::cancelled);
}

void ScanLoader::readAhead(const std::shared_ptr<ScanCache>& scans) {
    if (scans == m_ahead)
        return;
    m_aheadStop.request_stop();
    m_aheadStop = std::stop_source();
    m_ahead = scans;
    if (scans)
        m_pool.start([this, scans, stop = m_aheadStop.get_token()] {
            m_pool.guarded(nullptr, [&] { scans->readAhead(stop); }, {});
        });
}

} // namespace scanloupe::gui
