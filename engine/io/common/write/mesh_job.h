#pragma once
// Defines the argument of all mesh writers. A writer fills a stream, which throws if it can't be written.
#include "engine/io/common/write/write_options.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <ostream>
#include <stop_token>

namespace scanloupe::detail {

/// A mesh and the options of its writer.
struct MeshJob {
    const TriangleMesh& mesh;
    std::span<const std::uint32_t> colours; ///< [M] RGBA or empty
    const WriteOptions& options;
    const std::stop_token& stop;
};

/// Returns unique property names for the channels in a file, consisting of letters, digits and underscores.
/// The names of coordinates, normals and colours are reserved.
std::vector<std::string> channelNames(std::span<const MeshChannel> channels);
/// Adds the loss that `format` has no values at vertices.
void addChannelLoss(const char* format, const WriteOptions& options, std::vector<std::string>& losses);
/// Whether values need double precision, which is the case if an offset was subtracted.
inline bool isDouble(const VoxelChannel& channel) {
    return channel.offset != 0;
}

/// Rows per piece of output, a few milliseconds of work.
inline constexpr std::size_t kMeshPiece = std::size_t{1} << 13;

} // namespace scanloupe::detail
