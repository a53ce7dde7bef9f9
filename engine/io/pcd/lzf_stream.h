#pragma once
// Declares streaming decompression of LZF, which keeps neither the compressed nor the decompressed data in
// memory as a whole.
#include "engine/io/common/input_file.h"

#include <functional>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Maximum compression ratio of LZF: three bytes encode at most 264.
inline constexpr std::uint64_t kMaxLzfRatio = 88;

/// Decompresses `packed` bytes at file offset `offset`, and passes the output to `sink` in order. Stops early
/// if the file ends or the stream is damaged. Returns the number of output bytes. @throws EngineError if the
/// file can't be read; Cancelled
std::uint64_t decompressLzf(const InputFile& file, std::uint64_t offset, std::uint64_t packed,
                            const std::function<void(std::span<const std::byte>)>& sink,
                            const std::stop_token& stop);

} // namespace scanloupe
