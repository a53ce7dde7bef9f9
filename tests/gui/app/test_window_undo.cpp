// Undo and redo in the window restore the previous state exactly.
#include "engine/recipe/parameters.h"
#include "engine/results/snapshot.h"
#include "gui/panels/measures_panel.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "tests/gui/app/window_fixture.h"

#include <QMenu>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// Results without members that differ between runs of the same recipe.
struct Seen {
    Recipe resolved;
    std::size_t voxels, triangles;
    std::vector<std::uint32_t> pixels;
    bool operator==(const Seen&) const = default;
};

Seen seen(WindowFixture& f) {
    const Snapshot& s = *f.snapshot();
    const auto pixels = onHost(s.picture->image).pixels.span();
    return {s.resolved, s.voxels->size(), s.mesh->triangleCount(), {pixels.begin(), pixels.end()}};
}

void change(WindowFixture& f, const char* key, const std::string& value) {
    Recipe recipe = f.window.parameters().recipe();
    setFromText(recipe, parameter(key), value);
    emit f.window.parameters().row(key)->edited(recipe);
}

} // namespace

class TestWindowUndo : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void changesAreUndoneAndRedone() {
        WindowFixture f;
        f.openSample(1'000'000);
        QVERIFY(f.waitForRest());
        QAction* undo = f.action("Undo");
        QVERIFY(!undo->isEnabled());
        const Seen first = seen(f);
        change(f, "voxel_size", "0.5");
        QVERIFY(f.waitForRest());
        QVERIFY(undo->isEnabled());
        QVERIFY2(undo->text().contains("0.5 m"), qPrintable(undo->text()));
        const Seen second = seen(f);
        QVERIFY(second.voxels != first.voxels);
        change(f, "colour_map", "turbo");
        change(f, "light", "off");
        QVERIFY(f.waitForRest());
        undo->trigger();
        undo->trigger();
        QVERIFY(f.waitForRest());
        QVERIFY(seen(f) == second);
        undo->trigger();
        QVERIFY(f.waitForRest());
        QVERIFY(seen(f) == first);
        QVERIFY(!undo->isEnabled());
        QVERIFY(!f.window.parameters().recipe().voxelSize); // the voxel size is automatic again
        f.action("Redo Voxel size: automatic → 0.5 m")->trigger();
        QVERIFY(f.waitForRest());
        QVERIFY(seen(f) == second);
    }

    /// Random changes, with undo and redo in between. Undoing everything restores the first picture.
    void randomChangesAreUndone() {
        auto random = seededRandom("randomChangesAreUndone");
        WindowFixture f;
        f.openSample(1'000'000);
        QVERIFY(f.waitForRest());
        const Seen first = seen(f);
        const std::pair<const char*, std::vector<std::string>> choices[] = {
            {"voxel_size", {"0.3", "0.5", "1", "auto"}},
            {"field", {"occupancy", "density", "distance", "auto"}},
            {"colour_by", {"auto", "height", "count"}},
            {"colour_map", {"viridis", "turbo"}},
            {"range", {"-20,-10,0,40,10,8", "auto"}},
            {"show", {"mesh", "voxels", "points"}},
            {"light", {"on", "off"}},
            {"range_rotation", {"0", "30", "-75.5"}},
            {"section", {"auto", "0,0,0,1,0,0,20", "5,0,0,1,1,0,8"}},
            {"min_component_triangles", {"0", "50"}}};
        QAction* undo = f.action("Undo");
        auto* measures = f.window.findChild<MeasuresPanel*>();
        for (int i = 0; i < 500; ++i) {
            if (random() % 4 == 0) {
                undo->trigger();
            } else if (random() % 8 == 0) { // inverts a range with points outside of it
                Recipe recipe = f.window.parameters().recipe();
                recipe.rangeMin = Vec3d{-5, -5, -1};
                recipe.rangeMax = Vec3d{10, 5, 3};
                recipe.rangeInverted = !recipe.rangeInverted;
                recipe.section.reset();
                emit f.window.parameters().row("range")->edited(recipe);
            } else if (random() % 8 == 0) {
                MeasureList list = measures->model()->measures();
                list.push_back({MeasureKind::point, "Point " + std::to_string(i), {{{double(i % 7), 0, 1}}}});
                emit measures->edited(list);
            } else if (f.window.parameters().recipe().rangeInverted) {
                undo->trigger(); // another range may have no points outside
            } else {
                const auto& [key, values] = choices[random() % std::size(choices)];
                change(f, key, values[random() % values.size()]);
            }
            if (random() % 25 == 0)
                QVERIFY(f.waitForRest());
        }
        QVERIFY(undo->isEnabled());
        while (undo->isEnabled())
            undo->trigger();
        QVERIFY(f.waitForRest());
        QVERIFY(seen(f) == first);
        QVERIFY(measures->model()->measures().empty());
    }

    void theHistoryListsItsSteps() {
        WindowFixture f;
        f.openSample(1'000'000);
        QVERIFY(f.waitForRest());
        change(f, "voxel_size", "0.5");
        change(f, "light", "off");
        QVERIFY(f.waitForRest());
        auto* menu = f.action("History")->menu();
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), qsizetype(3));
        QVERIFY(menu->actions()[2]->isChecked());
        menu->actions()[0]->trigger();
        QVERIFY(f.waitForRest());
        QVERIFY(f.window.parameters().recipe().light);
        QVERIFY(!f.window.parameters().recipe().voxelSize);
        keepPicture(*menu, QStringLiteral("history"));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowUndo)
#include "test_window_undo.moc"
