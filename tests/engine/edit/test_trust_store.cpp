// The list of approved CUDA code: stored by its content, in one file for all running instances.
#include "engine/cloud/error.h"
#include "engine/edit/cuda_files.h"
#include "engine/edit/edit_list.h"
#include "engine/edit/trust_store.h"
#include "engine/project/project.h"
#include "engine/recipe/recipe.h"
#include "tests/support/test_support.h"

#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <fstream>
#include <sys/stat.h>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

const std::string kOne = "__device__ float value(Point p) { return 1; }";
const std::string kTwo = "__device__ float value(Point p) { return 2; }";

EditLayers layersOf(const std::vector<std::string>& sources) {
    EditLayers layers;
    for (const std::string& source : sources)
        layers.push_back(std::make_shared<const EditLayer>(
            EditLayer{"layer", false, {}, cudaFileAction("/tmp/a.cu", source, {0, 0, 1})}));
    return layers;
}

} // namespace

class TestTrustStore : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::filesystem::path file(const char* name) const { return m_folder.filePath(name).toStdString(); }

private slots:
    void approvedCodeIsRemembered() {
        const auto list = file("new/folder/list");
        {
            TrustStore store(list);
            QVERIFY(!store.has(kOne));
            QVERIFY(store.remember(kOne));
            QVERIFY(store.remember(kOne)); // stored once only
            QVERIFY(store.has(kOne) && !store.has(kTwo));
            store.add(kTwo); // this approval is not stored, and valid for this run only
            QVERIFY(store.has(kTwo));
        }
        const TrustStore again(list);
        QVERIFY(again.has(kOne) && !again.has(kTwo));
        QVERIFY(!again.has(kOne + ' ')); // any change of the text makes it other code
        struct stat status {};
        QCOMPARE(stat(list.c_str(), &status), 0);
        QCOMPARE(int(status.st_mode & 0777), 0600);
        QCOMPARE(int(std::filesystem::file_size(list)), 66);
    }

    /// Truncated lines and foreign text don't affect the other lines of the file.
    void badLinesAreSkipped() {
        const auto list = file("bad");
        std::ofstream(list) << "# notes\nabcdef\n" << std::string(64, 'g') << "\n0123";
        TrustStore store(list);
        QVERIFY(!store.has(kOne));
        QVERIFY(store.remember(kOne));
        QVERIFY(TrustStore(list).has(kOne));
    }

    void whatCanNotBeStoredHoldsForThisTime() {
        std::ofstream(file("taken")) << "text";
        for (const auto& list : {std::filesystem::path(), file("taken") / "list", file("")}) {
            TrustStore store(list);
            QVERIFY(!store.remember(kOne));
            QVERIFY(store.has(kOne));
        }
        const auto pipe = file("pipe");
        QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
        TrustStore store(pipe); // a named pipe must not block the program
        QVERIFY(!store.remember(kOne));
    }

    void theFileIsInTheConfigurationFolder() {
        const QByteArray before = qgetenv("XDG_CONFIG_HOME"), home = qgetenv("HOME");
        qputenv("XDG_CONFIG_HOME", "/a");
        QCOMPARE(TrustStore::usualFile(), std::filesystem::path("/a/scanloupe/trusted-cuda-code"));
        qputenv("XDG_CONFIG_HOME", "b");
        qputenv("HOME", "/h");
        QCOMPARE(TrustStore::usualFile(), std::filesystem::path("/h/.config/scanloupe/trusted-cuda-code"));
        qunsetenv("HOME");
        QVERIFY(TrustStore::usualFile().empty());
        qputenv("HOME", home);
        before.isNull() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", before);
    }

    void untrustedLayersAreFound() {
        TrustedCode code;
        EditLayers layers = layersOf({kOne, kTwo, kTwo, kOne});
        QCOMPARE(int(untrustedFiles(layers, code).size()), 2);
        code.add(kOne);
        QCOMPARE(int(untrustedFiles(layers, code).size()), 1);
        layers = withoutUntrusted(std::move(layers), code);
        QVERIFY(!layers[0]->isHidden && layers[1]->isHidden && layers[2]->isHidden && !layers[3]->isHidden);
        QVERIFY(untrustedFiles(layers, code).empty()); // hidden layers don't run
    }

    void nothingIsTrustedByItself() {
        const CudaFile one{"/tmp/a.cu", kOne, CudaFunction::value};
        QVERIFY_EXCEPTION_THROWN(requireTrusted(nullptr, one), EngineError);
        TrustedCode code;
        QVERIFY_EXCEPTION_THROWN(requireTrusted(&code, one), EngineError);
        code.add(kOne);
        QCOMPARE(requireTrusted(&code, one)->source, kOne);
    }

    void projectsListAllRecipes() {
        Project project;
        project.scans.resize(3);
        project.scans[1].recipe = Recipe{};
        project.steps.resize(2);
        QCOMPARE(int(recipesOf(project).size()), 4);
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestTrustStore)
#include "test_trust_store.moc"
