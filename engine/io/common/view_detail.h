#pragma once
// Declares which nodes of levels of detail a view needs, by the size of their error on the screen.
#include "engine/cloud/bounds.h"
#include "kernels/raster/core/camera.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace scanloupe {

/// A view, and the number of points that may be read for it.
struct ViewDetail {
    Camera camera;               ///< file's frame
    double aspect = 1;           ///< width / height of the picture
    int height = 1000;           ///< pixels of the picture
    std::uint64_t maxPoints = 0; ///< limit for all nodes together; the coarsest nodes are read in any case
    std::optional<Bounds> range; ///< file's frame; nodes outside it are left out
    std::uint64_t maxRangePoints = 0; ///< the range is read completely up to this number of points
    bool operator==(const ViewDetail& other) const;
};

/// How a node's children go together with it.
enum class DetailRefinement : std::uint8_t {
    add,     ///< they add points to their parent, as in COPC
    replace, ///< they replace their parent
};

/// A node of levels of detail. Parents precede their children.
struct DetailNode {
    static constexpr std::uint32_t kNoParent = 0xffffffffu;

    Bounds box;         ///< bounds of its points and its descendants', file's frame
    double spacing = 0; ///< metres between its points, combined with its ancestors'; 0: it has all points
    std::uint64_t points = 0; ///< points of this node alone; 0: it only groups others
    std::uint32_t parent = kNoParent;
    DetailRefinement refinement = DetailRefinement::replace; ///< how its children refine it
};

/// Nodes of a view.
struct ViewNodes {
    std::vector<std::size_t> nodes; ///< ascending
    bool isWhole = false;           ///< all points in the range are read
    double spacing = 0;             ///< metres between points in most of the picture; 0: it is whole
};

/// The nodes to read: those whose points are farthest apart on the screen are refined first, until points are
/// a pixel apart or the limit of points is reached. Nodes outside of the picture stay coarse, unless the
/// range may be read completely.
ViewNodes nodesForView(std::span<const DetailNode> nodes, const ViewDetail& view);

} // namespace scanloupe
