// The permitted dependencies between the layers: gui -> engine -> kernels. ScanloupeArrows.cmake checks the
// links; this test checks the includes, and that both checks detect violations. Folders may include each
// other in one direction only, and files and folders must stay small.
#include "tests/support/test_support.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

namespace {

/// Text of each file, by its path from the top of the tree.
using Sources = std::map<std::string, std::string>;

std::string readText(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Sources readTree() {
    Sources sources;
    const fs::path top = SCANLOUPE_SOURCE_DIR;
    for (const char* layer : {"kernels", "engine", "gui"}) {
        if (!fs::is_directory(top / layer))
            continue;
        for (const auto& entry : fs::recursive_directory_iterator(top / layer)) {
            const std::string ending = entry.path().extension().string();
            if (ending == ".h" || ending == ".cpp" || ending == ".cu" || ending == ".cuh")
                sources[fs::relative(entry.path(), top).generic_string()] = readText(entry.path());
        }
    }
    return sources;
}

std::string withoutComments(const std::string& text) {
    static const std::regex comments(R"(//[^\n]*|/\*[^*]*\*+([^/*][^*]*\*+)*/)");
    return std::regex_replace(text, comments, " ");
}

std::vector<std::string> includesOf(const std::string& code) {
    static const std::regex include(R"re(#\s*include\s*[<"]([^>"]+)[>"])re");
    std::vector<std::string> names;
    for (auto it = std::sregex_iterator(code.begin(), code.end(), include); it != std::sregex_iterator();
         ++it)
        names.push_back((*it)[1]);
    return names;
}

bool matches(const std::string& text, const char* pattern) {
    return std::regex_search(text, std::regex(pattern));
}

constexpr const char* kGuiHeaders =
    R"(^(gui/|Q[A-Z]|Qt[A-Z0-9]|q[a-z]+\.h|GL/|GLES|EGL/|KHR/|GLFW/|epoxy/|glad/))";
constexpr const char* kHeavyHeaders =
    R"(^(tbb/|oneapi/|nlohmann/(?!json_fwd)|CLI/|fmt/|Eigen/|png\.h|zlib\.h|archive\.h))";
constexpr const char* kCudaHeaders = R"(^(cuda|cub/|thrust/|cooperative_groups))";

constexpr const char* kRemovals =
    R"(\b(unlink|unlinkat|rmdir|remove_all|removeRecursively|rmpath|moveToTrash)\b)"
    R"(|\b(std|fs|filesystem|QFile|QDir)::remove\b|(\.|->)remove\(\s*\)|\bQDir\([^;]*\)\.remove\()"
    R"(|\b(copy_file|resize_file|ftruncate|truncate64|O_TRUNC)\b|::rename\b)";

/// Whether code removes, truncates, replaces or renames a file. Aliases of std::filesystem are detected, too.
bool removesFiles(const std::string& code) {
    static const std::regex alias(R"(\bnamespace\s+(\w+)\s*=\s*std::filesystem\b)");
    std::smatch found;
    return matches(code, kRemovals) ||
           (std::regex_search(code, found, alias) &&
            matches(code, (R"(\b)" + found[1].str() + R"(::(remove|rename)\b)").c_str()));
}

/// A message for each violation of the rules of a layer.
std::vector<std::string> violations(const Sources& sources) {
    std::vector<std::string> found;
    std::vector<std::string> deviceOnly; // headers that pull in CUDA: for .cu files
    for (const auto& [path, text] : sources) {
        const auto complain = [&found, &path = path](const std::string& what) {
            found.push_back(path + " " + what);
        };
        const std::string code = withoutComments(text);
        const bool kernels = path.starts_with("kernels/"), engine = path.starts_with("engine/");
        const bool header = path.ends_with(".h"), device = path.ends_with(".cu") || path.ends_with(".cuh");
        for (const std::string& name : includesOf(code)) {
            if ((kernels || engine) && matches(name, kGuiHeaders))
                complain("includes " + name);
            if (kernels && name.starts_with("engine/"))
                complain("includes upwards: " + name);
            if ((kernels || engine) && name.starts_with("tests/"))
                complain("includes a test: " + name);
            if (header && (kernels || engine) && matches(name, kHeavyHeaders))
                complain("is a header and includes " + name);
            if (matches(name, kCudaHeaders)) {
                if (header && kernels)
                    deviceOnly.push_back(path);
                else if (!device)
                    complain("includes " + name + " and is no .cu file");
            }
        }
        // queue_body.h names the queue of the compilation
        if (path != "kernels/core/hd.h" && path != "kernels/core/queue/queue_body.h" &&
            matches(code, "__CUDACC__|__CUDA_ARCH__"))
            complain("looks at __CUDACC__");
        if (matches(code, R"(QThreadPool\b|QtConcurrent\b)") && !path.starts_with("gui/jobs/"))
            complain("uses a thread pool");
        if (!path.starts_with("gui/jobs/") && path != "engine/compute/side_by_side.cpp" &&
            matches(code, R"(std::j?thread\b|std::async\b|pthread_create|QThread\b)"))
            complain("starts a thread");
        if (!kernels && !path.starts_with("gui/interop/") && matches(code, R"(\bcuda::)"))
            complain("chooses a backend, which operators do");
        if (path != "engine/io/common/write/own_files.cpp" &&
            path != "engine/io/common/write/temporary_file.cpp" && removesFiles(code))
            complain("removes or replaces files, which own_files.h and write_atomically.h do");
        if ((kernels || engine) && matches(code, "stop_callback"))
            complain("registers a stop_callback, which a signal handler may not run");
    }
    for (const auto& [path, text] : sources) {
        if (path.ends_with(".cu") || path.ends_with(".cuh"))
            continue;
        for (const std::string& name : includesOf(withoutComments(text)))
            if (std::find(deviceOnly.begin(), deviceOnly.end(), name) != deviceOnly.end())
                found.push_back(path + " includes " + name + ", which is for .cu files");
    }
    return found;
}

std::string folderOf(const std::string& path) {
    return path.substr(0, path.rfind('/'));
}

/// Returns the room of a file: the first two folders of its path, e.g. engine/io.
std::string roomOf(const std::string& path) {
    return path.substr(0, path.find('/', path.find('/') + 1));
}

/// A message for each pair of folders that include each other, directly or indirectly.
/// @param folderOf the folder of a path: folderOf() or roomOf()
std::vector<std::string> folderCycles(const Sources& sources, std::string (*folderOf)(const std::string&)) {
    // folders reached from each folder, initially directly
    std::map<std::string, std::set<std::string>> reached;
    for (const auto& [path, text] : sources)
        for (const std::string& name : includesOf(withoutComments(text)))
            if (sources.contains(name) && folderOf(name) != folderOf(path))
                reached[folderOf(path)].insert(folderOf(name));
    bool grown = true;
    while (grown) {
        grown = false;
        for (auto& [folder, all] : reached) {
            const std::size_t before = all.size();
            for (const std::string& other : std::set<std::string>(all))
                if (const auto further = reached.find(other); further != reached.end())
                    all.insert(further->second.begin(), further->second.end());
            grown = grown || all.size() > before;
        }
    }
    std::vector<std::string> found;
    for (const auto& [folder, all] : reached)
        for (const std::string& other : all)
            if (folder < other && reached[other].contains(folder))
                found.push_back(folder + " and " + other + " include each other");
    return found;
}

constexpr std::size_t kLinesOfAFile = 400, kFilesOfAFolder = 40, kRoomsOfTheEngine = 15;

/// A message for each file that is too long, and for each folder that directly contains too many files.
std::vector<std::string> oversized(const Sources& sources) {
    std::vector<std::string> found;
    std::map<std::string, std::size_t> filesIn;
    for (const auto& [path, text] : sources) {
        ++filesIn[folderOf(path)];
        const auto lines = std::size_t(std::count(text.begin(), text.end(), '\n'));
        if (lines > kLinesOfAFile)
            found.push_back(path + " has " + std::to_string(lines) + " lines, more than " +
                            std::to_string(kLinesOfAFile));
    }
    for (const auto& [folder, files] : filesIn) {
        if (files > kFilesOfAFolder)
            found.push_back(folder + " holds " + std::to_string(files) + " files, more than " +
                            std::to_string(kFilesOfAFolder));
    }
    return found;
}

/// Configures a project of three libraries, the kernels linked to `library`; returns CMake's messages.
std::string configureWith(const std::string& library, int& status) {
    const QTemporaryDir folder;
    const fs::path top = folder.path().toStdString();
    std::ofstream(top / "CMakeLists.txt")
        << "cmake_minimum_required(VERSION 3.24)\nproject(arrows LANGUAGES NONE)\n"
           "include(\"" SCANLOUPE_SOURCE_DIR "/packaging/cmake/ScanloupeArrows.cmake\")\n"
           "add_library(harmless INTERFACE)\n"
           "add_library(scanloupe_kernels INTERFACE)\n"
           "add_library(scanloupe_engine INTERFACE)\n"
           "add_library(scanloupe-cli INTERFACE)\n"
           "target_link_libraries(scanloupe_kernels INTERFACE "
        << library
        << ")\n"
           "target_link_libraries(scanloupe_engine INTERFACE scanloupe_kernels)\n"
           "target_link_libraries(scanloupe-cli INTERFACE scanloupe_engine)\n";
    const std::string log = (top / "log").string();
    status = std::system(("\"" SCANLOUPE_CMAKE "\" -G Ninja -S \"" + top.string() + "\" -B \"" +
                          top.string() + "/build\" >\"" + log + "\" 2>&1")
                             .c_str());
    return readText(log);
}

} // namespace

class TestArrows : public QObject {
    Q_OBJECT
private slots:
    void treeKeepsThem() {
        const Sources sources = readTree();
        QVERIFY(sources.size() > 50);
        QVERIFY(sources.contains("kernels/core/hd.h"));
        for (const std::string& violation : violations(sources))
            QFAIL(violation.c_str());
    }

