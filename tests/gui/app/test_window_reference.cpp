// Unit and coordinate system in the window: every length is shown in the unit of the scan, which can be set,
// undone and kept in a project; angular units are pointed out.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/reference/system_text.h"
#include "engine/inspect/section/section_drawing.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/results/snapshot.h"
#include "gui/controllers/project_controller.h"
#include "gui/dialogs/section_dialog.h"
#include "gui/dialogs/sweep_dialog.h"
#include "gui/marks/section_picture.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/log_panel.h"
#include "gui/panels/measures_panel.h"
#include "gui/panels/reference_form.h"
#include "gui/tools/section_edits.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/support/pipeline_run.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTableView>
#include <QToolButton>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

constexpr const char* kFeet =
    R"(PROJCS["Oregon in feet",GEOGCS["NAD83",DATUM["x",SPHEROID["GRS",6378137,298.257222101]],)"
    R"(PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic_2SP"],)"
    R"(UNIT["foot",0.3048],AUTHORITY["EPSG","2992"]])";

/// All texts of a window, including its tool tips and menus.
QStringList textsOf(QWidget& window) {
    QStringList all;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        all << widget->toolTip();
        if (widget->isHidden())
            continue;
        if (auto* label = qobject_cast<QLabel*>(widget))
            all << label->text();
        else if (auto* line = qobject_cast<QLineEdit*>(widget))
            all << line->text();
        else if (auto* button = qobject_cast<QAbstractButton*>(widget))
            all << button->text();
        else if (auto* combo = qobject_cast<QComboBox*>(widget))
            all << combo->currentText();
        else if (auto* text = qobject_cast<QPlainTextEdit*>(widget))
            all << text->toPlainText();
        auto* table = qobject_cast<QTableView*>(widget);
        if (!table || !table->model())
            continue;
        const QAbstractItemModel& model = *table->model();
        for (int column = 0; column < model.columnCount(); ++column) {
            all << model.headerData(column, Qt::Horizontal).toString();
            for (int row = 0; row < model.rowCount(); ++row)
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
                    all << model.index(row, column).data(role).toString();
        }
    }
    for (const QAction* action : window.findChildren<QAction*>())
        all << action->text();
    return all;
}

/// The texts that state lengths in metres, centimetres or millimetres.
QStringList inMetres(const QStringList& texts) {
    static const QRegularExpression metres(QStringLiteral(R"((?:^|[\s/,(])(?:m|mm|cm)(?:[²³]|$|[\s,.;:)]))"));
    return texts.filter(metres);
}

} // namespace

class TestWindowReference : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;
    QString path(const char* name) const { return m_settings.path(QString::fromLatin1(name)); }

    static ReferenceForm& form(WindowFixture& f) { return *f.window.findChild<ReferenceForm*>(); }
    static QString suffixOfVoxelSize(WindowFixture& f) {
        for (QDoubleSpinBox* box : f.window.parameters().row("voxel_size")->findChildren<QDoubleSpinBox*>())
            if (!box->isHidden())
                return box->suffix();
        return {};
    }
    static void choose(WindowFixture& f, LengthUnit unit) {
        QComboBox* combo = form(f).unit();
        combo->setCurrentIndex(int(unit));
        emit combo->activated(int(unit));
    }
    /// The first measure of the list, with all of its values.
    static QString measured(WindowFixture& f) {
        return f.window.findChild<MeasuresPanel*>()->model()->index(0, MeasureModel::value).data().toString();
    }
    static void measure(WindowFixture& f) {
        Measure distance{MeasureKind::distance, "a", {{{0, 0, 0}}, {{3, 4, 12}}}, 0xff8000, true};
        Measure area{
            MeasureKind::area, "b", {{{0, 0, 0}}, {{2, 0, 0}}, {{2, 3, 0}}, {{0, 3, 0}}}, 0x80ff00, true};
        emit f.window.findChild<MeasuresPanel*>()->edited({distance, area});
    }

