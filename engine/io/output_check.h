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

    /// Adds an input file together with its companion files: sidecars of volumes, data of glTF, documents and
    /// meshes of tilesets. Also accepts a folder of scans; the scans in it must be added separately. An empty
    /// path or a missing file is ignored. @throws EngineError if the file is an output, or is in an output
    /// folder; Cancelled
    void addInput(const std::filesystem::path& path);
    /// Adds a file that will be written, and the sidecar of a volume.
    /// @param endings allowed extensions; empty: any
    /// @throws EngineError if one of these is true: the extension is not in `endings`; the folder is missing
    /// or read-only; the target is a folder; the target is an input or another output, also through links;
    /// the target is in an output folder; the target is in a folder of input scans and would be read as a
    /// scan next time. Also throws Cancelled.
    void addOutput(const std::filesystem::path& target, const std::vector<std::string>& endings);
    /// Like the other addOutput(), for a target whose extension was already checked.
    void addOutput(const OutputTarget& target);
    /// Adds an output folder, in which any file may be created or replaced. The folder need not exist.
    /// @throws EngineError if an input or another output is in the folder: directly, in a subfolder or
    /// through a link; Cancelled
    void addOutputFolder(const std::filesystem::path& folder);

private:
    using FileId = std::pair<std::uint64_t, std::uint64_t>; ///< device, inode
    /// Companion files of an input. The slow search for them is postponed until an output exists.
    struct Companions {
        std::filesystem::path input;
        bool isKnown = false;
        std::set<FileId> files;
    };

    void addWritten(const std::filesystem::path& target, bool mayBeAScan);
    /// Whether the file is an input or a companion file of an input.
    bool isInput(const FileId& written);
    void requireNoInput(const FileId& written, const std::filesystem::path& target);
    /// Returns the path of the output with this identity; empty if it belongs to no output.
    std::filesystem::path outputOf(const FileId& written) const;
    void requireDistinctOutput(const std::filesystem::path& target);

    std::stop_token m_stop;
    std::set<FileId> m_inputs, m_folders, m_outputs;
    std::vector<std::shared_ptr<Companions>> m_companions; ///< companion files that are not in m_inputs yet
    /// Paths of the sidecars of input volumes, in lower case, whether or not the files exist.
    std::set<std::string> m_sidecars;
    std::map<std::string, std::filesystem::path> m_outputPaths; ///< all outputs by their path in lower case
    std::vector<std::filesystem::path> m_outputFolders;         ///< canonical paths of the output folders
};

} // namespace scanloupe
