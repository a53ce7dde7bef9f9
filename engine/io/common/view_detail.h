#pragma once
// Declares which nodes of levels of detail a view needs, by the size of their error on the screen.
#include "engine/cloud/point_cloud.h"
#include "kernels/raster/core/camera.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace scanloupe {

/// What is seen, and how much of it may be read.
struct ViewDetail {
    Camera camera;                 ///< file's frame
    double aspect = 1;             ///< width / height of the picture
    int height = 1000;             ///< pixels of the picture
    std::uint64_t mostPoints = 0;  ///< of all nodes together; the coarsest nodes are read in any case
    std::optional<Bounds> range;   ///< file's frame; nodes that don't meet it are left out
    std::uint64_t mostOfRange = 0; ///< points in the range up to which all of them are read
    bool operator==(const ViewDetail& other) const;
};

/// How a node's children go together with it.
enum class DetailRefinement : std::uint8_t {
    add,     ///< they add points to it, as in COPC
    replace, ///< they are read instead of it
};

/// A node of levels of detail. Parents stand before their children.
struct DetailNode {
    static constexpr std::uint32_t kNoParent = 0xffffffffu;

    Bounds box;               ///< of its points and those below, file's frame
    double spacing = 0;       ///< metres between its points, with those above; 0: it has all there are
    std::uint64_t points = 0; ///< of its own; 0: it only holds others together
    std::uint32_t parent = kNoParent;
    DetailRefinement refinement = DetailRefinement::replace; ///< by its children
};

/// Nodes of a view.
struct ViewNodes {
    std::vector<std::size_t> nodes; ///< ascending
    bool isWhole = false;           ///< all that there is in the range
    double spacing = 0;             ///< metres between points in most of the picture; 0: it is whole
};

/// The nodes to read: those whose points are farthest apart on the screen are refined first, until
/// they are a pixel apart or there are as many points as may be read. What lies outside of the picture stays
/// coarse, unless all that lies in the range may be read.
ViewNodes nodesForView(std::span<const DetailNode> nodes, const ViewDetail& view);

} // namespace scanloupe
