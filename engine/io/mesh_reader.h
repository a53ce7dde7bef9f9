#pragma once
// Reads meshes: vertices as readScan() does, and faces.
#include "engine/io/common/face_collector.h"

#include <filesystem>
#include <memory>
#include <stop_token>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// A mesh as its file has it, or a scan.
struct MeshFile {
    std::shared_ptr<const PointCloud> vertices;
    MeshFaces faces; ///< empty for a scan
};

/// @throws EngineError when the file can't be read, is of a format without meshes, or has no triangles;
/// Cancelled.
MeshFile readMesh(const std::filesystem::path& path, const ReadOptions& options, const std::stop_token& stop);

/// As readMesh, but also accepts scans of points: then there are no faces. @throws EngineError when the file
/// can't be read, or none of its faces is a triangle; Cancelled.
MeshFile readMeshOrScan(const std::filesystem::path& path, const ReadOptions& options,
                        const std::stop_token& stop);

} // namespace scanloupe
