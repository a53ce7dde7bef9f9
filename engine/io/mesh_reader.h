#pragma once
// Declares the reader of meshes: vertices as from readScan(), and faces.
#include "engine/io/common/face_collector.h"

#include <filesystem>
#include <memory>
#include <stop_token>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// A mesh or a scan, as read from its file.
struct MeshFile {
    std::shared_ptr<const PointCloud> vertices;
    MeshFaces faces; ///< empty for a scan
};

/// Reads a mesh. @throws EngineError if the file can't be read, its format has no readable faces, or the mesh
/// has no triangles; Cancelled
MeshFile readMesh(const std::filesystem::path& path, const ReadOptions& options, const std::stop_token& stop);

/// Like readMesh(), but also accepts scans, which have no faces. @throws EngineError if the file can't be
/// read, or has faces of which none is valid; Cancelled
MeshFile readMeshOrScan(const std::filesystem::path& path, const ReadOptions& options,
                        const std::stop_token& stop);

} // namespace scanloupe
