// Returns version, commit and compiler of this build.
#include "engine/compute/build_info.h"

#include "commit.h"

namespace scanloupe {

BuildInfo buildInfo() {
    return {SCANLOUPE_VERSION, SCANLOUPE_COMMIT, SCANLOUPE_BUILD_TYPE, SCANLOUPE_COMPILER,
            SCANLOUPE_CUDA_VERSION};
}

std::string versionAndCommit() {
    const BuildInfo info = buildInfo();
    return info.version + " (commit " + info.commit + ")";
}

} // namespace scanloupe
