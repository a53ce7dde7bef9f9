// A/B in the window: a second run of the scan beside its own.
#include "engine/compute/memory.h"
#include "gui/app/main_window.h"
#include "gui/app/view_area.h"
#include "gui/controls/message_bar.h"
#include "gui/jobs/compare_session.h"
#include "gui/jobs/failure.h"
#include "gui/jobs/forecast_session.h"
#include "gui/models/comparison.h"
#include "gui/models/number_text.h"
#include "gui/panels/compare_bar.h"
#include "gui/panels/log_panel.h"
#include "gui/panels/parameters/parameter_panel.h"
#include "gui/views/raster_view.h"

#include <QAction>
#include <QMenu>

namespace scanloupe::gui {

namespace {

QString nameOf(const BackendChoice& choice) {
    return QString::fromLatin1(nameOf(choice.backend)).toUpper();
}

} // namespace

void MainWindow::buildCompareActions(QMenu* view) {
    QMenu* menu = view->addMenu(tr("Compare A/&B"));
    m_compareActions = {
        addTool(menu, nullptr, tr("&Keep This as A"), tr("Ctrl+B"), [this] { keepAsA(); }),
        addTool(menu, nullptr, tr("The Other &Backend as A"), {}, [this] { compareBackends(); }),
        addTool(menu, nullptr, tr("&Swap A and B"), tr("Ctrl+Shift+B"), [this] { swapComparison(); }),
        addTool(menu, nullptr, tr("&Take A Back"), {}, [this] { takeA(); }),
        addTool(menu, nullptr, tr("&End the Comparison"), {}, [this] { m_compare->end(); })};
}

void MainWindow::connectCompare() {
    m_compare = new CompareSession(this);
    m_compare->setTrustedCode(m_edit->trustedCode());
    connect(m_compare, &CompareSession::runChanged, this, [this](const SnapshotPtr& a) {
        if (a)
            m_resultTimes.add(*a);
        m_views->rasterView().setCompared(a);
    });
    connect(m_compare, &CompareSession::changed, this, &MainWindow::showComparison);
    connect(m_compare, &CompareSession::failed, m_messages, &MessageBar::showError);
    connect(m_compareBar, &CompareBar::swapRequested, this, &MainWindow::swapComparison);
    connect(m_compareBar, &CompareBar::takeRequested, this, &MainWindow::takeA);
    connect(m_compareBar, &CompareBar::endRequested, m_compare, &CompareSession::end);
    showComparison();
}

void MainWindow::showComparison() {
    const bool active = m_compare->isActive(), recipes = active && !m_compare->isOfBackends();
    m_compareActions[0]->setEnabled(m_snapshot != nullptr);
    m_compareActions[1]->setEnabled(m_snapshot != nullptr);
    m_compareActions[2]->setEnabled(recipes);
    m_compareActions[3]->setEnabled(recipes);
    m_compareActions[4]->setEnabled(active);
    m_compareBar->setVisible(active);
    if (!active)
        return;
    Comparison comparison;
    const auto figures = [this](const SnapshotPtr& of) {
        return of ? std::optional(figuresOf(*of, m_resultTimes.of(*of))) : std::nullopt;
    };
    comparison.a = figures(m_compare->a());
    if (comparison.a && m_compare->isOfKept())
        comparison.a->ms = m_keptMs;
    comparison.b = figures(m_compare->b());
    comparison.difference = m_compare->difference();
    if (!recipes) {
        comparison.backendA = nameOf(m_compare->backend());
        comparison.backendB = nameOf(m_jobs.runner().backend());
    } else if (m_compare->a() && m_compare->b()) {
        comparison.changes = changesBetween(*m_compare->a(), *m_compare->b(), m_reference.unit);
    }
    m_compareBar->setComparison(comparison, !recipes);
}

bool MainWindow::fitsSecondRun() {
    if (!isWhole())
        return false;
    const ForecastAnswer* answer = m_forecasts->answerTo(withPictureSize(m_parameters->recipe()));
    const bool isKnown = answer && answer->forecast;
    const QString refusal = isKnown && !m_compare->isActive()
                                ? refusalOfSecondRun(*answer->forecast, availableHostMemory())
                                : QString();
    if (!refusal.isEmpty())
        m_messages->showError(refusal, tr("Take a larger voxel size or a smaller range first."));
    else if (isKnown)
        m_log->append(tr("A keeps results of its own: up to %1 of memory, until the comparison ends.")
                          .arg(bytesText(std::uint64_t(answer->forecast->hostBytes.high))));
    return refusal.isEmpty();
}

void MainWindow::keepResults() {
    m_keptMs = m_resultTimes.of(*m_snapshot);
    m_compare->keep(m_snapshot, m_jobs.runner().backend());
}

void MainWindow::keepAsA() {
    if (!fitsSecondRun())
        return;
    keepResults();
    m_views->choose(&m_views->rasterView()); // which shows both
}

void MainWindow::compareBackends() {
    if (isWhole())
        compareWithOneOf(otherBackends(m_jobs.runner().backend().backend), {});
}

void MainWindow::compareWithOneOf(std::vector<Backend> backends, QStringList reasons) {
    if (backends.empty())
        return m_messages->showError(
            tr("There is no other backend to compare with. %1").arg(reasons.join(QLatin1Char(' '))), {});
    const Backend other = backends.front();
    backends.erase(backends.begin());
    if (loadsSycl(other))
        m_messages->showNote(tr("SYCL and its devices are being tested. The comparison follows."));
    const auto failed = [=, this](const Failure& failure) {
        compareWithOneOf(backends, QStringList(reasons) << failure.sentence);
    };
    m_backends.find(
        other,
        [=, this, scan = std::pair(m_replaced, placeOfWork())](const BackendChoice&) {
            if (scan != std::pair(m_replaced, placeOfWork()) || !fitsSecondRun())
                return; // another scan was opened meanwhile, or the results need more memory
            try {
                m_compare->runOn(other, m_snapshot);
                m_views->choose(&m_views->rasterView());
            } catch (...) {
                failed(failureOf(std::current_exception(), {}));
            }
        },
        failed);
}

void MainWindow::swapComparison() {
    if (!isWhole())
        return;
    const Recipe recipe = m_compare->recipe();
    keepResults();
    m_parameters->setRecipe(recipe);
    changeRecipe(recipe);
}

void MainWindow::takeA() {
    const Recipe recipe = m_compare->recipe();
    m_parameters->setRecipe(recipe);
    changeRecipe(recipe);
}

} // namespace scanloupe::gui
