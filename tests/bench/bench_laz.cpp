#include "tests/bench/bench_laz.h"
#include "engine/io/common/write/write_options.h"
#include "tests/bench/median.h"

#include "engine/cloud/error.h"
#include "engine/compute/build_info.h"
#include "engine/io/las/read_las.h"
#include "engine/io/writers.h"
#include "kernels/core/cost.h"
#include "kernels/core/device.h"
#include "kernels/core/parallel.h"
#include "tests/bench/bench_io.h"
#include "tests/bench/variants/laz_positions_device.h"
#include "tests/support/laz_position_layers.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#ifdef SCANLOUPE_BENCH_LASZIP
#include "engine/io/las/laz/laz_decoder.h"

#include <laszip/laszip_api.h>
#endif

namespace scanloupe::bench {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Xyz = std::vector<std::int32_t>; // [N, 3]

constexpr double kSlowMs = 3000; // above this duration, two runs suffice

/// The median of `repeats` results of `run` in milliseconds, after a warm-up run.
template <class F>
double medianMs(int repeats, const F& run) {
    run();
    std::vector<double> times;
    double sum = 0;
    for (int i = 0; i < std::max(repeats, 1) && sum < kSlowMs; ++i) {
        times.push_back(run());
        sum += times.back();
    }
    return median(times);
}

fs::path fileOf(const LazOptions& options) {
    if (!options.file.empty())
        return options.file;
    const fs::path path = fs::path(options.folder) / fmt::format("street_{}.laz", options.points);
    if (fs::exists(path))
        return path;
    fs::create_directories(options.folder);
    fmt::print("making {}\n", path.string());
    std::fflush(stdout);
    writeCloud(path, utmCloud(options.points), {}, {});
    return path;
}

/// Prints a row for each method, and stores it for the JSON file.
class Table {
public:
    Table(std::uint64_t points, const std::string& title) : m_points(points) {
        fmt::print("{}\n{:<30}{:>10}{:>12}\n", title, "", "ms", "Mpoints/s");
    }
    void add(const std::string& name, double ms, std::uint64_t points, const std::string& note = {}) {
        fmt::print("{:<30}{:>10.1f}{:>12.1f}  {}\n", name, ms, double(points) / ms / 1e3, note);
        std::fflush(stdout);
        rows.push_back({{"name", name}, {"ms", ms}, {"points", points}, {"note", note}});
    }
    void add(const std::string& name, double ms, const std::string& note = {}) {
        add(name, ms, m_points, note);
    }
    Json rows = Json::array();

private:
    std::uint64_t m_points;
};

/// Decodes chunks with LASzip as the product does, x, y and z alone.
void decodeByLaszip([[maybe_unused]] const test::OpenLaz& laz, [[maybe_unused]] std::size_t chunks,
                    [[maybe_unused]] Xyz& xyz) {
#ifdef SCANLOUPE_BENCH_LASZIP
    parallelChunks(chunks, 1, {}, [&](std::size_t c, std::size_t, std::size_t) {
        const LazChunk& chunk = laz.found.chunks[c];
        decompressLazChunk(laz.file, laz.header, laz.vlr, chunk, LazLayers{laszip_DECOMPRESS_SELECTIVE_Z},
                           [&](const std::byte* records, std::size_t first, std::size_t count) {
                               for (std::size_t i = 0; i < count; ++i)
                                   std::memcpy(xyz.data() + 3 * (chunk.first + first + i),
                                               records + i * laz.header.recordLength, 12);
                           },
                           {});
    });
#endif
}

/// Stores decoded positions as consecutive x, y, z.
struct PositionsOut {
    std::int32_t* xyz; // [N, 3]

