#pragma once
#include <filesystem>

namespace scanloupe::detail {

/// Throws the sentence for a system's refusal to write to `target`. @throws EngineError always
[[noreturn]] void throwWriteFailure(const std::filesystem::path& target, int code);

} // namespace scanloupe::detail
