#pragma once
// Declares the octree of COPC files, and the choice of its nodes.
#include "engine/cloud/bounds.h"
#include "engine/io/las/laz/laz_chunks.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct OctreeReading;
struct ViewDetail;

/// A node with points: a sample of its cube, without the points of its ancestors.
struct CopcNode {
    int level = 0;  ///< 0: the root
    Vec3i place;    ///< index of the cube in its level
    Bounds cube;    ///< in the file's frame
    LazChunk chunk; ///< chunk with the number of points that the hierarchy claims
};

/// COPC 1.0, https://copc.io/copc-specification-1.0.pdf. Levels 0 to k together sample the scan at a spacing
/// of about `spacing` / 2^k.
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

/// Whether a file declares itself as COPC.
bool isCopc(const LasHeader& header, const LaszipVlr& vlr);
/// Reads the octree of a COPC file. @throws EngineError when the file can't be read; Cancelled
CopcOctree readCopcOctree(const InputFile& file, const LasHeader& header, CopcPages pages,
                          const std::stop_token& stop);

/// The chunks of the nodes that intersect the range, of the levels required for the resolution, in the order
/// of the file.
std::vector<LazChunk> chooseNodes(const CopcOctree& octree, const OctreeReading& wanted);

/// Chunks that a view needs.
struct ViewChunks {
    std::vector<LazChunk> chunks; ///< in the order of the file
    bool isWhole = false;         ///< as of ViewNodes
    double spacing = 0;
};
ViewChunks chooseNodes(const CopcOctree& octree, const ViewDetail& view);

/// The chunks of the first levels with at most 2 * `points` points in total, but at least the first level.
/// Parts of a level would show one side of the scan more densely than the other.
std::vector<LazChunk> coarseLevels(const CopcOctree& octree, std::size_t points);

/// Limits the chunks' points to those that are stored in the chunks themselves. @throws as readCopcOctree
void limitToHeld(std::vector<LazChunk>& chunks, const InputFile& file, const LasHeader& header,
                 const LaszipVlr& vlr, const std::stop_token& stop);

} // namespace scanloupe
