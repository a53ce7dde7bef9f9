// The history of the work on a scan: undo, redo, and merging changes into one step.
#include "engine/edit/edit_list.h"
#include "engine/recipe/recipe.h"
#include "gui/work/project_work.h"
#include "gui/work/work_history.h"
#include "tests/support/test_support.h"

#include <QLocale>
#include <QTest>

using namespace scanloupe;
using namespace scanloupe::gui;

namespace {

using Time = WorkHistory::Time;

Time at(int ms) {
    return Time{} + std::chrono::milliseconds(ms);
}

Recipe withVoxelSize(double size) {
    Recipe recipe;
    recipe.voxelSize = Vec3d{size, size, size};
    return recipe;
}

WorkState withSize(double size) {
    return {withVoxelSize(size)};
}

Measure distanceOf(double metres) {
    return {MeasureKind::distance, "wall", {{{1, 2, 3}, {}}, {{1, 2 + metres, 3}, {}}}, 0xff0000, true};
}

} // namespace

class TestWorkHistory : public QObject {
    Q_OBJECT
private slots:
    void projectsDifferByEditsOfHiddenScans() {
        Project saved;
        saved.kind = ProjectKind::sequence;
        saved.scans.resize(2);
        saved.scans[0].path = "/a.ply";
        saved.scans[1].path = "/b.ply";
        Project now = saved;
        now.scans[1].recipe = Recipe(); // this scan was shown
        QVERIFY(isSameProject(now, saved));
        (*now.scans[1].recipe)->edits =
            withStep({}, stepOf(SetOperation::replace, HalfSpaceRegion{{0, 0, 1}, {0, 0, 2}}));
        QVERIFY(!isSameProject(now, saved) && !isSameProject(saved, now));
    }

