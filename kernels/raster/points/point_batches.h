#pragma once
// Declares batches of points for the device: groups of 8 neighbours with a quantized bounding box each, so
// that invisible groups are culled as a whole.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace scanloupe {

/// Quantization of a batch's boxes: coordinates are in units of `step` from `origin`.
struct PointBatch {
    enum State : std::uint32_t {
        boxed = 0,
        unboxed = 1, ///< coordinates are too large for boxes: its points are tested individually
        empty = 2,   ///< none of its points is finite
    };
    Vec3f origin, step; ///< metres
    State state;
    std::uint32_t unused;
};
static_assert(sizeof(PointBatch) == 32);

/// Bounding box of a group in its batch's steps, 10 bits each for x, y, z from the lowest bits on.
struct GroupBox {
    std::uint32_t first;  ///< its lower corner; kEmpty: no point is finite
    std::uint32_t extent; ///< offset from there to the upper corner
    static constexpr std::uint32_t kEmpty = 1u << 31;
};

inline constexpr std::uint32_t kGroupPoints = 8;   ///< points of a group: 1 byte of boxes each
inline constexpr std::uint32_t kBatchGroups = 128; ///< groups of a batch: 1024 points
inline constexpr std::uint32_t kBoxSteps = 1023;   ///< along each axis of a batch

/// Number of batches for `points` points.
constexpr std::size_t batchesOf(std::size_t points) {
    constexpr std::size_t each = std::size_t{kGroupPoints} * kBatchGroups;
    return (points + each - 1) / each;
}

enum class BatchOrder : std::uint8_t {
    given, ///< groups of consecutive points: 1 byte per point, built in about the time of a frame
    curve, ///< sorted along a Morton curve, for points in random order: 17 bytes per point
};

/// Batches of a cloud. Drawing with them gives the same bits, faster. They become invalid when points change.
struct PointBatches {
    const Vec3f* of = nullptr;  ///< the cloud, which must outlive this object
    std::size_t points = 0;     ///< number of points in the cloud
    Buffer<PointBatch> batches; ///< [B] of kGroupPoints * kBatchGroups points; the last one has the remainder
    Buffer<GroupBox> groups;    ///< [B, kBatchGroups]
    Buffer<Vec3f> ordered;      ///< [N, 3] metres, the cloud along the curve; empty in the given order
    Buffer<std::uint32_t> indices; ///< [N] indices of these in the cloud; empty in the given order
    Vec3f low, high;               ///< the box around all points, metres
    std::uint64_t notFinite = 0;   ///< points with a coordinate that is not a number
    std::uint64_t oversized = 0;   ///< groups that span more than a quarter of their batch

    std::uint64_t bytes() const {
        return batches.bytes() + groups.bytes() + ordered.bytes() + indices.bytes();
    }
    /// False for points in random order: hardly any group can be culled.
    bool areCompact() const { return oversized * 2 < groups.size(); }
};

namespace cuda {
/// @param points [N, 3] metres on the device, as is the result; drawing reads the cloud, too. Deterministic.
/// @note Synchronizes to read the counts.
/// @throws DeviceMemoryShort; KernelError for more points than a picture can show
PointBatches batchPoints(std::span<const Vec3f> points, BatchOrder order, StreamView stream);
} // namespace cuda

} // namespace scanloupe
