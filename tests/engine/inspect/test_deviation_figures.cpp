// Figures of deviations: the normal distribution fitted to most of them, deviations at single points, and
// limits on angles.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/reference/system_text.h"
#include "engine/inspect/average_deviations.h"
#include "engine/inspect/compare_options.h"
#include "engine/inspect/deviation_at.h"
#include "engine/inspect/gauss_fit.h"
#include "engine/inspect/reference.h"
#include "engine/io/mesh_reader.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A cloud of points, with or without normals.
PointCloud cloudOf(const std::vector<Vec3f>& points, const std::vector<Vec3f>& normals = {}) {
    std::vector<Attribute> attributes;
    for (std::size_t axis = 0; axis < 3 && !normals.empty(); ++axis) {
        Attribute& part = attributes.emplace_back();
        part.name = std::array{"normal_x", "normal_y", "normal_z"}[axis];
        part.type = ScalarType::float32;
        part.allocate(points.size());
        for (std::size_t i = 0; i < points.size(); ++i)
            reinterpret_cast<float*>(part.dataToFill())[i] = normals[i][int(axis)];
    }
    return {FloatPositions{hostCopy(std::span<const Vec3f>(points))}, std::move(attributes),
            std::stop_token{}};
}

Reference referenceOf(const PointCloud& scan) {
    MeshFile file;
    file.vertices = std::make_shared<const PointCloud>(scan);
    return makeReference(file, "scan", 1, scan.origin(), {});
}
Reference referenceOf(const TriangleMesh& mesh) {
    MeshFile file;
    file.vertices = std::make_shared<const PointCloud>(
        cloudOf({mesh.positions.span().begin(), mesh.positions.span().end()}));
    file.faces.indices.assign(mesh.indices.span().begin(), mesh.indices.span().end());
    return makeReference(file, "mesh", 1, file.vertices->origin(), {});
}

bool warns(const Reference& reference, const char* start) {
    return std::ranges::any_of(reference.warnings,
                               [&](const std::string& warning) { return warning.starts_with(start); });
}

} // namespace

class TestDeviationFigures : public QObject {
    Q_OBJECT
private slots:
    void averagesReachTheCellsOnBothSides() {
        for (int axis = 0; axis < 3; ++axis) {
            Vec3f side;
            side[axis] = 0.05f;
            const std::vector<Vec3f> points{
                side * -1, {}, side}; // the outer points lie in two adjacent cells of 0.1 m
            const std::vector<float> distances{1, std::numeric_limits<float>::quiet_NaN(), 3};
            const Buffer<float> means = averagedDeviations(points, distances, 0.3, {});
            QCOMPARE(means[0], 2.0f);
            QCOMPARE(means[2], 2.0f);
        }
    }

