#pragma once
// Defines the constants of GLB and of accessors' component types (Khronos Group, "glTF 2.0 Specification").
#include <array>
#include <cstddef>
#include <cstdint>

namespace scanloupe::detail {

inline constexpr std::uint32_t kGlbMagic = 0x46546C67, kGlbVersion = 2;
inline constexpr std::uint32_t kGlbJsonChunk = 0x4E4F534A, kGlbBinaryChunk = 0x004E4942;
inline constexpr std::size_t kGlbHeaderBytes = 12, kGlbChunkBytes = 8; ///< sizes of the file header and of a
                                                                       ///< chunk header

inline constexpr int kGltfByte = 5120, kGltfUnsignedByte = 5121, kGltfShort = 5122, kGltfUnsignedShort = 5123;
inline constexpr int kGltfUnsignedInt = 5125, kGltfFloat = 5126;

/// Returns a table from 8-bit sRGB to 16-bit linear values, in which glTF specifies vertex colours.
const std::array<std::uint16_t, 256>& srgbToLinear();
/// Returns a table from 16-bit linear values to the nearest 8-bit sRGB values.
const std::array<std::uint8_t, 65536>& linearToSrgb();

} // namespace scanloupe::detail
