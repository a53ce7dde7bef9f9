// Recipes in files: saved ones can be loaded, and invalid ones are reported.
#include "engine/compute/backend.h"
#include "engine/graph/timings.h"
#include "engine/io/common/bounded_json.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/snapshot.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/time_limits.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Points on a bumpy square of this extent around `at`.
std::shared_ptr<const PointCloud> square(double extent, Vec3d at) {
    constexpr int across = 60;
    auto xyz = Buffer<Vec3d>::host(across * across);
    for (int i = 0; i < across; ++i)
        for (int j = 0; j < across; ++j)
            xyz[std::size_t(i * across + j)] =
                at + Vec3d{double(i) / across, double(j) / across, 0.1 * std::sin(i * 0.3)} * extent;
    return std::make_shared<const PointCloud>(DoublePositions{std::move(xyz)}, std::vector<Attribute>{},
                                              std::stop_token{});
}

} // namespace

class TestRecipeFile : public QObject {
    Q_OBJECT
private slots:
    void nestedBracketsAreRefused() {
        const std::string deep = R"({"scanloupe_recipe": 1, "iso": )" + std::string(200'000, '[') +
                                 std::string(200'000, ']') + "}";
        const auto error = errorOf([&] { recipeFromJson(deep); });
        QVERIFY2(says(error, "nested"), error ? error->what() : "no error");
        QVERIFY(says(errorOf([] { recipeFromJson(std::string(1'000'000, '[')); }), "nested"));
        // brackets within strings do not count
        Recipe recipe;
        recipe.colourBy = std::string(1000, '[') + "\"" + std::string(1000, '{');
        QCOMPARE(recipeFromJson(toJson(recipe)), recipe);
    }
    void manyMembersAreParsedInLinearTime() {
        // pairwise comparison of 200,000 names would take 20,000 M comparisons
        constexpr int members = 200'000;
        std::string text = "{";
        for (int i = 0; i < members; ++i)
            text += "\"k" + std::to_string(i * 7919 % members) + "\": " + std::to_string(i) + ",";
        text += R"("k0": [true, null, {"b": 1.5, "a": -2}]})";
        QElapsedTimer timer;
        timer.start();
        const nlohmann::ordered_json json = parseBoundedJson(text, "The test");
        std::printf("%d members in %lld ms\n", members, static_cast<long long>(timer.elapsed()));
        QVERIFY(double(timer.elapsed()) < 3000 * kSanitizerFactor); // measured on an idle machine: 50
        QCOMPARE(json.size(), std::size_t(members));
        auto member = json.begin(); // in the order of the text; the last one of equal keys wins
        QVERIFY(member.key() == "k0" && member.value().dump() == R"([true,null,{"b":1.5,"a":-2}])");
        ++member;
        QVERIFY(member.key() == "k7919" && member.value() == 1);
        QVERIFY(parseBoundedJson(R"({"a": {}, "b": [[], "x"]})", "") ==
                nlohmann::ordered_json::parse(R"({"a": {}, "b": [[], "x"]})"));
        for (const char* damaged : {"", "{", "[1,", "{\"a\" 1}", "1 2", "{]", "\"\xff\""})
            QVERIFY2(says(errorOf([&] { parseBoundedJson(damaged, "The test"); }), "can't be read"), damaged);
    }
    /// Short values need many times the memory of their text.
    void valuesThatTakeMuchMemoryAreRefused() {
        std::string text = "[{}";
        while (text.size() < 60 << 20)
            text += ",{}";
        QVERIFY(says(errorOf([&] { parseBoundedJson(text + "]", "The test"); }), "of memory"));
        text = "[0";
        for (int i = 0; i < 5'000'000; ++i)
            text += ",0";
        QCOMPARE(parseBoundedJson(text + "]", "The test").size(), std::size_t{5'000'001});
    }
    void largeFilesAreRefused() {
        const Scratch scratch;
        const auto path = scratch / "large.json";
        std::ofstream(path).put(' ');
        std::filesystem::resize_file(path, std::uintmax_t{1} << 40); // a sparse file
        const auto error = errorOf([&] { readRecipe(path); });
        QVERIFY2(says(error, "too large"), error ? error->what() : "no error");
    }
    void foldersAndPipesAreRefused() {
        const Scratch scratch;
        QVERIFY(says(errorOf([&] { readRecipe(scratch.folder()); }), "is a folder"));
        const auto pipe = scratch / "pipe.json";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        QVERIFY(says(errorOf([&] { readRecipe(pipe); }), "pipe")); // rejected without waiting for a writer
    }
    void longMistakesAreToldShortly() {
        const auto error = errorOf(
            [] { recipeFromJson("{\"scanloupe_recipe\": 1, \"iso\": \"" + std::string(1'000'000, 'x')); });
        QVERIFY(says(error, "can't be read"));
        QVERIFY(std::string(error->what()).size() < 500);
        const auto key = errorOf([] {
            recipeFromJson("{\"scanloupe_recipe\": 1, \"iso\": {\"a\": \"" + std::string(1'000'000, 'x') +
                           "\"}}");
        });
        QVERIFY(key && std::string(key->what()).size() < 500);
    }
    void namesOfAnyBytesComeBack_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("ascii") << QByteArray("intensity");
        QTest::newRow("UTF-8") << QByteArray("H\xc3\xb6he \xe2\x82\xac");
        QTest::newRow("Latin-1") << QByteArray("H\xf6he");
        QTest::newRow("half a sign") << QByteArray("cut \xe2\x82");
        QTest::newRow("both") << QByteArray("\xc3\xb6 and \xf6");
        QByteArray all;
        for (int c = 1; c < 256; ++c)
            all += char(c);
        QTest::newRow("all bytes") << all;
    }
    void namesOfAnyBytesComeBack() {
        QFETCH(QByteArray, name);
        Recipe recipe;
        recipe.colourBy = name.toStdString();
        const std::string text = toJson(recipe);
        QVERIFY(QJsonDocument::fromJson(QByteArray::fromStdString(text)).isObject());
        QCOMPARE(recipeFromJson(text).colourBy, recipe.colourBy);
        const Scratch scratch;
        writeRecipe(scratch / "r.json", recipe);
        QCOMPARE(readRecipe(scratch / "r.json"), recipe);
    }
    void timingsOfAnyBytesAreJson() {
        RunTimings timings;
        timings.stages.push_back(
            {"voxelize", "cpu", false, 1, 0, 0, {{"H\xf6he", 1}}, {{"\xff", 2.0}}, "\xe2", "\xfe"});
        QVERIFY(QJsonDocument::fromJson(QByteArray::fromStdString(toJson(timings))).isObject());
    }

    void whatWasChosenLoadsAgain_data() {
        QTest::addColumn<double>("extent");
        QTest::addColumn<QString>("field");
        for (const double extent : {1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12})
            for (const char* field : {"auto", "density", "distance"})
                QTest::addRow("%g m, %s", extent, field) << extent << field;
    }
    void whatWasChosenLoadsAgain() {
        QFETCH(double, extent);
        QFETCH(QString, field);
        for (const Vec3d at : {Vec3d{}, Vec3d{-1, -1, 0} * extent}) {
            Run run(square(extent, at));
            run.set("field", qPrintable(field));
            const Snapshot snapshot = run(kNoPicture);
            QVERIFY(snapshot.mesh->triangleCount() > 100);
            Recipe loaded;
            const auto error = errorOf([&] { loaded = recipeFromJson(toJson(snapshot.resolved)); });
            QVERIFY2(!error, error ? error->what() : "");
            QCOMPARE(loaded, snapshot.resolved);
            Run again(square(extent, at), Backend::cpu, loaded);
            again.recipe = loaded;
            QCOMPARE(again(kNoPicture).mesh->triangleCount(), snapshot.mesh->triangleCount());
        }
    }
};

SCANLOUPE_TEST(TestRecipeFile)
#include "test_recipe_file.moc"
