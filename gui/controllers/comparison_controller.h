#pragma once
// Declares the A/B comparison in the window: a second run of the scan next to the first.
#include "gui/controllers/window_context.h"
#include "gui/jobs/compare_runner.h"
#include "gui/models/result_times.h"

#include <QList>
#include <QStringList>
#include <optional>
#include <vector>

class QAction;
class QMenu;

namespace scanloupe::gui {

class CompareBar;
class RunController;

/// Keeps a run as A, or runs another backend as A, and shows how the results of the window, B, differ.
class ComparisonController : public Controller {
    Q_OBJECT
public:
    ComparisonController(const WindowContext& window, RunController& run, CompareBar& bar);

    /// Adds the submenu that compares two runs.
    void buildActions(QMenu* view);
    /// Must be called when the window changes its backend: ends a comparison of backends.
    void changeBackend();

private:
    /// Whether the results are complete and a second run fits into memory; otherwise shows the reason.
    bool fitsSecondRun();
    void keepAsA();
    void keepResults(); ///< keeps the last results as A
    void show(), compareBackends(), swap();
    /// Compares with the first available backend. @param reasons why earlier ones are unavailable
    void compareWithOneOf(std::vector<Backend> backends, QStringList reasons);
    /// The user restores the parameters of A: adds a step to the history.
    void takeA();

    RunController& m_run;
    CompareBar& m_bar;
    CompareRunner m_runner{this};
    QList<QAction*> m_actions; ///< in the order of the menu: keep, other backend, swap, restore, end
    ResultTimes m_times;       ///< times of the window's runs and of A
    /// Time of the run that was kept as A, measured in the window: A itself ran in the background.
    std::optional<double> m_keptMs;
};

} // namespace scanloupe::gui
