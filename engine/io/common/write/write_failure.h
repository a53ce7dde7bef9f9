#pragma once
// Declares the messages about files that can't be written.
#include <filesystem>

namespace scanloupe::detail {

/// Throws the message for a system error code when writing to `target`. @throws EngineError always
[[noreturn]] void throwWriteFailure(const std::filesystem::path& target, int code);

} // namespace scanloupe::detail
