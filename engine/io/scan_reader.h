#pragma once
// Declares the reader of scans in all formats of fileFormats().
#include <filesystem>
#include <memory>
#include <stop_token>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Reads a scan. The format is detected by its signature, else by the extension, else by other content, see
/// FormatEvidence. @throws EngineError with the problem and the next step; Cancelled
std::shared_ptr<const PointCloud> readScan(const std::filesystem::path& path, const ReadOptions& options,
                                           const std::stop_token& stop);

/// Reads about `points` points with all attributes, evenly distributed over the file, for a preview of a
/// large scan. Sets PointCloud::subsampledFrom. Returns null if the format can't be subsampled, or if the
/// file is so small that a subsample would not be faster. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readScanSubsample(const std::filesystem::path& path, std::size_t points,
                                                    ReadOptions options, const std::stop_token& stop);

/// Returns whether a scan has levels of detail, so that OctreeReading::view can read just the points that a
/// view needs. @throws EngineError if the file can't be opened
bool hasLevels(const std::filesystem::path& path);

} // namespace scanloupe
