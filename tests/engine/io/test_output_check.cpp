// Outputs never overwrite inputs, by whatever path, nor each other. Paths inside documents never lead out of
// the document's folder.
#include "engine/cloud/damage.h"
#include "engine/io/common/named_file.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/output_check.h"
#include "engine/io/writers.h"
#include "tests/engine/io/read_content.h"

#include <fmt/ranges.h>
#include <sys/stat.h>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

namespace fs = std::filesystem;

/// A tileset with one tile for each name; each tile's content is a triangle.
std::string tilesetOf(const std::vector<std::string>& uris) {
    std::string children;
    for (const std::string& uri : uris)
        children +=
            (children.empty() ? "" : ",") +
            std::string(
                R"({"boundingVolume":{"box":[0,0,0,9,0,0,0,9,0,0,0,9]},"geometricError":0,"content":{"uri":")") +
            uri + "\"}}";
    return R"({"asset":{"version":"1.1"},"geometricError":1,"root":{"boundingVolume":)"
           R"({"box":[0,0,0,9,0,0,0,9,0,0,0,9]},"geometricError":1,"refine":"REPLACE","children":[)" +
           children + "]}}";
}

void writeTriangle(const fs::path& path) {
    TriangleMesh mesh;
    mesh.positions = Buffer<Vec3f>::host(3);
    mesh.normals = Buffer<Vec3f>::host(3);
    mesh.indices = Buffer<std::uint32_t>::host(3);
    for (std::uint32_t i = 0; i < 3; ++i) {
        mesh.positions[i] = {i == 1 ? 1.0f : 0.0f, i == 2 ? 1.0f : 0.0f, 0};
        mesh.normals[i] = {0, 0, 1};
        mesh.indices[i] = i;
    }
    writeMesh(path, mesh, {}, {}, {});
}

/// A glTF with one triangle, whose data is in a separate file.
std::string gltfOf(const std::string& uri) {
    return R"({"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[)"
           R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,)"
           R"("byteLength":36}],"buffers":[{"byteLength":36,"uri":")" +
           uri + "\"}]}";
}

/// Whether an input and an output are rejected as the same file; tests both orders of adding them.
bool refuses(const fs::path& input, const fs::path& output) {
    OutputCheck first, second;
    first.addInput(input);
    const bool refused = says(errorOf([&] { first.addOutput(output, {}); }), "overwrite");
    second.addOutput(output, {});
    return refused && says(errorOf([&] { second.addInput(input); }), "overwrite");
}

} // namespace

