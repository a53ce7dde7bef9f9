#pragma once
// Declares the search for scans among the files and folders that users name.
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// A file that can't be opened as a scan.
struct LeftOut {
    std::filesystem::path path;
    std::string why; ///< a message with the file name, such as "the file 'a.ply' is empty: it has 0 bytes"
    bool isNoScan = false; ///< whether this is just another kind of file found in a folder, not an error
};

struct ScanList {
    std::vector<std::filesystem::path> scans; ///< folder by folder, in natural order (frame2 before frame10)
    std::vector<LeftOut> leftOut;             ///< files that are not in `scans` or `poses`
    std::vector<std::filesystem::path> poses; ///< pose files found in the folders; neither scans nor errors
};

/// Finds scans and raw volumes by their first bytes and names. `paths` are files and folders; files in the
/// folders are searched, but hidden files, sidecars of volumes and subfolders are skipped. Scans are not read
/// completely, so a scan in the result may still turn out to be damaged. @throws EngineError if a folder
/// can't be listed; Cancelled
ScanList findScans(std::span<const std::filesystem::path> paths, const std::stop_token& stop);

/// A subfolder, and the number of its files with the extension of a scan format.
struct ScansBelow {
    std::filesystem::path folder;
    std::size_t scans = 0;
};
/// Returns the subfolders that contain files with the extension of a scan format, in natural order.
std::vector<ScansBelow> scansOneLevelDown(const std::filesystem::path& folder);

/// Whether the file name has the extension of a scan format.
bool endsLikeAScan(const std::filesystem::path& path);

/// Formats a message without a full stop that lists the first few of the files that can't be opened, such as
/// "2 of 7 files can't be opened and are left out: a.ply, notes.md". If there is only one such file, the
/// message includes the reason. @param files total number of files
std::string describeLeftOut(std::span<const LeftOut> leftOut, std::size_t files);

} // namespace scanloupe
