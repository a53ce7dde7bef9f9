// Removal of files that the program has created: nothing else goes, whatever its name.
#include "engine/io/common/write/own_files.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/resting_process.h"

#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

namespace fs = std::filesystem;

std::set<std::string> namesIn(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.insert(entry.path().filename().string());
    return names;
}

} // namespace

class TestOwnFiles : public QObject {
    Q_OBJECT
private slots:
    void filesAndLinksAreRemovedAndFoldersStay() {
        const Scratch scratch;
        const auto file = scratch.file("file", "x"), other = scratch.file("other", "y");
        fs::create_symlink(other, scratch / "link");
        fs::create_directory(scratch / "folder");
        fs::create_directory_symlink(scratch / "folder", scratch / "to folder");
        QVERIFY(removeOwnFile(file));
        QVERIFY(removeOwnFile(file)); // its name is free
        QVERIFY(removeOwnFile(scratch / "link"));
        QVERIFY(removeOwnFile(scratch / "to folder"));
        QVERIFY(!removeOwnFile(scratch / "folder"));
        QCOMPARE(namesIn(scratch.folder()), (std::set<std::string>{"folder", "other"}));
    }

    void onlyOwnFilesOfAFolderAreRemoved() {
        const Scratch scratch;
        const fs::path top = scratch / "top";
        for (const char* folder : {"0/more", "1", "kept", "kept/2"})
            fs::create_directories(top / folder);
        for (const char* file : {"0/own", "0/more/own", "1/own", "1/foreign", "kept/own", "own"})
            std::ofstream(top / file) << "x";
        const auto outside = scratch.file("own", "x");
        fs::create_directory(scratch / "elsewhere");
        std::ofstream(scratch / "elsewhere" / "own") << "x";
        fs::create_directory_symlink(scratch / "elsewhere", top / "3");
        const auto isOwn = [](const fs::path& path) {
            const std::string name = path.filename().string();
            return name == "own" || name == "more" || name.size() == 1;
        };
        removeOwnFiles(top, isOwn);
        QCOMPARE(namesIn(top), (std::set<std::string>{"1", "kept"})); // the link is own; not what is in it
        QCOMPARE(namesIn(top / "1"), std::set<std::string>{"foreign"});
        QCOMPARE(namesIn(top / "kept"), (std::set<std::string>{"2", "own"}));
        QVERIFY(fs::exists(outside) && fs::exists(scratch / "elsewhere" / "own"));
        // a link to a folder is no folder
        fs::create_directory_symlink(scratch / "elsewhere", scratch / "link");
        removeOwnFiles(scratch / "link", isOwn);
        QVERIFY(fs::exists(scratch / "elsewhere" / "own"));
        // all is own: nothing is left
        removeOwnFiles(top, [](const fs::path&) { return true; });
        QVERIFY(!fs::exists(top));
    }

    void scratchFoldersHaveNamesOfTheirOwn() {
        const Scratch scratch;
        {
            const ScratchFolder first(scratch / "points-"), second(scratch / "points-");
            QVERIFY(first.path() != second.path());
            QVERIFY(first.path().filename().string().starts_with("points-"));
            std::ofstream(first.file("7")) << "x";
            std::ofstream(second.file("7")) << "x";
            QCOMPARE(scratch.entries(), std::size_t(2));
        }
        QCOMPARE(scratch.entries(), std::size_t(0));
        fs::path folder;
        {
            const ScratchFolder third(scratch / "points-");
            folder = third.path();
            std::ofstream(third.file("7")) << "x";
            std::ofstream(folder / "foreign.ply") << "x";
        }
        QCOMPARE(namesIn(folder), std::set<std::string>{"foreign.ply"});
        QVERIFY(says(errorOf([&] { const ScratchFolder none(scratch / "nowhere" / "points-"); }), "nowhere"));
    }

    void scratchOfKilledProcessesIsRemoved() {
        const Scratch scratch;
        const auto leave = [&](const char* prefix) {
            return [&scratch, prefix] {
                static const ScratchFolder folder(scratch / prefix);
                std::ofstream(folder.file("7")) << "x";
            };
        };
        RestingProcess killed(leave("job-")), other(leave("other-")), living(leave("job-"));
        QVERIFY(killed.isReady() && other.isReady() && living.isReady());
        // names that look alike
        fs::create_directory(scratch / "job-abcdef"); // without a lock file
        std::ofstream(scratch / "job-abcdef" / "7.scratch") << "x";
        for (const char* name : {"job-abcdefg", "job-"}) { // another length
            fs::create_directory(scratch / name);
            std::ofstream(scratch / name / "lock").close();
            std::ofstream(scratch / name / "7.scratch") << "x";
        }
        fs::create_directory_symlink(scratch / "job-abcdefg", scratch / "job-ghijkl");
        std::ofstream(scratch / "job-mnopqr") << "x";
        fs::create_directories(scratch / "job-stuvwx" / "lock"); // a folder in place of the lock file
        const std::size_t all = scratch.entries();
        ScratchFolder::removeAbandoned(scratch / "job-");
        QCOMPARE(scratch.entries(), all); // all processes live
        killed.kill();
        other.kill();
        ScratchFolder::removeAbandoned(scratch / "job-");
        QCOMPARE(scratch.entries(), all - 1); // that of `other` is of another job
        living.kill();
        ScratchFolder::removeAbandoned(scratch / "job-");
        QCOMPARE(scratch.entries(), all - 2);
        QVERIFY(fs::exists(scratch / "job-abcdef" / "7.scratch"));
        QVERIFY(fs::exists(scratch / "job-abcdefg" / "7.scratch"));
        ScratchFolder::removeAbandoned(scratch / "other-");
        QCOMPARE(scratch.entries(), all - 3);
    }
};

QTEST_APPLESS_MAIN(TestOwnFiles)
#include "test_own_files.moc"
