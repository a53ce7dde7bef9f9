// Several files and folders: which entries are scans, and reading the next scans ahead.
#include "engine/io/common/read_options.h"
#include "engine/io/scan_cache.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/engine/io/test_io_support.h"

#include <atomic>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <thread>

/// Replaces the system's stat(): for a file with "slow" in its name it takes a second, as on a disconnected
/// network drive.
extern "C" int stat(const char* path, struct stat* info) noexcept {
    if (std::string_view(path).find("slow") != std::string_view::npos)
        std::this_thread::sleep_for(std::chrono::seconds(1));
    return ::fstatat(AT_FDCWD, path, info, 0);
}

using namespace scanloupe;
using namespace scanloupe::test;

namespace fs = std::filesystem;

namespace {

std::string textOf(int points) {
    std::string text;
    for (int i = 0; i < points; ++i)
        text += std::to_string(i) + " " + std::to_string(i * i % 7) + " 0.5\n";
    return text;
}

std::vector<std::string> namesOf(const std::vector<fs::path>& paths) {
    std::vector<std::string> names;
    for (const auto& path : paths)
        names.push_back(path.filename().string());
    return names;
}

bool has(const std::string& text, const char* words) {
    return text.find(words) != std::string::npos;
}

/// Six frames of 100 points, in a cache whose thread reads ahead.
struct Ahead {
    Scratch scratch;
    std::vector<fs::path> paths;
    std::unique_ptr<ScanCache> cache;
    std::stop_source stop;
    std::thread thread;

    static constexpr std::size_t kFrames = 6;

    Ahead() {
        for (std::size_t i = 0; i < kFrames; ++i)
            paths.push_back(scratch.file("f" + std::to_string(i) + ".xyz", textOf(100)));
    }
    void start(std::uint64_t budget) {
        cache = std::make_unique<ScanCache>(paths, budget);
        thread = std::thread([this] { cache->readAhead(stop.get_token()); });
    }
    ~Ahead() {
        stop.request_stop();
        if (thread.joinable())
            thread.join();
    }
    std::string held() const {
        std::string text;
        for (std::size_t i = 0; i < cache->size(); ++i)
            text += cache->at(i).held ? std::to_string(i) : "";
        return text;
    }
    bool comesToHold(const std::string& wanted) const {
        for (int i = 0; i < 500 && held() != wanted; ++i)
            QTest::qSleep(10);
        QTest::qSleep(60); // checks that the set of cached frames does not change any more
        return held() == wanted;
    }
    std::uint64_t frameBytes() const {
        ScanCache one(paths, 1);
        return one.read(0, {}, {})->bytes();
    }
};

} // namespace

