// Finds the most frequent class of each voxel on the CPU: sorts the points by voxel, and counts the classes
// in each voxel.
#include "kernels/voxelize/values/voxel_modes.h"

#include "kernels/core/parallel.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

namespace scanloupe {

void checkModes(const VoxelMembers& members, std::span<const CategoryView> categories) {
    if (members.count >= kNoVoxel || members.voxels >= kNoVoxel)
        throw KernelError("the cloud has " + std::to_string(members.count) +
                              " points; the classes of at most 4294967294 can be counted at a time",
                          "Split the cloud, or read every second point.");
    if (members.count > 0 && !members.pointVoxel)
        throw Fault("the points whose classes are counted have no voxels");
    for (const CategoryView& category : categories) {
        if (members.count > 0 && (!category.codes || category.classes == 0))
            throw Fault("a category to count has no classes");
    }
}

namespace cpu {

namespace {

constexpr std::size_t kVoxelModesPointGrain = std::size_t{1} << 16;
/// Maximum number of classes for which a thread counts in a histogram; with more, it sorts the classes of a
/// voxel's points.
constexpr std::uint32_t kMaxHistogramClasses = 4096;

/// Points sorted by their voxel.
struct Members {
    Buffer<KeyIndex32> points;    // [N] voxel and index of each point; points without a voxel get voxel V
    Buffer<std::uint32_t> starts; // [V + 1] position of each voxel's first point in `points`

    std::span<const KeyIndex32> of(std::size_t voxel) const {
        return points.span().subspan(starts[voxel], starts[voxel + 1] - starts[voxel]);
    }
};

Members membersByVoxel(const VoxelMembers& from, const std::stop_token& stop) {
    const auto voxels = static_cast<std::uint32_t>(from.voxels);
    Members members{Buffer<KeyIndex32>::host(from.count), Buffer<std::uint32_t>::host(from.voxels + 1)};
    parallelFor(from.count, kVoxelModesPointGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            members.points[i] = {std::min(from.pointVoxel[i], voxels), static_cast<std::uint32_t>(i)};
    });
    {
        auto scratch = Buffer<KeyIndex32>::host(from.count);
        parallelSortByKey(members.points.span(), scratch.span(), std::bit_width(voxels), stop);
    }
    // Item i writes the starts of all voxels after the voxel of point i - 1, up to the voxel of point i.
    parallelFor(from.count + 1, kVoxelModesPointGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t first = i == 0 ? 0 : members.points[i - 1].key + std::size_t{1};
            const std::size_t last = i == from.count ? from.voxels : members.points[i].key;
            for (std::size_t v = first; v <= last; ++v)
                members.starts[v] = static_cast<std::uint32_t>(i);
        }
    });
    return members;
}

/// Finds the modes of voxels, one after another, in a reusable histogram.
class ClassHistogram {
public:
    explicit ClassHistogram(const CategoryView& category)
        : m_codes(category.codes), m_counts(category.classes <= kMaxHistogramClasses ? category.classes : 0) {
    }

    std::uint32_t mode(std::span<const KeyIndex32> points) {
        if (points.empty())
            return 0;
        const std::uint32_t first = m_codes[points[0].index];
        const bool same = std::all_of(points.begin() + 1, points.end(),
                                      [&](const KeyIndex32& p) { return m_codes[p.index] == first; });
        return same ? first : m_counts.empty() ? modeBySorting(points) : modeByHistogram(points);
    }

private:
    std::uint32_t modeByHistogram(std::span<const KeyIndex32> points) {
        for (const KeyIndex32& p : points)
            ++m_counts[m_codes[p.index]];
        std::uint32_t best = 0, most = 0;
        for (const KeyIndex32& p : points) {
            const std::uint32_t code = m_codes[p.index];
            // reads the count, and clears it for the next voxel
            const std::uint32_t count = std::exchange(m_counts[code], 0);
            if (count > most || (count == most && count > 0 && code < best))
                best = code, most = count;
        }
        return best;
    }
    std::uint32_t modeBySorting(std::span<const KeyIndex32> points) {
        m_sorted.resize(points.size());
        std::transform(points.begin(), points.end(), m_sorted.begin(),
                       [&](const KeyIndex32& p) { return m_codes[p.index]; });
        std::sort(m_sorted.begin(), m_sorted.end());
        std::uint32_t best = 0;
        std::size_t most = 0;
        for (std::size_t i = 0; i < m_sorted.size();) {
            std::size_t end = i + 1;
            while (end < m_sorted.size() && m_sorted[end] == m_sorted[i])
                ++end;
            if (end - i > most)
                best = m_sorted[i], most = end - i;
            i = end;
        }
        return best;
    }

    const std::uint32_t* m_codes;
    std::vector<std::uint32_t> m_counts; // [K] counts, which are all 0 between voxels; empty for too many
                                         // classes
    std::vector<std::uint32_t> m_sorted;
};

} // namespace

Buffer<std::uint32_t> voxelModes(const VoxelMembers& members, std::span<const CategoryView> categories,
                                 const std::stop_token& stop) {
    checkModes(members, categories);
    const std::size_t voxels = members.voxels;
    auto modes = Buffer<std::uint32_t>::host(categories.size() * voxels);
    std::fill(modes.span().begin(), modes.span().end(), 0u);
    const auto isVaried = [](const CategoryView& category) { return category.classes > 1; };
    if (voxels == 0 || members.count == 0 || std::none_of(categories.begin(), categories.end(), isVaried))
        return modes;
    const Members sorted = membersByVoxel(members, stop);
    // Chunks contain some thousand points each, so that a few voxels with many points are distributed, too.
    const std::size_t grain =
        std::clamp<std::size_t>(voxels * kVoxelModesPointGrain / members.count, 1, std::size_t{1} << 13);
    for (std::size_t c = 0; c < categories.size(); ++c) {
        if (!isVaried(categories[c]))
            continue;
        std::uint32_t* column = modes.data() + c * voxels;
        parallelFor(voxels, grain, stop, [&](std::size_t begin, std::size_t end) {
            ClassHistogram histogram(categories[c]);
            for (std::size_t v = begin; v < end; ++v)
                column[v] = histogram.mode(sorted.of(v));
        });
    }
    return modes;
}

} // namespace cpu

} // namespace scanloupe
