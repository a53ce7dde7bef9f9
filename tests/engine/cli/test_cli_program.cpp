// The installed program: exit codes, pipes, resource limits, Ctrl-C.
#include "tests/engine/cli/test_cli_support.h"

#include <QProcess>
#include <csignal>
#include <cstdlib>
#include <sys/mount.h>
#include <unistd.h>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Runs a shell command line in which $CLI is the path of the program.
CliResult shell(const std::string& line) {
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("CLI", SCANLOUPE_CLI);
    process.setProcessEnvironment(environment);
    process.start("bash", {"-c", QString::fromStdString(line)});
    if (!process.waitForFinished(120000))
        return {-1, "", "it did not end"};
    CliResult result;
    result.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    result.out = process.readAllStandardOutput().toStdString();
    result.err = process.readAllStandardError().toStdString();
    return result;
}

} // namespace

class TestCliProgram : public QObject {
    Q_OBJECT
    std::unique_ptr<CliFixture> m_fixture;
    std::string path(const std::string& name) const { return m_fixture->path(name); }

private slots:
    void initTestCase() { m_fixture = std::make_unique<CliFixture>(); }

    void exitCodesAndStreams() {
        const auto version = shell("\"$CLI\" --version");
        QCOMPARE(version.code, 0);
        QVERIFY(version.err.empty());
        const auto info = shell("\"$CLI\" info '" + m_fixture->scan() + "' --json");
        QCOMPARE(info.code, 0);
        // standard output is valid JSON, because progress is written to standard error
        QCOMPARE(Json::parse(info.out).at("points").get<int>(), 20000);
        SCANLOUPE_VERIFY_USER_ERROR(shell("\"$CLI\" info /no/such.ply"), "/no/such.ply");
        SCANLOUPE_VERIFY_USER_ERROR(shell("\"$CLI\" recipe --list >/dev/full"), "Standard output");
    }
    void doctorAsksTheWindow() {
        if (!std::filesystem::exists(std::filesystem::path(SCANLOUPE_CLI).parent_path() / "scanloupe"))
            QSKIP("the window's program was not built");
        const auto doctor = shell("QT_QPA_PLATFORM=offscreen \"$CLI\" doctor"); // works without a display
        QCOMPARE(doctor.code, 0);
        for (const char* line : {"\nok   window ", " OpenGL ", " interop "})
            QVERIFY2(doctor.out.find(line) != std::string::npos, doctor.out.c_str());
        QCOMPARE(missingWithoutAdvice(doctor.out), std::string());
    }
    void linksNeitherQtNorOpenGl() {
        const auto libraries = shell("ldd \"$CLI\"");
        QCOMPARE(libraries.code, 0);
        QVERIFY(libraries.out.find("libQt") == std::string::npos);
        QVERIFY(libraries.out.find("libGL") == std::string::npos);
    }

    void aFileLimitLeavesNothing() {
        // the limit ends a write in the middle, as a full disk does
        writeFile(path("kept.ply"), "kept");
        const auto before = namesIn(m_fixture->folder());
        const auto result = shell("trap '' XFSZ; ulimit -f 64; \"$CLI\" convert '" + m_fixture->scan() +
                                  "' '" + path("kept.ply") + "'");
        SCANLOUPE_VERIFY_USER_ERROR(result, "kept.ply");
        QCOMPARE(readFile(path("kept.ply")), std::string("kept"));
        QVERIFY(namesIn(m_fixture->folder()) == before);
    }
    void aFileLimitIsNoSignal() {
        // by default, the signal SIGXFSZ would end the program and leave its temporary file behind
        const auto before = namesIn(m_fixture->folder());
        const auto result =
            shell("ulimit -f 64; \"$CLI\" convert '" + m_fixture->scan() + "' '" + path("new.ply") + "'");
        SCANLOUPE_VERIFY_USER_ERROR(result, "new.ply");
        QVERIFY(namesIn(m_fixture->folder()) == before);
    }
    void aFullDiskLeavesNothing() {
        const std::string disk = path("disk");
        std::filesystem::create_directory(disk);
        if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=256k") != 0)
            QSKIP("only root can make a small disk to fill; aFileLimitLeavesNothing shows the same");
        writeFile(disk + "/mesh.ply", "kept");
        const auto mesh = cli({"run", m_fixture->scan(), "--mesh", disk + "/mesh.ply"});
        const auto image = cli({"run", m_fixture->scan(), "--image", disk + "/p.png", "--show", "points"});
        const auto cloud = cli({"convert", m_fixture->scan(), disk + "/cloud.pcd"});
        const std::string kept = readFile(disk + "/mesh.ply");
        const auto left = namesIn(disk);
        umount(disk.c_str());
        SCANLOUPE_VERIFY_USER_ERROR(mesh, "full");
        SCANLOUPE_VERIFY_USER_ERROR(cloud, "full");
        if (image.code != 0)
            SCANLOUPE_VERIFY_USER_ERROR(image, "full");
        QCOMPARE(kept, std::string("kept"));
        QVERIFY(left.size() == (image.code == 0 ? 2u : 1u));
    }
    void lowMemoryIsReported() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("the sanitizer itself needs more address space than the limit");
#endif
        const auto result =
            shell("ulimit -v 700000; \"$CLI\" synth '" + path("big.ply") + "' --points 30000000");
        SCANLOUPE_VERIFY_USER_ERROR(result, "memory");
        QVERIFY(!std::filesystem::exists(path("big.ply")));
    }

    void aScanThatExceedsMemoryIsRejected() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("the sanitizer itself needs more address space than the limit");
