#include "gui/jobs/scan_session.h"

#include "engine/cloud/synthetic_cloud.h"
#include "engine/io/scan_reader.h"
#include "kernels/core/thread_priority.h"

#include <QPointer>
#include <atomic>
#include <chrono>

namespace scanloupe::gui {

namespace {

/// Runs longer than this are shown as a preview first.
constexpr std::chrono::milliseconds kBudget{150};

/// A recipe for another scan: what is tied to the old one's place and scale is chosen anew.
Recipe withoutPlace(Recipe recipe) {
    recipe.rangeMin = recipe.rangeMax = recipe.voxelSize = std::nullopt;
    recipe.field = std::nullopt;
    recipe.radius = recipe.iso = std::nullopt;
    recipe.camera = std::nullopt;
    if (recipe.colourBy != "none" && recipe.colourBy != "count")
        recipe.colourBy = Recipe{}.colourBy;
    return recipe;
}

} // namespace

ScanSession::ScanSession(Backend wanted, QObject* parent)
    : QObject(parent), m_backend(chooseBackend(wanted)), m_requests(kBudget) {
    qRegisterMetaType<SnapshotPtr>();
    m_pool.setMaxThreadCount(4); // one pipeline, one load and its predecessor that winds down, one export
    lowerWorkerPriority();
    start([this] { work(); });
}

ScanSession::~ScanSession() {
    m_loadStop.request_stop();
    m_exportStop.request_stop();
    m_requests.close();
    m_pool.waitForDone();
}

void ScanSession::start(std::function<void()> job) {
    m_pool.start([job = std::move(job)] {
        lowerThreadPriority();
        job();
    });
}

void ScanSession::post(std::function<void()> action) {
    QMetaObject::invokeMethod(this, std::move(action), Qt::QueuedConnection);
}

void ScanSession::setFlag(bool& flag, bool value) {
    const bool before = isBusy();
    flag = value;
    if (isBusy() != before)
        emit busyChanged(isBusy());
}

ProgressFunction ScanSession::progressFor(const QString& what) {
    auto last = std::make_shared<std::atomic<std::int64_t>>(0);
    return [this, what, last](double done) {
        const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
                             std::chrono::steady_clock::now().time_since_epoch())
                             .count();
        std::int64_t before = last->load();
        if (now - before < 30 || !last->compare_exchange_strong(before, now))
            return;
        post([this, what, done] { emit progressed(what, done); });
    };
}

bool ScanSession::guarded(Failure failure, const std::function<void()>& action) {
    QString sentence, nextStep;
    try {
        action();
        return true;
    } catch (const Cancelled&) {
        return false;
    } catch (const Error& error) {
        sentence = QString::fromStdString(error.what());
        nextStep = QString::fromStdString(error.nextStep());
    } catch (const std::bad_alloc&) {
        sentence = tr("There is not enough memory for this.");
        nextStep = tr("Take a larger voxel size or a smaller range.");
    } catch (const std::exception& error) {
        sentence = tr("Something went wrong: %1").arg(QString::fromUtf8(error.what()));
        nextStep = tr("Report this as a fault, with the log.");
    }
    post([this, failure, sentence, nextStep] { emit(this->*failure)(sentence, nextStep); });
    return false;
}

void ScanSession::open(const std::filesystem::path& path) {
    const QString name = QString::fromStdString(path.filename().string());
    load(tr("Reading %1").arg(name),
         [path, name](const ProgressFunction& progress, const std::stop_token& stop) {
             Input input;
             input.name = name;
             ReadOptions options;
             options.progress = progress;
             const WallTimer timer;
             if (isVolumeFile(path))
                 input.volume = std::make_shared<const Volume>(readVolume(path, options, stop));
             else
                 input.cloud = readScan(path, options, stop);
             input.readMs = timer.elapsedMs();
             return input;
         });
}

void ScanSession::openSample(const synth::ScanParams& params) {
    load(tr("Generating a scan"), [params](const ProgressFunction& progress, const std::stop_token& stop) {
        Input input;
        input.name = tr("sample scan");
        const WallTimer timer;
        input.cloud = std::make_shared<const PointCloud>(syntheticCloud(params, false, progress, stop));
        input.readMs = timer.elapsedMs();
        return input;
    });
}

