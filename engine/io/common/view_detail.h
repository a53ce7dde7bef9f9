#pragma once
// Declares the selection of nodes of levels of detail for a view, by the size of their spacing on the screen.
#include "engine/cloud/bounds.h"
#include "kernels/raster/core/camera.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace scanloupe {

/// A view, and the number of points that may be read for it.
struct ViewDetail {
    Camera camera;               ///< in the file's frame
    double aspect = 1;           ///< width / height of the picture
    int height = 1000;           ///< height of the picture, pixels
    std::uint64_t maxPoints = 0; ///< maximum number of points of all nodes; the coarsest nodes are always
                                 ///< read
    std::optional<Bounds> range; ///< in the file's frame; nodes outside are left out
    std::uint64_t maxRangePoints = 0; ///< up to this number of points, the range is read completely
    bool operator==(const ViewDetail& other) const;
};

/// How the points of child nodes relate to the points of their parent.
enum class DetailRefinement : std::uint8_t {
    add,     ///< children contain additional points, as in COPC
    replace, ///< children replace the points of their parent
};

/// A node of levels of detail. Parents precede their children.
struct DetailNode {
    static constexpr std::uint32_t kNoParent = 0xffffffffu;

    Bounds box; ///< bounds of the points of this node and its descendants, in the file's frame
    double spacing =
        0; ///< distance between the points of this node and its ancestors, metres; 0: all points are included
    std::uint64_t points = 0; ///< number of points in this node alone; 0: it only groups other nodes
    std::uint32_t parent = kNoParent;
    DetailRefinement refinement = DetailRefinement::replace; ///< how the children refine the node
};

/// The nodes to read for a view.
struct ViewNodes {
    std::vector<std::size_t> nodes; ///< ascending
    bool isWhole = false;           ///< whether all points in the range are read
    double spacing = 0; ///< distance between points in most of the picture, metres; 0 if `isWhole`
};

/// Selects the nodes to read. Nodes whose points are farthest apart on the screen are refined first, until
/// points are one pixel apart or the point limit is reached. Nodes outside the picture stay coarse, unless
/// the range may be read completely.
ViewNodes nodesForView(std::span<const DetailNode> nodes, const ViewDetail& view);

} // namespace scanloupe
