// OFF, legacy VTK and OBJ as clouds: points with normals, colours and values. Unused faces are reported.
#include "engine/io/common/field_names.h"
#include "engine/io/vtk/vtk_header.h"
#include "tests/engine/io/read_content.h"

#include <bit>
#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

template <class T>
void putBig(std::string& out, T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    if constexpr (std::endian::native == std::endian::little)
        std::reverse(std::begin(bytes), std::end(bytes));
    out.append(bytes, sizeof(T));
}

const char* const kCube = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1.5\n1 0 1\n1 1 1\n0 1 1\n";
const char* const kCubeFaces = "4 0 1 2 3\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n";
const char* const kCubeNote = "its 8 vertices are shown as points, its 6 faces are not used";

} // namespace

class TestReadMeshes : public QObject {
    Q_OBJECT
private slots:
    void splatsAreReadAsTheirCentres() {
        std::string bytes;
        for (int i = 0; i < 3; ++i) {
            const float numbers[] = {float(i), 2, 3, 0.1f, 0.2f, 0.3f};
            bytes.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
            bytes += {char(10 * i), char(20), char(30), char(255), char(128), char(0), char(1), char(2)};
        }
        const auto cloud = read("three.splat", bytes);
        QCOMPARE(cloud->size(), std::size_t{3});
        QCOMPARE(cloud->position(2), (Vec3d{2, 2, 3}));
        QCOMPARE(cloud->attribute("red")->max(), 20.0);
        QCOMPARE(cloud->attribute("alpha")->min(), 255.0);
        QCOMPARE(cloud->attribute("scale_y")->max(), double(0.2f));
        QVERIFY(cloud->warnings.empty());
        QVERIFY(!read("cut.splat", bytes.substr(0, 70))->warnings.empty());
        QVERIFY(refusal("short.splat", bytes.substr(0, 31)));
    }

