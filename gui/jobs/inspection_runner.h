#pragma once
// Declares the job that summarizes deviations.
#include "engine/inspect/inspection.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/jobs/background_worker.h"

#include <QObject>
#include <optional>

namespace scanloupe::gui {

/// Summarizes the deviations of results on a thread of low priority, beside the pipeline: while a tolerance
/// moves, figures follow as fast as they can. Previews get none.
class InspectionRunner : public QObject {
    Q_OBJECT
public:
    explicit InspectionRunner(QObject* parent = nullptr);

    /// The results that are shown; null: none. Results with the same deviations and tolerance are not looked
    /// at again.
    void setSnapshot(const SnapshotPtr& snapshot);

signals:
    /// Of the last results; none: they have no deviations.
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
    BackgroundWorker<Found> m_worker;
};

} // namespace scanloupe::gui
