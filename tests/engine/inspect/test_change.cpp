// Changes between two scans on the command line, compared with closed forms, known volumes, and an
// independent program.
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/scan_change.h"
#include "engine/io/common/read_options.h"
#include "engine/picture/view.h"
#include "engine/recipe/up_axis.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/engine/io/test_io_support.h"

#include <QProcess>
#include <cmath>
#include <numbers>
#include <random>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A wavy ground of 10 x 10 m with a hill of `hill` metres in the middle, clipped to `extent`.
std::string ground(const Scratch& scratch, const std::string& name, std::uint64_t seed, double noise,
                   double hill, double extent = 10) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> along(0, 10);
    std::normal_distribution<double> off(0, noise);
    std::string text;
    for (int i = 0; i < 100'000; ++i) {
        const double x = along(random), y = along(random);
        const double z = 0.3 * std::sin(x) + 0.2 * std::cos(1.3 * y) + off(random) +
                         hill * std::exp(-(std::pow(x - 5, 2) + std::pow(y - 5, 2)) / 0.8);
        if (x < extent)
            text += fmt::format("{:.6f} {:.6f} {:.6f}\n", x, y, z);
    }
    return scratch.file(name, text).string();
}

} // namespace

class TestChange : public QObject {
    Q_OBJECT
private slots:
    void aHillIsFound() {
        const Scratch scratch;
        const std::string before = ground(scratch, "before.xyz", 1, 0.01, 0),
                          after = ground(scratch, "after.xyz", 2, 0.01, 0.2),
                          json = (scratch / "c.json").string(), places = (scratch / "places.ply").string();
        const CliResult result = cli({"change", before,
                                      after,    "--cylinder",
                                      "0.4",    "--normal-scale",
                                      "0.6",    "--depth",
                                      "1",      "--registration-error",
                                      "0.003",  "--cell",
                                      "0.25",   "--places",
                                      "4000",   "--json",
                                      json,     "--output",
                                      places,   "--backend",
                                      "cpu"});
        QCOMPARE(result.code, int(exitOk));
        const Json found = readJson(json);
        QVERIFY(std::abs(found["largest"].get<double>() - 0.2) < 0.03);
        // volume of a Gaussian hill: pi * 0.8 * height
        const double hill = std::numbers::pi * 0.8 * 0.2;
        const Json& volume = found["volume"];
        const auto close = [](const Json& sum, double truth) {
            return std::abs(sum["volume"].get<double>() - truth) < 2 * sum["uncertainty"].get<double>();
        };
        const double net = volume["net"]["volume"].get<double>();
        QVERIFY2(close(volume["net"], hill) && std::abs(net - hill) < 0.02 * hill, volume.dump().c_str());
        // the registration error of 3 mm, over 100 m²
        QVERIFY2(std::abs(volume["net"]["uncertainty"].get<double>() - 0.6) < 0.01, volume.dump().c_str());
        QVERIFY(std::abs(volume["raw_gained"].get<double>() - volume["raw_lost"].get<double>() - net) < 1e-9);
        // the change at the foot of the hill is below the level of detection
        QVERIFY2(std::abs(volume["gained"]["volume"].get<double>() - hill) < 0.08 * hill,
                 volume.dump().c_str());
        QVERIFY2(volume["lost"]["volume"].get<double>() < 0.1 * volume["raw_lost"].get<double>(),
                 volume.dump().c_str());
        QVERIFY(volume["significant"].get<int>() < volume["judged"].get<int>() / 2);
        const auto cloud = readScan(places, {}, {});
        std::size_t inside = 0, outside = 0, far = 0;
        for (std::size_t i = 0; i < cloud->size(); ++i) {
            const Vec3d p = cloud->position(i);
            const double r = std::hypot(p.x - 5, p.y - 5);
            const bool isSignificant = cloud->attribute("m3c2_significant")->value(i) != 0;
            if (r < 0.8)
                inside += !isSignificant;
            if (r > 3) {
                ++far;
                outside += isSignificant;
            }
        }
        QCOMPARE(inside, std::size_t(0));
        QVERIFY2(double(outside) < 0.05 * double(far), qPrintable(QString::number(outside)));
    }

