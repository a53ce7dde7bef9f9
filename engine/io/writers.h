#pragma once
// Declares the writers of clouds, meshes, voxels and images. Each writes to a temporary file beside the
// target, flushes it and renames it over the target, so that a failed or cancelled export leaves the old file
// intact.
#include "engine/cloud/categories.h"
#include "engine/io/progress.h"
#include "kernels/mesh/triangle_mesh.h"
#include "kernels/raster/rasterizer.h"
#include "kernels/voxelize/voxel_grid.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// The name of a channel of voxel means, and the offset that its values are relative to.
struct VoxelChannel {
    std::string name;
    double offset = 0;
};
/// One value a vertex of a mesh.
struct MeshChannel {
    VoxelChannel channel;
    std::vector<float> values;                          ///< [M] relative to the channel's offset
    std::shared_ptr<const Category> category = nullptr; ///< of values that are classes; or null
    std::vector<std::uint32_t> codes = {};              ///< [M] of `category`
};

struct WriteOptions {
    Vec3d origin; ///< of the data's local frame; files get coordinates of the file's frame
    ProgressFunction progress;
    std::span<const MeshChannel> channels = {}; ///< of a mesh's vertices; written where possible
};

/// Writes through a temporary file, which `write` fills. Symbolic links are followed, even to a file that
/// does not exist yet; devices and pipes are written to directly. Owner, group, permissions, access control
/// list and user extended attributes of a replaced file are kept as far as the system permits. `stop` ends
/// waiting for the reader of a pipe; where no stop is possible, a pipe without a reader is refused after two
/// seconds.
/// @throws EngineError, with messages of their own for a full disk, a read-only folder and a missing folder;
/// Cancelled; exceptions of `write`.
void writeAtomically(const std::filesystem::path& target, const std::function<void(std::ostream&)>& write,
                     const std::stop_token& stop = {});

/// The file that writing to `target` creates or replaces: the end of its symbolic links, whether or not it
/// exists. @throws EngineError when they form a loop.
std::filesystem::path resolveTarget(const std::filesystem::path& target);

/// .ply (binary little endian, double when the origin is not zero), .stl (binary), .obj, .glb, by the path's
/// ending. `vertexColours` [M] RGBA or empty; STL can't hold them. Channels go into .ply and .glb.
/// @throws EngineError; Cancelled.
void writeMesh(const std::filesystem::path& target, const TriangleMesh& mesh,
               std::span<const std::uint32_t> vertexColours, const WriteOptions& options,
               const std::stop_token& stop);

/// .ply (a vertex a voxel at its mean), .csv, .npy (structured: ix, iy, iz, count, means, classes), by the
/// path's ending. `features` names channels 3 and up, `categories` the modes, which are written as integers
/// of their own type. @throws EngineError; Cancelled.
void writeVoxels(const std::filesystem::path& target, const VoxelGrid& voxels,
                 std::span<const VoxelChannel> features,
                 std::span<const std::shared_ptr<const Category>> categories, const WriteOptions& options,
                 const std::stop_token& stop);

/// .ply (binary little endian), .pcd (binary), .las, .laz (with LASzip), .csv / .xyz / .txt, .bin (KITTI: x,
/// y, z, intensity), by the ending; with all attributes where the format can hold them. Coordinates keep the
/// type that they had in their file. @throws EngineError; Cancelled.
void writeCloud(const std::filesystem::path& target, const PointCloud& cloud, const WriteOptions& options,
                const std::stop_token& stop);

/// Describes what the cloud would lose in the target's format, a sentence each without its full stop: "left
/// out: ...". @throws Cancelled
std::vector<std::string> cloudLosses(const std::filesystem::path& target, const PointCloud& cloud,
                                     const std::stop_token& stop);

/// Describes what a mesh would lose that is written with these options: values at vertices, colours where it
/// has some, and in STL the origin that the coordinates are relative to.
std::vector<std::string> meshLosses(const std::filesystem::path& target, bool hasColours,
                                    const WriteOptions& options);

/// .png. @throws EngineError; Cancelled
void writeImage(const std::filesystem::path& target, const Image& image, const std::stop_token& stop = {});

/// Returns one or more complete rows of an image from row `first` on: [rows, width] RGBA, valid until the
/// next call.
using RowSource = std::function<std::span<const std::uint32_t>(int first)>;
/// .png, of an image that need never be in memory as a whole: its rows are requested from first to last.
/// @throws EngineError; Cancelled; exceptions of `rowsFrom`
void writeImage(const std::filesystem::path& target, int width, int height, const RowSource& rowsFrom,
                const std::stop_token& stop = {});

/// Endings that each writer supports, with their dot.
const std::vector<std::string>& meshEndings();
const std::vector<std::string>& voxelEndings();
const std::vector<std::string>& cloudEndings();

} // namespace scanloupe