    void theBulkOfTheValuesIsFitted() {
        auto random = seededRandom("theBulkOfTheValuesIsFitted");
        std::normal_distribution<double> noise(0.3, 0.05);
        std::uniform_real_distribution<double> fault(1, 3);
        std::vector<float> values;
        double sum = 0, squares = 0;
        for (int i = 0; i < 200'000; ++i) {
            // a tenth of the values are faults
            const double value = i % 10 == 0 ? fault(random) : noise(random);
            values.push_back(i % 1000 == 7 ? std::numeric_limits<float>::quiet_NaN() : float(value));
            sum += value;
            squares += value * value;
        }
        const double mean = sum / 200'000, deviation = std::sqrt(squares / 200'000 - mean * mean);
        QVERIFY(mean > 0.4 && deviation > 0.5);
        const GaussFit fit = gaussFit(values, mean, deviation, {});
        QVERIFY2(std::abs(fit.mean - 0.3) < 1e-3 && std::abs(fit.deviation - 0.05) < 1e-3,
                 qPrintable(QStringLiteral("%1 %2").arg(fit.mean).arg(fit.deviation)));
        QVERIFY(std::abs(double(fit.count) - 180'000) < 2000);
        QVERIFY(std::abs(fit.expected(0.25, 0.35) / double(fit.count) - 0.6827) < 1e-3);
        QVERIFY(!gaussFit({}, 0, 0, {}).exists());
        QVERIFY(!gaussFit(std::vector<float>(100, 0.5f), 0.5, 0, {}).exists());
    }

    /// A search would compare a point with all items at the same distance.
    void itemsThatCoincideAreLeftOut() {
        const auto begin = std::chrono::steady_clock::now();
        std::vector<Vec3f> points(60'000, {1, 2, 3}), normals(60'000, {1, 0, 0});
        points[7] = {4, 2, 3};
        points[30'000] = {0, 2, 3};
        points[50'000] = {-0.0f, 2, 3};
        normals[30'000] = {0, 1, 0};
        const Reference scan = referenceOf(cloudOf(points, normals));
        QCOMPARE(scan.scan()->points.size(), std::size_t{3});
        QCOMPARE(scan.scan()->repeated, std::uint64_t{59'997});
        // the first of several coincident points, in file order
        QVERIFY(scan.scan()->normals[2] == Vec3f(0, 1, 0));
        QVERIFY(warns(scan, "59997 of its points have the same position as another point"));

        TriangleMesh pile; // many copies of a tetrahedron, and two triangles of opposite orientation
        const std::vector<Vec3f> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        std::vector<std::uint32_t> indices;
        for (std::uint32_t i = 0; i < 30'000; ++i)
            for (const std::array<std::uint32_t, 3> face :
                 {std::array{0u, 2u, 1u}, {0u, 1u, 3u}, {1u, 2u, 3u}, {0u, 3u, 2u}})
                for (std::uint32_t k = 0; k < 3; ++k)
                    indices.push_back(face[(k + i) % 3]); // starts each copy at another corner
        indices.insert(indices.end(), {0, 1, 2, 1, 2, 0});
        pile.positions = hostCopy(std::span(corners));
        pile.indices = hostCopy(std::span<const std::uint32_t>(indices));
        const Reference mesh = referenceOf(pile);
        QCOMPARE(mesh.mesh()->mesh.triangleCount(), std::size_t{5});
        QCOMPARE(mesh.mesh()->repeated, std::uint64_t{4 * 29'999 + 1});
        QVERIFY(warns(mesh, "119997 triangles repeat others"));
        QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
    }

    void placesDeviateAsPointsDo() {
        auto random = seededRandom("placesDeviateAsPointsDo");
        const std::vector<Vec3f> points = randomPoints(random, 500, 1.5f);
        std::vector<Vec3f> shell, normals;
        for (const Vec3f p : randomPoints(random, 5000, 1))
            if (norm(p) > 0.1f) {
                normals.push_back(p / norm(p));
                shell.push_back(normals.back());
            }
        const Reference references[] = {referenceOf(surfaceOf(33, 1.3f, unitSphere)),
                                        referenceOf(cloudOf(shell, normals)), referenceOf(cloudOf(shell))};
        const PointCloud scan = cloudOf(points);
        for (const Reference& reference : references)
            for (const LocalModel model : {LocalModel::none, LocalModel::plane, LocalModel::quadric}) {
                DeviationOptions options;
                options.model = model;
                options.largest = 0.8;
                Buffer<Vec3f> at = Buffer<Vec3f>::host(points.size());
                for (std::size_t i = 0; i < points.size(); ++i)
                    at[i] = (scan.position(i) - reference.origin).as<float>();
                const SignedDistances all = distancesFrom(at, {}, reference, options, {});
                for (std::size_t i = 0; i < points.size(); ++i) {
                    const auto one = deviationAt(reference, options, scan.position(i));
                    QCOMPARE(one.has_value(), !std::isnan(all.values[i]));
                    if (!one)
                        continue;
                    QCOMPARE(float(one->value), all.values[i]);
                    QVERIFY(std::abs(norm(one->offset) - std::abs(one->value)) < 1e-5);
                }
            }
    }

    void unitsThatFilesTellAreUsed() {
        if (!haveProj())
            QSKIP("this build has no PROJ");
        PointCloud feet = cloudOf({{0, 0, 0}}), degrees = cloudOf({{0, 0, 0}});
        feet.coordinateSystem = R"(PROJCS["a",GEOGCS["b",DATUM["c",SPHEROID["d",6378137,298.257222101]],)"
                                R"(UNIT["degree",0.0174532925199433]],PROJECTION["L"],UNIT["foot",0.3048]])";
        degrees.coordinateSystem = R"(GEOGCS["WGS 84",DATUM["x",SPHEROID["y",6378137,298.257223563]],)"
                                   R"(UNIT["degree",0.0174532925199433]])";
        QVERIFY(std::abs(unitScale(feet, LengthUnit::metre) - 0.3048) < 1e-12);
        QVERIFY(std::abs(unitScale(feet, LengthUnit::millimetre) - 304.8) < 1e-9);
        QCOMPARE(unitScale(degrees, LengthUnit::metre), 1.0);             // degrees are not a length
        QCOMPARE(unitScale(cloudOf({{0, 0, 0}}), LengthUnit::foot), 1.0); // the cloud declares no unit
    }

    void pointsThatFaceAnotherWayAreLeftOut() {
        // a floor at z = 0 that faces up, and the underside of a slab just below it
        std::vector<Vec3f> places, normals;
        for (int i = 0; i < 100; ++i) {
            places.push_back({float(i % 10), float(i / 10), i % 2 ? 0.01f : -0.1f});
            normals.push_back({0, 0, i % 2 ? 2.0f : -1.0f}); // normals may have any length
        }
        normals[0] = {}; // a point with an unknown normal is kept
        const PointCloud scan = cloudOf(places, normals);
        const TriangleMesh floor =
            meshOf({{-1, -1, 0}, {11, -1, 0}, {11, 11, 0}, {-1, 11, 0}}, {0, 1, 2, 0, 2, 3});
        std::vector<Vec3f> under, up;
        for (int i = 0; i < 400; ++i) {
            under.push_back({float(i % 20) / 2, float(i / 20) / 2, 0});
            up.push_back({0, 0, 1});
        }
        for (const Reference& reference : {referenceOf(floor), referenceOf(cloudOf(under, up))}) {
            Buffer<Vec3f> at = Buffer<Vec3f>::host(places.size());
            for (std::size_t i = 0; i < places.size(); ++i)
                at[i] = (scan.position(i) - reference.origin).as<float>();
            DeviationOptions options;
            QCOMPARE(deviationsOf(scan, at, reference, options, {}).points, std::uint64_t(100));
            options.largestAngle = 90;
            const Deviations found = deviationsOf(scan, at, reference, options, {});
            QCOMPARE(found.turned, std::uint64_t(49));
            QCOMPARE(found.points, std::uint64_t(51));
            QCOMPARE(found.tooFar, std::uint64_t(0));
            options.largestAngle = 180;
            QCOMPARE(deviationsOf(scan, at, reference, options, {}).turned, std::uint64_t(0));
        }
        DeviationOptions options;
        options.largestAngle = 45;
        const Buffer<Vec3f> at = hostCopy(std::span<const Vec3f>(places));
        QVERIFY_EXCEPTION_THROWN(deviationsOf(cloudOf(places), at, referenceOf(floor), options, {}),
                                 EngineError);
        QVERIFY_EXCEPTION_THROWN(deviationsOf(scan, at, referenceOf(cloudOf(under)), options, {}),
                                 EngineError);
    }

    void pointsBeyondEdgesBelongToOneOfTheirFaces() {
        const TriangleMesh box =
            meshOf({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}},
                   {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                    1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7});
        const Reference reference = referenceOf(box);
        std::vector<Vec3f> places, normals;
        for (int i = 1; i < 20; ++i)
            for (const Vec3f normal : {Vec3f{1, 0, 0}, Vec3f{0, 0, 1}}) {
                // beyond the edge between two faces of the box
                places.push_back({1.01f, float(i) / 20, 1.02f});
                normals.push_back(normal);
            }
        for (const Vec3f normal : {Vec3f{1, 0, 0}, Vec3f{0, 1, 0}, Vec3f{0, 0, 1}}) {
            places.push_back({1.01f, 1.02f, 1.03f}); // beyond a corner of the box
            normals.push_back(normal);
        }
        const std::size_t right = places.size();
        places.push_back({1.01f, 0.5f, 1.02f});
        normals.push_back({0, 1, 0}); // a normal that matches neither face
        places.push_back({1.01f, 1.02f, 1.03f});
        normals.push_back({-1, 0, 0});
        const PointCloud scan = cloudOf(places, normals);
        Buffer<Vec3f> at = Buffer<Vec3f>::host(places.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            at[i] = (scan.position(i) - reference.origin).as<float>();
        DeviationOptions options;
        options.largestAngle = 20;
        const Deviations found = deviationsOf(scan, at, reference, options, {});
        QCOMPARE(found.points, std::uint64_t(right));
        QCOMPARE(found.turned, std::uint64_t(2));
    }
};

SCANLOUPE_TEST(TestDeviationFigures)
#include "test_deviation_figures.moc"
