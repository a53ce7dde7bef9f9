// Folders of scans as one survey: samples, views, damaged files, formats that can't be read in parts.
#include "engine/cloud/point_cloud.h"
#include "engine/survey/survey_scan.h"

#include "engine/cloud/error.h"
#include "tests/support/test_support.h"

#include <QTemporaryDir>
#include <algorithm>
#include <fmt/format.h>
#include <fstream>

using namespace scanloupe;
using namespace scanloupe::test;

namespace fs = std::filesystem;

namespace {

constexpr int kFiles = 4, kRows = 5000;

/// Text files of 10 m squared side by side; text can't be read in parts.
fs::path writeFiles(const QTemporaryDir& folder) {
    const fs::path top = folder.path().toStdString();
    for (int file = 0; file < kFiles; ++file) {
        std::ofstream text(top / fmt::format("part{}.xyz", file));
        for (int i = 0; i < kRows; ++i)
            text << fmt::format("{:.3f} {:.3f} {:.3f}\n", 10.0 * file + i % 100 / 10.0, i / 100 / 5.0,
                                i % 7 / 100.0);
    }
    return top;
}

bool hasWarning(const PointCloud& cloud, std::string_view what) {
    return std::ranges::any_of(cloud.warnings,
                               [&](const std::string& one) { return one.find(what) != std::string::npos; });
}

} // namespace

class TestSurveyScan : public QObject {
    Q_OBJECT
private slots:
    void samplesAreSpreadOverAllFiles() {
        const QTemporaryDir folder;
        const SurveyScan survey(writeFiles(folder), {}, {});
        QCOMPARE(survey.points(), std::uint64_t(kFiles * kRows));
        const auto some = survey.sample(1000, {}, {});
        QVERIFY2(some->size() >= 1000 && some->size() <= 1100, qPrintable(QString::number(some->size())));
        QCOMPARE(some->subsampledFrom, std::uint64_t(kFiles * kRows));
        QVERIFY(some->bounds().max.x > 37 && some->bounds().min.x < 1);
        const auto all = survey.sample(survey.points(), {}, {});
        QCOMPARE(all->size(), std::size_t(kFiles * kRows));
        QCOMPARE(all->subsampledFrom, std::uint64_t(0));
        QCOMPARE(all->attribute("scan")->max(), double(kFiles - 1));
    }

    void nearFilesAreFiner() {
        const QTemporaryDir folder;
        const SurveyScan survey(writeFiles(folder), {}, {});
        ViewDetail view;
        view.camera.eye = {35, 5, 3};
        view.camera.target = {35, 5.001, 0};
        view.maxPoints = 12'000;
        const auto seen = survey.ofView(view, {}, {});
        QVERIFY(seen->isChosenForView && seen->viewSpacing > 0);
        QVERIFY(seen->size() <= view.maxPoints);
        std::array<int, kFiles> counts{};
        for (std::size_t i = 0; i < seen->size(); ++i)
            ++counts[std::size_t(seen->attribute("scan")->value(i))];
        QCOMPARE(counts[3], kRows);
        QVERIFY2(counts[0] > 0 && counts[0] < kRows / 2, qPrintable(QString::number(counts[0])));
        view.range = Bounds{{12, 2, -1}, {14, 4, 1}};
        view.maxRangePoints = kRows;
        const auto range = survey.ofView(view, {}, {});
        QCOMPARE(range->size(), std::size_t(kRows));
        QCOMPARE(range->subsampledFrom, std::uint64_t(0));
        view.range = Bounds{{112, 2, -1}, {114, 4, 1}};
        QVERIFY_EXCEPTION_THROWN(survey.ofView(view, {}, {}), EngineError);
    }

    void damagedFilesAreReported() {
        const QTemporaryDir folder;
        const fs::path top = writeFiles(folder);
        std::ofstream(top / "empty.las").close();
        std::ofstream(top / "broken.ply") << "ply\nformat ascii 1.0\nelement vertex 5\n";
        std::ofstream(top / "notes.md") << "not a scan";
        const SurveyScan survey(top, {}, {});
        fs::remove(top / "part1.xyz"); // the file is removed after its size was read
        const auto all = survey.sample(survey.points(), {}, {});
        QCOMPARE(all->size(), std::size_t((kFiles - 1) * kRows));
        QCOMPARE(all->subsampledFrom, std::uint64_t(0)); // the cloud is complete, not a subsample
        QVERIFY(hasWarning(*all, "empty.las") && hasWarning(*all, "broken.ply") &&
                hasWarning(*all, "'part1.xyz' was left out"));
        QVERIFY(!hasWarning(*all, "notes.md"));
        const QTemporaryDir none;
        QVERIFY_EXCEPTION_THROWN(SurveyScan(none.path().toStdString(), {}, {}), EngineError);
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestSurveyScan)
#include "test_survey_scan.moc"
