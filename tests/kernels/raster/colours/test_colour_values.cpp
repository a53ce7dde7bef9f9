// Values and colours of primitives on both backends, compared with a plain computation.
#include "kernels/mesh/distance/nearest_voxels.h"
#include "kernels/raster/colours/colour_values.h"
#include "tests/kernels/raster/raster_backends.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                kInfinite = std::numeric_limits<float>::infinity();

/// Runs the operators on the backend of this run of the suite, with data of the host.
class Place {
public:
    Place() {
        if (RasterBackend::current().isCuda())
            m_stream.emplace();
    }
    template <class T>
    Buffer<T> put(std::span<const T> values) {
        auto host = hostCopy(values);
        if (!m_stream)
            return host;
        auto there = host.copyTo(MemorySpace::device, *m_stream);
        m_stream->view().synchronize();
        return there;
    }
    template <class T>
    std::vector<T> get(const Buffer<T>& values) {
        if (!m_stream)
            return {values.span().begin(), values.span().end()};
        const auto host = values.copyTo(MemorySpace::host, *m_stream);
        return {host.span().begin(), host.span().end()};
    }
    std::vector<float> take(const ValueColumn& column, std::size_t count) {
        return get(m_stream ? cuda::gatherValues(column, count, *m_stream)
                            : cpu::gatherValues(column, count, {}));
    }
    std::vector<float> take(const ValueColumn& column, std::span<const std::uint32_t> indices) {
        const auto there = put(indices);
        return get(m_stream ? cuda::gatherValues(column, there, *m_stream)
                            : cpu::gatherValues(column, there.span(), {}));
    }
    std::vector<std::uint32_t> colours(const ColourColumns& columns, std::size_t count) {
        return get(m_stream ? cuda::gatherColours(columns, count, *m_stream)
                            : cpu::gatherColours(columns, count, {}));
    }
    std::vector<std::uint32_t> colours(const ColourColumns& columns, std::span<const std::uint32_t> indices) {
        const auto there = put(indices);
        return get(m_stream ? cuda::gatherColours(columns, there, *m_stream)
                            : cpu::gatherColours(columns, there.span(), {}));
    }
    std::vector<std::uint32_t> classes(std::span<const std::uint32_t> codes,
                                       std::span<const std::uint32_t> colours) {
        const auto c = put(codes), palette = put(colours);
        const ClassColumn column{c.data(), palette.data()};
        return get(m_stream ? cuda::gatherColours(column, codes.size(), *m_stream)
                            : cpu::gatherColours(column, codes.size(), {}));
    }
    std::vector<std::uint32_t> classes(std::span<const std::uint32_t> codes,
                                       std::span<const std::uint32_t> colours,
                                       std::span<const std::uint32_t> indices) {
        const auto c = put(codes), palette = put(colours), i = put(indices);
        const ClassColumn column{c.data(), palette.data()};
        return get(m_stream ? cuda::gatherColours(column, i, *m_stream)
                            : cpu::gatherColours(column, i.span(), {}));
    }
    std::vector<std::uint8_t> present(std::span<const std::uint32_t> codes,
                                      std::span<const std::uint32_t> mask, std::size_t classes) {
        const auto c = put(codes), m = put(mask);
        const std::uint32_t* const where = mask.empty() ? nullptr : m.data();
        const auto flags = m_stream ? cuda::presentClasses(c.data(), where, codes.size(), classes, *m_stream)
                                    : cpu::presentClasses(c.data(), where, codes.size(), classes, {});
        return {flags.span().begin(), flags.span().end()};
    }
    ValueLimits limits(std::span<const float> values) {
        return m_stream ? cuda::limitsOf(put(values), *m_stream) : cpu::limitsOf(values);
    }
    std::vector<std::uint32_t> nearest(const VoxelGrid& grid, std::span<const Vec3f> positions) {
        if (!m_stream)
            return get(nearestVoxels(grid, hostCopy(positions), {}));
        VoxelGrid there;
        there.shape = grid.shape;
        there.keys = grid.keys.copyTo(MemorySpace::device, *m_stream);
        there.means = grid.means.copyTo(MemorySpace::device, *m_stream);
        return get(nearestVoxels(there, put(positions), {*m_stream, {}}));
    }

private:
    std::optional<Stream> m_stream;
};

