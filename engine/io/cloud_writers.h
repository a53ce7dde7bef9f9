#pragma once
// One function a cloud format; each fills a stream that throws when it can't be written.
#include "engine/io/writers.h"

namespace scanloupe::detail {

/// A cloud and how it is to be written.
struct CloudJob {
    const PointCloud& cloud;
    const WriteOptions& options;
    const std::stop_token& stop;
};

/// Binary, little endian. 64-bit integers, which PLY has not, become double.
void writePlyCloud(std::ostream& stream, const CloudJob& job);
/// Binary, version 0.7. Colours of 8 bits are packed as rgb, or rgba with alpha, which is what PCL reads.
void writePcdCloud(std::ostream& stream, const CloudJob& job);
/// A header of names, then rows; `delimiter` a comma or a blank, and then the header is a comment.
void writeTextCloud(std::ostream& stream, const CloudJob& job, char delimiter);
/// As the file was, of a cloud from LAS or LAZ. Else LAS 1.4, or 1.2 for clouds with what only that has;
/// values that it has no place for become extra bytes, points without finite coordinates are left out.
/// @throws EngineError when a point would have too many bytes
void writeLasCloud(std::ostream& stream, const CloudJob& job);
/// The same, packed. @throws EngineError in a build without LASzip, too
void writeLazCloud(std::ostream& stream, const CloudJob& job);
/// x, y, z, intensity as float32. @throws EngineError when single precision would spoil the coordinates
void writeKittiBinCloud(std::ostream& stream, const CloudJob& job);

/// Rows in a piece of output: a few milliseconds of work.
inline constexpr std::size_t kCloudPiece = std::size_t{1} << 13;

} // namespace scanloupe::detail
