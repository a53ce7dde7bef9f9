// Unusual output targets: links, pipes, files of other users, read-only folders.
#include "engine/io/common/output_target.h"
#include "engine/io/common/write/write_options.h"
#include "tests/engine/io/test_io_support.h"

#include <chrono>
#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <thread>
#include <unistd.h>

using namespace scanloupe;
using namespace scanloupe::test;

namespace fs = std::filesystem;

namespace {

void writeNew(const fs::path& path) {
    writeAtomically(path, [](std::ostream& stream) { stream << "new"; });
}

struct stat lookAt(const fs::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0)
        qFatal("%s is not there", path.c_str());
    return info;
}

/// An access control list that lets user 4321 read, in Linux's binary layout: acl(5),
/// include/uapi/linux/posix_acl_xattr.h.
std::string listForUser4321() {
    std::string list;
    put(list, std::uint32_t{2});
    const auto entry = [&list](int tag, int rights, std::uint32_t id) {
        put(list, std::uint16_t(tag));
        put(list, std::uint16_t(rights));
        put(list, id);
    };
    constexpr std::uint32_t none = 0xffffffffu;
    entry(0x01, 6, none); // the owner
    entry(0x02, 4, 4321);
    entry(0x04, 4, none); // the group
    entry(0x10, 4, none); // the mask
    entry(0x20, 0, none); // others
    return list;
}

int readNumber(const char* path) {
    int number = -1;
    std::ifstream(path) >> number;
    return number;
}

std::string extendedAttribute(const fs::path& path, const char* name) {
    char value[512];
    const auto size = ::getxattr(path.c_str(), name, value, sizeof value);
    return size < 0 ? std::string() : std::string(value, std::size_t(size));
}

} // namespace

class TestWriteTargets : public QObject {
    Q_OBJECT
private slots:
    /// COPC can't be written, and a plain LAZ with the double ending of COPC would be misleading.
    void namesOfCopcAreRefused() {
        const Scratch scratch;
        const std::vector<std::string> endings{".las", ".laz"};
        const PointCloud cloud(FloatPositions{}, {}, {});
        for (const char* name : {"o.copc.laz", "O.COPC.LAZ"}) {
            const auto error = errorOf([&] { writeCloud(scratch / name, cloud, {}, {}); });
            QVERIFY(says(error, "can't be written"));
            QVERIFY(QString::fromStdString(error->nextStep()).contains(".laz'"));
            QVERIFY(says(errorOf([&] { outputTarget((scratch / name).string(), endings, ""); }), "COPC"));
        }
        QCOMPARE(scratch.entries(), std::size_t(0));
        QCOMPARE(outputTarget("laz:o.copc.laz", endings, "").ending, std::string(".laz"));
        QCOMPARE(outputTarget("copc.laz", endings, "").ending, std::string(".laz"));
    }
    void replacedFilesKeepOwnerGroupAndRights() {
        if (::geteuid() != 0)
            QSKIP("only root can make a file of somebody else");
        const Scratch scratch;
        const auto path = scratch.file("a.txt", "old");
        QCOMPARE(::chown(path.c_str(), 4242, 4343), 0);
        fs::permissions(path, fs::perms(0640));
        writeNew(path);
        QCOMPARE(contentOf(path), std::string("new"));
        const struct stat info = lookAt(path);
        QCOMPARE(info.st_uid, ::uid_t(4242));
        QCOMPARE(info.st_gid, ::gid_t(4343));
        QCOMPARE(info.st_mode & 07777, ::mode_t(0640));
    }
    void aGroupThatCantBeKeptGainsNothing() {
        if (::geteuid() != 0)
            QSKIP("only root can become somebody who may not give files away");
        const Scratch scratch;
        fs::permissions(scratch.folder(), fs::perms(0777));
        const auto path = scratch.file("a.txt", "old");
        QCOMPARE(::chown(path.c_str(), 4242, 4343), 0);
        fs::permissions(path, fs::perms(0662)); // others may write: this allows replacing the file
        // becomes user 5151 of group 5252, who may set neither the owner nor the group
        QVERIFY(::setegid(5252) == 0 && ::setgroups(0, nullptr) == 0 && ::seteuid(5151) == 0);
        const auto error = errorOf([&] { writeNew(path); });
        QVERIFY(::seteuid(0) == 0 && ::setegid(0) == 0);
        QVERIFY2(!error, error ? error->what() : "");
        const struct stat info = lookAt(path);
        QCOMPARE(info.st_uid, ::uid_t(5151));
        QCOMPARE(info.st_gid, ::gid_t(5252));
        // permissions of the group are reduced to those of others
        QCOMPARE(info.st_mode & 07777, ::mode_t(0622));
    }
    void replacedFilesKeepExtendedAttributes() {
        const Scratch scratch;
        const auto path = scratch.file("a.txt", "old");
        if (::setxattr(path.c_str(), "user.origin", "lidar 3", 7, 0) != 0)
            QSKIP("this file system has no extended attributes");
        const std::string list = listForUser4321();
        const bool lists =
            ::setxattr(path.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) == 0;
        writeNew(path);
        QCOMPARE(contentOf(path), std::string("new"));
        QCOMPARE(extendedAttribute(path, "user.origin"), std::string("lidar 3"));
        if (lists)
            QVERIFY(extendedAttribute(path, "system.posix_acl_access") == list);
    }
    void aFoldersOwnListDoesNotWidenAReplacedFile() {
        const Scratch scratch;
        const auto path = scratch.file("a.txt", "old");
        const std::string list = listForUser4321();
        if (::setxattr(scratch.folder().c_str(), "system.posix_acl_default", list.data(), list.size(), 0) !=
            0)
            QSKIP("this file system has no access control lists");
        writeNew(scratch / "b.txt");
        QVERIFY(!extendedAttribute(scratch / "b.txt", "system.posix_acl_access").empty());
        writeNew(path); // path exists already
        QVERIFY(extendedAttribute(path, "system.posix_acl_access").empty());
    }
    void linksThatTheSystemDoesNotFollow() {
        if (::geteuid() != 0 || readNumber("/proc/sys/fs/protected_symlinks") != 1)
            QSKIP("the system follows all links here, or nobody else's link can be made");
        const Scratch scratch;
        // a folder like /tmp, with a link that another user has created
        const auto shared = scratch / "shared";
        std::filesystem::create_directory(shared);
        QCOMPARE(::chmod(shared.c_str(), 01777), 0);
        const auto precious = scratch.file("precious.txt", "old");
        fs::create_symlink(precious, shared / "out.txt");
        QCOMPARE(::lchown((shared / "out.txt").c_str(), 4242, 4343), 0);
        QVERIFY(errorOf([&] { writeNew(shared / "out.txt"); }));
        QCOMPARE(contentOf(precious), std::string("old"));
    }
    void newFilesHaveTheUsualRights() {
        const Scratch scratch;
        const ::mode_t mask = ::umask(027);
        writeNew(scratch / "a.txt");
        ::umask(mask);
        QCOMPARE(lookAt(scratch / "a.txt").st_mode & 07777, ::mode_t(0640));
    }

