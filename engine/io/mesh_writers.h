#pragma once
// Declares the mesh writers, one function a format; each fills a stream that throws when it can't be written.
#include "engine/io/writers.h"

namespace scanloupe::detail {

/// A mesh and how it is to be written.
struct MeshJob {
    const TriangleMesh& mesh;
    std::span<const std::uint32_t> colours; ///< [M] RGBA or empty
    const WriteOptions& options;
    const std::stop_token& stop;
};

/// Binary, little endian; coordinates are double when the origin is not zero, and a comment names the origin.
void writePlyMesh(std::ostream& stream, const MeshJob& job);
/// Binary. STL has single precision only: coordinates are relative to the origin, which the file's title
/// names.
void writeStlMesh(std::ostream& stream, const MeshJob& job);
/// Text with normals. Colours follow the coordinates on the lines of vertices, as most programs read them.
void writeObjMesh(std::ostream& stream, const MeshJob& job);
/// Binary glTF 2.0. Coordinates are relative to the origin, which is the translation of the mesh's node; its
/// parent node rotates z up to y up. Both this and the linear colours are required by glTF.
void writeGlbMesh(std::ostream& stream, const MeshJob& job);

/// Unique property names of the channels in a file, of letters, digits and underscores. The names of
/// coordinates, normals and colours are reserved.
std::vector<std::string> channelNames(std::span<const MeshChannel> channels);
/// Formats the origin of coordinates for messages and for the title of an STL file: "512800 5403700 250".
std::string originText(Vec3d origin);
/// Whether values need double precision: single precision holds them unless an offset was subtracted.
inline bool isDouble(const VoxelChannel& channel) {
    return channel.offset != 0;
}

/// Rows in a piece of output: a few milliseconds of work.
inline constexpr std::size_t kMeshPiece = std::size_t{1} << 13;

} // namespace scanloupe::detail