#endif
        writeFile(path("sparse.bin"), "");
        std::filesystem::resize_file(path("sparse.bin"), std::uintmax_t{1} << 30); // a sparse file
        const auto result =
            shell("ulimit -v 1000000; \"$CLI\" info --columns 4 '" + path("sparse.bin") + "'");
        SCANLOUPE_VERIFY_USER_ERROR(result, "needs 1.0 GiB of memory");
        QVERIFY2(result.err.find("are available") != std::string::npos, result.err.c_str());
        QVERIFY2(result.err.find("sparse.bin") != std::string::npos, result.err.c_str());
        std::filesystem::remove(path("sparse.bin"));
    }

    void pipesAsInputAreRefused() {
        // opening a named pipe as a file would block until somebody writes to it
        writeFile(path("ct.raw"), std::string(8, 'x'));
        QCOMPARE(shell("mkfifo '" + path("ct.json") + "' '" + path("pipe.json") + "'").code, 0);
        SCANLOUPE_VERIFY_USER_ERROR(shell("timeout -k 1 10 \"$CLI\" info '" + path("ct.raw") + "'"),
                                    "ct.json");
        SCANLOUPE_VERIFY_USER_ERROR(shell("timeout -k 1 10 \"$CLI\" run '" + m_fixture->scan() +
                                          "' --recipe '" + path("pipe.json") + "'"),
                                    "pipe.json");
        for (const char* name : {"ct.raw", "ct.json", "pipe.json"})
            std::filesystem::remove(path(name));
    }
    void nestedRecipesAreRefused() {
        const std::string deep(200'000, '[');
        writeFile(path("deep.json"),
                  R"({"scanloupe_recipe": 1, "iso": )" + deep + std::string(deep.size(), ']') + "}");
        SCANLOUPE_VERIFY_USER_ERROR(
            shell("\"$CLI\" run '" + m_fixture->scan() + "' --recipe '" + path("deep.json") + "'"), "nested");
        writeFile(path("vol.raw"), std::string(8, 'x'));
        writeFile(path("vol.json"), R"({"dims": )" + deep + std::string(deep.size(), ']') + "}");
        SCANLOUPE_VERIFY_USER_ERROR(shell("\"$CLI\" info '" + path("vol.raw") + "'"), "nested");
        for (const char* name : {"deep.json", "vol.raw", "vol.json"})
            std::filesystem::remove(path(name));
    }
    void pipesCarryInputsAndOutputs() {
        const std::filesystem::path folder = path("pipes");
        std::filesystem::create_directories(folder / "tmp");
        const std::string in = "cd '" + folder.string() + "' && export TMPDIR=$PWD/tmp SCAN='" +
                               m_fixture->scan() + "' && set -euo pipefail && ";
        const auto files =
            shell(in + "\"$CLI\" run \"$SCAN\" --voxels v.npz --mesh m.ply --save-recipe r.json -q");
        QVERIFY2(files.code == 0, files.err.c_str());
        for (const char* line : {
                 "cat \"$SCAN\" | \"$CLI\" run - --voxels npz:- -q | cmp - v.npz",
                 "\"$CLI\" run /dev/stdin --mesh ply:- -q < \"$SCAN\" | cmp - m.ply",
                 "\"$CLI\" run <(cat \"$SCAN\") --recipe <(cat r.json) --mesh ply:/dev/stdout -q | cmp - "
                 "m.ply",
                 "\"$CLI\" run \"$SCAN\" --stages voxels --timings csv:- -q | grep -q '^scan,stage,backend'",
                 "\"$CLI\" run \"$SCAN\" --recipe - --save-recipe - -q < r.json | cmp - r.json",
                 "\"$CLI\" convert - csv:- -q < \"$SCAN\" | \"$CLI\" info csv:- --json | grep -q "
                 "'\"points\": 20000'",
                 "\"$CLI\" align \"$SCAN\" <(cat \"$SCAN\") --poses tum:- -q | grep -c '^[01] ' | grep -qx 2",
                 "\"$CLI\" synth ply:- --points 1000 -q | \"$CLI\" info - -q",
                 // existing content before and after the output is kept
                 "(echo first; \"$CLI\" run \"$SCAN\" --stages voxels --voxels csv:- -q; echo last) "
                 ">all.txt; "
                 "grep -qx first all.txt; tail -n 1 all.txt | grep -qx last; grep -q ^ix,iy all.txt",
                 "echo first >all.txt; \"$CLI\" recipe --out - -q >>all.txt; head -n 1 all.txt | grep -qx "
                 "first",
                 "[[ -z $(ls tmp) ]]",
             }) {
            const auto result = shell(in + line);
            QVERIFY2(result.code == 0,
                     fmt::format("{}: {}: {}{}", line, result.code, result.out, result.err).c_str());
        }
        const auto nothing = shell(in + "\"$CLI\" info - </dev/null");
        SCANLOUPE_VERIFY_USER_ERROR(nothing, "empty");
        const auto untold = shell(in + "head -c 4000 /dev/urandom | \"$CLI\" info -");
        SCANLOUPE_VERIFY_USER_ERROR(untold, "bin:-");
        const auto twice = shell(in + "\"$CLI\" run \"$SCAN\" --voxels npz:- --mesh ply:-");
        SCANLOUPE_VERIFY_USER_ERROR(twice, "both be written");
        std::filesystem::remove_all(folder);
    }
    void textGoesToStandardErrorWhileDataGoesToStandardOutput() {
        const auto result = shell("\"$CLI\" run '" + m_fixture->scan() + "' --stages voxels --voxels csv:-");
        QCOMPARE(result.code, 0);
        QVERIFY2(result.out.starts_with("ix,iy,iz"), result.out.substr(0, 100).c_str());
        QVERIFY2(result.err.find("voxelize") != std::string::npos, result.err.c_str());
    }
    void aReaderThatHasSeenEnoughIsNoError() {
        const auto result = shell("\"$CLI\" recipe --list | head -n 1; exit ${PIPESTATUS[0]}");
        QVERIFY2(result.err.empty(), result.err.c_str());
        // the program may finish before the signal arrives
        QVERIFY(result.code == exitInterrupted || result.code == exitOk);
        QVERIFY(result.out.starts_with("range"));
    }
    void hangingUpIsIgnoredUnderNohup() {
        const auto result = shell("trap '' HUP; \"$CLI\" synth '" + path("nohup.ply") +
                                  "' --points 3000000 & sleep 0.3; kill -HUP $!; wait $!");
        QVERIFY2(result.code == exitOk, result.err.c_str());
        std::filesystem::remove(path("nohup.ply"));
    }

    void interruptEndsItSoon_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("afterMs");
        QTest::newRow("at once") << SIGINT << 150;
        QTest::newRow("later") << SIGINT << 700;
        QTest::newRow("terminated") << SIGTERM << 400;
        QTest::newRow("the terminal was closed") << SIGHUP << 400;
        QTest::newRow("nobody reads what it says") << SIGPIPE << 400;
        QTest::newRow("its time is used up") << SIGXCPU << 400;
    }
    void interruptEndsItSoon() {
        QFETCH(int, signal);
        QFETCH(int, afterMs);
        const auto before = namesIn(m_fixture->folder());
        QProcess process;
        process.start(SCANLOUPE_CLI, {"synth", QString::fromStdString(path("long.ply")), "--points",
                                      "200000000", "--normals"});
        QVERIFY(process.waitForStarted());
        QTest::qSleep(afterMs);
        QVERIFY2(process.state() == QProcess::Running, "the work was too short to be interrupted");
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished(5000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        const QByteArray said = process.readAllStandardError();
        if (process.exitCode() == exitUserError && said.contains("memory"))
            QSKIP("too little memory for a long job");
        QCOMPARE(process.exitCode(), int(exitInterrupted));
        QVERIFY(said.contains("Stopped"));
        QVERIFY(namesIn(m_fixture->folder()) == before);
    }
};

SCANLOUPE_TEST(TestCliProgram)
#include "test_cli_program.moc"
