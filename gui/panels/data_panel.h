#pragma once
#include "gui/jobs/background_worker.h"
#include "gui/models/property_model.h"
#include "gui/views/scan_view.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QTableView;
class QVBoxLayout;

namespace scanloupe::gui {

class AttributeModel;
class Section;

/// What is loaded: the scan and its attributes, what was odd about it, what was chosen for it, and what was
/// picked.
class DataPanel : public QWidget {
    Q_OBJECT
public:
    explicit DataPanel(QWidget* parent = nullptr);

    /// Null: nothing is loaded. A picked point of another scan is let go.
    void setSnapshot(const SnapshotPtr& snapshot);
    /// The last mesh can't be measured.
    void showMeasureProblem(const QString& sentence, const QString& nextStep);
    /// Shows what lies under the cursor in `snapshot`, once a worker has fetched it: it may lie on the
    /// device.
    void showPick(const Hit& hit, const SnapshotPtr& snapshot);
    void clearPick();

    AttributeModel* attributes() const { return m_attributes; }
    PropertyModel* scan() const { return m_scan; }
    /// Figures of the mesh; greyed while they are those of the one before.
    PropertyModel* quality() const { return m_quality; }
    QTableView* qualityTable() const { return m_qualityTable; }
    PropertyModel* picked() const { return m_picked; }
    /// Warnings of the reader, then notes of the pipeline.
    QStringList sentences() const { return m_sentences; }

signals:
    /// What was picked can't be told.
    void failed(const QString& sentence, const QString& nextStep);

private:
    struct Picked {
        Properties properties;
        int number = 0;
    };
    void showQuality(bool sameScan);
    void showSentences(const Snapshot* snapshot);
    void showHint();

    SnapshotPtr m_snapshot;
    AttributeModel* m_attributes;
    PropertyModel* m_scan;
    PropertyModel* m_quality;
    PropertyModel* m_picked;
    QLabel* m_title;
    QTableView* m_scanTable;
    QTableView* m_qualityTable;
    QLabel* m_qualityNote;
    Section* m_qualitySection;
    std::shared_ptr<const MeshQuality> m_figures; ///< that are shown
    QTimer m_outdatedTimer;                       ///< greys figures that are not followed soon
    QTableView* m_attributeTable;
    QTableView* m_pickTable;
    QLabel* m_pickHint;
    Section* m_attributeSection;
    Section* m_noteSection;
    QWidget* m_notes = nullptr;
    QStringList m_sentences;
    int m_pick = 0; ///< number of the last, so that what comes too late is let go
    BackgroundWorker<Picked> m_pickWorker;
};

} // namespace scanloupe::gui