/// Voxels of a wavy sheet, with means inside them.
VoxelGrid sheet(std::mt19937_64& random) {
    VoxelGrid grid;
    grid.shape = {{-2, -3, -1}, {0.1f, 0.2f, 0.15f}, {40, 30, 20}};
    std::uniform_real_distribution<float> within(0, 1);
    std::vector<std::uint64_t> keys;
    for (int z = 0; z < 20; ++z)
        for (int y = 0; y < 30; ++y)
            for (int x = 0; x < 40; ++x)
                if (std::abs(z - 10 - 6 * std::sin(0.3 * x)) < 1.2 && (x + y) % 7 != 0)
                    keys.push_back(grid.shape.key({x, y, z}));
    grid.keys = hostCopy(std::span<const std::uint64_t>(keys));
    grid.means = Buffer<float>::host(3 * keys.size());
    for (std::size_t v = 0; v < keys.size(); ++v) {
        const Vec3i cell = grid.shape.cell(keys[v]);
        for (int axis = 0; axis < 3; ++axis)
            grid.means[std::size_t(axis) * keys.size() + v] =
                grid.shape.origin[axis] + (float(cell[axis]) + within(random)) * grid.shape.voxelSize[axis];
    }
    return grid;
}

} // namespace

class TestColourValues : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { SKIP_WITHOUT_BACKEND(); }

    void valuesComeFromAllKindsOfColumns() {
        Place place;
        const std::vector<float> floats{1.5f, kNan, -3, 1e30f, 0.1f, 7};
        const std::vector<double> doubles{1e9 + 0.25, -2, 1e300, 3};
        const std::vector<std::uint32_t> counts{0, 1, 16777217, 4294967295u};
        const auto f = place.put(std::span(floats));
        const auto d = place.put(std::span(doubles));
        const auto u = place.put(std::span(counts));
        const auto all = place.take({f.data()}, 6);
        for (std::size_t i = 0; i < 6; ++i)
            QVERIFY(all[i] == floats[i] || (std::isnan(all[i]) && std::isnan(floats[i])));
        const auto shifted = place.take({f.data() + 1, ScalarType::float32, 3, 1e6}, 2);
        QVERIFY(std::isnan(shifted[0]) && shifted[1] == float(double(0.1f) + 1e6));
        QCOMPARE(place.take({d.data(), ScalarType::float64, 1, -1e9}, 1)[0], 0.25f);
        QVERIFY(std::isinf(place.take({d.data(), ScalarType::float64}, 3)[2]));
        const auto counted = place.take({u.data(), ScalarType::uint32}, 4);
        QVERIFY((counted == std::vector<float>{0, 1, 16777216, 4294967296.0f}));
        const std::vector<std::uint32_t> indices{5, kNoValueIndex, 0, 5};
        const auto picked = place.take({f.data()}, std::span(indices));
        QVERIFY(picked[0] == 7 && std::isnan(picked[1]) && picked[2] == 1.5f && picked[3] == 7);
        QVERIFY(place.take({f.data()}, 0).empty());
    }

    void coloursArePackedAndClamped() {
        Place place;
        const std::vector<float> red{0, 1, 0.5f, -3, kNan}, green{1, 0, 0.25f, 9, 1},
            blue{0, 0, 1, 0.999f, kInfinite};
        const auto r = place.put(std::span(red)), g = place.put(std::span(green)),
                   b = place.put(std::span(blue));
        const ColourColumns columns{{r.data()}, {g.data()}, {b.data()}, 255};
        const std::vector<std::uint32_t> expected{0xff00ff00u, 0xff0000ffu, 0xffff4080u, 0xffffff00u,
                                                  0xffffff00u};
        QVERIFY(place.colours(columns, 5) == expected);
        const std::vector<std::uint32_t> indices{2, kNoValueIndex, 0, 2};
        QVERIFY((place.colours(columns, std::span(indices)) ==
                 std::vector<std::uint32_t>{expected[2], 0, expected[0], expected[2]}));
    }

    void classesHaveTheirColours() {
        Place place;
        const std::vector<std::uint32_t> codes{2, 0, 1, 2, 2}, colours{10, 20, 30, 40},
            indices{4, kNoValueIndex, 1}, mask{kNoVoxel, 7, kNoVoxel, 0, 0}, none;
        QVERIFY((place.classes(codes, colours) == std::vector<std::uint32_t>{30, 10, 20, 30, 30}));
        QVERIFY((place.classes(codes, colours, indices) == std::vector<std::uint32_t>{30, 0, 10}));
        QVERIFY(place.classes(none, colours).empty());
        QVERIFY((place.present(codes, none, 4) == std::vector<std::uint8_t>{1, 1, 1, 0}));
        QVERIFY((place.present(codes, mask, 4) == std::vector<std::uint8_t>{1, 0, 1, 0}));
        QVERIFY((place.present(none, none, 2) == std::vector<std::uint8_t>{0, 0}));
        QVERIFY(place.present(none, none, 0).empty());
        const std::vector<std::uint32_t> many(100'000, 3);
        QVERIFY((place.present(many, none, 5) == std::vector<std::uint8_t>{0, 0, 0, 1, 0}));
    }

    void limitsAreTheMiddle() {
        Place place;
        auto random = seededRandom("limitsAreTheMiddle");
        std::normal_distribution<float> normal(-5, 40);
        for (const std::size_t count : {1, 2, 3, 49, 50, 51, 1000, 100'003}) {
            std::vector<float> values(count);
            for (float& v : values)
                v = normal(random);
            std::vector<float> sorted = values;
            std::sort(sorted.begin(), sorted.end());
            const float low = sorted[std::size_t(0.02 * double(count - 1))],
                        high = sorted[std::size_t(0.98 * double(count - 1))];
            values.insert(values.begin() + std::ptrdiff_t(count / 2), {kNan, kInfinite, -kInfinite});
            const ValueLimits limits = place.limits(values);
            if (low < high)
                QVERIFY(limits.low == low && limits.high == high);
            else
                QVERIFY(limits.low == sorted.front() && limits.high >= sorted.back() &&
                        limits.low < limits.high);
        }
        QVERIFY(place.limits({}) == ValueLimits{});
        QVERIFY(place.limits(std::vector<float>{kNan, kInfinite}) == ValueLimits{});
        std::vector<float> nearlySame(1000, 3);
        nearlySame[7] = 2, nearlySame[9] = 4; // all other values are equal, so the limits include these two
        QVERIFY((place.limits(nearlySame) == ValueLimits{2, 4}));
        const ValueLimits same = place.limits(std::vector<float>(10, -1.5f));
        QVERIFY(same.low == -1.5f && same.high > same.low && same.high < -1.49f);
    }

    void aPlaceTakesItsVoxelOrTheNearest() {
        Place place;
        auto random = seededRandom("aPlaceTakesItsVoxel");
        const VoxelGrid grid = sheet(random);
        const GridShape& shape = grid.shape;
        std::uniform_real_distribution<float> wide(-4, 4);
        std::vector<Vec3f> positions;
        for (int i = 0; i < 3000; ++i)
            positions.push_back({wide(random), wide(random), wide(random)});
        const VoxelLookup lookup = voxelLookup(grid);
        for (std::uint32_t v = 0; v < grid.size(); v += 3)
            positions.push_back(lookup.mean(v));
        positions.insert(positions.end(), {{1e5f, 0, 0}, {0, -3e5f, 0}, {kNan, 0, 0}});
        const std::vector<std::uint32_t> found = place.nearest(grid, positions);
        int own = 0, neighbours = 0, far = 0;
        for (std::size_t i = 0; i + 1 < positions.size(); ++i) {
            const Vec3f p = positions[i], at = (p - shape.origin) / shape.voxelSize;
            double nearestOfAll = HUGE_VAL, nearestAround = HUGE_VAL;
            std::uint32_t bestOfAll = 0, bestAround = 0, holds = kNoVoxel;
            for (std::uint32_t v = 0; v < grid.size(); ++v) {
                const Vec3i cell = shape.cell(grid.keys[v]);
                const double d = squaredNorm(lookup.mean(v).as<double>() - p.as<double>());
                const double x = std::abs(std::floor(double(at.x)) - cell.x),
                             y = std::abs(std::floor(double(at.y)) - cell.y),
                             z = std::abs(std::floor(double(at.z)) - cell.z);
                if (x == 0 && y == 0 && z == 0)
                    holds = v;
                const bool around = std::max({x, y, z}) <= 1;
                // neighbours are compared in single precision
                const double rounded = double(squaredNorm(lookup.mean(v) - p));
                if (around && rounded < nearestAround)
                    nearestAround = rounded, bestAround = v;
                if (d < nearestOfAll)
                    nearestOfAll = d, bestOfAll = v;
            }
            const bool isOwn = holds != kNoVoxel, isAround = nearestAround < HUGE_VAL;
            own += isOwn, neighbours += !isOwn && isAround, far += !isOwn && !isAround;
            QCOMPARE(found[i], isOwn ? holds : isAround ? bestAround : bestOfAll);
        }
        QVERIFY(own > 500 && neighbours > 50 && far > 500);
        QVERIFY(found.back() < grid.size()); // any voxel for a point that is not finite
        QVERIFY(place.nearest(grid, {}).empty());
    }
};

RASTER_TEST(TestColourValues)
#include "test_colour_values.moc"
