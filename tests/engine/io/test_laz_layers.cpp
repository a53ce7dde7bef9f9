// Layers of LAZ files, decoded by our own decoder on host and device, compared with LASzip.
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/las/las_layout.h"
#include "engine/io/las/laz/laz_records.h"
#include "engine/io/las/read_las.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "tests/bench/variants/laz_positions_device.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/laz_position_layers.h"
#include "tests/support/test_support.h"
#include "tests/support/time_limits.h"

#include <QElapsedTimer>
#include <cstring>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

using Xyz = std::vector<std::int32_t>; // [N, 3]

const StreamView kNoStream{nullptr};

ReadOptions reading(AttributeReading attributes) {
    ReadOptions options;
    options.attributes = attributes;
    return options;
}

/// The positions as readScan() returns them.
Xyz readByProduct(const std::filesystem::path& path) {
    const auto cloud = readScan(path, {}, {});
    const auto& positions = std::get<ScaledPositions>(cloud->positions());
    Xyz xyz(3 * cloud->size());
    for (std::size_t i = 0; i < cloud->size(); ++i)
        for (int axis = 0; axis < 3; ++axis)
            xyz[3 * i + std::size_t(axis)] = positions.xyz[i][axis];
    return xyz;
}

/// Stores decoded positions as consecutive x, y, z.
struct PositionsOut {
    std::int32_t* xyz; // [N, 3]

    bool isStopped() const { return false; }
    void put(std::uint32_t i, std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t) const {
        const std::int32_t position[] = {x, y, z};
        std::memcpy(xyz + 3 * std::size_t(i), position, sizeof position);
    }
};

/// Decodes all chunks. `damaged` receives the number of damaged chunks.
template <class Lanes>
Xyz decode(const LazPositionLayers& layers, std::size_t& damaged) {
    Xyz xyz(3 * layers.points);
    std::vector<std::uint32_t> state(laz::kPositionStateWords);
    damaged = 0;
    for (const laz::LayeredChunk& chunk : layers.chunks) {
        std::fill(state.begin(), state.end(), 0);
        if (!laz::decodePositions(Lanes(), chunk, layers.words.data(), state.data(),
                                  PositionsOut{xyz.data() + 3 * chunk.firstPoint}))
            ++damaged;
    }
    return xyz;
}

std::size_t differences(const Xyz& a, const Xyz& b) {
    std::size_t count = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        count += a[i] != b[i] ? 1 : 0;
    return count;
}

template <class Lanes>
void compare(const LazPositionLayers& layers, const Xyz& expected) {
    std::size_t damaged = 0;
    const Xyz xyz = decode<Lanes>(layers, damaged);
    QCOMPARE(damaged, std::size_t(0));
    QCOMPARE(differences(xyz, expected), std::size_t(0));
}

Attribute bytes(const char* name, std::span<const std::uint8_t> values) {
    Attribute attribute;
    attribute.name = name;
    attribute.type = ScalarType::uint8;
    attribute.allocate(values.size());
    std::memcpy(attribute.dataToFill(), values.data(), values.size());
    return attribute;
}

/// Patterns of the points in a generated file.
enum class Kind {
    smooth,  ///< small steps between points, one return
    flat,    ///< like `smooth`, but only x changes
    returns, ///< pulses of several returns, two scanner channels
    odd      ///< any numbers of returns, four channels, steps of all sizes
};

