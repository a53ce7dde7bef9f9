#pragma once
// Declares the writers of clouds, meshes, voxels and images. All functions that write to a path use
// writeAtomically().
#include "engine/io/common/write/write_atomically.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/raster/core/raster_scene.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scanloupe {

struct Category;
class PointCloud;
struct VoxelChannel;
struct WriteOptions;

/// Writes a mesh as .ply (binary little endian; double precision if the origin is not zero), .stl (binary),
/// .obj or .glb, according to the extension. Only .ply and .glb store WriteOptions::channels.
/// @param vertexColours [vertices] RGBA, or empty; not written to STL
/// @throws EngineError; Cancelled
void writeMesh(const std::filesystem::path& target, const TriangleMesh& mesh,
               std::span<const std::uint32_t> vertexColours, const WriteOptions& options,
               const std::stop_token& stop);

/// Writes voxels as .ply (a vertex at each voxel's mean), .csv, .las, .laz, .npz or .npy (a structured array:
/// ix, iy, iz, count, means, classes), according to the extension.
/// @param features names of the channels after the position (channels 3 and up)
/// @param categories the categories of the most frequent classes, written as integers of their types
/// @throws EngineError; Cancelled
void writeVoxels(const std::filesystem::path& target, const VoxelGrid& voxels,
                 std::span<const VoxelChannel> features,
                 std::span<const std::shared_ptr<const Category>> categories, const WriteOptions& options,
                 const std::stop_token& stop);

/// Values of the cells of a dense grid.
enum class DenseValues {
    occupancy, ///< uint8, 1 if the cell contains a point
    counts     ///< uint32, number of points
};
/// Returns the extensions for writing dense grids.
const std::vector<std::string>& denseEndings();
/// Writes all cells of the grid, [dims.z, dims.y, dims.x], as .npy, or as .raw with a sidecar for
/// readVolume(), according to the extension.
/// @throws EngineError if the file can't be written, or if the grid is larger than the available memory;
/// Cancelled
void writeDenseVoxels(const std::filesystem::path& target, const VoxelGrid& voxels, DenseValues values,
                      const WriteOptions& options, const std::stop_token& stop);

/// Writes a cloud as .ply (binary little endian), .pcd (binary), .las, .laz (with LASzip), .csv, .xyz, .txt
/// or .bin (KITTI: x, y, z, intensity), according to the extension. Writes all attributes that the format can
/// store. Coordinates keep the type of the file that the cloud was read from. @throws EngineError; Cancelled
void writeCloud(const std::filesystem::path& target, const PointCloud& cloud, const WriteOptions& options,
                const std::stop_token& stop);

/// Returns messages without a full stop about the parts of the cloud that the target's format can't store.
/// @throws EngineError if attributes can't be loaded; Cancelled
std::vector<std::string> cloudLosses(const std::filesystem::path& target, const PointCloud& cloud,
                                     const std::stop_token& stop);

/// Returns messages without a full stop about the parts of a mesh that the target's format can't store:
/// channels, colours (if `hasColours`), and in STL the origin that coordinates are relative to.
std::vector<std::string> meshLosses(const std::filesystem::path& target, bool hasColours,
                                    const WriteOptions& options);

/// Writes a .png file. @throws EngineError; Cancelled
void writeImage(const std::filesystem::path& target, const Image& image, const std::stop_token& stop = {});

/// Function that returns one or more complete rows of an image, beginning with row `first`: [rows, width]
/// RGBA, valid until the next call.
using RowSource = std::function<std::span<const std::uint32_t>(int first)>;
/// Writes a PNG to a stream. @throws EngineError; exceptions of the stream and of `rowsFrom`
void writePng(std::ostream& stream, int width, int height, const RowSource& rowsFrom);
/// Writes a .png file of an image that need not be in memory as a whole. Rows are requested in ascending
/// order.
/// @throws EngineError; Cancelled; exceptions of `rowsFrom`
void writeImage(const std::filesystem::path& target, int width, int height, const RowSource& rowsFrom,
                const std::stop_token& stop = {});

} // namespace scanloupe
