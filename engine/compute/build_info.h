#pragma once
// Declares version, commit and compiler of this build.
#include <string>

namespace scanloupe {

/// Source and tools of this build.
struct BuildInfo {
    std::string version;   ///< "0.1.0"
    std::string commit;    ///< "1a2b3c4d5e", with "-dirty" when files were changed; "unknown" outside of git
    std::string buildType; ///< "Release"
    std::string compiler;  ///< "GNU 12.2.0"
    std::string cuda;      ///< "13.0.48"; empty without the CUDA backend
};
BuildInfo buildInfo();

/// "0.1.0 (commit 1a2b3c4d5e)".
std::string versionAndCommit();

} // namespace scanloupe
