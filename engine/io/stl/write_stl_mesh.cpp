// Writes meshes as binary STL.
#include "engine/cloud/error.h"
#include "engine/io/common/write/write_pieces.h"
#include "engine/io/stl/stl_format.h"
#include "engine/io/stl/write_stl.h"

#include <fmt/format.h>
#include <limits>

namespace scanloupe::detail {

void writeStlMesh(std::ostream& stream, const MeshJob& job) {
    const TriangleMesh& mesh = job.mesh;
    if (mesh.triangleCount() > std::numeric_limits<std::uint32_t>::max())
        throw EngineError(fmt::format("the mesh has {} triangles, but an STL file can have at most {}",
                                      mesh.triangleCount(), std::numeric_limits<std::uint32_t>::max()),
                          "Write the mesh as .ply.");
    std::string title = stlTitle(job.options.origin);
    title.resize(kStlTitleBytes, ' ');
    appendRaw(title, static_cast<std::uint32_t>(mesh.triangleCount()));
    stream.write(title.data(), static_cast<std::streamsize>(title.size()));
    ProgressMeter meter(job.options.progress, mesh.triangleCount());
    writePieces(stream, mesh.triangleCount(), kMeshPiece, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    for (std::size_t t = begin; t < end; ++t) {
                        const Vec3f a = mesh.positions[mesh.indices[3 * t]];
                        const Vec3f b = mesh.positions[mesh.indices[3 * t + 1]];
                        const Vec3f c = mesh.positions[mesh.indices[3 * t + 2]];
                        appendRaw(out, normalized(cross(b - a, c - a)));
                        for (const Vec3f& corner : {a, b, c})
                            appendRaw(out, corner);
                        appendRaw(out, std::uint16_t{0});
                    }
                });
}

void addStlLosses(bool hasColours, const WriteOptions& options, std::vector<std::string>& losses) {
    if (!(options.origin == Vec3d{}))
        losses.push_back(fmt::format("STL has single precision only; coordinates are relative to {}, which "
                                     "must be added to get absolute coordinates",
                                     originText(options.origin)));
    if (hasColours)
        losses.push_back("STL has no colours; they are left out");
    addChannelLoss("STL", options, losses);
}

} // namespace scanloupe::detail
