#pragma once
// Declares the scratch files of octree nodes that get their content from several tiles.
#include "engine/tileset/lod_mesh.h"

#include <filesystem>
#include <optional>

namespace scanloupe {

/// A folder with a file for each node, which is removed with all of them at the end. Different nodes from
/// different threads.
class LodParts {
public:
    /// @throws EngineError when the folder can't be made
    explicit LodParts(std::filesystem::path folder);
    ~LodParts();
    LodParts(const LodParts&) = delete;
    LodParts& operator=(const LodParts&) = delete;

    /// Adds to what the node has. @throws EngineError when the disk is full
    void append(const LodNode& node, const LeafMesh& mesh) const;
    void append(const LodNode& node, const ClusterMesh& mesh) const;
    /// All that was added. @throws EngineError when it can't be read
    LeafMesh leaf(const LodNode& node) const;
    ClusterMesh cluster(const LodNode& node) const;
    /// As cluster(); none where nothing was added.
    std::optional<ClusterMesh> clusterIfAny(const LodNode& node) const;
    void remove(const LodNode& node) const;

private:
    std::filesystem::path pathOf(const LodNode& node) const;

    std::filesystem::path m_folder;
};

} // namespace scanloupe
