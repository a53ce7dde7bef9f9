// Compares the identities of results.
#include "engine/results/snapshot.h"

#include "engine/cloud/point_cloud.h"
#include "engine/graph/stage_cache.h"

namespace scanloupe {

Vec3d Snapshot::origin() const {
    return cloud ? cloud->origin() : Vec3d{};
}

bool looksTheSame(Stage stage, const Snapshot& a, const Snapshot& b) {
    const auto inputs = [](const Snapshot& s) {
        return StageInputs{s.resolved, s.identities, s.volume != nullptr};
    };
    return hasSameInputs(stage, inputs(a), inputs(b));
}

} // namespace scanloupe
