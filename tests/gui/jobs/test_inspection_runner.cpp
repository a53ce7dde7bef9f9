// Figures of deviations are computed in the background while the tolerance changes.
#include "engine/cloud/point_cloud.h"
#include "engine/results/snapshot.h"
#include "gui/jobs/inspection_runner.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <QTest>
#include <cstring>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// A scan whose file already contains deviations of up to 1 m on both sides.
std::shared_ptr<const PointCloud> comparedCloud(std::uint64_t points) {
    const auto scan = bumpyCloud(points);
    auto deviations = Buffer<std::byte>::host(scan->size() * sizeof(float));
    for (std::size_t i = 0; i < scan->size(); ++i) {
        const float deviation = i % 2 == 0 ? 1.0f : -1.0f;
        std::memcpy(deviations.data() + i * sizeof deviation, &deviation, sizeof deviation);
    }
    CloudEdits edits;
    edits.attributes.emplace_back(kDeviationAttribute, ScalarType::float32, std::move(deviations));
    return std::make_shared<const PointCloud>(*scan, edits, std::stop_token());
}

} // namespace

class TestInspectionRunner : public QObject {
    Q_OBJECT
private slots:
    void theLastToleranceDoesNotWaitForThoseBefore() {
        Run run(comparedCloud(600'000));
        run.recipe.voxelSize = Vec3d{0.1, 0.1, 0.1};
        const Snapshot results = run(kNoPicture);
        const auto withTolerance = [&](double tolerance) {
            auto shown = std::make_shared<Snapshot>(results);
            shown->resolved->tolerance = tolerance;
            shown->resolved->voxelSize = Vec3d{1e-4, 1e-4, 1e-4}; // many regions: takes far more than 150 ms
            return shown;
        };
        InspectionRunner runner;
        std::vector<double> shown;
        connect(&runner, &InspectionRunner::ready, this, [&](const std::optional<Inspection>& inspection) {
            if (inspection)
                shown.push_back(inspection->tolerance);
        });
        runner.setSnapshot(withTolerance(0.5));
        runner.setSnapshot(withTolerance(0.25));
        QTRY_VERIFY_WITH_TIMEOUT(!shown.empty(), 60'000);
        QCOMPARE(shown, std::vector{0.25});
    }

    void aCancelledJobIsFollowedByTheOneThatWaits() {
        std::vector<int> done;
        int cancelled = 0;
        BackgroundWorker<int> worker([&](int result) { done.push_back(result); },
                                     [&](const std::exception_ptr&) { ++cancelled; });
        worker.run([](const std::stop_token& stop) -> int {
            while (!stop.stop_requested())
                std::this_thread::yield();
            throw Cancelled();
        });
        worker.run([](const std::stop_token& stop) { return stop.stop_requested() ? 0 : 2; });
        worker.cancelRunning();
        QTRY_COMPARE(done, std::vector{2});
        QCOMPARE(cancelled, 1);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestInspectionRunner)
#include "test_inspection_runner.moc"
