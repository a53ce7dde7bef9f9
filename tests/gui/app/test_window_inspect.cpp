// Inspecting a scan against a model in the whole window: colours, tolerance, figures and worst places.
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/reference.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/synth/synthetic_part.h"
#include "engine/io/writers.h"
#include "engine/picture/colouring.h"
#include "engine/results/snapshot.h"
#include "gui/controllers/inspect_controller.h"
#include "gui/dialogs/pairs_dialog.h"
#include "gui/dialogs/pick_pane.h"
#include "gui/jobs/report_file.h"
#include "gui/models/region_model.h"
#include "gui/panels/inspect_panel.h"
#include "gui/sliders/range_slider.h"
#include "gui/sliders/value_control.h"
#include "gui/views/scene/camera_frame.h"
#include "tests/gui/app/window_fixture.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QThread>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include <fmt/format.h>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

constexpr double kHalf = 0.06; // metres

/// A finely triangulated plate, in units of `scale` metres.
QString writePlate(const ScratchSettings& settings, const char* name, double scale) {
    constexpr int cells = 24;
    TriangleMesh mesh;
    mesh.positions = Buffer<Vec3f>::host((cells + 1) * (cells + 1));
    mesh.normals = Buffer<Vec3f>::host(mesh.positions.size());
    std::ranges::fill(mesh.normals.span(), Vec3f{0, 0, 1});
    mesh.indices = Buffer<std::uint32_t>::host(6 * cells * cells);
    std::size_t at = 0;
    for (int y = 0; y <= cells; ++y)
        for (int x = 0; x <= cells; ++x)
            mesh.positions[at++] = {float((2.0 * x / cells - 1) * kHalf / scale),
                                    float((2.0 * y / cells - 1) * kHalf / scale), 0};
    at = 0;
    for (std::uint32_t y = 0; y < cells; ++y)
        for (std::uint32_t x = 0; x < cells; ++x) {
            const std::uint32_t a = y * (cells + 1) + x, b = a + 1, c = a + cells + 1, d = c + 1;
            for (const std::uint32_t corner : {a, b, d, a, d, c})
                mesh.indices[at++] = corner;
        }
    const QString path = settings.path(QString::fromLatin1(name));
    writeMesh(rawPath(path), mesh, {}, {}, {});
    return path;
}

/// Points of the plate, shifted, with a bump of 2 mm at (0.02, 0.02) and a dent of 3 mm at (-0.03, 0).
QString writeScan(const ScratchSettings& settings, const char* name = "plate.xyz", Vec3d shift = {}) {
    std::string text;
    const auto bump = [](double x, double y, double height) {
        const double r2 = (x * x + y * y) / (0.01 * 0.01);
        return r2 < 1 ? height * (1 - r2) : 0;
    };
    for (int y = -200; y <= 200; ++y)
        for (int x = -200; x <= 200; ++x) {
            const double px = x * kHalf / 201, py = y * kHalf / 201;
            text += fmt::format("{:.7f} {:.7f} {:.7f}\n", px + shift.x, py + shift.y,
                                2e-4 * std::sin(90 * px) + bump(px - 0.02, py - 0.02, 0.002) +
                                    bump(px + 0.03, py, -0.003) + shift.z);
        }
    const QString path = settings.path(QString::fromLatin1(name));
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(text.data(), qint64(text.size()));
    return path;
}

/// The size on paper at which a PDF of Qt draws the pixels of each image: width and height.
std::vector<QSizeF> pixelShapes(const QByteArray& pdf) {
    std::vector<QSizeF> shapes;
    const QRegularExpression drawn(
        R"(([-\d.]+) 0 0 ([-\d.]+) [-\d.]+ [-\d.]+ cm\s+\d+ 0 0 -\d+ 0 \d+ cm\s*/Im\d+\s+Do)");
    // qUncompress() expects the length in front of the data
    const QByteArray start("\nstream\n"), length("\0\x10\0\0", 4);
    for (qsizetype at = pdf.indexOf(start); at >= 0; at = pdf.indexOf(start, at + 1)) {
        const qsizetype begin = at + start.size();
        if (pdf[begin] != 'x') // zlib data starts with 'x', JPEG data does not
            continue;
        const QByteArray content =
            qUncompress(length + pdf.mid(begin, pdf.indexOf("endstream", begin) - begin));
        for (auto found = drawn.globalMatch(QString::fromLatin1(content)); found.hasNext();) {
            const auto one = found.next();
            shapes.emplace_back(std::abs(one.captured(1).toDouble()), std::abs(one.captured(2).toDouble()));
        }
    }
    return shapes;
}