    void gainAndLossInAnyFrame_data() {
        QTest::addColumn<int>("up");
        QTest::addColumn<double>("height"); // height of the hill; negative for a pit
        QTest::newRow("pit, z") << int(UpAxis::z) << -0.2;
        QTest::newRow("hill, -z") << int(UpAxis::minusZ) << 0.2;
        QTest::newRow("pit, -z") << int(UpAxis::minusZ) << -0.2;
        QTest::newRow("hill, -y") << int(UpAxis::minusY) << 0.2;
        QTest::newRow("pit, -y") << int(UpAxis::minusY) << -0.2;
    }
    /// A pit is as significant as a hill, whichever axis is up.
    void gainAndLossInAnyFrame() {
        QFETCH(int, up);
        QFETCH(double, height);
        const auto frame = UpAxis(up);
        const Scratch scratch;
        const auto scan = [&](std::uint64_t seed, double hill) {
            const auto upright = readScan(ground(scratch, "a.xyz", seed, 0.01, hill), {}, {});
            DoublePositions turned{Buffer<Vec3d>::host(upright->size())};
            for (std::size_t i = 0; i < upright->size(); ++i)
                turned.xyz[i] = fromZUp(upright->position(i), frame);
            return PointCloud(std::move(turned), {}, {});
        };
        const PointCloud before = scan(1, 0), after = scan(2, height);
        ScanChangeOptions how;
        how.params = {0.6, 0.4, 1, 0.003, upVector(frame)};
        how.maxPlaces = 4000;
        how.cell = 0.25;
        const ScanChange change = scanChange(before, after, how, {});
        QVERIFY2(std::abs(change.largest - height) < 0.03, qPrintable(QString::number(change.largest)));
        const double truth = std::numbers::pi * 0.8 * 0.2;
        const CutAndFill& volume = change.volume;
        const double found = (height > 0 ? volume.gained : volume.lost).value,
                     other = (height > 0 ? volume.lost : volume.gained).value;
        QVERIFY2(std::abs(found - truth) < 0.08 * truth && other < 0.1 * truth,
                 qPrintable(QString("%1 and %2 of %3").arg(found).arg(other).arg(truth)));
        const PointCloud places = changeCloud(before, change, {});
        std::size_t near = 0, missed = 0, wrong = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Vec3d p = toZUp(places.position(i), frame);
            if (std::hypot(p.x - 5, p.y - 5) >= 0.8)
                continue;
            ++near;
            missed += places.attribute("m3c2_significant")->value(i) != 1;
            wrong += places.attribute("m3c2_distance")->value(i) * height <= 0;
        }
        QVERIFY(near > 50);
        QCOMPARE(missed + wrong, std::size_t(0));
    }

    /// A statue on a base, scanned with different up axes.
    void normalsPointToTheGuessedUp() {
        auto random = seededRandom("normalsPointToTheGuessedUp");
        std::uniform_real_distribution<double> part(0, 1);
        for (const UpAxis up : {UpAxis::z, UpAxis::minusZ, UpAxis::y, UpAxis::minusY}) {
            std::vector<Vec3f> cone; // a cone with a height of 0.2 m
            for (int i = 0; i < 5000; ++i) {
                const double h = part(random), angle = 2 * std::numbers::pi * part(random),
                             r = 0.08 * (1 - h);
                cone.push_back(fromZUp({r * std::cos(angle), r * std::sin(angle), 0.2 * h}, up).as<float>());
            }
            const PointCloud statue(FloatPositions{hostCopy(std::span<const Vec3f>(cone))}, {}, {});
            QVERIFY(changeOptionsFor(statue, {}).params.towards == upVector(up));
        }
    }

    void partsThatOneScanLacksAreCounted() {
        const Scratch scratch;
        const std::string before = ground(scratch, "before.xyz", 1, 0.01, 0),
                          after = ground(scratch, "after.xyz", 2, 0.01, 0, 5),
                          json = (scratch / "c.json").string();
        QCOMPARE(cli({"change", before, after, "--cylinder", "0.4", "--cell", "0.5", "--json", json}).code,
                 int(exitOk));
        const Json found = readJson(json);
        QVERIFY(std::abs(found["volume"]["only_before"].get<int>() - 200) <= 20);
        QCOMPARE(found["volume"]["only_after"].get<int>(), 0);
        const double share = found["compared"].get<double>() / found["places"].get<double>();
        QVERIFY(share > 0.45 && share < 0.6);
    }

    void whatCanNotBeComparedIsSaid() {
        const Scratch scratch;
        const std::string before = ground(scratch, "before.xyz", 1, 0.01, 0);
        std::string moved;
        for (int i = 0; i < 1000; ++i)
            moved += fmt::format("{} {} 500\n", 1000 + i % 30, 1000 + i / 30);
        const std::string far = scratch.file("far.xyz", moved).string();
        SCANLOUPE_VERIFY_USER_ERROR(cli({"change", before, far}), "No core point");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"change", before, (scratch / "none.xyz").string()}), "none.xyz");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"change", before, before, "--cylinder", "-1"}), "--cylinder");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"change", before, before, "--places", "0"}), "--places");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"change", before, before, "--json", before}), "before.xyz");
    }

    void sameAsAnIndependentProgram() {
        const QString python = QStringLiteral(SCANLOUPE_SOURCE_DIR "/build/py4dgeo/bin/python");
        if (!QFile::exists(python))
            QSKIP("py4dgeo is not installed: tests/support/py4dgeo_environment.sh makes its environment");
        const Scratch scratch;
        const std::string before = ground(scratch, "before.xyz", 1, 0.01, 0),
                          after = ground(scratch, "after.xyz", 2, 0.015, 0.2),
                          places = (scratch / "places.csv").string();
        QCOMPARE(
            cli({"change", before, after, "--cylinder", "0.4", "--normal-scale", "0.6", "--depth", "1",
                 "--registration-error", "0.003", "--places", "3000", "--output", places, "--backend", "cpu"})
                .code,
            int(exitOk));
        QProcess program;
        program.setProcessChannelMode(QProcess::MergedChannels);
        // folder for the log that the program writes
        program.setWorkingDirectory(QString::fromStdString(scratch.folder().string()));
        program.start(python, {QStringLiteral(SCANLOUPE_SOURCE_DIR "/tests/support/compare_m3c2.py"),
                               QString::fromStdString(before), QString::fromStdString(after),
                               QString::fromStdString(places), "0.6", "0.4", "1", "0.003"});
        QVERIFY(program.waitForFinished(120'000));
        QVERIFY2(program.exitCode() == 0, program.readAll());
    }
};

SCANLOUPE_TEST(TestChange)
#include "test_change.moc"
