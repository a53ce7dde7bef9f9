// Scans that are coloured by a class, in the whole window: pictures, legends and picks.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/results/snapshot.h"
#include "gui/dialogs/export_dialog.h"
#include "gui/models/property_model.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/parameters/colour_by_row.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/views/geometry/colour_look.h"
#include "gui/views/gl_view.h"
#include "gui/views/surface/colour_legend.h"
#include "tests/gui/app/window_fixture.h"

#include <QComboBox>
#include <QLabel>
#include <cmath>
#include <cstring>
#include <set>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// A hilly field with a house, trees and a pond, each with its own class.
constexpr int kWide = 260;

std::uint8_t classAt(int x, int y) {
    const auto within = [&](int cx, int cy, int r) {
        return (x - cx) * (x - cx) + (y - cy) * (y - cy) < r * r;
    };
    if (x > 60 && x < 120 && y > 140 && y < 210)
        return 6;
    if (within(190, 70, 40))
        return 9;
    if (within(190, 200, 25) || within(60, 60, 30) || within(130, 60, 18))
        return 5;
    return (x + y) % 9 == 0 ? 1 : 2; // some unclassified points among the ground
}

void writeField(const std::filesystem::path& target) {
    std::vector<Vec3f> positions;
    std::vector<std::uint8_t> classes;
    for (int y = 0; y < kWide; ++y) {
        for (int x = 0; x < kWide; ++x) {
            const std::uint8_t own = classAt(x, y);
            const float hill = 0.4f * std::sin(0.03f * float(x)) * std::cos(0.025f * float(y));
            const float height = own == 6 ? 3 : own == 5 ? 2.2f : own == 9 ? -0.6f : hill;
            positions.push_back({float(x) * 0.05f, float(y) * 0.05f, height});
            classes.push_back(own);
        }
    }
    Attribute attribute;
    attribute.name = "classification";
    attribute.type = ScalarType::uint8;
    attribute.allocate(classes.size());
    std::memcpy(attribute.dataToFill(), classes.data(), classes.size());
    std::vector<Attribute> attributes;
    attributes.push_back(std::move(attribute));
    writeCloud(target, PointCloud(FloatPositions{hostCopy(std::span(positions))}, std::move(attributes), {}),
               {}, {});
}

void colourBy(WindowFixture& f, const char* key) {
    QComboBox* combo = f.row<ColourByRow>("colour_by")->combo();
    const int index = combo->findData(QString::fromLatin1(key));
    QVERIFY(index >= 0);
    combo->setCurrentIndex(index);
    emit combo->activated(index);
}

QRgb rgbOf(std::uint32_t c) {
    return qRgb(int(c & 255), int(c >> 8 & 255), int(c >> 16 & 255));
}

/// Whether a pixel has the hue of one of these colours, at any brightness. Grey pixels have no hue.
bool hasHueOf(QColor pixel, const std::vector<QColor>& colours) {
    for (const QColor& one : colours) {
        const int turn = std::abs(one.hslHue() - pixel.hslHue());
        if (std::min(turn, 360 - turn) <= 6 || one.hslSaturation() < 20)
            return true;
    }
    return false;
}

} // namespace

class TestWindowClasses : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void viewsLegendsAndPicksShowClasses() {
        QTemporaryDir folder;
        const std::filesystem::path scan = folder.filePath("field.ply").toStdString();
        writeField(scan);
        WindowFixture f;
        QVERIFY(f.isShown());
        f.open(scan);
        QVERIFY(f.waitForViews());
        colourBy(f, "classification");
        QVERIFY(f.waitForRest());
        QTest::qWait(200);
        keepPicture(f.window, "classes");

        const auto classes = f.snapshot()->picture->classes;
        QVERIFY(classes && !f.snapshot()->picture->mapped);
        std::set<std::string> texts;
        for (const ClassColour& one : classes->listed)
            texts.insert(one.text);
        QVERIFY(texts.count("2 Ground") && texts.count("6 Building") && texts.count("9 Water"));

        // picking a voxel or a triangle shows a class, not a mean of classes
        auto* data = f.window.findChild<DataPanel*>();
        for (ScanView* view : f.window.views().views()) {
            const QPoint middle = view->widget()->rect().center();
            QTest::mouseClick(view->widget(), Qt::LeftButton, {}, middle);
            QString shown;
            for (const Property& p : data->picked()->properties()) {
                QVERIFY(!p.name.contains("Mean classification"));
                if (p.name == QLatin1String("classification"))
                    shown = p.value;
            }
            if (!shown.isEmpty())
                QVERIFY2(texts.count(shown.toStdString()), qPrintable(shown));
        }

