// Positions of LAZ by the trial decoder, which runs on the device, too, against LASzip's.
#include "engine/io/las/read_las.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "tests/bench/variants/laz_positions_device.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/laz_position_layers.h"
#include "tests/support/test_support.h"

#include <cstring>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

using Xyz = std::vector<std::int32_t>; // [N, 3]

const StreamView kNoStream{nullptr};

/// The positions as the product reads them.
Xyz readByProduct(const std::filesystem::path& path) {
    const auto cloud = readScan(path, {}, {});
    const auto& positions = std::get<ScaledPositions>(cloud->positions());
    Xyz xyz(3 * cloud->size());
    for (std::size_t i = 0; i < cloud->size(); ++i)
        for (int axis = 0; axis < 3; ++axis)
            xyz[3 * i + std::size_t(axis)] = positions.xyz[i][axis];
    return xyz;
}

/// Decodes all chunks, and counts the damaged ones.
template <class Lanes>
Xyz decode(const LazPositionLayers& layers, std::size_t& damaged) {
    Xyz xyz(3 * layers.points);
    std::vector<std::uint32_t> state(laz::kStateWords);
    damaged = 0;
    for (const laz::PositionsChunk& chunk : layers.chunks) {
        std::fill(state.begin(), state.end(), 0);
        if (!laz::decodePositions(Lanes(), chunk, layers.words.data(), state.data(), xyz.data()))
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

/// What the points of a written file are like.
enum class Kind {
    smooth,  ///< small steps, one return
    flat,    ///< the same along x alone
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

class TestLazPositions : public QObject {
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
        for (laz::PositionsChunk& chunk : layers.chunks) // a writer may leave out what never changes
            chunk.zBytes = 0;
        compare<laz::OneLane>(layers, expected);
    }

    /// Nothing is read or written beyond its end, which the sanitizers watch, and a chunk that is cut off is
    /// told from a whole one.
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
        std::vector<std::uint32_t> state(laz::kStateWords);
        const auto decodeOne = [&](const laz::PositionsChunk& chunk,
                                   const std::vector<std::uint32_t>& words) {
            std::fill(state.begin(), state.end(), 0);
            return laz::decodePositions(laz::OneLane(), chunk, words.data(), state.data(), xyz.data());
        };
        const auto given = layers.words.span();
        for (int i = 0; i < 300; ++i) {
            laz::PositionsChunk chunk = layers.chunks[0];
            std::vector<std::uint32_t> words(given.begin(), given.end());
            if (i % 3 == 0) { // other bits here and there, of which the first four bytes are the worst
                for (int k = 0; k < 1 + i / 30; ++k)
                    words[random() % words.size()] ^= std::uint32_t(random());
                if (i % 2 == 0)
                    words[chunk.xyWord] = ~0u;
                decodeOne(chunk, words);
            } else if (i % 3 == 1) { // nothing but noise
                for (std::uint32_t& word : words)
                    word = std::uint32_t(random());
                chunk.returns = std::uint8_t(random());
                chunk.channel = std::uint8_t(random());
                decodeOne(chunk, words);
            } else { // cut off; the memory ends there, too
                chunk.zWord = 0;
                chunk.zBytes = 0;
                chunk.xyBytes = std::uint32_t(random() % (chunk.xyBytes / 2));
                words = {given.begin(), given.begin() + (chunk.xyBytes + 3) / 4};
                if (chunk.xyBytes % 4 != 0)
                    words.back() &= (1u << 8 * (chunk.xyBytes % 4)) - 1;
                QVERIFY(!decodeOne(chunk, words));
            }
        }
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
        layers.chunks.push_back(layers.chunks.back()); // a damaged one, of one point more
        layers.chunks.back().firstPoint = layers.points;
        layers.chunks.back().count = 2;
        layers.chunks.back().xyBytes = 0;
        const auto count = std::uint32_t(layers.chunks.size());
        const auto words = layers.words.copyTo(MemorySpace::device, stream);
        const auto chunks =
            hostCopy(std::span<const laz::PositionsChunk>(layers.chunks)).copyTo(MemorySpace::device, stream);
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

QTEST_APPLESS_MAIN(TestLazPositions)
#include "test_laz_positions.moc"
