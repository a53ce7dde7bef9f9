#pragma once
// Declares the octree of COPC files, and the selection of its nodes.
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
    int level = 0;  ///< level in the octree; 0 for the root
    Vec3i place;    ///< index of the cube in its level along x, y, z
    Bounds cube;    ///< bounds of the node in the file's frame
    LazChunk chunk; ///< `count` is the number of points in the hierarchy's entry, not yet checked
};

/// The octree (COPC 1.0, https://copc.io/copc-specification-1.0.pdf). Levels 0 to k together sample the scan
/// with a spacing of about `spacing` / 2^k.
struct CopcOctree {
    double spacing = 0;          ///< distance between points of the root, metres
    std::vector<CopcNode> nodes; ///< in order of levels; empty if the hierarchy is damaged

    std::uint64_t points() const; ///< total over all nodes
};

/// Which pages of the hierarchy to read.
enum class CopcPages : std::uint8_t {
    root, ///< only the page with the coarse levels
    all,
};

/// Returns whether the VLRs of a file identify it as COPC.
bool isCopc(const LasHeader& header, const LaszipVlr& vlr);
/// Reads the octree of a COPC file. @throws EngineError if the file can't be read; Cancelled
CopcOctree readCopcOctree(const InputFile& file, const LasHeader& header, CopcPages pages,
                          const std::stop_token& stop);

/// Returns the chunks of nodes that intersect the range, of all levels required for the resolution, in the
/// order of the file.
std::vector<LazChunk> chooseNodes(const CopcOctree& octree, const OctreeReading& wanted);

/// The chunks required for a view.
struct ViewChunks {
    std::vector<LazChunk> chunks; ///< in the order of the file
    bool isWhole = false;         ///< see ViewNodes::isWhole
    double spacing = 0;           ///< see ViewNodes::spacing
};

/// Returns the chunks of the nodes that a view needs.
ViewChunks chooseNodes(const CopcOctree& octree, const ViewDetail& view);

/// Returns the chunks of the first levels with at most 2 * `points` points in total, but at least the first
/// level. Levels are not split, since the sample would then be denser in a part of the scan.
std::vector<LazChunk> coarseLevels(const CopcOctree& octree, std::size_t points);

/// Reduces `count` of each chunk to the number of points that the chunk itself specifies. @throws EngineError
/// if the file can't be read; Cancelled
void limitToHeld(std::vector<LazChunk>& chunks, const InputFile& file, const LasHeader& header,
                 const LaszipVlr& vlr, const std::stop_token& stop);

} // namespace scanloupe