    void linksToWhatIsNotThereYetAreWrittenThrough() {
        const Scratch scratch;
        fs::create_directory(scratch / "there");
        // the target is relative to the folder of the link
        fs::create_symlink("there/real.txt", scratch / "link.txt");
        fs::create_symlink("../link.txt", scratch / "there/second.txt");
        writeNew(scratch / "there/second.txt");
        QCOMPARE(contentOf(scratch / "there/real.txt"), std::string("new"));
        QVERIFY(fs::is_symlink(scratch / "link.txt") && fs::is_symlink(scratch / "there/second.txt"));
        QVERIFY(!fs::is_symlink(scratch / "there/real.txt"));
    }
    void danglingLinksAreReported() {
        const Scratch scratch;
        fs::create_symlink("missing/real.txt", scratch / "link.txt");
        const auto missing = errorOf([&] { writeNew(scratch / "link.txt"); });
        QVERIFY2(says(missing, "there is no folder"), missing ? missing->what() : "no error");
        QVERIFY2(says(missing, "missing"), missing->what());
        fs::create_symlink("b.txt", scratch / "a.txt");
        fs::create_symlink("a.txt", scratch / "b.txt");
        const auto round = errorOf([&] { writeNew(scratch / "a.txt"); });
        QVERIFY2(says(round, "can't be written"), round ? round->what() : "no error");
        QVERIFY(fs::is_symlink(scratch / "link.txt") && fs::is_symlink(scratch / "a.txt"));
        QCOMPARE(scratch.entries(), std::size_t(3));
    }
    void foldersThatTakeNoFiles() {
        const auto error = errorOf([] { writeNew("/proc/scanloupe.txt"); });
        QVERIFY(error);
        QVERIFY2(!says(error, "there is no folder"), error->what());
        QVERIFY2(says(error, "/proc"), error->what());
    }

    void pipesTakeTheBytes() {
        const Scratch scratch;
        const auto pipe = scratch / "pipe";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        std::string got;
        std::thread reader([&] { got = contentOf(pipe); });
        const std::string much(300'000, 'x'); // exceeds the buffer of a pipe
        writeAtomically(pipe, [&](std::ostream& stream) { stream << much; });
        reader.join();
        QVERIFY(got == much);
        QVERIFY(fs::is_fifo(pipe));
    }
    void aPipeThatNobodyReadsCanBeStopped_data() {
        QTest::addColumn<bool>("opened");
        QTest::newRow("nobody has opened it") << false;
        QTest::newRow("somebody has, and does not read") << true;
    }
    void aPipeThatNobodyReadsCanBeStopped() {
        QFETCH(bool, opened);
        const Scratch scratch;
        const auto pipe = scratch / "pipe";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        const int reader = opened ? ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK) : -1;
        std::stop_source stop;
        std::thread later([&stop] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            stop.request_stop();
        });
        const auto write = [](std::ostream& stream) { stream << std::string(5'000'000, 'x'); };
        QVERIFY_EXCEPTION_THROWN(writeAtomically(pipe, write, stop.get_token()), Cancelled);
        later.join();
        if (opened)
            ::close(reader);
        else // the pipe has no reader: writing fails at once, and there is nothing to stop
            QVERIFY(says(errorOf([&] { writeAtomically(pipe, write); }), "has no reader"));
    }
};

SCANLOUPE_TEST(TestWriteTargets)
#include "test_write_targets.moc"
