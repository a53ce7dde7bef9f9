// Registration on the street scene, on both backends and with several launch sizes. Each result is checked
// before it is timed.
#include "tests/bench/bench_align.h"

#include "kernels/core/error.h"
#include "tests/bench/align_device.h"
#include "tests/bench/align_report.h"
#include "tests/bench/align_street.h"
#include "tests/bench/bench_align_drive.h"
#include "tests/bench/bench_align_plan.h"
#include "tests/bench/compare_rows.h"
#include "tests/support/street_drive.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <optional>

namespace scanloupe::bench {

namespace {

constexpr int kWarmUps = 3;
constexpr int kLongRepeats = 20; // for runs of more than kLongMs
constexpr double kLongMs = 10;
constexpr int kCpuRepeats = 9;
constexpr int kSearchIterations = 20;
// The time of one iteration is the difference of two runs with these counts. From kFewIterations on, points
// no longer change their cells.
constexpr int kManyIterations = 60, kFewIterations = 30;

/// Parameters that always run the maximum number of iterations, with one evaluation each.
NdtParams endless(NdtNeighbours neighbours, int iterations) {
    NdtParams params = streetParams(neighbours);
    params.epsilon = 1e-300;
    params.lineSearch = false;
    params.maxIterations = iterations;
    return params;
}

struct Variant {
    const char* name;
    cuda::NdtLaunchBounds bounds;
};
std::vector<Variant> variants() {
    return {{"cuda", {}},
            {"cuda block", {.blocks = 1}},
            {"cuda blocks of 64", {.threads = 64}},
            {"cuda blocks of 128", {.threads = 128}},
            {"cuda blocks of 256", {.threads = 256}}};
}

class Run {
public:
    Run(const AlignOptions& options, const DeviceInfo& device)
        : m_options(options), m_report(newAlignReport(device)), m_points(test::streetMap()),
          m_map(NdtMapParams{}) {
        if (device.usable)
            m_stream.emplace();
        else
            m_report.leftOut.push_back("the device's rows: " + device.reason);
    }

    /// @returns the number of methods with a result that differs from the reference
    int all() {
        fmt::print("{}, commit {}; CPU rows on {} threads\n",
                   m_stream ? m_report.device.name : std::string("no CUDA device"), m_report.commit,
                   m_report.threads);
        maps();
        for (const std::size_t points : m_options.points)
            for (const auto neighbours :
                 {NdtNeighbours::direct7, NdtNeighbours::direct1, NdtNeighbours::direct27})
                if (!isLate())
                    alignments(points, neighbours);
        for (const std::size_t points : m_options.points)
            if (m_deviceMap && !isLate())
                guarded("the plan's variants", [&] { planned(points); });
        if (!isLate())
            searches();
        if (!isLate() && (wants("cpu") || wants("cuda")))
            guarded("surfaces", [&] { surfaces(); });
        if (m_deviceMap && !isLate())
            guarded("the stream of batches", [&] { overlap(); });
        if (m_late)
            m_report.leftOut.push_back(
                fmt::format("what came after {:g} s: --limit-seconds sets another limit", m_options.seconds));
        return m_wrong;
    }
    const AlignReport& report() const { return m_report; }

private:
    bool wants(const std::string& method) const {
        return m_options.only.empty() ||
               std::any_of(m_options.only.begin(), m_options.only.end(),
                           [&](const std::string& name) { return method.starts_with(name); });
    }

