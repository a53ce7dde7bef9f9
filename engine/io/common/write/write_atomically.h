#pragma once
// Declares writing through a temporary file next to the target. The file is flushed and renamed to the
// target, so that a failed or cancelled export leaves the previous file intact.
#include <filesystem>
#include <functional>
#include <ostream>
#include <stop_token>

namespace scanloupe {

/// Writes a file through a temporary file, which `write` fills. Symbolic links are followed, even to a file
/// that does not exist yet. Devices, pipes and open descriptors (/dev/stdout) are written to directly. Owner,
/// group, permissions, access control list and user extended attributes of a replaced file are kept as far as
/// the system permits. Removes temporary files that killed processes of this host and user have left in the
/// folder. @param stop ends waiting for the reader of a pipe; if it can't be requested, a pipe without a
/// reader is rejected after two seconds
/// @throws EngineError, with specific messages for a full disk, a read-only folder and a missing folder;
///     Cancelled; exceptions of `write`.
void writeAtomically(const std::filesystem::path& target, const std::function<void(std::ostream&)>& write,
                     const std::stop_token& stop = {});

/// Returns the file that writing to `target` creates or replaces, after following all symbolic links. It need
/// not exist. @throws EngineError if the links form a loop.
std::filesystem::path resolveTarget(const std::filesystem::path& target);

} // namespace scanloupe
