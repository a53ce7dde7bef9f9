// Inputs that are copied or linked for a command: each gets a unique name, and files of other programs are
// kept.
#include "engine/cli/output/piped_inputs.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/support/resting_process.h"

#include <map>
#include <unistd.h>

using namespace scanloupe;
using namespace scanloupe::test;
using scanloupe::cli::PipedInputs;

namespace {

namespace fs = std::filesystem;

/// All entries below a folder, by relative path: the content of files and link targets, or "folder".
std::map<std::string, std::string> treeOf(const fs::path& folder) {
    std::map<std::string, std::string> tree;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        tree[fs::relative(entry.path(), folder).generic_string()] =
            entry.is_directory() ? "folder" : readFile(entry.path());
    return tree;
}

} // namespace

class TestPipedInputs : public QObject {
    Q_OBJECT
    CliFixture m_files{1200};
    fs::path m_temporary;

private slots:
    void init() {
        m_temporary = m_files.path("tmp");
        fs::remove_all(m_temporary);
        fs::create_directory(m_temporary);
        qputenv("TMPDIR", m_temporary.c_str());
        fs::copy_file(m_files.scan(), m_files.path("scan"), fs::copy_options::overwrite_existing);
    }

    void foldersOfOthersStay() {
        // folders of tile jobs and of other programs, whose names resemble those of temporary copies and
        // links
        for (const char* name : {"scanloupe-tiles1", "scanloupe-abcdef"}) {
            const fs::path folder = m_temporary / name;
            fs::create_directories(folder / "fd3");
            fs::create_directories(folder / "tiles");
            for (const char* file : {"lock", "scanloupe-scratch.lock", "stdin", "stdin.ply", "fdata.las",
                                     "fd3.ply", "fd3/scan.ply", "tiles/0_0_0.ply", "1.scratch"})
                writeFile(folder / file, "");
            fs::create_symlink(m_files.scan(), folder / "scan.ply");
        }
        const auto before = treeOf(m_temporary);
        const CliResult result = test::cli({"info", "ply:" + m_files.path("scan")});
        QVERIFY2(result.code == 0, result.err.c_str());
        QVERIFY(treeOf(m_temporary) == before);
    }

    void foldersOfKilledProcessesGo() {
        RestingProcess killed([this](const RestingProcess::Rest& rest) {
            PipedInputs inputs({});
            const fs::path link = inputs.file("ply:" + m_files.path("scan"));
            for (const char* file : {"stdin", "stdin.ply", "fd63.laz", "fdata.las", "fd.ply"})
                writeFile(link.parent_path() / file, "x");
            fs::create_directory(link.parent_path() / "fd3");
            writeFile(link.parent_path() / "fd3" / "stdin", "x");
            rest();
        });
        QVERIFY(killed.isReady());
        killed.kill();
        QCOMPARE(namesIn(m_temporary).size(), std::size_t(1));
        const fs::path folder = m_temporary / *namesIn(m_temporary).begin();
        QCOMPARE(test::cli({"info", "ply:" + m_files.path("scan")}).code, 0);
        // files that the program did not create are kept
        QCOMPARE(namesIn(folder), (std::set<std::string>{"fd.ply", "fd3", "fdata.las"}));
        QVERIFY(fs::exists(folder / "fd3" / "stdin"));
    }

    void filesOfOneNameStayApart() {
        for (const char* folder : {"d1", "d2"})
            fs::create_directories(m_files.path(folder));
        fs::copy_file(m_files.scan(), m_files.path("d1/scan"));
        QCOMPARE(test::cli({"synth", m_files.path("other.ply"), "--scene", "room", "--points", "1700"}).code,
                 0);
        fs::rename(m_files.path("other.ply"), m_files.path("d2/scan"));
        const std::string first = "ply:" + m_files.path("d1/scan"), second = "ply:" + m_files.path("d2/scan");
        {
            PipedInputs inputs({});
            const fs::path a = inputs.file(first), b = inputs.file(second);
            QVERIFY(a != b);
            QCOMPARE(a.filename().string(), std::string("scan.ply"));
            QCOMPARE(b.extension().string(), std::string(".ply"));
            QCOMPARE(readFile(a), readFile(m_files.path("d1/scan")));
            QCOMPARE(readFile(b), readFile(m_files.path("d2/scan")));
            QVERIFY(inputs.file(first) == a && inputs.file(second) == b);
            QCOMPARE(inputs.shown(a), first);
            QCOMPARE(inputs.shown(b), second);
        }
        QVERIFY(fs::is_empty(m_temporary));
        const CliResult result = test::cli({"info", first, second, "--json"});
        QVERIFY2(result.code == 0, result.err.c_str());
        QVERIFY(result.out.find("1200") != std::string::npos && result.out.find("1700") != std::string::npos);
    }
};

SCANLOUPE_TEST(TestPipedInputs)
#include "test_piped_inputs.moc"