    void maps() {
        begin(fmt::format("map of {} points", m_points.size()));
        m_map.add(m_points, {}, {}, {});
        if (isWrong("cpu", m_map.cells().size() == test::kStreetCells ? "" : "another number of cells"))
            return;
        if (wants("cpu"))
            time("cpu", kCpuRepeats, [&] {
                const WallTimer timer;
                NdtMap map{NdtMapParams{}};
                map.add(m_points, {}, {}, {});
                return timer.elapsedMs();
            });
        if (!m_stream)
            return;
        guarded("the device's map", [&] {
            const Buffer<Vec3f> points =
                hostCopy(std::span<const Vec3f>(m_points)).copyTo(MemorySpace::device, *m_stream);
            const auto build = [&] {
                return cuda::NdtDeviceMap(points, {}, {}, NdtMapParams{}, {}, *m_stream);
            };
            m_deviceMap.emplace(build());
            if (isWrong("cuda",
                        m_deviceMap->cellCount() == m_map.cells().size() ? "" : "another number of cells"))
                return;
            if (wants("cuda"))
                time("cuda", m_options.repeats, [&] {
                    EventTimer timer(*m_stream);
                    const auto map = build();
                    timer.stop();
                    return timer.elapsedMs();
                });
            if (wants("upload"))
                time("upload", m_options.repeats, [&] {
                    const WallTimer timer;
                    const cuda::NdtDeviceMap map(m_map, *m_stream);
                    return timer.elapsedMs();
                });
        });
    }

    void alignments(std::size_t count, NdtNeighbours neighbours) {
        begin(fmt::format("{} points, {}", count, nameOf(neighbours)));
        const std::vector<Vec3f> points = test::streetScan(count);
        const NdtScan scan{points, {}};
        const NdtParams params = streetParams(neighbours);
        NdtParams fine = params;
        fine.epsilon = 1e-8;
        const NdtResult oracle = cpu::alignNdt(m_map, scan, test::streetStart(), fine, {});
        const double off = metresApart(oracle.pose, test::streetPose());
        m_note = fmt::format("{:.1f} mm off", 1000 * off);
        if (isWrong("cpu", oracle.converged() && off < 0.02 ? "" : "the oracle is " + m_note))
            return;
        if (wants("cpu"))
            time("cpu", kCpuRepeats, [&] {
                const NdtResult result = cpu::alignNdt(m_map, scan, test::streetStart(), params, {});
                m_iterations = result.iterations;
                return result.cost.wallMs;
            });
        if (m_deviceMap)
            guarded("the device's rows", [&] { onDevice(scan, neighbours, oracle); });
    }

    void onDevice(const NdtScan& hostScan, NdtNeighbours neighbours, const NdtResult& oracle) {
        const cuda::NdtDeviceScan scan(hostScan, {}, *m_stream);
        const NdtParams params = streetParams(neighbours);
        NdtParams fine = params;
        fine.epsilon = 1e-8;
        const auto run = [&](const NdtParams& with, const cuda::NdtLaunchBounds& bounds) {
            return cuda::alignNdt(*m_deviceMap, scan, test::streetStart(), with, bounds, {}, *m_stream);
        };
        const NdtResult first = run(params, {});
        for (const Variant& variant : variants()) {
            if (!wants(variant.name))
                continue;
            guarded(variant.name, [&] {
                const double apart = metresApart(run(fine, variant.bounds).pose, oracle.pose);
                if (isWrong(variant.name, apart < 1e-6 ? "" : fmt::format("{:.3g} m from the oracle", apart)))
                    return;
                const NdtResult again = run(params, variant.bounds);
                const bool same = again.pose == first.pose && again.score == first.score;
                if (isWrong(variant.name, same ? "" : "other bits than the default"))
                    return;
                const NdtParams many = endless(neighbours, kManyIterations),
                                few = endless(neighbours, kFewIterations);
                m_iterationUs = iterationUs([&](bool all) { return run(all ? many : few, variant.bounds); });
                m_note = fmt::format("{:.2g} m from the oracle", apart);
                time(variant.name, m_options.repeats, [&] {
                    const NdtResult result = run(params, variant.bounds);
                    m_iterations = result.iterations;
                    return result.cost.deviceMs;
                });
            });
        }
        if (!wants("plain"))
            return;
        const auto plain = bench::alignPlainly(*m_deviceMap, scan, test::streetStart(), fine, *m_stream);
        const double apart = metresApart(plain.pose, oracle.pose);
        if (isWrong("plain", apart < 1e-6 ? "" : fmt::format("{:.3g} m from the oracle", apart)))
            return;
        m_note = "host time";
        time("plain", m_options.repeats, [&] {
            const auto result =
                bench::alignPlainly(*m_deviceMap, scan, test::streetStart(), params, *m_stream);
            m_iterations = result.iterations;
            return result.hostMs;
        });
    }

