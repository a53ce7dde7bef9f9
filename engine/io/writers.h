#pragma once
// Declares the writers of clouds, meshes, voxels and images. All of them write like writeAtomically().
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

/// Writes a mesh as .ply (binary little endian, double if the origin is not zero), .stl (binary), .obj or
/// .glb, according to the extension. Channels are only written to .ply and .glb.
/// @param vertexColours [M] RGBA or empty; not written to STL @throws EngineError; Cancelled.
void writeMesh(const std::filesystem::path& target, const TriangleMesh& mesh,
               std::span<const std::uint32_t> vertexColours, const WriteOptions& options,
               const std::stop_token& stop);

/// Writes .ply (one vertex per voxel at its mean), .csv or .npy (structured: ix, iy, iz, count, means,
/// classes), chosen by the path's extension. `features` names channels 3 and up, `categories` the modes, each
/// written as integers of its type. @throws EngineError; Cancelled.
void writeVoxels(const std::filesystem::path& target, const VoxelGrid& voxels,
                 std::span<const VoxelChannel> features,
                 std::span<const std::shared_ptr<const Category>> categories, const WriteOptions& options,
                 const std::stop_token& stop);

/// The values of cells in dense grids.
enum class DenseValues {
    occupancy, ///< uint8, 1 if the cell contains a point
    counts     ///< uint32, number of points
};
/// Returns the extensions for writing dense grids.
const std::vector<std::string>& denseEndings();
/// All cells of the grid, [dims.z, dims.y, dims.x], by the path's ending: .npy, or .raw with its sidecar, as
/// readVolume reads them.
/// @throws EngineError, before it writes, when they would not fit into the memory that is available;
/// Cancelled
void writeDenseVoxels(const std::filesystem::path& target, const VoxelGrid& voxels, DenseValues values,
                      const WriteOptions& options, const std::stop_token& stop);

/// .ply (binary little endian), .pcd (binary), .las, .laz (with LASzip), .csv / .xyz / .txt, .bin (KITTI: x,
/// y, z, intensity), by the ending; with all attributes where the format can hold them. Coordinates keep the
/// type that they had in their file. @throws EngineError; Cancelled.
void writeCloud(const std::filesystem::path& target, const PointCloud& cloud, const WriteOptions& options,
                const std::stop_token& stop);

/// Describes what the cloud would lose in the target's format, as messages without a full stop: "left out:
/// ...". @throws Cancelled
std::vector<std::string> cloudLosses(const std::filesystem::path& target, const PointCloud& cloud,
                                     const std::stop_token& stop);

/// Describes what a mesh would lose that is written with these options: values at vertices, colours where it
/// has some, and in STL the origin that the coordinates are relative to.
std::vector<std::string> meshLosses(const std::filesystem::path& target, bool hasColours,
                                    const WriteOptions& options);

/// Writes a .png file. @throws EngineError; Cancelled
void writeImage(const std::filesystem::path& target, const Image& image, const std::stop_token& stop = {});

/// Returns one or more complete rows of an image from row `first` on: [rows, width] RGBA, valid until the
/// next call.
using RowSource = std::function<std::span<const std::uint32_t>(int first)>;
/// Writes a PNG to a stream. @throws EngineError; exceptions of the stream and of `rowsFrom`
void writePng(std::ostream& stream, int width, int height, const RowSource& rowsFrom);
/// .png, of an image that need never be in memory as a whole: its rows are requested from first to last.
/// @throws EngineError; Cancelled; exceptions of `rowsFrom`
void writeImage(const std::filesystem::path& target, int width, int height, const RowSource& rowsFrom,
                const std::stop_token& stop = {});

} // namespace scanloupe
