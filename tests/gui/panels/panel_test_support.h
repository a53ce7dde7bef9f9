#pragma once
// Results to fill panels with, made by hand: no file, no thread.
#include "gui/base/snapshot_ptr.h"

namespace scanloupe::test {

/// Which way a made cloud holds its coordinates.
enum class Held { floats, texts, scaled };

/// A wavy sheet of 40 x 50 points over [0, 8) x [0, 10) m with intensity, ring, time and colours.
std::shared_ptr<PointCloud> sheetCloud(Held held);
/// Results over the sheet: really voxelized, its field and mesh only as large as panels look at.
std::shared_ptr<Snapshot> sheetSnapshot(Held held = Held::floats);
/// Results over another cloud.
std::shared_ptr<Snapshot> cloudSnapshot(std::shared_ptr<const PointCloud> cloud);
/// Results over a raw volume of 4 x 5 x 6 samples.
std::shared_ptr<Snapshot> volumeSnapshot();
/// Timings as a whole run leaves them.
RunTimings sampleTimings(double factor = 1);

} // namespace scanloupe::test
