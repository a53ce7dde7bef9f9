// The columns of written voxels, meshes and clouds: each has a unique name that the format can store.
#include "engine/io/common/read_options.h"
#include "engine/io/common/text/csv_text.h"
#include "engine/io/common/text/utf8.h"
#include "engine/io/common/write/write_options.h"
#include "tests/engine/io/test_io_support.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Parses the fields of the first record of a CSV file (RFC 4180).
std::vector<std::string> firstRecord(const std::string& csv) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        const char c = csv[i];
        if (c == '"' && quoted && i + 1 < csv.size() && csv[i + 1] == '"')
            fields.back() += csv[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else if (c == '\n' && !quoted)
            break;
        else
            fields.back() += c;
    }
    return fields;
}

/// Parses the field names in the header of a NumPy file, decoding Python string literals.
std::vector<std::string> numpyNames(const std::string& file) {
    const std::string head = file.substr(0, file.find('\n'));
    std::vector<std::string> names;
    for (std::size_t at = head.find("[("); at != std::string::npos && head[at] != ']';
         at = head.find("(", at)) {
        std::string name;
        at = head.find('\'', at) + 1;
        for (; head[at] != '\''; ++at) {
            if (head[at] != '\\') {
                name += head[at];
                continue;
            }
            const char kind = head[++at];
            if (kind != 'x' && kind != 'u' && kind != 'U') {
                name += kind == 'n' ? '\n' : kind;
                continue;
            }
            const std::size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : 8;
            const auto code = char32_t(std::stoul(head.substr(at + 1, digits), nullptr, 16));
            name += QString::fromUcs4(&code, 1).toStdString();
            at += digits;
        }
        names.push_back(name);
        at = head.find(')', at);
        if (head[at + 1] == ']')
            break;
    }
    return names;
}

/// The property names of a PLY file's vertices.
std::vector<std::string> plyNames(const std::string& file) {
    std::vector<std::string> names;
    std::istringstream lines(file.substr(0, file.find("end_header")));
    for (std::string line; std::getline(lines, line) && !line.starts_with("element face");)
        if (line.starts_with("property"))
            names.push_back(line.substr(line.rfind(' ') + 1));
    return names;
}

VoxelGrid oneVoxel(std::size_t features) {
    VoxelGrid voxels;
    voxels.shape = {{0, 0, 0}, {1, 1, 1}, {4, 4, 4}};
    voxels.featureCount = features;
    voxels.keys = Buffer<std::uint64_t>::host(1);
    voxels.keys[0] = voxels.shape.key({1, 2, 3});
    voxels.counts = Buffer<std::uint32_t>::host(1);
    voxels.counts[0] = 7;
    voxels.means = Buffer<float>::host(3 + features);
    for (std::size_t i = 0; i < 3 + features; ++i)
        voxels.means[i] = float(i) + 0.5f;
    return voxels;
}

std::vector<VoxelChannel> named(const std::vector<std::string>& names) {
    std::vector<VoxelChannel> channels;
    for (const std::string& name : names)
        channels.push_back({name, 0});
    return channels;
}

TriangleMesh triangle() {
    const std::vector<Vec3f> corners{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    const std::vector<Vec3f> normals(3, {0, 0, 1});
    const std::vector<std::uint32_t> indices{0, 1, 2};
    TriangleMesh mesh;
    mesh.positions = hostCopy(std::span(corners));
    mesh.normals = hostCopy(std::span(normals));
    mesh.indices = hostCopy(std::span(indices));
    return mesh;
}

std::vector<MeshChannel> meshChannels(const std::vector<std::string>& names) {
    std::vector<MeshChannel> channels(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        channels[i].channel.name = names[i];
        channels[i].values = {float(i), float(i), float(i)};
    }
    return channels;
}

bool areDistinct(const std::vector<std::string>& names) {
    return std::set<std::string>(names.begin(), names.end()).size() == names.size();
}

} // namespace

