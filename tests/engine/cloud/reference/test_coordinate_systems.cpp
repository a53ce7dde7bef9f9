// Systems of the EPSG dataset: names, codes, units and axes, found by codes, names, well-known text and
// GeoTIFF keys without network access; and whether two texts describe the same system.
#include "engine/align/merge_clouds.h"
#include "engine/cloud/reference/coordinate_reference.h"
#include "engine/cloud/reference/system_text.h"
#include "engine/io/common/read_options.h"
#include "tests/engine/cloud/reference/system_samples.h"
#include "tests/engine/io/las_file.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/test_support.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::string directionsOf(const SystemFacts& facts) {
    std::string all;
    for (const SystemAxis& axis : facts.axes)
        all += (all.empty() ? "" : " ") + axis.direction;
    return all;
}

/// A LAS file with GeoTIFF keys; each is a key and its value.
std::shared_ptr<const PointCloud> withKeys(const Scratch& scratch,
                                           const std::vector<std::pair<int, int>>& keys) {
    LasFile file(2, 1, 0, 3);
    std::string directory;
    const auto put = [&directory](int word) {
        directory += static_cast<char>(word & 255);
        directory += static_cast<char>(word >> 8);
    };
    for (const int word : {1, 1, 0, int(keys.size())})
        put(word);
    for (const auto& [key, value] : keys)
        for (const int word : {key, 0, 1, value})
            put(word);
    file.addRecord("LASF_Projection", 34735, directory);
    return readScan(scratch.file("keys.las", file.content()), {}, {});
}

std::shared_ptr<const PointCloud> namedCloud(const std::string& system) {
    DoublePositions positions{Buffer<Vec3d>::host(1), -1};
    positions.xyz[0] = {1, 2, 3};
    PointCloud cloud(std::move(positions), {}, {});
    cloud.coordinateSystem = system;
    return std::make_shared<const PointCloud>(std::move(cloud));
}

} // namespace

