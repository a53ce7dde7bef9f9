// Several files and folders: which of them are scans, and those that come next are read ahead.
#include "engine/io/scan_cache.h"
#include "tests/engine/test_cli_support.h"
#include "tests/engine/test_io_support.h"

#include <thread>

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

/// Six frames of 100 points, in a cache with a thread that reads ahead.
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
        QTest::qSleep(60); // and it stays so
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
        const auto alone = scratch.file("alone.dat", textOf(5)); // text by content, and chosen by its name
        const std::vector<fs::path> paths{scratch / "drive", alone, scratch / "missing.ply", alone};
        const ScanList list = findScans(paths, {});
        QCOMPARE(namesOf(list.scans), (std::vector<std::string>{"alone.dat", "ct.raw", "f2.xyz", "f10.xyz"}));
        QCOMPARE(list.leftOut.size(), std::size_t(3));
        QVERIFY(list.leftOut[0].path.filename() == "empty.ply" && has(list.leftOut[0].why, "is empty"));
        QVERIFY(list.leftOut[1].path.filename() == "notes.md" && has(list.leftOut[1].why, "no format"));
        QVERIFY(list.leftOut[2].path.filename() == "missing.ply" && has(list.leftOut[2].why, "no file"));
    }
    void whatIsLeftOutIsOneSentence() {
        std::vector<LeftOut> files{{"/a/b.ply", "it is cut"}};
        QCOMPARE(sentenceOn(files, 7),
                 std::string("1 of 7 files can't be opened and is left out: b.ply (it is cut)"));
        for (int i = 0; i < 8; ++i)
            files.push_back({"/a/" + std::to_string(i) + ".pcd", "why"});
        QCOMPARE(sentenceOn(files, 12), std::string("9 of 12 files can't be opened and are left out: b.ply, "
                                                    "0.pcd, 1.pcd, 2.pcd, 3.pcd and 4 more"));
        QVERIFY(has(sentenceOn(files, 9), "none of 9 files can be opened"));
    }
    void allAreReadAheadWhereThereIsRoom() {
        Ahead a;
        a.start(1'000'000'000);
        QTest::qSleep(50);
        QCOMPARE(a.held(), std::string()); // nothing before the first was wanted
        QCOMPARE(a.cache->read(2, {}, {})->cloud->size(), std::size_t(100));
        QVERIFY2(a.comesToHold("012345"), a.held().c_str());
        QCOMPARE(a.cache->heldBytes(), 6 * a.frameBytes());
        const auto ahead = a.cache->read(4, {}, {});
        QVERIFY(ahead == a.cache->read(4, {}, {})); // the same, not read again
    }
    void theNearestAreHeldWithinTheBudget() {
        Ahead a;
        a.start(3 * a.frameBytes() + 1);
        a.cache->read(0, {}, {});
        QVERIFY2(a.comesToHold("012"), a.held().c_str());
        a.cache->read(4, {}, {}); // 5, then from the front
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
        a.scratch.file("f4.xyz", textOf(9)); // mended
        QCOMPARE(a.cache->read(4, {}, {})->cloud->size(), std::size_t(9));
        QCOMPARE(a.cache->problems().size(), std::size_t(1));
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

QTEST_APPLESS_MAIN(TestManyScans)
#include "test_many_scans.moc"
