#pragma once
// Declares inputs from pipes: standard input, process substitution.
#include "engine/io/common/write/own_files.h"

#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>

namespace scanloupe::cli {

/// The inputs of a command as files. Readers seek, which a pipe does not support: its data is copied to a
/// temporary file, which is removed with this object.
class PipedInputs {
public:
    explicit PipedInputs(std::stop_token stop) : m_stop(std::move(stop)) {}

    /// The file to read for an input as the user named it: "-", "/dev/stdin", "/dev/fd/63", or another path,
    /// prefixed with a format where the ending doesn't determine it: "bin:-". Empty for an empty name.
    /// @throws EngineError for a terminal, and when the copy can't be written; Cancelled
    std::filesystem::path file(const std::string& named);
    /// The user's name for a file of file(); the path itself for others.
    std::string shown(const std::filesystem::path& path) const;

private:
    std::filesystem::path copyOf(int descriptor, const std::string& named, const std::string& ending);
    std::filesystem::path inFolder(const std::string& name);

    std::stop_token m_stop;
    std::optional<ScratchFolder> m_folder;      ///< created on first use
    std::map<std::string, std::string> m_names; ///< user's names of files in the folder, by path
};

} // namespace scanloupe::cli
