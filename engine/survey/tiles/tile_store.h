#pragma once
// Declares the tiles of a survey on the disk, each with the data that a later run requires to resume the job.
#include "engine/survey/source/survey_source.h"
#include "engine/survey/tiles/bricks_file.h"
#include "engine/survey/tiles/job_folder.h"
#include "engine/survey/tiles/tile_surface.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// A file of a tile.
struct TileFile {
    std::string path; ///< relative to the folder
    std::uint64_t bytes = 0;
    std::uint32_t crc = 0; ///< CRC-32 of the content

    bool exists() const { return !path.empty(); }
};

/// File name extensions of a tile's files.
struct TileEndings {
    std::string mesh;        ///< ".ply" or ".glb"
    std::string voxels = {}; ///< one of voxelEndings(); empty: only meshes are written
};

/// A tile that is completely written.
struct TileRecord {
    std::size_t tile = 0;
    std::uint64_t points = 0, voxels = 0;
    std::uint64_t vertices = 0, seamVertices = 0, triangles = 0;
    TileFile mesh, voxelFile; ///< without a path if the tile has no such file, or none was requested
    std::uint64_t parts = 0;  ///< sum of identityOf() of the parts near the tile
    /// Names of parts near the tile that could not be read completely. The tile may lack their points, and is
    /// computed again by the next run.
    std::vector<std::string> missing;
};

/// The tiles of a job in its folder. The files of a tile are written in this order: the bricks of its mesh
/// (.bricks), the mesh (tiles/X_Y_Z.ply), its voxels (voxels/X_Y_Z.laz), and its record (.json).
class TileStore {
public:
    using Access = JobFolder::Access;

    /// @throws EngineError as JobFolder(), or if the folders for tiles can't be created
    TileStore(std::filesystem::path folder, const TilePlan& plan, const std::string& job, TileEndings endings,
              Access access = Access::alone);
    /// A store for another surface of the same job, with meshes only, in the folder `name` next to "tiles".
    /// @throws EngineError
    TileStore(const TileStore& whole, std::string name);

    JobFolder& job() const { return *m_job; }
    const std::filesystem::path& folder() const { return m_job->path(); }
    bool keepsVoxels() const { return !m_endings.voxels.empty(); } ///< whether TileSurface::grid is written
    /// Returns the record of a tile that an earlier run has finished from the same parts. Returns nullopt if
    /// a file is missing or damaged; the tile is then computed again. @throws EngineError if there are files
    /// that the job has not written
    std::optional<TileRecord> finished(std::size_t tile, std::uint64_t parts) const;
    /// Writes all files of a tile. Can be called from any thread, for different tiles. @throws EngineError;
    /// Cancelled
    TileRecord write(std::size_t tile, const TileSurface& surface, std::uint64_t parts,
                     const std::vector<std::string>& missing, const std::stop_token& stop) const;
    /// Reads the bricks of a tile. @throws EngineError if the file is missing or damaged
    std::vector<PartBrick> bricksOf(std::size_t tile) const;
    std::vector<SeamVertex> seamsOf(std::size_t tile) const;
    /// Returns the checksum of the surface of these tiles. @throws EngineError
    Sha256Digest digestOf(const std::vector<TileRecord>& tiles) const;
    /// Returns the records of all tiles near points in ascending order, including those written by other
    /// processes.
    /// @throws EngineError if a record is missing
    std::vector<TileRecord> tilesOf(const SurveySource& source) const;

private:
    /// Requires that all existing files of a tile were written by the job. This is the case if a valid record
    /// or valid bricks of the tile exist, and the files match the record or begin with the program's mark.
    /// Damaged files are therefore overwritten, but files of other programs are not. @throws EngineError for
    /// other files, and for anything but regular files
    void requireOwn(std::size_t tile) const;
    /// Whether the size and the checksum of the file match the record.
    bool isAsWritten(const TileFile& file) const;
    /// Reads the record of a tile without checking its files. Returns nullopt if the record is missing or
    /// invalid.
    std::optional<TileRecord> recordOf(std::size_t tile) const;
    /// Path of a file of a tile, relative to the folder.
    std::filesystem::path nameOf(std::size_t tile, const std::string& ending) const;
    std::filesystem::path meshNameOf(std::size_t tile) const;
    std::filesystem::path voxelNameOf(std::size_t tile) const;
    TileFile described(const std::filesystem::path& name) const;
    TileBricks bricksOrThrow(std::size_t tile) const;

    std::shared_ptr<JobFolder> m_job;
    const TilePlan& m_plan;
    TileEndings m_endings;
    std::string m_name; ///< name of the folder for meshes
};

} // namespace scanloupe
