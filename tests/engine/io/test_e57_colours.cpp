// The full scale of colours and intensities in E57.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "tests/engine/io/e57_file.h"

using namespace scanloupe;
using namespace scanloupe::test;

class TestE57Colours : public QObject {
    Q_OBJECT
private slots:
    /// The full scale is declared by the scan; if not, it follows from the data type; if that is unlimited,
    /// from the values.
    void fullScaleOfColours_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("bits");
        QTest::addColumn<QString>("minimum");
        QTest::addColumn<QString>("maximum");
        QTest::addColumn<double>("brightest");
        const char* words = "type='Integer' minimum='0' maximum='65535'";
        const char* ten = "type='Integer' minimum='0' maximum='1023'";
        const char* scaled = "type='ScaledInteger' minimum='0' maximum='1000' scale='0.002'";
        QTest::newRow("10 bits declared") << words << 16 << "type='Integer'>0"
                                          << "type='Integer'>1023" << 1023.0;
        QTest::newRow("no text is 0") << words << 16 << "type='Integer'>"
                                      << "type='Float'>1.023e3" << 1023.0;
        QTest::newRow("scaled limits") << words << 16 << "type='ScaledInteger' scale='0.5'>0"
                                       << "type='ScaledInteger' scale='0.5' offset='23'>2000" << 1023.0;
        QTest::newRow("10 bits by type") << ten << 10 << ""
                                         << "" << 1023.0;
        QTest::newRow("limits before type") << ten << 10 << "type='Integer'>0"
                                            << "type='Integer'>511" << 511.0;
        QTest::newRow("limits that are none") << ten << 10 << "type='Integer'>0"
                                              << "type='Integer'>0" << 1023.0;
        QTest::newRow("half of the limits") << ten << 10 << ""
                                            << "type='Integer'>511" << 1023.0;
        QTest::newRow("scaled type") << scaled << 10 << ""
                                     << "" << 2.0;
        QTest::newRow("16 bits say nothing") << words << 16 << ""
                                             << "" << 255.0;
    }
    void fullScaleOfColours() {
        QFETCH(QString, type);
        QFETCH(int, bits);
        QFETCH(QString, minimum);
        QFETCH(QString, maximum);
        QFETCH(double, brightest);
        E57TestScan scan = doubles(50);
        std::string limits;
        for (const std::string colour : {"Red", "Green", "Blue"}) {
            scan.prototype += fmt::format("<color{} {}/>", colour, type.toStdString());
            Bits values;
            for (int i = 0; i < 50; ++i)
                values.put(std::uint64_t(4 * i), bits);
            scan.streams.push_back(values.bytes);
            for (const auto& [end, text] : {std::pair{"Minimum", minimum}, {"Maximum", maximum}})
                if (!text.isEmpty())
                    limits += fmt::format("<color{0}{1} {2}</color{0}{1}>", colour, end, text.toStdString());
        }
        scan.more = limits.empty() ? "" : "<colorLimits type='Structure'>" + limits + "</colorLimits>";
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.e57", e57File({scan})), {}, {});
        QVERIFY2(cloud->warnings.empty(), cloud->warnings.empty() ? "" : cloud->warnings[0].c_str());
        QCOMPARE(cloud->colourRange()->min, 0.0);
        QCOMPARE(cloud->colourRange()->max, brightest);
    }
    void limitsOfIntensities() {
        E57TestScan scan = doubles(2);
        scan.prototype += "<intensity type='Integer' minimum='0' maximum='4095'/>";
        Bits values;
        values.put(7, 12);
        values.put(1000, 12);
        scan.streams.push_back(values.bytes);
        const Scratch scratch;
        const auto byType = readScan(scratch.file("a.e57", e57File({scan})), {}, {});
        QVERIFY((byType->attribute("intensity")->declared == ValueRange{0, 4095}));
        scan.more = "<intensityLimits><intensityMinimum type='Float'>-1</intensityMinimum>"
                    "<intensityMaximum type='Float'>2047.5</intensityMaximum></intensityLimits>";
        const auto declared = readScan(scratch.file("a.e57", e57File({scan})), {}, {});
        QVERIFY((declared->attribute("intensity")->declared == ValueRange{-1, 2047.5}));
        QCOMPARE(declared->attribute("intensity")->max(), 1000.0);
    }
    void scansOfDifferentFullScale() {
        std::vector<E57TestScan> scans;
        for (const int bits : {8, 10}) {
            scans.push_back(doubles(2));
            for (const char* colour : {"Red", "Green", "Blue"}) {
                scans.back().prototype += fmt::format("<color{} type='Integer' minimum='0' maximum='{}'/>",
                                                      colour, (1 << bits) - 1);
                scans.back().streams.emplace_back("\7\7\7", 3);
            }
        }
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.e57", e57File(scans)), {}, {});
        QVERIFY((cloud->colourRange() == ValueRange{0, 1023}));
        QVERIFY(warns(*cloud, "different colour limits"));
    }
};

SCANLOUPE_TEST(TestE57Colours)
#include "test_e57_colours.moc"
