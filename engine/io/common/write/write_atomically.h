#pragma once
// Declares writing through a temporary file next to the target, which is flushed and renamed over the target,
// so that a failed or cancelled export leaves the old file intact.
#include <filesystem>
#include <functional>
#include <ostream>
#include <stop_token>

namespace scanloupe {

/// Writes through a temporary file, which `write` fills. Symbolic links are followed, even to a file that
/// does not exist yet; devices, pipes and descriptors that are open (/dev/stdout) are written to directly.
/// Owner, group, permissions, access control list and user extended attributes of a replaced file are kept as
/// far as the system permits. `stop` ends waiting for the reader of a pipe; where no stop is possible, a pipe
/// without a reader is refused after two seconds. Temporary files that killed processes of this host and user
/// have left in the folder are removed.
/// @throws EngineError, with specific messages for a full disk, a read-only folder and a missing folder;
/// Cancelled; exceptions of `write`.
void writeAtomically(const std::filesystem::path& target, const std::function<void(std::ostream&)>& write,
                     const std::stop_token& stop = {});

/// The file that writing to `target` creates or replaces: the end of its symbolic links, whether or not it
/// exists. @throws EngineError when they form a loop.
std::filesystem::path resolveTarget(const std::filesystem::path& target);

} // namespace scanloupe
