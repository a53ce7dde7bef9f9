#include "tests/kernels/voxelize/voxelize_support.h"

#include "kernels/voxelize/core/voxel_checks.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <cstring>
#include <fstream>

namespace scanloupe::test {

namespace {

/// The features' views with their ranges; the values may be anywhere in memory.
template <class T>
void addViews(const std::vector<std::vector<T>>& features, ScalarType type, std::vector<FeatureView>& views) {
    for (const auto& values : features) {
        FeatureView view{values.data(), type, 0, 0};
        bool any = false;
        for (const T value : values) {
            if (!std::isfinite(value))
                continue;
            view.min = any ? std::min<double>(view.min, value) : value;
            view.max = any ? std::max<double>(view.max, value) : value;
            any = true;
        }
        views.push_back(view);
    }
}

template <class T>
Buffer<T> upload(const std::vector<T>& values, StreamView stream) {
    return hostCopy(std::span<const T>(values)).copyTo(MemorySpace::device, stream);
}

constexpr VoxelizeStrategy kStrategies[] = {VoxelizeStrategy::bitmapRank, VoxelizeStrategy::brickHash,
                                            VoxelizeStrategy::hash, VoxelizeStrategy::radixSort,
                                            VoxelizeStrategy::denseGrid};

VoxelizeStrategy strategyOf(const QString& backend) {
    for (const VoxelizeStrategy strategy : kStrategies)
        if (backend.endsWith(QString(" ") + name(strategy)))
            return strategy;
    return VoxelizeStrategy::automatic;
}

template <class T>
bool sameBytes(const Buffer<T>& a, const Buffer<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

} // namespace

std::vector<FeatureView> featureViews(const Cloud& cloud) {
    std::vector<FeatureView> result;
    addViews(cloud.singles, ScalarType::float32, result);
    addViews(cloud.doubles, ScalarType::float64, result);
    return result;
}

DeviceCloud::DeviceCloud(const Cloud& cloud, StreamView stream)
    : m_positions(upload(cloud.positions, stream)), m_features(featureViews(cloud)) {
    for (const auto& values : cloud.singles) {
        m_singles.push_back(upload(values, stream));
        m_features[m_singles.size() - 1].data = m_singles.back().data();
    }
    for (const auto& values : cloud.doubles) {
        m_doubles.push_back(upload(values, stream));
        m_features[m_singles.size() + m_doubles.size() - 1].data = m_doubles.back().data();
    }
}

Cloud Cloud::reordered(const std::vector<std::size_t>& order) const {
    Cloud result = *this;
    for (std::size_t i = 0; i < order.size(); ++i) {
        result.positions[i] = positions[order[i]];
        for (std::size_t f = 0; f < singles.size(); ++f)
            result.singles[f][i] = singles[f][order[i]];
        for (std::size_t f = 0; f < doubles.size(); ++f)
            result.doubles[f][i] = doubles[f][order[i]];
    }
    return result;
}

std::vector<std::string> backends() {
    std::vector<std::string> names;
    for (const std::string backend : {"cpu", "cuda"}) {
        names.push_back(backend);
        for (const VoxelizeStrategy strategy : kStrategies)
            names.push_back(backend + " " + name(strategy));
    }
    return names;
}

Cloud readKittiBin(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    Cloud cloud;
    cloud.singles.resize(2);
    for (float point[5]; file.read(reinterpret_cast<char*>(point), sizeof point);) {
        cloud.positions.push_back({point[0], point[1], point[2]});
        cloud.singles[0].push_back(point[3]);
        cloud.singles[1].push_back(point[4]);
    }
    return cloud;
}

void addBackends() {
    QTest::addColumn<QString>("backend");
    for (const auto& name : backends())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

bool accepts(const QString& backend, VoxelizeParams params) {
    params.strategy = strategyOf(backend);
    try {
        chooseStrategy(params, gridShape(params).cellCount());
        return true;
    } catch (const KernelError&) {
        return false;
    }
}

VoxelGrid voxelizeOn(const QString& backend, const Cloud& cloud, VoxelizeParams params,
                     const std::stop_token& stop) {
    params.strategy = strategyOf(backend);
    if (backend.startsWith("cuda")) {
        const Stream stream;
        const DeviceCloud device(cloud, stream);
        return cuda::voxelize(device.view(), params, stop, stream).download(stream);
    }
    const auto features = featureViews(cloud);
    return cpu::voxelize({cloud.positions.data(), cloud.positions.size(), features}, params, stop);
}

std::vector<DetectorGrid> detectorGrids() {
    return {
        {"KITTI SECOND", {{0, -40, -3}, {70.4f, 40, 1}, {0.05f, 0.05f, 0.1f}}, {1408, 1600, 40}},
        {"KITTI PointPillars", {{0, -39.68f, -3}, {69.12f, 39.68f, 1}, {0.16f, 0.16f, 4}}, {432, 496, 1}},
        {"nuScenes 0.075 m", {{-54, -54, -5}, {54, 54, 3}, {0.075f, 0.075f, 0.2f}}, {1440, 1440, 40}},
        {"nuScenes 0.1 m", {{-51.2f, -51.2f, -5}, {51.2f, 51.2f, 3}, {0.1f, 0.1f, 0.2f}}, {1024, 1024, 40}},
        {"nuScenes PointPillars", {{-51.2f, -51.2f, -5}, {51.2f, 51.2f, 3}, {0.2f, 0.2f, 8}}, {512, 512, 1}},
        {"nuScenes 0.25 m", {{-50, -50, -5}, {50, 50, 3}, {0.25f, 0.25f, 8}}, {400, 400, 1}},
        {"Waymo 0.1 m", {{-75.2f, -75.2f, -2}, {75.2f, 75.2f, 4}, {0.1f, 0.1f, 0.15f}}, {1504, 1504, 40}},
        {"Waymo 0.08 m", {{-76.8f, -76.8f, -2}, {76.8f, 76.8f, 4}, {0.08f, 0.08f, 0.15f}}, {1920, 1920, 40}},
        {"Waymo 0.12 m", {{-34.56f, 0, -2}, {34.56f, 69.12f, 4}, {0.12f, 0.12f, 0.15f}}, {576, 576, 40}},
        {"Waymo PointPillars",
         {{-74.88f, -74.88f, -2}, {74.88f, 74.88f, 4}, {0.32f, 0.32f, 6}},
         {468, 468, 1}},
        {"ONCE", {{-75.2f, -75.2f, -5}, {75.2f, 75.2f, 3}, {0.1f, 0.1f, 0.2f}}, {1504, 1504, 40}},
        {"Argoverse 2", {{-200, -200, -20}, {200, 200, 20}, {0.1f, 0.1f, 0.2f}}, {4000, 4000, 200}},
        {"Argoverse 2, 0.075 m",
         {{-152.4f, -152.4f, -4}, {152.4f, 152.4f, 4}, {0.075f, 0.075f, 0.2f}},
         {4064, 4064, 40}},
    };
}

std::map<std::uint64_t, OracleVoxel> oracle(const Cloud& cloud, const VoxelizeParams& params) {
    std::map<std::uint64_t, OracleVoxel> voxels;
    std::int64_t dims[3];
    for (int axis = 0; axis < 3; ++axis) {
        const double along =
            (double(params.rangeMax[axis]) - double(params.rangeMin[axis])) / double(params.voxelSize[axis]);
        dims[axis] = std::int64_t(std::ceil(along - 1e-3)); // less than that is rounding of the three
    }
    for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
        const Vec3f p = cloud.positions[i];
        std::int64_t cell[3];
        bool in = true;
        for (int axis = 0; axis < 3 && in; ++axis) {
            in = p[axis] >= params.rangeMin[axis] && p[axis] < params.rangeMax[axis];
            if (!in)
                break;
            const float quotient = (p[axis] - params.rangeMin[axis]) / params.voxelSize[axis];
            cell[axis] = std::int64_t(std::floor(quotient));
            in = cell[axis] < dims[axis];
        }
        if (!in)
            continue;
        OracleVoxel& voxel = voxels[std::uint64_t((cell[2] * dims[1] + cell[1]) * dims[0] + cell[0])];
        ++voxel.count;
        voxel.sum += p.as<long double>();
        voxel.points.push_back(i);
    }
    return voxels;
}

std::string difference(const VoxelGrid& a, const VoxelGrid& b, bool pointVoxels) {
    if (!(a.shape == b.shape) || a.featureCount != b.featureCount)
        return "the shapes differ";
    if (!sameBytes(a.keys, b.keys))
        return "the keys differ";
    if (!sameBytes(a.counts, b.counts))
        return "the counts differ";
    if (!sameBytes(a.means, b.means))
        return "the means differ";
    if (!(a.stats == b.stats))
        return "the stats differ";
    if (pointVoxels && !sameBytes(a.pointVoxel, b.pointVoxel))
        return "the points' voxels differ";
    return {};
}

Cloud streetCloud(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<float> unit(0, 1);
    Cloud cloud;
    cloud.singles.resize(1);
    cloud.doubles.resize(1);
    for (std::size_t i = 0; i < count; ++i) {
        const float turn = 6.2831853f * float(i) / float(count),
                    distance = 2 + float(i % 64) + unit(random) * 0.3f;
        cloud.positions.push_back({distance * std::cos(turn), distance * std::sin(turn),
                                   i % 5 == 0 ? 4 * unit(random) - 2 : -1.7f + 0.2f * unit(random)});
        cloud.singles[0].push_back(unit(random));
        cloud.doubles[0].push_back(315964800.0 + 1e-6 * double(i));
    }
    return cloud;
}

} // namespace scanloupe::test