    void stepsAreUndoneAndRedone() {
        WorkHistory history;
        history.reset({});
        QVERIFY(!history.canUndo() && !history.canRedo());
        history.record(withSize(0.1), at(0));
        history.record(withSize(0.2), at(5000));
        QCOMPARE(history.steps().size(), std::size_t(3));
        QCOMPARE(history.steps()[1].words, QStringLiteral("Voxel size: automatic → 0.1 m"));
        QCOMPARE(history.steps()[2].words, QStringLiteral("Voxel size: 0.1 m → 0.2 m"));
        QVERIFY(history.undo().recipe == withVoxelSize(0.1));
        QVERIFY(history.undo().recipe == Recipe());
        QVERIFY(!history.canUndo() && history.canRedo());
        QVERIFY(history.redo().recipe == withVoxelSize(0.1));
        history.record(withSize(0.3), at(9000)); // the step to 0.2 is discarded
        QVERIFY(!history.canRedo());
        QCOMPARE(history.steps().back().words, QStringLiteral("Voxel size: 0.1 m → 0.3 m"));
    }
    void aDragIsOneStep() {
        WorkHistory history;
        history.reset({});
        for (int i = 1; i <= 20; ++i)
            history.record(withSize(0.1 * i), at(50 * i));
        QCOMPARE(history.steps().size(), std::size_t(2));
        QCOMPARE(history.steps()[1].words, QStringLiteral("Voxel size: automatic → 2 m"));
        history.record(withSize(0.5), at(10'000)); // another step
        QCOMPARE(history.steps().size(), std::size_t(3));
        history.record(withSize(2.0), at(10'100)); // the drag returns to an earlier value
        QCOMPARE(history.steps().size(), std::size_t(2));
        history.record(withSize(1.5), at(10'200)); // the drag continues: the first drag stays a step
        QCOMPARE(history.steps().size(), std::size_t(3));
        QVERIFY(history.undo().recipe == withVoxelSize(2.0));
        Recipe other = withVoxelSize(2.0);
        other.light = false;
        history.record({other}, at(10'250)); // a change of another parameter
        QCOMPARE(history.steps().size(), std::size_t(3));
        history.undo();
        history.record(withSize(2.1), at(10'300)); // the step that undo returned to is not changed
        QCOMPARE(history.steps().size(), std::size_t(3));
        QVERIFY(history.undo().recipe == withVoxelSize(2.0));
    }
    void stepsOfAProjectAreNotContinued() {
        WorkHistory history;
        history.reset({});
        history.record(withSize(0.1), at(0));
        const auto steps = history.steps();
        history.restore(steps, 1);
        history.record(withSize(0.2), at(100)); // a change shortly after a change of the same parameter
        QCOMPARE(history.steps().size(), std::size_t(3));
        QCOMPARE(history.steps()[2].words, QStringLiteral("Voxel size: 0.1 m → 0.2 m"));
        QVERIFY(history.undo().recipe == withVoxelSize(0.1));
    }
    void viewsAreNoSteps() {
        WorkHistory history;
        history.reset({});
        Recipe recipe;
        recipe.camera = Camera{};
        recipe.imageWidth = 77;
        history.record({recipe}, at(0));
        QVERIFY(!history.canUndo());
    }
    void severalParametersAreNamed() {
        WorkHistory history;
        history.reset({});
        Recipe recipe = withVoxelSize(1);
        recipe.light = false;
        recipe.pointSize = 4;
        history.record({recipe}, at(0));
        QCOMPARE(history.steps()[1].words, QStringLiteral("Voxel size and 2 more"));
        recipe.rangeMin = Vec3d{-27.431172, -13.123456, -0.123456};
        recipe.rangeMax = Vec3d{27.431172, 13.123456, 10.123456};
        history.record({recipe}, at(5000));
        QCOMPARE(history.steps()[2].words, QStringLiteral("Range"));
        recipe.iso = 0.5;
        history.record({recipe}, at(9000));
        recipe.iso.reset();
        recipe.field = FieldKind::density;
        history.record({recipe}, at(15'000));
        QCOMPARE(history.steps()[4].words, QStringLiteral("Field: automatic → density"));
    }
    void measuresAreSteps() {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        WorkHistory history;
        history.reset({});
        WorkState state;
        const auto words = [&](int ms) {
            history.record(state, at(ms));
            return history.steps()[history.current()].words;
        };
        state.measures.push_back(distanceOf(2.31));
        QCOMPARE(words(0), QStringLiteral("Distance 2.310 m added"));
        state.measures.push_back(distanceOf(0.0123));
        state.measures.back().name = "gap";
        QCOMPARE(words(10), QStringLiteral("Distance 0.01230 m added"));
        state.measures[1].name = "crack";
        QCOMPARE(words(20), QStringLiteral("gap renamed to crack"));
        state.measures[1].colour = 0x00ff00;
        QCOMPARE(words(30), QStringLiteral("Colour of crack"));
        state.measures[0].visible = false;
        QCOMPARE(words(40), QStringLiteral("wall hidden"));
        const WorkState before = state;
        state.measures.erase(state.measures.begin());
        QCOMPARE(words(50), QStringLiteral("Distance 2.310 m removed"));
        history.record(state, at(60)); // unchanged
        QCOMPARE(history.steps().size(), std::size_t(7));
        QVERIFY(history.undo() == before);
        state = before;
        state.measures.clear();
        QCOMPARE(words(70), QStringLiteral("2 measurements removed"));
        QVERIFY(!history.canRedo());
        for (const std::size_t step : {1, 2, 3, 4, 5, 6, 0})
            QCOMPARE(history.goTo(step).measures.size(), std::size_t(step == 0 || step == 6 ? 0
                                                                     : step == 1            ? 1
                                                                                            : 2));
        // a drag continues across existing measures, but not across a new one
        history.record({withVoxelSize(0.1), state.measures}, at(1000));
        state.measures.push_back({MeasureKind::height, "h", {{{0, 5, 0}, {}}, {{0, 3, 0}, {}}}, 0, true});
        history.setFrame({0, 1, 0}, LengthUnit::metre);
        history.record({withVoxelSize(0.1), state.measures}, at(1100));
        QCOMPARE(history.steps().back().words, QStringLiteral("Height -2.000 m added"));
        history.record({withVoxelSize(0.2), state.measures}, at(1200));
        QCOMPARE(history.steps().size(), std::size_t(4));
        QVERIFY(history.undo().measures == state.measures);
    }
    /// Among many steps, each has the recipe that was recorded.
    void manySteps() {
        auto random = test::seededRandom("manySteps");
        WorkHistory history;
        history.reset({});
        std::vector<Recipe> all{{}};
        int time = 0;
        for (int i = 0; i < 500; ++i) {
            if (random() % 4 == 0) {
                const std::size_t to = random() % all.size();
                QVERIFY(history.goTo(to).recipe == all[to]);
                continue;
            }
            Recipe recipe = all[history.current()];
            recipe.pointSize = double(random() % 1000) / 16;
            recipe.light = random() % 2 == 0;
            if (recipe == all[history.current()])
                continue;
            all.resize(history.current() + 1);
            all.push_back(recipe);
            history.record({recipe}, at(time += 5000));
            QCOMPARE(history.steps().size(), all.size());
        }
        while (history.canUndo()) {
            const Recipe before = history.undo().recipe;
            QVERIFY(before == all[history.current()]);
        }
    }
};

SCANLOUPE_TEST(TestWorkHistory)
#include "test_work_history.moc"
