// Writes meshes as Wavefront OBJ (Wavefront Technologies, "The Advanced Visualizer Manual", appendix B1).
#include "engine/io/common/write/write_pieces.h"
#include "engine/io/obj/write_obj.h"

#include <fmt/format.h>

namespace scanloupe::detail {

namespace {

void appendColour(std::string& out, std::uint32_t rgba) {
    for (int shift = 0; shift < 24; shift += 8) {
        out.push_back(' ');
        appendNumber(out, static_cast<float>(rgba >> shift & 0xff) / 255.0f);
    }
}

void appendVertex(std::string& out, const MeshJob& job, std::size_t i) {
    const bool moved = !(job.options.origin == Vec3d{});
    const Vec3d place = toFileFrame(job.mesh.positions[i], job.options.origin);
    out += 'v';
    for (int axis = 0; axis < 3; ++axis) {
        out.push_back(' ');
        // written as float if possible, since a float needs fewer digits than a double of the same value
        if (moved)
            appendNumber(out, place[axis]);
        else
            appendNumber(out, job.mesh.positions[i][axis]);
    }
    if (!job.colours.empty())
        appendColour(out, job.colours[i]);
    out += "\nvn";
    for (int axis = 0; axis < 3; ++axis) {
        out.push_back(' ');
        appendNumber(out, job.mesh.normals[i][axis]);
    }
    out.push_back('\n');
}

} // namespace

void writeObjMesh(std::ostream& stream, const MeshJob& job) {
    const TriangleMesh& mesh = job.mesh;
    stream << "# written by Scanloupe\n";
    ProgressMeter meter(job.options.progress, mesh.vertexCount() + mesh.triangleCount());
    writePieces(stream, mesh.vertexCount(), kMeshPiece, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i)
                        appendVertex(out, job, i);
                });
    writePieces(stream, mesh.triangleCount(), kMeshPiece, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    for (std::size_t t = begin; t < end; ++t) {
                        out.push_back('f');
                        for (std::size_t corner = 0; corner < 3; ++corner) {
                            const std::uint64_t id = std::uint64_t{mesh.indices[3 * t + corner]} + 1;
                            out.push_back(' ');
                            appendNumber(out, id);
                            out += "//";
                            appendNumber(out, id);
                        }
                        out.push_back('\n');
                    }
                });
}

void addObjLosses(bool, const WriteOptions& options, std::vector<std::string>& losses) {
    addChannelLoss("OBJ", options, losses);
}

} // namespace scanloupe::detail
