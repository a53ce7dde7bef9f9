#pragma once
// Declares the files of a tileset below nodes/.
#include "engine/survey/tiles/job_folder.h"
#include "engine/survey/tileset/lod_grid.h"
#include "kernels/core/sha256.h"

#include <filesystem>
#include <mutex>
#include <set>
#include <string>

namespace scanloupe {

/// The files of a tileset that is being written. File names include a checksum of the content, so that the
/// files of the previous tileset remain valid until the new one is complete.
class NodeFiles {
public:
    explicit NodeFiles(const JobFolder& job) : m_job(job) {}
    /// Removes the new files unless keep() was called.
    ~NodeFiles();
    NodeFiles(const NodeFiles&) = delete;
    NodeFiles& operator=(const NodeFiles&) = delete;

    /// Returns the path for a node's file below the job's folder, e.g. "nodes/0/1_2_3-0123456789abcdef.glb".
    /// Can be called from any thread. @throws EngineError if the folder can't be created, or the path exists
    /// and is not a file of the job
    std::filesystem::path place(const LodNode& node, const Sha256Digest& content, const char* ending);
    /// Keeps the new files, and removes those of earlier tilesets. Call after tileset.json refers to the new
    /// files.
    void keep();

private:
    const JobFolder& m_job;
    std::set<std::filesystem::path> m_files; ///< all files of the tileset, relative to the job's folder
    std::set<std::filesystem::path> m_new;   ///< the subset of m_files that did not exist before
    std::mutex m_mutex;
};

/// Removes the tileset that the job has written, unless it belongs to the surface with this checksum. Removes
/// tileset.json first, so that it never refers to missing files.
void removeOtherTileset(const JobFolder& job, const Sha256Digest& surface);

/// Key of the surface's checksum in the extras of tileset.json.
inline constexpr const char* kSurfaceKey = "mesh_sha256";

} // namespace scanloupe
