#pragma once
// Declares the panel that aligns scans.
#include "engine/align/align_scans.h"
#include "engine/align/scan_aligner.h"
#include "engine/cloud/reference/length_unit.h"
#include "gui/controls/save_file.h"
#include "gui/jobs/align_runner.h"
#include "gui/jobs/playlist.h"
#include "gui/views/surface/scene_marks.h"

#include <QWidget>
#include <vector>

class QCheckBox;
class QLabel;
class QPushButton;
class QTableView;

namespace scanloupe::gui {

class AlignForm;
class AlignModel;

/// Aligns the scans that are opened together: parameters, a table of the poses, and all scans as one cloud in
/// the views.
class AlignPanel : public QWidget {
    Q_OBJECT
public:
    AlignPanel(Playlist& playlist, SavePathPrompt promptPath = promptSavePath, QWidget* parent = nullptr);
    ~AlignPanel() override;

    AlignRunner& runner() { return *m_runner; }
    AlignModel& model() { return *m_model; }
    AlignForm& form() { return *m_form; }
    /// Sets the unit of the scans' coordinates.
    void setUnit(LengthUnit unit);
    /// Whether results of the displayed scans may be written: asks if they are shown together and some poses
    /// are doubtful or wrong.
    bool mayExport();
    /// The uncertainties of the verdict below the table, in the frame of the scans at their poses; none
    /// unless the views show them there, or while the panel is not in front.
    const std::vector<SceneMark>& marks() const { return m_marks; }

public slots:
    /// Must be called when the dock of the panel is shown, hidden or covered by another dock.
    void setInFront(bool isInFront);
    void align();
    void showTogether();
    void savePoses();
    /// Asks for a file of poses, and shows the scans at them.
    void choosePoses();
    /// Shows all scans together at the poses of a file, one for each, in the order of the table. @param path
    /// as rawText() returns it
    void loadPoses(const QString& path);

signals:
    void failed(const QString& sentence, const QString& nextStep);
    void saved(const QString& path);
    void posesKept(); ///< emitted when the displayed poses were saved
    void logged(const QString& line);
    void marksChanged();

private:
    QWidget* makeControls();
    QPushButton* addButton(const char* name, const QString& text, const QString& tip,
                           void (AlignPanel::*slot)());
    void onPlaylistReplaced();
    void finish();
    void showState();
    /// The scans, or only the visible scans, whose pose is not rated right: one line each.
    QStringList doubts(bool ofVisible) const;
    std::vector<AlignedScanPtr> tableResults() const;
    /// Asks the user to confirm writing despite doubts. @param consequence describes the poses that are
    /// written
    bool confirms(const QStringList& doubts, const QString& consequence);
    /// The selected scan, otherwise the first whose pose is not right; -1: none.
    int judgedRow() const;
    void showVerdict(); ///< shows the verdict on the scan of judgedRow()
    void showMarks();
    /// Whether the views show a scan at the pose in the table.
    bool isShownAtPose(int row) const;

    Playlist& m_playlist;
    SavePathPrompt m_promptSavePath;
    AlignRunner* m_runner;
    AlignModel* m_model;
    QTableView* m_table;
    AlignForm* m_form;
    QPushButton *m_align, *m_together, *m_load, *m_save;
    QCheckBox* m_aligned; ///< scans that are shown together are at the poses that were found
    QLabel *m_state, *m_verdict;
    LengthUnit m_unit = LengthUnit::metre;
    std::vector<AlignedScanPtr> m_judged; ///< results of the poses that are shown; the table may be cleared
    Playlist::Poses m_poses;              ///< poses that were found or read; empty: none yet
    std::vector<int> m_rows;              ///< rows of the scans that are being, or were, aligned
    std::vector<ScanSamplePtr> m_samples; ///< sample of each row; null where the pose is not in doubt
    bool m_isInFront = false;
    std::vector<SceneMark> m_marks;
};

} // namespace scanloupe::gui
