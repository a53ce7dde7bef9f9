#pragma once
// Declares the check of a command's output files before its work begins.
#include "engine/io/common/output_target.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace scanloupe {

/// All files that a command reads and writes. No output may overwrite an input or another output. Files are
/// compared by their identity, so links and other spellings of a path are recognized. Inputs and outputs may
/// be added in any order. Pipes and devices are never overwritten.
/// Copies of this object share the companion files found for their inputs.
class OutputCheck {
public:
    /// @param stop cancels searches for companion files of inputs, which may take long: they throw Cancelled
    explicit OutputCheck(std::stop_token stop = {}) : m_stop(std::move(stop)) {}

    /// Adds an input, with its companion files: sidecars of volumes, data of glTF, documents and meshes of
    /// tilesets. Or a folder of scans; its scans must be added, too. An empty path or a missing file is
    /// ignored. @throws EngineError when the file is an output
    void addInput(const std::filesystem::path& path);
    /// Adds a file that will be written, with its sidecar where it is a volume. @throws EngineError when it
    /// can't be written, as far as that can be checked: its ending is not in `endings` (if there are any),
    /// its folder is missing or read-only, or it is a folder; when it is an input or another output, also
    /// through links; when it is in the folder of another output; and when it is in a folder of input scans
    /// and would be read as a scan the next time.
    void addOutput(const std::filesystem::path& target, const std::vector<std::string>& endings);
    /// Like addOutput() above, for a target whose format was already checked.
    void addOutput(const OutputTarget& target);
    /// Adds a folder in which any file may be created or replaced; it may be missing. @throws EngineError
    /// when an input or another output is in it, directly, in its subfolders or through a link
    void addOutputFolder(const std::filesystem::path& folder);

private:
    using FileId = std::pair<std::uint64_t, std::uint64_t>; ///< device, inode
    /// Companion files of an input. They are searched once an output exists, since that may take long.
    struct Companions {
        std::filesystem::path input;
        bool isKnown = false;
        std::set<FileId> files;
    };

    void addWritten(const std::filesystem::path& target, bool mayBeAScan);
    /// Whether the file is an input or a companion file of one.
    bool isInput(const FileId& written);
    void requireNoInput(const FileId& written, const std::filesystem::path& target);
    /// Returns the path of the output that is this file; empty if there is none.
    std::filesystem::path outputOf(const FileId& written) const;
    void requireDistinctOutput(const std::filesystem::path& target);

    std::stop_token m_stop;
    std::set<FileId> m_inputs, m_folders, m_outputs;
    std::vector<std::shared_ptr<Companions>> m_companions; ///< those not in m_inputs yet
    std::set<std::string> m_sidecars; ///< possible sidecars of volumes that are read, whether or not they
                                      ///< exist: paths in lower case
    std::map<std::string, std::filesystem::path> m_outputPaths; ///< by the path in lower case
    std::vector<std::filesystem::path> m_outputFolders;         ///< without links and dots
};

} // namespace scanloupe
