// Times registration by surfaces: its steps one by one, and whole drives.
#include "tests/bench/bench_align_drive.h"

#include "engine/align/align_scans.h"
#include "engine/cloud/point_cloud.h"
#include "kernels/synth/lidar_sweep.h"
#include "kernels/synth/solid_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <vector>

namespace scanloupe::bench {

namespace {

constexpr std::size_t kFrames = 60;
constexpr int kDriveRepeats = 5;
constexpr double kEdge = 0.25, kCoarsest = 2; // metres
constexpr double kNanometre = 1e-9;

std::vector<std::shared_ptr<const PointCloud>> streetSweeps() {
    const synth::SolidScene street = synth::makePlace(synth::Place::street, 5);
    std::vector<std::shared_ptr<const PointCloud>> clouds;
    for (std::size_t i = 0; i < kFrames; ++i) {
        synth::LidarSweep sweep;
        sweep.lidar = synth::kLidarModels[2];
        sweep.pose.translation = {-30 + double(i), 0, 1.8};
        sweep.frame = i;
        std::vector<Vec3f> points;
        for (const synth::ScanPoint& p : synth::generateSweep(sweep, street, {}))
            points.push_back(p.position.as<float>());
        clouds.push_back(std::make_shared<const PointCloud>(FloatPositions{hostCopy(std::span(points))},
                                                            std::vector<Attribute>{}, std::stop_token{}));
    }
    return clouds;
}

/// The steps that register one scan to another.
struct Steps {
    Execution on;
    const Buffer<Vec3f>& points;
    ScanShapes shapes;
    SurfaceTarget target, source;

    Steps(const Execution& where, const Buffer<Vec3f>& first, const Buffer<Vec3f>& second)
        : on(where), points(second), target(kEdge, kCoarsest, true, where.device),
          source(kEdge, kCoarsest, true, where.device) {
        target.add(findPointShapes(first, params(), on), {}, {});
        shapes = findPointShapes(points, params(), on);
        source.add(shapes, {}, {});
    }
    static PointShapeParams params() { return {.edge = kEdge, .viewpoint = Vec3d{}}; }
    double shapesMs() const {
        const WallTimer timer;
        findPointShapes(points, params(), on);
        return timer.elapsedMs();
    }
    double mapMs() const {
        SurfaceTarget map(kEdge, kCoarsest, true, on.device);
        const WallTimer timer;
        map.add(shapes, {}, {});
        return timer.elapsedMs();
    }
    RegistrationResult align() const { return target.align(source, {}, {}, {}); }
};

AlignOutcome drive(const std::vector<std::shared_ptr<const PointCloud>>& clouds, Backend backend) {
    AlignJob job;
    job.scans.resize(clouds.size());
    job.params.closeLoops = false;
    job.backend = backend;
    job.read = [&](std::size_t i) { return clouds[i]; };
    return alignScans(job, {});
}

double farthestApart(const AlignOutcome& a, const AlignOutcome& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.scans.size(); ++i)
        most = std::max(
            most, norm(a.scans[i]->alignment.pose.translation - b.scans[i]->alignment.pose.translation));
    return most;
}

} // namespace

std::string timeSurfaceAlignment(int repeats, std::optional<StreamView> stream, const AlignRowTimer& time) {
    const auto clouds = streetSweeps();
    const Buffer<Vec3f> first = clouds[0]->floatView({}), second = clouds[1]->floatView({});
    const auto head = [&](const char* what) { return fmt::format("{} of {} points", what, second.size()); };
    std::string note;
    std::optional<RegistrationResult> expected;
    std::optional<AlignOutcome> expectedDrive;
    for (const bool isThere : {false, true}) {
        if (isThere && !stream)
            continue;
        const char* method = isThere ? "cuda" : "cpu";
        const Steps steps({isThere ? stream : std::nullopt, {}}, first, second);
        time(head("shapes"), method, repeats, note, [&] { return steps.shapesMs(); });
        time(head("surfaces"), method, repeats, note, [&] { return steps.mapMs(); });
        RegistrationResult found = steps.align();
        if (expected && !(norm(found.pose.translation - expected->pose.translation) <= kNanometre))
            return "another pose than the CPU's";
        time(head("registration by surfaces"), method, repeats, note, [&] {
            const WallTimer timer;
            note = fmt::format("{} iterations", steps.align().iterations);
            return timer.elapsedMs();
        });
        expected = std::move(found);
        AlignOutcome poses = drive(clouds, isThere ? Backend::cuda : Backend::cpu);
        if (expectedDrive && !(farthestApart(poses, *expectedDrive) <= kNanometre))
            return "other poses of a drive than the CPU's";
        time(fmt::format("{} frames to the map", kFrames), method, kDriveRepeats, note, [&] {
            const AlignTimes times = drive(clouds, isThere ? Backend::cuda : Backend::cpu).times;
            const double hidden = times.uploadMs > 0 ? 100 * times.uploadHiddenMs / times.uploadMs : 0;
            note = fmt::format(
                "{:.0f} frames a second; upload {:.1f} ms, {:.0f} % hidden, waited {:.1f}, {} rewinds",
                1000 * double(kFrames - 1) / times.wallMs, times.uploadMs, hidden, times.waitMs,
                times.rewinds);
            return times.wallMs;
        });
        expectedDrive = std::move(poses);
    }
    return "";
}

} // namespace scanloupe::bench
