// All real files, truncated at random positions and with random bytes changed: reading soon ends with a cloud
// or an error with a next step, and uses no more memory than the file justifies.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/formats.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/allocation_watch.h"

#include <chrono>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// The problem found when reading the file; empty if there is none.
QString wrongWith(const std::filesystem::path& path, std::size_t bytes) {
    const auto begin = std::chrono::steady_clock::now();
    const AllocationWatch memory;
    QString wrong;
    try {
        const auto cloud = readScan(path, {}, {});
        for (const Attribute& attribute : cloud->attributes())
            if (attribute.values().data.size() != cloud->size() * sizeOf(attribute.type))
                wrong = "an attribute has another size";
    } catch (const EngineError& error) {
        if (std::string(error.what()).empty() || error.nextStep().empty())
            wrong = "an error without a sentence";
    } catch (const std::exception& error) {
        wrong = QString("another error: ") + error.what();
    }
    if (memory.peak() > 4 * bytes + (std::size_t{64} << 20))
        wrong = QString("%1 bytes of memory for a file of %2").arg(memory.peak()).arg(bytes);
    const auto time = std::chrono::steady_clock::now() - begin;
    if (time > std::chrono::seconds(5))
        wrong = QString("%1 s").arg(std::chrono::duration<double>(time).count());
    return wrong;
}

/// A random position in the file. Every other time it is in the header, where damage has the most effect.
std::size_t somePlace(std::mt19937_64& random, std::size_t size) {
    const std::size_t reach = random() % 2 ? size : std::min<std::size_t>(size, 600);
    return random() % reach;
}

} // namespace

class TestIoDamage : public QObject {
    Q_OBJECT
private slots:
    void everyFile_data() {
        QTest::addColumn<QString>("file");
        if (!std::filesystem::exists(scansFolder()))
            QSKIP("the folder of real scans is not here: set SCANLOUPE_SCANS to run this test");
        for (const auto& entry : std::filesystem::recursive_directory_iterator(scansFolder())) {
            const auto name = std::filesystem::relative(entry.path(), scansFolder()).string();
            const auto& endings = scanEndings();
            if (entry.is_regular_file() &&
                std::find(endings.begin(), endings.end(), entry.path().extension().string()) != endings.end())
                QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }
    void everyFile() {
        QFETCH(QString, file);
        damage(file, contentOf(scansFolder() / file.toStdString()));
    }
    /// Meshes from our own writers, with colours and values.
    void everyMesh_data() {
        QTest::addColumn<QString>("ending");
        for (const std::string& ending : meshEndings())
            QTest::newRow(ending.c_str()) << QString::fromStdString(ending);
    }
    void everyMesh() {
        QFETCH(QString, ending);
        const Scratch scratch;
        auto random = seededRandom("everyMesh");
        const TriangleMesh mesh = strip(1500, random);
        std::vector<MeshChannel> channels(1);
        channels[0].channel.name = "intensity";
        channels[0].values.assign(1500, 0.5f);
        const auto path = scratch / ("mesh" + ending.toStdString());
        writeMesh(path, mesh, std::vector<std::uint32_t>(1500, 0xff336699u),
                  {{512800, 5403700, 250}, {}, channels}, {});
        damage("mesh" + ending, contentOf(path));
    }

private:
    void damage(const QString& file, const std::string& whole) {
        const Scratch scratch;
        const auto target = scratch / std::filesystem::path(file.toStdString()).filename().string();
        auto random = seededRandom(qPrintable(file));
        const auto check = [&](const std::string& content, const QString& what) {
            scratch.file(target.filename().string(), content);
            const QString wrong = wrongWith(target, content.size());
            if (!wrong.isEmpty())
                std::filesystem::copy_file(target, std::filesystem::temp_directory_path() / target.filename(),
                                           std::filesystem::copy_options::overwrite_existing);
            return wrong.isEmpty() ? wrong : what + ": " + wrong + " (the file lies in the temporary folder)";
        };
        QCOMPARE(check(whole, "the whole file"), QString());
        // up to 100 cuts and 1,000 changed bytes; larger files are tested fewer times, with more changes at
        // once
        const std::size_t cuts = whole.size() < 200000 ? 100 : 20;
        for (std::size_t i = 0; i < cuts; ++i) {
            const std::size_t size = 1 + somePlace(random, whole.size());
            QCOMPARE(check(whole.substr(0, size), QString("cut at %1").arg(size)), QString());
        }
        const std::size_t variants = whole.size() < 200000 ? 250 : 20;
        for (std::size_t i = 0; i < variants; ++i) {
            std::string changed = whole;
            for (std::size_t change = 0; change < 1000 / variants; ++change)
                changed[somePlace(random, changed.size())] = static_cast<char>(random());
            QCOMPARE(check(changed, QString("change %1").arg(i)), QString());
        }
    }
};

SCANLOUPE_TEST(TestIoDamage)
#include "test_io_damage.moc"
