// Selects nodes of levels of detail for a view.
#include "engine/io/common/view_detail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>

namespace scanloupe {

namespace {

/// The visible half-spaces of a picture, and the size of lengths in the picture.
class Sight {
public:
    explicit Sight(const ViewDetail& view) : m_camera(view.camera), m_height(view.height) {
        const Vec3d forward = normalized(m_camera.target - m_camera.eye),
                    right = normalized(cross(forward, m_camera.up)), up = cross(right, forward);
        if (m_camera.orthographic) {
            const double half = m_camera.orthographicHeight / 2;
            m_planes = {Plane{right, dot(right, m_camera.eye) - half * view.aspect},
                        {right * -1.0, -dot(right, m_camera.eye) - half * view.aspect},
                        {up, dot(up, m_camera.eye) - half},
                        {up * -1.0, -dot(up, m_camera.eye) - half},
                        {forward, -HUGE_VAL}};
            return;
        }
        const double tangent = std::tan(m_camera.verticalFov / 2);
        const auto throughEye = [&](Vec3d inwards) { return Plane{inwards, dot(inwards, m_camera.eye)}; };
        m_planes = {throughEye(normalized(forward * (tangent * view.aspect) + right)),
                    throughEye(normalized(forward * (tangent * view.aspect) - right)),
                    throughEye(normalized(forward * tangent + up)),
                    throughEye(normalized(forward * tangent - up)), throughEye(forward)};
    }

    bool sees(const Bounds& box) const {
        return std::ranges::all_of(m_planes, [&](const Plane& plane) {
            Vec3d farthest;
            for (int axis = 0; axis < 3; ++axis)
                farthest[axis] = plane.inwards[axis] >= 0 ? box.max[axis] : box.min[axis];
            return dot(plane.inwards, farthest) >= plane.least;
        });
    }

    /// Returns the size in pixels of a length in the nearest part of a box.
    double pixelsOf(double length, const Bounds& box) const {
        if (m_camera.orthographic)
            return length / m_camera.orthographicHeight * m_height;
        Vec3d away;
        for (int axis = 0; axis < 3; ++axis)
            away[axis] =
                std::max({box.min[axis] - m_camera.eye[axis], 0.0, m_camera.eye[axis] - box.max[axis]});
        const double distance = std::max(norm(away), length);
        return length / distance * m_height / (2 * std::tan(m_camera.verticalFov / 2));
    }

private:
    struct Plane {
        Vec3d inwards;
        double least = 0; ///< minimum of the dot product with points in the half-space
    };
    static Vec3d normalized(Vec3d v) {
        const double length = norm(v);
        return length > 0 ? v / length : v;
    }

    Camera m_camera;
    double m_height;
    std::array<Plane, 5> m_planes;
};

/// Returns the median spacing of the finest nodes that are read, weighted by their size on the screen.
double spacingIn(const Sight& sight, std::span<const DetailNode> nodes, const std::vector<char>& isRead,
                 const std::vector<char>& isRefined, int height) {
    std::vector<std::pair<double, double>> spacings; // spacings and their weights
    double all = 0;
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
        const DetailNode& one = nodes[node];
        if (!isRead[node] || isRefined[node] || one.points == 0 || !sight.sees(one.box))
            continue;
        // The finest nodes have no spacing of their own; it is derived from that of the parent.
        const double spacing = one.spacing > 0                       ? one.spacing
                               : one.parent != DetailNode::kNoParent ? nodes[one.parent].spacing / 2
                                                                     : 0;
        const double pixels =
            std::min(sight.pixelsOf(norm(one.box.max - one.box.min), one.box), double(height));
        if (spacing > 0) {
            spacings.emplace_back(spacing, pixels * pixels);
            all += pixels * pixels;
        }
    }
    std::ranges::sort(spacings);
    double sum = 0;
    for (const auto& [spacing, weight] : spacings) {
        sum += weight;
        if (sum >= all / 2)
            return spacing;
    }
    return 0;
}

} // namespace

