#pragma once
// Declares the panel that aligns scans.
#include "engine/align/align_scans.h"
#include "engine/align/scan_aligner.h"
#include "engine/reference/length_unit.h"
#include "gui/controls/save_file.h"
#include "gui/jobs/playlist.h"

#include <QWidget>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace scanloupe::gui {

class AlignModel;
class AlignSession;
class NumberBox;

/// Aligns the scans that are opened together: parameters, a table of the poses, and all scans as one cloud in
/// the views.
class AlignPanel : public QWidget {
    Q_OBJECT
public:
    AlignPanel(Playlist& playlist, SavePathPrompt promptPath = promptSavePath, QWidget* parent = nullptr);
    ~AlignPanel() override;

    AlignSession& session() { return *m_session; }
    AlignModel& model() { return *m_model; }
    /// Parameters that are set in the controls.
    AlignParams params() const;
    /// The unit of the scans' coordinates.
    void setUnit(LengthUnit unit);
    /// Whether results of the scans that are shown may be written: asks where they are shown together and
    /// their poses are doubtful or wrong.
    bool mayExport();

public slots:
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
    void posesKept(); ///< a file has the poses at which scans are shown
    void logged(const QString& line);

private:
    QWidget* makeControls();
    QPushButton* addButton(const char* name, const QString& text, const QString& tip,
                           void (AlignPanel::*slot)());
    void onPlaylistReplaced();
    void finish();
    void showState();
    /// The poses of the scans, or of the visible ones alone, that are not right: a line each.
    QStringList doubts(bool ofVisible) const;
    std::vector<AlignedScanPtr> tableResults() const;
    /// Asks whether to write although there are doubts. @param consequence what is written then
    bool confirms(const QStringList& doubts, const QString& consequence);
    /// Shows the verdict on the selected scan, else on the first whose pose is not right.
    void showVerdict();

    Playlist& m_playlist;
    SavePathPrompt m_promptSavePath;
    AlignSession* m_session;
    AlignModel* m_model;
    QTableView* m_table;
    QComboBox *m_to, *m_neighbours;
    NumberBox *m_resolution, *m_search, *m_maxIterations;
    QPushButton *m_align, *m_together, *m_load, *m_save;
    QCheckBox* m_aligned; ///< scans that are shown together are at the poses that were found
    QLabel *m_state, *m_verdict;
    LengthUnit m_unit = LengthUnit::metre;
    std::vector<AlignedScanPtr> m_judged; ///< results of the poses that are shown; the table may be cleared
    Playlist::Poses m_poses;              ///< that were found or read; empty: none yet
    std::vector<int> m_rows;              ///< rows of the scans that are being, or were, aligned
};

} // namespace scanloupe::gui