class TestWriteColumns : public QObject {
    Q_OBJECT
private slots:
    void voxelNamesAreQuotedInCsv() {
        const Scratch scratch;
        const std::vector<std::string> names{"range, m", "say \"ah\"", "two\nlines", "carriage\rreturn",
                                             "plain"};
        writeVoxels(scratch / "a.csv", oneVoxel(names.size()), named(names), {}, {}, {});
        const std::string csv = contentOf(scratch / "a.csv");
        std::vector<std::string> wanted{"ix", "iy", "iz", "count", "x", "y", "z"};
        for (const std::string& name : names)
            // line breaks in names are replaced, because a row is a line
            wanted.push_back(printableText(name));
        QVERIFY2(firstRecord(csv) == wanted, csv.c_str());
        QVERIFY(csv.ends_with(",plain\n1,2,3,7,0.5,1.5,2.5,3.5,4.5,5.5,6.5,7.5\n"));
    }
    void namesAreNoFormulas() {
        for (const char* formula : {"=1+1", "=cmd|' /C calc'!A0", "+cmd", "-cmd", "@SUM(1)", "-", "--1",
                                    "\uff1d1+1", "\uff0bcmd", "\uff0dcmd", "\uff20SUM(1)"})
            QCOMPARE(withoutFormula(formula), "'" + std::string(formula));
        for (const char* formula : {"\t=1", "\r=1", "\n=1"})
            QCOMPARE(withoutFormula(formula), std::string("' =1"));
        QCOMPARE(withoutFormula("a\n=1\x1b[2J\x7f"), std::string("a =1 [2J "));
        QCOMPARE(withoutFormula(std::string("a\0b", 3)), std::string("a b"));
        QCOMPARE(withoutFormula("r\xe4ume"), std::string("r\u00e4ume"));
        for (const char* plain : {"", "range", "-1.5", "+2", "-1e-3", "a=1", "'=1", "5", " =1"})
            QCOMPARE(withoutFormula(plain), std::string(plain));
        QCOMPARE(quotedForCsv("=say \"ah\""), std::string("\"'=say \"\"ah\"\"\""));
        const Scratch scratch;
        const std::vector<std::string> names{"=cmd", "-range"};
        writeVoxels(scratch / "a.csv", oneVoxel(names.size()), named(names), {}, {}, {});
        const auto record = firstRecord(contentOf(scratch / "a.csv"));
        QCOMPARE(record[7], std::string("'=cmd"));
        QCOMPARE(record[8], std::string("'-range"));
        std::vector<Attribute> attributes;
        attributes.push_back(makeAttribute("=cmd", ScalarType::float32, std::vector<float>{1, -2}));
        const std::vector<Vec3f> points{{1, 2, 3}, {-4, 5, 6}};
        const PointCloud cloud(FloatPositions{hostCopy(std::span(points))}, std::move(attributes), {});
        writeCloud(scratch / "b.csv", cloud, {}, {});
        QCOMPARE(contentOf(scratch / "b.csv"), std::string("x,y,z,'=cmd\n1,2,3,1\n-4,5,6,-2\n"));
        const auto again = readScan(scratch / "b.csv", {}, {});
        QVERIFY(again->size() == 2 && again->attributes().size() == 1);
    }
    void voxelsOfVoxelsHaveEachNameOnce() {
        const Scratch scratch;
        const std::vector<std::string> names{"ix", "iy", "iz", "count", "mean_count", "x"};
        for (const char* file : {"a.csv", "a.npy", "a.ply"})
            writeVoxels(scratch / file, oneVoxel(names.size()), named(names), {}, {}, {});
        const std::vector<std::string> means{"mean_ix",      "mean_iy",    "mean_iz",
                                             "mean_count_2", "mean_count", "mean_x"};
        std::vector<std::string> wanted{"ix", "iy", "iz", "count", "x", "y", "z"};
        wanted.insert(wanted.end(), means.begin(), means.end());
        QCOMPARE(firstRecord(contentOf(scratch / "a.csv")), wanted);
        QCOMPARE(numpyNames(contentOf(scratch / "a.npy")), wanted);
        wanted = {"x", "y", "z"};
        wanted.insert(wanted.end(), means.begin(), means.end());
        wanted.insert(wanted.end(), {"ix", "iy", "iz", "count"});
        QCOMPARE(plyNames(contentOf(scratch / "a.ply")), wanted);
        // each attribute keeps its values in a separate column
        const auto cloud = readScan(scratch / "a.ply", {}, {});
        QCOMPARE(cloud->attribute("count")->value(0), 7.0);
        QCOMPARE(cloud->attribute("mean_count_2")->value(0), 6.5);
        QCOMPARE(cloud->attribute("mean_count")->value(0), 7.5);
    }
    void voxelNamesThatPlyCantHold() {
        const Scratch scratch;
        const std::vector<std::string> names{"two words", "two_words", "two\nwords",
                                             "tab\there", "",          "H\xc3\xb6he"};
        writeVoxels(scratch / "a.ply", oneVoxel(names.size()), named(names), {}, {}, {});
        const auto written = plyNames(contentOf(scratch / "a.ply"));
        QCOMPARE(written.size(), std::size_t(3 + 6 + 4));
        QVERIFY(areDistinct(written));
        QCOMPARE(written[4], std::string("two_words")); // the column with exactly this name keeps it
        QCOMPARE(written[8], std::string("H\xc3\xb6he"));
        QCOMPARE(readScan(scratch / "a.ply", {}, {})->attribute("two_words")->value(0), 4.5);
    }
    void voxelNamesThatPythonHasToEscape() {
        const Scratch scratch;
        const std::vector<std::string> names{
            "it's", "it_s", "back\\slash", "H\xc3\xb6he", "\xf0\x9f\x9a\x97", "new\nline", ""};
        writeVoxels(scratch / "a.npy", oneVoxel(names.size()), named(names), {}, {}, {});
        const std::string bytes = contentOf(scratch / "a.npy");
        const std::string head = bytes.substr(12, bytes.find('\n', 12) - 12);
        QVERIFY2(std::all_of(head.begin(), head.end(), [](char c) { return c >= ' ' && c <= '~'; }),
                 head.c_str());
        auto written = numpyNames(bytes);
        QVERIFY(areDistinct(written));
        written.erase(written.begin(), written.begin() + 7);
        QCOMPARE(written, (std::vector<std::string>{"it's", "it_s", "back\\slash", "H\xc3\xb6he",
                                                    "\xf0\x9f\x9a\x97", "new\nline", "unnamed"}));
        writeVoxels(scratch / "b.npy", oneVoxel(1), named({"caf\xe9"}), {}, {},
                    {}); // invalid as UTF-8: written as one character per byte
        QCOMPARE(numpyNames(contentOf(scratch / "b.npy")).back(), std::string("caf\xc3\xa9"));
    }