private slots:
    void initTestCase() {
        if (!haveProj())
            QSKIP("this build has no PROJ");
        synth::ScanParams params;
        params.points = 30'000;
        PointCloud cloud = syntheticCloud(params, false, {}, {});
        writeCloud(path("plain.ply").toStdString(), cloud, {}, {});
        cloud.coordinateSystem = kFeet;
        writeCloud(path("feet.las").toStdString(), cloud, {}, {});
        DoublePositions degrees{Buffer<Vec3d>::host(2000), -1};
        for (std::size_t i = 0; i < 2000; ++i)
            degrees.xyz[i] = {-94.68 + 1e-5 * double(i % 50), 31.03 + 1e-5 * double(i / 50),
                              40 + double(i % 7)};
        writeCloud(path("degrees.ply").toStdString(), PointCloud(std::move(degrees), {}, {}), {}, {});
    }

    void aScanInFeetIsInFeetEverywhere() {
        WindowFixture f;
        QVERIFY(f.isShown());
        for (QDockWidget* dock : f.window.findChildren<QDockWidget*>())
            dock->show();
        f.open(path("feet.las").toStdString());
        QVERIFY(f.waitForRest());
        measure(f);
        Recipe recipe = f.window.parameters().recipe();
        recipe.section = sectionAcross({0, 1, 0}, f.snapshot()->resolved);
        recipe.field = FieldKind::density;
        emit f.window.parameters().row("section")->edited(recipe);
        QVERIFY(f.waitForRest());
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->quality != nullptr; }, 20'000));
        QCOMPARE(form(f).unit()->currentText(), QStringLiteral("international foot (ft)"));
        QCOMPARE(form(f).source(), QStringLiteral("from the file"));
        QCOMPARE(form(f).system()->text(), QStringLiteral("Oregon in feet (EPSG:2992)"));
        QCOMPARE(measured(f), QStringLiteral("13.000 ft (horizontal 5.000 ft, height 12.000 ft)"));
        QCOMPARE(suffixOfVoxelSize(f), QStringLiteral(" ft"));
        QCOMPARE(f.window.parameters().style().unit, LengthUnit::foot);
        QVERIFY(f.action("Open Sample Scan"));
        const QStringList left = inMetres(textsOf(f.window));
        QVERIFY2(left.isEmpty(), qPrintable(left.join('\n')));
        const QStringList all = textsOf(f.window);
        for (const char* text : {"6.000 ft²", "lowest and highest, ft", "x ft"})
            QVERIFY2(std::ranges::any_of(all, [&](const QString& one) { return one.contains(text); }), text);
        keepPicture(f.window, QStringLiteral("reference-feet"));

        f.action("Parameter Sweep…")->trigger();
        auto* sweep = f.window.findChild<SweepDialog*>();
        QVERIFY(sweep);
        sweep->start();
        QVERIFY(QTest::qWaitFor([&] { return !sweep->runner().isBusy() && sweep->cells().size() == 12; },
                                60'000));
        QVERIFY2(inMetres(textsOf(*sweep)).isEmpty(), qPrintable(inMetres(textsOf(*sweep)).join('\n')));
        QVERIFY(sweep->csv().find("mean_distance_ft,") != std::string::npos);
        keepPicture(*sweep, QStringLiteral("reference-sweep"));
        sweep->close();
    }

    void theUnitIsSetUndoneAndKept() {
        const QString project = path("feet.json");
        {
            WindowFixture f;
            f.open(path("plain.ply").toStdString());
            QVERIFY(f.waitForRest());
            QCOMPARE(form(f).unit()->currentText(), QStringLiteral("metre (m)"));
            QCOMPARE(form(f).source(), QStringLiteral("assumed: the file has no unit"));
            measure(f);
            QCOMPARE(measured(f), QStringLiteral("13.000 m (horizontal 5.000 m, height 12.000 m)"));
            choose(f, LengthUnit::surveyFoot);
            QCOMPARE(measured(f), QStringLiteral("13.000 ftUS (horizontal 5.000 ftUS, height 12.000 ftUS)"));
            QCOMPARE(suffixOfVoxelSize(f), QStringLiteral(" ftUS"));
            QCOMPARE(form(f).source(), QStringLiteral("set by hand"));
            QAction* undo = f.action("Undo Unit: as in the file → US survey foot (ftUS)");
            QVERIFY(undo);
            undo->trigger();
            QCOMPARE(suffixOfVoxelSize(f), QStringLiteral(" m"));
            QCOMPARE(measured(f), QStringLiteral("13.000 m (horizontal 5.000 m, height 12.000 m)"));
            f.action("Redo Unit: as in the file → US survey foot (ftUS)")->trigger();
            QCOMPARE(suffixOfVoxelSize(f), QStringLiteral(" ftUS"));
            form(f).system()->setText(QStringLiteral("EPSG:2993"));
            form(f).system()->setModified(true);
            emit form(f).system()->editingFinished();
            QVERIFY(f.action("Undo Coordinate system"));
            QVERIFY(f.window.project().saveProjectTo(project));
        }
        WindowFixture f;
        f.window.open({project});
        QVERIFY(f.waitForRest());
        QCOMPARE(suffixOfVoxelSize(f), QStringLiteral(" ftUS"));
        QCOMPARE(form(f).system()->text(), QStringLiteral("NAD83(HARN) / Oregon LCC (m) (EPSG:2993)"));
        QCOMPARE(measured(f), QStringLiteral("13.000 ftUS (horizontal 5.000 ftUS, height 12.000 ftUS)"));
        QVERIFY(!f.window.isWindowModified());
        f.action("Undo Coordinate system")->trigger();
        QVERIFY(form(f).system()->text().isEmpty());
        QTest::mouseClick(form(f).unitOfFile(), Qt::LeftButton);
        QCOMPARE(suffixOfVoxelSize(f), QStringLiteral(" m"));
    }
    void anotherScanHasItsOwnUnit() {
        WindowFixture f;
        f.open(path("plain.ply").toStdString());
        QVERIFY(f.waitForRest());
        choose(f, LengthUnit::inch);
        f.answer(QMessageBox::Discard);
        f.open(path("feet.las").toStdString());
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud->path.ends_with("feet.las"); }, 20'000));
        QVERIFY(f.waitForRest());
        QCOMPARE(suffixOfVoxelSize(f), QStringLiteral(" ft"));
    }

    void cloudsOfAListKeepTheirUnits() {
        QDir().mkpath(path("list"));
        QFile::copy(path("plain.ply"), path("list/a.ply"));
        QFile::copy(path("feet.las"), path("list/b.las"));
        WindowFixture f;
        f.window.open({path("list")}, SeveralAs::clouds);
        QVERIFY(f.waitForRest());
        QCOMPARE(suffixOfVoxelSize(f), QStringLiteral(" m"));
        choose(f, LengthUnit::inch);
        f.window.playlist().show(1);
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud->path.ends_with("b.las"); }, 20'000));
        QVERIFY(f.waitForRest());
        QCOMPARE(suffixOfVoxelSize(f), QStringLiteral(" ft"));
        f.window.playlist().show(0);
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud->path.ends_with("a.ply"); }, 20'000));
        QVERIFY(f.waitForRest());
        QCOMPARE(suffixOfVoxelSize(f), QStringLiteral(" in"));
    }

    void degreesAreReportedAndHaveNoScale() {
        WindowFixture f;
        f.open(path("degrees.ply").toStdString());
        QVERIFY(f.waitForRest());
        QCOMPARE(form(f).unit()->currentText(), QStringLiteral("geographic degree"));
        QCOMPARE(form(f).source(), QStringLiteral("guessed from the coordinates"));
        const auto explainsDegrees = [](const QString& text) {
            return text.contains(QStringLiteral("not lengths")) &&
                   text.contains(QStringLiteral("Project the scan"));
        };
        const QStringList notes = f.window.findChild<DataPanel*>()->sentences();
        QVERIFY(!notes.isEmpty() && explainsDegrees(notes.front()));
        QVERIFY(explainsDegrees(f.window.messages().text()));
        const QString log = f.window.findChild<LogPanel*>()->findChild<QPlainTextEdit*>()->toPlainText();
        QVERIFY2(explainsDegrees(log) && log.contains(QStringLiteral("Data panel, under Scan")),
                 qPrintable(log));
        keepPicture(f.window, QStringLiteral("reference-degrees"));
        Recipe recipe = f.window.parameters().recipe();
        recipe.section = sectionAcross({1, 0, 0}, f.snapshot()->resolved);
        emit f.window.parameters().row("section")->edited(recipe);
        QVERIFY(f.waitForRest());
        QVERIFY(!f.snapshot()->section->lines.empty());
        SectionDialog dialog(f.snapshot(), {0, 0, 1}, LengthUnit::degree, {}, &f.window);
        dialog.setPath(path("a.svg"));
        const auto hint = [&] {
            QString all;
            for (const QLabel* label : dialog.findChildren<QLabel*>())
                all += label->text();
            return all;
        };
        QVERIFY2(hint().contains(QStringLiteral("No scale is possible")), qPrintable(hint()));
        choose(f, LengthUnit::metre); // the user overrides the guess
        QVERIFY(!std::ranges::any_of(f.window.findChild<DataPanel*>()->sentences(), explainsDegrees));
    }

    /// 100 ft at 1:100 are 304.8 mm of paper, plus margins of 10 mm.
    void picturesAreToScale() {
        SectionDrawing drawing;
        drawing.high = {100, 10};
        const auto widthOf = [&](LengthUnit unit) {
            return SectionPicture{100, 300, unit}.size(drawing).width();
        };
        QCOMPARE(widthOf(LengthUnit::foot), 3837);
        QCOMPARE(widthOf(LengthUnit::metre), 12048);
        QVERIFY_THROWS_EXCEPTION(EngineError, widthOf(LengthUnit::degree));
    }

    void realScans() {
        SCANLOUPE_REAL_SCAN(feet, "las/pdal_autzen_trim.las");
        WindowFixture f;
        QVERIFY(f.isShown());
        f.open(feet);
        QVERIFY(f.waitForRest());
        QCOMPARE(suffixOfVoxelSize(f), QStringLiteral(" ft"));
        QVERIFY2(inMetres(textsOf(f.window)).isEmpty(), qPrintable(inMetres(textsOf(f.window)).join('\n')));
        keepPicture(f.window, QStringLiteral("reference-autzen"));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowReference)
#include "test_window_reference.moc"
