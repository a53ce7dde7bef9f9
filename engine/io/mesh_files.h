#pragma once
// One function a mesh format; each fills a stream that throws when it can't be written.
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
/// With normals, and colours after the coordinates as most programs read them.
void writeObjMesh(std::ostream& stream, const MeshJob& job);
/// glTF 2.0. Coordinates are relative to the origin, which is the translation of the mesh's node; the node
/// above turns z up into y up, as glTF wants it. Colours are linear, as glTF wants them.
void writeGlbMesh(std::ostream& stream, const MeshJob& job);

/// What channels are called in a file: each one word of letters, digits and underscores that no other has.
/// Coordinates, normals and colours of the mesh have taken some names.
std::vector<std::string> channelNames(std::span<const MeshChannel> channels);
/// The origin of coordinates for a sentence and for an STL's title: "512800 5403700 250".
std::string originText(Vec3d origin);
/// Single precision holds a value as long as nothing was taken off it.
inline bool isDouble(const VoxelChannel& channel) {
    return channel.offset != 0;
}

/// Rows in a piece of output: a few milliseconds of work.
inline constexpr std::size_t kMeshPiece = std::size_t{1} << 13;

} // namespace scanloupe::detail
