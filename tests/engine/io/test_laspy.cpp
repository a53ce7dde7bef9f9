// Reads the LAS and LAZ files of our writers with laspy from PyPI. The script
// tests/support/laspy_environment.sh creates a Python environment with laspy; without one, the test is
// skipped.
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/las/read_las.h"
#include "tests/engine/io/test_io_support.h"

#include <QProcess>
#include <cstdlib>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Path of a Python with laspy: $SCANLOUPE_LASPY_PYTHON, otherwise the environment in the build folder.
QString laspyPython() {
    if (const char* named = std::getenv("SCANLOUPE_LASPY_PYTHON"))
        return named;
    const QString made = SCANLOUPE_SOURCE_DIR "/build/laspy/bin/python";
    return QFile::exists(made) ? made : QString();
}

/// The differences that the laspy script reports for these files; empty if there are none.
QString compare(const QStringList& arguments) {
    QProcess python;
    python.setProcessChannelMode(QProcess::MergedChannels);
    python.start(laspyPython(),
                 QStringList{"-W", "ignore", SCANLOUPE_SOURCE_DIR "/tests/support/compare_las.py"} +
                     arguments);
    if (!python.waitForFinished(300'000))
        return "the script did not end: " + python.errorString();
    const QString text = QString::fromUtf8(python.readAll());
    return python.exitCode() == 0 ? QString() : text + QString("exit code %1").arg(python.exitCode());
}

std::vector<std::filesystem::path> realFiles(bool las) {
    std::vector<std::filesystem::path> files;
    if (!std::filesystem::is_directory(scansFolder()))
        return files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scansFolder())) {
        const auto ending = entry.path().extension();
        if (entry.is_regular_file() && (ending == ".las" || ending == ".laz") == las)
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Reads a scan; null if the file has no points.
std::shared_ptr<const PointCloud> readIfScan(const std::filesystem::path& path) {
    try {
        return readScan(path, {}, {});
    } catch (const EngineError&) {
        return nullptr;
    }
}

std::vector<std::string> endings() {
    return haveLaszip() ? std::vector<std::string>{".las", ".laz"} : std::vector<std::string>{".las"};
}

} // namespace

class TestLaspy : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (laspyPython().isEmpty())
            QSKIP(
                "laspy is not here: run tests/support/laspy_environment.sh, or name a Python that has it in "
                "SCANLOUPE_LASPY_PYTHON");
    }
    void writtenAgainIsTheSame() {
        const auto files = realFiles(true);
        if (files.empty())
            QSKIP("the folder of real scans is not here: set SCANLOUPE_SCANS to run this test");
        const Scratch scratch;
        QStringList pairs;
        for (const auto& file : files) {
            const auto cloud = readIfScan(file);
            if (!cloud)
                continue;
            for (const std::string& ending : endings()) {
                const auto target = scratch / (file.filename().string() + ending);
                writeCloud(target, *cloud, {}, {});
                pairs << QString::fromStdString(file.string()) << QString::fromStdString(target.string());
            }
        }
        QVERIFY(pairs.size() > 60);
        QCOMPARE(compare(pairs), QString());
    }
    void scansOfOtherFormatsOpen() {
        const auto files = realFiles(false);
        if (files.empty())
            QSKIP("the folder of real scans is not here: set SCANLOUPE_SCANS to run this test");
        const Scratch scratch;
        QStringList written{"--opens"};
        for (const auto& file : files) {
            // maximum number of points: scans of this size have every kind of attribute and are written
            // quickly
            constexpr std::size_t most = 300'000;
            const auto cloud = readIfScan(file);
            if (!cloud || cloud->size() > most)
                continue;
            const auto target =
                scratch / (std::to_string(written.size()) + file.filename().string() + ".las");
            writeCloud(target, *cloud, {}, {});
            written << QString::fromStdString(target.string());
        }
        QVERIFY(written.size() > 40);
        QCOMPARE(compare(written), QString());
    }
    void namesOfStandardFieldsOpen() {
        const Scratch scratch;
        std::vector<Attribute> attributes;
        const std::vector<double> values{-1.5, 0, 1e300};
        for (const char* name : {"intensity", "Intensity", "X", "x_t", "nir", "classification", "gps_time",
                                 "scan_angle", "return_number", "near_infrared", "wavepacket_size", "äöü"})
            attributes.push_back(makeAttribute(name, ScalarType::float64, values));
        const PointCloud cloud(FloatPositions{hostCopy(std::span<const Vec3f>(std::vector<Vec3f>(3)))},
                               std::move(attributes), {});
        writeCloud(scratch / "a.las", cloud, {}, {});
        QCOMPARE(compare({"--opens", QString::fromStdString((scratch / "a.las").string())}), QString());
    }
};

SCANLOUPE_TEST(TestLaspy)
#include "test_laspy.moc"
