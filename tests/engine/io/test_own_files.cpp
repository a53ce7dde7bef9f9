// Removal of files that the program has created: other files are never removed, whatever their name.
#include "engine/io/common/write/own_files.h"
#include "engine/io/common/write/write_atomically.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/resting_process.h"

#include <fmt/format.h>
#include <set>
#include <sys/stat.h>

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
        QVERIFY(removeOwnFile(file)); // a missing file counts as removed
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
        // a link with our name is removed, but not its target
        QCOMPARE(namesIn(top), (std::set<std::string>{"1", "kept"}));
        QCOMPARE(namesIn(top / "1"), std::set<std::string>{"foreign"});
        QCOMPARE(namesIn(top / "kept"), (std::set<std::string>{"2", "own"}));
        QVERIFY(fs::exists(outside) && fs::exists(scratch / "elsewhere" / "own"));
        // a link to a folder does not count as a folder
        fs::create_directory_symlink(scratch / "elsewhere", scratch / "link");
        removeOwnFiles(scratch / "link", isOwn);
        QVERIFY(fs::exists(scratch / "elsewhere" / "own"));
        // if all files are ours, the folder is removed as well
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
            return [&scratch, prefix](const RestingProcess::Rest& rest) {
                const ScratchFolder folder(scratch / prefix);
                std::ofstream(folder.file("7")) << "x";
                rest();
            };
        };
        RestingProcess killed(leave("job-")), other(leave("other-")), living(leave("job-"));
        QVERIFY(killed.isReady() && other.isReady() && living.isReady());
        // folders with similar names
        fs::create_directory(scratch / "job-abcdef"); // this folder has no lock file
        std::ofstream(scratch / "job-abcdef" / "7.scratch") << "x";
        for (const char* name : {"job-abcdefg", "job-"}) { // names of another length
            fs::create_directory(scratch / name);
            std::ofstream(scratch / name / "lock").close();
            std::ofstream(scratch / name / "7.scratch") << "x";
        }
        fs::create_directory_symlink(scratch / "job-abcdefg", scratch / "job-ghijkl");
        std::ofstream(scratch / "job-mnopqr") << "x";
        fs::create_directories(scratch / "job-stuvwx" / "lock"); // a folder instead of the lock file
        const std::size_t all = scratch.entries();
        ScratchFolder::removeAbandoned(scratch / "job-");
        QCOMPARE(scratch.entries(), all); // all owners are still alive, so that nothing is removed
        killed.kill();
        other.kill();
        ScratchFolder::removeAbandoned(scratch / "job-");
        QCOMPARE(scratch.entries(), all - 1); // the folder of `other` has another prefix
        living.kill();
        ScratchFolder::removeAbandoned(scratch / "job-");
        QCOMPARE(scratch.entries(), all - 2);
        QVERIFY(fs::exists(scratch / "job-abcdef" / "7.scratch"));
        QVERIFY(fs::exists(scratch / "job-abcdefg" / "7.scratch"));
        ScratchFolder::removeAbandoned(scratch / "other-");
        QCOMPARE(scratch.entries(), all - 3);
    }

    /// Folders of other programs may have any name and contain any files. Without the proof file they are
    /// kept.
    void foldersWithoutTheProofStay() {
        const Scratch scratch;
        const auto isOwn = [](const fs::path&) { return true; };
        fs::path made;
        RestingProcess killed([&](const RestingProcess::Rest& rest) {
            const ScratchFolder folder(scratch / "job-");
            rest();
        });
        QVERIFY(killed.isReady());
        killed.kill();
        made = scratch / *namesIn(scratch.folder()).begin();
        const fs::path proof = made / *namesIn(made).begin();
        const std::string content = contentOf(proof);
        QVERIFY(content.find(made.filename().string()) != std::string::npos);
        const auto prepare = [&](const char* name, const std::string& file, const std::string& text) {
            fs::create_directory(scratch / name);
            std::ofstream(scratch / name / file) << text;
            std::ofstream(scratch / name / "1.scratch") << "mine";
        };
        const std::string proofName = proof.filename().string();
        prepare("job-tiles1", "lock", "");
        prepare("job-tiles2", proofName, "");
        prepare("job-tiles3", proofName, content); // the proof file of another folder
        prepare("job-tiles4", "lock", content);
        prepare("job-tiles5", proofName, content.substr(0, content.find('\n') + 1) + "job-tiles5");
        ScratchFolder::removeAbandoned(scratch / "job-", isOwn);
        QVERIFY(!fs::exists(made));
        for (const char* name : {"job-tiles1", "job-tiles2", "job-tiles3", "job-tiles4", "job-tiles5"})
            QCOMPARE(namesIn(scratch / name).size(), std::size_t(2));
    }

    void foldersInScratchFoldersStay() {
        const Scratch scratch;
        fs::path folder;
        {
            const ScratchFolder made(scratch / "job-", [](const fs::path&) { return true; });
            folder = made.path();
            fs::create_directory(folder / "more.scratch");
            std::ofstream(folder / "more.scratch" / "1.scratch") << "mine";
            std::ofstream(made.file("1")) << "x";
            fs::create_symlink("more.scratch", folder / "link.scratch");
            QCOMPARE(::mkfifo((folder / "pipe.scratch").c_str(), 0600), 0);
        }
        QCOMPARE(namesIn(folder), (std::set<std::string>{"more.scratch", "pipe.scratch"}));
        QVERIFY(fs::exists(folder / "more.scratch" / "1.scratch"));
    }

    void temporaryFilesOfKilledWritersAreRemoved() {
        const Scratch scratch;
        const auto write = [&](const fs::path& path) {
            return [path](const RestingProcess::Rest& rest) {
                writeAtomically(path, [&](std::ostream& stream) {
                    stream << std::string(3 << 20, 'x');
                    stream.flush();
                    rest();
                });
            };
        };
        const fs::path old = scratch.file("old.ply", "old");
        RestingProcess killed(write(old));
        QVERIFY(killed.isReady());
        auto names = namesIn(scratch.folder());
        names.erase("old.ply");
        QCOMPARE(names.size(), std::size_t(1));
        const std::string abandoned = *names.begin();
        QVERIFY(abandoned.starts_with(".sl-") && abandoned.ends_with(".tmp"));
        killed.kill();
        QCOMPARE(contentOf(old), std::string("old"));
        RestingProcess living(write(scratch / "new.ply"));
        QVERIFY(living.isReady());
        // writing in the second process has removed the abandoned file of the first one
        names = namesIn(scratch.folder());
        QVERIFY(!names.contains(abandoned));
        QCOMPARE(names.size(), std::size_t(2));
        // a third process creates another temporary file, and is killed as well
        const Scratch elsewhere;
        std::string third;
        {
            const RestingProcess again(write(elsewhere / "third.ply"));
            QVERIFY(again.isReady());
            third = *namesIn(elsewhere.folder()).begin();
        }
        fs::rename(elsewhere / third, scratch / third);
        // similar names, and names of the same form from other hosts
        const auto changed = [&](std::size_t at, char to) {
            std::string name = third;
            name[at] = name[at] == to ? char(to + 1) : to;
            return name;
        };
        for (const std::string& name :
             {std::string(".slide.tmp"), std::string(".sl12345.tmp"), std::string(".sl-.tmp"),
              changed(4, '0'), changed(third.size() - 5, 'g'), changed(third.size() - 5, 'A'), third + "x",
              "x" + third, third.substr(1), std::string(third).insert(13, 1, '0')})
            scratch.file(name, "mine");
        fs::create_directory(scratch / changed(15, '0'));
        fs::create_symlink("old.ply", scratch / changed(16, '0'));
        QCOMPARE(::mkfifo((scratch / changed(17, '0')).c_str(), 0600), 0);
        names = namesIn(scratch.folder());
        writeAtomically(scratch / "fourth.ply", [](std::ostream& stream) { stream << "x"; });
        names.insert("fourth.ply");
        names.erase(third);
        QCOMPARE(namesIn(scratch.folder()), names);
        QCOMPARE(contentOf(old), std::string("old"));
    }

    /// Each writer searches the common folder for abandoned files, while other writers are about to rename
    /// theirs.
    void concurrentWritersKeepTheirFiles() {
        constexpr int processes = 4, writes = 60;
        const Scratch scratch, links;
        std::vector<::pid_t> children;
        for (int process = 0; process < processes; ++process) {
            for (int i = 0; i < writes; ++i) // a process searches each path only once, so that every write
                                             // uses another path to the folder
                fs::create_directory_symlink(scratch.folder(), links / fmt::format("{} {}", process, i));
            const ::pid_t child = ::fork();
            if (child == 0) {
                bool isWell = true;
                for (int i = 0; i < writes && isWell; ++i)
                    isWell = !errorOf([&] {
                        writeAtomically(links / fmt::format("{} {}", process, i) /
                                            fmt::format("{}.txt", process),
                                        [&](std::ostream& stream) { stream << i; });
                    });
                ::_exit(isWell ? 0 : 1);
            }
            children.push_back(child);
        }
        for (const ::pid_t child : children) {
            int status = 1;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QCOMPARE(status, 0);
        }
        QCOMPARE(scratch.entries(), std::size_t(processes));
        for (int process = 0; process < processes; ++process)
            QCOMPARE(contentOf(scratch / fmt::format("{}.txt", process)), std::to_string(writes - 1));
    }
};

SCANLOUPE_TEST(TestOwnFiles)
#include "test_own_files.moc"
