// Measures groups of points with the instruction set of the build.
#include "kernels/mesh/distance/point_group.h"

namespace scanloupe::cpu {

bool addCandidates(std::span<const TriangleSlabs> triangles, const Box3f& box, PointGroup& group) {
    return addCandidatesInline<2>(triangles, box, group);
}

void measureCandidates(PointGroup& group) {
    measureCandidatesInline<2>(group);
}

} // namespace scanloupe::cpu
