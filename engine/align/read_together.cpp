// Reads the files of a cache one after the other, and merges them.
#include "engine/align/read_together.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace scanloupe {

namespace {

constexpr double kShareOfReading = 0.8; // approximate fraction of the time for reading; the rest is merging

/// Returns a progress function for the part of `whole` from `begin` to `begin` + `share`.
ProgressFunction partOf(const ProgressFunction& whole, double begin, double share) {
    if (!whole)
        return {};
    return [=](double done) { whole(begin + share * done); };
}

} // namespace

PointCloud readTogether(ScanCache& files, std::span<const std::optional<RigidTransform>> poses,
                        const ReadOptions& options, const std::stop_token& stop) {
    std::vector<PosedCloud> scans(poses.size());
    std::vector<std::string> damage;
    std::size_t wanted = 0, unreadable = 0, volumes = 0;
    for (std::size_t i = 0; i < poses.size(); ++i) {
        if (!poses[i])
            continue;
        ++wanted;
        const double share = kShareOfReading / double(poses.size());
        ReadOptions reading = options;
        reading.progress = partOf(options.progress, double(i) * share, share);
        try {
            scans[i] = {files.read(i, reading, stop)->cloud, *poses[i]};
            volumes += !scans[i].cloud;
            if (scans[i].cloud)
                for (const std::string& warning : scans[i].cloud->warnings)
                    if (isDamageWarning(warning))
                        damage.push_back(warningOfFile(files.path(i).filename().string(), warning));
        } catch (const EngineError&) {
            ++unreadable; // the cache stores the reason
        }
    }
    if (wanted > 0 && unreadable + volumes == wanted)
        throw EngineError(fmt::format("None of the {} selected files can be read as a scan.", wanted),
                          "Check the reasons in the list of files, and select other files.");
    PointCloud merged =
        mergeClouds(scans, partOf(options.progress, kShareOfReading, 1 - kShareOfReading), stop);
    std::ranges::move(damage, std::back_inserter(merged.warnings));
    if (unreadable > 0)
        addDamage(merged, fmt::format("{} of {} scans can't be read; the list of files shows the reasons",
                                      unreadable, wanted));
    if (volumes > 0)
        merged.warnings.push_back(
            fmt::format("{} of {} files are volumes without points and were left out", volumes, wanted));
    return merged;
}

} // namespace scanloupe
