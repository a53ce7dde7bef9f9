#pragma once
// Settings that the rows of the registration benchmark share.
#include "kernels/register/ndt/ndt.h"

namespace scanloupe::bench {

inline const char* nameOf(NdtNeighbours neighbours) {
    return neighbours == NdtNeighbours::direct1   ? "direct1"
           : neighbours == NdtNeighbours::direct7 ? "direct7"
                                                  : "direct27";
}

/// Settings of the rows that are timed.
inline NdtParams streetParams(NdtNeighbours neighbours) {
    NdtParams params;
    params.neighbours = neighbours;
    params.epsilon = 0.01;
    params.maxStep = 0.1;
    params.maxIterations = 30;
    params.pointScores = params.geometry = params.trace = false;
    return params;
}

inline double metresApart(const RigidTransform& a, const RigidTransform& b) {
    return norm(a.translation - b.translation);
}

} // namespace scanloupe::bench
