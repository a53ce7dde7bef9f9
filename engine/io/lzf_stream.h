#pragma once
// Decompresses LZF from a file in pieces: neither the packed nor the unpacked data is ever whole in memory.
#include "engine/io/input_file.h"

#include <functional>
#include <span>
#include <stop_token>

namespace scanloupe {

/// No LZF stream unpacks to more than this many times its size: three bytes say at most 264.
inline constexpr std::uint64_t kMaxLzfRatio = 88;

/// Unpacks the `packed` bytes at `offset` and hands them out in order; ends early where the file ends or the
/// stream is damaged. Gives the number of bytes handed out. @throws EngineError when the file can't be read;
/// Cancelled
std::uint64_t decompressLzf(const InputFile& file, std::uint64_t offset, std::uint64_t packed,
                            const std::function<void(std::span<const std::byte>)>& sink,
                            const std::stop_token& stop);

} // namespace scanloupe
