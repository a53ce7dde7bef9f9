// The parameter dock: every control changes the recipe according to its declaration, without feedback loops.
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "gui/controls/theme.h"
#include "gui/panels/parameters/colour_by_row.h"
#include "gui/panels/parameters/parameter_panel.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/panels/parameters/position_row.h"
#include "gui/panels/parameters/range_row.h"
#include "gui/sliders/number_box.h"
#include "gui/sliders/range_slider.h"
#include "gui/sliders/value_control.h"
#include "tests/gui/panels/panel_test_support.h"
#include "tests/support/test_program.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <memory>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

class TestPanelsParameters : public QObject {
    Q_OBJECT

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<ParameterPanel> m_panel;
    std::unique_ptr<QSignalSpy> m_changes;

    template <class Row>
    Row* row(const char* key) {
        return dynamic_cast<Row*>(m_panel->row(key));
    }
    const Recipe& recipe() const { return m_panel->recipe(); }
    void grab(const char* name, QWidget* widget) {
        if (const QByteArray folder = qgetenv("SCANLOUPE_SCREENSHOTS"); !folder.isEmpty())
            QVERIFY(widget->grab().save(QString::fromLocal8Bit(folder) + '/' + name + ".png"));
    }

private slots:
    void initTestCase() {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        m_theme = std::make_unique<Theme>();
    }
    void cleanupTestCase() { m_theme.reset(); }
    void init() {
        m_panel = std::make_unique<ParameterPanel>();
        m_panel->resize(320, 760);
        m_panel->setSnapshot(sheetSnapshot());
        m_panel->show();
        m_changes = std::make_unique<QSignalSpy>(m_panel.get(), &ParameterPanel::recipeChanged);
    }
    void cleanup() {
        m_changes.reset();
        m_panel.reset();
    }

    void everyParameterHasARow() {
        for (const Parameter& p : parameters()) {
            const bool windows = p.key == "image_width" || p.key == "image_height" || p.key == "view" ||
                                 p.key == "outer_range" || p.key == "tolerance";
            QVERIFY2((m_panel->row(p.key) == nullptr) == windows, p.key.c_str());
        }
    }

    void numberRowsFollowTheirDeclaration() {
        for (const Parameter& p : parameters()) {
            auto* number = row<NumberRow>(p.key.c_str());
            if (!number)
                continue;
            const char* key = p.key.c_str();
            QVERIFY2(number->control()->box()->minimum() == p.min, key);
            QVERIFY2(number->control()->box()->maximum() == p.max, key);
            QVERIFY2(p.unit.empty() || number->control()->box()->suffix().trimmed().toStdString() == p.unit,
                     key);
            QVERIFY2(number->toolTip().contains(QString::fromStdString(p.help).left(20)), key);
            if (number->control()->slider()) {
                QVERIFY2(number->control()->scale().logarithmic == p.logarithmic, key);
                number->control()->slider()->setValue(0);
                const int before = m_changes->count();
                number->control()->slider()->setValue(ValueScale::kSteps / 2);
                QVERIFY2(m_changes->count() == before + 1, key);
                QVERIFY2(p.get(recipe()) == std::vector{number->control()->value()}, key);
            } else {
                const double value = std::min(77.0, p.max);
                number->control()->box()->setValue(value);
                QVERIFY2(p.get(recipe()) == std::vector{value}, key);
            }
            checkLimits(recipe());
        }
    }

    void sensorByItsBoxes() {
        auto* sensor = row<PositionRow>("sensor");
        QCOMPARE(sensor->box(0)->text(), QStringLiteral("none")); // the sensor position is unknown
        QVERIFY(!recipe().sensor);
        sensor->box(1)->setValue(2.5);
        QVERIFY(recipe().sensor == (Vec3d{0, 2.5, 0}));
        QCOMPARE(sensor->box(0)->text(), QStringLiteral("0"));
        sensor->box(0)->setValue(sensor->box(0)->minimum()); // the minimum is shown as "none"
        QVERIFY(!recipe().sensor);
        sensor->box(2)->setValue(-1);
        QVERIFY(recipe().sensor == (Vec3d{0, 0, -1}));
        sensor->resetButton()->click();
        QVERIFY(!recipe().sensor);
        QCOMPARE(sensor->box(1)->text(), QStringLiteral("none"));
    }

    void limitsReadAsNoLimit() {
        QCOMPARE(row<NumberRow>("max_voxels")->control()->box()->text(), QStringLiteral("no limit"));
    }

