#pragma once
// Declares the scratch files of octree nodes with content from several tiles.
#include "engine/io/common/write/own_files.h"
#include "engine/tileset/lod_mesh.h"

#include <filesystem>
#include <optional>

namespace scanloupe {

/// A scratch folder with a file for each node. Different nodes from different threads.
class LodParts {
public:
    /// @param scratch prefix of the folder @throws EngineError when it can't be made
    explicit LodParts(const std::filesystem::path& scratch) : m_scratch(scratch) {}

    /// Appends to the node's content. @throws EngineError when the disk is full
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

    ScratchFolder m_scratch;
};

} // namespace scanloupe
