#pragma once
// Which scans stand behind the files and folders that people name.
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// A file that can't be opened as a scan.
struct LeftOut {
    std::filesystem::path path;
    std::string why; ///< a clause: "it is empty"
};

struct ScanList {
    std::vector<std::filesystem::path> scans; ///< in natural order, folder by folder (frame2 before frame10)
    std::vector<LeftOut> leftOut;
    std::vector<std::filesystem::path> poses; ///< files of poses that lie in the folders: no scans, but no
                                              ///< less in order
};

/// The scans and raw volumes among `paths` and in those of them that are folders, told by their first bytes
/// and their names; hidden files, sidecars of volumes and folders in folders are not looked at. No scan is
/// read whole: it may still turn out to be broken. @throws EngineError when a folder can't be listed;
/// Cancelled.
ScanList findScans(std::span<const std::filesystem::path> paths, const std::stop_token& stop);

/// Whether the name's ending is one that scans have.
bool endsLikeAScan(const std::filesystem::path& path);

/// One sentence about files that can't be opened, some of them by name: "2 of 7 files can't be opened: a.ply
/// (it is empty), notes.md (it is of no format that is known)."
std::string sentenceOn(std::span<const LeftOut> leftOut, std::size_t files);

} // namespace scanloupe
