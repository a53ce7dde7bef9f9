#pragma once
// Declares the tiles of a survey on the disk: each is written with the data that a later run needs to resume
// the job.
#include "engine/tiles/bricks_file.h"
#include "engine/tiles/job_folder.h"
#include "engine/tiles/survey/survey_source.h"
#include "engine/tiles/tile_surface.h"

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
    std::uint32_t crc = 0; ///< CRC-32

    bool exists() const { return !path.empty(); }
};

/// The endings of a tile's files.
struct TileEndings {
    std::string mesh;        ///< ".ply" or ".glb"
    std::string voxels = {}; ///< empty: meshes only; or one of voxelEndings()
};

/// A tile that is complete on the disk.
struct TileRecord {
    std::size_t tile = 0;
    std::uint64_t points = 0, voxels = 0;
    std::uint64_t vertices = 0, seamVertices = 0, triangles = 0;
    TileFile mesh, voxelFile; ///< no path: it has none, or none was requested
    std::uint64_t parts = 0;  ///< sum of the identities of the parts near it
    /// Parts near it that could not be read, or not to their end: it may lack points of theirs, and is
    /// computed again by the next run.
    std::vector<std::string> missing;
};

/// The tiles of one job in its folder: of each tile the bricks of its mesh (.bricks), written first, the mesh
/// (tiles/X_Y_Z.ply), its voxels (voxels/X_Y_Z.laz) and, written last, its record (.json).
class TileStore {
public:
    using Access = JobFolder::Access;

    /// @throws EngineError as JobFolder(), also when its folders of tiles can't be made
    TileStore(std::filesystem::path folder, const TilePlan& plan, const std::string& job, TileEndings endings,
              Access access = Access::alone);
    /// Another surface of the same job, meshes only, in the folder `name` next to tiles.
    /// @throws EngineError
    TileStore(const TileStore& whole, std::string name);

    JobFolder& job() const { return *m_job; }
    const std::filesystem::path& folder() const { return m_job->path(); }
    bool keepsVoxels() const { return !m_endings.voxels.empty(); } ///< TileSurface::grid is written
    /// The record of a tile that an earlier run has finished from the same parts; none where something is
    /// missing or damaged: it is then computed again. @throws EngineError when it has files that the job has
    /// not made
    std::optional<TileRecord> finished(std::size_t tile, std::uint64_t parts) const;
    /// From any thread, for different tiles. @throws EngineError; Cancelled
    TileRecord write(std::size_t tile, const TileSurface& surface, std::uint64_t parts,
                     const std::vector<std::string>& missing, const std::stop_token& stop) const;
    /// @throws EngineError
    std::vector<PartBrick> bricksOf(std::size_t tile) const;
    std::vector<SeamVertex> seamsOf(std::size_t tile) const;
    /// The checksum of the surface of these tiles. @throws EngineError
    Sha256Digest digestOf(const std::vector<TileRecord>& tiles) const;
    /// The records of all tiles near points, whichever process has written them, ascending.
    /// @throws EngineError when one is missing
    std::vector<TileRecord> tilesOf(const SurveySource& source) const;

private:
    /// Requires that all existing files of a tile are the job's. They are if a valid record or valid bricks
    /// of the tile exist, and if they match the record or begin with the job's mark: damaged files are
    /// overwritten, files of other programs are not. @throws EngineError for other files, and for anything
    /// but regular files
    void requireOwn(std::size_t tile) const;
    /// Whether size and checksum of the file match the record.
    bool isAsWritten(const TileFile& file) const;
    /// The stored record; its files are not checked.
    std::optional<TileRecord> recordOf(std::size_t tile) const;
    /// The files of a tile, relative to the folder.
    std::filesystem::path nameOf(std::size_t tile, const std::string& ending) const;
    std::filesystem::path meshNameOf(std::size_t tile) const;
    std::filesystem::path voxelNameOf(std::size_t tile) const;
    TileFile described(const std::filesystem::path& name) const;
    TileBricks bricksOrThrow(std::size_t tile) const;

    std::shared_ptr<JobFolder> m_job;
    const TilePlan& m_plan;
    TileEndings m_endings;
    std::string m_name; ///< name of the folder of the meshes
};

} // namespace scanloupe