    void offHasItsVerticesAlone_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("head");
        QTest::newRow("as the manual says") << "cube.off"
                                            << "OFF\n8 6 12\n";
        QTest::newRow("with comments") << "cube.off"
                                       << "# a cube\nOFF # its keyword\n# vertices faces edges\n8 6 12\n\n";
        QTest::newRow("counts behind the keyword") << "cube.off"
                                                   << "OFF 8 6 12\n";
        QTest::newRow("counts glued to the keyword") << "cube.off"
                                                     << "OFF8 6 12\n";
        QTest::newRow("counts on two lines") << "cube.off"
                                             << "OFF\n8\n6 12\n";
        QTest::newRow("each count on its own line") << "cube.off"
                                                    << "OFF\n8\n# faces\n6\n\n12 # edges\n";
        QTest::newRow("two counts on a line of two") << "cube.off"
                                                     << "OFF\n8\n6\n";
        QTest::newRow("edges on their own line") << "cube.off"
                                                 << "OFF\n8 6\n12\n";
        QTest::newRow("no edges") << "cube.off"
                                  << "OFF\n8 6\n";
        QTest::newRow("no keyword") << "cube.off"
                                    << "8 6 12\n";
        QTest::newRow("Windows' ends of lines") << "cube.off"
                                                << "OFF\r\n8 6 12\r\n";
        QTest::newRow("another ending") << "cube.txt"
                                        << "OFF\n8 6 12\n";
    }
    void offHasItsVerticesAlone() {
        QFETCH(QString, name);
        QFETCH(QString, head);
        const auto cloud = read(name.toStdString(), head.toStdString() + kCube + kCubeFaces);
        QCOMPARE(cloud->size(), std::size_t(8));
        QCOMPARE(cloud->position(4), (Vec3d{0, 0, 1.5}));
        QCOMPARE(cloud->format, std::string("OFF text"));
        QVERIFY(warns(*cloud, kCubeNote));
        QCOMPARE(cloud->warnings.size(), std::size_t(1));
        QVERIFY(cloud->attributes().empty());
    }
    void offColumns() {
        const auto bytes = read("a.off", "COFF\n2 0 0\n1 2 3 255 128 0 255\n4 5 6 1 2 3 255\n");
        QCOMPARE(at(*bytes, "red", 0), 255.0);
        QCOMPARE(at(*bytes, "blue", 1), 3.0);
        QCOMPARE(at(*bytes, "alpha", 1), 255.0);
        QVERIFY(bytes->warnings.empty()); // without faces, the file is a plain cloud and causes no warning
        const auto unit = read("a.off", "COFF\n2 0 0\n1 2 3 1.0 1.0 0.0 1.0\n4 5 6 0.0 0.0 1.0 1.0\n");
        QVERIFY(unit->attribute("red") && unit->attribute("red")->type == ScalarType::float32);
        const auto both = read("a.off", "CNOFF\n1 0 0\n1 2 3 0 0.6 0.8 9 8 7\n");
        QCOMPARE(at(*both, "normal_z", 0), double(0.8f));
        QCOMPARE(at(*both, "green", 0), 8.0);
        const auto texture = read("a.off", "STNOFF\n1 0 0\n1 2 3 0 0.6 0.8 0.25 0.75\n");
        QCOMPARE(at(*texture, "normal_y", 0), double(0.6f));
        QCOMPARE(at(*texture, "t", 0), 0.75);
        const auto unsaid = read("a.off", "OFF\n1 0 0\n1 2 3 9 8 7\n");
        QCOMPARE(at(*unsaid, "blue", 0), 7.0);
        QCOMPARE(read("a.off", "OFF\n1 0 0\n512800.125 5403700.25 1\n")->position(0),
                 (Vec3d{512800.125, 5403700.25, 1}));
    }
    void offComments() {
        const auto cloud =
            read("a.off", "OFF # mesh\n3 1 0 # counts\n# vertices\n0 0 0 # first 7\n1 0 0# second\n"
                          "  # third\n0 1 2.5\t#\n# faces\n3 0 1 2 # all\n");
        QCOMPARE(placesOf(*cloud), (std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 2.5}}));
        QCOMPARE(cloud->warnings.size(), std::size_t(1)); // the only warning is about the unused face
        QVERIFY(cloud->attributes().empty());
    }
    void offBinary() {
        std::string content = "NOFF BINARY\n";
        for (const std::int32_t count : {2, 1, 0})
            putBig(content, count);
        for (int i = 0; i < 12; ++i)
            putBig(content, float(i) + 0.5f);
        for (const std::int32_t word : {3, 0, 1, 0, 0})
            putBig(content, word);
        const auto cloud = read("a.off", content);
        QCOMPARE(cloud->position(1), (Vec3d{6.5, 7.5, 8.5}));
        QCOMPARE(at(*cloud, "normal_z", 1), 11.5);
        QCOMPARE(cloud->warnings.size(), std::size_t(1));
        QVERIFY(warns(*read("a.off", content.substr(0, 70)), "1 of 2 points were loaded"));
    }
    void offThatIsDamaged() {
        const std::string head = "OFF\n8 6 12\n", whole = head + kCube + kCubeFaces;
        QVERIFY(warns(*read("a.off", head + "0 0 0\n1 0 0\n"), "2 of 8 points were loaded"));
        QVERIFY(warns(*read("a.off", head + kCube + "4 0 1 2 3\n"), "some of its faces are missing"));
        QVERIFY(says(refusal("a.off", "OFF\n8 6 12\n"), "there is no complete point"));
        QVERIFY(says(refusal("a.off", "OFF\n8 6 x\n"), "no valid numbers of vertices and faces"));
        QVERIFY(says(refusal("a.off", "OFF\n8 6"), "there is no complete point"));
        QVERIFY(says(refusal("a.off", "OFF\n"), "no valid numbers of vertices and faces"));
        QVERIFY(says(refusal("a.off", "4OFF\n1 0 0\n1 2 3 1\n"), "not three-dimensional"));
        QVERIFY(says(refusal("a.off", "nOFF\n4\n1 0 0\n1 2 3 1\n"), "not three-dimensional"));
        QVERIFY(says(refusal("a.off", "OFF\n5 0 0\n0 0 0 1 0 0 1 1 0 0 1 0 0 0 1\n"),
                     "a vertex of OFF has at most 12"));
        QVERIFY(!errorOf([&] { read("a.off", "OFF\n99999999999 6 12\n" + std::string(kCube)); }));
    }
    void vtkText() {
        const auto cloud =
            read("a.vtk",
                 "# vtk DataFile Version 4.2\nthree points\nASCII\nDATASET POLYDATA\nFIELD FieldData 1\nTIME "
                 "1 1 double\n7\n"
                 "POINTS 3 float\n1 2 3 4 5 6\n7 8 9.25\nMETADATA\nINFORMATION 0\n\nVERTICES 1 4\n3 0 1 2\n"
                 "POLYGONS 1 4\n3 0 1 2\nCELL_DATA 1\nSCALARS quality float\nLOOKUP_TABLE default\n0.5\n"
                 "POINT_DATA 3\nSCALARS intensity unsigned_short 1\nLOOKUP_TABLE own\n10 20 30\nLOOKUP_TABLE "
                 "own 1\n0 0 0 1\n"
                 "NORMALS n float\n0 0 1 0 1 0 1 0 0\nCOLOR_SCALARS rgb 3\n0 0.5 1 1 1 1 0 0 0\nVECTORS flow "
                 "double\n"
                 "1 2 3 4 5 6 7 8 9\nFIELD FieldData 2\nscan%20id 1 3 long\n1 2 9007199254740993\n"
                 "pair 2 3 int\n1 2 3 4 5 6\n");
        QCOMPARE(cloud->size(), std::size_t(3));
        QCOMPARE(cloud->format, std::string("VTK legacy text 4.2"));
        QCOMPARE(cloud->position(2), (Vec3d{7, 8, 9.25}));
        QCOMPARE(at(*cloud, "intensity", 2), 30.0);
        QCOMPARE(at(*cloud, "normal_y", 1), 1.0);
        QCOMPARE(at(*cloud, "green", 0), 0.5);
        QCOMPARE(at(*cloud, "flow_z", 2), 9.0);
        QCOMPARE(at(*cloud, "pair_2", 2), 6.0);
        const Attribute* id = cloud->attribute("scan id");
        QVERIFY(id && id->type == ScalarType::int64);
        std::int64_t last = 0;
        std::memcpy(&last, id->data() + 16, 8);
        QCOMPARE(last, std::int64_t(9007199254740993));
        QVERIFY(!cloud->attribute("quality") && !cloud->attribute("TIME"));
        QCOMPARE(cloud->warnings.size(), std::size_t(1));
        QVERIFY(warns(*cloud, "its 3 vertices are shown as points, its 1 face is not used"));
    }
    void vtkBinary() {
        std::string content =
            "# vtk DataFile Version 5.1\nvtk output\nBINARY\nDATASET POLYDATA\nPOINTS 3 double\n";
        for (int i = 0; i < 9; ++i)
            putBig(content, 5403700.1 + i);
        content += "\nMETADATA\nINFORMATION 0\n\nPOLYGONS 2 3\nOFFSETS vtktypeint64\n";
        for (const std::int64_t offset : {0, 3})
            putBig(content, offset);
        content += "\nCONNECTIVITY vtktypeint64\n";
        for (const std::int64_t vertex : {0, 1, 2})
            putBig(content, vertex);
        content += "\nPOINT_DATA 3\nSCALARS Colors unsigned_char 4\nLOOKUP_TABLE default\n";
        const std::size_t beforeColours = content.size();
        for (int i = 0; i < 12; ++i)
            content += static_cast<char>(200 + i);
        content += "\nFIELD FieldData 1\nring 1 3 unsigned_short\n";
        for (const std::uint16_t ring : {7, 8, 300})
            putBig(content, ring);
        const auto cloud = read("a.vtk", content + "\n");
        QCOMPARE(cloud->position(2), (Vec3d{5403706.1, 5403707.1, 5403708.1}));
        QCOMPARE(at(*cloud, "red", 1), 204.0);
        QCOMPARE(at(*cloud, "alpha", 2), 211.0);
        QCOMPARE(at(*cloud, "ring", 2), 300.0);
        QVERIFY(warns(*cloud, "its 3 vertices are shown as points, its 1 face is not used"));
        const auto cut = read("a.vtk", content.substr(0, beforeColours + 6));
        QCOMPARE(cut->size(), std::size_t(3));
        QVERIFY(warns(*cut, "'Colors' was left out: it has values for 1 of 3 points"));
        const auto few = read("a.vtk", content.substr(0, content.find("double\n") + 7 + 50));
        QVERIFY(warns(*few, "2 of 3 points were loaded"));
    }
    /// Binary VTK packs eight bits into a byte, the first one in the highest bit.
    void vtkBits() {
        const std::string head = "# vtk DataFile Version 3.0\nt\n";
        std::string text = head + "ASCII\nDATASET POLYDATA\nPOINTS 11 float\n",
                    binary = head + "BINARY\nDATASET POLYDATA\nPOINTS 11 float\n";
        for (int i = 0; i < 33; ++i) {
            text += std::to_string(i) + " ";
            putBig(binary, float(i));
        }
        const std::string marks = "\nPOINT_DATA 11\nSCALARS mark bit\nLOOKUP_TABLE default\n",
                          pairs = "\nFIELD f 2\npair 2 11 bit\n", last = "\nlast 1 11 int\n";
        text +=
            marks + "1 0 1 1 0 0 0 0\n0 0 1" + pairs + "1 0 1 0 1 0 1 0\n0 1 0 1 0 1 0 1\n1 1 0 0 1 0" + last;
        binary += marks + "\xb0\x20" + pairs + "\xaa\x55\xc8" + last;
        for (int i = 0; i < 11; ++i) {
            text += std::to_string(100 + i) + " ";
            putBig(binary, std::int32_t(100 + i));
        }
        const std::vector<double> mark{1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1},
            first{1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1}, second{0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0};
        for (const std::string& content : {text, binary}) {
            const auto cloud = read("a.vtk", content);
            QVERIFY(cloud->warnings.empty());
            for (std::size_t i = 0; i < 11; ++i) {
                QCOMPARE(at(*cloud, "mark", i), mark[i]);
                QCOMPARE(at(*cloud, "pair_1", i), first[i]);
                QCOMPARE(at(*cloud, "pair_2", i), second[i]);
                QCOMPARE(at(*cloud, "last", i), 100.0 + double(i));
            }
        }
        const auto cut = read("a.vtk", binary.substr(0, binary.find("bit\nLOOKUP") + 26));
        QVERIFY(warns(*cut, "'mark' was left out: it has values for 8 of 11 points"));
    }
    void vtkTextThatTypesDoNotHold() {
        const auto cloud = read("a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n"
                                         "POINTS 3 float\n1 2 3 4 5 6 7 8 9\nPOINT_DATA 3\nFIELD f 4\n"
                                         "byte 1 3 unsigned_char\n300 255 2.0\n"
                                         "whole 1 3 int\n12.7 nan -1e1\n"
                                         "long 1 3 long\n9223372036854775808 9223372036854775807 1\n"
                                         "word 1 3 int\n? 1 2\n");
        QCOMPARE(at(*cloud, "byte", 0), 255.0);
        QCOMPARE(at(*cloud, "whole", 0), 12.0);
        QCOMPARE(at(*cloud, "whole", 2), -10.0);
        QVERIFY(warns(*cloud, "4 values were rounded or clamped since the type in the header"));
        QVERIFY(warns(*cloud, "1 values are empty or not numbers, and were read as missing"));
        QCOMPARE(cloud->warnings.size(), std::size_t(2));
    }
    /// A small file can declare enough columns that making their names unique pairwise would take minutes.
    void vtkOfManyColumns() {
        const auto text = [](int arrays) {
            std::string all = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n"
                              "1 2 3\nPOINT_DATA 1\nFIELD f " +
                              std::to_string(arrays) + "\n";
            for (int i = 0; i < arrays; ++i) {
                all += "a 1024 1 short\n";
                for (int c = 0; c < 1024; ++c)
                    all += "7 ";
            }
            return all;
        };
        const auto most = read("a.vtk", text(4));
        QCOMPARE(most->attributes().size(), std::size_t(4096));
        QCOMPARE(at(*most, "a_1_4", 0), 7.0);
        QVERIFY(says(refusal("a.vtk", text(5)), "more than the maximum of 4096"));
    }
    void namesOfManyColumns() {
        std::vector<std::string> names(50000, "a");
        names[7] = "a_3";
        const auto unique = canonicalNames(names);
        QCOMPARE(unique[1], std::string("a_2"));
        QCOMPARE(unique[2], std::string("a_3"));
        QCOMPARE(unique[7], std::string("a_3_2"));
        QCOMPARE(unique.back(), std::string("a_49999"));
        QCOMPARE(std::set<std::string>(unique.begin(), unique.end()).size(), names.size());
    }
    void vtkStops_data() {
        QTest::addColumn<QByteArray>("text");
        const QByteArray head = "# vtk DataFile Version 3.0\nt\nASCII\n";
        const QByteArray empty = "DATASET POLYDATA\nPOINTS 0 float\nPOINT_DATA 0\n";
        QTest::newRow("arrays without rows")
            << head + empty + "FIELD f 999999999999999999\n" + QByteArray("a 1 0 float\n").repeated(100000);
        QTest::newRow("notes without an end") << head + "METADATA\n" + QByteArray("x\n").repeated(1000000);
        QTest::newRow("blanks") << head + QByteArray(1000000, ' ');
        QTest::newRow("zeros") << head + QByteArray(1000000, '\0');
    }
    void vtkStops() {
        QFETCH(QByteArray, text);
        const Scratch scratch;
        const InputFile file(scratch.file("a.vtk", text.toStdString()));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(Cancelled, readVtkStructure(file, stop.get_token()));
    }
    void vtkGrids() {
        const std::string head = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET ";
        const std::string points = "POINTS 4 float\n0 0 0 1 0 0 0 1 0 1 1 0\n";
        const auto grid = read("a.vtk", head + "STRUCTURED_GRID\nDIMENSIONS 2 2 1\n" + points);
        QVERIFY(grid->width == 2 && grid->height == 2);
        const auto cells =
            read("a.vtk", head + "UNSTRUCTURED_GRID\n" + points +
                              "CELLS 3 9\n1 0\n1 1\n4 0 1 2 3\nCELL_TYPES 3\n1\n1\n10\n"
                              "POINT_DATA 4\nSCALARS v float\nLOOKUP_TABLE default\n1 nan 3 4\n");
        QVERIFY(warns(*cells, "its 1 face is not used"));
        QCOMPARE(at(*cells, "v", 3), 4.0);
        QVERIFY(says(refusal("a.vtk", head + "STRUCTURED_POINTS\nDIMENSIONS 2 2 2\n"), "STRUCTURED_POINTS"));
        QVERIFY(says(refusal("a.vtk", head + "POLYDATA\n"), "has no section POINTS"));
        QVERIFY(says(refusal("a.vtp", "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\">\n"), "XML"));
        QVERIFY(says(refusal("a.vtk", head + "POLYDATA\nPOINTS 99999999999999 float\n"),
                     "there is no complete point"));
        QVERIFY(
            warns(*read("a.vtk", head + "POLYDATA\nPOINTS 99 float\n0 0 0 1 0 0\nPOLYGONS 1 4\n3 0 1 2\n"),
                  "2 of 99 points were loaded"));
    }
    void objVertices() {
        const auto cloud =
            read("a.obj", "# made by hand\nmtllib a.mtl\no thing\nv 1.5 2 3\nv 4 5 6\r\n  v\t7 8 9.25\n"
                          "vt 0 0\nvt 1 0\nf 1/1 2/2 3/1\nf -1 -2 -3\n");
        QCOMPARE(cloud->size(), std::size_t(3));
        QCOMPARE(cloud->position(2), (Vec3d{7, 8, 9.25}));
        QCOMPARE(cloud->format, std::string("OBJ text"));
        QVERIFY(warns(*cloud, "its 3 vertices are shown as points, its 2 faces are not used"));
        QVERIFY(cloud->attributes().empty());
        QCOMPARE(read("a.txt", "# by content\nv 1 2 3\nv 4 5 6\n")->format, std::string("OBJ text"));
        const auto coloured = read("a.obj", "v 1 2 3 0.25 0.5 1\nv 1 2 4\nv 1 2 5 1 1 1\n");
        QCOMPARE(at(*coloured, "red", 0), 0.25);
        QVERIFY(std::isnan(at(*coloured, "red", 1)));
        QCOMPARE(read("a.obj", "v 1 2 3 1\nv 4 5 6 1\n")->attributes().size(), std::size_t(0));
    }
    void objNormals_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("kept");
        const QString both = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nvn 0 1 0\nvn 1 0 0\n";
        QTest::newRow("without faces") << both << true;
        QTest::newRow("the same index") << both + "f 1//1 2//2 3//3\n" << true;
        QTest::newRow("with texture") << both + "f 1/7/1 2/8/2 3/9/3\n" << true;
        QTest::newRow("from the back") << both + "f -3//-3 -2//-2 -1//-1\n" << true;
        QTest::newRow("another index") << both + "f 1//2 2//2 3//3\n" << false;
        QTest::newRow("one from the back is another") << both + "f -3//-2 -2//-2 -1//-1\n" << false;
        QTest::newRow("further from the back than numbers go")
            << "v 0 0 0\nv 1 0 0\nvn 0 0 1\nf -1//-9223372036854775808 -9223372036854775808//-1\n"
            << false;
        QTest::newRow("fewer normals") << QString("v 0 0 0\nv 1 0 0\nvn 0 0 1\nf 1//1 2//1 1//1\n") << false;
    }
    void objNormals() {
        QFETCH(QString, text);
        QFETCH(bool, kept);
        const auto cloud = read("a.obj", text.toStdString());
        QCOMPARE(cloud->attribute("normal_x") != nullptr, kept);
        QCOMPARE(warns(*cloud, "belong to corners of faces"), !kept);
        if (kept)
            QCOMPARE(at(*cloud, "normal_y", 1), 1.0);
    }
    /// The file exceeds one piece of reading: counts of pieces are accumulated, and an invalid row in one
    /// piece shifts the indices of the following pieces.
    void objOfSeveralPieces() {
        std::string text;
        constexpr int count = 60000;
        for (int i = 0; i < count; ++i)
            text += i % 25000 == 7 ? "v 1 oops 3\nvn 0 0 1\n"
                                   : "v " + std::to_string(i) + " 0.5 0\nvn 0 " + std::to_string(i) + " 1\n";
        for (int i = 0; i < count; ++i)
            text += "f -1//-1 -2//-2 -3//-3\n";
        const auto cloud = read("a.obj", text);
        QCOMPARE(cloud->size(), std::size_t(count - 3));
        QCOMPARE(cloud->position(count - 4).x, double(count - 1));
        QCOMPARE(at(*cloud, "normal_y", count - 4), double(count - 1));
        QCOMPARE(at(*cloud, "normal_y", 7), 8.0);
        QVERIFY(warns(*cloud, "3 vertices were left out"));
        QVERIFY(says(refusal("a.obj", "f 1 2 3\n"), "has no vertices"));
    }
};

SCANLOUPE_TEST(TestReadMeshes)
#include "test_read_meshes.moc"