    void rangeByItsHandles() {
        RangeSlider* slider = row<RangeRow>("range")->slider(0);
        QVERIFY(!recipe().rangeMin);
        const QPoint at = slider->handleCentre(1).toPoint();
        QTest::mousePress(slider, Qt::LeftButton, {}, at);
        QTest::mouseMove(slider, at - QPoint(slider->width() / 3, 0));
        QTest::mouseRelease(slider, Qt::LeftButton, {}, at - QPoint(slider->width() / 3, 0));
        QVERIFY(m_changes->count() >= 1);
        const auto sheet = sheetSnapshot();
        const Snapshot& s = *sheet;
        QVERIFY(recipe().rangeMax->x < s.resolved->rangeMax->x - 1);
        QCOMPARE(recipe().rangeMin->x, s.resolved->rangeMin->x); // the rest as it was chosen, to the last bit
        QCOMPARE(recipe().rangeMin->z, s.resolved->rangeMin->z);
        QCOMPARE(recipe().rangeMax->y, s.resolved->rangeMax->y);
    }

    void rangeByItsNumbers() {
        auto* range = row<RangeRow>("range");
        range->lower(1)->setValue(2.5);
        QCOMPARE(recipe().rangeMin->y, 2.5);
        range->lower(1)->setValue(90); // the lower limit exceeds the upper one, which is moved
        QCOMPARE(recipe().rangeMin->y, 90.0);
        QVERIFY(recipe().rangeMax->y > 90);
        range->upper(1)->setValue(-3);
        QCOMPARE(recipe().rangeMax->y, -3.0);
        QVERIFY(recipe().rangeMin->y < -3);
        checkLimits(recipe());
        QTest::mouseClick(range->resetButton(), Qt::LeftButton);
        QVERIFY(!recipe().rangeMin && !recipe().rangeMax);
    }

    void anEmptyRangeIsRefused() {
        auto* range = row<RangeRow>("range");
        QSignalSpy refusals(range->lower(0), &NumberBox::refused);
        const double before = range->lower(0)->value();
        range->lower(0)->setValue(1e15);   // the upper limit can't be larger, so the range would be empty
        QTRY_COMPARE(refusals.count(), 1); // the message follows the signals of the change
        QVERIFY(!recipe().rangeMin);
        QCOMPARE(range->lower(0)->value(), before);
        range->upper(0)->setValue(1e15);
        QCOMPARE(recipe().rangeMax->x, 1e15);
        checkLimits(recipe());
    }

    void mapCoordinatesFitTheirBoxes() {
        m_panel->setSnapshot(sheetSnapshot(Held::scaled)); // metres of a map, with seven digits
        m_panel->resize(330, 760);
        QCoreApplication::processEvents();
        for (int axis = 0; axis < 3; ++axis)
            for (NumberBox* box :
                 {row<RangeRow>("range")->lower(axis), row<RangeRow>("range")->upper(axis)}) {
                const auto* edit = box->findChild<QLineEdit*>();
                QVERIFY2(edit->fontMetrics().horizontalAdvance(edit->text()) <= edit->width() - 4,
                         qPrintable(QString("%1 in %2 px").arg(edit->text()).arg(edit->width())));
            }
        grab("parameters_map", m_panel.get());
    }

    void voxelSizeLinkedAndNot() {
        auto* size = row<VoxelSizeRow>("voxel_size");
        QVERIFY(size->isLinked());
        QVERIFY(!size->control(1)->isVisible());
        size->control(0)->box()->setValue(0.25);
        QCOMPARE(*recipe().voxelSize, (Vec3d{0.25, 0.25, 0.25}));
        QTest::mouseClick(size->linkButton(), Qt::LeftButton);
        QVERIFY(size->control(1)->isVisible());
        QCOMPARE(m_changes->count(), 1); // unlinking alone changes no value
        size->control(2)->box()->setValue(0.5);
        QCOMPARE(*recipe().voxelSize, (Vec3d{0.25, 0.25, 0.5}));
        QTest::mouseClick(size->linkButton(), Qt::LeftButton);
        QCOMPARE(*recipe().voxelSize, (Vec3d{0.25, 0.25, 0.25}));
        Recipe uneven;
        uneven.voxelSize = Vec3d{0.1, 0.1, 0.4};
        m_panel->setRecipe(uneven);
        QVERIFY(!size->isLinked());
        QCOMPARE(size->control(2)->value(), 0.4);
    }

    void slidersSpanTheData() {
        const ValueScale voxel = row<VoxelSizeRow>("voxel_size")->control(0)->scale();
        QVERIFY(voxel.logarithmic);
        QVERIFY(std::abs(voxel.high / voxel.low - 200) < 1e-6);
        QVERIFY(std::abs(voxel.high - 0.982) < 0.01); // a tenth of 9.82 m
        const ValueScale iso = row<NumberRow>("iso")->control()->scale();
        QCOMPARE(iso.low, 0.0);
        QCOMPARE(iso.high, 400.0);
        auto preview = sheetSnapshot();
        ScalarField field;
        field.kind = FieldKind::density;
        field.maxValue = 50;
        preview->field = DeviceOrHost(std::move(field));
        preview->preview = true;
        m_panel->setSnapshot(preview);
        // the field of a preview has another range
        QCOMPARE(row<NumberRow>("iso")->control()->scale().high, 400.0);
    }

