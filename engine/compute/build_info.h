#pragma once
// Declares version, commit and compiler of this build.
#include <string>

namespace scanloupe {

/// Source and tools of this build.
struct BuildInfo {
    std::string version;   ///< e.g. "0.1.0"
    std::string commit;    ///< e.g. "1a2b3c4d5e"; with "-dirty" if files were changed; "unknown" outside of
                           ///< git
    std::string buildType; ///< e.g. "Release"
    std::string compiler;  ///< e.g. "GNU 12.2.0"
    std::string cuda;      ///< e.g. "13.0.48"; empty without the CUDA backend
};
BuildInfo buildInfo();

/// Returns e.g. "0.1.0 (commit 1a2b3c4d5e)".
std::string versionAndCommit();

} // namespace scanloupe
