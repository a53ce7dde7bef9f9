#pragma once
// Declares the scratch files of octree nodes whose content comes from several tiles.
#include "engine/io/common/write/own_files.h"
#include "engine/survey/tileset/lod_mesh.h"

#include <filesystem>
#include <optional>

namespace scanloupe {

/// A scratch folder with a file per node. Threads may access different nodes concurrently.
class LodParts {
public:
    /// @param scratch prefix of the folder @throws EngineError if the folder can't be created
    explicit LodParts(const std::filesystem::path& scratch) : m_scratch(scratch) {}

    /// Appends content to a node's file. @throws EngineError if the disk is full
    void append(const LodNode& node, const LeafMesh& mesh) const;
    void append(const LodNode& node, const ClusterMesh& mesh) const;
    /// Reads all content that was appended to a node's file. @throws EngineError if the file can't be read
    LeafMesh leaf(const LodNode& node) const;
    ClusterMesh cluster(const LodNode& node) const;
    /// Like cluster(), but returns nullopt if nothing was appended.
    std::optional<ClusterMesh> clusterIfAny(const LodNode& node) const;
    void remove(const LodNode& node) const;

private:
    std::filesystem::path pathOf(const LodNode& node) const;

    ScratchFolder m_scratch;
};

} // namespace scanloupe
