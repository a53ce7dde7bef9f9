#pragma once
// Declares the panel of timings.
#include "engine/graph/timings.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/controls/pace.h"
#include "gui/controls/save_file.h"

#include <QWidget>
#include <vector>

class QLabel;
class QPushButton;

namespace scanloupe::gui {

class PropertyModel;
class RunHistoryModel;
class StageBars;
class StageTimingModel;

/// Shows the last run by stage, the last 200 runs, and counts; saves the history.
class TimingsPanel : public QWidget {
    Q_OBJECT
public:
    explicit TimingsPanel(SavePathPrompt promptPath = promptSavePath, QWidget* parent = nullptr);

    /// Shows a run and adds it to the history. Null: no run.
    void setSnapshot(const SnapshotPtr& snapshot);
    /// Adds the stages that followed the last run: quality metrics of its mesh, and samples of its picture.
    void amendRun(const SnapshotPtr& snapshot);
    /// The model of the history, after adding pending runs.
    RunHistoryModel* history();
    StageTimingModel* stages();
    PropertyModel* counts();

public slots:
    void saveCsv();
    void saveJson();

signals:
    void saved(const QString& path);
    void failed(const QString& sentence, const QString& nextStep);

private:
    struct Run {
        RunTimings timings;
        bool isPart = false;
    };
    void showRun(const Run& run);
    /// Shows the pending runs.
    void showWaiting();
    void showSavable();
    QPushButton* addButton(const QString& text, const QString& tip);
    void save(const QString& suggested, const QString& filter, std::string (*text)(const RunHistoryModel&));

    SavePathPrompt m_promptSavePath;
    SnapshotPtr m_snapshot;
    RunHistoryModel* m_history;
    StageTimingModel* m_stages;
    PropertyModel* m_counts;
    StageBars* m_bars;
    QLabel* m_summary;
    QPushButton* m_csv;
    QPushButton* m_json;
    std::vector<Run> m_waiting; ///< runs that are not shown yet
    Pace m_pace;
};

} // namespace scanloupe::gui
