// Runs a ScanAligner over a list of scans.
#include "engine/align/align_scans.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

Trajectory AlignOutcome::trajectory() const {
    Trajectory trajectory;
    for (const AlignedScanPtr& scan : scans)
        trajectory.poses.push_back(scan->alignment.pose);
    return trajectory;
}

std::size_t AlignOutcome::failedCount() const {
    return std::size_t(
        std::count_if(scans.begin(), scans.end(), [](const AlignedScanPtr& s) { return s->failed; }));
}

std::size_t AlignOutcome::countOf(PoseWord word) const {
    return std::size_t(std::count_if(scans.begin(), scans.end(), [&](const AlignedScanPtr& s) {
        return !s->failed && s->alignment.verdict.word == word;
    }));
}

std::vector<PosedCloud> AlignOutcome::posedClouds(bool withDoubtful) const {
    std::vector<PosedCloud> posed;
    for (const AlignedScanPtr& scan : scans) {
        const PoseWord word = scan->alignment.verdict.word;
        if (scan->cloud && (word == PoseWord::right || (withDoubtful && word == PoseWord::doubtful)))
            posed.push_back({scan->cloud, scan->alignment.pose});
    }
    return posed;
}

AlignOutcome alignScans(const AlignJob& job, const std::stop_token& stop) {
    const std::size_t count = job.scans.size();
    if (count < 2)
        throw EngineError(fmt::format("There {} to align.", count == 0 ? "are no scans" : "is one scan only"),
                          "Give two or more, or a folder of them; the others are aligned to the first.");
    if (job.starts.size() > 1 && job.starts.size() != count)
        throw EngineError(
            fmt::format("There are {} poses to start from and {} scans.", job.starts.size(), count),
            "Give a pose for every scan, in the same order, or one for the second scan.");
    ScanAligner aligner(job.params, job.backend);
    AlignOutcome outcome;
    for (std::size_t i = 0; i < count; ++i) {
        AlignedScan scan;
        scan.path = job.scans[i];
        std::optional<RigidTransform> start;
        if (job.starts.size() == count)
            start = job.starts[i];
        else if (i == 1 && job.starts.size() == 1)
            start = job.starts.front();
        try {
            const auto cloud = job.read(i);
            scan.alignment = aligner.add(*cloud, start, stop);
            if (job.keepClouds)
                scan.cloud = cloud;
            if (!scan.alignment.hasPose)
                scan.problem = describe(scan.alignment.ndt.end);
        } catch (const Error& error) {
            if (i == 0)
                throw; // without a first scan there is no common frame
            scan.problem = error.what();
            scan.failed = true;
            scan.alignment.start = scan.alignment.pose = start.value_or(aligner.predictedPose());
            aligner.recordPose(scan.alignment.pose);
        }
        outcome.scans.push_back(std::make_shared<const AlignedScan>(std::move(scan)));
        if (job.onAligned)
            job.onAligned(i, outcome.scans.back());
    }
    outcome.params = aligner.params();
    return outcome;
}

} // namespace scanloupe
