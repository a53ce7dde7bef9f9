#pragma once
// Operators of this folder, which dispatch to the backend of an Execution. All data is in the memory of that
// backend.
#include "kernels/core/execution.h"
#include "kernels/select/select_points.h"

namespace scanloupe {

inline PointSet selectPoints(std::span<const Vec3f> points, const PointPredicate& predicate,
                             const Execution& on) {
    return on.onDevice() ? cuda::selectPoints(points, predicate, *on.device)
                         : cpu::selectPoints(points, predicate, on.stop);
}

inline void combine(PointSet& set, const PointSet& other, SetOperation operation, const Execution& on) {
    return on.onDevice() ? cuda::combine(set, other, operation, *on.device)
                         : cpu::combine(set, other, operation);
}

inline std::uint64_t countOf(const PointSet& set, const Execution& on) {
    return on.onDevice() ? cuda::countOf(set, *on.device) : cpu::countOf(set);
}

inline Buffer<std::uint32_t> nearestDepths(std::span<const Vec3f> points, const ViewWindow& window,
                                           float radius, const Execution& on) {
    return on.onDevice() ? cuda::nearestDepths(points, window, radius, *on.device)
                         : cpu::nearestDepths(points, window, radius, on.stop);
}

inline PointSet voxelsOf(const PointSet& set, const Buffer<std::uint32_t>& pointVoxel, std::size_t voxels,
                         const Execution& on) {
    return on.onDevice() ? cuda::voxelsOf(set, pointVoxel, voxels, *on.device)
                         : cpu::voxelsOf(set, pointVoxel.span(), voxels, on.stop);
}

inline void removePoints(Buffer<Vec3f>& points, const PointSet& set, const Execution& on) {
    return on.onDevice() ? cuda::removePoints(points, set, *on.device)
                         : cpu::removePoints(points.span(), set, on.stop);
}

inline void tintChosen(Buffer<std::uint32_t>& rgba, const PointSet& set, const std::uint32_t* items,
                       const Execution& on) {
    return on.onDevice() ? cuda::tintChosen(rgba, set, items, *on.device)
                         : cpu::tintChosen(rgba.span(), set, items, on.stop);
}

} // namespace scanloupe
