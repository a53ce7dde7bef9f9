#pragma once
// Defines the argument of all mesh writers. Each fills a stream, which throws when it can't be written.
#include "engine/io/common/write/write_options.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <ostream>
#include <stop_token>

namespace scanloupe::detail {

/// A mesh and how it is to be written.
struct MeshJob {
    const TriangleMesh& mesh;
    std::span<const std::uint32_t> colours; ///< [M] RGBA or empty
    const WriteOptions& options;
    const std::stop_token& stop;
};

/// Unique property names of the channels in a file, of letters, digits and underscores. The names of
/// coordinates, normals and colours are reserved.
std::vector<std::string> channelNames(std::span<const MeshChannel> channels);
/// Adds that the values at vertices are left out in `format`.
void addChannelLoss(const char* format, const WriteOptions& options, std::vector<std::string>& losses);
/// Whether values need double precision: single precision holds them unless an offset was subtracted.
inline bool isDouble(const VoxelChannel& channel) {
    return channel.offset != 0;
}

/// Rows in a piece of output: a few milliseconds of work.
inline constexpr std::size_t kMeshPiece = std::size_t{1} << 13;

} // namespace scanloupe::detail
