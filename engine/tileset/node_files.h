#pragma once
// Declares the files of a tileset below nodes/.
#include "engine/tiles/job_folder.h"
#include "engine/tileset/lod_grid.h"
#include "kernels/core/sha256.h"

#include <filesystem>
#include <mutex>
#include <set>
#include <string>

namespace scanloupe {

/// The files of a tileset that is being written. Their names include a checksum of their content, so that the
/// files of the previous tileset stay unchanged until the new one is complete.
class NodeFiles {
public:
    explicit NodeFiles(const JobFolder& job) : m_job(job) {}
    /// Removes the new files, unless they were kept.
    ~NodeFiles();
    NodeFiles(const NodeFiles&) = delete;
    NodeFiles& operator=(const NodeFiles&) = delete;

    /// Where to write a file of a node: below the job's folder, as "nodes/0/1_2_3-0123456789abcdef.glb". From
    /// any thread. @throws EngineError when its folder can't be made, or its path is taken by anything but a
    /// file or a folder of the job
    std::filesystem::path place(const LodNode& node, const Sha256Digest& content, const char* ending);
    /// Once tileset.json names them: keeps the files, and removes those of earlier tilesets.
    void keep();

private:
    const JobFolder& m_job;
    std::set<std::filesystem::path> m_files; ///< files in the job's folder
    std::set<std::filesystem::path> m_new;   ///< those of m_files that didn't exist before
    std::mutex m_mutex;
};

/// Removes the tileset that a job has written, if there is one, unless it is of the surface with this
/// checksum. First its tileset.json, so that it never names missing files.
void removeOtherTileset(const JobFolder& job, const Sha256Digest& surface);

/// Key of the surface's checksum in the extras of tileset.json.
inline constexpr const char* kSurfaceKey = "mesh_sha256";

} // namespace scanloupe