    /// Time of one iteration, from the difference of long and short alignments. 0 if an alignment ended
    /// before its maximum number of iterations.
    double iterationUs(const std::function<NdtResult(bool)>& run) const {
        std::vector<double> values;
        for (int i = 0; i < 15; ++i) {
            const NdtResult many = run(true), few = run(false);
            if (many.iterations == kManyIterations && few.iterations == kFewIterations)
                values.push_back((many.cost.deviceMs - few.cost.deviceMs) * 1000 /
                                 (kManyIterations - kFewIterations));
        }
        if (values.empty())
            return 0;
        std::sort(values.begin(), values.end());
        return values[values.size() / 2];
    }

    /// Times the rows that other source files contribute.
    AlignRowTimer rowTimer() {
        return [this](const std::string& what, const std::string& method, int repeats, std::string& note,
                      const std::function<double()>& once) {
            if (!wants(method))
                return;
            if (what != m_what)
                begin(what);
            time(method, repeats, [&] {
                const double ms = once();
                m_note = note;
                return ms;
            });
            note.clear();
        };
    }
    void surfaces() {
        isWrong("surfaces",
                timeSurfaceAlignment(m_options.repeats,
                                     m_stream ? std::optional(m_stream->view()) : std::nullopt, rowTimer()));
    }
    void planned(std::size_t points) {
        isWrong("the plan's variants",
                timePlannedAlignment({m_map, *m_deviceMap, test::streetScan(points), m_stream->view()},
                                     m_options.repeats, rowTimer()));
    }

    /// Many start poses for one scan.
    void searches() {
        const NdtParams each = endless(NdtNeighbours::direct7, kSearchIterations);
        search("each, without line search", each);
        NdtParams most = streetParams(NdtNeighbours::direct7);
        most.maxIterations = kSearchIterations;
        most.epsilon = 1e-6;
        search("at most, with line search", most);
    }
    void search(const char* how, const NdtParams& params) {
        begin(fmt::format("{} starts, 2000 points, {} iterations {}", m_options.starts, kSearchIterations,
                          how));
        const std::vector<Vec3f> points = test::streetScan(2000);
        const NdtScan scan{points, {}};
        std::vector<NdtJob> jobs;
        for (int i = 0; i < m_options.starts; ++i) { // spread around the start pose, by the golden angle
            const double angle = 2.399963 * i, reach = 0.6 * std::sqrt((i + 0.5) / m_options.starts);
            RigidTransform start =
                fromRollPitchYaw({0, 0, 0.035 * std::sin(0.7 * i)}, {}) * test::streetPose();
            start.translation =
                test::streetPose().translation +
                Vec3d{reach * std::cos(angle), reach * std::sin(angle), 0.1 * std::cos(1.3 * i)};
            jobs.push_back({0, start});
        }
        const auto good = [&](const std::vector<NdtResult>& results) {
            return std::count_if(results.begin(), results.end(), [&](const NdtResult& result) {
                return metresApart(result.pose, test::streetPose()) < 0.05;
            });
        };
        if (wants("cpu"))
            time(
                "cpu", 3,
                [&] {
                    const WallTimer timer;
                    const auto results = cpu::alignNdtBatch(m_map, std::span(&scan, 1), jobs, params, {});
                    m_note = fmt::format("{} good", good(results));
                    return timer.elapsedMs();
                },
                0);
        if (!m_deviceMap || !wants("cuda"))
            return;
        guarded("cuda", [&] {
            std::vector<cuda::NdtDeviceScan> there;
            there.emplace_back(scan, std::stop_token{}, *m_stream);
            time("cuda", m_options.repeats, [&] {
                const auto results = cuda::alignNdtBatch(*m_deviceMap, there, jobs, params, {}, *m_stream);
                m_note = fmt::format("{} good", good(results));
                return results.front().cost.deviceMs;
            });
        });
    }

