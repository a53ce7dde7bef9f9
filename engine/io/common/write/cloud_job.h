#pragma once
// Defines the argument of all cloud writers. A writer fills a stream, which throws if it can't be written.
#include <ostream>
#include <stop_token>
#include <string>

namespace scanloupe {
class PointCloud;
struct WriteOptions;
} // namespace scanloupe

namespace scanloupe::detail {

/// A cloud and the options of its writer.
struct CloudJob {
    const PointCloud& cloud;
    const WriteOptions& options;
    const std::stop_token& stop;
    std::string ending; ///< extension of the target, in lower case with its dot
};

/// The message that a coordinate system's name is lost.
inline constexpr char kCrsNameLoss[] = "the name of the coordinate system is left out";

/// Rows per block of output, a few milliseconds of work.
inline constexpr std::size_t kCloudPiece = std::size_t{1} << 13;

} // namespace scanloupe::detail
