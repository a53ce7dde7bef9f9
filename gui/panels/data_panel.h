#pragma once
// Declares the panel of the open scan's data.
#include "engine/cloud/reference/coordinate_reference.h"
#include "gui/jobs/background_worker.h"
#include "gui/models/property_model.h"
#include "gui/views/scan_view.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QTableView;
class QVBoxLayout;

namespace scanloupe {
struct MeshQuality;
struct Snapshot;
} // namespace scanloupe

namespace scanloupe::gui {

class AttributeModel;
class PanelSection;
class ReferenceForm;

/// Shows the open scan and its attributes, warnings of the reader, values chosen from the data, and the
/// picked point.
class DataPanel : public QWidget {
    Q_OBJECT
public:
    explicit DataPanel(QWidget* parent = nullptr);

    /// Shows the unit and the coordinate system of the scan, and all lengths in that unit. Before
    /// setSnapshot.
    void setReference(const CoordinateReference& reference, const ChosenReference& chosen);
    /// Null: no scan is open. A pick in another scan is cleared.
    void setSnapshot(const SnapshotPtr& snapshot);
    /// Shows why the quality metrics of the last mesh can't be computed.
    void showMeasureProblem(const QString& sentence, const QString& nextStep);
    /// Shows the properties of a hit in `snapshot` after a worker has read them, since they may be on the
    /// device.
    void showPick(const Hit& hit, const SnapshotPtr& snapshot);
    void clearPick();

    AttributeModel* attributes() const { return m_attributes; }
    PropertyModel* scan() const { return m_scan; }
    ReferenceForm* reference() const { return m_form; }
    /// Quality metrics of the mesh; greyed while they are those of the previous mesh.
    PropertyModel* quality() const { return m_quality; }
    QTableView* qualityTable() const { return m_qualityTable; }
    PropertyModel* picked() const { return m_picked; }
    /// Warnings of the reader, then notes of the pipeline.
    QStringList sentences() const { return m_sentences; }

signals:
    /// Emitted when the user has set the unit or the coordinate system.
    void referenceEdited(const scanloupe::ChosenReference& chosen);
    /// Emitted when the properties of the pick can't be read.
    void failed(const QString& sentence, const QString& nextStep);
    /// The position of the pick, in the file's frame: where it was hit, then the scan's point nearest to
    /// that; none without a pick.
    void pickMoved(std::optional<scanloupe::Vec3d> position);

private:
    struct Picked {
        Properties properties;
        std::optional<std::size_t> point; ///< point of the cloud; none if none was hit
        std::optional<Vec3d> position;    ///< position of that point
        int number = 0;
    };
    /// Finds the picked point in new results of the same scan: the voxel that contains it.
    void followPick(const SnapshotPtr& snapshot);
    void showScan();
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
    ReferenceForm* m_form;
    CoordinateReference m_reference;
    QTableView* m_qualityTable;
    QLabel* m_qualityNote;
    PanelSection* m_qualitySection;
    std::shared_ptr<const MeshQuality> m_figures; ///< the displayed metrics
    QTimer m_outdatedTimer;                       ///< greys metrics when new ones take long
    QTableView* m_attributeTable;
    QTableView* m_pickTable;
    QLabel* m_pickHint;
    PanelSection* m_attributeSection;
    PanelSection* m_noteSection;
    QWidget* m_notes = nullptr;
    QStringList m_sentences;
    std::optional<std::size_t> m_pickedPoint; ///< the displayed point of the cloud
    int m_pick = 0;                           ///< number of the last pick; results of older ones are dropped
    BackgroundWorker<Picked> m_pickWorker;
};

} // namespace scanloupe::gui