    bool isStopped() const { return false; }
    void put(std::uint32_t i, std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t) const {
        std::int32_t* const out = xyz + 3 * std::uint64_t{i};
        out[0] = x;
        out[1] = y;
        out[2] = z;
    }
};

/// Decodes chunks with our own decoder on the host. Returns the number of damaged chunks.
std::size_t decodeByKernels(const test::LazPositionLayers& layers, std::size_t chunks, Xyz& xyz) {
    std::vector<char> bad(chunks);
    parallelChunks(chunks, 1, {}, [&](std::size_t c, std::size_t, std::size_t) {
        thread_local std::vector<std::uint32_t> state;
        state.assign(laz::kPositionStateWords, 0);
        bad[c] = !laz::decodePositions(laz::OneLane(), layers.chunks[c], layers.words.data(), state.data(),
                                       PositionsOut{xyz.data() + 3 * layers.chunks[c].firstPoint});
    });
    return std::size_t(std::count(bad.begin(), bad.end(), 1));
}

template <class F>
double timeOf(const F& run) {
    const WallTimer timer;
    run();
    return timer.elapsedMs();
}

bool isSame(const Xyz& expected, const std::int32_t* xyz, std::size_t damaged, const std::string& name) {
    if (damaged == 0 && std::memcmp(expected.data(), xyz, expected.size() * sizeof xyz[0]) == 0)
        return true;
    std::size_t first = 0;
    while (first < expected.size() && xyz[first] == expected[first])
        ++first;
    fmt::print("{}: WRONG, {} chunks damaged, first difference at point {}\n", name, damaged, first / 3);
    return false;
}

/// The compressed layers and the decoded positions on the device.
struct OnDevice {
    Buffer<std::uint32_t> words;
    Buffer<laz::LayeredChunk> chunks;
    Buffer<std::int32_t> xyz; // [N, 3]
    Buffer<std::uint8_t> damaged;
};

bool runOnDevice(const LazOptions& options, const DeviceInfo& device, const test::OpenLaz& laz,
                 const Xyz& expected, Table& table) {
    const Stream stream;
    const auto layers = test::readLazPositionLayers(laz, MemorySpace::pinned, stream);
    auto chunks = Buffer<laz::LayeredChunk>::in(MemorySpace::pinned, layers.chunks.size(), stream);
    std::copy(layers.chunks.begin(), layers.chunks.end(), chunks.data());
    OnDevice on{Buffer<std::uint32_t>::in(MemorySpace::device, layers.words.size(), stream),
                Buffer<laz::LayeredChunk>::in(MemorySpace::device, chunks.size(), stream),
                Buffer<std::int32_t>::in(MemorySpace::device, expected.size(), stream),
                Buffer<std::uint8_t>::in(MemorySpace::device, chunks.size(), stream)};
    const double uploadMs = medianMs(options.repeats, [&] {
        EventTimer timer(stream);
        detail::copyBytes(on.words.data(), MemorySpace::device, layers.words.data(), MemorySpace::pinned,
                          layers.words.bytes(), stream);
        detail::copyBytes(on.chunks.data(), MemorySpace::device, chunks.data(), MemorySpace::pinned,
                          chunks.bytes(), stream);
        timer.stop();
        return timer.elapsedMs();
    });
    table.add("upload", uploadMs, fmt::format("{:.1f} GB/s", double(layers.words.bytes()) / uploadMs / 1e6));
    // if memory is too small for the decoder states of all chunks, decodes as many chunks at a time as fit
    const std::uint64_t room = device.freeBytes / 2 / (cuda::lazStateWords(1) * sizeof(std::uint32_t));
    const auto atOnce = std::min<std::uint64_t>(layers.chunks.size(), std::max<std::uint64_t>(room, 1));
    auto states = Buffer<std::uint32_t>::in(MemorySpace::device,
                                            static_cast<std::size_t>(cuda::lazStateWords(atOnce)), stream);
    bool good = true;
    for (const cuda::LazSchedule& schedule : cuda::lazSchedules()) {
        if (!options.only.empty() && options.only != schedule.name)
            continue;
        const double ms = medianMs(options.repeats, [&] {
            EventTimer timer(stream);
            for (std::uint64_t c = 0; c < layers.chunks.size(); c += atOnce)
                cuda::decodeLazPositions(
                    schedule, on.chunks.data() + c,
                    static_cast<std::uint32_t>(std::min<std::uint64_t>(atOnce, layers.chunks.size() - c)),
                    on.words.data(), states.data(), on.xyz.data(), on.damaged.data() + c, stream);
            timer.stop();
            return timer.elapsedMs();
        });
        const auto xyz = on.xyz.copyTo(MemorySpace::host, stream);
        const auto damaged = on.damaged.copyTo(MemorySpace::host, stream);
        const auto bad = std::count(damaged.data(), damaged.data() + damaged.size(), std::uint8_t(1));
        good = isSame(expected, xyz.data(), std::size_t(bad), schedule.name) && good;
        table.add(schedule.name, ms,
                  fmt::format("with upload {:.1f} ms, {:.1f} Mpoints/s", ms + uploadMs,
                              double(layers.points) / (ms + uploadMs) / 1e3));
    }
    return good;
}

} // namespace

