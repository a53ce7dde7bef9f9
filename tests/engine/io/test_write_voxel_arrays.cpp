// Voxels as half-precision arrays with a batch index, and as dense grids; also the conversion to half
// precision itself.
#include "engine/io/common/half_float.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/volume/read_volume.h"
#include "tests/engine/io/test_io_support.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Three occupied voxels in a grid of 5 x 4 x 3; one of the means exceeds the range of float16.
VoxelGrid threeVoxels() {
    VoxelGrid voxels;
    voxels.shape = {{-1, -1, -1}, {0.5f, 0.25f, 0.125f}, {5, 4, 3}};
    voxels.featureCount = 1;
    const std::vector<std::uint64_t> keys{0, 33, 59}; // cells (0, 0, 0), (3, 2, 1) and (4, 3, 2)
    const std::vector<std::uint32_t> counts{2, 70'000, 1};
    const std::vector<float> means{1.5f, -2.0009766f, 70'000, 4, 5, 6, 7, 8, 9, 0.1f, 0, -0.5f};
    voxels.keys = hostCopy(std::span(keys));
    voxels.counts = hostCopy(std::span(counts));
    voxels.means = hostCopy(std::span(means));
    return voxels;
}

/// Offset of the data in a .npy file.
std::size_t dataOf(const std::string& bytes) {
    return 12 + valueAt<std::uint32_t>(bytes, 8);
}

/// The bytes of one array in an uncompressed .npz, with its .npy header.
std::string arrayOf(const std::string& archive, const std::string& name) {
    const std::size_t file = archive.find(name + ".npy");
    const std::size_t begin = archive.find("\x93NUMPY", file), end = archive.find("PK\x07\x08", begin);
    return archive.substr(begin, end - begin);
}

} // namespace

class TestWriteVoxelArrays : public QObject {
    Q_OBJECT
private slots:
    void halvesComeBack() {
        for (std::uint32_t half = 0; half < 0x10000u; ++half) {
            const float value = fromHalf(std::uint16_t(half));
            if (std::isnan(value))
                QVERIFY(std::isnan(fromHalf(toHalf(double(value)))));
            else
                QCOMPARE(std::uint32_t(toHalf(double(value))), half);
        }
    }
    /// Between two adjacent numbers, a value is rounded to the nearer one, and the middle to the even one.
    void halvesAreRounded() {
        for (std::uint32_t half = 0; half < 0x7bffu; ++half) {
            const double low = double(fromHalf(std::uint16_t(half))),
                         high = double(fromHalf(std::uint16_t(half + 1))), middle = (low + high) / 2;
            QCOMPARE(std::uint32_t(toHalf(std::nextafter(middle, 0))), half);
            QCOMPARE(std::uint32_t(toHalf(middle)), half + half % 2);
            QCOMPARE(std::uint32_t(toHalf(std::nextafter(middle, 1e9))), half + 1);
            QCOMPARE(std::uint32_t(toHalf(-middle)), (half + half % 2) | 0x8000u);
        }
        QCOMPARE(toHalf(std::nextafter(65520.0, 0.0)), std::uint16_t(0x7bff)); // rounded down to 65504
        QCOMPARE(toHalf(65520.0), std::uint16_t(0x7c00));
        QCOMPARE(toHalf(-1e300), std::uint16_t(0xfc00));
        QCOMPARE(toHalf(std::numeric_limits<double>::infinity()), std::uint16_t(0x7c00));
        QCOMPARE(toHalf(std::numeric_limits<double>::denorm_min()), std::uint16_t(0));
        QCOMPARE(toHalf(-0.0), std::uint16_t(0x8000));
    }
    void npyOfHalvesAndBatch() {
        const Scratch scratch;
        std::atomic<std::uint64_t> overflows = 0;
        WriteOptions options;
        options.arrays = {true, 7, &overflows};
        const std::vector<VoxelChannel> features{{"batch", 0}};
        writeVoxels(scratch / "a.npy", threeVoxels(), features, {}, options, {});
        const std::string bytes = contentOf(scratch / "a.npy");
        QVERIFY(bytes.substr(12).starts_with(
            "{'descr': [('batch', '<i4'), ('ix', '<i4'), ('iy', '<i4'), ('iz', '<i4'), ('count', '<u4'), "
            "('x', '<f2'), ('y', '<f2'), ('z', '<f2'), ('mean_batch', '<f2')], "
            "'fortran_order': False, 'shape': (3,), }"));
        const std::size_t row = 5 * 4 + 4 * 2, second = dataOf(bytes) + row;
        QCOMPARE(bytes.size(), dataOf(bytes) + 3 * row);
        QCOMPARE(valueAt<std::int32_t>(bytes, second), 7);
        QCOMPARE(valueAt<std::int32_t>(bytes, second + 4), 3);
        QCOMPARE(valueAt<std::int32_t>(bytes, second + 12), 1);
        QCOMPARE(valueAt<std::uint32_t>(bytes, second + 16), 70'000u);
        // -2.0009766, halfway between two halves, is rounded to the even one, -2
        QCOMPARE(valueAt<std::uint16_t>(bytes, second + 20), std::uint16_t(0xc000));
        QCOMPARE(valueAt<std::uint16_t>(bytes, second - 2), std::uint16_t(0x2e66)); // the mean 0.1
        // the mean 70,000 overflows to infinity
        QCOMPARE(valueAt<std::uint16_t>(bytes, second + row + 20), std::uint16_t(0x7c00));
        QCOMPARE(overflows.load(), std::uint64_t{1});
    }
    void npzOfHalvesAndBatch() {
        const Scratch scratch;
        std::atomic<std::uint64_t> overflows = 0;
        WriteOptions options;
        options.arrays = {true, 7, &overflows};
        options.origin = {100'000, 0, 0}; // makes x overflow float16
        const std::vector<VoxelChannel> features{{"intensity", 0}};
        writeVoxels(scratch / "a.npz", threeVoxels(), features, {}, options, {});
        const std::string archive = contentOf(scratch / "a.npz");
        const std::string cells = arrayOf(archive, "coordinates"), means = arrayOf(archive, "means");
        QVERIFY(cells.find("'descr': '<i4', 'fortran_order': False, 'shape': (3,4,)") != std::string::npos);
        for (const auto& [place, index] : {std::pair<std::size_t, int>{4, 7}, {5, 1}, {6, 2}, {7, 3}})
            // order of the columns: batch, z, y, x
            QCOMPARE(valueAt<std::int32_t>(cells, dataOf(cells) + place * 4), index);
        QVERIFY(means.find("'descr': '<f2', 'fortran_order': False, 'shape': (3,4,)") != std::string::npos);
        QCOMPARE(means.size(), dataOf(means) + 3 * 4 * 2);
        QCOMPARE(valueAt<std::uint16_t>(means, dataOf(means)), std::uint16_t(0x7c00));
        QCOMPARE(valueAt<std::uint16_t>(means, dataOf(means) + 2), std::uint16_t(0x4400)); // the mean 4
        QCOMPARE(overflows.load(), std::uint64_t{3});
        writeVoxels(scratch / "b.npz", threeVoxels(), features, {}, {}, {});
        const std::string usual = arrayOf(contentOf(scratch / "b.npz"), "coordinates");
        QVERIFY(usual.find("'shape': (3,3,)") != std::string::npos);
    }
    void denseNpy() {
        const Scratch scratch;
        writeDenseVoxels(scratch / "a.npy", threeVoxels(), DenseValues::counts, {}, {});
        const std::string bytes = contentOf(scratch / "a.npy");
        QVERIFY(
            bytes.substr(12).starts_with("{'descr': '<u4', 'fortran_order': False, 'shape': (3,4,5,), }"));
        QCOMPARE(bytes.size(), dataOf(bytes) + 60 * 4);
        for (std::size_t cell = 0; cell < 60; ++cell)
            QCOMPARE(valueAt<std::uint32_t>(bytes, dataOf(bytes) + cell * 4), cell == 0    ? 2u
                                                                              : cell == 33 ? 70'000u
                                                                              : cell == 59 ? 1u
                                                                                           : 0u);
        VoxelGrid empty = threeVoxels();
        empty.keys = Buffer<std::uint64_t>::host(0);
        empty.counts = Buffer<std::uint32_t>::host(0);
        empty.means = Buffer<float>::host(0);
        writeDenseVoxels(scratch / "b.npy", empty, DenseValues::occupancy, {}, {});
        const std::string zeros = contentOf(scratch / "b.npy");
        QVERIFY(zeros.substr(dataOf(zeros)) == std::string(60, '\0'));
    }
    /// A grid that is written in several pieces.
    void denseGridsAreWrittenInPieces() {
        const Scratch scratch;
        VoxelGrid voxels;
        voxels.shape = {{}, {1, 1, 1}, {1024, 1024, 3}};
        const std::size_t cells = voxels.shape.cellCount();
        std::vector<std::uint64_t> keys;
        // occupied cells at distances of a prime close to the size of a piece
        for (std::uint64_t key = 5; key < cells; key += 1'048'573)
            keys.push_back(key);
        keys.push_back(cells - 1);
        const std::vector<std::uint32_t> counts(keys.size(), 9);
        voxels.keys = hostCopy(std::span(keys));
        voxels.counts = hostCopy(std::span(counts));
        writeDenseVoxels(scratch / "a.npy", voxels, DenseValues::occupancy, {}, {});
        const std::string bytes = contentOf(scratch / "a.npy"), data = bytes.substr(dataOf(bytes));
        std::string expected(cells, '\0');
        for (const std::uint64_t key : keys)
            expected[key] = 1;
        QVERIFY(data == expected);
    }
    void denseRawIsReadAsVolume() {
        const Scratch scratch;
        writeDenseVoxels(scratch / "a.raw", threeVoxels(), DenseValues::counts, {}, {});
        writeDenseVoxels(scratch / "b.raw", threeVoxels(), DenseValues::occupancy, {}, {});
        const Volume counts = readVolume(scratch / "a.raw", {}, {}),
                     occupancy = readVolume(scratch / "b.raw", {}, {});
        for (const Volume* volume : {&counts, &occupancy}) {
            QVERIFY((volume->lattice.dims == Vec3i{5, 4, 3}));
            QVERIFY((volume->lattice.spacing == Vec3f{0.5f, 0.25f, 0.125f}));
            QCOMPARE(volume->values.size(), std::size_t{60});
        }
        QCOMPARE(counts.values[33], 70'000.0f);
        QCOMPARE(counts.values[32], 0.0f);
        QCOMPARE(occupancy.values[59] * occupancy.divisor, 1.0f);
        QCOMPARE(occupancy.values[58], 0.0f);
        QCOMPARE(scratch.entries(), std::size_t{4});
    }
    void denseGridsThatAreTooLargeAreRefused() {
        const Scratch scratch;
        VoxelGrid voxels = threeVoxels();
        voxels.shape.dims = {2'000'000, 2'000'000, 1000};
        for (const char* file : {"a.npy", "a.raw"}) {
            const auto error =
                errorOf([&] { writeDenseVoxels(scratch / file, voxels, DenseValues::occupancy, {}, {}); });
            QVERIFY(says(error, "has 4000000000000000 cells"));
            QVERIFY(error->nextStep().find("--voxel-size") != std::string::npos);
        }
        QCOMPARE(scratch.entries(), std::size_t{0});
        QVERIFY(says(
            errorOf([&] { writeDenseVoxels(scratch / "a.ply", threeVoxels(), DenseValues::counts, {}, {}); }),
            "extension"));
    }
    /// Formats without half-precision arrays ignore the option.
    void otherFormatsTakeNoNotice() {
        const Scratch scratch;
        WriteOptions options;
        options.arrays = {true, 7, nullptr};
        const std::vector<VoxelChannel> features{{"batch", 0}};
        writeVoxels(scratch / "a.csv", threeVoxels(), features, {}, options, {});
        writeVoxels(scratch / "b.csv", threeVoxels(), features, {}, {}, {});
        QVERIFY(contentOf(scratch / "a.csv") == contentOf(scratch / "b.csv"));
    }
};

SCANLOUPE_TEST(TestWriteVoxelArrays)
#include "test_write_voxel_arrays.moc"