    void foldersHaveAnOrder() {
        Sources sources = readTree();
        for (const std::string& cycle : folderCycles(sources, folderOf))
            QFAIL(cycle.c_str());
        // The rooms of kernels/ are excluded: kernels/sycl includes the elements of other rooms, whose
        // operators include kernels/sycl.
        std::erase_if(sources, [](const auto& source) { return source.first.starts_with("kernels/"); });
        for (const std::string& cycle : folderCycles(sources, roomOf))
            QFAIL(cycle.c_str());
    }
    void engineHasFewRooms() {
        std::set<std::string> rooms;
        for (const auto& [path, text] : readTree())
            if (path.starts_with("engine/"))
                rooms.insert(roomOf(path));
        QVERIFY2(rooms.size() <= kRoomsOfTheEngine, qPrintable(QString::number(rooms.size())));
    }
    void cyclesOfFoldersAreFound() {
        Sources sources{{"engine/a/a.h", "#include \"engine/b/b.h\"\n"},
                        {"engine/b/b.h", "// #include \"engine/a/a.h\"\n#include \"engine/b/more.h\"\n"},
                        {"engine/b/more.h", "#include \"engine/c/c.h\"\n"},
                        {"engine/c/c.h", "#include <vector>\n"}};
        QVERIFY(folderCycles(sources, folderOf).empty());
        sources["engine/c/c.cpp"] = "#include \"engine/a/a.h\"\n";
        QCOMPARE(folderCycles(sources, folderOf).size(),
                 std::size_t(3)); // the pairs a and b, a and c, b and c

        // folders without a cycle whose rooms form one
        const Sources nested{{"engine/a/x/a.h", "#include \"engine/b/b.h\"\n"},
                             {"engine/a/y/a.h", "#include <vector>\n"},
                             {"engine/b/b.h", "#include \"engine/a/y/a.h\"\n"}};
        QVERIFY(folderCycles(nested, folderOf).empty());
        QCOMPARE(folderCycles(nested, roomOf).size(), std::size_t(1));
    }

