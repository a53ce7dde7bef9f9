// A part with eleven known faults, inspected as a user would: all faults are found, and no others.
#include "engine/io/synth/synthetic_part.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/engine/io/test_io_support.h"

#include <QProcess>
#include <algorithm>
#include <cmath>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

Vec3d placeOf(const Json& region) {
    return {region["at"][0], region["at"][1], region["at"][2]};
}

/// Whether a region is at a fault; the regions of a boss lie around it.
bool isAt(const Json& region, const PartFault& fault) {
    const Vec3d way = placeOf(region) - fault.at;
    if (fault.kind == PartFault::Kind::shiftedBoss)
        return std::hypot(way.x, way.y) < 0.016 && placeOf(region).z > 0.005;
    // a missing hole has deviations on both sides of the plate
    const bool isSameSide = fault.kind == PartFault::Kind::missingHole || fault.at.z * placeOf(region).z > 0;
    return std::hypot(way.x, way.y) < 0.007 && isSameSide && std::abs(placeOf(region).z) < 0.0095;
}

} // namespace

class TestPart : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_scan = (m_scratch / "part.ply").string();
        m_model = (m_scratch / "part.stl").string();
        QCOMPARE(cli({"synth", m_scan, "--scene", "part", "--model", m_model}).code, int(exitOk));
    }

    void allFaultsAreFoundAndNoneIsInvented() {
        QCOMPARE(partFaults().size(), std::size_t{11});
        const Json found = compare({"--tolerance", "0.00005", "--average", "0.003"});
        QCOMPARE(found["worst"].size(), found["regions"].get<std::size_t>());
        for (const Json& region : found["worst"])
            QVERIFY2(std::ranges::any_of(partFaults(), [&](const PartFault& f) { return isAt(region, f); }),
                     region.dump().c_str());
        for (const PartFault& fault : partFaults()) {
            double size = 0;
            for (const Json& region : found["worst"])
                if (const double d = region["largest"]; isAt(region, fault) && std::abs(d) > std::abs(size))
                    size = d;
            const bool isInwards = fault.kind == PartFault::Kind::dent;
            if (fault.kind == PartFault::Kind::missingHole) {
                // the mean near the hole; sizeOfTheHoleThatIsNotThere() checks the largest deviation
                QVERIFY(size > 0.001);
                continue;
            }
            const double expected = isInwards ? -fault.size : fault.size;
            const bool hasBothSigns = fault.kind == PartFault::Kind::shiftedBoss;
            QVERIFY2(std::abs((hasBothSigns ? std::abs(size) : size) - expected) < 0.1 * fault.size,
                     qPrintable(QString("%1 m in place of %2").arg(size).arg(expected)));
        }
    }

    void sizeOfTheHoleThatIsNotThere() { // the deviation at the hole's centre is its distance from the rim
        const Json found = compare({"--tolerance", "0.0025"});
        const PartFault& hole =
            *std::ranges::find(partFaults(), PartFault::Kind::missingHole, &PartFault::kind);
        double size = 0;
        for (const Json& region : found["worst"])
            if (isAt(region, hole))
                size = std::max(size, region["largest"].get<double>());
        QVERIFY2(std::abs(size - hole.size) < 0.1 * hole.size, qPrintable(QString::number(size)));
    }

    void looseTolerancesAccept() {

        // all deviations are within 2.2 mm, except at the hole
        const CliResult result = cli({"compare", m_scan, m_model, "--tolerance", "0.0022", "--required-share",
                                      "99.5", "--backend", "cpu"});
        QCOMPARE(result.code, int(exitOk));
    }

    void reportsSayWhatTheDocumentSays() {
        const std::string page = (m_scratch / "part.html").string();
        const Json found = compare({"--tolerance", "0.00005", "--average", "0.003", "--report", page});
        const std::string html = contentOf(page);
        const auto has = [&](const std::string& text) { return html.find(text) != std::string::npos; };
        for (const char* key : {"mean", "median", "largest"})
            QVERIFY2(has(fmt::format("{:+.6g}&#160;mm", found[key].get<double>() * 1000)), key);
        for (const char* key : {"rms", "standard_deviation"})
            QVERIFY2(has(fmt::format("{:.6g}&#160;mm", found[key].get<double>() * 1000)), key);
        QVERIFY(has(fmt::format("<h2>Places out of tolerance: {}</h2>", found["regions"].get<int>())));
        for (const Json& region : found["worst"])
            QVERIFY(has(fmt::format("{:+.6g}&#160;mm", region["largest"].get<double>() * 1000)));
        QVERIFY(has("Outside tolerance") && has("part.stl") && has("SHA-256") && has("scanloupe_recipe"));
        QVERIFY(!has("src=\"http") && !has("<script"));
        // coreutils computes the same checksum as the report
        QProcess sums;
        sums.start("sha256sum", {QString::fromStdString(m_scan)});
        QVERIFY(sums.waitForFinished());
        QVERIFY(has(sums.readAllStandardOutput().first(64).toStdString()));
    }

    void whatCanNotBeMadeIsRefused() {
        SCANLOUPE_VERIFY_USER_ERROR(cli({"synth", m_scan, "--scene", "part", "--points", "10"}), "got 10");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"synth", m_scan, "--model", m_model}), "--scene part");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"synth", m_scan, "--scene", "part", "--frames", "3"}), "frames");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"compare", m_scan, m_model, "--average", "-1"}), "--average");
    }

private:
    Json compare(std::vector<std::string> more) {
        const std::string json = (m_scratch / "out.json").string();
        std::vector<std::string> all{"compare", m_scan, m_model, "--json", json, "--backend", "cpu"};
        all.insert(all.end(), more.begin(), more.end());
        cli(all);
        return readJson(json);
    }

    Scratch m_scratch;
    std::string m_scan, m_model;
};

SCANLOUPE_TEST(TestPart)
#include "test_part.moc"
