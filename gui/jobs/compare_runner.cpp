// Runs A in addition to the window's run, and compares both when no run is active.
#include "gui/jobs/compare_runner.h"

#include "engine/compute/backend.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"

namespace scanloupe::gui {

namespace {

constexpr int kRestMs = 200; ///< pause after the last results of B: while a slider moves, only B runs

/// Whether two recipes have the same results, apart from the camera.
bool choosesTheSame(Recipe a, const Recipe& b) {
    a.camera = b.camera;
    a.imageWidth = b.imageWidth;
    a.imageHeight = b.imageHeight;
    return a == b;
}

} // namespace

std::vector<Backend> otherBackends(Backend of) {
    std::vector<Backend> others{Backend::cpu, Backend::cuda, Backend::sycl};
    std::erase(others, of);
    return others;
}

CompareRunner::CompareRunner(QObject* parent)
    : QObject(parent), m_comparer(
                           [this](const Compared& compared) {
                               if (compared.a != m_a || compared.b != m_b)
                                   return; // the results have been replaced
                               m_difference = compared.difference;
                               emit changed();
                           },
                           // errors concern the window's device or memory: its next run reports them
                           [](const std::exception_ptr&) {}) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &CompareRunner::onRest);
}

CompareRunner::~CompareRunner() = default;

void CompareRunner::keep(const SnapshotPtr& of, const BackendChoice& backend) {
    const std::string device = deviceOf(backend).id;
    if (!m_runner || m_ofBackends || deviceOf(m_runner->backend()).id != device) {
        BackendRequest request(backend.backend);
        request.device = device;
        start(request);
    }
    m_ofBackends = false;
    m_isOfKept = true;
    m_recipe = of->recipe;
    if (isOfInput(*of)) { // run A has loaded this scan already: only its recipe changes
        submit();
    } else {
        m_b = of;
        runInput();
    }
    setA(of);
    setSnapshot(of);
}

void CompareRunner::runOn(Backend backend, const SnapshotPtr& b) {
    start(backend);
    m_ofBackends = true;
    m_isOfKept = false;
    m_recipe = b->recipe;
    m_b = b;
    runInput();
    emit changed();
}

void CompareRunner::start(const BackendRequest& backend) {
    auto runner = std::make_unique<PipelineRunner>(backend); // keeps the old runner if this throws
    end();
    m_runner = std::move(runner);
    m_runner->setTrustedCode(m_trusted);
    const auto take = [this](const SnapshotPtr& a) {
        if (!a->preview && isOfInput(*a) && choosesTheSame(a->recipe, m_recipe))
            setA(a);
    };
    const auto fail = [this](const QString& sentence, const QString& nextStep) {
        // deferred: the runner is the sender
        QMetaObject::invokeMethod(
            this,
            [this, sentence, nextStep] {
                if (!m_runner)
                    return; // the comparison has ended meanwhile
                end();
                emit failed(sentence, nextStep);
            },
            Qt::QueuedConnection);
    };
    connect(m_runner.get(), &PipelineRunner::snapshotReady, this, take);
    connect(m_runner.get(), &PipelineRunner::refined, this, take);
    connect(m_runner.get(), &PipelineRunner::runFailed, this, fail);
    connect(m_runner.get(), &PipelineRunner::firstRunFailed, this, fail);
}

void CompareRunner::end() {
    if (!m_runner)
        return;
    m_rest.stop();
    m_runner.reset();
    m_cloud.reset();
    m_volume.reset();
    m_a.reset();
    m_b.reset();
    m_difference.reset();
    emit runChanged(nullptr);
    emit changed();
}

bool CompareRunner::isOfInput(const Snapshot& snapshot) const {
    return (m_cloud || m_volume) && snapshot.input == m_cloud && snapshot.volume == m_volume;
}

void CompareRunner::runInput() {
    m_cloud = m_b->input;
    m_volume = m_b->volume;
    auto input = std::make_shared<ScanInput>();
    input->cloud = m_cloud;
    input->volume = m_volume;
    auto scan = std::make_shared<LoadedScan>();
    scan->scan = std::move(input);
    scan->opening.as = Opening::As::frame; // runs with the recipe that follows
    submit();
    m_runner->runCandidate(scan);
}

void CompareRunner::submit() {
    Recipe recipe = m_recipe;
    if (m_camera)
        recipe.camera = m_camera;
    if (!m_size.isEmpty()) {
        recipe.imageWidth = std::uint32_t(m_size.width());
        recipe.imageHeight = std::uint32_t(m_size.height());
    }
    m_runner->setRecipe(recipe);
}

void CompareRunner::setView(const Camera& camera, QSize devicePixels) {
    if (m_camera == camera && m_size == devicePixels)
        return;
    m_camera = camera;
    m_size = devicePixels;
    if (m_runner)
        submit();
}

void CompareRunner::setA(const SnapshotPtr& a) {
    if (m_a == a)
        return;
    m_a = a;
    m_difference.reset();
    emit runChanged(m_a);
    emit changed();
    if (m_a && m_b)
        m_rest.start();
}

void CompareRunner::setSnapshot(const SnapshotPtr& b) {
    if (!m_runner || b->preview || m_b == b)
        return;
    m_b = b;
    m_difference.reset();
    emit changed();
    m_rest.start();
}

void CompareRunner::onRest() {
    if (!m_runner || !m_b)
        return;
    if (!isOfInput(*m_b)) { // the input has changed to the next frame, or to scans that are shown together
        m_isOfKept = false;
        return runInput();
    }
    if (m_ofBackends && !choosesTheSame(m_recipe, m_b->recipe)) {
        m_recipe = m_b->recipe;
        submit();
    }
    if (m_a && isOfInput(*m_a))
        m_comparer.run([a = m_a, b = m_b](const std::stop_token& stop) {
            return Compared{a, b, compareResults(*a, *b, stop)};
        });
}

} // namespace scanloupe::gui
