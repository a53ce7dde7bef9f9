#pragma once
// Declares the panel of timings.
#include "gui/base/snapshot_ptr.h"
#include "gui/controls/save_file.h"

#include <QWidget>

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
    /// Adds to the last run the stages that followed it: quality metrics of its mesh, and samples of its
    /// picture.
    void amendRun(const SnapshotPtr& snapshot);
    RunHistoryModel* history() const { return m_history; }
    StageTimingModel* stages() const { return m_stages; }
    PropertyModel* counts() const { return m_counts; }

public slots:
    void saveCsv();
    void saveJson();

signals:
    void saved(const QString& path);
    void failed(const QString& sentence, const QString& nextStep);

private:
    void showRun(const RunTimings& timings, bool preview);
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
};

} // namespace scanloupe::gui
