// Attributes on demand: an unused attribute costs nothing, and a later request gives the same bytes as an
// early one.
#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "kernels/voxelize/core/voxel_grid.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <thread>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

template <class T>
Attribute column(const char* name, ScalarType type, std::size_t count, T (*value)(std::size_t)) {
    Attribute attribute;
    attribute.name = name;
    attribute.type = type;
    attribute.allocate(count);
    for (std::size_t i = 0; i < count; ++i) {
        const T v = value(i);
        std::memcpy(attribute.dataToFill() + i * sizeof(T), &v, sizeof v);
    }
    return attribute;
}

constexpr std::size_t kPoints = 40'000;

/// A wavy sheet with numbers of several types, classes, colours and normals.
std::shared_ptr<const PointCloud> attributedCloud() {
    auto positions = Buffer<Vec3f>::host(kPoints);
    for (std::size_t i = 0; i < kPoints; ++i) {
        const float x = float(i % 200) * 0.05f, y = float(i / 200) * 0.05f;
        positions[i] = {x, y, 0.3f * std::sin(x)};
    }
    std::vector<Attribute> all;
    all.push_back(column<std::uint16_t>("intensity", ScalarType::uint16, kPoints,
                                        [](std::size_t i) { return std::uint16_t(i * 7919 % 65536); }));
    all.push_back(column<std::uint8_t>("classification", ScalarType::uint8, kPoints,
                                       [](std::size_t i) { return std::uint8_t(2 + i / 1000 % 4); }));
    all.push_back(column<double>("time", ScalarType::float64, kPoints,
                                 [](std::size_t i) { return 1.6e9 + 1e-5 * double(i); }));
    all.push_back(column<std::int32_t>("amplitude", ScalarType::int32, kPoints, [](std::size_t i) {
        return std::int32_t(i * 104729 % 100'003) - 50'000;
    }));
    for (const char* name : {"red", "green", "blue"})
        all.push_back(column<std::uint8_t>(name, ScalarType::uint8, kPoints,
                                           [](std::size_t i) { return std::uint8_t(i % 251); }));
    all.push_back(column<float>("normal_x", ScalarType::float32, kPoints, [](std::size_t) { return 0.1f; }));
    all.push_back(column<float>("normal_y", ScalarType::float32, kPoints, [](std::size_t) { return 0.0f; }));
    all.push_back(column<float>("normal_z", ScalarType::float32, kPoints,
                                [](std::size_t i) { return 0.9f + 1e-4f * float(i % 100); }));
    return std::make_shared<const PointCloud>(FloatPositions{std::move(positions)}, std::move(all),
                                              std::stop_token());
}

void addBackends() {
    QTest::addColumn<int>("backend");
    QTest::newRow("cpu") << int(Backend::cpu);
    QTest::newRow("cuda") << int(Backend::cuda);
}

std::uint64_t heldBytes(const Snapshot& s) {
    return s.attributes->points().bytes();
}

} // namespace