class InspectFixture : public WindowFixture {
public:
    using WindowFixture::WindowFixture;

    InspectPanel& panel() { return window.inspection().panel(); }
    /// Opens the scan and compares it with a model.
    bool prepare(const QString& scan, const QString& model) {
        window.open({scan});
        if (!isShown() || !waitForRest())
            return false;
        window.inspection().compareWith(model);
        return waitForRest() && QTest::qWaitFor([&] { return panel().reportButton()->isEnabled(); }, 20'000);
    }
    /// Undoes a step, and returns the text of the undo action.
    QString undo() {
        for (QAction* action : window.findChildren<QAction*>()) {
            const QString text = action->text().remove(QLatin1Char('&'));
            if (!text.startsWith(QLatin1String("Undo ")))
                continue;
            action->trigger();
            return text;
        }
        return {};
    }
    QString message() { return window.findChild<MessageBar*>()->text(); }
    /// Mean over all compared points, metres.
    double meanDeviation() {
        const PointCloud& cloud = *snapshot()->cloud;
        const Attribute& deviations = *cloud.attribute(kDeviationAttribute);
        double sum = 0, count = 0;
        for (std::size_t i = 0; i < cloud.size(); ++i)
            if (const double one = deviations.value(i); one == one) {
                sum += one;
                ++count;
            }
        return sum / count;
    }
    bool waitForRegions(int count) {
        return waitForRest() && QTest::qWaitFor([&] { return panel().model()->rowCount() == count; }, 20'000);
    }
};

} // namespace

class TestWindowInspect : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_settings.emplace();
        m_scan = writeScan(*m_settings);
    }

    void toleranceIsFollowed() {
        InspectFixture f;
        QVERIFY(f.prepare(m_scan, writePlate(*m_settings, "plate.ply", 1)));
        QCOMPARE(f.snapshot()->resolved->colourBy, std::string("deviation"));
        QVERIFY(f.panel().referenceText().contains("plate.ply"));
        QVERIFY(!f.panel().unitButton()->isVisible());
        QVERIFY(f.child<QDockWidget>("inspect")->isVisible());
        QCOMPARE(f.panel().model()->rowCount(), 0); // without a tolerance, there are no regions yet
        keepPicture(f.window, "inspect_continuous");
        QVERIFY(f.panel().table()->isEnabled());
        emit f.panel().tolerance()->edited(0.0005);
        QVERIFY(!f.panel().table()->isEnabled()); // the table belongs to the previous tolerance
        QVERIFY(f.waitForRegions(2));
        QVERIFY(f.panel().table()->isEnabled());
        QCOMPARE(f.window.parameters().recipe().tolerance, 0.0005);
        QVERIFY(showsTolerance(f.snapshot()->resolved));
        const auto& regions = f.panel().model()->regions();
        QVERIFY(std::abs(regions[0].largest + 0.003) < 3e-4 && std::abs(regions[1].largest - 0.002) < 3e-4);
        keepPicture(f.window, "inspect_bands");
        // both handles of the histogram set the tolerance
        QTest::qWait(1100); // makes the next change a separate step
        emit f.panel().histogram()->edited(-0.0025, 0.0005);
        QVERIFY(f.waitForRegions(1));
        QCOMPARE(f.window.parameters().recipe().tolerance, 0.0025);
        QCOMPARE(f.panel().histogram()->upper(), 0.0025);
        // undoes the steps one by one; the last one removes the model
        QCOMPARE(f.undo(), QStringLiteral("Undo Tolerance: 0.0005 m → 0.0025 m"));
        QVERIFY(f.waitForRegions(2));
        QCOMPARE(f.undo(), QStringLiteral("Undo Tolerance: 0 m → 0.0005 m"));
        QVERIFY(f.waitForRegions(0));
        QCOMPARE(f.window.parameters().recipe().tolerance, 0.0);
        QVERIFY(f.undo().contains("Compare with plate.ply"));
        QVERIFY(f.waitForRest());
        QVERIFY(f.snapshot()->cloud->attribute(kDeviationAttribute) == nullptr);
        QVERIFY(QTest::qWaitFor([&] { return !f.panel().reportButton()->isEnabled(); }, 20'000));
    }

    void worstPlacesAreFlownTo() {
        InspectFixture f;
        QVERIFY(f.prepare(m_scan, writePlate(*m_settings, "plate.ply", 1)));
        emit f.panel().tolerance()->edited(0.0005);
        QVERIFY(f.waitForRegions(2));
        const double before = norm(f.window.camera().camera().target - f.window.camera().camera().eye);
        QTableView* table = f.panel().table();
        const QRect cell = table->visualRect(f.panel().model()->index(0, 0));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
        const Camera& camera = f.window.camera().camera();
        const Vec3d place = f.panel().model()->regions()[0].at;
        QVERIFY(QTest::qWaitFor([&] { return norm(camera.target - place) < 1e-6; }, 20'000));
        QVERIFY(norm(camera.target - camera.eye) < before);
        QVERIFY(f.waitForRest());
        keepPicture(f.window, "inspect_place");
    }

    void reportsAreWritten() {
        InspectFixture f;
        QVERIFY(f.prepare(m_scan, writePlate(*m_settings, "plate.ply", 1)));
        emit f.panel().tolerance()->edited(0.0005);
        QVERIFY(f.waitForRegions(2));
        ReportOptions how;
        how.unit = LengthUnit::metre;
        InspectionReport report = [&] {
            InspectionReport made;
            std::thread([&] { made = inspectionReport(*f.snapshot(), how, {}); }).join();
            return made;
        }();
        QCOMPARE(report.figures.regions, std::uint64_t(2));
        QVERIFY(!report.isAccepted());
        QCOMPARE(report.pictures.size(), std::size_t(6));
        QCOMPARE(report.reference.sha256.size(), std::size_t(64));
        // exports run on another thread, and Qt lays out images differently on the GUI thread
        std::thread([&] {
            for (const char* name : {"report.html", "report.pdf"})
                writeReport(rawPath(m_settings->path(QLatin1String(name))), report, {});
        }).join();
        QFile page(m_settings->path("report.html")), pdf(m_settings->path("report.pdf"));
        if (const QString folder = qEnvironmentVariable("SCANLOUPE_SCREENSHOTS"); !folder.isEmpty()) {
            QFile::remove(folder + "/report.pdf");
            QVERIFY(pdf.copy(folder + "/report.pdf"));
        }
        QVERIFY(page.open(QIODevice::ReadOnly) && pdf.open(QIODevice::ReadOnly));
        const QByteArray html = page.readAll();
        QVERIFY(html.contains("Outside tolerance") && html.contains("data:image/png;base64,iVBOR"));
        QVERIFY(!html.contains("src=\"http") && !html.contains("href="));
        const QByteArray written = pdf.readAll();
        QVERIFY(written.startsWith("%PDF-"));
        const std::vector<QSizeF> shown = pixelShapes(written);
        QCOMPARE(shown.size(), std::size_t(7)); // seven pictures, including the histogram
        for (const QSizeF& shape : shown)
            QVERIFY2(std::abs(shape.width() / shape.height() - 1) < 0.01,
                     qPrintable(QStringLiteral("%1 %2").arg(shape.width()).arg(shape.height())));
    }

    void picturesFollowTheTolerance() {
        const auto part = std::make_shared<PointCloud>(partScan({}, false, {}, {}));
        const QString scan = m_settings->path("part.ply"), model = m_settings->path("part.stl");
        writeCloud(rawPath(scan), *part, {}, {});
        writeMesh(rawPath(model), partModel({}), {}, {}, {});
        InspectFixture f;
        QVERIFY(f.prepare(scan, model));
        f.action("Points")->trigger();
        QVERIFY(f.waitForRest());
        int pictures = 0;
        double last = 0;
        connect(&f.window.jobs().runner(), &PipelineRunner::snapshotReady, &f.window,
                [&](const SnapshotPtr& s) {
                    pictures += s->picture && s->resolved->tolerance != last; // count each new tolerance once
                    last = s->resolved->tolerance;
                });
        QElapsedTimer timer;
        timer.start();
        constexpr int kSingle = 5;
        for (int i = 0; i < kSingle; ++i) { // one after the other, to calibrate for the speed of this machine
            const int before = pictures;
            emit f.panel().tolerance()->edited(0.0006 + 0.0001 * i);
            QTRY_VERIFY_WITH_TIMEOUT(pictures > before, 20'000);
        }
        const double singleMs = double(timer.restart()) / kSingle;
        pictures = 0;
        int moves = 0;
        for (; timer.elapsed() < 2000; ++moves) { // changes without a pause, like a hand that never rests
            emit f.panel().tolerance()->edited(0.0001 + 0.0004 * (moves % 200) / 200);
            QTest::qWait(2);
        }
        const double rate = pictures * 1000.0 / double(timer.elapsed());
        qInfo("%.1f pictures a second of %llu points, %d moves; a single one takes %.0f ms", rate,
              qulonglong(part->size()), moves, singleMs);
        QVERIFY2(rate * singleMs >= 500, qPrintable(QString::number(rate)));
        if (testBackend() == Backend::cuda)
            QVERIFY2(rate >= 30, qPrintable(QString::number(rate)));
        QVERIFY(f.waitForRest());
    }

    void unitsAreOffered() {
        InspectFixture f;
        QVERIFY(f.prepare(m_scan, writePlate(*m_settings, "millimetres.stl", 0.001)));
        QVERIFY(f.panel().referenceText().contains("millimetres"));
        QVERIFY(f.panel().unitButton()->isVisible());
        f.panel().unitButton()->click();
        QVERIFY(f.waitForRest());
        QVERIFY(QTest::qWaitFor([&] { return !f.panel().unitButton()->isVisible(); }, 20'000));
        emit f.panel().tolerance()->edited(0.0005);
        QVERIFY(f.waitForRegions(2));
    }

    void scansAreReferencesToo() {
        InspectFixture f;
        QVERIFY(f.prepare(m_scan, m_scan));
        QVERIFY(f.panel().referenceText().contains("scan of") &&
                f.panel().referenceText().contains("normals"));
        QVERIFY(f.panel().localModel()->isVisible());
        const auto largest = [&] {
            double most = 0;
            const Attribute& deviations = *f.snapshot()->cloud->attribute(kDeviationAttribute);
            for (std::size_t i = 0; i < f.snapshot()->cloud->size(); ++i)
                most = std::max(most, std::abs(deviations.value(i)));
            return most;
        };
        QVERIFY(largest() > 0); // deviations from fitted planes
        f.panel().localModel()->setCurrentIndex(int(LocalModel::none));
        emit f.panel().localModel()->activated(int(LocalModel::none));
        QVERIFY(f.waitForRest());
        QCOMPARE(largest(), 0.0); // each point is its own nearest point
        QVERIFY(f.undo().contains("plate"));
        QVERIFY(f.waitForRest());
        QVERIFY(largest() > 0);
        QCOMPARE(f.panel().localModel()->currentIndex(), int(LocalModel::plane));
    }

    void deviationLinesAndProbes() {
        InspectFixture f;
        QVERIFY(f.prepare(m_scan, writePlate(*m_settings, "plate.ply", 1)));
        QVERIFY(!f.panel().localModel()->isVisible());
        emit f.panel().tolerance()->edited(0.0005);
        QVERIFY(f.waitForRegions(2));
        QVERIFY(f.panel().histogram()->bars().gaussFit().has_value());
        QVERIFY(f.window.inspection().marks().empty());
        const int five = f.panel().deviationLines()->findData(5.0);
        f.panel().deviationLines()->setCurrentIndex(five);
        emit f.panel().deviationLines()->activated(five);
        const auto marks = f.window.inspection().marks();
        QCOMPARE(marks.size(), std::size_t(3)); // deviations below, within and above the tolerance
        std::size_t lines = 0;
        for (const SceneMark& mark : marks)
            lines += mark.lines.size();
        QVERIFY(lines > 1000 && lines <= Inspection::kMaxDeviationLines);
        for (const auto& line : marks[2].lines) // lines upwards with five times the height of the bump
            QVERIFY(std::abs(line[1].z - line[0].z - 5 * line[0].z) < 1e-6);
        // a probe: the dent is 3 mm deep
        const QString probe = f.window.inspection().deviationText({-0.03, 0, -0.003});
        QVERIFY2(probe.contains(QRegularExpression(QStringLiteral("^[-−]3[.0]* mm$"))), qPrintable(probe));
        QTest::qWait(500); // waits until the marks are drawn
        keepPicture(f.window, "inspect_deviation_lines");
    }

    void pairsArePicked() {
        const Vec3d shift{0.011, -0.007, 0.013};
        InspectFixture f;
        QVERIFY(
            f.prepare(writeScan(*m_settings, "moved.xyz", shift), writePlate(*m_settings, "plate.ply", 1)));
        const auto entries = f.panel().findChildren<QAction*>();
        const auto entry = std::ranges::find_if(
            entries, [](const QAction* action) { return action->text().startsWith("Match Picked"); });
        QVERIFY(entry != entries.end());
        (*entry)->trigger();
        auto* dialog = f.window.findChild<PairsDialog*>();
        QVERIFY(dialog != nullptr);
        const auto click = [](PickPane& pane, Vec3d place) {
            RasterView& view = pane.view();
            const QPointF pixel = CameraFrame(pane.camera().camera(), view.size()).project(place);
            QTest::mouseClick(&view, Qt::LeftButton, {}, pixel.toPoint());
        };
        QVERIFY(QTest::qWaitFor(
            [&] {
                return dialog->scanPane().view().isComplete() && dialog->referencePane().view().isComplete();
            },
            20'000));
        const Vec3d places[] = {{-0.05, -0.05, 0}, {0.05, -0.045, 0}, {0.045, 0.05, 0}, {-0.05, 0.04, 0}};
        for (const Vec3d& place : places) {
            QVERIFY(!dialog->moveButton()->isEnabled() || &place == &places[3]);
            click(dialog->scanPane(), place + shift);
            click(dialog->referencePane(), place);
        }
        QVERIFY2(dialog->orientation() && dialog->orientation()->rms < 1e-3, qPrintable(dialog->sentence()));
        QVERIFY(dialog->sentence().contains("4 pairs"));
        // a point of a selected row is replaced, and a pair can be removed
        dialog->table()->selectRow(3);
        click(dialog->scanPane(), Vec3d{0, 0, 0} + shift);
        QVERIFY(dialog->orientation()->rms > 1e-3);
        QCOMPARE(dialog->table()->model()->rowCount(), 4);
        keepPicture(*dialog, "inspect_pairs");
        dialog->table()->selectRow(3);
        dialog->removeButton()->click();
        QVERIFY(dialog->orientation()->rms < 1e-3);
        const Orientation found = *dialog->orientation();
        QVERIFY2(norm(found.motion(shift)) < 1.5e-3, // a pixel covers about 0.4 mm
                 qPrintable(QString::number(norm(found.motion(shift)))));
        dialog->moveButton()->click();
        QVERIFY(f.waitForRest());
        const PointCloud &before = *f.snapshot()->input, &after = *f.snapshot()->cloud;
        for (const std::size_t i : {std::size_t(0), before.size() / 2, before.size() - 1})
            QVERIFY(norm(after.position(i) - found.motion(before.position(i))) < 1e-6);
        QVERIFY(f.undo().contains("Match picked pairs"));
        QVERIFY(f.waitForRest());
        QVERIFY(norm(f.snapshot()->cloud->position(0) - before.position(0)) < 1e-9);
    }

    void scansAreFitted() {
        InspectFixture f;
        const Vec3d shift{0, 0, 0.0015};
        QVERIFY(
            f.prepare(writeScan(*m_settings, "above.xyz", shift), writePlate(*m_settings, "plate.ply", 1)));
        QVERIFY(f.panel().fitButton()->isEnabled());
        f.panel().fitButton()->click();
        QVERIFY(QTest::qWaitFor([&] { return f.message().contains("Fitted"); }, 20'000));
        QVERIFY2(f.message().contains("does not constrain 3 of 6 directions"),
                 qPrintable(f.message())); // a message reports that the plate is flat
        QVERIFY2(f.waitForRest(), qPrintable(f.message()));
        QVERIFY2(std::abs(f.meanDeviation()) < 1e-4, qPrintable(QString::number(f.meanDeviation())));
        QVERIFY(f.undo().contains("Fit to the reference"));
        QVERIFY(f.waitForRest());
        QVERIFY(std::abs(f.meanDeviation() - shift.z) < 1e-4);
    }

    void pointsThatAreComparedAreFitted() {
        InspectFixture f;
        f.window.open({writeScan(*m_settings, "above.xyz", {0, 0, 0.0015})});
        QVERIFY(f.isShown() && f.waitForRest());
        Recipe recipe = f.window.parameters().recipe(); // compares the bump only, without its surroundings
        recipe.edits.selection.steps = {
            stepOf(SetOperation::replace,
                   FormulaRegion{"abs(x - 0.02) < 0.004 && abs(y - 0.02) < 0.004", {0, 0, 1}})};
        emit f.window.parameters().recipeChanged(recipe);
        QVERIFY(f.waitForRest());
        f.window.inspection().compareWith(writePlate(*m_settings, "plate.ply", 1));
        QVERIFY(f.waitForRest());
        QVERIFY(QTest::qWaitFor([&] { return f.panel().fitButton()->isEnabled(); }, 20'000));
        const double before = f.snapshot()->cloud->position(0).z;
        f.panel().fitButton()->click();
        QVERIFY(QTest::qWaitFor([&] { return f.message().contains("Fitted"); }, 20'000));
        QVERIFY(f.waitForRest());
        QVERIFY2(std::abs(f.meanDeviation()) < 2e-4, qPrintable(QString::number(f.meanDeviation())));
        // all points were moved, by more than the plate's distance from the model
        const double moved = before - f.snapshot()->cloud->position(0).z;
        QVERIFY2(moved > 0.0025, qPrintable(QString::number(moved)));
    }

    void changeToALaterScan() {
        InspectFixture f;
        f.window.open({m_scan});
        QVERIFY(f.isShown() && f.waitForRest());
        // a later scan that is a millimetre higher
        QFile earlier(m_scan), later(m_settings->path("later.xyz"));
        QVERIFY(earlier.open(QIODevice::ReadOnly) && later.open(QIODevice::WriteOnly));
        for (const QByteArray& line : earlier.readAll().split('\n')) {
            const auto words = line.split(' ');
            if (words.size() == 3)
                later.write(words[0] + ' ' + words[1] + ' ' +
                            QByteArray::number(words[2].toDouble() + 0.001, 'g', 9) + '\n');
        }
        later.close();
        const QString target = m_settings->path("change.ply");
        f.window.inspection().findChange(later.fileName(), target);
        QVERIFY(
            QTest::qWaitFor([&] { return f.window.messages().text().contains("m3c2_distance"); }, 60'000));
        for (const char* part : {"changed with 95", "Net volume of all cells: ", " ± ", "gained ",
                                 "all cells, including noise: "})
            QVERIFY2(f.window.messages().text().contains(QString::fromUtf8(part)),
                     qPrintable(f.window.messages().text()));
        const auto found = readScan(rawPath(target), {}, {});
        const Attribute* distance = found->attribute("m3c2_distance");
        QVERIFY(distance != nullptr);
        found->load(std::array{distance}, {});
        double sum = 0, count = 0;
        for (std::size_t i = 0; i < found->size(); ++i)
            if (!std::isnan(distance->value(i))) {
                sum += distance->value(i);
                ++count;
            }
        QVERIFY(count > 0.9 * double(found->size()));
        // the up axis is chosen from the data, so that the sign may differ
        QVERIFY2(std::abs(std::abs(sum / count) - 0.001) < 1e-4, qPrintable(QString::number(sum / count)));
    }

    void badModelsAreReported() {
        InspectFixture f;
        f.window.open({m_scan});
        QVERIFY(f.isShown() && f.waitForRest());
        const Recipe before = f.window.parameters().recipe();
        f.window.inspection().compareWith(m_settings->path("none.stl"));
        QVERIFY(QTest::qWaitFor([&] { return f.window.messages().isError(); }, 20'000));
        QVERIFY(f.window.messages().text().contains("none.stl"));
        QVERIFY(f.window.parameters().recipe() == before); // the recipe is unchanged
    }

private:
    std::optional<ScratchSettings> m_settings;
    QString m_scan;
};

SCANLOUPE_TEST_IN(QApplication, TestWindowInspect)
#include "test_window_inspect.moc"
