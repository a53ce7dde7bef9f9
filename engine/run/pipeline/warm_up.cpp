// Runs a small generated scan through the pipeline.
#include "engine/run/pipeline/warm_up.h"

#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"

namespace scanloupe {

void warmUp(const BackendChoice& backend, const std::stop_token& stop) {
    synth::ScanParams params;
    params.points = 20'000;
    Pipeline pipeline(backend);
    pipeline.setInput(std::make_shared<const PointCloud>(syntheticCloud(params, false, {}, stop)), 0);
    RunOptions options;
    options.quality = true;
    Snapshot seen = pipeline.run({}, options, stop);
    seen = pipeline.measure(seen, QualityEffort::quick, stop);
    pipeline.refine(seen, 2, stop);
}

} // namespace scanloupe
