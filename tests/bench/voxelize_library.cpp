// The rows that time the operator itself.
#include "tests/bench/variants/voxelize_graph.h"
#include "tests/bench/voxelize_device.h"

#include <map>

namespace scanloupe::bench {

namespace {

/// 28 bytes a voxel: a 64-bit key, a 32-bit count and four means.
constexpr std::uint64_t kVoxelBytes = 28;

class LibraryMethod : public Method {
public:
    LibraryMethod(const Setting& setting, VoxelizeStrategy strategy)
        : m_setting(setting), m_params(setting.params) {
        m_params.strategy = strategy;
    }
    void run(const DevicePoints& points, StreamView stream) override {
        m_grid = {}; // returns the previous grid's memory to the pool before the next allocation
        const FeatureView intensity{points.intensities, ScalarType::float32, 0,
                                    static_cast<double>(m_setting.intensityMax)};
        m_grid = cuda::voxelize({points.positions, points.count, {&intensity, 1}}, m_params, {}, stream);
    }
    Histogram found(StreamView stream) override { return tallyGrid(m_grid, stream); }
    std::uint64_t bytes() const override {
        return m_setting.points * sizeof(Point4) + m_setting.reference.voxels * kVoxelBytes;
    }
    std::optional<double> ownMs() const override { return m_grid.cost.deviceMs; }

private:
    Setting m_setting;
    VoxelizeParams m_params;
    VoxelGrid m_grid;
};

/// Replays a recorded graph: this is the cost of a frame of a sensor.
class GraphMethod : public Method {
public:
    explicit GraphMethod(const Setting& setting) : m_setting(setting), m_params(setting.params) {}
    void prepare(const std::vector<DevicePoints>& copies, StreamView stream) override {
        const FeatureView none{nullptr, ScalarType::float32, 0, static_cast<double>(m_setting.intensityMax)};
        m_intensities.assign(copies.size(), none);
        std::vector<PointsView> views;
        for (std::size_t i = 0; i < copies.size(); ++i) {
            m_intensities[i].data = copies[i].intensities;
            m_buffers[copies[i].positions] = i;
            views.push_back({copies[i].positions, copies[i].count, {&m_intensities[i], 1}});
        }
        m_graph = std::make_unique<cuda::VoxelizeGraph>(
            views, m_params, m_setting.reference.voxels + m_setting.reference.voxels / 8, stream);
        for (const DevicePoints& points : copies)
            run(points, stream); // records the graph
    }
    void run(const DevicePoints& points, StreamView stream) override {
        m_graph->launch(m_buffers.at(points.positions), points.count, stream);
    }
    Histogram found(StreamView stream) override { return tallyGrid(m_graph->result(stream), stream); }
    std::uint64_t bytes() const override {
        return m_setting.points * sizeof(Point4) + m_setting.reference.voxels * kVoxelBytes;
    }

private:
    Setting m_setting;
    VoxelizeParams m_params;
    std::vector<FeatureView> m_intensities;
    std::map<const Vec3f*, std::size_t> m_buffers;
    std::unique_ptr<cuda::VoxelizeGraph> m_graph;
};

} // namespace

std::vector<MethodInfo> libraryMethods() {
    using enum VoxelizeStrategy;
    std::vector<MethodInfo> methods;
    for (const VoxelizeStrategy strategy : {bitmapRank, brickHash, hash, radixSort, denseGrid})
        methods.push_back({std::string("library-") + name(strategy), "library", "the operator",
                           [=](const Setting& setting, StreamView) {
                               return std::make_unique<LibraryMethod>(setting, strategy);
                           }});
    return methods;
}

std::vector<MethodInfo> graphMethods() {
    return {{"graph", "library", "bitmap-rank as a graph",
             [](const Setting& setting, StreamView) { return std::make_unique<GraphMethod>(setting); }}};
}

} // namespace scanloupe::bench