    void filesAndFoldersAreSmall() {
        QByteArray all;
        for (const std::string& sentence : oversized(readTree()))
            all += '\n' + QByteArray::fromStdString(sentence);
        QVERIFY2(all.isEmpty(), all.constData());
    }
    void oversizedOnesAreFound() {
        Sources sources{{"gui/a/long.cpp", std::string(kLinesOfAFile, '\n')}};
        const auto fill = [&sources](const std::string& folder, std::size_t files) {
            for (std::size_t i = 0; i < files; ++i)
                sources[folder + "/" + std::to_string(i) + ".h"] = "\n";
        };
        fill("engine/b", kFilesOfAFolder);
        fill("engine/b/more", 1); // files in subfolders do not count
        QVERIFY(oversized(sources).empty());

        sources["gui/a/long.cpp"] += '\n';
        fill("engine/b", kFilesOfAFolder + 1);
        const auto found = oversized(sources);
        QCOMPARE(found.size(), std::size_t(2));
        QVERIFY(found[0].starts_with("gui/a/long.cpp has 401 lines"));
        QVERIFY(found[1].starts_with("engine/b holds 41 files"));
    }

    void harmlessSourcesPass() {
        const Sources sources{
            {"kernels/a.h", "#include <vector> // not <QtCore>\n/* std::thread */\n"},
            {"kernels/a.cpp", "#include \"kernels/a.h\"\n#include <oneapi/tbb/parallel_for.h>\n"},
            {"kernels/check.h", "#include <cuda_runtime.h>\n"},
            {"kernels/a_cuda.cu", "#include \"kernels/check.h\"\n#include <cub/cub.cuh>\n"},
            {"engine/b.cpp", "#include \"kernels/a.h\"\n#include <nlohmann/json.hpp>\n"},
            {"engine/io/common/write/own_files.cpp", "::unlink(name);\n"},
            {"engine/d.cpp", "std::ranges::remove(list, 1);\nremoveOwnFile(path); // not fs::remove()\n"},
            {"gui/jobs/c.cpp", "#include <QFuture>\nstd::thread worker;\nlist.remove(3);\n"}};
        for (const std::string& violation : violations(sources))
            QFAIL(violation.c_str());
    }

