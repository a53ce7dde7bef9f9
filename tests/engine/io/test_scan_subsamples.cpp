// Subsamples of large scans: their points are spread over the file, in every format that can be read in
// parts.
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/las/read_las.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::array<double, 3> key(const Vec3d& p) {
    return {p.x, p.y, p.z};
}

} // namespace

class TestScanSubsamples : public QObject {
    Q_OBJECT
private slots:
    void pointsOfTheFile_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"scan.las", "scan.laz", "scan.ply", "scan.pcd", "scan.bin"})
            QTest::newRow(name) << name;
    }
    void pointsOfTheFile() {
        QFETCH(QString, name);
        if (name.endsWith(".laz") && !haveLaszip())
            QSKIP("this build has no LASzip");
        const Scratch scratch;
        const auto path = scratch / qPrintable(name);
        // the LAZ file has 9 chunks
        writeCloud(path, *bumpyCloud(name.endsWith(".laz") ? 450'000 : 120'000), {}, {});
        const auto whole = readScan(path, {}, {});
        const auto sample = readScanSubsample(path, 5'000, {}, {});
        QVERIFY(sample);
        QVERIFY(sample->size() >= 4'000 && sample->size() <= 10'000);
        QCOMPARE(sample->subsampledFrom, std::uint64_t(whole->size()));
        QCOMPARE(whole->subsampledFrom, std::uint64_t(0));
        QCOMPARE(sample->attributes().size(), whole->attributes().size());
        std::set<std::array<double, 3>> points;
        for (std::size_t i = 0; i < whole->size(); ++i)
            points.insert(key(whole->position(i)));
        std::set<std::array<double, 3>> seen;
        for (std::size_t i = 0; i < sample->size(); ++i) {
            QVERIFY(points.contains(key(sample->position(i))));
            seen.insert(key(sample->position(i)));
        }
        QVERIFY(seen.size() > sample->size() * 9 / 10); // a point occurs twice only if it does so in the file
        QVERIFY(sample->warnings.empty());
    }

    void spreadOverTheFile() {
        const Scratch scratch;
        const auto path = scratch / "scan.las";
        writeCloud(path, *bumpyCloud(120'000), {}, {});
        const auto whole = readScan(path, {}, {}), sample = readScanSubsample(path, 5'000, {}, {});
        for (int axis = 0; axis < 3; ++axis) {
            const double all = whole->bounds().max[axis] - whole->bounds().min[axis];
            QVERIFY(sample->bounds().max[axis] - sample->bounds().min[axis] > 0.8 * all);
        }
    }

    void headersThatClaimTooMuch_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("place");
        QTest::newRow("scan.laz") << "scan.laz" << 247; // offset of the 8-byte number of points
        QTest::newRow("scan.las") << "scan.las" << 247;
        QTest::newRow("scan.pcd") << "scan.pcd" << 0;
    }
    void headersThatClaimTooMuch() { // a subsample only has points that exist, and small files have none
        QFETCH(QString, name);
        QFETCH(int, place);
        if (name.endsWith(".laz") && !haveLaszip())
            QSKIP("this build has no LASzip");
        const Scratch scratch;
        const auto path = scratch / qPrintable(name);
        writeCloud(path, *bumpyCloud(10'000), {}, {});
        std::ifstream in(path, std::ios::binary);
        std::string bytes{std::istreambuf_iterator<char>(in), {}};
        if (place > 0) {
            bytes.replace(std::size_t(place), 8, 8, '\xff');
        } else {
            for (const char* key : {"POINTS 10000", "WIDTH 10000"}) {
                const std::size_t at = bytes.find(key);
                QVERIFY(at != std::string::npos);
                bytes.replace(at, std::strlen(key), std::string(key) + "000000000");
            }
        }
        std::ofstream(path, std::ios::binary) << bytes;
        for (const std::size_t points : {300'000, 4'800'000})
            try {
                QVERIFY(!readScanSubsample(path, points, {}, {}));
            } catch (const Error& error) { // errors have a message, as those of readScan()
                QVERIFY(*error.what());
            }
    }

    void noneOfSmallScansAndOtherFormats() {
        const Scratch scratch;
        writeCloud(scratch / "scan.las", *bumpyCloud(10'000), {}, {});
        writeCloud(scratch / "scan.xyz", *bumpyCloud(50'000), {}, {});
        QVERIFY(!readScanSubsample(scratch / "scan.las", 5'000, {}, {}));
        QVERIFY(!readScanSubsample(scratch / "scan.xyz", 5'000, {}, {}));
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestScanSubsamples)
#include "test_scan_subsamples.moc"
