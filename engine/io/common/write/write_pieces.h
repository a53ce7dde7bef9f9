#pragma once
// Declares output that is generated in pieces on all cores and written in order.
#include "engine/io/common/progress_meter.h"
#include "kernels/core/vec3.h"

#include <cstring>
#include <functional>
#include <ostream>
#include <stop_token>
#include <string>

namespace scanloupe {

/// Appends the rows [begin, end) to `out`.
using MakePiece = std::function<void(std::string& out, std::size_t begin, std::size_t end)>;

/// Generates `count` rows in pieces of `grain` rows, and writes the pieces in order. Only a few pieces are in
/// memory at a time. @throws Cancelled; exceptions of the stream
void writePieces(std::ostream& stream, std::size_t count, std::size_t grain, ProgressMeter& meter,
                 const std::stop_token& stop, const MakePiece& make);

/// Appends the bytes of `value` in little-endian order.
template <class T>
void appendRaw(std::string& out, const T& value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.append(bytes, sizeof(T));
}

/// Appends the shortest text that represents exactly this number; in fixed notation if that is not too long.
void appendNumber(std::string& out, float value);
void appendNumber(std::string& out, double value);
void appendNumber(std::string& out, std::int64_t value);
void appendNumber(std::string& out, std::uint64_t value);

/// Transforms a position into the file's frame.
inline Vec3d toFileFrame(Vec3f local, Vec3d origin) {
    return local.as<double>() + origin;
}

} // namespace scanloupe
