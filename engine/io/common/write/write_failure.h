#pragma once
// Declares the messages about files that can't be written.
#include <filesystem>

namespace scanloupe::detail {

/// Throws the message for the system's error code `code` on writing to `target`. @throws EngineError always
[[noreturn]] void throwWriteFailure(const std::filesystem::path& target, int code);

} // namespace scanloupe::detail