        auto* mesh = static_cast<GlView*>(f.window.views().views()[1]);
        if (!mesh->canvas())
            QSKIP("OpenGL can't be had here");
        QTest::mouseDClick(mesh, Qt::LeftButton, {}, mesh->rect().center());
        QTest::qWait(100); // the view has its new size
        QVERIFY(f.waitForViews());
        QTest::qWait(100);
        keepPicture(f.window, "classes_mesh");
    }

    void aTriangleOfTheMeshHasOneClass() {
        QTemporaryDir folder;
        const std::filesystem::path scan = folder.filePath("field.ply").toStdString();
        writeField(scan);
        WindowFixture f;
        QVERIFY(f.isShown());
        f.open(scan);
        QVERIFY(f.waitForViews());
        colourBy(f, "classification");
        QVERIFY(f.waitForRest());
        auto* mesh = static_cast<GlView*>(f.window.views().views()[1]);
        if (!mesh->canvas())
            QSKIP("OpenGL can't be had here");
        std::vector<QColor> colours;
        for (const ClassColour& one : f.snapshot()->picture->classes->listed)
            colours.emplace_back(rgbOf(one.rgba));
        const QImage image = mesh->canvas()->picture();
        int strange = 0, seen = 0;
        for (int y = 60; y < image.height() - 60; ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                if (pixel.hslSaturation() < 60 || pixel.lightness() < 60)
                    continue; // background, edges in shade
                ++seen;
                strange += hasHueOf(pixel, colours) ? 0 : 1;
            }
        }
        QVERIFY(seen > 5000);
        QVERIFY2(strange * 200 < seen, qPrintable(QStringLiteral("%1 of %2").arg(strange).arg(seen)));
    }

    void theExportDialogSaysThatClassesAreLost() {
        QTemporaryDir folder;
        const std::filesystem::path scan = folder.filePath("field.ply").toStdString();
        writeField(scan);
        WindowFixture f;
        QVERIFY(f.isShown());
        f.open(scan);
        QVERIFY(f.waitForWhole());
        ExportDialog dialog(f.snapshot(), Camera{}, {scan});
        const auto says = [&](const QString& words) {
            for (const QLabel* label : dialog.findChildren<QLabel*>())
                if (label->text().contains(words))
                    return true;
            return false;
        };
        dialog.setPath(folder.filePath("surface.stl"));
        QVERIFY(says("left out: classification"));
        dialog.setPath(folder.filePath("surface.ply"));
        QVERIFY(!says("left out"));
    }

    void aLegendListsTheClasses() {
        Recipe recipe;
        recipe.colourBy = "classification";
        ClassColours classes;
        classes.listed = {{"2 Ground", 0xff3b79b5u}, {"6 Building", 0xff2c64e8u}};
        classes.count = 2;
        const ColourLegend legend = legendOf(recipe, classes);
        QCOMPARE(legend.title, QStringLiteral("classification"));
        const QFont font;
        const QImage image = legendImage(legend, font, 1);
        const auto colourAt = [&](int y) { return image.pixel(image.width() - 4 - 6, y); };
        std::set<QRgb> found;
        for (int y = 0; y < image.height(); ++y)
            found.insert(colourAt(y));
        QVERIFY(found.count(rgbOf(0xff3b79b5u)) && found.count(rgbOf(0xff2c64e8u)));
        // a legend of many classes has as many rows as fit, and states their total number
        classes.listed.clear();
        for (int i = 0; i < 64; ++i)
            classes.listed.push_back({std::to_string(i), 0xff000000u | std::uint32_t(i) * 4});
        classes.count = 3000;
        const QImage large = legendImage(legendOf(recipe, classes), font, 2);
        QVERIFY(large.height() > image.height() && large.height() / 2 < 400);
    }

    void coarserColoursAreOneOfTheClasses() {
        ColourMean classes(ColourLook::Mode::classes);
        for (const std::uint32_t c : {7u, 3u, 9u, 3u, 9u})
            classes.add(c);
        QCOMPARE(classes.bits(), 3u); // 8 is as frequent as 9, and lower
        ColourMean one(ColourLook::Mode::classes);
        one.add(0xff00ff00u);
        QCOMPARE(one.bits(), 0xff00ff00u);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowClasses)
#include "test_window_classes.moc"