    void meshAttributesDifferWithoutCase() {
        const Scratch scratch;
        const auto channels =
            meshChannels({"Intensity", "intensity", "INTENSITY", "echo width", "echo_width"});
        WriteOptions options;
        options.channels = channels;
        writeMesh(scratch / "a.glb", triangle(), {}, options, {});
        const std::string bytes = contentOf(scratch / "a.glb");
        std::uint32_t length = 0;
        std::memcpy(&length, bytes.data() + 12, 4);
        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(bytes.substr(20, length)));
        const auto attributes = json["meshes"][0]["primitives"][0]["attributes"].toObject();
        QStringList keys = attributes.keys();
        keys.sort();
        QCOMPARE(keys, (QStringList{"NORMAL", "POSITION", "_ECHO_WIDTH", "_ECHO_WIDTH_2", "_INTENSITY",
                                    "_INTENSITY_2", "_INTENSITY_3"}));
        QCOMPARE(attributes["_INTENSITY"].toInt(),
                 // the attribute with exactly this name keeps it: index 4, after position, normal and two
                 // others
                 4);
        QCOMPARE(attributes["_INTENSITY_2"].toInt(), 2);
    }
    void meshPropertiesAreUnique() {
        const Scratch scratch;
        const auto channels = meshChannels({"echo width", "echo_width", "red", "mean_red"});
        WriteOptions options;
        options.channels = channels;
        writeMesh(scratch / "a.ply", triangle(), std::vector<std::uint32_t>(3, 0xff0000ffu), options, {});
        const auto written = plyNames(contentOf(scratch / "a.ply"));
        QVERIFY(areDistinct(written));
        const auto cloud = readScan(scratch / "a.ply", {}, {});
        QCOMPARE(cloud->attribute("echo_width")->value(0), 1.0);
        QCOMPARE(cloud->attribute("echo_width_2")->value(0), 0.0);
        QCOMPARE(cloud->attribute("mean_red")->value(0), 3.0);
        QCOMPARE(cloud->attribute("mean_red_2")->value(0), 2.0);
    }
    void textCloudsHaveEachNameOnce() {
        const Scratch scratch;
        std::vector<Attribute> attributes;
        for (const char* name : {"a b", "a_b", "x"})
            attributes.push_back(makeAttribute(name, ScalarType::float32, std::vector<float>{1, 2}));
        const std::vector<Vec3f> points{{1, 2, 3}, {4, 5, 6}};
        const PointCloud cloud(FloatPositions{hostCopy(std::span(points))}, std::move(attributes), {});
        writeCloud(scratch / "a.csv", cloud, {}, {});
        QCOMPARE(firstRecord(contentOf(scratch / "a.csv")),
                 (std::vector<std::string>{"x", "y", "z", "a_b_2", "a_b", "x_2"}));
        writeCloud(scratch / "a.ply", cloud, {}, {});
        QVERIFY(areDistinct(plyNames(contentOf(scratch / "a.ply"))));
        writeCloud(scratch / "a.pcd", cloud, {}, {});
        QVERIFY(contentOf(scratch / "a.pcd").find("\nFIELDS x y z a_b_2 a_b x_2\n") != std::string::npos);
    }

    void meshFormatsTellWhatTheyLose() {
        const auto channels = meshChannels({"ring", "echo width"});
        WriteOptions options;
        options.channels = channels;
        options.origin = {512800, 5403700.25, -250};
        using Sentences = std::vector<std::string>;
        QCOMPARE(meshLosses("a.ply", true, options), Sentences{});
        QCOMPARE(meshLosses("a.GLB", true, options), Sentences{});
        QCOMPARE(meshLosses("a.obj", true, options),
                 Sentences{"OBJ has no values at vertices; left out: ring, echo width"});
        QCOMPARE(
            meshLosses("a.STL", true, options),
            (Sentences{"STL has single precision only; coordinates are relative to 512800 5403700.25 -250, "
                       "which must be added to get absolute coordinates",
                       "STL has no colours; they are left out",
                       "STL has no values at vertices; left out: ring, echo width"}));
        QCOMPARE(meshLosses("a.stl", false, {}), Sentences{});
    }
    void anyOriginFitsAnStlTitle() {
        const Scratch scratch;
        for (const Vec3d origin :
             {Vec3d{-512800.12345678901, -5403700.1234567890, -250.12345678901},
              Vec3d{-1.2345678901234567e29, -1.2345678901234567e29, -1.2345678901234567e29}}) {
            WriteOptions options;
            options.origin = origin;
            writeMesh(scratch / "a.stl", triangle(), {}, options, {});
            const std::string title = contentOf(scratch / "a.stl").substr(0, 80);
            std::istringstream numbers(title.substr(title.find("relative to ") + 12));
            Vec3d read;
            QVERIFY(numbers >> read.x >> read.y >> read.z);
            for (int axis = 0; axis < 3; ++axis)
                QVERIFY(std::abs(read[axis] / origin[axis] - 1) < 1e-14);
            QVERIFY(meshLosses("a.stl", false, options)[0].find(
                        title.substr(title.find("relative to "), 40)) != std::string::npos);
        }
    }
};

SCANLOUPE_TEST(TestWriteColumns)
#include "test_write_columns.moc"
