// Marching cubes on both backends, and the published baseline. Each result is checked before it is timed.
#include "tests/bench/bench_surface.h"

#include "kernels/core/parallel.h"
#include "tests/bench/surface_report.h"
#include "tests/bench/surface_sample.h"
#include "tests/bench/surface_scenes.h"
#include "tests/bench/variants/surface_graph.h"
#include "tests/support/uploaded_field.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <optional>

namespace scanloupe::bench {

namespace {

constexpr int kWarmUps = 3;
constexpr int kLongRepeats = 20; // for cases of more than kLongMs
constexpr double kLongMs = 10;
constexpr int kCpuRepeats = 9;
constexpr std::uint64_t kMaxCopies = 16; // with more copies, launch overhead dominates

template <class T>
bool sameBytes(const Buffer<T>& a, const Buffer<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

/// Why a mesh differs from the reference; empty if both are the same, byte by byte.
std::string difference(const TriangleMesh& mesh, const TriangleMesh& reference) {
    if (!sameBytes(mesh.indices, reference.indices))
        return "other triangles than the CPU's";
    if (!sameBytes(mesh.positions, reference.positions) || !sameBytes(mesh.normals, reference.normals))
        return "other vertices than the CPU's";
    if (mesh.activeCells != reference.activeCells || mesh.zeroAreaTriangles != reference.zeroAreaTriangles)
        return "other counts than the CPU's";
    return {};
}

/// Why a soup differs from the reference. Its corners have another order and slightly different rounding.
std::string difference(const SoupSummary& soup, const TriangleMesh& reference) {
    if (soup.activeCells != reference.activeCells || soup.triangles != reference.triangleCount())
        return "other counts than the CPU's";
    Vec3d sum, size;
    for (const std::uint32_t vertex : reference.indices.span()) {
        const Vec3d corner = reference.positions[vertex].as<double>();
        sum += corner;
        size += Vec3d{1, 1, 1} + corner;
    }
    const Vec3d off = soup.cornerSum - sum;
    for (int axis = 0; axis < 3; ++axis)
        if (!(std::abs(off[axis]) <= 1e-6 * size[axis]))
            return "other positions than the CPU's";
    if (!(std::abs(soup.normalLength - 1) < 0.01)) // triangles without area have no normal
        return "normals that are no unit vectors";
    return {};
}

class Run {
public:
    Run(const SurfaceOptions& options, const DeviceInfo& device)
        : m_options(options), m_report(newSurfaceReport(device)) {
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
        for (const int edge : m_options.edges)
            for (const char* scene : {"gyroid", "spheres"})
                if (wantsScene(scene) && !isLate())
                    each(denseScene(scene, edge));
        for (const int edge : m_options.shellEdges)
            if (wantsScene("shell") && !isLate())
                each(shellScene(edge));
        if (wantsScene("sweep") && m_options.sweep.empty())
            m_report.leftOut.push_back("the sweep: --sweep FILE was not given");
        else if (wantsScene("sweep") && !isLate())
            each(sweepScene(m_options.sweep));
        if (m_late)
            m_report.leftOut.push_back(
                fmt::format("what came after {:g} s: --limit-seconds sets another limit", m_options.seconds));
        return m_wrong;
    }
    const SurfaceReport& report() const { return m_report; }

private:
    bool wantsScene(const std::string& scene) const {
        return std::find(m_options.scenes.begin(), m_options.scenes.end(), scene) != m_options.scenes.end();
    }
    bool wants(const std::string& method) const {
        return m_options.only.empty() ||
               std::any_of(m_options.only.begin(), m_options.only.end(),
                           [&](const std::string& name) { return method.starts_with(name); });
    }

    void each(const SurfaceScene& scene) {
        const TriangleMesh reference = cpu::extractSurface(scene.field, scene.iso, {});
        m_what = {scene.name,
                  scene.edge,
                  scene.field.brickCount(),
                  reference.activeBricks,
                  reference.activeCells,
                  reference.vertexCount(),
                  reference.triangleCount()};
        printSurfaceCase(m_what);
        if (wants("cpu"))
            onCpu(scene);
        if (!m_stream)
            return;
        guarded("the device's rows", [&] { onDevice(scene, reference); });
        if (!scene.values.empty() && wants("nvidia-sample"))
            guarded("nvidia-sample", [&] { baseline(scene, reference); });
    }

    void onCpu(const SurfaceScene& scene) {
        std::vector<TriangleMesh> last(1);
        time("cpu", kCpuRepeats, [&] {
            last[0] = cpu::extractSurface(scene.field, scene.iso, {});
            m_steps.push_back({last[0].classifyMs, last[0].scanMs, last[0].compactMs, last[0].generateMs});
            return last[0].cost.wallMs;
        });
    }

    /// Times the device's methods. Copies of the field are read in turn, so that no run finds its samples in
    /// the cache. The method "warm" reads the same copy again and again, as happens when a user moves the
    /// iso-value.
    void onDevice(const SurfaceScene& scene, const TriangleMesh& reference) {
        const std::uint64_t bytes = std::max<std::uint64_t>(scene.field.values.bytes(), 1);
        const std::uint64_t copies = std::clamp<std::uint64_t>(2 * l2Bytes() / bytes + 1, 1, kMaxCopies);
        std::vector<ScalarField> fields;
        std::vector<std::unique_ptr<cuda::SurfaceGraph>> graphs;
        for (std::uint64_t i = 0; i < copies; ++i) {
            fields.push_back(test::uploaded(scene.field, *m_stream));
            m_stream->view().synchronize();
        }
        for (const ScalarField& field : fields)
            graphs.push_back(std::make_unique<cuda::SurfaceGraph>(field, reference.vertexCount(),
                                                                  reference.triangleCount(), *m_stream));
        for (auto& graph : graphs) {
            graph->launch(scene.iso, *m_stream);
            const auto mesh = graph->result(*m_stream).download(*m_stream);
            if (isWrong("graph", difference(mesh, reference)))
                return;
        }
        const auto launched = [&](std::size_t which) {
            EventTimer timer(*m_stream);
            graphs[which]->launch(scene.iso, *m_stream);
            timer.stop();
            return timer.elapsedMs();
        };
        std::size_t turn = 0;
        if (wants("graph"))
            time("graph", m_options.repeats, [&] { return launched(++turn % graphs.size()); });
        if (copies > 1 && wants("graph-warm"))
            time("graph-warm", m_options.repeats, [&] { return launched(0); });
        graphs.clear();
        const auto extract = [&] {
            return cuda::extractSurface(fields[++turn % fields.size()], scene.iso, {}, *m_stream);
        };
        if (isWrong("operator", difference(extract().download(*m_stream), reference)))
            return;
        if (wants("operator"))
            time("operator", m_options.repeats, [&] {
                const TriangleMesh mesh = extract();
                m_steps.push_back({mesh.classifyMs, mesh.scanMs, mesh.compactMs, mesh.generateMs});
                return mesh.cost.deviceMs;
            });
    }

    void baseline(const SurfaceScene& scene, const TriangleMesh& reference) {
        SampleMarchingCubes sample(scene.values, scene.edge, scene.iso, scene.field.insideBelow, *m_stream);
        sample.run(*m_stream);
        if (isWrong("nvidia-sample", difference(sample.summary(*m_stream), reference)))
            return;
        time("nvidia-sample", m_options.repeats, [&] {
            EventTimer timer(*m_stream);
            sample.run(*m_stream);
            timer.stop();
            return timer.elapsedMs();
        });
    }

    void time(const std::string& method, int maxRepeats, const std::function<double()>& once) {
        double last = 0;
        for (int i = 0; i < kWarmUps; ++i)
            last = once();
        m_steps.clear();
        const int repeats = last > kLongMs ? std::min(maxRepeats, kLongRepeats) : maxRepeats;
        std::vector<double> times(static_cast<std::size_t>(repeats));
        std::generate(times.begin(), times.end(), once);
        std::sort(times.begin(), times.end());
        SurfaceRow row{m_what, method, repeats, times[times.size() / 2], times.front(), times.back(), {}};
        if (!m_steps.empty())
            row.steps = StepTimes{median(&StepTimes::classifyMs), median(&StepTimes::scanMs),
                                  median(&StepTimes::compactMs), median(&StepTimes::generateMs)};
        m_steps.clear();
        printSurfaceRow(row);
        m_report.rows.push_back(std::move(row));
    }
    double median(double StepTimes::*step) const {
        std::vector<double> values;
        for (const StepTimes& steps : m_steps)
            values.push_back(steps.*step);
        std::sort(values.begin(), values.end());
        return values[values.size() / 2];
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
        fmt::print("  {:<16} {}\n", method, why);
        m_report.leftOut.push_back(fmt::format("{} of {}: {}", method, m_what.title(), why));
    }
    bool isLate() {
        m_late = m_late || m_clock.elapsedMs() > m_options.seconds * 1000;
        return m_late;
    }

    const SurfaceOptions& m_options;
    WallTimer m_clock;
    std::optional<Stream> m_stream;
    SurfaceReport m_report;
    SurfaceCase m_what;
    std::vector<StepTimes> m_steps; // steps of the timed runs
    int m_wrong = 0;
    bool m_late = false;
};

} // namespace

void addSurfaceOptions(CLI::App& app, SurfaceOptions& options) {
    app.add_option("--edges", options.edges, "nodes along an axis of the dense scenes, e.g. 128,512")
        ->delimiter(',')
        ->check(CLI::Range(2, 1600)); // the baseline counts in 32 bits
    app.add_option("--shell-edges", options.shellEdges, "the same of the lattice that the shell lies in")
        ->delimiter(',')
        ->check(CLI::Range(64, 16384));
    app.add_option("--scene", options.scenes, "what the surface is of")
        ->delimiter(',')
        ->check(CLI::IsMember({"gyroid", "spheres", "shell", "sweep"}));
    app.add_option("--only", options.only, "rows whose names begin so: cpu, graph, operator, nvidia-sample")
        ->delimiter(',');
    app.add_option("--repeats", options.repeats, "timed runs of each row; 20 at most above 10 ms")
        ->check(CLI::PositiveNumber);
    app.add_option("--limit-seconds", options.seconds, "starts no more scenes after this time");
    app.add_option("--sweep", options.sweep, "a sweep: float32 x, y, z, intensity");
    app.add_option("--json", options.json, "writes the figures to this file");
    app.add_option("--compare", options.compare, "compares with figures that --json wrote");
}

int surface(const SurfaceOptions& options) {
    Run run(options, probeDevice());
    const int wrong = run.all();
    for (const std::string& left : run.report().leftOut)
        fmt::print("left out: {}\n", left);
    if (!options.json.empty())
        writeSurfaceJson(run.report(), options.json);
    if (!options.compare.empty())
        compareSurfaces(run.report(), options.compare);
    return wrong == 0 ? 0 : 1;
}

} // namespace scanloupe::bench
