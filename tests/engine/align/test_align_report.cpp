// HTML reports of alignments: their content, and that they are well-formed.
#include "engine/cli/reports/align_report.h"
#include "tests/engine/cli/test_cli_support.h"

#include <QXmlStreamReader>
#include <cmath>
#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Scans around a corner with all verdicts, a weak direction, a loop in each state, and a scan with an error.
AlignOutcome variedOutcome() {
    AlignOutcome outcome;
    outcome.params.resolution = 2;
    outcome.params.thinning = 0.4;
    for (int i = 0; i < 9; ++i) {
        AlignedScan scan;
        scan.path = fmt::format("f<{}>.ply", i);
        ScanAlignment& a = scan.alignment;
        a.hasPose = i != 8;
        a.pose = fromRollPitchYaw({0, 0, 0.1 * i}, {3.0 * std::min(i, 4), 3.0 * std::max(0, i - 4), 0});
        a.verdict = {.word = PoseWord::right, .chance = 1, .reason = PoseReason::none};
        a.alignMs = 20;
        if (i > 0) {
            a.alignedPoints = 1000;
            a.evidence.surfaces = 500;
            a.evidence.distance = 0.01 + 0.001 * i;
            a.evidence.overlap = 0.8;
            a.evidence.agreement = 0.97;
        }
        if (i == 3) {
            a.verdict = {.word = PoseWord::doubtful, .chance = 0.5, .reason = PoseReason::weakDirections};
            WeakDirection weak;
            weak.translation = {1, 0, 0};
            weak.back = 4;
            weak.forth = 5;
            a.evidence.weak.push_back(weak);
        }
        if (i == 5)
            a.verdict = {.word = PoseWord::wrong, .chance = 0, .reason = PoseReason::surfacesDiffer};
        if (i == 8) {
            scan.failed = true;
            scan.problem = "'f<8>.ply' is broken";
            a.verdict = {};
        }
        outcome.scans.push_back(std::make_shared<const AlignedScan>(std::move(scan)));
    }
    for (const LoopState state :
         {LoopState::closed, LoopState::closed, LoopState::unsure, LoopState::alone, LoopState::contradicted})
        outcome.loops.push_back({.from = 0, .to = 7, .state = state, .correction = 0.25});
    return outcome;
}

bool contains(const std::string& text, const char* words) {
    return text.find(words) != std::string::npos;
}

std::string xmlErrorOf(const std::string& svg) {
    QXmlStreamReader reader(QByteArray::fromStdString(svg));
    while (!reader.atEnd())
        reader.readNext();
    return reader.hasError() ? reader.errorString().toStdString() : "";
}

} // namespace

class TestAlignReport : public QObject {
    Q_OBJECT
private slots:
    void theReportHasAllResults() {
        const AlignOutcome outcome = variedOutcome();
        const std::string html = toHtml(cli::alignmentReport(outcome, LengthUnit::metre));
        for (const char* words :
             {"Alignment of 9 scans", "6 right", "1 doubtful", "1 wrong", "1, due to errors",
              "2 of 5 candidates closed", "drift of up to 0.25 m", "<td>contradicted</td>", "<td>alone</td>",
              "<td>unsure</td>", "do not determine its position along x", "f&lt;3&gt;.ply", "gicp", "24 m"})
            QVERIFY2(contains(html, words), words);
        QVERIFY(!contains(html, "f<3>")); // markup in names is escaped
        QVERIFY(contains(html, "is broken"));
        QVERIFY(!contains(html, "src=") && !contains(html, "href=")); // the report is a single file
        QVERIFY(contains(html, "--start"));                           // the suggested next step
    }

    void picturesAreWellFormed() {
        const AlignOutcome outcome = variedOutcome();
        const std::string svg = trajectorySvg(cli::alignmentReport(outcome, LengthUnit::metre));
        QCOMPARE(xmlErrorOf(svg), std::string());
        QVERIFY(!contains(svg, "nan") && !contains(svg, "inf"));
        QCOMPARE(QString::fromStdString(svg).count("<circle"), 9);
        // loops that are not closed are dashed
        QCOMPARE(QString::fromStdString(svg).count("stroke-dasharray"), 3);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(seriesSvg({"nothing", {nan, nan}}).empty());
        for (const std::vector<double>& values :
             {std::vector<double>{1}, {0, 0, 0}, {nan, 2, nan, 3, 4, nan}, std::vector<double>(5000, 7)}) {
            const std::string series = seriesSvg({"a figure", values});
            QCOMPARE(xmlErrorOf(series), std::string());
            QVERIFY(!contains(series, "nan") && !contains(series, "inf"));
        }
    }

    void aPlaceWithoutExtentIsDrawn() {
        AlignOutcome outcome = variedOutcome();
        outcome.scans.resize(1);
        outcome.loops.clear();
        const std::string svg = trajectorySvg(cli::alignmentReport(outcome, LengthUnit::unknown));
        QCOMPARE(xmlErrorOf(svg), std::string());
        QVERIFY(!contains(svg, "nan") && !contains(svg, "inf"));
    }

    void theCommandLineWritesTheReport() {
        const CliFixture f(5000);
        const std::string report = f.path("drive.html");
        const CliResult result = test::cli({"align", f.scan(), f.scan(), "--report", report, "--no-loops"});
        QVERIFY2(result.code == exitOk || result.code == exitDoubtful, result.err.c_str());
        QVERIFY2(contains(result.out, "report   "), result.out.c_str());
        const std::string html = readFile(report);
        QVERIFY(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
        QVERIFY(contains(html, "Alignment of 2 scans"));
        SCANLOUPE_VERIFY_USER_ERROR(test::cli({"align", f.scan(), f.scan(), "--report", f.path("r.pdf")}),
                                    ".html");
    }
};

SCANLOUPE_TEST(TestAlignReport)
#include "test_align_report.moc"
