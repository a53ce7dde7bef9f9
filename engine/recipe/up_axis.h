#pragma once
// Declares the up axis of a file.
#include <cstdint>

namespace scanloupe {

/// The axis of the file's frame that points upwards.
enum class UpAxis : std::uint8_t { x, minusX, y, minusY, z, minusZ };

} // namespace scanloupe
