#pragma once
// Declares the reader of scans of all formats in the table of formats.
#include <filesystem>
#include <memory>
#include <stop_token>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Reads a scan. The format is detected by its signature, else by the extension, else by other content, see
/// FormatEvidence.
/// @throws EngineError with the problem and the next step; Cancelled.
std::shared_ptr<const PointCloud> readScan(const std::filesystem::path& path, const ReadOptions& options,
                                           const std::stop_token& stop);

/// Reads about `points` points, evenly distributed over the file, for a quick look at a large scan, with all
/// attributes and PointCloud::subsampledFrom. Null if the format can't be read in parts, or the file is too
/// small for a subsample to be faster. @throws as readScan()
std::shared_ptr<const PointCloud> readScanSubsample(const std::filesystem::path& path, std::size_t points,
                                                    ReadOptions options, const std::stop_token& stop);

/// Whether a scan has levels of detail, so that only the part for a view can be read, see
/// OctreeReading::view. @throws as readScan()
bool hasLevels(const std::filesystem::path& path);

} // namespace scanloupe