PointCloud makeCloud(std::size_t count, Kind kind, std::mt19937_64& random) {
    ScaledPositions positions{Buffer<Vec3i>::host(count), {1e-3, 1e-3, 1e-3}, {}};
    std::vector<std::uint8_t> number(count), of(count), channel(count);
    Attribute time;
    time.name = "time";
    time.type = ScalarType::float64;
    time.allocate(count);
    Vec3i at{17, 18, 19};
    unsigned n = 1, pulse = 1, scanner = 0;
    double seconds = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned digits = kind == Kind::odd ? unsigned(random() % 32) : 10;
        for (int axis = 0; axis < (kind == Kind::flat ? 1 : 3); ++axis) {
            const auto step = std::uint32_t(random()) >> (31 - digits);
            at[axis] = std::int32_t(std::uint32_t(at[axis]) + (random() % 2 ? step : 0 - step));
        }
        positions.xyz[i] = at;
        if (n >= pulse)
            seconds += 1e-6;
        std::memcpy(time.dataToFill() + i * sizeof seconds, &seconds, sizeof seconds);
        number[i] = std::uint8_t(n);
        of[i] = std::uint8_t(pulse);
        channel[i] = std::uint8_t(scanner);
        if (kind == Kind::odd && random() % 3 == 0) {
            n = unsigned(random() % 16);
            pulse = unsigned(random() % 16);
            scanner = unsigned(random() % 4);
        } else if (kind == Kind::returns) {
            pulse = n < pulse ? pulse : 1 + unsigned(random() % 5);
            n = n < of[i] ? n + 1 : 1;
            scanner ^= random() % 100 == 0 ? 1u : 0u;
        }
    }
    std::vector<Attribute> attributes;
    attributes.push_back(std::move(time));
    attributes.push_back(bytes("return_number", number));
    attributes.push_back(bytes("number_of_returns", of));
    attributes.push_back(bytes("scanner_channel", channel));
    return PointCloud(std::move(positions), std::move(attributes), {});
}

/// A cloud of makeCloud() with more attributes that are read together with the positions: colours, and
/// sensors and normals as extra bytes.
PointCloud makeColoured(std::size_t count, Kind kind, std::mt19937_64& random) {
    const PointCloud plain = makeCloud(count, kind, random);
    std::vector<Attribute> attributes = plain.attributes();
    std::uint16_t grey = 0, rgb[3] = {40'000, 300, 7};
    std::vector<std::uint16_t> colours[3];
    for (std::size_t i = 0; i < count; ++i) {
        grey = std::uint16_t(grey + random() % 999);
        const bool isGrey = kind == Kind::flat || (kind == Kind::odd && random() % 4 == 0);
        for (int c = 0; c < 3; ++c) {
            rgb[c] =
                kind == Kind::odd ? std::uint16_t(random()) : std::uint16_t(rgb[c] + random() % 300 - 150);
            colours[c].push_back(isGrey ? grey : rgb[c]);
        }
    }
    const char* names[] = {"red", "green", "blue"};
    for (int c = 0; c < 3; ++c)
        attributes.push_back(makeAttribute(names[c], ScalarType::uint16, colours[c]));
    for (const char* name : {"sensor_x", "sensor_y", "sensor_z", "normal_x"}) {
        std::vector<float> values(count);
        float value = 0;
        for (float& v : values) // the sensor position changes at one of 64 points on average
            v = value += random() % 64 == 0 || name[0] == 'n' ? float(random() % 1000) * 0.25f : 0.0f;
        attributes.push_back(makeAttribute(name, ScalarType::float32, values));
    }
    auto positions = ScaledPositions{
        hostCopy(std::get<ScaledPositions>(plain.positions()).xyz.span()), {1e-3, 1e-3, 1e-3}, {}};
    return PointCloud(std::move(positions), std::move(attributes), {});
}

/// A source whose attributes are never loaded.
class NoSource : public AttributeSource {
public:
    std::vector<std::string> read(std::span<const std::size_t>, std::span<std::byte* const>,
                                  const std::stop_token&) const override {
        throw Fault("an attribute was asked for that the test does not read");
    }
};

/// A cloud read by our own decoder, and the list of damaged chunks.
struct Decoded {
    std::shared_ptr<const PointCloud> cloud;
    std::vector<std::uint8_t> damaged;
};

Decoded decodeRecords(const std::filesystem::path& path, const Execution& on) {
    const OpenLaz laz(path);
    const LasLayout layout = readLasLayout(laz.file, laz.header);
    CloudBuilder builder(laz.file, layout.fields(), std::size_t(laz.header.points), 0, true);
    const auto plan = planLazRecords(layout, laz.header.pointFormat, laz.vlr, builder.targets(), false);
    if (!plan)
        return {};
    const auto take = [&](const std::byte* records, std::size_t firstRow, std::size_t count) {
        copyLasRecords(plan->layout, records, count, builder, firstRow);
    };
    Decoded decoded;
    decoded.damaged = decodeLazRecords(laz.file, laz.header, laz.vlr, laz.found.chunks, *plan, take, on);
    decoded.cloud = builder.finish(-1, {}, std::make_shared<const NoSource>());
    return decoded;
}

/// Compares the attributes that our decoder reads together with the positions.
void compareClouds(const PointCloud& got, const PointCloud& expected) {
    QCOMPARE(got.size(), expected.size());
    const auto& a = std::get<ScaledPositions>(got.positions());
    const auto& b = std::get<ScaledPositions>(expected.positions());
    QVERIFY(std::memcmp(a.xyz.data(), b.xyz.data(), a.xyz.bytes()) == 0);
    std::size_t compared = 0;
    for (const Attribute& attribute : got.attributes()) {
        if (!isReadWithPositions(attribute.name))
            continue;
        const Attribute* other = expected.attribute(attribute.name);
        QVERIFY2(other && other->type == attribute.type, attribute.name.c_str());
        QVERIFY2(std::memcmp(attribute.data(), other->data(), got.size() * sizeOf(attribute.type)) == 0,
                 attribute.name.c_str());
        ++compared;
    }
    QVERIFY(compared > 0);
}

void addKinds() {
    QTest::addColumn<int>("kind");
    QTest::newRow("smooth") << int(Kind::smooth);
    QTest::newRow("flat") << int(Kind::flat);
    QTest::newRow("returns") << int(Kind::returns);
    QTest::newRow("odd") << int(Kind::odd);
}

} // namespace

