#pragma once
// Declares the octree of COPC files, and the choice of its nodes.
#include "engine/io/common/read_options.h"
#include "engine/io/las/laz/laz_chunks.h"

#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

/// A node with points: a sample of those in its cube, which its ancestors don't have.
struct CopcNode {
    int level = 0; ///< 0: the root
    Bounds cube;   ///< in the file's frame
    LazChunk chunk;
};

/// COPC 1.0, https://copc.io/copc-specification-1.0.pdf. Levels 0 to k together are the scan with points
/// about `spacing` / 2^k apart.
struct CopcOctree {
    double spacing = 0;          ///< metres between the points of the root
    std::vector<CopcNode> nodes; ///< by level
};

/// Which pages of the hierarchy are read.
enum class CopcPages : std::uint8_t {
    root, ///< with the coarse levels
    all,
};

/// Reads the octree as far as it is in the file; null of a file that is not COPC.
std::optional<CopcOctree> readCopcOctree(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                                         CopcPages pages);

/// The chunks of the nodes that meet the range, of the coarsest levels that have points at the resolution, in
/// the order of the file.
std::vector<LazChunk> chooseNodes(const CopcOctree& octree, const OctreeReading& wanted);

/// The chunks of the first levels with at most twice so many points in all, but the first of them in any
/// case. Parts of a level would show one side of the scan more densely than the other.
std::vector<LazChunk> coarseLevels(const CopcOctree& octree, std::size_t points);

} // namespace scanloupe