class TestAttributes : public QObject {
    Q_OBJECT
private slots:
    void hostPointsAreThoseOfTheCloud_data() {
        QTest::addColumn<int>("stride");
        for (const int stride : {1, 3, 8})
            QTest::addRow("%d", stride) << stride;
    }
    void hostPointsAreThoseOfTheCloud() {
        QFETCH(int, stride);
        const auto cloud = bumpyCloud(600'000);
        const auto view = cloud->floatView({});
        const HostPoints points(cloud, std::size_t(stride));
        QCOMPARE(points.size(), (cloud->size() + std::size_t(stride) - 1) / std::size_t(stride));
        QCOMPARE(points.bytes(), std::uint64_t(0));
        for (std::size_t i = 0; i < points.size(); ++i)
            QVERIFY(points[i] == view[i * std::size_t(stride)]);
        const KernelPoints& all = points.all({});
        QCOMPARE(points.bytes(), all.positions.bytes());
        QVERIFY(&points.all({}) == &all);
        QVERIFY(points.framingSample().size() >= 20'000 && points.framingSample().size() < 40'000);
        for (std::size_t i = 0; i < points.size(); ++i)
            QVERIFY(all.positions[i] == points[i]);
        std::string reason;
        if (!haveCudaDevice(reason))
            return;
        const Stream stream;
        const auto back = points.upload(stream, {}).positions.copyTo(MemorySpace::host, stream);
        QVERIFY(std::equal(back.data(), back.data() + back.size(), all.positions.data()));
    }

    void meansAreThoseOfAllAtOnce_data() { addBackends(); }
    void meansAreThoseOfAllAtOnce() {
        QFETCH(int, backend);
        if (Backend(backend) == Backend::cuda)
            SCANLOUPE_NEEDS_CUDA();
        const auto cloud = attributedCloud();
        Run run(cloud, Backend(backend));
        run.set("voxel_size", "0.13");
        run.set("colour_by", "intensity");
        const Snapshot s = run();
        const VoxelTable table = voxelTable(*s.attributes, {});
        // the reference: all numbers as doubles, averaged together with the positions
        std::vector<std::vector<double>> values;
        std::vector<FeatureView> features;
        for (const VoxelChannel& channel : table.channels) {
            const Attribute& attribute = *cloud->attribute(channel.name);
            std::vector<double>& own = values.emplace_back(cloud->size());
            for (std::size_t i = 0; i < own.size(); ++i)
                own[i] = attribute.value(i);
            features.push_back({own.data(), ScalarType::float64, attribute.min(), attribute.max()});
        }
        QCOMPARE(features.size(), std::size_t(9));
        QCOMPARE(table.channels[0].name, std::string("normal_x")); // vector attributes are listed first
        VoxelizeParams params;
        params.rangeMin = (*s.resolved->rangeMin - cloud->origin()).as<float>();
        params.rangeMax = (*s.resolved->rangeMax - cloud->origin()).as<float>();
        params.voxelSize = s.resolved->voxelSize->as<float>();
        const Buffer<Vec3f> positions = cloud->floatView({});
        const VoxelGrid expected = cpu::voxelize({positions.data(), positions.size(), features}, params, {});
        QVERIFY(std::ranges::equal(expected.keys.span(), table.grid.keys.span()));
        QCOMPARE(expected.means.size(), table.grid.means.size());
        QVERIFY(std::memcmp(expected.means.data(), table.grid.means.data(), expected.means.bytes()) == 0);
        QCOMPARE(table.categories.size(), std::size_t(1));
        QCOMPARE(table.categories[0]->values.size(), std::size_t(4));
    }

    void onlyWhatIsLookedAtIsHeld_data() { addBackends(); }
    void onlyWhatIsLookedAtIsHeld() {
        QFETCH(int, backend);
        const bool onDevice = Backend(backend) == Backend::cuda;
        if (onDevice)
            SCANLOUPE_NEEDS_CUDA();
        Run run(attributedCloud(), Backend(backend));
        run.set("field", "density"); // a density field needs no normals
        run.set("show", "points");
        run.set("colour_by", "height");
        QCOMPARE(heldBytes(run()), std::uint64_t(0));
        run.set("colour_by", "intensity");
        // numbers stay narrow, and those of the host are the cloud's own
        QCOMPARE(heldBytes(run()), onDevice ? std::uint64_t(kPoints * 2) : 0);
        run.set("colour_by", "rgb");
        QCOMPARE(heldBytes(run()), onDevice ? std::uint64_t(kPoints * 3) : 0);
        run.set("colour_by", "classification");
        QCOMPARE(heldBytes(run()), std::uint64_t(kPoints * 4) * (onDevice ? 2 : 1));
        run.set("colour_by", "none");
        QCOMPARE(heldBytes(run()), std::uint64_t(kPoints * 4)); // the codes on the host stay
        run.set("field", "distance");
        const Snapshot s = run();
        QCOMPARE(heldBytes(s), std::uint64_t(kPoints * 4) + (onDevice ? kPoints * 3 * 4 : 0));
        QCOMPARE(s.field->normalsGuessed, std::uint64_t(0)); // the file's normals were used
    }

    void coloursChangeNothingElse() { // attributes are no reason to voxelize again
        Run run(attributedCloud());
        run.set("show", "mesh");
        run.set("colour_by", "height");
        run();
        for (const char* colours : {"intensity", "classification", "rgb", "amplitude"}) {
            run.set("colour_by", colours);
            QCOMPARE(ran(run()), QString("rasterize,resolve,"));
        }
    }

    void previewsTakeEveryEighthPoint() {
        const auto cloud = attributedCloud();
        const PointAttributes all(cloud, 1, nullptr), some(cloud, 8, nullptr);
        QCOMPARE(some.size(), (kPoints + 7) / 8);
        for (const Attribute& attribute : cloud->attributes()) {
            const auto few = some.onHost(attribute, {}), many = all.onHost(attribute, {});
            for (std::size_t i = 0; i < some.size(); ++i) {
                if (few->category)
                    QCOMPARE(few->category->values[few->codes[i]],
                             many->category->values[many->codes[8 * i]]);
                else
                    QCOMPARE(scalarAt(few->numbers.data, few->numbers.type, i), attribute.value(8 * i));
            }
        }
        QVERIFY_EXCEPTION_THROWN(all.onHost(attributedCloud()->attributes()[0], {}), Fault);
        QVERIFY_EXCEPTION_THROWN(all.onDevice(cloud->attributes()[0], {}), Fault);
    }

    void manyAskAtOnce_data() { addBackends(); }
    void manyAskAtOnce() {
        QFETCH(int, backend);
        if (Backend(backend) == Backend::cuda)
            SCANLOUPE_NEEDS_CUDA();
        Run run(attributedCloud(), Backend(backend));
        const Snapshot s = run();
        const Attribute& attribute = *s.cloud->attribute("amplitude");
        std::vector<std::shared_ptr<const VoxelAttribute>> found(8);
        {
            std::vector<std::jthread> askers;
            for (auto& one : found)
                askers.emplace_back([&] { one = s.attributes->onHost(attribute, {}); });
        }
        for (const auto& one : found)
            QVERIFY(one && one == found[0]); // all requests return the same object: it was computed once
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY_EXCEPTION_THROWN(s.attributes->onHost(*s.cloud->attribute("time"), stopped.get_token()),
                                 Cancelled);
        QCOMPARE(s.attributes->onHost(*s.cloud->attribute("time"), {})->means.size(), s.voxels->size());
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestAttributes)
#include "test_attributes.moc"
