// Text files as survey programs and spreadsheets write them: encodings, headers, column names and numbers.
#include "engine/io/common/read_options.h"
#include "tests/engine/io/read_content.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// `text` as UTF-16 with its byte order mark.
std::string utf16(std::u16string_view text, bool bigEndian) {
    std::string bytes;
    const auto add = [&](char16_t unit) {
        const char low = static_cast<char>(unit & 0xff), high = static_cast<char>(unit >> 8);
        bytes += bigEndian ? high : low;
        bytes += bigEndian ? low : high;
    };
    add(0xfeff);
    for (const char16_t unit : text)
        add(unit);
    return bytes;
}

/// Reads a text with columns chosen by the user.
std::shared_ptr<const PointCloud> readChosen(const std::string& content, std::vector<ChosenColumn> columns) {
    const Scratch scratch;
    ReadOptions options;
    options.textColumns = std::move(columns);
    return readScan(scratch.file("a.csv", content), options, {});
}

} // namespace

class TestTextLayouts : public QObject {
    Q_OBJECT
private slots:
    void utf16OpensInBothByteOrders() {
        for (const bool bigEndian : {false, true}) {
            const auto cloud =
                read("a.csv", utf16(u"X;Y;Z;Gr\u00f6\u00dfe\r\n1,5;2,5;3,5;7\r\n4;5;6,25;8\r\n", bigEndian));
            QCOMPARE(cloud->size(), std::size_t(2));
            QVERIFY((cloud->position(0) == Vec3d{1.5, 2.5, 3.5}));
            QVERIFY((cloud->position(1) == Vec3d{4, 5, 6.25}));
            QCOMPARE(at(*cloud,
                        "Gr\xC3\xB6\xC3\x9F"
                        "e",
                        1),
                     8.0);
            QVERIFY(cloud->format.starts_with("UTF-16"));
            QVERIFY(cloud->warnings.empty());
            // a surrogate pair that is split between two blocks of reading
            const std::u16string remark(32759, u'a');
            const auto pair =
                read("a.txt", utf16(u"#" + remark + u"\nx,y,z,\U0001D6FC\n1,2,3,4\n", bigEndian));
            QCOMPARE(at(*pair, "\xF0\x9D\x9B\xBC", 0), 4.0);
        }
        QVERIFY(says(refusal("a.csv", "\xFF\xFE\x01\x02\x03\x04"), "an unknown format"));
    }
    void nulBytesAtTheEndAreIgnored() {
        for (const std::size_t nuls : {1u, 3000u, 200000u}) {
            const auto cloud = read("a.xyz", "1.5 2.5 3.5\n4 5 6\n" + std::string(nuls, '\0'));
            QCOMPARE(cloud->size(), std::size_t(2));
            QVERIFY(warns(*cloud, (std::to_string(nuls) + " NUL bytes").c_str()));
            QCOMPARE(cloud->warnings.size(), std::size_t(1)); // the only warning: none about damage
        }
        const auto decoded = read("a.xyz", utf16(u"1 2 3\n4 5 6" + std::u16string(5, u'\0'), false));
        QCOMPARE(decoded->size(), std::size_t(2));
        QVERIFY(warns(*decoded, "5 NUL bytes"));
        const std::string ptx = "2\n1\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n"
                                "1 2 3 0.5\n4 5 6 0.5\n";
        const auto scan = read("a.ptx", ptx + std::string(100, '\0'));
        QCOMPARE(scan->size(), std::size_t(2));
        QVERIFY(warns(*scan, "100 NUL bytes"));
        for (const std::string& binary : {std::string(5000, '\0'), "MAGIC" + std::string(5000, '\0'),
                                          "1 2 3\n\x01" + std::string(9, '\0')})
            QVERIFY(says(refusal("a.xyz", binary), "an unknown format"));
    }
    void cloudCompareHeadersStandAboveACount() {
        const auto cloud = read("a.asc", "//X Y Z R G B Scalar_field\n2\n1 2 3 10 20 30 0.5\n"
                                         "4 5 6 40 50 60 0.25\n");
        QCOMPARE(cloud->size(), std::size_t(2));
        QVERIFY((cloud->position(1) == Vec3d{4, 5, 6}));
        QCOMPARE(at(*cloud, "red", 0), 10.0);
        QCOMPARE(at(*cloud, "green", 0), 20.0);
        QCOMPARE(at(*cloud, "blue", 1), 60.0);
        QVERIFY(cloud->attribute("red")->type == ScalarType::uint8);
        QCOMPARE(at(*cloud, "Scalar_field", 1), 0.25);
        QCOMPARE(cloud->attributes().size(), std::size_t(4));
        QVERIFY(cloud->warnings.empty());
        const auto pts =
            read("a.pts", "//X;Y;Z;R;G;B;Intensity\n2\n1;2;3;10;20;30;0.5\n4;5;6;40;50;60;0.25\n");
        QCOMPARE(at(*pts, "red", 0), 10.0);
        QCOMPARE(at(*pts, "intensity", 1), 0.25);
        for (const char* text :
             {"Y X Z deviation\n2\n2 1 3 7\n5 4 6 8\n", "2\nY X Z deviation\n2 1 3 7\n5 4 6 8\n"}) {
            const auto plain = read("a.txt", text);
            QCOMPARE(plain->size(), std::size_t(2));
            QVERIFY((plain->position(1) == Vec3d{4, 5, 6}));
            QCOMPARE(at(*plain, "deviation", 0), 7.0);
            QVERIFY(plain->warnings.empty());
        }
        QVERIFY(warns(*read("a.asc", "//X Y Z I\n3\n1 2 3 4\n5 6 7 8\n"), "Incomplete"));
    }
    void anyCommentAboveTheRowsMayNameTheColumns() {
        for (const char* more : {"", "# second comment here\n", "#\n// 2 points\n# no x, but y and z\n"}) {
            const auto cloud =
                read("a.txt", std::string("# intensity x y z\n") + more + "9 1 2 3\n8 4 5 6\n");
            QVERIFY((placesOf(*cloud) == std::vector<Vec3d>{{1, 2, 3}, {4, 5, 6}}));
            QCOMPARE(at(*cloud, "intensity", 0), 9.0);
            QCOMPARE(at(*cloud, "intensity", 1), 8.0);
        }
        const auto nearest = read("a.txt", "# x y z Quality\n# z y x Quality\n1 2 3 4\n");
        QVERIFY((nearest->position(0) == Vec3d{3, 2, 1}));
        QCOMPARE(at(*nearest, "Quality", 0), 4.0); // the attribute keeps the spelling in the file
        const auto units = read("a.txt", "# z[m] y[m] x[m]\n1 2 3\n");
        QVERIFY((units->position(0) == Vec3d{3, 2, 1}));
    }
    void verticalBarsSeparateColumns() {
        for (const char* text : {"x|y|z\n1.5|2.5|3.5\n4|5|6\n", "1,5|2,5|3,5\n4|5|6\n",
                                 " x | y | z \n---+---+---\n 1.5 | 2.5 | 3.5\n 4 | 5 | 6\n"}) {
            const auto cloud = read("a.csv", text);
            QVERIFY((placesOf(*cloud) == std::vector<Vec3d>{{1.5, 2.5, 3.5}, {4, 5, 6}}));
            QVERIFY(cloud->warnings.empty());
            QVERIFY(QString::fromStdString(cloud->format).contains("vertical bars"));
        }
        const auto empty = read("a.csv", "x|y|z|ring|i\n1|2|3||5\n4|5|6|7|\n");
        QCOMPARE(at(*empty, "intensity", 0), 5.0);
        QCOMPARE(at(*empty, "ring", 1), 7.0);
    }
    void namesOfSurveyProgramsAreAxes_data() {
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<QByteArray>("row");
        const auto row = [](const char* header, const char* values) {
            QTest::newRow(QByteArray(header).toPercentEncoding(" ,;"))
                << QByteArray(header) << QByteArray(values);
        };
        row("E,N,H", "1.5,2.5,3.5");
        row("N;E;U", "2.5;1.5;3.5");
        row("Y,X,H", "2.5,1.5,3.5");
        row("P,N,E,Z,D", "7,2.5,1.5,3.5,TREE");
        row("Easting,Northing,Elevation", "1.5,2.5,3.5");
        row("North,East,Elev", "2.5,1.5,3.5");
        row("Point,Northing,Easting,Elevation,Description", "7,2.5,1.5,3.5,TREE");
        row("Punkt;Rechts;Hoch;Hoehe", "7;1,5;2,5;3,5");
        row("Hochwert;Rechtswert;H\xC3\xB6he", "2,5;1,5;3,5");
        row("OST;NORD;H\xC3\x96HE", "1.5;2.5;3.5");
        row("Rechts;Hoch;H\xF6he", "1,5;2,5;3,5");
        row("pos_x pos_y pos_z", "1.5 2.5 3.5");
        row("POINT_Z,POINT_X,POINT_Y", "3.5,1.5,2.5");
    }
    void namesOfSurveyProgramsAreAxes() {
        QFETCH(QByteArray, header);
        QFETCH(QByteArray, row);
        const auto cloud = read("a.csv", (header + "\n" + row + "\n" + row + "\n").toStdString());
        QCOMPARE(cloud->size(), std::size_t(2));
        QVERIFY((cloud->position(1) == Vec3d{1.5, 2.5, 3.5}));
    }
    void lettersOfAxesAreOtherValuesNextToXAndY() {
        const auto cloud = read("a.csv", "x,y,z,e,n,h,u\n1,2,3,4,5,6,7\n");
        QVERIFY((cloud->position(0) == Vec3d{1, 2, 3}));
        QCOMPARE(at(*cloud, "e", 0), 4.0);
        QCOMPARE(at(*cloud, "n", 0), 5.0);
        QCOMPARE(at(*cloud, "h", 0), 6.0);
        QCOMPARE(at(*cloud, "u", 0), 7.0);
        QVERIFY(says(refusal("a.csv", "n,u,h\n1,2,3\n"), "has no x coordinate"));
    }
    void degreesAreRefused() {
        for (const char* text : {"lon,lat,alt\n8.5,49.5,3\n", "lat;lng\n49;8\n48;9\n",
                                 "Height,Longitude (deg),Latitude (deg)\n3,8.5,49.5\n"})
            QVERIFY2(says(refusal("a.csv", text), "longitude and latitude"), text);
        QVERIFY(says(refusal("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty double lon\n"
                                      "property double lat\nproperty double alt\nend_header\n8 49 3\n"),
                     "longitude and latitude"));
        QCOMPARE(at(*read("a.csv", "lon,lat,x,y,z\n8,49,1,2,3\n"), "lon", 0), 8.0);
    }
    void pointsOfSurveysWithoutAHeader_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("numbers") << "1,2.5,1.5,3.5,TREE\n2,5.25,4.25,6.25,CURB\n7,8,7,9.125,\n";
        QTest::newRow("names") << "P1,2.5,1.5,3.5,TREE\nP2,5.25,4.25,6.25,\n";
        QTest::newRow("one") << "17,2.5,1.5,3.5,TREE\n";
        QTest::newRow("decimal commas") << "1;2,5;1,5;3,5;TREE\n2;5;4;6;EP\n";
        QTest::newRow("blanks") << "1 2.5 1.5 3.5 TREE\n2 5 4 6 EP\n";
        QTest::newRow("whole") << "101,25,15,35,TREE\n102,50,40,60,EP\n";
    }
    void pointsOfSurveysWithoutAHeader() {
        QFETCH(QString, text);
        const auto cloud = read("a.csv", text.toStdString());
        QCOMPARE(cloud->size(), std::size_t(text.count('\n')));
        const double unit = text.startsWith("101") ? 10 : 1;
        QVERIFY((cloud->position(0) == Vec3d{1.5 * unit, 2.5 * unit, 3.5 * unit}));
        QVERIFY(warns(*cloud, "--text-columns x=2,y=3,z=4") &&
                warns(*cloud, "'description' was left out: it contains words"));
        if (text[0] == 'P')
            QVERIFY(cloud->attributes().empty() && warns(*cloud, "'point' was left out: it contains words"));
        else
            QCOMPARE(at(*cloud, "point", 0),
                     text.first(text.indexOf(QRegularExpression("[,; ]"))).toDouble());
    }
    void wordsDoNotMakeASurvey() {
        const auto labels = read("a.csv", "1.5,2.5,3.5,100,car\n4,5,6,200,bus\n");
        QVERIFY((labels->position(0) == Vec3d{1.5, 2.5, 3.5}));
        QCOMPARE(at(*labels, "intensity", 1), 200.0);
        const auto whole = read("a.csv", "10,20,30,40,car\n7,8,9,10,bus\n");
        QVERIFY((whole->position(0) == Vec3d{10, 20, 30}));
        for (const char* text : {"car 1.5 2.5 3.5 7\nbus 4 5 6 8\n", "car 1,5 2,5 3,5 7\nbus 4 5 6 8\n"}) {
            const auto words = read("a.txt", text);
            QVERIFY((placesOf(*words) == std::vector<Vec3d>{{1.5, 2.5, 3.5}, {4, 5, 6}}));
            QCOMPARE(at(*words, "intensity", 0), 7.0);
            QVERIFY(warns(*words, "'column_1' was left out: it contains words"));
        }
        QVERIFY(says(refusal("a.txt", "frame 0 1 2\n5 1.5 2.5 3.5\n"), "has no x coordinate"));
        // lines of a file that lists scans with their poses
        QVERIFY(says(refusal("a.conf", "camera 0.5 1.5 2.5 1\nmesh a.ply 0 0 0 1\nmesh b.ply 1 2 3 1\n"),
                     "has no x coordinate"));
    }
    void columnsCanBeChosen() {
        const std::vector<ChosenColumn> axes{{"x", 2}, {"y", 3}, {"z", 4}};
        for (const char* text :
             {"1,1.5,2.5,3.5,TREE\n2,4,5,6,EP\n", "A,B,C,D,E\n1,1.5,2.5,3.5,TREE\n2,4,5,6,EP\n",
              "P1,1.5,2.5,3.5,TREE\nP2,4,5,6,EP\n"}) {
            const auto cloud = readChosen(text, axes);
            QVERIFY2((placesOf(*cloud) == std::vector<Vec3d>{{1.5, 2.5, 3.5}, {4, 5, 6}}), text);
            QVERIFY(!warns(*cloud, "--text-columns"));
        }
        // the column that was named like the chosen one loses its name; other columns keep theirs
        const auto other = readChosen("x,y,z,height,quality\n1,2,3,4,5\n6,7,8,9,10\n", {{"z", 4}});
        QVERIFY((placesOf(*other) == std::vector<Vec3d>{{1, 2, 4}, {6, 7, 9}}));
        QCOMPARE(at(*other, "column_3", 0), 3.0);
        QCOMPARE(at(*other, "quality", 1), 10.0);
        const auto all = readChosen("1 2 3 10 20 30\n4 5 6 40 50 60\n",
                                    {{"z", 1}, {"y", 2}, {"x", 3}, {"red", 4}, {"green", 5}, {"blue", 6}});
        QVERIFY((all->position(0) == Vec3d{3, 2, 1}));
        QCOMPARE(at(*all, "blue", 1), 60.0);
        QVERIFY(says(errorOf([&] { readChosen("1 2 3\n", axes); }),
                     "the column number of 'z' must be between 1 and 3"));
        QVERIFY(says(errorOf([&] { readChosen("1 2 3\n", {{"x", 1}}); }), "has no y coordinate"));
        const auto unnamed = refusal("a.csv", "a,b,c\n1,2,3\n");
        QVERIFY(unnamed && unnamed->nextStep().find("--text-columns") != std::string::npos);
    }
    void unsureColumnsAreAskedFor() {
        const Scratch scratch;
        TextPreview asked;
        ReadOptions options;
        options.chooseColumns = [&](const TextPreview& preview) {
            asked = preview;
            return std::vector<ChosenColumn>{{"x", 2}, {"y", 3}, {"z", 4}};
        };
        const auto ask = [&](const char* text) {
            asked = {};
            return readScan(scratch.file("a.csv", text), options, {});
        };
        QVERIFY((ask("1,1.5,2.5,3.5,TREE\n")->position(0) == Vec3d{1.5, 2.5, 3.5}));
        QCOMPARE(asked.names, (std::vector<std::string>{"point", "y", "x", "z", "description"}));
        QCOMPARE(asked.rows, (std::vector<std::vector<std::string>>{{"1", "1.5", "2.5", "3.5", "TREE"}}));
        const std::string layout = asked.layout;
        QVERIFY((ask("7,4.5,5.5,6.5,EP\n8,4,5,6,EP\n")->position(0) == Vec3d{4.5, 5.5, 6.5}));
        QCOMPARE(asked.layout, layout);
        QVERIFY((ask("id,a,b,c\n9,1,2,3\n")->position(0) == Vec3d{1, 2, 3}));
        QVERIFY(asked.layout != layout && asked.layout.ends_with("id,a,b,c"));
        for (const char* sure : {"x,y,z\n1,2,3\n", "1,2,3\n", "1,2,3,4\n"}) {
            QVERIFY((ask(sure)->position(0) == Vec3d{1, 2, 3}));
            QVERIFY(asked.layout.empty());
        }
        QVERIFY(says(errorOf([&] { ask("lon,lat,h\n8,49,3\n"); }), "longitude"));
        options.chooseColumns = [](const TextPreview&) { return std::vector<ChosenColumn>(); };
        QVERIFY((ask("1,1.5,2.5,3.5,TREE\n")->position(0) == Vec3d{2.5, 1.5, 3.5}));
    }
    void otherTextsAreRefusedByTheirNames() {
        for (const char* grid :
             {"ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\nNODATA_value -9999\n"
              "1 2 3\n4 -9999 6\n",
              "NROWS\t1\r\nNCOLS\t4\r\nXLLCENTER\t0\r\nYLLCENTER\t0\r\nCELLSIZE\t1\r\n1 2 3 4\r\n"})
            QVERIFY2(says(refusal("a.asc", grid), "an ESRI ASCII grid"), grid);
        for (const std::string molecule :
             {"3\nwater\nO 0 0 0.1\nH 0.76 0 -0.5\nH -0.76 0 -0.5\n", "1\n\nHe 0 0 0\n",
              "2\nenergy 1 2 3\nCl 0 0 0 0.1 0.2 0.3\nNa 0 0 2 0.1 0.2 0.3\n"}) {
            QVERIFY2(says(refusal("a.xyz", molecule), "a molecule"), molecule.c_str());
            const auto atoms = readChosen(molecule, {{"x", 2}, {"y", 3}, {"z", 4}});
            QVERIFY((atoms->position(0) == Vec3d{0, 0, molecule[0] == '3' ? 0.1 : 0}));
        }
        // a leading column with names of points
        QCOMPARE(read("a.pts", "2\nP1 1 2 3\nP2 4 5 6\n")->size(), std::size_t(2));
    }
    void fortranExponentsAreNumbers() {
        const auto cloud = read("a.xyz", "1.5D+00 2.5D+00 3.5D+00\n4.25D+00 5.25D+00 6.25D+00\n"
                                         "7.0D+00 8.0D+00 9.125D+00\n");
        QVERIFY((placesOf(*cloud) == std::vector<Vec3d>{{1.5, 2.5, 3.5}, {4.25, 5.25, 6.25}, {7, 8, 9.125}}));
        QCOMPARE(std::get<DoublePositions>(cloud->positions()).decimals, 3);
        QVERIFY(cloud->warnings.empty());
        const auto others =
            read("a.csv", "x,y,z,i\n-1.25d2,1.0D-400,1.D3,\"1.5D+01\"\n1.0D400,0.5D1,5,2.5\n");
        QVERIFY((others->position(0) == Vec3d{-125, 0, 1000}));
        QVERIFY((others->position(1) == Vec3d{std::numeric_limits<double>::infinity(), 5, 5}));
        QCOMPARE(at(*others, "intensity", 0), 15.0);
        for (const char* word : {"3D5", "1.5D", "1.5D+", "1.5DE1"})
            QVERIFY2(
                warns(*read("a.csv", std::string("x,y,z,label\n1,2,3,") + word + "\n"), "contains words"),
                word);
    }
};

SCANLOUPE_TEST(TestTextLayouts)
#include "test_text_layouts.moc"
