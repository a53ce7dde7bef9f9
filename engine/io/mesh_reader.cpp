// Reads vertices and faces of meshes by the table of formats.
#include "engine/io/mesh_reader.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/formats.h"
#include "engine/io/scan_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace scanloupe {

MeshFile readMesh(const std::filesystem::path& path, const ReadOptions& options,
                  const std::stop_token& stop) {
    const InputFile file(path);
    const FileFormat* format = detectFormat(file);
    if (format && !format->readFaces) {
        std::vector<std::string> endings;
        for (const FileFormat& one : fileFormats())
            if (one.readFaces)
                endings.insert(endings.end(), one.endings.begin(), one.endings.end());
        throw EngineError(
            fmt::format("'{}' is a {} file; triangles can't be read from this format", file.name(),
                        format->name),
            fmt::format("Save the model as a mesh in one of these formats: {}.", fmt::join(endings, ", ")));
    }
    MeshFile mesh = readMeshOrScan(path, options, stop);
    if (mesh.faces.indices.empty())
        throw EngineError(
            fmt::format("'{}' has {} points, but no triangles", file.name(), mesh.vertices->size()),
            "Use a mesh, such as an STL of the model.");
    return mesh;
}

MeshFile readMeshOrScan(const std::filesystem::path& path, const ReadOptions& options,
                        const std::stop_token& stop) {
    const InputFile file(path);
    const FileFormat* format = detectFormat(file);
    MeshFile mesh;
    mesh.vertices = readScan(path, options, stop); // rejects files of unknown format
    if (!format || !format->readFaces)
        return mesh;
    FaceCollector faces(*mesh.vertices);
    format->readFaces(file, faces, stop);
    mesh.faces = faces.finish();
    if (mesh.faces.indices.empty() && mesh.faces.polygons > 0)
        throw EngineError(fmt::format("None of the {} faces of '{}' has three existing vertices",
                                      mesh.faces.polygons, file.name()),
                          "Use a mesh as the reference, such as an STL of the model.");
    return mesh;
}

} // namespace scanloupe
