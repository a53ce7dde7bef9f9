#pragma once
// Results to fill panels with, built by tests without files and threads.
#include "engine/cloud/point_cloud.h"
#include "engine/results/snapshot.h"
#include "gui/base/snapshot_ptr.h"

namespace scanloupe::test {

/// The representation of a generated cloud's coordinates.
enum class Held { floats, texts, scaled };

/// A wavy sheet of 40 x 50 points over [0, 8) x [0, 10) m with intensity, ring, time and colours.
std::shared_ptr<PointCloud> sheetCloud(Held held);
/// Results for the sheet: voxelized points, with a minimal field and mesh.
std::shared_ptr<Snapshot> sheetSnapshot(Held held = Held::floats);
/// Results over another cloud.
std::shared_ptr<Snapshot> cloudSnapshot(std::shared_ptr<const PointCloud> cloud);
/// Results over a raw volume of 4 x 5 x 6 samples.
std::shared_ptr<Snapshot> volumeSnapshot();
/// Timings like those of a complete run.
RunTimings sampleTimings(double factor = 1);

} // namespace scanloupe::test
