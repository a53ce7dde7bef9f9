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
        unboxed = 1, ///< coordinates are too large for boxes: points of the batch are tested individually
        empty = 2,   ///< no point of the batch is finite
    };
    Vec3f origin, step; ///< metres: low corner of the batch, and length of a step
    State state;
    std::uint32_t unused;
};
static_assert(sizeof(PointBatch) == 32);

/// Bounding box of a group in steps of its batch: 10 bits each for x, y, z from the lowest bits on.
struct GroupBox {
    std::uint32_t first;  ///< lower corner of the box; kEmpty if no point is finite
    std::uint32_t extent; ///< offset from the lower to the upper corner
    static constexpr std::uint32_t kEmpty = 1u << 31;
};

inline constexpr std::uint32_t kGroupPoints = 8; ///< number of points per group; boxes take 1 byte per point
inline constexpr std::uint32_t kBatchGroups = 128; ///< number of groups per batch, which has 1024 points
inline constexpr std::uint32_t kBoxSteps = 1023;   ///< number of steps along each axis of a batch

/// Returns the number of batches of `points` points.
constexpr std::size_t batchesOf(std::size_t points) {
    constexpr std::size_t each = std::size_t{kGroupPoints} * kBatchGroups;
    return (points + each - 1) / each;
}

enum class BatchOrder : std::uint8_t {
    given, ///< points stay in their order: boxes take 1 byte per point and are built in about the time of a
           ///< frame
    curve, ///< points are sorted along a Morton curve, for points in random order: takes 17 bytes per point
};

/// Batches of a cloud. They make drawing faster without changing a bit of the picture. They become invalid
/// when points change.
struct PointBatches {
    const Vec3f* of = nullptr;  ///< the cloud, which must outlive this object
    std::size_t points = 0;     ///< number of points in the cloud
    Buffer<PointBatch> batches; ///< [B] batches of kGroupPoints * kBatchGroups points; the last batch
                                ///< contains the remainder
    Buffer<GroupBox> groups;    ///< [B, kBatchGroups] bounding boxes of the groups
    Buffer<Vec3f> ordered; ///< [N, 3] points of the cloud along the curve, metres; empty if the points stay
                           ///< in their order
    Buffer<std::uint32_t> indices; ///< [N] indices of `ordered` in the cloud; empty if the points stay in
                                   ///< their order
    Vec3f low, high;               ///< corners of the bounding box of all points, metres
    std::uint64_t notFinite = 0;   ///< number of points with a coordinate that is not finite
    std::uint64_t oversized = 0;   ///< number of groups that span more than a quarter of their batch

    std::uint64_t bytes() const {
        return batches.bytes() + groups.bytes() + ordered.bytes() + indices.bytes();
    }
    /// Returns false for points in random order, of which hardly any group can be culled.
    bool areCompact() const { return oversized * 2 < groups.size(); }
};

namespace cuda {
/// Builds the batches of a cloud. Deterministic. Drawing reads the cloud, too.
/// @param points [N, 3] metres, on the device
/// @note Synchronizes to read the counts.
/// @throws DeviceMemoryShort; KernelError for more points than a picture can show
PointBatches batchPoints(std::span<const Vec3f> points, BatchOrder order, StreamView stream);
} // namespace cuda

} // namespace scanloupe