class TestOutputCheck : public QObject {
    Q_OBJECT
private slots:
    void anInputIsKnownByAnyName() {
        const Scratch scratch;
        const fs::path scan = scratch.file("scan.ply", "content");
        fs::create_directories(scratch / "folder");
        fs::create_symlink("../scan.ply", scratch / "folder/link.ply");
        fs::create_hard_link(scan, scratch / "hard.ply");
        fs::create_directory_symlink(".", scratch / "here");
        for (const char* name :
             {"scan.ply", "folder/link.ply", "hard.ply", "./folder/../scan.ply", "here/here/scan.ply"})
            QVERIFY2(refuses(scan, scratch / name), name);
        OutputCheck check;
        check.addInput(scan);
        // a different file on file systems that distinguish case
        check.addOutput(scratch / "Scan.ply", {".ply"});
        check.addInput(scratch / "missing.ply");
        check.addInput("");
    }
    void filesThatBelongToAnInput() {
        const Scratch scratch;
        scratch.file("ct.json", R"({"dims": [2, 2, 2], "type": "uint8"})");
        QVERIFY(refuses(scratch.file("ct.raw", "12345678"), scratch / "ct.json"));
        scratch.file("square data.bin", std::string(36, '\0'));
        QVERIFY(refuses(scratch.file("a.gltf", gltfOf("square%20data.bin")), scratch / "square data.bin"));
        fs::create_directories(scratch / "nodes");
        writeTriangle(scratch / "nodes/a b.glb");
        writeTriangle(scratch / "nodes/c.glb");
        scratch.file("nodes/more.json", tilesetOf({"c.glb"}));
        const fs::path tileset =
            scratch.file("tileset.json", tilesetOf({"nodes/a%20b.glb", "nodes/more.json"}));
        for (const char* name : {"tileset.json", "nodes/a b.glb", "nodes/more.json", "nodes/c.glb"})
            QVERIFY2(refuses(tileset, scratch / name), name);
        QVERIFY(!refuses(scratch / "ct.raw", scratch / "nodes/c.glb"));
        // the check covers documents with the ending of another format, and two levels of documents
        fs::copy_file(tileset, scratch / "scene.txt");
        QVERIFY(refuses(scratch / "scene.txt", scratch / "nodes/c.glb"));
        scratch.file("nodes/buffer.bin", std::string(36, '\0'));
        const std::string json = gltfOf("buffer.bin");
        std::string glb = "glTF";
        for (const std::uint32_t word : {2u, std::uint32_t(20 + json.size()), std::uint32_t(json.size())})
            glb.append(reinterpret_cast<const char*>(&word), 4);
        scratch.file("nodes/d.glb", glb + "JSON" + json);
        QVERIFY(
            refuses(scratch.file("other.json", tilesetOf({"nodes/d.glb"})), scratch / "nodes/buffer.bin"));
        QVERIFY(refuses(scratch.file("d.dat", glb + "JSON" + json), scratch / "square data.bin") == false);
        fs::copy_file(scratch / "nodes/buffer.bin", scratch / "buffer.bin");
        QVERIFY(refuses(scratch / "d.dat", scratch / "buffer.bin"));
    }
    void linksIntoFoldersOfScansAreRefused() {
        const Scratch scratch;
        fs::create_directories(scratch / "scans");
        fs::create_symlink("scans/new.ply", scratch / "out.ply");
        OutputCheck check;
        check.addInput(scratch / "scans");
        QVERIFY(says(errorOf([&] { check.addOutput(scratch / "out.ply", {".ply"}); }),
                     "in the folder of the input scans"));
    }
    /// A new file with the name of a volume's sidecar would be read with the volume from then on.
    void newSidecarsAreRefused() {
        const Scratch scratch;
        const fs::path volume = scratch.file("ct_2x2x2_uint8.raw", "12345678");
        OutputCheck first, second;
        first.addInput(volume);
        QVERIFY(says(errorOf([&] { first.addOutput(scratch / "ct_2x2x2_uint8.json", {}); }), "sidecar"));
        first.addOutput(scratch / "recipe.json", {});
        second.addOutput(scratch / "ct_2x2x2_uint8.json", {});
        QVERIFY(says(errorOf([&] { second.addInput(volume); }), "sidecar"));
    }
    void aStopEndsSearches() {
        const Scratch scratch;
        fs::create_directories(scratch / "nodes");
        writeTriangle(scratch / "nodes/a.glb");
        const fs::path tileset = scratch.file("tileset.json", tilesetOf({"nodes/a.glb"}));
        std::stop_source stop;
        OutputCheck file(stop.get_token()), folder(stop.get_token());
        file.addInput(tileset);
        folder.addOutputFolder(scratch / "out");
        stop.request_stop();
        scratch.file("a.ply", "there before");
        QVERIFY_EXCEPTION_THROWN(file.addOutput(scratch / "a.ply", {}), Cancelled);
        QVERIFY_EXCEPTION_THROWN(folder.addOutputFolder(scratch / "nodes"), Cancelled);
        QVERIFY_EXCEPTION_THROWN(folder.addInput(tileset), Cancelled);
    }
    void pipesAndDevicesAreNoFiles() {
        const Scratch scratch;
        const fs::path pipe = scratch / "pipe.ply";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        OutputCheck check;
        check.addInput(pipe);
        check.addInput("/dev/null");
        check.addOutput(pipe, {".ply"});
        check.addOutput("/dev/null", {});
        check.addOutput("/dev/stdout", {});
    }
    void outputFoldersHoldNoInput() {
        const Scratch scratch;
        fs::create_directories(scratch / "out/tiles/deep");
        fs::create_directories(scratch / "in");
        const fs::path inside = scratch.file("out/tiles/deep/scan.ply", "content"),
                       outside = scratch.file("in/a.ply", "b");
        const auto refusesFolder = [&](const fs::path& input) {
            OutputCheck first, second;
            first.addInput(input);
            second.addOutputFolder(scratch / "out/tiles");
            return errorOf([&] { first.addOutputFolder(scratch / "out/tiles"); }) &&
                   errorOf([&] { second.addInput(input); });
        };
        QVERIFY(refusesFolder(inside));
        QVERIFY(refusesFolder(scratch / "out/tiles"));
        QVERIFY(!refusesFolder(outside));
        OutputCheck missing;
        missing.addInput(outside);
        missing.addOutputFolder(scratch / "not there/tiles");
        // companion files of an input inside the output folder
        scratch.file("out/ct.json", R"({"dims": [2, 2, 2], "type": "uint8"})");
        writeTriangle(scratch / "out/tiles/mesh.glb");
        QVERIFY(refusesFolder(scratch.file("out/tileset.json", tilesetOf({"tiles/mesh.glb"}))));
        QVERIFY(!refusesFolder(scratch.file("out/recipe.json", R"({"root": {}, "uri": "tiles/mesh.glb"})")));
        // writing to a link writes to its target
        fs::create_symlink("../../in/a.ply", scratch / "out/tiles/0_0_0.ply");
        OutputCheck linked;
        linked.addInput(outside);
        QVERIFY(errorOf([&] { linked.addOutputFolder(scratch / "out/tiles"); }));
    }
    void outputsDoNotLieInOutputFolders() {
        const Scratch scratch;
        fs::create_directories(scratch / "out");
        OutputCheck first, second;
        first.addOutputFolder(scratch / "out");
        QVERIFY(says(errorOf([&] { first.addOutput(scratch / "out/a.ply", {".ply"}); }),
                     "would be in the output folder"));
        second.addOutput(scratch / "out/a.ply", {".ply"});
        QVERIFY(
            says(errorOf([&] { second.addOutputFolder(scratch / "out"); }), "would be in the output folder"));
        first.addOutput(scratch / "beside.ply", {".ply"});
    }
    void sidecarsOfVolumesAreOutputsToo() {
        const Scratch scratch;
        const fs::path recipe = scratch.file("grid.json", "{}");
        OutputCheck check;
        check.addInput(recipe);
        QVERIFY(says(errorOf([&] { check.addOutput(scratch / "grid.raw", {".raw"}); }), "overwrite"));
        OutputCheck two;
        two.addOutput(scratch / "other.json", {".json"});
        QVERIFY(says(errorOf([&] { two.addOutput(scratch / "other.raw", {".raw"}); }), "Two results"));
    }