class TestCoordinateSystems : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (!haveProj())
            QSKIP("this build has no PROJ");
    }

    void systems_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("horizontal"); // -1: there is none
        QTest::addColumn<int>("vertical");
        QTest::addColumn<QString>("directions");
        constexpr int none = -1, metre = int(LengthUnit::metre), survey = int(LengthUnit::surveyFoot),
                      degree = int(LengthUnit::degree);
        const auto row = [](const char* title, const char* text, const char* name, int horizontal,
                            int vertical, const char* directions) {
            QTest::newRow(title) << text << name << horizontal << vertical << directions;
        };
        constexpr const char* california = "NAD83 / California zone 5 (ftUS) (EPSG:2229)";
        row("code", "EPSG:2229", california, survey, none, "east north");
        row("small letters", " epsg:2229\n", california, survey, none, "east north");
        row("name", "NAD83 / California zone 5 (ftUS)", california, survey, none, "east north");
        row("as we name it", california, california, survey, none, "east north");
        row("WKT 1", kStatePlane, california, survey, none, "east north");
        row("WKT of Esri", kStatePlaneOfEsri, "NAD83 / California zone 5 (ftUS)", survey, none, "east north");
        row("international feet", "EPSG:2992", "NAD83 / Oregon GIC Lambert (ft) (EPSG:2992)",
            int(LengthUnit::foot), none, "east north");
        row("northing first", kGaussKruger, "DHDN / 3-degree Gauss-Kruger zone 3 (EPSG:31467)", metre, none,
            "north east");
        row("to the west", "EPSG:2053", "Hartebeesthoek94 / Lo29 (EPSG:2053)", metre, none, "west south");
        constexpr const char* heights = "ETRS89 / UTM zone 32N + DHHN2016 height (EPSG:25832+7837)";
        row("two codes", "EPSG:25832+7837", heights, metre, metre, "east north up");
        row("two in WKT 1", kUtmWithHeights, heights, metre, metre, "east north up");
        row("heights alone", kHeightsInFeet, "NAVD88 height (ftUS) (EPSG:6360)", none, survey, "up");
        row("three axes", kGeographic3d, "WGS 84 (EPSG:4979)", degree, metre, "north east up");
        row("geographic", "EPSG:4326", "WGS 84 (EPSG:4326)", degree, none, "north east");
        row("geocentric", "EPSG:4978", "WGS 84 (EPSG:4978)", metre, none,
            "geocentricX geocentricY geocentricZ");
    }
    void systems() {
        QFETCH(QString, text);
        QFETCH(QString, name);
        QFETCH(int, horizontal);
        QFETCH(int, vertical);
        QFETCH(QString, directions);
        const SystemFacts facts = readSystemText(text.toStdString());
        QCOMPARE(QString::fromStdString(facts.problem), QString());
        QCOMPARE(QString::fromStdString(facts.name), name);
        QCOMPARE(facts.horizontal ? int(facts.horizontal->unit) : -1, horizontal);
        QCOMPARE(facts.vertical ? int(facts.vertical->unit) : -1, vertical);
        QCOMPARE(QString::fromStdString(directionsOf(facts)), directions);
    }
    void unknownCodesAreReported() {
        const auto cloud = namedCloud("EPSG:999999");
        const CoordinateReference reference = referenceOf(cloud.get());
        QCOMPARE(reference.system, std::string("EPSG:999999"));
        QCOMPARE(reference.notes.size(), std::size_t(1));
        QVERIFY(reference.notes[0].find("crs not found") != std::string::npos);
        QVERIFY(reference.source == UnitSource::assumed);
    }

    void keysOfFiles() {
        const Scratch scratch;
        // EPSG:2229 without a separate unit key, as in many files
        CoordinateReference reference = referenceOf(withKeys(scratch, {{1024, 1}, {3072, 2229}}).get());
        QCOMPARE(reference.system, std::string("NAD83 / California zone 5 (ftUS) (EPSG:2229)"));
        QVERIFY(reference.unit == LengthUnit::surveyFoot && reference.source == UnitSource::file);
        QCOMPARE(axesDescription(reference), std::string("Easting (X, east), Northing (Y, north)"));
        reference = referenceOf(withKeys(scratch, {{1024, 1}, {3072, 25832}, {4096, 7837}}).get());
        QCOMPARE(reference.system, std::string("ETRS89 / UTM zone 32N + DHHN2016 height (EPSG:25832+7837)"));
        QVERIFY(reference.notes.empty());
        // 5103 was NAVD 88 in GeoTIFF 1.0, and is no system of the dataset
        reference =
            referenceOf(withKeys(scratch, {{1024, 1}, {3072, 26915}, {4096, 5103}, {4099, 9003}}).get());
        QCOMPARE(reference.system, std::string("NAD83 / UTM zone 15N (EPSG:26915)"));
        QCOMPARE(reference.notes.size(), std::size_t(1)); // heights in feet
        // a file in feet that names the code of a system in metres
        reference = referenceOf(withKeys(scratch, {{1024, 1}, {3072, 26995}, {3076, 9003}}).get());
        QVERIFY(reference.unit == LengthUnit::surveyFoot && reference.axes.empty());
        reference = referenceOf(withKeys(scratch, {{1024, 2}, {2048, 4326}}).get());
        QVERIFY(reference.unit == LengthUnit::degree && reference.system == "WGS 84 (EPSG:4326)");
        reference = referenceOf(withKeys(scratch, {{1024, 3}, {2048, 4978}}).get());
        QVERIFY(reference.unit == LengthUnit::metre && reference.source == UnitSource::file);
        reference = referenceOf(withKeys(scratch, {{1024, 1}, {3072, 32767}, {3076, 9002}}).get());
        QVERIFY(reference.unit == LengthUnit::foot && reference.system.empty());
    }

    void textsOfOneSystem() {
        QVERIFY(isSameSystem("EPSG:2229", kStatePlane));
        QVERIFY(isSameSystem(kStatePlaneOfEsri, kStatePlane));
        QVERIFY(isSameSystem("EPSG:25832+7837", kUtmWithHeights));
        QVERIFY(isSameSystem("model type 1; projected system EPSG 2229; linear units 9003", "EPSG:2229"));
        QVERIFY(!isSameSystem("model type 1; projected system EPSG 2229; linear units 9001", "EPSG:2229"));
        QVERIFY(!isSameSystem("EPSG:25832", "EPSG:25833"));
        QVERIFY(!isSameSystem("EPSG:25832", kUtmWithHeights)); // the heights have no reference
        QVERIFY(!isSameSystem("EPSG:2229", ""));
        QVERIFY(isSameSystem("our own grid", "our own grid") && !isSameSystem("our own grid", "theirs"));
        QVERIFY(isSameSystem("", "''"));
    }
    void scansOfOneSystemAreMergedInSilence() {
        const auto merged = [](const char* one, const char* other) {
            return mergeClouds(std::vector<PosedCloud>{{namedCloud(one), {}}, {namedCloud(other), {}}}, {},
                               {});
        };
        QVERIFY(merged("EPSG:2229", kStatePlane).warnings.empty());
        const PointCloud mixed = merged("EPSG:2229", "EPSG:2230");
        QVERIFY(warns(mixed, "NAD83 / California zone 5 (ftUS) (EPSG:2229); NAD83 / California zone 6"));
    }
};

SCANLOUPE_TEST(TestCoordinateSystems)
#include "test_coordinate_systems.moc"