bool ViewDetail::operator==(const ViewDetail& other) const {
    return camera == other.camera && aspect == other.aspect && height == other.height &&
           maxPoints == other.maxPoints && maxRangePoints == other.maxRangePoints &&
           range.has_value() == other.range.has_value() &&
           (!range || (range->min == other.range->min && range->max == other.range->max));
}

ViewNodes nodesForView(std::span<const DetailNode> nodes, const ViewDetail& view) {
    const auto replaces = [&](std::uint32_t node) {
        return nodes[node].refinement == DetailRefinement::replace;
    };
    const auto isInRange = [&](const DetailNode& node) {
        for (int axis = 0; view.range && axis < 3; ++axis)
            if (node.box.min[axis] > view.range->max[axis] || node.box.max[axis] < view.range->min[axis])
                return false;
        return true;
    };
    std::vector<std::uint32_t> roots;
    std::vector<std::vector<std::uint32_t>> children(
        nodes.size()); // children of each node that overlap the range
    std::vector<char> isRefinable(nodes.size());
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
        if (nodes[node].parent != DetailNode::kNoParent)
            isRefinable[nodes[node].parent] = 1;
        if (isInRange(nodes[node]))
            (nodes[node].parent == DetailNode::kNoParent ? roots : children[nodes[node].parent])
                .push_back(node);
    }
    std::vector<std::size_t> finest;
    std::uint64_t finestPoints = 0;
    for (std::uint32_t node = 0; node < nodes.size(); ++node)
        if (isInRange(nodes[node]) && (!replaces(node) || !isRefinable[node])) {
            finest.push_back(node);
            finestPoints += nodes[node].points;
        }
    if (finestPoints <= std::max(view.maxPoints, view.range ? view.maxRangePoints : 0))
        return {std::move(finest), true};

    const Sight sight(view);
    struct Entry {
        double pixels;
        std::uint32_t node;
        bool operator<(const Entry& other) const {
            return pixels != other.pixels ? pixels < other.pixels : node > other.node;
        }
    };
    std::priority_queue<Entry> open;
    std::vector<char> isRead(nodes.size()), isRefined(nodes.size());
    std::uint64_t points = 0;
    const auto add = [&](std::uint32_t node) {
        isRead[node] = 1;
        points += nodes[node].points;
        const bool isEmpty = replaces(node) && nodes[node].points == 0; // a node without points is always
                                                                        // refined
        if (isEmpty && !children[node].empty())
            open.push({HUGE_VAL, node});
        else if (nodes[node].spacing > 0 && sight.sees(nodes[node].box))
            open.push({sight.pixelsOf(nodes[node].spacing, nodes[node].box), node});
    };
    std::ranges::for_each(roots, add);
    while (!open.empty() && open.top().pixels > 1) {
        const std::uint32_t node = open.top().node;
        open.pop();
        std::vector<std::uint32_t> finer = children[node];
        if (!replaces(node))
            std::erase_if(finer, [&](std::uint32_t child) { return !sight.sees(nodes[child].box); });
        std::uint64_t more = 0;
        for (const std::uint32_t child : finer)
            more += nodes[child].points;
        const std::uint64_t less = replaces(node) ? nodes[node].points : 0;
        const bool isForced = replaces(node) && nodes[node].points == 0;
        if (finer.empty() || (!isForced && points + more > view.maxPoints + less))
            continue; // a smaller node may still fit
        isRead[node] = !replaces(node);
        isRefined[node] = 1;
        points -= less;
        std::ranges::for_each(finer, add);
    }
    ViewNodes chosen;
    for (std::size_t node = 0; node < nodes.size(); ++node)
        if (isRead[node])
            chosen.nodes.push_back(node);
    chosen.spacing = spacingIn(sight, nodes, isRead, isRefined, view.height);
    return chosen;
}

} // namespace scanloupe
