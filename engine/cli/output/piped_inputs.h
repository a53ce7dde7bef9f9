#pragma once
// Declares the handling of input from pipes, such as standard input and process substitution.
#include "engine/io/common/write/own_files.h"

#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>

namespace scanloupe::cli {

/// Provides the inputs of a command as regular files. Readers need to seek, which a pipe does not support, so
/// its data is copied to a temporary file. The destructor removes the temporary files.
class PipedInputs {
public:
    explicit PipedInputs(std::stop_token stop) : m_stop(std::move(stop)) {}

    /// Returns the file to read for an input as the user named it: "-", "/dev/stdin", "/dev/fd/63" or another
    /// path. The name may have a format as prefix, such as "bin:-". An empty name gives an empty path.
    /// @throws EngineError for a terminal, or if the copy can't be written; Cancelled
    std::filesystem::path file(const std::string& named);
    /// Returns the user's name of a file that file() has returned; for other files, the path itself.
    std::string shown(const std::filesystem::path& path) const;

private:
    std::filesystem::path copyOf(int descriptor, const std::string& named, const std::string& ending);
    std::filesystem::path inFolder(const std::string& name);

    std::stop_token m_stop;
    std::optional<ScratchFolder> m_folder;      ///< created on first use
    std::map<std::string, std::string> m_names; ///< the user's names of the files in the folder, by path
};

} // namespace scanloupe::cli