#define SCANLOUPE_NEEDS_LASZIP()                                                                             \
    if (!haveLaszip())                                                                                       \
    QSKIP("this build has no LASzip")

class TestLazLayers : public QObject {
    Q_OBJECT
private slots:
    void realFiles_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"las/laspy_1_4_w_evlr.laz", "las/laspy_fullwave.laz", "las/laspy_simple_with_page.copc.laz"})
            QTest::newRow(name) << name;
    }
    void realFiles() {
        SCANLOUPE_NEEDS_LASZIP();
        QFETCH(QString, name);
        SCANLOUPE_REAL_SCAN(path, name.toStdString());
        const auto layers = readLazPositionLayers(OpenLaz(path), MemorySpace::host, kNoStream);
        QVERIFY(layers.points > 0);
        compare<laz::OneLane>(layers, readByProduct(path));
        compare<laz::EmulatedLanes<32>>(layers, readByProduct(path));
    }

    void writtenFiles_data() { addKinds(); }
    void writtenFiles() {
        SCANLOUPE_NEEDS_LASZIP();
        QFETCH(int, kind);
        auto random = seededRandom("writtenFiles");
        const Scratch scratch;
        const auto path = scratch / "scan.laz";
        const PointCloud cloud = makeCloud(120'001, Kind(kind), random);
        writeCloud(path, cloud, {}, {});
        const Xyz expected = readByProduct(path);
        QCOMPARE(expected.size(), 3 * cloud.size());
        auto layers = readLazPositionLayers(OpenLaz(path), MemorySpace::host, kNoStream);
        QCOMPARE(layers.chunks.size(), std::size_t(3));
        compare<laz::OneLane>(layers, expected);
        compare<laz::EmulatedLanes<32>>(layers, expected);
        compare<laz::EmulatedLanes<16>>(layers, expected);
        compare<laz::EmulatedLanes<8>>(layers, expected);
        if (Kind(kind) != Kind::flat)
            return;
        for (laz::LayeredChunk& chunk : layers.chunks) // a writer may omit the layer of a value that never
                                                       // changes
            chunk.z.bytes = 0;
        compare<laz::OneLane>(layers, expected);
    }

    /// Damaged layers cause no access out of bounds, which the sanitizers check. A truncated chunk is
    /// reported as damaged.
    void damagedLayers_data() { addKinds(); }
    void damagedLayers() {
        SCANLOUPE_NEEDS_LASZIP();
        QFETCH(int, kind);
        auto random = seededRandom("damagedLayers");
        const Scratch scratch;
        const auto path = scratch / "scan.laz";
        writeCloud(path, makeCloud(3'000, Kind(kind), random), {}, {});
        const auto layers = readLazPositionLayers(OpenLaz(path), MemorySpace::host, kNoStream);
        QCOMPARE(layers.chunks.size(), std::size_t(1));
        Xyz xyz(3 * layers.points);
        std::vector<std::uint32_t> state(laz::kPositionStateWords);
        const auto decodeOne = [&](const laz::LayeredChunk& chunk, const std::vector<std::uint32_t>& words) {
            std::fill(state.begin(), state.end(), 0);
            return laz::decodePositions(laz::OneLane(), chunk, words.data(), state.data(),
                                        PositionsOut{xyz.data()});
        };
        const auto given = layers.words.span();
        for (int i = 0; i < 300; ++i) {
            laz::LayeredChunk chunk = layers.chunks[0];
            std::vector<std::uint32_t> words(given.begin(), given.end());
            // flips random bits; every other time, it also damages the first four bytes, which initialize the
            // decoder
            if (i % 3 == 0) {
                for (int k = 0; k < 1 + i / 30; ++k)
                    words[random() % words.size()] ^= std::uint32_t(random());
                if (i % 2 == 0)
                    words[chunk.xy.word] = ~0u;
                decodeOne(chunk, words);
            } else if (i % 3 == 1) { // random bytes
                for (std::uint32_t& word : words)
                    word = std::uint32_t(random());
                chunk.returns = std::uint8_t(random());
                chunk.channel = std::uint8_t(random());
                decodeOne(chunk, words);
            } else { // a truncated chunk whose memory ends at its last byte
                chunk.z.word = 0;
                chunk.z.bytes = 0;
                chunk.xy.bytes = std::uint32_t(random() % (chunk.xy.bytes / 2));
                words = {given.begin(), given.begin() + (chunk.xy.bytes + 3) / 4};
                if (chunk.xy.bytes % 4 != 0)
                    words.back() &= (1u << 8 * (chunk.xy.bytes % 4)) - 1;
                QVERIFY(!decodeOne(chunk, words));
            }
        }
    }

    void records_data() { addKinds(); }
    void records() {
        SCANLOUPE_NEEDS_LASZIP();
        QFETCH(int, kind);
        auto random = seededRandom("records");
        const Scratch scratch;
        const auto path = scratch / "scan.laz";
        writeCloud(path, makeColoured(130'001, Kind(kind), random), {}, {});
        const auto expected = readScan(path, reading(AttributeReading::atOnce), {});
        const Decoded decoded = decodeRecords(path, {});
        QCOMPARE(decoded.damaged, std::vector<std::uint8_t>(3, 0));
        compareClouds(*decoded.cloud, *expected);
    }

    void recordsOnDevice_data() { addKinds(); }
    void recordsOnDevice() {
        SCANLOUPE_NEEDS_LASZIP();
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, kind);
        auto random = seededRandom("recordsOnDevice");
        const Scratch scratch;
        const auto path = scratch / "scan.laz";
        writeCloud(path, makeColoured(420'001, Kind(kind), random), {}, {});
        const auto expected = readScan(path, reading(AttributeReading::atOnce), {});
        const Stream stream;
        const Decoded decoded = decodeRecords(path, {stream.view(), {}});
        QCOMPARE(decoded.damaged, std::vector<std::uint8_t>(9, 0));
        compareClouds(*decoded.cloud, *expected);
    }

    /// Decoding on the device stops before users notice a delay.
    void deviceStops() {
        SCANLOUPE_NEEDS_LASZIP();
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("deviceStops");
        const Scratch scratch;
        const auto path = scratch / "scan.laz";
        writeCloud(path, makeColoured(420'001, Kind::odd, random), {}, {});
        const Stream stream;
        for (const int after : {0, 5, 20, 60}) {
            std::stop_source stop;
            std::jthread stopper([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(after));
                stop.request_stop();
            });
            QElapsedTimer timer;
            timer.start();
            try {
                decodeRecords(path, {stream.view(), stop.get_token()});
            } catch (const Cancelled&) {
            }
            QVERIFY2(double(timer.elapsed()) < after + kStopMs, qPrintable(QString::number(timer.elapsed())));
        }
    }

    /// If our decoder reports a chunk as intact, its result equals LASzip's. If it reports damage, LASzip
    /// reads the chunk again.
    void damagedFiles_data() { addKinds(); }
    void damagedFiles() {
        SCANLOUPE_NEEDS_LASZIP();
        QFETCH(int, kind);
        auto random = seededRandom("damagedFiles");
        const Scratch scratch;
        const auto path = scratch / "scan.laz";
        writeCloud(path, makeColoured(3'000, Kind(kind), random), {}, {});
        const OpenLaz laz(path);
        QCOMPARE(laz.found.chunks.size(), std::size_t(1));
        const std::string whole = contentOf(path);
        const std::size_t begin = std::size_t(laz.found.chunks[0].begin) + laz.header.recordLength + 4;
        std::size_t damaged = 0;
        for (int i = 0; i < 200; ++i) {
            std::string content = whole;
            for (int k = 0; k <= i % 3; ++k) {
                const std::size_t at = begin + random() % (std::size_t(laz.found.chunks[0].end) - begin);
                content[at] = char(content[at] ^ (1 << random() % 8));
            }
            const auto bad = scratch.file("bad.laz", content);
            Decoded decoded;
            try {
                decoded = decodeRecords(bad, {});
            } catch (const Error&) { // the damaged header no longer matches the file
                continue;
            }
            if (!decoded.cloud || decoded.damaged[0]) {
                ++damaged;
                continue;
            }
            const auto expected = readScan(bad, reading(AttributeReading::onDemand), {});
            compareClouds(*decoded.cloud, *expected);
            if (QTest::currentTestFailed())
                return;
        }
        QVERIFY(damaged < 200);
    }

    void onDevice_data() { addKinds(); }
    void onDevice() {
        SCANLOUPE_NEEDS_LASZIP();
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, kind);
        auto random = seededRandom("onDevice");
        const Scratch scratch;
        const auto path = scratch / "scan.laz";
        writeCloud(path, makeCloud(320'001, Kind(kind), random), {}, {});
        const Xyz expected = readByProduct(path);
        const Stream stream;
        auto layers = readLazPositionLayers(OpenLaz(path), MemorySpace::host, kNoStream);
        // appends a damaged chunk that adds one point to the file
        layers.chunks.push_back(layers.chunks.back());
        layers.chunks.back().firstPoint = layers.points;
        layers.chunks.back().count = 2;
        layers.chunks.back().xy.bytes = 0;
        const auto count = std::uint32_t(layers.chunks.size());
        const auto words = layers.words.copyTo(MemorySpace::device, stream);
        const auto chunks =
            hostCopy(std::span<const laz::LayeredChunk>(layers.chunks)).copyTo(MemorySpace::device, stream);
        auto states = Buffer<std::uint32_t>::in(MemorySpace::device, cuda::lazStateWords(count), stream);
        auto xyz = Buffer<std::int32_t>::in(MemorySpace::device, expected.size() + 6, stream);
        auto damaged = Buffer<std::uint8_t>::in(MemorySpace::device, count, stream);
        for (const cuda::LazSchedule& schedule : cuda::lazSchedules()) {
            cuda::decodeLazPositions(schedule, chunks.data(), count, words.data(), states.data(), xyz.data(),
                                     damaged.data(), stream);
            const auto got = xyz.copyTo(MemorySpace::host, stream);
            const auto flags = damaged.copyTo(MemorySpace::host, stream);
            const Xyz positions(got.data(), got.data() + expected.size());
            QVERIFY2(differences(positions, expected) == 0, schedule.name);
            for (std::uint32_t c = 0; c < count; ++c)
                QVERIFY2(flags[c] == (c + 1 == count ? 1 : 0), schedule.name);
        }
    }
};

SCANLOUPE_TEST(TestLazLayers)
#include "test_laz_layers.moc"