void ScanSession::load(const QString& what, Load load) {
    m_loadStop.request_stop();
    m_loadStop = std::stop_source();
    if (m_candidate)
        m_requests.cancel();
    m_candidate = nullptr;
    const int number = ++m_loads;
    setFlag(m_loading, true);
    emit logged(what);
    start([this, what, number, load = std::move(load), stop = m_loadStop.get_token()] {
        std::shared_ptr<const Input> input;
        guarded(&ScanSession::failed,
                [&] { input = std::make_shared<const Input>(load(progressFor(what), stop)); });
        post([this, number, input] {
            if (number != m_loads)
                return; // a newer load has begun
            if (!input) {
                setFlag(m_loading, false);
                return;
            }
            m_candidate = input;
            m_requests.submit({withoutPlace(m_recipe), input, true});
        });
    });
}

void ScanSession::setRecipe(const Recipe& recipe) {
    m_recipe = recipe;
    submit();
}

void ScanSession::submit() {
    if (!m_input || m_candidate) // what is about to take the scan's place goes first
        return;
    setFlag(m_running, true);
    m_requests.submit({m_recipe, m_input, false});
}

void ScanSession::cancel() {
    m_loadStop.request_stop();
    m_exportStop.request_stop();
    m_requests.cancel();
    m_candidate = nullptr;
    setFlag(m_running, false);
    setFlag(m_loading, false);
}

void ScanSession::work() {
    std::unique_ptr<Pipeline> pipeline;
    if (!guarded(&ScanSession::runFailed, [&] { pipeline = std::make_unique<Pipeline>(m_backend); }))
        return;
    std::shared_ptr<const Input> current;
    while (auto work = m_requests.next()) {
        if (work->request.input != current) {
            current = work->request.input;
            if (current->cloud)
                pipeline->setInput(current->cloud, current->readMs);
            else
                pipeline->setInput(current->volume, current->readMs);
        }
        runOne(*pipeline, *work);
    }
}

void ScanSession::runOne(Pipeline& pipeline, const LatestWins<Request>::Work& work) {
    SnapshotPtr result;
    RunOptions options;
    options.preview = work.preview;
    options.progress = progressFor(tr("Computing"));
    const WallTimer timer;
    const bool whole = guarded(work.request.first ? &ScanSession::failed : &ScanSession::runFailed, [&] {
        result = std::make_shared<const Snapshot>(pipeline.run(work.request.recipe, options, work.stop));
    });
    if (whole && !result->preview)
        m_requests.wholeTook(std::chrono::milliseconds(std::int64_t(timer.elapsedMs())));
    post([this, result, request = work.request, cancelled = work.stop.stop_requested()] {
        if (request.first && request.input == m_candidate)
            takeFirst(request, result);
        if (request.input != m_input)
            return; // another scan has been opened
        const bool refines = result && result->preview;
        if (!refines && !cancelled)
            setFlag(m_running, result && result->recipe != m_recipe);
        if (result)
            take(result);
    });
}

void ScanSession::takeFirst(const Request& request, const SnapshotPtr& result) {
    m_candidate = nullptr;
    if (result) {
        m_input = request.input;
        m_recipe = request.recipe;
        setFlag(m_running, true); // until the whole result is there
        emit opened(m_input->name);
    } else if (m_snapshot && (m_snapshot->preview || m_snapshot->recipe != m_recipe)) {
        submit(); // what the candidate had pushed aside
    } else {
        setFlag(m_running, false);
    }
    setFlag(m_loading, false);
}

void ScanSession::take(const SnapshotPtr& result) {
    m_snapshot = result;
    emit snapshotReady(result);
}

void ScanSession::exportFile(const QString& what, Export write) {
    if (!m_snapshot)
        return;
    m_exportStop = std::stop_source();
    setFlag(m_exporting, true);
    m_pool.start(
        [this, what, write = std::move(write), snapshot = m_snapshot, stop = m_exportStop.get_token()] {
            const bool written =
                guarded(&ScanSession::failed, [&] { write(*snapshot, progressFor(what), stop); });
            post([this, what, written] {
                setFlag(m_exporting, false);
                if (written)
                    emit exported(what);
            });
        });
}

} // namespace scanloupe::gui
