#pragma once
// Checks the output files of a command before its work begins.
#include "engine/io/common/output_target.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace scanloupe {

/// Checks that no two outputs of a command share a file, and that none overwrites an input.
class OutputCheck {
public:
    /// Adds a file that is read, with the files beside it that belong to it, or a folder of scans. Ignores an
    /// empty path.
    void addInput(const std::filesystem::path& path);
    /// Adds a file that will be written. @throws EngineError when it can't be written, as far as that can be
    /// checked: its ending is none of `endings` (if there are any), its folder is missing or read-only, or it
    /// is a folder; when it is an input or another output, also by way of links; and when it would lie in a
    /// folder of input scans and be read as a scan the next time.
    void addOutput(const std::filesystem::path& target, const std::vector<std::string>& endings);

    /// As above, of a target whose format was checked.
    void addOutput(const OutputTarget& target);

private:
    void addWritten(const std::filesystem::path& target, bool mayBeAScan);
    using FileId = std::pair<std::uint64_t, std::uint64_t>; ///< device, inode
    void requireDistinctOutput(const std::filesystem::path& target);

    std::set<FileId> m_inputs, m_folders, m_outputs;
    std::map<std::string, std::filesystem::path> m_outputPaths; ///< by the path in lower case
};

} // namespace scanloupe
