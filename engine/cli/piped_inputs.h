#pragma once
// Declares inputs that come through pipes: standard input, process substitution.
#include "engine/io/common/write/own_files.h"

#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>

namespace scanloupe::cli {

/// The inputs of a command as files. Readers look at several places of a file, which a pipe has not: what
/// comes through one is copied to a temporary file, which goes with this object.
class PipedInputs {
public:
    explicit PipedInputs(std::stop_token stop) : m_stop(std::move(stop)) {}

    /// The file to read for what a user named: "-", "/dev/stdin", "/dev/fd/63", or another path, with a
    /// format in front where no ending tells it: "bin:-". Empty for an empty name.
    /// @throws EngineError for a terminal, and when the copy can't be written; Cancelled
    std::filesystem::path file(const std::string& named);
    /// What the user named a file; the path itself for others.
    std::string shown(const std::filesystem::path& path) const;

private:
    std::filesystem::path copyOf(int descriptor, const std::string& named, const std::string& ending);
    std::filesystem::path inFolder(const std::string& name);

    std::stop_token m_stop;
    std::optional<ScratchFolder> m_folder;      ///< once it is needed
    std::map<std::string, std::string> m_names; ///< of files in it
};

} // namespace scanloupe::cli