void addLazOptions(CLI::App& app, LazOptions& options) {
    app.add_option("--file", options.file, "a LAZ file of point format 6 to 10");
    app.add_option("--points", options.points, "points of the generated street, without --file");
    app.add_option("--folder", options.folder, "where its file is made, and left");
    app.add_option("--repeats", options.repeats, "runs; medians are shown");
    app.add_option("--schedule", options.only, "this one only");
    app.add_option("--json", options.json, "writes the figures to this file");
}

int laz(const LazOptions& options) {
    if (!haveLaszip())
        throw EngineError("LAZ is decoded beside LASzip, which this build lacks",
                          "Install liblaszip-dev and build it again.");
    const test::OpenLaz open(fileOf(options));
    const DeviceInfo device = probeDevice();
    test::LazPositionLayers layers;
    const double readMs = medianMs(options.repeats, [&] {
        return timeOf([&] {
            layers = {};
            layers = test::readLazPositionLayers(open, MemorySpace::host, StreamView(nullptr));
        });
    });
    if (layers.chunks.empty())
        throw EngineError("the file has no points", "Take another one.");
    const int threads = parallelThreads();
    Table table(layers.points,
                fmt::format("{}: {} points in {} chunks, {:.2f} bytes a point of x, y and z; {} KB of models "
                            "a chunk; commit {}",
                            open.file.name(), layers.points, layers.chunks.size(),
                            double(layers.words.bytes()) / double(layers.points),
                            laz::kPositionStateWords * sizeof(std::uint32_t) / 1000, buildInfo().commit));
    table.add("read the layers", readMs, "while they are in the page cache");
    Xyz expected(3 * layers.points), xyz(3 * layers.points);
    const double laszipMs = medianMs(options.repeats, [&] {
        return timeOf([&] { decodeByLaszip(open, layers.chunks.size(), expected); });
    });
    table.add(fmt::format("LASzip, {} threads", threads), laszipMs, "with reading; x, y, z alone");
    std::size_t damaged = 0;
    const double trialMs = medianMs(options.repeats, [&] {
        return timeOf([&] { damaged = decodeByKernels(layers, layers.chunks.size(), xyz); });
    });
    bool good = isSame(expected, xyz.data(), damaged, "our own decoder on the CPU");
    table.add(fmt::format("own decoder, {} threads", threads), trialMs);
    const std::uint64_t points = layers.chunks[0].count;
    const double oneLaszipMs =
        medianMs(options.repeats, [&] { return timeOf([&] { decodeByLaszip(open, 1, expected); }); });
    const double oneTrialMs =
        medianMs(options.repeats, [&] { return timeOf([&] { decodeByKernels(layers, 1, xyz); }); });
    table.add("LASzip, a chunk", oneLaszipMs, points, "one thread");
    table.add("own decoder, a chunk", oneTrialMs, points, "one thread");
    if (device.usable)
        good = runOnDevice(options, device, open, expected, table) && good;
    else
        fmt::print("Nothing is decoded on a GPU here: {}\n", device.reason);
    if (!options.json.empty())
        writeAtomically(options.json, [&](std::ostream& out) {
            out << Json{{"gpu", device.name},
                        {"commit", buildInfo().commit},
                        {"file", open.file.name()},
                        {"points", layers.points},
                        {"chunks", layers.chunks.size()},
                        {"layer_bytes", layers.words.bytes()},
                        {"state_bytes_a_chunk", laz::kPositionStateWords * sizeof(std::uint32_t)},
                        {"threads", threads},
                        {"rows", table.rows}}
                       .dump(2)
                << '\n';
        });
    return good ? 0 : 1;
}

} // namespace scanloupe::bench
