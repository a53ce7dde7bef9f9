#pragma once
// Writers. Every one writes to a temporary file beside the target, flushes it and renames it over the target,
// so that a failed or cancelled export leaves the old file whole.
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

/// What the channels of the voxels' means are called, and what their values are relative to.
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
    Vec3d origin; ///< what the data is relative to; files get file coordinates
    ProgressFunction progress;
    std::span<const MeshChannel> channels = {}; ///< of a mesh's vertices; written where the format can
};

/// Writes through a temporary file: `write` fills the stream; a full disk, a read-only folder and a missing
/// one are each told as such. Links are written through, also to what is not there yet; devices and pipes
/// take the bytes themselves. A replaced file's owner, group, rights, access control list and user's
/// attributes are kept as far as the system lets us. `stop` ends waiting for somebody who reads a pipe;
/// without one, a pipe that nobody reads is refused after two seconds. @throws EngineError; Cancelled; what
/// `write` throws.
void writeAtomically(const std::filesystem::path& target, const std::function<void(std::ostream&)>& write,
                     const std::stop_token& stop = {});

/// The file that writing to `target` makes or replaces: where its links lead, whether or not that is there.
/// @throws EngineError when they lead nowhere.
std::filesystem::path writtenFile(const std::filesystem::path& target);

/// .ply (binary little endian, double when the origin is not zero), .stl (binary), .obj, .glb, by the path's
/// ending. `vertexColours` [M] RGBA or empty; STL can't hold them. Channels go into .ply and .glb. @throws
/// EngineError; Cancelled.
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
/// y, z, intensity), by the ending; all attributes where the format can. Coordinates keep the file's own
/// type. @throws EngineError; Cancelled.
void writeCloud(const std::filesystem::path& target, const PointCloud& cloud, const WriteOptions& options,
                const std::stop_token& stop);

/// What the cloud would lose in the target's format, a sentence each without its full stop: "left out: ...".
/// @throws Cancelled
std::vector<std::string> cloudLosses(const std::filesystem::path& target, const PointCloud& cloud,
                                     const std::stop_token& stop);

/// The same of a mesh that is written with these options: values at vertices, colours where it has some, and
/// where an STL's coordinates are, which are relative to the origin.
std::vector<std::string> meshLosses(const std::filesystem::path& target, bool hasColours,
                                    const WriteOptions& options);

/// .png. @throws EngineError; Cancelled
void writeImage(const std::filesystem::path& target, const Image& image, const std::stop_token& stop = {});

/// Gives rows of an image from row `first` on, one or more whole ones: [rows, width] RGBA, good until it is
/// asked again.
using RowSource = std::function<std::span<const std::uint32_t>(int first)>;
/// .png, of an image that need never be whole in memory: its rows are asked for from the first to the last.
/// @throws EngineError; Cancelled; what `rowsFrom` throws
void writeImage(const std::filesystem::path& target, int width, int height, const RowSource& rowsFrom,
                const std::stop_token& stop = {});

/// Endings that each writer knows, with their dot.
const std::vector<std::string>& meshEndings();
const std::vector<std::string>& voxelEndings();
const std::vector<std::string>& cloudEndings();

} // namespace scanloupe
