// Runs the scan a second time, and describes how the results differ.
#include "gui/controllers/comparison_controller.h"

#include "engine/compute/memory.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/controllers/run_controller.h"
#include "gui/jobs/failure.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/models/comparison.h"
#include "gui/panels/compare_bar.h"
#include "gui/text/number_text.h"
#include "gui/views/raster_view.h"
#include "gui/views/view_area.h"

#include <QAction>
#include <QMenu>
#include <functional>
#include <utility>

namespace scanloupe::gui {

namespace {

QString nameOf(const BackendChoice& choice) {
    return QString::fromLatin1(nameOf(choice.backend)).toUpper();
}

} // namespace

ComparisonController::ComparisonController(const WindowContext& window, RunController& run, CompareBar& bar)
    : Controller(window), m_run(run), m_bar(bar) {
    m_runner.setTrustedCode(window.jobs.runner().trustedCode());
    connect(&m_work, &Work::scanOpened, &m_runner, &CompareRunner::end);
    connect(&m_work, &Work::resultsChanged, this, [this](const SnapshotPtr& results) {
        m_times.add(*results);
        m_runner.setSnapshot(results);
        show();
    });
    connect(&m_work, &Work::resultsRefined, &m_runner, &CompareRunner::setSnapshot);
    connect(&m_work, &Work::unitChanged, this, &ComparisonController::show);
    connect(&window.views, &ViewArea::pictureWanted, &m_runner, &CompareRunner::setView);
    connect(&m_runner, &CompareRunner::runChanged, this, [this](const SnapshotPtr& a) {
        if (a)
            m_times.add(*a);
        m_window.views.rasterView().setCompared(a);
    });
    connect(&m_runner, &CompareRunner::changed, this, &ComparisonController::show);
    connect(&m_runner, &CompareRunner::failed, &window.messages, &MessageBar::showError);
    connect(&bar, &CompareBar::swapRequested, this, &ComparisonController::swap);
    connect(&bar, &CompareBar::takeRequested, this, &ComparisonController::takeA);
    connect(&bar, &CompareBar::endRequested, &m_runner, &CompareRunner::end);
}

void ComparisonController::buildActions(QMenu* view) {
    QMenu* menu = view->addMenu(tr("Compare &A/B"));
    const auto add = [&](const QString& text, const QKeySequence& keys, std::function<void()> action) {
        m_actions << m_window.addTool(menu, nullptr, text, keys, std::move(action));
    };
    add(tr("&Keep Current Result as A"), tr("Ctrl+B"), [this] { keepAsA(); });
    add(tr("Compare with Other &Backend"), {}, [this] { compareBackends(); });
    add(tr("&Swap A and B"), tr("Ctrl+Shift+B"), [this] { swap(); });
    add(tr("&Restore A"), {}, [this] { takeA(); });
    add(tr("&End Comparison"), {}, [this] { m_runner.end(); });
    show();
}

void ComparisonController::changeBackend() {
    if (m_runner.isOfBackends())
        m_runner.end();
}

void ComparisonController::show() {
    const bool active = m_runner.isActive(), recipes = active && !m_runner.isOfBackends();
    m_actions[0]->setEnabled(m_work.results() != nullptr);
    m_actions[1]->setEnabled(m_work.results() != nullptr);
    m_actions[2]->setEnabled(recipes);
    m_actions[3]->setEnabled(recipes);
    m_actions[4]->setEnabled(active);
    m_bar.setVisible(active);
    if (!active)
        return;
    Comparison comparison;
    const auto figures = [this](const SnapshotPtr& of) {
        return of ? std::optional(figuresOf(*of, m_times.of(*of))) : std::nullopt;
    };
    comparison.a = figures(m_runner.a());
    if (comparison.a && m_runner.isOfKept())
        comparison.a->ms = m_keptMs;
    comparison.b = figures(m_runner.b());
    comparison.difference = m_runner.difference();
    if (!recipes) {
        comparison.backendA = nameOf(m_runner.backend());
        comparison.backendB = nameOf(m_window.jobs.runner().backend());
    } else if (m_runner.a() && m_runner.b()) {
        comparison.changes = changesBetween(*m_runner.a(), *m_runner.b(), m_work.unit());
    }
    m_bar.setComparison(comparison, !recipes);
}

bool ComparisonController::fitsSecondRun() {
    if (!m_run.isWhole())
        return false;
    const ForecastAnswer* answer = m_run.forecasts().answerTo(m_run.withPictureSize(m_work.recipe()));
    const bool isKnown = answer && answer->forecast;
    const QString refusal = isKnown && !m_runner.isActive()
                                ? refusalOfSecondRun(*answer->forecast, availableHostMemory())
                                : QString();
    if (!refusal.isEmpty())
        m_window.messages.showError(refusal, tr("Use a larger voxel size or a smaller range."));
    else if (isKnown)
        m_window.log.append(tr("The results of A use up to %1 of memory until the comparison ends.")
                                .arg(bytesText(std::uint64_t(answer->forecast->hostBytes.high))));
    return refusal.isEmpty();
}

void ComparisonController::keepResults() {
    m_keptMs = m_times.of(*m_work.results());
    m_runner.keep(m_work.results(), m_window.jobs.runner().backend());
}

void ComparisonController::keepAsA() {
    if (!fitsSecondRun())
        return;
    keepResults();
    m_window.views.choose(&m_window.views.rasterView()); // the only view that shows A and B together
}

void ComparisonController::compareBackends() {
    if (m_run.isWhole())
        compareWithOneOf(otherBackends(m_window.jobs.runner().backend().backend), {});
}

void ComparisonController::compareWithOneOf(std::vector<Backend> backends, QStringList reasons) {
    if (backends.empty())
        return m_window.messages.showError(
            tr("There is no other backend to compare with. %1").arg(reasons.join(QLatin1Char(' '))), {});
    const Backend other = backends.front();
    backends.erase(backends.begin());
    if (loadsSycl(other))
        m_window.messages.showNote(tr("Testing the SYCL devices. The comparison starts afterwards."));
    const auto failed = [=, this](const Failure& failure) {
        compareWithOneOf(backends, QStringList(reasons) << failure.sentence);
    };
    m_window.jobs.backends().find(
        other,
        [=, this, scan = m_work.scan()](const BackendChoice&) {
            if (scan != m_work.scan() || !fitsSecondRun())
                return; // another scan was opened meanwhile, or the results need more memory
            try {
                m_runner.runOn(other, m_work.results());
                m_window.views.choose(&m_window.views.rasterView());
            } catch (...) {
                failed(failureOf(std::current_exception(), {}));
            }
        },
        failed);
}

void ComparisonController::swap() {
    if (!m_run.isWhole())
        return;
    const Recipe recipe = m_runner.recipe();
    keepResults();
    m_work.changeRecipe(recipe);
}

void ComparisonController::takeA() {
    m_work.changeRecipe(m_runner.recipe());
}

} // namespace scanloupe::gui
