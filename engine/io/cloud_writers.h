#pragma once
// Declares the writers of the cloud formats. Each fills a stream, which throws when it can't be written.
#include "engine/io/writers.h"

namespace scanloupe::detail {

/// A cloud and the options of its writer.
struct CloudJob {
    const PointCloud& cloud;
    const WriteOptions& options;
    const std::stop_token& stop;
};

/// Binary, little endian. 64-bit integers become double, since PLY has none.
void writePlyCloud(std::ostream& stream, const CloudJob& job);
/// Binary, version 0.7. Colours of 8 bits are packed as rgb, or rgba with alpha, as PCL reads them.
void writePcdCloud(std::ostream& stream, const CloudJob& job);
/// A header of column names, then rows. `delimiter` is a comma or a blank; with a blank the header is a
/// comment.
void writeTextCloud(std::ostream& stream, const CloudJob& job, char delimiter);
/// A cloud read from a single LAS or LAZ file keeps the version, point format and VLRs of that file. Other
/// clouds get LAS 1.4, or 1.2 or 1.3 where they have values that only its point formats hold. Values without
/// a standard field become extra bytes; points without finite coordinates are left out.
/// @throws EngineError when a point record would be too long
void writeLasCloud(std::ostream& stream, const CloudJob& job);
/// As writeLasCloud, compressed. @throws EngineError in a build without LASzip, too
void writeLazCloud(std::ostream& stream, const CloudJob& job);
/// x, y, z, intensity as float32. @throws EngineError when single precision would lose the coordinates
void writeKittiBinCloud(std::ostream& stream, const CloudJob& job);

/// Rows of a block of output: a few milliseconds of work.
inline constexpr std::size_t kCloudPiece = std::size_t{1} << 13;

} // namespace scanloupe::detail
