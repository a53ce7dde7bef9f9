// Attributes that are loaded on first use: their values equal those of a complete read, and changes of the
// file are reported.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/attributes_on_demand.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "engine/results/snapshot.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/damaged_laz.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

const ReadOptions kOnDemand{.progress = {}, .attributes = AttributeReading::onDemand};
const ReadOptions kAtOnce{.progress = {}, .attributes = AttributeReading::atOnce};

/// Writes a generated scan with intensity, time and other attributes, and returns its path.
std::filesystem::path writtenScan(const Scratch& scratch, const char* name = "scan.las") {
    const std::filesystem::path path = scratch / name;
    writeCloud(path, *bumpyCloud(30'000), {}, {});
    return path;
}

bool sameValues(const Attribute& a, const Attribute& b) {
    const auto& x = a.values().data;
    const auto& y = b.values().data;
    return a.name == b.name && a.type == b.type && a.min() == b.min() && a.max() == b.max() &&
           a.notFinite() == b.notFinite() && x.size() == y.size() &&
           std::memcmp(x.data(), y.data(), x.size()) == 0;
}

std::string bytesOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t loadedOf(const PointCloud& cloud) {
    return std::size_t(std::ranges::count_if(cloud.attributes(), &Attribute::isLoaded));
}

/// Number of attributes that were read together with the positions.
std::size_t readAtOnce(const PointCloud& cloud) {
    return std::size_t(std::ranges::count_if(
        cloud.attributes(), [](const Attribute& attribute) { return isReadWithPositions(attribute.name); }));
}

} // namespace

class TestAttributesOnDemand : public QObject {
    Q_OBJECT
private slots:
    void valuesAreThoseOfAllAtOnce_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"scan.las", "scan.laz", "scan.ply", "scan.pcd", "scan.bin"})
            QTest::newRow(name) << name;
    }
    void valuesAreThoseOfAllAtOnce() {
        QFETCH(QString, name);
        if (name.endsWith(".laz") && !haveLaszip())
            QSKIP("this build has no LASzip");
        const Scratch scratch;
        const auto path = writtenScan(scratch, qPrintable(name));
        const auto whole = readScan(path, kAtOnce, {}), some = readScan(path, kOnDemand, {});
        QCOMPARE(loadedOf(*whole), whole->attributes().size());
        QCOMPARE(loadedOf(*some), readAtOnce(*some));
        QVERIFY(some->attributes().size() > readAtOnce(*some));
        QVERIFY(some->bytes() < whole->bytes());
        QVERIFY(some->bounds().min == whole->bounds().min && some->origin() == whole->origin());
        QVERIFY(whole->position(777) == some->position(777));
        for (const Attribute& attribute : some->attributes())
            if (!attribute.isLoaded()) {
                QVERIFY_EXCEPTION_THROWN(attribute.value(0), Fault);
                const Attribute* const one[] = {&attribute};
                some->load(one, {});
                QVERIFY(sameValues(attribute, *whole->attribute(attribute.name)));
            }
    }

    void someAreLoadedAlone() {
        const Scratch scratch;
        const auto path = writtenScan(scratch);
        const auto whole = readScan(path, kAtOnce, {}), some = readScan(path, kOnDemand, {});
        QVERIFY(whole->attributes().size() >= 5);
        const Attribute* const two[] = {&some->attributes()[1], &some->attributes()[3]};
        some->load(two, {});
        QCOMPARE(loadedOf(*some), readAtOnce(*some) + 2);
        QVERIFY(sameValues(*two[0], whole->attributes()[1]) && sameValues(*two[1], whole->attributes()[3]));
        some->loadAll({});
        for (std::size_t i = 0; i < whole->attributes().size(); ++i)
            QVERIFY2(sameValues(whole->attributes()[i], some->attributes()[i]),
                     whole->attributes()[i].name.c_str());
        // written again, both clouds give the same file
        writeCloud(scratch / "a.las", *whole, {}, {});
        writeCloud(scratch / "b.las", *readScan(path, kOnDemand, {}), {}, {});
        QVERIFY(bytesOf(scratch / "a.las") == bytesOf(scratch / "b.las"));
    }

    void runsLoadWhatTheyLookAt() {
        const Scratch scratch;
        const auto path = writtenScan(scratch);
        const auto some = readScan(path, kOnDemand, {});
        Run onDemand(some), atOnce(readScan(path, kAtOnce, {}));
        for (const char* colours : {"none", "height", "intensity"}) {
            for (Run* run : {&onDemand, &atOnce}) {
                run->set("field", "density");
                run->set("show", "points");
                run->set("colour_by", colours);
            }
            const Snapshot a = onDemand(), b = atOnce();
            QVERIFY(std::ranges::equal(a.picture->image.host().pixels.span(),
                                       b.picture->image.host().pixels.span()));
            QCOMPARE(loadedOf(*some), readAtOnce(*some) + (QByteArray(colours) == "intensity" ? 1 : 0));
        }
        onDemand.set("colour_by", "height");
        QVERIFY(!onDemand().timings.find("read")->wallMs); // the second run does not read the file again
    }

    void smallScansAreReadAtOnce() {
        const Scratch scratch;
        const auto cloud = readScan(writtenScan(scratch), {}, {});
        QCOMPARE(loadedOf(*cloud), cloud->attributes().size());
    }

    void damagedLayersAreToldAndTheRestStays() {
        if (!haveLaszip())
            QSKIP("this build has no LASzip");
        const Scratch scratch;
        const auto path = scratch / "scan.laz";
        writeCloud(path, *bumpyCloud(120'000), {}, {});
        const auto whole = readScan(path, kAtOnce, {});
        const LazChunk chunk = damageLazLayer(path, 1, 4);
        const auto some = readScan(path, kOnDemand, {});
        QCOMPARE(some->size(), whole->size());
        QVERIFY(some->position(whole->size() - 1) == whole->position(whole->size() - 1));
        QVERIFY(some->loadWarnings().empty());
        Run run(some);
        run.set("colour_by", "intensity");
        const Snapshot snapshot = run();
        QCOMPARE(some->loadWarnings().size(), std::size_t(1));
        QVERIFY2(some->loadWarnings()[0].starts_with("Incomplete: 1 of 3 chunks of the attributes") &&
                     some->loadWarnings()[0].find("intensity") != std::string::npos,
                 some->loadWarnings()[0].c_str());
        const RunNote wanted{"read", some->loadWarnings()[0], true};
        QVERIFY(std::ranges::find(snapshot.notes, wanted) != snapshot.notes.end());
        const Attribute &held = *some->attribute("intensity"), &right = *whole->attribute("intensity");
        for (std::size_t i = 0; i < some->size(); ++i)
            QCOMPARE(held.value(i), i >= chunk.first && i < chunk.first + chunk.count ? 0 : right.value(i));
    }

    void filesThatChangeAreRefused_data() {
        QTest::addColumn<QString>("change");
        for (const char* change : {"written", "cut", "replaced", "removed"})
            QTest::newRow(change) << change;
    }
    void filesThatChangeAreRefused() {
        QFETCH(QString, change);
        const Scratch scratch;
        const auto path = writtenScan(scratch);
        const auto whole = readScan(path, kAtOnce, {}), some = readScan(path, kOnDemand, {});
        // sleep, because file times have a coarse resolution
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (change == "written") {
            std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
            file.seekp(1000);
            file.put('x');
        } else if (change == "cut") {
            std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
        } else if (change == "replaced") {
            std::filesystem::rename(path, scratch / "other.las");
            writeCloud(path, *bumpyCloud(5'000), {}, {});
        } else {
            std::filesystem::remove(path);
        }
        // the opened file still exists, even if its name refers to another file or none
        const bool isStillThere = change == "replaced" || change == "removed";
        const auto refused = errorOf([&] { some->loadAll({}); });
        QCOMPARE(refused.has_value(), !isStillThere);
        if (refused) {
            QVERIFY(QString(refused->what()).contains("has changed since it was opened"));
            QVERIFY(!refused->nextStep().empty());
            QCOMPARE(loadedOf(*some), readAtOnce(*some));
        } else {
            QVERIFY(sameValues(some->attributes()[0], whole->attributes()[0]));
        }
    }

    void cancelledLoadsCanBeRepeated() {
        const Scratch scratch;
        const auto some = readScan(writtenScan(scratch), kOnDemand, {});
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY_EXCEPTION_THROWN(some->loadAll(stopped.get_token()), Cancelled);
        QCOMPARE(loadedOf(*some), readAtOnce(*some));
        some->loadAll({});
        QCOMPARE(loadedOf(*some), some->attributes().size());
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestAttributesOnDemand)
#include "test_attributes_on_demand.moc"