    /// Paths of files that do not exist yet can't be compared by the identity of the files.
    void newOutputsAreKnownByAnySpelling() {
        const Scratch scratch;
        fs::create_directories(scratch / "x");
        const fs::path before = fs::current_path();
        fs::current_path(scratch / "");
        const std::vector<fs::path> spellings{"new.ply", "./new.ply", "x/../new.ply",
                                              fs::current_path() / "new.ply"};
        std::vector<std::optional<EngineError>> errors;
        for (const fs::path& a : spellings)
            for (const fs::path& b : spellings) {
                OutputCheck check;
                check.addOutput(a, {".ply"});
                errors.push_back(errorOf([&] { check.addOutput(b, {".ply"}); }));
            }
        const bool isWithin = liesWithin("missing.bin", "") && liesWithin("x/missing.bin", "x");
        const bool isOutside = !liesWithin("../missing.bin", "") && !liesWithin("missing.bin", "x");
        fs::current_path(before);
        for (const auto& error : errors)
            QVERIFY(says(error, "Two results"));
        QVERIFY(isWithin && isOutside);
    }

    void namesInDocuments() {
        QCOMPARE(percentDecoded("a%20b%C3%a4").value(), std::string("a b\xc3\xa4"));
        for (const char* wrong : {"%", "a%2", "%zz", "%-1", "% 1", "%0x"})
            QVERIFY2(!percentDecoded(wrong), wrong);
        const auto faultOf = [](const char* uri) {
            return namedFile(uri, "/data/set/levels", "/data/set").fault;
        };
        for (const char* inside : {"a.glb", "../a.glb", "../nodes/b.glb", "./x/../../c.glb", "%2e%2e/a.glb"})
            QVERIFY2(faultOf(inside) == NameFault::none, inside);
        for (const char* outside :
             {"../../a.glb", "%2e%2e/%2E%2e/a.glb", "/etc/passwd", "%2fetc%2fpasswd", "/data/set/a.glb",
              "..%2f..%2fset2/a.glb", "../../set2/a.glb", "../../set/a.glb", "../../../data/set/a.glb"})
            QVERIFY2(faultOf(outside) == NameFault::isOutside, outside);
        QVERIFY(namedFile("../a.bin", "set/nodes", "./set").path == "set/a.bin");
        QVERIFY(namedFile("../../set/a.bin", "set/nodes", "./set").fault == NameFault::isOutside);
        QVERIFY(faultOf("https://example.org/a.glb") == NameFault::hasScheme);
        QVERIFY(faultOf("file:///data/set/a.glb") == NameFault::hasScheme);
        for (const char* wrong : {"", "a%00b", "%zz"})
            QVERIFY2(faultOf(wrong) == NameFault::noFileName, wrong);
        QVERIFY(namedFile("a.bin", "", "").path == "a.bin");
        for (const char* uri : {"a.bin?v=3", "a.bin#part", "a.bin?x#y"})
            QVERIFY2(namedFile(uri, "", "").path == "a.bin", uri);
        QVERIFY(namedFile("../a.bin", "", "").fault == NameFault::isOutside);
    }
    void linksThatLeadOutAreNotFollowed() {
        const Scratch scratch;
        fs::create_directories(scratch / "set");
        scratch.file("secret.bin", std::string(36, '\0'));
        scratch.file("set/own.bin", std::string(36, '\0'));
        fs::create_symlink("../secret.bin", scratch / "set/link.bin");
        fs::create_symlink("own.bin", scratch / "set/inner.bin");
        fs::create_directory_symlink("..", scratch / "set/up");
        for (const char* name : {"link.bin", "up/secret.bin"}) {
            QVERIFY2(!liesWithin(scratch / "set" / name, scratch / "set"), name);
            const fs::path gltf = scratch.file("set/a.gltf", gltfOf(name));
            QVERIFY2(says(errorOf([&] { readScan(gltf, {}, {}); }), "leads outside of its folder"), name);
        }
        for (const char* name : {"own.bin", "inner.bin", "up/set/own.bin"}) {
            QVERIFY2(liesWithin(scratch / "set" / name, scratch / "set"), name);
            QCOMPARE(readScan(scratch.file("set/a.gltf", gltfOf(name)), {}, {})->size(), std::size_t{3});
        }
    }
    void damagedMeshesOfTilesetsAreReported() {
        const Scratch scratch;
        writeTriangle(scratch / "whole.glb");
        writeTriangle(scratch / "cut.glb");
        const auto bytes = fs::file_size(scratch / "cut.glb");
        fs::resize_file(scratch / "cut.glb", bytes - 60); // the file ends within the vertices
        const auto cloud =
            readScan(scratch.file("tileset.json", tilesetOf({"whole.glb", "cut.glb"})), {}, {});
        QVERIFY2(warns(*cloud, "Incomplete: 'cut.glb': "),
                 fmt::format("{}", fmt::join(cloud->warnings, " | ")).c_str());
        QVERIFY(!warns(*cloud, "'whole.glb'"));
    }
    void skippedDocumentsAreReported() {
        const Scratch scratch;
        fs::create_directories(scratch / "nodes");
        writeTriangle(scratch / "whole.glb");
        writeTriangle(scratch / "nodes/a.glb");
        scratch.file("nodes/more.json", tilesetOf({"a.glb"}));
        for (const std::string left : {"nodes/missing.json", "nodes/more.json", "nodes/missing.json?v=1#a"}) {
            const auto cloud = readScan(
                scratch.file("tileset.json", tilesetOf({"whole.glb", "nodes/more.json", left})), {}, {});
            QCOMPARE(cloud->size(), std::size_t{6});
            QVERIFY2(warns(*cloud, ("such as '" + left + "'").c_str()),
                     fmt::format("{}", fmt::join(cloud->warnings, " | ")).c_str());
            QVERIFY(std::ranges::any_of(cloud->warnings, isDamageWarning));
        }
    }
    void tilesetsReadWithinTheirFolder() {
        const Scratch scratch;
        fs::create_directories(scratch / "set/nodes");
        writeTriangle(scratch / "secret.glb");
        writeTriangle(scratch / "set/nodes/own.glb");
        fs::create_symlink("../../secret.glb", scratch / "set/nodes/link.glb");
        scratch.file("secret.json", tilesetOf({"secret.glb"}));
        fs::create_symlink("../secret.json", scratch / "set/link.json");
        const std::string absolute = (scratch / "secret.glb").string();
        for (const std::string& uri : {std::string("../secret.glb"), std::string("%2e%2e/secret.glb"),
                                       absolute, std::string("nodes/link.glb"), std::string("../secret.json"),
                                       std::string("link.json"), "file://" + absolute}) {
            const auto cloud =
                readScan(scratch.file("set/tileset.json", tilesetOf({"nodes/own.glb", uri})), {}, {});
            QVERIFY2(cloud->size() == 3, uri.c_str());
            QVERIFY2(warns(*cloud, "folder"), uri.c_str());
            QVERIFY2(std::ranges::any_of(cloud->warnings, isDamageWarning), uri.c_str());
            const fs::path alone = scratch.file("set/tileset.json", tilesetOf({uri}));
            QVERIFY2(errorOf([&] { readScan(alone, {}, {}); }), uri.c_str());
        }
        // a document in a subfolder may refer to files outside of the subfolder, within the tileset
        scratch.file("set/nodes/more.json", tilesetOf({"../nodes/own.glb"}));
        const fs::path whole = scratch.file("set/tileset.json", tilesetOf({"nodes/more.json"}));
        QCOMPARE(readScan(whole, {}, {})->warnings, std::vector<std::string>());
    }
};

SCANLOUPE_TEST(TestOutputCheck)
#include "test_output_check.moc"