    void automaticOnAndOff() {
        auto* iso = row<NumberRow>("iso");
        QVERIFY(iso->resetButton()->isChecked());
        QCOMPARE(iso->control()->value(), 42.5); // the automatic value is shown
        QTest::mouseClick(iso->resetButton(), Qt::LeftButton);
        QCOMPARE(recipe().iso, std::optional(42.5)); // the value becomes explicit
        QTest::mouseClick(iso->resetButton(), Qt::LeftButton);
        QVERIFY(!recipe().iso);
        iso->control()->slider()->setValue(500);
        QCOMPARE(recipe().iso, std::optional(200.0));
        QVERIFY(!iso->resetButton()->isChecked());
    }

    void isoUnitFollowsTheField() {
        auto* iso = row<NumberRow>("iso");
        QCOMPARE(iso->control()->box()->suffix(), QStringLiteral(" 1/m³"));
        iso->control()->slider()->setValue(500);
        QComboBox* field = row<ChoiceRow>("field")->combo();
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Down); // changes the field from density to distance
        QCOMPARE(recipe().field, std::optional(FieldKind::signedDistance));
        QVERIFY(!recipe().iso); // a density of 200 points per cubic metre is not a valid distance
        QCOMPARE(iso->control()->box()->suffix(), QStringLiteral(" m"));
    }

    void choicesFlagsAndColours() {
        QComboBox* map = row<ChoiceRow>("colour_map")->combo();
        QCOMPARE(map->count(), int(kColourMapNames.size()));
        QVERIFY(!map->itemIcon(0).isNull());
        map->setFocus();
        QTest::keyClick(map, Qt::Key_Down);
        QCOMPARE(recipe().colourMap, kColourMapNames[1]);
        QTest::mouseClick(row<ChoiceRow>("colour_map")->resetButton(), Qt::LeftButton);
        QCOMPARE(recipe().colourMap, Recipe{}.colourMap);

        QTest::keyClick(row<FlagRow>("back_faces")->box(), Qt::Key_Space);
        QVERIFY(!recipe().backFaces);
        QTest::keyClick(row<FlagRow>("eye_dome")->box(), Qt::Key_Space);
        QVERIFY(!recipe().eyeDome);

        QComboBox* by = row<ColourByRow>("colour_by")->combo();
        QCOMPARE(by->count(),
                 7 + 6); // automatic, height, count, density, rgb, distance, none; six attributes
        by->setFocus();
        QTest::keyClick(by, Qt::Key_Down);
        QCOMPARE(recipe().colourBy, std::string("height"));
        Recipe other;
        other.colourBy = "reflectance";
        m_panel->setRecipe(other);
        QCOMPARE(by->currentIndex(), -1);
        QVERIFY(by->placeholderText().contains("reflectance"));
    }

    void wireframeIsTheViewsOwn() {
        QSignalSpy styles(m_panel.get(), &ParameterPanel::styleChanged);
        QTest::keyClick(m_panel->wireframeBox(), Qt::Key_Space);
        QCOMPARE(styles.count(), 1);
        QVERIFY(m_panel->style().wireframe);
        m_panel->setStyle({});
        QVERIFY(!m_panel->wireframeBox()->isChecked());
        QCOMPARE(styles.count(), 1);
        QCOMPARE(m_changes->count(), 0);
    }

    void classesHaveNoColourMap() {
        QComboBox* map = row<ChoiceRow>("colour_map")->combo();
        Recipe recipe;
        for (const auto& [by, isMapped] : {std::pair{"ring", false}, {"intensity", true}, {"auto", true}}) {
            recipe.colourBy = by;
            m_panel->setRecipe(recipe);
            QVERIFY2(map->isEnabled() == isMapped, by);
        }
        recipe.colourBy = "ring";
        m_panel->setRecipe(recipe);
        m_panel->setSnapshot(volumeSnapshot()); // a volume has no attribute "ring"
        QVERIFY(map->isEnabled());
        m_panel->setSnapshot(sheetSnapshot());
        QVERIFY(!map->isEnabled());
        m_panel->setSnapshot(nullptr);
        QVERIFY(map->isEnabled());
    }

    void showingIsNoEditing() {
        Recipe full;
        full.rangeMin = Vec3d{1, 1, -1};
        full.rangeMax = Vec3d{7, 9, 1};
        full.voxelSize = Vec3d{0.123456789012, 0.2, 0.3};
        full.field = FieldKind::density;
        full.radius = 0.7;
        full.iso = 33.3;
        full.maxVoxels = 123'456'789'012;
        full.pointSize = 40; // the value is beyond the slider's end
        full.colourBy = "ring";
        m_panel->setRecipe(full);
        for (int i = 0; i < 5; ++i) {
            auto snapshot = sheetSnapshot();
            snapshot->preview = i % 2 == 0;
            snapshot->resolved->iso = i;
            m_panel->setSnapshot(snapshot);
        }
        m_panel->setSnapshot(volumeSnapshot());
        m_panel->setSnapshot(nullptr);
        m_panel->setSnapshot(sheetSnapshot(Held::texts));
        QCOMPARE(m_changes->count(), 0);
        QCOMPARE(recipe(), full); // values are exact for any number of digits in the boxes
    }

    void resetAllKeepsTheCamera() {
        Recipe recipe;
        recipe.camera = Camera{};
        recipe.imageWidth = 333;
        recipe.iso = 3;
        recipe.voxelSize = Vec3d{1, 1, 1};
        recipe.light = false;
        recipe.colourBy = "ring";
        m_panel->setRecipe(recipe);
        auto* button = m_panel->findChild<QPushButton*>("resetAll");
        button->click();
        Recipe expected;
        expected.camera = recipe.camera;
        expected.imageWidth = 333;
        QCOMPARE(m_changes->count(), 1);
        QCOMPARE(m_panel->recipe(), expected);
        button->click(); // nothing is left to change
        QCOMPARE(m_changes->count(), 1);
    }

    void volumesHaveNoVoxelSize() {
        m_panel->setSnapshot(volumeSnapshot());
        QVERIFY(!row<VoxelSizeRow>("voxel_size")->isVisible());
        QVERIFY(!row<RangeRow>("range")->isVisible());
        QVERIFY(row<NumberRow>("iso")->isEnabled());
        QCOMPARE(row<ColourByRow>("colour_by")->combo()->count(), 3);
        m_panel->setSnapshot(nullptr);
        QVERIFY(!row<NumberRow>("iso")->isVisible()); // no scan is open
    }

    void theInsideIsAChoiceOfVolumes() {
        QVERIFY(!row<ChoiceRow>("inside")->isVisible());
        const auto volume = volumeSnapshot();
        m_panel->setSnapshot(volume);
        QVERIFY(row<ChoiceRow>("inside")->isVisible());
        QCOMPARE(row<ChoiceRow>("inside")->parentWidget(), row<NumberRow>("iso")->parentWidget());
        QComboBox* combo = row<ChoiceRow>("inside")->combo();
        QCOMPARE(combo->currentText(), QString("above"));
        combo->setCurrentIndex(1);
        emit combo->activated(1);
        QCOMPARE(m_changes->count(), 1);
        QVERIFY(recipe().inside == InsideSide::below);
        auto grid = std::make_shared<Volume>();
        grid->lattice = volume->volume->lattice;
        const auto painted = volumeSnapshot();
        painted->volume = std::move(grid); // a grid without values, to paint in
        m_panel->setSnapshot(painted);
        QVERIFY(!row<ChoiceRow>("inside")->isVisible());
        m_panel->setSnapshot(sheetSnapshot());
        QVERIFY(!row<ChoiceRow>("inside")->isVisible());
    }

    void dragEmitsEachValueOnce() {
        QSlider* slider = row<VoxelSizeRow>("voxel_size")->control(0)->slider();
        QSet<QString> told;
        for (int position = 300; position < 400; ++position) {
            slider->setValue(position);
            m_panel->setSnapshot(sheetSnapshot()); // results arrive while the slider moves
            told << QString::number(recipe().voxelSize->x, 'g', 17);
        }
        QCOMPARE(m_changes->count(), 100);
        QCOMPARE(told.size(), 100);
        QCOMPARE(slider->value(), 399);
    }

    void screenshots() {
        m_theme->choose(ThemeChoice::light);
        grab("parameters_light", m_panel.get());
        Recipe recipe;
        recipe.voxelSize = Vec3d{0.1, 0.1, 0.4};
        recipe.pointSize = 4;
        recipe.iso = 120;
        recipe.field = FieldKind::density;
        m_panel->setRecipe(recipe);
        m_theme->choose(ThemeChoice::dark);
        QCoreApplication::processEvents();
        grab("parameters_dark", m_panel.get());
        m_theme->choose(ThemeChoice::light);
        // fits into a dock of 330 pixels, with its scroll bar
        QVERIFY2(m_panel->minimumSizeHint().width() <= 330 && m_panel->minimumWidth() <= 330,
                 qPrintable(QString::number(m_panel->minimumWidth())));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestPanelsParameters)
#include "test_panels_parameters.moc"
