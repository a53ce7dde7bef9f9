// The operator's strategies, published baselines, and the ablation of counting. Each result is checked before
// it is timed.
#include "tests/bench/bench_voxelize.h"

#include "kernels/core/cost.h"
#include "kernels/core/device.h"
#include "tests/bench/voxelize_device.h"
#include "tests/bench/voxelize_report.h"
#include "tests/bench/voxelize_scenes.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <map>

namespace scanloupe::bench {

namespace {

constexpr int kWarmUps = 3;
constexpr int kLongRepeats = 20; // for cases of more than kLongMs
constexpr double kLongMs = 10;
constexpr std::uint64_t kAblationPoints = 10'000'000; // larger clouds are only counted in voxels of
                                                      // kAblationSize
constexpr const char* kAblationSize = "0.2";
constexpr std::uint64_t kDenseFewest = 1'000'000, kDenseMost = 10'000'000;

std::vector<MethodInfo> allMethods() {
    std::vector<MethodInfo> methods;
    for (const auto& list : {libraryMethods(), graphMethods(), baselineMethods(), variantMethods()})
        methods.insert(methods.end(), list.begin(), list.end());
    return methods;
}

bool contains(const std::vector<std::string>& list, const std::string& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

/// A cloud in one point order: on the host for the reference, on the device for the methods.
struct Cloud {
    std::string scene, order;
    HostCloud host;
    DeviceCloud device;
};

class Run {
public:
    Run(const VoxelizeOptions& options, const DeviceInfo& device)
        : m_options(options), m_report(newReport(device)) {
        for (MethodInfo& method : allMethods())
            if (isWanted(method))
                m_methods.push_back(std::move(method));
        if (m_methods.empty())
            throw KernelError("no row has such a name",
                              "Look at --list; --only takes beginnings of names, --profile a whole one.");
        m_report.copyGigabytes = profiles() ? 1 : copyBandwidth(m_stream);
    }

    /// @returns the number of methods with a result that differs from the reference
    int all() {
        if (!profiles())
            fmt::print("{}, commit {}: device copy {:.0f} GB/s\n", m_report.device.name, m_report.commit,
                       m_report.copyGigabytes);
        if (contains(m_options.scenes, "frame"))
            frame();
        auto points = m_options.points;
        // largest last, because the time limit skips the last ones
        std::sort(points.begin(), points.end());
        for (const std::uint64_t count : points) {
            if (contains(m_options.scenes, "dense") && count >= kDenseFewest && count <= kDenseMost)
                dense(count);
            if (contains(m_options.scenes, "surface"))
                surface(count);
        }
        if (m_late)
            m_report.leftOut.push_back(
                fmt::format("what came after {:g} s: --limit-seconds sets another limit", m_options.seconds));
        return m_wrong;
    }
    const Report& report() const { return m_report; }

private:
    bool profiles() const { return !m_options.profile.empty(); }
    bool isWanted(const MethodInfo& method) const {
        if (profiles())
            return method.name == m_options.profile;
        return m_options.only.empty() ||
               std::any_of(m_options.only.begin(), m_options.only.end(),
                           [&](const std::string& name) { return method.name.starts_with(name); });
    }
    bool wants(const char* order) const { return contains(m_options.orders, order); }

    Cloud makeResident(const std::string& scene, const std::string& order, HostCloud host) {
        DeviceCloud device(host.positions, host.intensities, m_stream);
        return {scene, order, std::move(host), std::move(device)};
    }

    void frame() {
        if (m_options.frame.empty()) {
            m_report.leftOut.push_back("the frame: --frame FILE was not given");
            return;
        }
        const Cloud cloud = makeResident("frame", "scan", readFrame(m_options.frame));
        eachSize(cloud, wants("scan"), wants("morton"), m_options.sizes);
    }
    void dense(std::uint64_t points) {
        if (isLate())
            return;
        const Cloud cloud = makeResident("dense", "random", makeCloud("dense", "random", points));
        eachSize(cloud, wants("random") || wants("shuffled") || wants("scan"), wants("morton"), {"0.2"});
    }
    void surface(std::uint64_t points) {
        m_references.clear(); // the references are valid for one number of points only
        for (const char* order : {"scan", "shuffled", "random"}) {
            const bool sorted = order == std::string("scan") && wants("morton");
            if (!(wants(order) || sorted) || isLate())
                continue;
            const Cloud cloud = makeResident("surface", order, makeCloud("surface", order, points));
            eachSize(cloud, wants(order), sorted, m_options.sizes);
        }
    }

    /// Times every voxel size, with the points in the given order, sorted by cell, or both.
    void eachSize(const Cloud& cloud, bool unsorted, bool sorted, const std::vector<std::string>& sizes) {
        for (const std::string& size : sizes) {
            if (isLate())
                return;
            const Setting setting = makeSetting(cloud, size);
            Case what{cloud.scene, cloud.order, size, cloud.host.positions.size(), setting.reference.voxels};
            if (unsorted)
                eachMethod(what, setting, cloud.device, std::nullopt);
            if (!sorted)
                continue;
            double sortMs = 0;
            const DeviceCloud sortedCloud(cloud.device, setting.cells, sortMs, m_stream);
            what.order = "morton";
            eachMethod(what, setting, sortedCloud, sortMs);
        }
    }

    Setting makeSetting(const Cloud& cloud, const std::string& size) {
        VoxelizeParams params;
        const SceneRange range = sceneRange(cloud.scene);
        params.rangeMin = range.min;
        params.rangeMax = range.max;
        params.voxelSize = parseVoxelSize(size);
        params.pointVoxels = false; // the published figures exclude the voxel of each point
        const GridShape shape = gridShape(params);
        if (shape.cellCount() >= 0xffffffffu)
            throw KernelError("the benchmark's baselines number cells in 32 bits",
                              "Give --sizes larger voxels.");
        const VoxelCells cells(shape, params.rangeMax);
        // the order of the points does not change the reference
        const std::string key = cloud.scene + (cloud.order == "random" ? " random " : " ") + size +
                                fmt::format(" {}", cloud.host.positions.size());
        auto known = m_references.find(key);
        if (known == m_references.end())
            known = m_references.emplace(key, referenceOf(cloud.host.positions, cells)).first;
        // The published pipeline averages the first points of a voxel only, so that its mean is off by up to
        // a voxel; half-precision means have random errors.
        const Vec3f edge = params.voxelSize;
        const auto centreError = static_cast<double>(std::max({edge.x, edge.y, edge.z}));
        return {params,        cells,      cloud.host.positions.size(), cloud.host.intensityMax,
                known->second, centreError};
    }

    void eachMethod(const Case& what, const Setting& setting, const DeviceCloud& cloud,
                    std::optional<double> sortMs) {
        if (!profiles())
            printCase(what);
        if (sortMs && !profiles())
            add({what, "morton-sort", "order", 1, *sortMs, *sortMs, *sortMs, 0});
        for (const MethodInfo& method : m_methods) {
            const bool ablation = method.group == "dense" || method.group == "hash";
            if (ablation && what.points > kAblationPoints && what.size != kAblationSize &&
                m_options.only.empty() && !profiles())
                continue;
            if (isLate())
                return;
            try {
                time(what, setting, cloud, method);
            } catch (const KernelError& error) {
                leaveOut(what, method, error.what());
            }
        }
    }

    void time(const Case& what, const Setting& setting, const DeviceCloud& cloud, const MethodInfo& info) {
        const auto method = info.make(setting, m_stream);
        std::vector<DevicePoints> copies;
        for (std::size_t i = 0; i < cloud.copies(); ++i)
            copies.push_back(cloud.copy(i));
        method->prepare(copies, m_stream);
        if (profiles()) {
            for (std::size_t i = 0; i < kWarmUps; ++i)
                method->run(cloud.copy(i), m_stream);
            m_stream.view().synchronize();
            return;
        }
        method->run(cloud.copy(0), m_stream);
        if (const std::string wrong = difference(method->found(m_stream), setting); !wrong.empty()) {
            ++m_wrong;
            leaveOut(what, info, "WRONG RESULT: " + wrong);
            return;
        }
        std::size_t turn = 1;
        const auto once = [&] {
            EventTimer timer(m_stream);
            method->run(cloud.copy(turn++), m_stream);
            timer.stop();
            const double ms = timer.elapsedMs();
            return method->ownMs().value_or(ms);
        };
        double last = 0;
        for (int i = 0; i < kWarmUps; ++i)
            last = once();
        const int repeats = last > kLongMs ? std::min(m_options.repeats, kLongRepeats) : m_options.repeats;
        std::vector<double> times(static_cast<std::size_t>(repeats));
        std::generate(times.begin(), times.end(), once);
        std::sort(times.begin(), times.end());
        add({what, info.name, info.group, repeats, times[times.size() / 2], times.front(), times.back(),
             method->bytes()});
    }

    void add(const Row& row) {
        printRow(row, m_report);
        m_report.rows.push_back(row);
    }
    void leaveOut(const Case& what, const MethodInfo& method, const std::string& why) {
        fmt::print("  {:<26} {}\n", method.name, why);
        m_report.leftOut.push_back(fmt::format("{} of {}: {}", method.name, what.title(), why));
    }
    bool isLate() {
        m_late = m_late || m_clock.elapsedMs() > m_options.seconds * 1000;
        return m_late;
    }

    const VoxelizeOptions& m_options;
    WallTimer m_clock;
    Stream m_stream;
    Report m_report;
    std::vector<MethodInfo> m_methods;
    std::map<std::string, Histogram> m_references; // expected results, by the key of the case
    int m_wrong = 0;
    bool m_late = false;
};

} // namespace

void addVoxelizeOptions(CLI::App& app, VoxelizeOptions& options) {
    const std::map<std::string, std::uint64_t> units{{"k", 1'000}, {"M", 1'000'000}};
    app.add_option("--points", options.points, "points of the clouds, e.g. 50k,1M")
        ->delimiter(',')
        ->transform(CLI::AsNumberWithUnit(units, CLI::AsNumberWithUnit::CASE_SENSITIVE))
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30)); // the baselines count in 32 bits
    app.add_option("--sizes", options.sizes, "voxel sizes, metres, e.g. 0.075x0.075x0.2,0.5")->delimiter(',');
    app.add_option("--order", options.orders, "orders of the points")
        ->delimiter(',')
        ->check(CLI::IsMember({"scan", "shuffled", "morton", "random"}));
    app.add_option("--scene", options.scenes, "what the points are of")
        ->delimiter(',')
        ->check(CLI::IsMember({"surface", "frame", "dense"}));
    app.add_option("--only", options.only, "rows whose names begin so")->delimiter(',');
    app.add_option("--repeats", options.repeats, "timed runs of each row; 20 at most above 10 ms")
        ->check(CLI::PositiveNumber);
    app.add_option("--limit-seconds", options.seconds, "starts no more rows after this time");
    app.add_option("--frame", options.frame, "the frame: float32 x, y, z, intensity");
    app.add_option("--json", options.json, "writes the figures to this file");
    app.add_option("--markdown", options.markdown, "writes the tables to this file");
    app.add_option("--compare", options.compare, "compares with figures that --json wrote");
    app.add_option("--profile", options.profile, "only runs this row a few times, for a profiler");
    app.add_flag("--list", options.list, "lists the rows");
}

int voxelize(const VoxelizeOptions& options) {
    if (options.list) {
        for (const MethodInfo& method : allMethods())
            fmt::print("{:<26} {:<9} {}\n", method.name, method.group, method.what);
        return 0;
    }
    const DeviceInfo device = probeDevice();
    if (!device.usable)
        throw KernelError("the voxelization benchmark needs the CUDA backend: " + device.reason,
                          "Run it on a machine with a GPU, from a build with nvcc.");
    Run run(options, device);
    const int wrong = run.all();
    if (!options.profile.empty())
        return 0;
    const Report& report = run.report();
    printBaselines(report);
    for (const std::string& left : report.leftOut)
        fmt::print("left out: {}\n", left);
    if (!options.json.empty())
        writeJson(report, options.json);
    if (!options.markdown.empty())
        writeMarkdown(report, options.markdown);
    if (!options.compare.empty())
        compareWith(report, options.compare);
    return wrong == 0 ? 0 : 1;
}

} // namespace scanloupe::bench
