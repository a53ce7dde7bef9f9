#pragma once
// Declares the job that summarizes deviations.
#include "engine/inspect/inspection.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/jobs/background_worker.h"

#include <QObject>
#include <QTimer>
#include <optional>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::gui {

/// Summarizes the deviations of results on a thread of low priority, in addition to the pipeline. While a
/// tolerance moves, figures follow if they take less than 150 ms; slower jobs are cancelled by later results,
/// so that the figures of the last tolerance do not wait for them. Previews get none.
class InspectionRunner : public QObject {
    Q_OBJECT
public:
    explicit InspectionRunner(QObject* parent = nullptr);

    /// Sets the displayed results, or null. Results with the same deviations and tolerance are skipped.
    void setSnapshot(const SnapshotPtr& snapshot);

signals:
    /// Emitted with the inspection of the last results; nullopt if they have no deviations.
    void ready(const std::optional<scanloupe::Inspection>& inspection);
    void failed(const QString& sentence, const QString& nextStep);

private:
    /// The inputs of an inspection.
    struct Inputs {
        std::weak_ptr<const PointCloud> input, cloud;
        double tolerance = 0;
        std::optional<Vec3d> voxelSize;
        std::optional<Section> section;
    };
    Inputs m_asked;
    struct Found {
        std::weak_ptr<const PointCloud> of; ///< Inputs::input
        std::optional<Inspection> inspection;
    };
    void take(const Found& found);

    QTimer m_patience;                ///< runs while newer results wait for a running job
    Inspector m_inspector;            ///< used by the worker
    BackgroundWorker<Found> m_worker; ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