    void wrongSourcesAreFound_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("code");
        QTest::newRow("kernels see the engine") << "kernels/a.cpp"
                                                << "#include \"engine/cloud/error.h\"";
        QTest::newRow("kernels see Qt") << "kernels/a.cpp"
                                        << "#include <QString>";
        QTest::newRow("kernels see a Qt module") << "kernels/a.cpp"
                                                 << "#include <QtCore/qglobal.h>";
        QTest::newRow("kernels see OpenGL") << "kernels/a.cu"
                                            << "#include <GL/gl.h>";
        QTest::newRow("the engine sees the gui") << "engine/a.cpp"
                                                 << "#include \"gui/app/main_window.h\"";
        QTest::newRow("the engine sees Qt") << "engine/a.h"
                                            << "# include <QObject>";
        QTest::newRow("the engine sees EGL") << "engine/a.cpp"
                                             << "#include <EGL/egl.h>";
        QTest::newRow("tbb in a header") << "kernels/a.h"
                                         << "#include <oneapi/tbb/parallel_for.h>";
        QTest::newRow("json in a header") << "engine/a.h"
                                          << "#include <nlohmann/json.hpp>";
        QTest::newRow("CUDA in the engine") << "engine/a.h"
                                            << "#include <cuda_runtime.h>";
        QTest::newRow("CUDA in a .cpp") << "kernels/a.cpp"
                                        << "#include <cuda_runtime_api.h>";
        QTest::newRow("a thread") << "kernels/a.cpp"
                                  << "std::jthread worker;";
        QTest::newRow("a thread in the gui") << "gui/panels/a.cpp"
                                             << "std::thread worker;";
        QTest::newRow("a second macro") << "kernels/mesh/a.h"
                                        << "#ifdef __CUDACC__";
        QTest::newRow("a backend in the engine") << "engine/stages/a.cpp"
                                                 << "auto grid = cuda::voxelize(points);";
        QTest::newRow("a stop callback") << "engine/a.cpp"
                                         << "std::stop_callback onStop(stop, f);";
        for (const char* removal :
             {"fs::remove(path, ignored);", "std::filesystem::remove_all(folder);", "std::remove(name);",
              "namespace files = std::filesystem;\nfiles::remove(path);", "::unlink(name);", "rmdir(name);",
              "unlinkat(folder, name, 0);", "QFile::remove(name);", "QFile(name).remove();",
              "file->remove();", "QDir(folder).remove(name);", "dir.removeRecursively();",
              "fs::rename(from, to);", "::open(name, O_WRONLY | O_TRUNC);", "fs::copy_file(from, to);"})
            QTest::newRow(removal) << "gui/jobs/a.cpp" << removal;
    }
    void wrongSourcesAreFound() {
        QFETCH(QString, path);
        QFETCH(QString, code);
        const auto found = violations({{path.toStdString(), code.toStdString() + "\n"}});
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY(found.front().starts_with(path.toStdString()));
    }
    void deviceHeaderInHostCodeIsFound() {
        const auto found = violations({{"kernels/check.h", "#include <cuda_runtime.h>\n"},
                                       {"kernels/a.cpp", "#include \"kernels/check.h\"\n"}});
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY(found.front().starts_with("kernels/a.cpp"));
    }

    void wrongLinksStopTheConfigure_data() {
        QTest::addColumn<QString>("library");
        QTest::addColumn<bool>("allowed");
        QTest::newRow("none of ours") << "harmless" << true;
        QTest::newRow("a system library") << "TBB::tbb" << true;
        QTest::newRow("Qt") << "Qt6::Core" << false;
        QTest::newRow("Qt by file") << "/usr/lib/libQt6Core.so" << false;
        QTest::newRow("OpenGL") << "OpenGL::GL" << false;
        QTest::newRow("OpenGL by name") << "GL" << false;
        QTest::newRow("OpenGL by flag") << "-lGL" << false;
        QTest::newRow("upwards") << "scanloupe_engine" << false;
    }
    void wrongLinksStopTheConfigure() {
        QFETCH(QString, library);
        QFETCH(bool, allowed);
        int status = 0;
        const std::string log = configureWith(library.toStdString(), status);
        QCOMPARE(log.find("may not see") == std::string::npos, allowed);
        if (!allowed)
            QVERIFY(status != 0);
    }
};

SCANLOUPE_TEST(TestArrows)
#include "test_arrows.moc"