    void overlap() {
        begin("40 batches of 64 scans of 5000 points");
        const std::vector<Vec3f> points = test::streetScan(5000);
        const NdtParams params = streetParams(NdtNeighbours::direct7);
        for (const bool twice : {false, true}) {
            const char* name = twice ? "cuda two buffers" : "cuda one buffer";
            if (!wants(name))
                continue;
            time(name, std::min(m_options.repeats, 10), [&] {
                const OverlapTimes times =
                    streamBatches(*m_deviceMap, {points, {}}, test::streetStart(), params, 64, 40, twice);
                m_note = fmt::format("copies {:.2f} ms, alignments {:.2f} ms; {:.0f} % of the shorter hidden",
                                     times.copyMs, times.alignMs, 100 * times.hidden());
                return times.totalMs;
            });
        }
    }

    void begin(const std::string& what) {
        m_what = what;
        printAlignHead(what);
    }
    void time(const std::string& method, int maxRepeats, const std::function<double()>& once,
              int warmUps = kWarmUps) {
        double last = 0;
        for (int i = 0; i < warmUps; ++i)
            last = once();
        const int repeats = last > kLongMs ? std::min(maxRepeats, kLongRepeats) : maxRepeats;
        std::vector<double> times(static_cast<std::size_t>(repeats));
        std::generate(times.begin(), times.end(), once);
        std::sort(times.begin(), times.end());
        AlignRow row{m_what,        method,       repeats,      times[times.size() / 2],
                     times.front(), times.back(), m_iterations, m_iterationUs,
                     m_note};
        m_iterations = 0;
        m_iterationUs = 0;
        m_note.clear();
        printAlignRow(row);
        m_report.rows.push_back(std::move(row));
    }

    bool isWrong(const std::string& method, const std::string& why) {
        if (why.empty())
            return false;
        ++m_wrong;
        leaveOut(method, "WRONG RESULT: " + why);
        return true;
    }
    void guarded(const std::string& method, const std::function<void()>& body) {
        try {
            body();
        } catch (const KernelError& error) {
            leaveOut(method, error.what());
        }
    }
    void leaveOut(const std::string& method, const std::string& why) {
        fmt::print("  {:<26} {}\n", method, why);
        m_report.leftOut.push_back(fmt::format("{} of {}: {}", method, m_what, why));
    }
    bool isLate() {
        m_late = m_late || m_clock.elapsedMs() > m_options.seconds * 1000;
        return m_late;
    }

    const AlignOptions& m_options;
    WallTimer m_clock;
    std::optional<Stream> m_stream;
    AlignReport m_report;
    std::vector<Vec3f> m_points;
    NdtMap m_map;
    std::optional<cuda::NdtDeviceMap> m_deviceMap;
    std::string m_what, m_note;
    int m_iterations = 0, m_wrong = 0;
    double m_iterationUs = 0;
    bool m_late = false;
};

} // namespace

int align(const AlignOptions& options) {
    Run run(options, probeDevice());
    const int wrong = run.all();
    for (const std::string& left : run.report().leftOut)
        fmt::print("left out: {}\n", left);
    if (!options.json.empty())
        writeAlignJson(run.report(), options.json);
    if (!options.compare.empty())
        compareRows(run.report().rows, options.compare);
    return wrong == 0 ? 0 : 1;
}

} // namespace scanloupe::bench
