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
    std::string why;       ///< a message that names the file: "the file 'a.ply' is empty: it has 0 bytes"
    bool isNoScan = false; ///< unsupported type found while scanning a folder; not an error
};

struct ScanList {
    std::vector<std::filesystem::path> scans; ///< in natural order, folder by folder (frame2 before frame10)
    std::vector<LeftOut> leftOut;
    std::vector<std::filesystem::path> poses; ///< files of poses in the folders: no scans, and no errors
};

/// Finds the scans and raw volumes among `paths` and in the folders among them, by their first bytes and
/// names. Hidden files, sidecars of volumes and subfolders are skipped. No scan is read completely, so any
/// may still turn out to be broken. @throws EngineError when a folder can't be listed; Cancelled.
ScanList findScans(std::span<const std::filesystem::path> paths, const std::stop_token& stop);

/// A subfolder, and the number of its files with a scan's ending.
struct ScansBelow {
    std::filesystem::path folder;
    std::size_t scans = 0;
};
/// Returns the subfolders of a folder that contain scans, in natural order.
std::vector<ScansBelow> scansOneLevelDown(const std::filesystem::path& folder);

/// Whether the file name has the extension of a scan format.
bool endsLikeAScan(const std::filesystem::path& path);

/// Formats a message without a full stop that names the first files that can't be opened: "2 of 7 files can't
/// be opened and are left out: a.ply, notes.md". Includes the reason if there is only one.
std::string describeLeftOut(std::span<const LeftOut> leftOut, std::size_t files);

} // namespace scanloupe
