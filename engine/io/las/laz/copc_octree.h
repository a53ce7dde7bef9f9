#pragma once
// Declares the octree of COPC files, and the choice of its nodes.
#include "engine/io/common/read_options.h"
#include "engine/io/las/laz/laz_chunks.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// A node with points: a sample of those in its cube, which its ancestors don't have.
struct CopcNode {
    int level = 0;  ///< 0: the root
    Vec3i place;    ///< in cubes of its level
    Bounds cube;    ///< in the file's frame
    LazChunk chunk; ///< with the points that the hierarchy claims
};

/// COPC 1.0, https://copc.io/copc-specification-1.0.pdf. Levels 0 to k together are the scan with points
/// about `spacing` / 2^k apart.
struct CopcOctree {
    double spacing = 0;          ///< metres between the points of the root
    std::vector<CopcNode> nodes; ///< by level; none if the hierarchy is damaged

    std::uint64_t points() const; ///< of all nodes
};

/// Which pages of the hierarchy are read.
enum class CopcPages : std::uint8_t {
    root, ///< with the coarse levels
    all,
};

/// Whether a file says that it is COPC.
bool isCopc(const LasHeader& header, const LaszipVlr& vlr);
/// Reads the octree of a COPC file. @throws EngineError when the file can't be read; Cancelled
CopcOctree readCopcOctree(const InputFile& file, const LasHeader& header, CopcPages pages,
                          const std::stop_token& stop);

/// The chunks of the nodes that meet the range, of the levels that are needed at the resolution, in the order
/// of the file.
std::vector<LazChunk> chooseNodes(const CopcOctree& octree, const OctreeReading& wanted);

/// Chunks that a view needs.
struct ViewChunks {
    std::vector<LazChunk> chunks; ///< in the order of the file
    bool isWhole = false;         ///< as of ViewNodes
    double spacing = 0;
};
ViewChunks chooseNodes(const CopcOctree& octree, const ViewDetail& view);

/// The chunks of the first levels with at most twice so many points in all, but the first of them in any
/// case. Parts of a level would show one side of the scan more densely than the other.
std::vector<LazChunk> coarseLevels(const CopcOctree& octree, std::size_t points);

/// Limits the chunks' points to those that stand in the chunks themselves. @throws as readCopcOctree
void limitToHeld(std::vector<LazChunk>& chunks, const InputFile& file, const LasHeader& header,
                 const LaszipVlr& vlr, const std::stop_token& stop);

} // namespace scanloupe
