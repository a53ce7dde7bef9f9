#pragma once
// What a command is going to write, looked at before its work begins.
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace scanloupe::cli {

/// The files that a command reads and writes: no two results in one, and none over what it reads.
class OutputCheck {
public:
    /// A file that is read, with its sidecar if it may have one, or a folder of scans. Empty: nothing.
    void addInput(const std::filesystem::path& path);
    /// A file that will be written. @throws EngineError when it can't be, as far as can be seen: an ending
    /// that is none of `endings` (when there are any), a missing or read-only folder, a folder in its place;
    /// when it is one that is read or another result, through whatever links; and when it would lie among the
    /// scans of a folder and be taken for one next time.
    void addOutput(const std::filesystem::path& target, const std::vector<std::string>& endings);

private:
    using FileId = std::pair<std::uint64_t, std::uint64_t>; ///< device, inode
    void requireDistinctOutput(const std::filesystem::path& target);

    std::set<FileId> m_inputs, m_folders, m_outputs;
    std::map<std::string, std::filesystem::path> m_outputPaths; ///< of outputs, in lower case
};

} // namespace scanloupe::cli