class TestManyScans : public QObject {
    Q_OBJECT
private slots:
    void scansOfFilesAndFolders() {
        const Scratch scratch;
        fs::create_directories(scratch / "drive/inner");
        for (const char* name : {"drive/f10.xyz", "drive/f2.xyz", "drive/inner/f1.xyz", "drive/.hidden.xyz"})
            scratch.file(name, textOf(5));
        scratch.file("drive/notes.md", "words\n");
        scratch.file("drive/empty.ply", "");
        scratch.file("drive/ct.raw", "12345678");
        scratch.file("drive/ct.json", R"({"dims": [2, 2, 2], "type": "uint8"})");
        // text by its content; recognised because it is named explicitly
        const auto alone = scratch.file("alone.dat", textOf(5));
        const std::vector<fs::path> paths{scratch / "drive", alone, scratch / "missing.ply", alone};
        const ScanList list = findScans(paths, {});
        QCOMPARE(namesOf(list.scans), (std::vector<std::string>{"alone.dat", "ct.raw", "f2.xyz", "f10.xyz"}));
        QCOMPARE(list.leftOut.size(), std::size_t(3));
        QVERIFY(list.leftOut[0].path.filename() == "empty.ply" && has(list.leftOut[0].why, "is empty"));
        QVERIFY(list.leftOut[1].path.filename() == "notes.md" && has(list.leftOut[1].why, "unknown format"));
        QVERIFY(list.leftOut[2].path.filename() == "missing.ply" && has(list.leftOut[2].why, "no file"));
    }
    void filesOfPosesAreNoScans() {
        const Scratch scratch;
        scratch.file("f1.xyz", textOf(5));
        scratch.file("kitti.txt", "1 0 0 0.5 0 1 0 0 0 0 1 0\n0 -1 0 1.5 1 0 0 0 0 0 1 0\n");
        scratch.file("drive.csv", "# time x y z qx qy qz qw\n0.5,1,2,3,0,0,0,1\n0.6,1,2,3,0,0,0.6,0.8\n");
        scratch.file("matrix.txt", "1 0 0 2\n0 1 0 3\n0 0 1 4\n0 0 0 1\n");
        // tables of numbers that are not poses: twelve columns, eight columns with normals, four rows of four
        // numbers
        scratch.file("twelve.txt", "1 2 3 4 5 6 7 8 9 10 11 12\n2 2 3 4 5 6 7 8 9 10 11 12\n");
        scratch.file("normals.txt", "5 2 3 9 0 0 1 0\n1 2 3 9 0 1 0 0\n3 2 3 9 0 1 0 0\n");
        scratch.file("four.txt", "1 0 0 2\n0 1 0 3\n0 0 1 4\n5 0 0 1\n");
        const fs::path folder = scratch.folder();
        const ScanList list = findScans(std::span(&folder, 1), {});
        QCOMPARE(namesOf(list.scans),
                 (std::vector<std::string>{"f1.xyz", "four.txt", "normals.txt", "twelve.txt"}));
        QCOMPARE(namesOf(list.poses), (std::vector<std::string>{"drive.csv", "kitti.txt", "matrix.txt"}));
        QVERIFY(list.leftOut.empty());
        // a file that the user names is always read as a scan
        const fs::path named = scratch / "kitti.txt";
        QCOMPARE(findScans(std::span(&named, 1), {}).scans.size(), std::size_t(1));
    }
    void allCommandsSeeTheSameScans() {
        const Scratch scratch;
        fs::create_directory(scratch / "drive");
        for (const char* name : {"drive/a.ply", "drive/b.ply"})
            QCOMPARE(cli({"synth", (scratch / name).string(), "--scene", "room", "--points", "3000"}).code,
                     0);
        // c.scan is recognised by its content
        fs::copy_file(scratch / "drive/b.ply", scratch / "drive/c.scan");
        scratch.file("drive/._a.ply", "what macOS leaves on other drives");
        const std::string folder = (scratch / "drive").string(),
                          poses = (scratch / "drive/poses.txt").string();
        const auto align = cli({"align", folder, "--poses", poses});
        QVERIFY2(align.code == 0, align.err.c_str());
        const auto again = cli({"align", folder, "--json"});
        QVERIFY2(again.code == 0, again.err.c_str());
        QCOMPARE(Json::parse(again.out).at("scans").size(), std::size_t(3));
        const auto info = cli({"info", folder, "--json"});
        QVERIFY2(info.code == 0, info.err.c_str());
        QCOMPARE(Json::parse(info.out).size(), std::size_t(3));
        const auto run =
            cli({"run", folder, "--voxel-size", "0.2", "--timings", (scratch / "t.json").string()});
        QVERIFY2(run.code == 0, run.err.c_str());
        QCOMPARE(readJson(scratch / "t.json").at("frames").size(), std::size_t(3));
        // the report gives the reason why the file is not a scan
        QVERIFY2(has(run.err, "poses.txt"), run.err.c_str());
        const auto posed = cli({"run", folder, "--voxel-size", "0.2", "--poses", poses});
        QVERIFY2(posed.code == 0, posed.err.c_str());
    }
    void aFolderWithoutScansIsRejected() {
        const Scratch scratch;
        scratch.file("notes.md", "words");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scratch.folder().string()}), "no scans");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", (scratch / "nowhere").string()}), "nowhere");
    }
    void framesThatCantBeOpenedCount() {
        const Scratch scratch;
        fs::create_directory(scratch / "drive");
        QCOMPARE(
            cli({"synth", (scratch / "drive/a.ply").string(), "--scene", "room", "--points", "3000"}).code,
            0);
        scratch.file("drive/b.ply", "");
        const auto run = cli({"run", (scratch / "drive").string(), "--voxel-size", "0.2"});
        SCANLOUPE_VERIFY_USER_ERROR(run, "1 of 2 frames");
        QVERIFY2(has(run.err, "is empty"), run.err.c_str());
    }
    void entriesThatAreNoFilesAreReported() {
        const Scratch scratch;
        scratch.file("f1.xyz", textOf(5));
        fs::create_symlink("gone.xyz", scratch / "f2.xyz");
        QCOMPARE(::mkfifo((scratch / "f3.xyz").c_str(), 0600), 0);
        const fs::path folder = scratch.folder();
        const ScanList list = findScans(std::span(&folder, 1), {});
        QCOMPARE(namesOf(list.scans), std::vector<std::string>{"f1.xyz"});
        QCOMPARE(list.leftOut.size(), std::size_t(2));
        QVERIFY(has(list.leftOut[0].why, "no file") && has(list.leftOut[1].why, "pipe"));
    }
    void framesDifferOnEveryDrive() {
        const Scratch scratch;
        fs::create_directories(scratch / "in");
        fs::create_directories(scratch / "out");
        for (const char* name : {"in/f1.ply", "in/F1.ply", "in/g.ply", "in/g.pcd"})
            QCOMPARE(cli({"synth", (scratch / name).string(), "--scene", "room", "--points", "3000"}).code,
                     0);
        const auto run = cli({"run", (scratch / "in").string(), "--voxel-size", "0.2", "--mesh",
                              (scratch / "out/m.ply").string()});
        QVERIFY2(run.code == 0, run.err.c_str());
        std::set<std::string> lower;
        for (const std::string& name : namesIn(scratch / "out"))
            lower.insert(QString::fromStdString(name).toLower().toStdString());
        QCOMPARE(lower,
                 (std::set<std::string>{"m_f1.ply.ply", "m_f1.ply_2.ply", "m_g.pcd.ply", "m_g.ply.ply"}));
    }
    void whatIsLeftOutIsOneSentence() {
        std::vector<LeftOut> files{{"/a/b.ply", "it is cut"}};
        QCOMPARE(describeLeftOut(files, 7),
                 std::string("1 of 7 files can't be opened and is left out: b.ply (it is cut)"));
        for (int i = 0; i < 8; ++i)
            files.push_back({"/a/" + std::to_string(i) + ".pcd", "why"});
        QCOMPARE(describeLeftOut(files, 12),
                 std::string("9 of 12 files can't be opened and are left out: b.ply, "
                             "0.pcd, 1.pcd, 2.pcd, 3.pcd and 4 more"));
        QVERIFY(has(describeLeftOut(files, 9), "none of the 9 files can be opened"));
    }
    void allAreReadAheadWhereThereIsRoom() {
        Ahead a;
        a.start(1'000'000'000);
        QTest::qSleep(50);
        QCOMPARE(a.held(), std::string()); // nothing is read ahead before the first request
        QCOMPARE(a.cache->read(2, {}, {})->cloud->size(), std::size_t(100));
        QVERIFY2(a.comesToHold("012345"), a.held().c_str());
        QCOMPARE(a.cache->heldBytes(), 6 * a.frameBytes());
        const auto ahead = a.cache->read(4, {}, {});
        QVERIFY(ahead == a.cache->read(4, {}, {})); // the same object: the frame is not read again
    }
    void theNearestAreHeldWithinTheBudget() {
        Ahead a;
        a.start(3 * a.frameBytes() + 1);
        a.cache->read(0, {}, {});
        QVERIFY2(a.comesToHold("012"), a.held().c_str());
        a.cache->read(4, {}, {}); // reads frame 5 ahead, then continues from the first frame
        QVERIFY2(a.comesToHold("045"), a.held().c_str());
        QVERIFY(a.cache->heldBytes() <= 3 * a.frameBytes() + 1);
    }
    void theCurrentOneIsHeldWhateverItTakes() {
        Ahead a;
        a.start(1);
        for (const std::size_t i : {0, 3, 1}) {
            a.cache->read(i, {}, {});
            QVERIFY2(a.comesToHold(std::to_string(i)), a.held().c_str());
        }
    }
    void brokenFilesAreToldAndTheRestIsRead() {
        Ahead a;
        a.scratch.file("f1.xyz", "no numbers here\n");
        a.scratch.file("f4.xyz", "");
        a.start(1'000'000'000);
        a.cache->read(0, {}, {});
        QVERIFY2(a.comesToHold("0235"), a.held().c_str());
        QCOMPARE(a.cache->problems().size(), std::size_t(2));
        QVERIFY(has(a.cache->at(1).problem, "f1.xyz") && has(a.cache->at(4).problem, "is empty"));
        QVERIFY(says(errorOf([&] { a.cache->read(4, {}, {}); }), "is empty"));
        a.scratch.file("f4.xyz", textOf(9)); // the file is repaired
        QCOMPARE(a.cache->read(4, {}, {})->cloud->size(), std::size_t(9));
        QCOMPARE(a.cache->problems().size(), std::size_t(1));
    }
    void failuresOfReadAheadAreReported() {
        Ahead a;
        const auto read = [](const fs::path& path, const ReadOptions& options, const std::stop_token& stop) {
            if (path.filename() == "f1.xyz")
                throw std::length_error("a list that is too long");
            if (path.filename() == "f2.xyz")
                throw 5;
            return readInput(path, options, stop);
        };
        a.cache = std::make_unique<ScanCache>(
            a.paths, 1'000'000'000, [] {}, read);
        a.thread = std::thread([&a] { a.cache->readAhead(a.stop.get_token()); });
        a.cache->read(0, {}, {});
        QVERIFY2(a.comesToHold("0345"), a.held().c_str());
        QVERIFY2(has(a.cache->at(1).problem, "a list that is too long"), a.cache->at(1).problem.c_str());
        QVERIFY(!a.cache->at(2).problem.empty());
        // read() must not wait forever for a file whose reading ahead has failed
        QVERIFY_EXCEPTION_THROWN(a.cache->read(1, {}, {}), std::length_error);
        QVERIFY2(has(a.cache->at(1).problem, "a list that is too long"), a.cache->at(1).problem.c_str());
    }
    void nobodyWaitsForAFileToBeLookedAt() {
        const Scratch scratch;
        std::vector<fs::path> paths{scratch.file("first.xyz", textOf(100))};
        for (int i = 0; i < 3; ++i)
            paths.push_back(scratch.file("slow" + std::to_string(i) + ".xyz", textOf(100)));
        std::stop_source stop;
        ScanCache cache(paths, 1'000'000'000);
        std::thread thread([&] { cache.readAhead(stop.get_token()); });
        cache.read(0, {}, {});
        double longest = 0;
        for (int i = 0; i < 100; ++i) {
            const WallTimer timer;
            cache.at(0); // the window makes this call whenever it draws the list of scans
            longest = std::max(longest, timer.elapsedMs());
            QTest::qSleep(10);
        }
        stop.request_stop();
        thread.join();
        QVERIFY2(longest < 300, qPrintable(QString::number(longest)));
    }
    void smallFilesAreReadBesideEachOther_data() {
        QTest::addColumn<std::uint64_t>("fileBytes");
        QTest::addColumn<int>("atOnce");
        QTest::newRow("small") << std::uint64_t(1000) << 3;
        QTest::newRow("large") << (std::uint64_t(20) << 20) << 1;
    }
    void smallFilesAreReadBesideEachOther() {
        QFETCH(const std::uint64_t, fileBytes);
        Ahead a;
        const auto scan = readInput(a.paths[0], {}, {});
        for (const fs::path& path : a.paths)
            fs::resize_file(path, fileBytes);
        std::atomic<int> reading = 0, most = 0;
        const auto read = [&](const fs::path& path, const ReadOptions&, const std::stop_token&) {
            const int now = ++reading;
            most = std::max(most.load(), now);
            if (path != a.paths[0])
                QTest::qSleep(100);
            --reading;
            return scan;
        };
        a.cache = std::make_unique<ScanCache>(
            a.paths, 1'000'000'000, [] {}, read);
        a.thread = std::thread([&a] { a.cache->readAhead(a.stop.get_token()); });
        std::vector<std::jthread> others;
        for (int i = 0; i < 2; ++i)
            others.emplace_back(
                [&a](const std::stop_token& stop) { a.cache->readAhead(stop, ScanCache::Prefetch::small); });
        a.cache->read(0, {}, {});
        QVERIFY2(a.comesToHold("012345"), a.held().c_str());
        QTEST(most.load(), "atOnce");
    }
    void aStoppedReadLeavesTheCacheGood() {
        Ahead a;
        a.start(1'000'000'000);
        std::stop_source stop;
        stop.request_stop();
        bool cancelled = false;
        try {
            a.cache->read(0, {}, stop.get_token());
        } catch (const Cancelled&) {
            cancelled = true;
        }
        QVERIFY(cancelled && a.cache->problems().empty());
        QCOMPARE(a.cache->read(0, {}, {})->cloud->size(), std::size_t(100));
    }
    void infoTellsOfEveryFile() {
        Ahead a;
        a.scratch.file("f4.xyz", "");
        const auto all = cli({"info", a.scratch.folder().string(), "--json"});
        QCOMPARE(all.code, 2);
        QVERIFY2(has(all.err, "1 of 6 files can't be opened"), all.err.c_str());
        QVERIFY2(has(all.err, "is empty"), all.err.c_str());
        const auto json = nlohmann::json::parse(all.out);
        QCOMPARE(json.size(), std::size_t(5));
        QCOMPARE(json[4]["points"].get<int>(), 100);
        QVERIFY(json[4]["file"].get<std::string>().ends_with("f5.xyz"));
        const auto two = cli({"info", a.paths[1].string(), a.paths[0].string()});
        QCOMPARE(two.code, 0);
        QVERIFY(has(two.out, "f1.xyz") && two.out.find("f0.xyz") < two.out.find("f1.xyz"));
        const QTemporaryDir empty;
        SCANLOUPE_VERIFY_USER_ERROR(cli({"info", empty.path().toStdString()}), "is empty");
    }
};

SCANLOUPE_TEST(TestManyScans)
#include "test_many_scans.moc"
