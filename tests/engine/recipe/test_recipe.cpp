#include "engine/cloud/error.h"
#include "engine/edit/edit_list.h"
#include "engine/recipe/defaults.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/recipe/recipe_file.h"
#include "tests/support/test_support.h"

#include <set>

using namespace scanloupe;

namespace {
/// The sentence of the EngineError that `action` throws; empty when it throws none.
template <class F>
QString refusal(F&& action) {
    try {
        action();
    } catch (const EngineError& error) {
        return QString::fromStdString(std::string(error.what()) + " | " + error.nextStep());
    }
    return {};
}
Recipe with(const char* key, const char* text) {
    Recipe recipe;
    setFromText(recipe, parameter(key), text);
    return recipe;
}
} // namespace

class TestRecipe : public QObject {
    Q_OBJECT
private slots:
    void declarationsAreComplete() {
        std::set<std::string> keys;
        for (const Parameter& p : parameters()) {
            QVERIFY2(keys.insert(p.key).second, p.key.c_str());
            QVERIFY2(!p.label.empty() && !p.help.empty(), p.key.c_str());
            if (p.kind == ParameterKind::text) {
                QVERIFY(p.getText && p.setText);
                continue;
            }
            QVERIFY2(p.min < p.max, p.key.c_str());
            const auto defaults = p.get(Recipe{});
            QCOMPARE(defaults.has_value(), !p.fromData);
            if (defaults)
                QCOMPARE(defaults->size(), p.components.size());
        }
        checkLimits(Recipe{}); // the defaults are within their own limits
    }
    void textGoesRound() {
        for (const Parameter& p : parameters()) {
            Recipe recipe;
            const std::string text = p.kind == ParameterKind::text     ? "intensity"
                                     : p.kind == ParameterKind::choice ? p.choices.back()
                                     : p.kind == ParameterKind::flag   ? "off"
                                     : p.components.size() == 7        ? "1,2,3,0,0,1,0.5"
                                     : p.components.size() == 6        ? "-1,-2,-3,4,5,6.5"
                                     : p.components.size() == 3        ? "0.1,0.2,0.4"
                                     : p.components.size() == 2        ? "-1,2.5"
                                     : p.key == "smooth_pass_band"     ? "0.15"
                                                                       : "1";
            setFromText(recipe, p, text);
            QCOMPARE(toText(recipe, p), text);
            QCOMPARE(recipeFromJson(toJson(recipe)), recipe);
        }
        QCOMPARE(recipeFromJson(toJson(Recipe{})), Recipe{});
    }
    void oneNumberFillsAVoxelSize() {
        QCOMPARE(with("voxel_size", "0.2").voxelSize->z, 0.2);
        QCOMPARE(toText(with("voxel_size", "0.2"), parameter("voxel_size")), std::string("0.2"));
        QVERIFY(!with("voxel_size", "auto").voxelSize);
    }
    void cameraGoesRound() {
        Recipe recipe;
        recipe.camera = Camera{};
        recipe.camera->eye = {1, 2, 3.25};
        recipe.camera->orthographic = true;
        const Recipe back = recipeFromJson(toJson(recipe));
        QVERIFY(back.camera);
        QCOMPARE(back.camera->eye.z, 3.25);
        QVERIFY(back.camera->orthographic);
    }
    void wrongWordsAreRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("no number") << "voxel_size"
                                   << "small"
                                   << "must be a number";
        QTest::newRow("too small") << "voxel_size"
                                   << "0"
                                   << "must be a number from";
        QTest::newRow("NaN") << "voxel_size"
                             << "nan"
                             << "must be a number from";
        QTest::newRow("two numbers") << "voxel_size"
                                     << "1,2"
                                     << "needs 3 numbers";
        QTest::newRow("five numbers") << "range"
                                      << "1,2,3,4,5"
                                      << "xmin,ymin,zmin";
        QTest::newRow("no choice") << "field"
                                   << "colour"
                                   << "occupancy, density, distance";
        QTest::newRow("no flag") << "light"
                                 << "maybe"
                                 << "must be on or off";
        QTest::newRow("not whole") << "max_voxels"
                                   << "1.5"
                                   << "must be a whole number";
        QTest::newRow("trailing") << "iso"
                                  << "1x"
                                  << "must be a number";
        QTest::newRow("empty") << "iso"
                               << ""
                               << "must be a number";
        QTest::newRow("auto where it has a default") << "point_size"
                                                     << "auto"
                                                     << "must be a number";
    }
    void wrongWordsAreRefused() {
        QFETCH(QString, key);
        QFETCH(QString, text);
        QFETCH(QString, says);
        const QString said = refusal([&] { with(qPrintable(key), qPrintable(text)); });
        QVERIFY2(said.contains(says), qPrintable(said));
    }
    void aComparisonEndsWithItsScan() {
        Recipe recipe;
        recipe.colourMap = ColourMapName::coolWarm;
        QCOMPARE(forAnotherScan(recipe, false).colourMap, ColourMapName::coolWarm); // the user's own choice
        recipe.colourBy = kDeviationAttribute;
        QCOMPARE(forAnotherScan(recipe, false).colourMap, Recipe{}.colourMap);
        recipe.colourMap = ColourMapName::grey;
        QCOMPARE(forAnotherScan(recipe, false).colourMap, ColourMapName::grey);
        recipe.colourMap = ColourMapName::coolWarm;
        recipe.colourBy = "height"; // a compared scan may still be coloured by height
        recipe.edits = withLayer({}, CompareAction{"model.ply"}, "Compare");
        QCOMPARE(forAnotherScan(recipe, false).colourMap, Recipe{}.colourMap);
    }
    void emptyRangeIsRefused() {
        Recipe recipe;
        setFromText(recipe, parameter("range"), "0,0,5,1,1,5");
        QVERIFY(refusal([&] { checkLimits(recipe); }).contains("empty along z"));
    }
    void wrongFilesAreRefused() {
        QVERIFY(refusal([] { recipeFromJson("{"); }).contains("can't be read"));
        QVERIFY(refusal([] { recipeFromJson("[]"); }).contains("not a recipe"));
        QVERIFY(refusal([] { recipeFromJson(R"({"scanloupe_recipe": 9})"); }).contains("version"));
        QVERIFY(
            refusal([] { recipeFromJson(R"({"scanloupe_recipe": 1, "colour": 1})"); }).contains("'colour'"));
        QVERIFY(refusal([] {
                    recipeFromJson(R"({"scanloupe_recipe": 1, "iso": {}})");
                }).contains("a list of numbers is expected"));
        QVERIFY(refusal([] { recipeFromJson(R"({"scanloupe_recipe": 1, "camera": {}})"); }).contains("eye"));
        QVERIFY(refusal([] { readRecipe("there/is/none.json"); }).contains("there is no file"));
    }
};

SCANLOUPE_TEST(TestRecipe)
#include "test_recipe.moc"
