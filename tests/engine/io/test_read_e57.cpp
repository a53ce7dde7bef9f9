// E57 files built by tests: integers of every width, poses, several scans, invalid points, and damage.
#include "engine/io/common/read_options.h"
#include "tests/engine/io/e57_file.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr char kSingles[] = "<cartesianX type=\"Float\" precision=\"single\"/><cartesianY type=\"Float\" "
                            "precision=\"single\"/><cartesianZ type=\"Float\" precision=\"single\"/>";

} // namespace

class TestReadE57 : public QObject {
    Q_OBJECT
private slots:
    void integersOfEveryWidth_data() {
        QTest::addColumn<int>("width");
        for (const int width :
             {0, 1, 2, 3, 5, 7, 8, 9, 13, 16, 17, 24, 31, 32, 33, 40, 47, 57, 58, 61, 62, 64})
            QTest::addRow("%d bits", width) << width;
    }
    void integersOfEveryWidth() {
        QFETCH(int, width);
        auto random = seededRandom("integersOfEveryWidth");
        const int count = 200;
        const std::int64_t minimum = width == 64 ? std::numeric_limits<std::int64_t>::min() : -5;
        const std::uint64_t span = width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width);
        const auto maximum = static_cast<std::int64_t>(static_cast<std::uint64_t>(minimum) + span);
        E57TestScan scan = doubles(count);
        scan.prototype +=
            fmt::format("<odd type=\"Integer\" minimum=\"{}\" maximum=\"{}\"/>", minimum, maximum);
        Bits bits;
        std::vector<std::int64_t> values;
        for (int i = 0; i < count; ++i) {
            const std::uint64_t value = random() & span;
            bits.put(value, width);
            values.push_back(static_cast<std::int64_t>(value + static_cast<std::uint64_t>(minimum)));
        }
        scan.streams.push_back(bits.bytes);
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.e57", e57File({scan})), {}, {});
        QVERIFY2(cloud->warnings.empty(), cloud->warnings.empty() ? "" : cloud->warnings[0].c_str());
        const Attribute* odd = cloud->attribute("odd");
        QVERIFY(odd);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (odd->type == ScalarType::int64) {
                std::int64_t value = 0;
                std::memcpy(&value, odd->data() + 8 * i, 8);
                QCOMPARE(value, values[i]);
            } else {
                QCOMPARE(odd->value(i), double(values[i]));
            }
            QVERIFY((cloud->position(i) == Vec3d{double(i), 2.0 * double(i), -double(i)}));
        }
    }
    /// If two fields had the same name, rows of scans without these values would be uninitialized.
    void valuesOfOneName() {
        E57TestScan twice = doubles(3);
        for (int i = 0; i < 2; ++i) {
            twice.prototype += "<height type=\"Float\"/>";
            twice.streams.push_back(streamOf<double>({1, 2, 3}));
        }
        const Scratch scratch;
        QVERIFY(says(errorOf([&] {
                         readScan(scratch.file("a.e57", e57File({twice, doubles(4)})), {}, {});
                     }),
                     "have the name 'height'"));
        E57TestScan axes = doubles(3);
        axes.prototype += "<cartesianX type=\"Float\"/>";
        axes.streams.push_back(axes.streams[0]);
        QVERIFY(says(errorOf([&] { readScan(scratch.file("b.e57", e57File({axes})), {}, {}); }),
                     "have the name 'cartesianX'"));
    }
    /// Scales with which no coordinate could be stored again.
    void scalesThatNoNumberComesFrom_data() {
        QTest::addColumn<QString>("attributes");
        QTest::newRow("no step") << "scale=\"0\"";
        QTest::newRow("infinite step") << "scale=\"inf\"";
        QTest::newRow("no number") << "scale=\"nan\"";
        QTest::newRow("infinite offset") << "scale=\"0.5\" offset=\"-inf\"";
    }
    void scalesThatNoNumberComesFrom() {
        QFETCH(QString, attributes);
        E57TestScan scan;
        for (const char axis : {'X', 'Y', 'Z'}) {
            scan.prototype +=
                fmt::format("<cartesian{} type=\"ScaledInteger\" minimum=\"0\" maximum=\"255\" {}/>", axis,
                            axis == 'Y' ? attributes.toStdString() : "scale=\"0.5\"");
            scan.streams.push_back(streamOf<std::uint8_t>({0, 1, 2}));
        }
        scan.claimed = 3;
        const Scratch scratch;
        QVERIFY(says(errorOf([&] { readScan(scratch.file("a.e57", e57File({scan})), {}, {}); }),
                     "the attribute 'cartesianY' has the invalid scale"));
    }
    void sphericalCoordinates() {
        E57TestScan scan;
        scan.prototype =
            "<sphericalRange type=\"Float\"/><sphericalAzimuth type=\"Float\"/><sphericalElevation "
            "type=\"Float\"/>";
        const double half = 3.14159265358979323846 / 2;
        scan.streams = {streamOf<double>({2, 2, 2}), streamOf<double>({0, half, 0}),
                        streamOf<double>({0, 0, half})};
        scan.claimed = 3;
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.e57", e57File({scan})), {}, {});
        const Vec3d expected[] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
        for (std::size_t i = 0; i < 3; ++i)
            for (int axis = 0; axis < 3; ++axis)
                QVERIFY(std::abs(cloud->position(i)[axis] - expected[i][axis]) < 1e-15 * 4);
    }
    void posesAndSeveralScans() {
        E57TestScan first = doubles(4), second = doubles(3);
        // a quarter turn about z
        first.pose =
            "<pose><rotation><w>0.70710678118654752</w><x>0</x><y>0</y><z>0.70710678118654752</z></rotation>"
            "<translation><x>10</x><y>20</y><z>30</z></translation></pose>";
        second.prototype +=
            "<intensity type=\"Float\" precision=\"single\"/><colorRed type=\"Integer\" minimum=\"0\" "
            "maximum=\"255\"/>";
        second.streams.push_back(streamOf<float>({0.25f, 0.5f, 0.75f}));
        second.streams.push_back(streamOf<std::uint8_t>({7, 8, 9}));
        const Scratch scratch;
        const auto cloud =
            readScan(scratch.file("a.e57", e57File({first, second}, "<coordinateMetadata "
                                                                    "type=\"String\">EPSG:25832"
                                                                    "</coordinateMetadata>")),
                     {}, {});
        QCOMPARE(cloud->size(), std::size_t(7));
        const Vec3d turned = cloud->position(3); // (3, 6, -3) is rotated to (-6, 3, -3), then shifted
        QVERIFY(std::abs(turned.x - 4) < 1e-12 && std::abs(turned.y - 23) < 1e-12 &&
                std::abs(turned.z - 27) < 1e-12);
        QVERIFY((cloud->position(5) == Vec3d{1, 2, -1}));
        const auto one = readScan(scratch.file("b.e57", e57File({first})), {}, {});
        QVERIFY(one->sensor && (one->sensor->position == Vec3d{10, 20, 30}));
        const Quaternion turn = one->sensor->rotation;
        QVERIFY(turn.x == 0 && turn.y == 0 && turn.z == turn.w && std::abs(turn.z - std::sqrt(0.5)) < 1e-15);
        QCOMPARE(cloud->attribute("scan")->value(3), 0.0);
        QCOMPARE(cloud->attribute("scan")->value(4), 1.0);
        QCOMPARE(cloud->attribute("sensor_y")->value(0), 20.0);
        QVERIFY(std::isnan(cloud->attribute("intensity")->value(0)));
        QCOMPARE(cloud->attribute("intensity")->value(5), 0.5);
        QCOMPARE(cloud->attribute("red")->value(6), 9.0);
        QCOMPARE(cloud->coordinateSystem, std::string("EPSG:25832"));
    }
    void invalidPointsHaveNoCoordinates() {
        E57TestScan scan = doubles(5);
        scan.prototype += "<cartesianInvalidState type=\"Integer\" minimum=\"0\" maximum=\"2\"/>";
        Bits bits;
        for (const std::uint64_t state : {0, 2, 0, 1, 0})
            bits.put(state, 2);
        scan.streams.push_back(bits.bytes);
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.e57", e57File({scan})), {}, {});
        QCOMPARE(cloud->size(), std::size_t(5));
        QCOMPARE(cloud->notFinite(), std::uint64_t(2));
        QVERIFY(warns(*cloud, "2 points are marked as invalid"));
        QCOMPARE(cloud->attribute("invalid_state")->value(1), 2.0);
        QVERIFY((cloud->position(4) == Vec3d{4, 8, -4}));
    }
    /// If both Cartesian and spherical invalid states exist, the state of the coordinates in use counts.
    void bothInvalidStates() {
        E57TestScan scan = doubles(5);
        Bits cartesian, spherical;
        for (const std::uint64_t state : {0, 2, 0, 1, 0})
            cartesian.put(state, 2);
        for (const std::uint64_t state : {1, 0, 0, 1, 2})
            spherical.put(state, 2);
        const std::string states[] = {
            "<cartesianInvalidState type=\"Integer\" minimum=\"0\" maximum=\"2\"/>",
            "<sphericalInvalidState type=\"Integer\" minimum=\"0\" maximum=\"2\"/>"};
        const Scratch scratch;
        for (const bool swapped : {false, true}) {
            E57TestScan both = scan;
            both.prototype += states[swapped ? 1 : 0] + states[swapped ? 0 : 1];
            both.streams.push_back(swapped ? spherical.bytes : cartesian.bytes);
            both.streams.push_back(swapped ? cartesian.bytes : spherical.bytes);
            const auto cloud = readScan(scratch.file("a.e57", e57File({both})), {}, {});
            for (const std::size_t i : {0, 2, 4})
                QVERIFY((cloud->position(i) == Vec3d{double(i), 2.0 * double(i), -double(i)}));
            QCOMPARE(cloud->notFinite(), std::uint64_t(2));
            QCOMPARE(cloud->attribute("invalid_state")->value(1), 2.0);
            QCOMPARE(cloud->attribute("invalid_state")->value(4), 0.0);
            const Attribute* other = cloud->attribute("sphericalInvalidState");
            QVERIFY(other && other->value(0) == 1 && other->value(1) == 0 && other->value(4) == 2);
        }
        E57TestScan rays = doubles(5);
        rays.prototype = "<sphericalRange type=\"Float\"/><sphericalAzimuth type=\"Float\"/>"
                         "<sphericalElevation type=\"Float\"/>" +
                         states[0] + states[1];
        rays.streams.insert(rays.streams.end(), {cartesian.bytes, spherical.bytes});
        const auto cloud = readScan(scratch.file("b.e57", e57File({rays})), {}, {});
        QCOMPARE(cloud->notFinite(), std::uint64_t(3));
        QVERIFY(!std::isfinite(cloud->position(0).x) && std::isfinite(cloud->position(1).x));
        QCOMPARE(cloud->attribute("cartesianInvalidState")->value(3), 1.0);
    }
    void longScansAreUnpackedInRunsOfPackets() {
        // values of 13, 1 and 64 bits: most streams are split within a value where a run of packets (a
        // megabyte) ends
        auto random = seededRandom("longScansAreUnpackedInRunsOfPackets");
        constexpr int count = 150'000;
        E57TestScan scan = doubles(count);
        scan.prototype += "<odd type=\"Integer\" minimum=\"-5\" maximum=\"8186\"/><cartesianInvalidState "
                          "type=\"Integer\" minimum=\"0\" maximum=\"1\"/>";
        scan.piece = 1021;
        Bits odd, state;
        std::vector<std::int64_t> values;
        for (int i = 0; i < count; ++i) {
            values.push_back(static_cast<std::int64_t>(random() % 8192));
            odd.put(static_cast<std::uint64_t>(values.back()), 13);
            state.put(i % 1000 == 999, 1);
        }
        scan.streams.insert(scan.streams.end(), {odd.bytes, state.bytes});
        const Scratch scratch;
        const std::string file = e57File({scan});
        QVERIFY(file.size() > 3'500'000); // the file has at least three runs of packets
        const auto check = [&](const PointCloud& cloud) {
            for (std::size_t i = 0; i < cloud.size(); ++i) {
                if (cloud.attribute("odd")->value(i) != double(values[i] - 5))
                    return i;
                const Vec3d p = cloud.position(i), wanted{double(i), 2.0 * double(i), -double(i)};
                if (i % 1000 == 999 ? std::isfinite(p.x) : !(p == wanted))
                    return i;
            }
            return cloud.size();
        };
        const auto cloud = readScan(scratch.file("a.e57", file), {}, {});
        QCOMPARE(cloud->size(), std::size_t(count));
        QCOMPARE(check(*cloud), std::size_t(count));
        // damages a page in the second run and one in the third: only points before the first damaged page
        // are read
        std::string damaged = file;
        damaged[1500 * 1024 + 500] ^= 1;
        damaged[3000 * 1024 + 500] ^= 1;
        const auto part = readScan(scratch.file("b.e57", damaged), {}, {});
        QVERIFY2(part->size() > 51'000 && part->size() < 54'000, std::to_string(part->size()).c_str());
        QCOMPARE(check(*part), part->size());
        QVERIFY(warns(*part, "Page 1501 of"));
    }
    void damagedPagesCostThePointsBehindThem() {
        const Scratch scratch;
        const std::string whole = e57File({doubles(1000)});
        QCOMPARE(readScan(scratch.file("a.e57", whole), {}, {})->size(), std::size_t(1000));
        std::string damaged = whole;
        damaged[20 * 1024 + 500] ^= 1;
        const auto cloud = readScan(scratch.file("b.e57", damaged), {}, {});
        QVERIFY(warns(*cloud, "Page 21 of"));
        QVERIFY(warns(*cloud, "are missing"));
        QVERIFY(cloud->size() > 400 && cloud->size() < 700);
        QVERIFY((cloud->position(300) == Vec3d{300, 600, -300}));
        std::string description = whole;
        description[description.size() - 1000] ^= 1;
        QVERIFY(says(errorOf([&] { readScan(scratch.file("c.e57", description), {}, {}); }), "is damaged"));
        QVERIFY(
            says(errorOf([&] { readScan(scratch.file("d.e57", whole.substr(0, whole.size() / 2)), {}, {}); }),
                 "ends before the XML description"));
    }
    void claimsBeyondTheFile() {
        const Scratch scratch;
        E57TestScan scan = doubles(50);
        scan.claimed = std::uint64_t{1} << 63;
        const auto cloud = readScan(scratch.file("a.e57", e57File({scan})), {}, {});
        QCOMPARE(cloud->size(), std::size_t(50));
        QVERIFY(warns(*cloud, "are missing"));
        E57TestScan empty{
            "<cartesianX type=\"Integer\" minimum=\"1\" maximum=\"1\"/><cartesianY type=\"Integer\" "
            "minimum=\"1\" maximum=\"1\"/><cartesianZ type=\"Integer\" minimum=\"1\" maximum=\"1\"/>",
            {"", "", ""},
            std::uint64_t{1} << 40};
        QVERIFY(says(errorOf([&] { readScan(scratch.file("b.e57", e57File({empty})), {}, {}); }),
                     "no complete point"));
    }
    /// The last bytes of a stream are padded with zero bits, which must not be read as another point if the
    /// header claims more points.
    void claimsBeyondTheSection_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("points");
        QTest::addColumn<int>("filled"); // bits per word to which the stream is padded
        QTest::newRow("half bytes") << 4 << 3 << 8;
        QTest::newRow("bits") << 1 << 9 << 8;
        QTest::newRow("10 bits in words of 16") << 10 << 2 << 16;
        QTest::newRow("21 bits in words of 32") << 21 << 30571 << 32;
        QTest::newRow("33 bits in words of 64") << 33 << 5 << 64;
        QTest::newRow("whole bytes") << 16 << 7 << 8;
    }
    void claimsBeyondTheSection() {
        QFETCH(int, width);
        QFETCH(int, points);
        QFETCH(int, filled);
        auto random = seededRandom("claimsBeyondTheSection");
        const std::uint64_t span = ~std::uint64_t{0} >> (64 - width);
        E57TestScan scan;
        std::vector<std::uint64_t> values;
        for (const char axis : {'X', 'Y', 'Z'}) {
            scan.prototype +=
                fmt::format("<cartesian{} type=\"Integer\" minimum=\"0\" maximum=\"{}\"/>", axis, span);
            Bits bits;
            values.clear();
            for (int i = 0; i < points; ++i) {
                values.push_back(i + 1 == points ? 1 : random() & span);
                bits.put(values.back(), width);
            }
            bits.bytes.resize((bits.bytes.size() * 8 + std::size_t(filled) - 1) / std::size_t(filled) *
                              std::size_t(filled) / 8);
            scan.streams.push_back(bits.bytes);
        }
        scan.piece = 999;
        const Scratch scratch;
        for (const int more : {0, 1000}) {
            scan.claimed = std::uint64_t(points + more);
            const auto cloud = readScan(scratch.file("a.e57", e57File({scan})), {}, {});
            QCOMPARE(cloud->size(), std::size_t(points));
            QCOMPARE(warns(*cloud, "are missing"), more > 0);
            for (std::size_t i = 0; i < values.size(); ++i)
                QCOMPARE(cloud->position(i).z, double(values[i]));
        }
    }
    /// The number of points is limited by the size of the file, however many scans share the same points.
    void scansThatShareTheirPoints_data() {
        QTest::addColumn<bool>("ownSections");
        QTest::newRow("one section") << false;
        QTest::newRow("packets of another section") << true;
    }
    void scansThatShareTheirPoints() {
        QFETCH(bool, ownSections);
        std::vector<E57TestScan> scans{doubles(5000)};
        scans[0].piece = 4000;
        for (int i = 0; i < 3000; ++i) {
            scans.push_back(scans[0]);
            scans.back().sharedWith = 0;
            scans.back().ownSection = ownSections;
        }
        scans.push_back(doubles(3));
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.e57", e57File(scans)), {}, {});
        QCOMPARE(cloud->size(), std::size_t(5003));
        QVERIFY(warns(*cloud, "3000 of 3002 scans refer to the points of another scan"));
        QVERIFY(!warns(*cloud, "are missing"));
        QVERIFY((cloud->position(5002) == Vec3d{2, 4, -2}));
        QCOMPARE(cloud->attribute("scan")->value(5002), 1.0);
    }
    void scansOfThousandsOfDifferentValues() {
        std::vector<E57TestScan> scans;
        for (int s = 0; s < 100; ++s) {
            scans.push_back(doubles(1));
            for (int v = 0; v < 100; ++v)
                scans.back().prototype +=
                    fmt::format("<value{} type=\"Integer\" minimum=\"0\" maximum=\"0\"/>", s * 100 + v);
            scans.back().streams.resize(103);
        }
        const Scratch scratch;
        QVERIFY(says(errorOf([&] { readScan(scratch.file("a.e57", e57File(scans)), {}, {}); }),
                     "more than the maximum of 4096 different attributes"));
    }
    void filesWithoutPoints() {
        const Scratch scratch;
        QVERIFY(says(errorOf([&] { readScan(scratch.file("a.e57", e57File({})), {}, {}); }), "no scans"));
        E57TestScan flat{"<cartesianX type=\"Float\"/><height type=\"Float\"/>", {"", ""}, 0};
        QVERIFY(says(errorOf([&] { readScan(scratch.file("b.e57", e57File({flat})), {}, {}); }), "height"));
        E57TestScan words{"<cartesianX type=\"String\"/>", {""}, 0};
        QVERIFY(says(errorOf([&] { readScan(scratch.file("c.e57", e57File({words})), {}, {}); }), "String"));
    }
    void singlesStayFloats() {
        const Scratch scratch;
        E57TestScan scan{
            kSingles, {streamOf<float>({1.5f}), streamOf<float>({0.1f}), streamOf<float>({-3})}, 1};
        const auto cloud =
            readScan(scratch.file("a.e57", e57File({scan}, "<images2D><vectorChild/></images2D>")), {}, {});
        QVERIFY(std::get<FloatPositions>(cloud->positions()).xyz[0].y == 0.1f);
        QVERIFY(warns(*cloud, "images of the file (1)"));
    }
};

SCANLOUPE_TEST(TestReadE57)
#include "test_read_e57.moc"
