// Units and coordinate systems: from real files, from texts, guessed from coordinates; and drawings to scale.
#include "engine/cloud/reference/coordinate_reference.h"
#include "engine/cloud/reference/system_text.h"
#include "engine/inspect/section/write_section.h"
#include "engine/io/common/read_options.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::shared_ptr<const PointCloud> boxOf(Vec3d low, Vec3d high, const std::string& system = {}) {
    DoublePositions positions{Buffer<Vec3d>::host(2), -1};
    positions.xyz[0] = low;
    positions.xyz[1] = high;
    auto cloud =
        std::make_shared<PointCloud>(std::move(positions), std::vector<Attribute>{}, std::stop_token());
    cloud->format = "PLY ascii 1.0";
    cloud->coordinateSystem = system;
    return cloud;
}

LengthUnit unitOfText(const std::string& text) {
    const auto unit = readSystemText(text).horizontal;
    return unit ? unit->unit : LengthUnit::metre;
}

bool hasNote(const CoordinateReference& reference, const std::string& words) {
    return std::ranges::any_of(
        reference.notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

std::string textOf(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

constexpr const char* kFeet =
    R"(PROJCS["NAD83 / Oregon",GEOGCS["NAD83",DATUM["x",SPHEROID["GRS",6378137,298.2]],)"
    R"(UNIT["degree",0.0174532925199433]],PROJECTION["L"],UNIT["foot",0.3048]])";

constexpr std::pair<const char*, LengthUnit> kTexts[]{
    {kFeet, LengthUnit::foot},
    {R"(GEOGCS["WGS 84",DATUM["x",SPHEROID["y",6378137,298.2]],UNIT["degree",0.0174532925199433]])",
     LengthUnit::degree},
    {R"(PROJCRS["a",BASEGEOGCRS["b",DATUM["c",ELLIPSOID["d",6378137,298,LENGTHUNIT["metre",1]]]],)"
     R"(CONVERSION["x",METHOD["y"]],CS[Cartesian,2],)"
     R"(AXIS["e",east,LENGTHUNIT["US survey foot",0.304800609601219]],)"
     R"(AXIS["n",north,LENGTHUNIT["US survey foot",0.304800609601219]],ID["EPSG",2225]])",
     LengthUnit::surveyFoot},
    {R"wkt(GEODCRS["geocentric",DATUM["c",ELLIPSOID["d",6378137,298]],CS[Cartesian,3],AXIS["(X)",)wkt"
     R"wkt(geocentricX],AXIS["(Y)",geocentricY],AXIS["(Z)",geocentricZ],LENGTHUNIT["metre",1]])wkt",
     LengthUnit::metre},
    // this system has no ellipsoid
    {R"(GEOGCS["WGS 84",DATUM["x"],UNIT["degree",0.0174532925199433]])", LengthUnit::metre},
    {R"(LOCAL_CS["part",UNIT["millimetre",0.001]])", LengthUnit::millimetre},
    {R"(LOCAL_CS["part",UNIT["inch",0.0254]])", LengthUnit::inch},
    {R"(LOCAL_CS["x",UNIT["foot",0.3048006096012192]])", LengthUnit::surveyFoot},
    {R"(LOCAL_CS["x",UNIT["US survey foot",1.0]])", LengthUnit::surveyFoot},
    {R"(LOCAL_CS["x",UNIT["Foot_US",0.3048006096012192]])", LengthUnit::surveyFoot},
    {R"(LOCAL_CS["x",UNIT["Clarke foot",0.3047972654]])", LengthUnit::unknown},
    {R"(LOCAL_CS["x",UNIT["kilometre",1000]])", LengthUnit::unknown},
};

const std::string kBoth =
    std::string(R"(COMPD_CS["both",)") + kFeet +
    R"(,VERT_CS["heights",VERT_DATUM["d",2005],UNIT["metre",1]],AUTHORITY["EPSG","9999"]])";

#define SCANLOUPE_NEEDS_PROJ()                                                                               \
    if (!haveProj())                                                                                         \
    QSKIP("this build has no PROJ")

} // namespace

class TestCoordinateReference : public QObject {
    Q_OBJECT
private slots:
    void realFiles_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("unit");
        QTest::addColumn<int>("source");
        QTest::addColumn<QString>("system");
        const auto row = [](const char* file, LengthUnit unit, UnitSource source, const char* system) {
            QTest::newRow(file) << QString(file) << int(unit) << int(source) << QString(system);
        };
        row("las/pdal_autzen_trim.las", LengthUnit::foot, UnitSource::file,
            "NAD_1983_HARN_Lambert_Conformal_Conic");
        row("las/pdal_interesting.las", LengthUnit::foot, UnitSource::file,
            "NAD83 / Oregon GIC Lambert (ft) (EPSG:2992)"); // identified by Esri's name
        row("las/pdal_mvk-thin.las", LengthUnit::surveyFoot, UnitSource::file,
            // the file names EPSG:26995, which is in metres
            "NAD_1983_StatePlane_Mississippi_West_FIPS_2302_Feet");
        row("las/laspy_1_4_w_evlr.las", LengthUnit::surveyFoot, UnitSource::file,
            "NAD83(HARN) / New Mexico Central (ftUS) (EPSG:2903)");
        row("las/pdal_epsg_4326.las", LengthUnit::degree, UnitSource::file, "WGS 84 (EPSG:4326)");
        row("las/pdal_spec_3.las", LengthUnit::metre, UnitSource::file, "WGS 84 / UTM zone 17N (EPSG:32617)");
        row("las/pdal_bad-geotiff-keys.las", LengthUnit::metre, UnitSource::file,
            "WGS 84 / UTM zone 17N (EPSG:32617)");
        row("las/pdal_1.2-empty-geotiff-vlrs.las", LengthUnit::metre, UnitSource::file, "");
        row("las/pdal_warsaw_small.las", LengthUnit::metre, UnitSource::assumed, "");
        row("las/pdal_simple.laz", LengthUnit::metre, UnitSource::assumed, "");
        row("e57/bunnyDouble.e57", LengthUnit::metre, UnitSource::file, "");
        row("pcd/milk.pcd", LengthUnit::metre, UnitSource::assumed, "");
        row("sweeps/kitti_tiny_800pts.bin", LengthUnit::metre, UnitSource::file, "");
    }
    void realFiles() {
        SCANLOUPE_NEEDS_PROJ();
        QFETCH(QString, file);
        QFETCH(int, unit);
        QFETCH(int, source);
        QFETCH(QString, system);
        SCANLOUPE_REAL_SCAN(path, file.toStdString());
        const auto cloud = readScan(path, {}, {});
        const CoordinateReference reference = referenceOf(cloud.get());
        QCOMPARE(int(reference.unit), unit);
        QCOMPARE(int(reference.source), source);
        QCOMPARE(QString::fromStdString(reference.system), system);
        QCOMPARE(reference.notes.size(), std::size_t(unit == int(LengthUnit::degree)));
    }

    void wellKnownText() {
        SCANLOUPE_NEEDS_PROJ();
        for (const auto& [text, unit] : kTexts)
            QVERIFY2(unitOfText(text) == unit, text);
        const SystemFacts both = readSystemText(kBoth);
        QCOMPARE(both.horizontal->unit, LengthUnit::foot);
        QCOMPARE(both.vertical->unit, LengthUnit::metre);
        QCOMPARE(both.name, std::string("both (EPSG:9999)"));
        // heights nested in the system of the plane, as LAStools writes them
        std::string within(kFeet);
        within.insert(within.size() - 1, R"(,VERT_CS["h",VERT_DATUM["d",2005],UNIT["metre",1]])");
        QCOMPARE(readSystemText(within).horizontal->unit, LengthUnit::foot);
        QCOMPARE(readSystemText(within).vertical->unit, LengthUnit::metre);
    }
    void otherTexts() {
        SCANLOUPE_NEEDS_PROJ();
        QCOMPARE(unitOfText("model type 1; linear units 32767; key 3077 0.0254"), LengthUnit::inch);
        QCOMPARE(unitOfText("model type 1; linear units 9036"), LengthUnit::unknown); // kilometre
        QCOMPARE(unitOfText("model type 1; linear units 32632"),
                 LengthUnit::unknown); // the coordinate system has a mistake in its definition
        QVERIFY(readSystemText("''").name.empty() && readSystemText("").name.empty());
        QVERIFY(readSystemText("").problem.empty());
        const SystemFacts name = readSystemText("our own grid");
        QCOMPARE(name.name, std::string("our own grid"));
        QVERIFY(!name.horizontal && name.problem.empty());
    }
    /// Damaged text has a problem, or is a valid system nevertheless.
    void damagedTexts() {
        const std::string& whole = kBoth;
        for (std::size_t size = whole.find('[') + 1; size < whole.size(); ++size) {
            const SystemFacts facts = readSystemText(whole.substr(0, size));
            QVERIFY2(haveProj() ? facts.problem.starts_with("PROJ says '") : !facts.problem.empty(),
                     whole.substr(0, size).c_str());
        }
        auto random = seededRandom("damaged texts");
        for (int i = 0; i < 2000; ++i) {
            std::string text = whole;
            for (int k = 0; k < 4; ++k)
                text[random() % text.size()] = "[](),\" \0A9.\xff"[random() % 11];
            readSystemText(text);
        }
        std::string deep;
        for (int i = 0; i < 9000; ++i)
            deep += "PROJCS[";
        QVERIFY(!readSystemText(deep).problem.empty());
        deep.append(1 << 20, '[');
        QVERIFY(!readSystemText(deep).problem.empty());
    }
    void withoutProjSystemsHaveNamesOnly() {
        if (haveProj())
            return; // other builds have something to show
        const CoordinateReference feet = referenceOf(boxOf({0, 0, 0}, {1, 1, 1}, kFeet).get());
        QCOMPARE(feet.system, std::string("NAD83 / Oregon"));
        QVERIFY(feet.unit == LengthUnit::metre && feet.source == UnitSource::assumed);
        QVERIFY(hasNote(feet, "this build has no PROJ") && hasNote(feet, "Metres are assumed"));
    }

    void guesses() {
        const CoordinateReference degrees =
            referenceOf(boxOf({-94.6835, 31.0367, 39}, {-94.6606, 31.0473, 78}).get());
        QCOMPARE(degrees.unit, LengthUnit::degree);
        QCOMPARE(degrees.source, UnitSource::guessed);
        QVERIFY(hasNote(degrees, "names no unit, but") && hasNote(degrees, "Project the scan"));
        const CoordinateReference room = referenceOf(boxOf({-2500, -2000, -1200}, {2600, 1800, 1300}).get());
        QCOMPARE(room.unit, LengthUnit::metre); // only a note: mountains may be this large
        QVERIFY(room.source == UnitSource::assumed && hasNote(room, "millimetres"));
        // scans in metres: a street, a pole near its scanner, an airborne tile, a statue
        for (const auto& cloud :
             {boxOf({-60, -40, -3}, {60, 45, 20}), boxOf({-11.2, -0.4, -5}, {-10.9, -0.1, 4}),
              boxOf({635619, 848899, 406}, {638982, 853535, 586}), boxOf({-0.2, -0.2, 0}, {0.3, 0.2, 1.8})}) {
            const CoordinateReference metres = referenceOf(cloud.get());
            QCOMPARE(metres.unit, LengthUnit::metre);
            QVERIFY(metres.source == UnitSource::assumed && metres.notes.empty());
        }
        // the unit of a named system is not guessed, unless the name is arbitrary
        const auto named = boxOf({-94.6835, 31.0367, 39}, {-94.6606, 31.0473, 78}, "our own grid");
        QCOMPARE(referenceOf(named.get()).source, haveProj() ? UnitSource::assumed : UnitSource::guessed);
    }
    void notesOnMixedAndOtherUnits() {
        SCANLOUPE_NEEDS_PROJ();
        const auto mixed = boxOf({0, 0, 0}, {1, 1, 1}, kBoth);
        QVERIFY(hasNote(referenceOf(mixed.get()), "Heights are in another unit (metre)"));
        const auto other = boxOf({0, 0, 0}, {1, 1, 1}, "LOCAL_CS[\"x\",UNIT[\"kilometre\",1000]]");
        QVERIFY(hasNote(referenceOf(other.get()), "'kilometre'"));
        QVERIFY(referenceOf(other.get(), {LengthUnit::metre, {}}).notes.empty());
        const auto broken = boxOf({0, 0, 0}, {1, 1, 1}, "PROJCS[\"x\"");
        QVERIFY(hasNote(referenceOf(broken.get()), "can't be interpreted: PROJ says '"));
        QVERIFY(hasNote(referenceOf(broken.get()), "Metres are assumed"));
        QVERIFY(referenceOf(broken.get(), {LengthUnit::metre, {}}).notes.empty());
    }
    void peopleDecide() {
        SCANLOUPE_NEEDS_PROJ();
        const auto feet = boxOf({0, 0, 0}, {1, 1, 1}, kFeet);
        CoordinateReference set = referenceOf(feet.get(), {LengthUnit::inch, {}});
        QVERIFY(set.unit == LengthUnit::inch && set.source == UnitSource::person);
        QCOMPARE(set.system, std::string("NAD83 / Oregon"));
        set = referenceOf(feet.get(), {{}, "EPSG:4326"}); // a system with a known unit
        QCOMPARE(set.unit, LengthUnit::degree);
        set = referenceOf(feet.get(), {{}, "our own grid"}); // a bare name keeps the file's unit
        QVERIFY(set.unit == LengthUnit::foot && set.system == "our own grid");
        set = referenceOf(nullptr, {LengthUnit::millimetre, {}}); // a volume instead of a cloud
        QCOMPARE(set.unit, LengthUnit::millimetre);
        QCOMPARE(unitDescription(referenceOf(nullptr)), std::string("metre (m), assumed"));
    }

    void lengths() {
        QCOMPARE(plainLengthText(0.1, LengthUnit::foot), std::string("0.1 ft"));
        QCOMPARE(plainLengthText(0.1, LengthUnit::metre), std::string("10 cm"));
        QCOMPARE(plainLengthText(0.002, LengthUnit::metre), std::string("2 mm"));
        QCOMPARE(plainLengthText(250, LengthUnit::surveyFoot), std::string("250 ftUS"));
        QCOMPARE(unitText(LengthUnit::foot, 2), std::string("ft2"));
        for (const LengthUnitRow& row : lengthUnits()) {
            QVERIFY(rowOf(row.unit).unit == row.unit);
            QVERIFY(lengthUnitFromText(row.key) == row.unit);
            QVERIFY(row.metres == 0 || lengthUnitFromText(row.symbol) == row.unit);
            QVERIFY(row.metres == 0 || lengthUnitOfMetres(row.metres) == row.unit);
        }
        QVERIFY(!lengthUnitFromText("furlong") && !lengthUnitOfMetres(0));
    }

    /// 100 ft at 1:100 are 1 ft of paper: 304.8 mm.
    void drawingsToScale() {
        const Scratch scratch;
        SectionDrawing drawing;
        drawing.frame = {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
        drawing.low = {0, 0};
        drawing.high = {100, 10};
        drawing.lines = {{{{0, 0}, {100, 10}}, false}};
        const auto write = [&](const char* name, LengthUnit unit) {
            writeSection(scratch / name, drawing, {100, unit}, {});
            return textOf(scratch / name);
        };
        const std::string svg = write("a.svg", LengthUnit::foot);
        QVERIFY2(svg.find("points=\"10.000,40.480 314.800,10.000\"") != std::string::npos, svg.c_str());
        QVERIFY2(svg.find(">20 ft, 1:100<") != std::string::npos, svg.c_str());
        QVERIFY(write("m.svg", LengthUnit::metre).find("10.000,110.000 1010.000,10.000") !=
                std::string::npos);
        QVERIFY(write("a.dxf", LengthUnit::foot).find("$INSUNITS\n 70\n2\n") != std::string::npos);
        QVERIFY(write("m.dxf", LengthUnit::metre).find("$INSUNITS\n 70\n6\n") != std::string::npos);
        QVERIFY(write("d.dxf", LengthUnit::degree).find("$INSUNITS\n 70\n0\n") != std::string::npos);
        QVERIFY_THROWS_EXCEPTION(EngineError, write("d.svg", LengthUnit::degree));
        QVERIFY_THROWS_EXCEPTION(EngineError, write("u.svg", LengthUnit::unknown));
    }
};

SCANLOUPE_TEST(TestCoordinateReference)
#include "test_coordinate_reference.moc"
