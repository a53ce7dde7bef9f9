// The history of recipes: undo, redo, and what is one step.
#include "gui/models/recipe_history.h"
#include "tests/support/test_support.h"

#include <QTest>

using namespace scanloupe;
using namespace scanloupe::gui;

namespace {

using Time = RecipeHistory::Time;

Time at(int ms) {
    return Time{} + std::chrono::milliseconds(ms);
}

Recipe withVoxelSize(double size) {
    Recipe recipe;
    recipe.voxelSize = Vec3d{size, size, size};
    return recipe;
}

} // namespace

class TestRecipeHistory : public QObject {
    Q_OBJECT
private slots:
    void stepsAreUndoneAndRedone() {
        RecipeHistory history;
        history.reset({});
        QVERIFY(!history.canUndo() && !history.canRedo());
        history.record(withVoxelSize(0.1), at(0));
        history.record(withVoxelSize(0.2), at(5000));
        QCOMPARE(history.steps().size(), std::size_t(3));
        QCOMPARE(history.steps()[1].words, QStringLiteral("Voxel size: automatic → 0.1 m"));
        QCOMPARE(history.steps()[2].words, QStringLiteral("Voxel size: 0.1 m → 0.2 m"));
        QVERIFY(history.undo() == withVoxelSize(0.1));
        QVERIFY(history.undo() == Recipe());
        QVERIFY(!history.canUndo() && history.canRedo());
        QVERIFY(history.redo() == withVoxelSize(0.1));
        history.record(withVoxelSize(0.3), at(9000)); // 0.2 is forgotten
        QVERIFY(!history.canRedo());
        QCOMPARE(history.steps().back().words, QStringLiteral("Voxel size: 0.1 m → 0.3 m"));
    }
    void aDragIsOneStep() {
        RecipeHistory history;
        history.reset({});
        for (int i = 1; i <= 20; ++i)
            history.record(withVoxelSize(0.1 * i), at(50 * i));
        QCOMPARE(history.steps().size(), std::size_t(2));
        QCOMPARE(history.steps()[1].words, QStringLiteral("Voxel size: automatic → 2 m"));
        history.record(withVoxelSize(0.5), at(10'000)); // another one
        QCOMPARE(history.steps().size(), std::size_t(3));
        history.record(withVoxelSize(2.0), at(10'100)); // comes back
        QCOMPARE(history.steps().size(), std::size_t(2));
        history.record(withVoxelSize(1.5), at(10'200)); // and goes on: the first drag stays a step
        QCOMPARE(history.steps().size(), std::size_t(3));
        QVERIFY(history.undo() == withVoxelSize(2.0));
        Recipe other = withVoxelSize(2.0);
        other.light = false;
        history.record(other, at(10'250)); // another parameter
        QCOMPARE(history.steps().size(), std::size_t(3));
        history.undo();
        history.record(withVoxelSize(2.1), at(10'300)); // what was undone to is not changed
        QCOMPARE(history.steps().size(), std::size_t(3));
        QVERIFY(history.undo() == withVoxelSize(2.0));
    }
    void viewsAreNoSteps() {
        RecipeHistory history;
        history.reset({});
        Recipe recipe;
        recipe.camera = Camera{};
        recipe.imageWidth = 77;
        history.record(recipe, at(0));
        QVERIFY(!history.canUndo());
    }
    void severalParametersAreNamed() {
        RecipeHistory history;
        history.reset({});
        Recipe recipe = withVoxelSize(1);
        recipe.light = false;
        recipe.pointSize = 4;
        history.record(recipe, at(0));
        QCOMPARE(history.steps()[1].words, QStringLiteral("Voxel size and 2 more"));
        recipe.rangeMin = Vec3d{-27.431172, -13.123456, -0.123456};
        recipe.rangeMax = Vec3d{27.431172, 13.123456, 10.123456};
        history.record(recipe, at(5000));
        QCOMPARE(history.steps()[2].words, QStringLiteral("Range"));
        recipe.iso = 0.5;
        history.record(recipe, at(9000));
        recipe.iso.reset();
        recipe.field = FieldKind::density;
        history.record(recipe, at(15'000));
        QCOMPARE(history.steps()[4].words, QStringLiteral("Field: automatic → density"));
    }
    /// Wherever one goes among many steps, the recipe is the one that was recorded there.
    void manySteps() {
        auto random = test::seededRandom("manySteps");
        RecipeHistory history;
        history.reset({});
        std::vector<Recipe> all{{}};
        int time = 0;
        for (int i = 0; i < 500; ++i) {
            if (random() % 4 == 0) {
                const std::size_t to = random() % all.size();
                QVERIFY(history.goTo(to) == all[to]);
                continue;
            }
            Recipe recipe = all[history.current()];
            recipe.pointSize = double(random() % 1000) / 16;
            recipe.light = random() % 2 == 0;
            if (recipe == all[history.current()])
                continue;
            all.resize(history.current() + 1);
            all.push_back(recipe);
            history.record(recipe, at(time += 5000));
            QCOMPARE(history.steps().size(), all.size());
        }
        while (history.canUndo()) {
            const Recipe before = history.undo();
            QVERIFY(before == all[history.current()]);
        }
    }
};

QTEST_APPLESS_MAIN(TestRecipeHistory)
#include "test_recipe_history.moc"
