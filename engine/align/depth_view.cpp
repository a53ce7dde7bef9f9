// Renders points into a cube map of minimum ranges, and compares other points with it.
#include "engine/align/depth_view.h"

#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scanloupe {

namespace {

constexpr int kEdge = 48; // pixels along an edge of a face; a pixel covers 1.9 degrees
constexpr std::size_t kLeastGrain = std::size_t{1} << 13;
constexpr std::size_t kMaxDepthParts = 64; // each part has its own cube map
constexpr std::size_t kQueryGrain = 2048;
constexpr float kNothing = std::numeric_limits<float>::infinity();
constexpr double kShareOfRange = 0.03;   // minimum margin relative to the range, since pixels grow with the
                                         // range
constexpr int kLeastKnown = 5;           // minimum number of pixels with points among the 3 x 3 around a
                                         // direction
constexpr double kMaxShareBehind = 0.35; // maximum fraction of own points behind other own points; above it,
                                         // the assumed sensor position is implausible
constexpr std::size_t kChecked = 1000;   // approximate number of own points that are sampled to check the
                                         // sensor position
constexpr double kLeastRange = 1e-3;     // metres

/// Index of the pixel in direction `d`, or -1 if `d` is too short.
int pixelOf(Vec3d d) {
    const Vec3d size{std::abs(d.x), std::abs(d.y), std::abs(d.z)};
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const double scale = size[axis];
    if (!(scale > kLeastRange))
        return -1;
    const int face = 2 * axis + (d[axis] < 0 ? 1 : 0);
    const auto along = [&](double part) {
        return std::clamp(int((part / scale + 1) * (0.5 * kEdge)), 0, kEdge - 1);
    };
    return (face * kEdge + along(d[(axis + 1) % 3])) * kEdge + along(d[(axis + 2) % 3]);
}

/// Range of the points in a group of pixels.
struct Around {
    float nearest = kNothing, farthest = 0; ///< metres
    int known = 0;                          ///< number of pixels with points
};

/// Merges each pixel with its two neighbours on the same face, at a distance of `step` in memory.
void joinThree(std::span<const Around> from, std::span<Around> to, int step) {
    const auto join = [](Around a, const Around& b) {
        return Around{std::min(a.nearest, b.nearest), std::max(a.farthest, b.farthest), a.known + b.known};
    };
    for (int i = 0; i < int(from.size()); ++i) {
        const int at = i / step % kEdge;
        Around joined = from[std::size_t(i)];
        if (at > 0)
            joined = join(joined, from[std::size_t(i - step)]);
        if (at < kEdge - 1)
            joined = join(joined, from[std::size_t(i + step)]);
        to[std::size_t(i)] = joined;
    }
}

struct Counts {
    std::uint64_t seen = 0, counted = 0;
    Counts& operator+=(const Counts& other) {
        seen += other.seen;
        counted += other.counted;
        return *this;
    }
};

} // namespace

double DepthView::margin(double range) const {
    return std::max(m_margin, kShareOfRange * range);
}

DepthView::DepthView(std::span<const Vec3f> points, Vec3d origin, Vec3d sensor, double margin,
                     const std::stop_token& stop)
    : m_sensor(sensor), m_margin(margin) {
    const Vec3d shift = origin - sensor;
    const std::size_t pixels = std::size_t{6} * kEdge * kEdge;
    const std::size_t grain = std::max(kLeastGrain, chunkCount(points.size(), kMaxDepthParts));
    std::vector<std::vector<float>> parts(chunkCount(points.size(), grain));
    parallelChunks(points.size(), grain, stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        parts[chunk].assign(pixels, kNothing);
        for (std::size_t i = begin; i < end; ++i) {
            if (!isFinite(points[i]))
                continue;
            const Vec3d d = points[i].as<double>() + shift;
            if (const int pixel = pixelOf(d); pixel >= 0) {
                float& nearest = parts[chunk][std::size_t(pixel)];
                nearest = std::min(nearest, float(norm(d)));
            }
        }
    });
    std::vector<float> nearest(pixels, kNothing);
    for (const auto& part : parts)
        std::transform(part.begin(), part.end(), nearest.begin(), nearest.begin(),
                       [](float a, float b) { return std::min(a, b); });
    lookAround(points, origin, nearest);
}

void DepthView::lookAround(std::span<const Vec3f> points, Vec3d origin, std::span<const float> nearest) {
    std::vector<Around> own(nearest.size()), rows(nearest.size()), around(nearest.size());
    for (std::size_t i = 0; i < nearest.size(); ++i)
        if (nearest[i] != kNothing)
            own[i] = {nearest[i], nearest[i], 1};
    joinThree(own, rows, 1);
    joinThree(rows, around, kEdge);
    m_around.resize(nearest.size());
    for (std::size_t i = 0; i < nearest.size(); ++i)
        m_around[i] = around[i].known < kLeastKnown ? kNothing : around[i].nearest;

    const Vec3d shift = origin - m_sensor;
    const std::size_t stride = std::max<std::size_t>(1, points.size() / kChecked);
    Counts behind;
    for (std::size_t i = 0; i < points.size(); i += stride) {
        const Vec3d d = points[i].as<double>() + shift;
        const int pixel = isFinite(points[i]) ? pixelOf(d) : -1;
        if (pixel < 0)
            continue;
        const double range = norm(d);
        ++behind.seen;
        behind.counted += range > around[std::size_t(pixel)].farthest + margin(range);
    }
    m_known = behind.seen > 0 && double(behind.counted) < kMaxShareBehind * double(behind.seen);
}

bool DepthView::isBefore(Vec3d point) const {
    const Vec3d d = point - m_sensor;
    const int pixel = m_known ? pixelOf(d) : -1;
    if (pixel < 0)
        return false;
    const double nearest = m_around[std::size_t(pixel)], range = norm(d);
    return nearest < kNothing && range + margin(range) < nearest;
}

double DepthView::shareBefore(std::span<const Vec3f> points, Vec3d origin, const RigidTransform& pose,
                              const std::stop_token& stop) const {
    if (!m_known)
        return 0;
    const Counts before = parallelReduce(
        points.size(), kQueryGrain, stop, Counts{},
        [&](std::size_t begin, std::size_t end) {
            Counts part;
            for (std::size_t i = begin; i < end; ++i) {
                if (!isFinite(points[i]))
                    continue;
                const Vec3d d = pose(points[i].as<double>() + origin) - m_sensor;
                const int pixel = pixelOf(d);
                if (pixel < 0)
                    continue;
                const double nearest = m_around[std::size_t(pixel)], range = norm(d);
                part.seen += nearest < kNothing;
                part.counted += nearest < kNothing && range + margin(range) < nearest;
            }
            return part;
        },
        [](Counts a, const Counts& b) { return a += b; });
    return before.seen > 0 ? double(before.counted) / double(before.seen) : 0;
}

} // namespace scanloupe
