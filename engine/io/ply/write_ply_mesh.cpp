// Writes meshes as binary PLY (Turk, "The PLY Polygon File Format", 1994).
#include "engine/io/common/write/write_pieces.h"
#include "engine/io/ply/ply_type.h"
#include "engine/io/ply/write_ply.h"
#include "kernels/core/scalar_type.h"

#include <fmt/format.h>

namespace scanloupe::detail {

namespace {

ScalarType typeOf(const MeshChannel& channel) {
    if (channel.category)
        return channel.category->type;
    return isDouble(channel.channel) ? ScalarType::float64 : ScalarType::float32;
}

void appendValue(std::string& out, const MeshChannel& channel, std::size_t vertex) {
    if (channel.category && sizeOf(channel.category->type) < sizeof(double))
        visitScalar(channel.category->type, [&]<class T>(std::type_identity<T>) {
            appendRaw(out, static_cast<T>(channel.category->values[channel.codes[vertex]]));
        });
    else if (channel.category)
        appendRaw(out, channel.category->value(channel.codes[vertex]));
    else if (isDouble(channel.channel))
        appendRaw(out, double(channel.values[vertex]) + channel.channel.offset);
    else
        appendRaw(out, channel.values[vertex]);
}

} // namespace

void writePlyMesh(std::ostream& stream, const MeshJob& job) {
    const TriangleMesh& mesh = job.mesh;
    const Vec3d origin = job.options.origin;
    const bool moved = !(origin == Vec3d{});
    const char* type = moved ? "double" : "float";
    std::string header = "ply\nformat binary_little_endian 1.0\ncomment written by Scanloupe\n";
    if (moved)
        header += fmt::format("comment origin {} {} {}\n", origin.x, origin.y, origin.z);
    header += fmt::format("element vertex {}\nproperty {} x\nproperty {} y\nproperty {} z\n",
                          mesh.vertexCount(), type, type, type);
    header += "property float nx\nproperty float ny\nproperty float nz\n";
    if (!job.colours.empty())
        header += "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n";
    const std::vector<std::string> names = channelNames(job.options.channels);
    for (std::size_t c = 0; c < names.size(); ++c)
        header += fmt::format("property {} {}\n", plyType(typeOf(job.options.channels[c])), names[c]);
    header += fmt::format("element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
                          mesh.triangleCount());
    stream << header;
    ProgressMeter meter(job.options.progress, mesh.vertexCount() + mesh.triangleCount());
    writePieces(stream, mesh.vertexCount(), kMeshPiece, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                        if (moved)
                            appendRaw(out, toFileFrame(mesh.positions[i], origin));
                        else
                            appendRaw(out, mesh.positions[i]);
                        appendRaw(out, mesh.normals[i]);
                        if (!job.colours.empty())
                            appendRaw(out, job.colours[i]);
                        for (const MeshChannel& channel : job.options.channels)
                            appendValue(out, channel, i);
                    }
                });
    writePieces(stream, mesh.triangleCount(), kMeshPiece, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    for (std::size_t t = begin; t < end; ++t) {
                        out.push_back(3);
                        for (std::size_t corner = 0; corner < 3; ++corner)
                            appendRaw(out, mesh.indices[3 * t + corner]);
                    }
                });
}

} // namespace scanloupe::detail
