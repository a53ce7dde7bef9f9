// Declarations of stages and the cache: exactly the declared stages run again, and outdated results are never
// shown.
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/graph/stage_cache.h"
#include "engine/graph/stage_costs.h"
#include "engine/io/volume/read_volume.h"
#include "engine/picture/picture_scene.h"
#include "engine/results/quality.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

using Stages = std::set<Stage>;

constexpr bool kCloud = false; // argument of isWanted(): the input is a cloud, not a volume

/// Sets a parameter to another value within its limits.
void move(Recipe& recipe, const Parameter& p, const Recipe& resolved) {
    if (p.kind == ParameterKind::text)
        return p.setText(recipe, p.getText(resolved) == "height" ? "count" : "height");
    const auto values = p.get(resolved);
    std::vector<double> other = values ? *values : std::vector<double>(p.components.size(), 1.5);
    if (p.key == "range") {
        for (double& bound : other)
            bound *= 0.9;
    } else if (p.key == "outer_range") {
        other = {-2, -2, -2, 2, 2, 2};
    } else if (p.key == "section") {
        other = {0, 0, 0, 1, 0.5, 0, 0.5};
    } else if (p.key == "colour_limits") {
        other = values ? std::vector{other[0] - 1, other[1] + 1} : std::vector{0.5, 2.0};
    } else if (p.key == "max_voxels") {
        other[0] = 3000;
    } else if (p.key == "quality") {
        other[0] = p.max; // not switched off, because that would drop the results
    } else if (p.kind == ParameterKind::choice) {
        other[0] = other[0] < p.max ? other[0] + 1 : 0;
    } else if (p.kind == ParameterKind::flag) {
        other[0] = 1 - other[0];
    } else {
        for (double& value : other) {
            const double wanted = value == 0 ? 0.25 : value * 1.5;
            value = std::clamp(p.kind == ParameterKind::integer ? std::ceil(wanted) : wanted, p.min, p.max);
            if (values && value == (*values)[0])
                value *= 0.75; // the value was at its upper limit
        }
    }
    p.set(recipe, other);
}

/// The stages that must run again after a change of the recipe, according to the declarations.
Stages staleAfter(const Recipe& before, const Recipe& after) {
    Stages stale;
    for (const StageDeclaration& one : stageDeclarations()) {
        if (!isWanted(one.stage, after, kCloud))
            continue;
        bool runs =
            !isWanted(one.stage, before, kCloud) || (one.readsCamera && before.camera != after.camera);
        for (const Parameter& p : parameters())
            runs |= reads(one.stage, p, after, kCloud) && !p.isSame(before, after);
        for (const StageDeclaration& other : stageDeclarations())
            runs |= takes(one.stage, other.stage, after, kCloud) &&
                    (stale.contains(other.stage) || !takes(one.stage, other.stage, before, kCloud));
        if (runs)
            stale.insert(one.stage);
    }
    return stale;
}

/// The stages whose results differ between two snapshots, including the window's views.
Stages ranBetween(const Snapshot& before, const Snapshot& after) {
    Stages ran;
    for (const StageDeclaration& one : stageDeclarations()) {
        const ResultIdentity& now = after.identities[std::size_t(one.stage)];
        if (now && now != before.identities[std::size_t(one.stage)])
            ran.insert(one.stage);
    }
    for (const Stage view : {Stage::voxelView, Stage::meshView}) {
        if (!looksTheSame(view, before, after))
            ran.insert(view);
    }
    return ran;
}

QString text(const Stages& stages) {
    QString names;
    for (const Stage stage : stages)
        names += QString(declarationOf(stage).name) + ' ';
    return names;
}

template <class T>
bool sameBytes(const Buffer<T>& a, const Buffer<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

bool sameResults(const Snapshot& a, const Snapshot& b) {
    const TriangleMesh &m = a.mesh.host(), &n = b.mesh.host();
    return sameBytes(a.voxels.host().keys, b.voxels.host().keys) && sameBytes(m.positions, n.positions) &&
           sameBytes(m.indices, n.indices) &&
           sameBytes(a.picture->image.host().pixels, b.picture->image.host().pixels);
}

/// A recipe that uses every stage.
Recipe fullRecipe(const char* show, const char* colourBy) {
    Recipe recipe;
    recipe.imageWidth = 64;
    recipe.imageHeight = 48;
    setFromText(recipe, parameter("voxel_size"), "0.1");
    // leaves some points outside of the range
    setFromText(recipe, parameter("range"), "-1.1,-1.1,-1.1,1.1,1.1,0.7");
    setFromText(recipe, parameter("field"), "distance");
    setFromText(recipe, parameter("min_component_triangles"), "2");
    setFromText(recipe, parameter("decimate_to"), "5000");
    setFromText(recipe, parameter("smooth_steps"), "2");
    setFromText(recipe, parameter("show"), show);
    setFromText(recipe, parameter("colour_by"), colourBy);
    return recipe;
}

} // namespace

class TestStages : public QObject {
    Q_OBJECT
private slots:
    void declarationsAreInOrder() {
        QCOMPARE(stageDeclarations().size(), kStageCount);
        for (std::size_t i = 0; i < kStageCount; ++i) {
            const StageDeclaration& one = stageDeclarations()[i];
            QCOMPARE(std::size_t(one.stage), i);
            for (const TakenStage& taken : one.takes)
                QVERIFY2(taken.stage < one.stage, one.name);
        }
        for (const Parameter& p : parameters()) {
            const auto first = std::ranges::find_if(stageDeclarations(), [&](const StageDeclaration& one) {
                const auto isThis = [&](const ReadParameter& read) { return read.parameter == &p; };
                return std::ranges::any_of(one.reads, isThis);
            });
            QVERIFY2(first != stageDeclarations().end(), p.key.c_str());
            QVERIFY2(p.key == "up" || // "up" is listed with the stage that always reads it; ranges only read
                                      // it when they are rotated
                         p.stage == first->stage,
                     p.key.c_str());
        }
    }
    void everyParameterMakesStaleWhatReadsIt_data() {
        QTest::addColumn<QString>("backend");
        QTest::addColumn<QString>("show");
        QTest::addColumn<QString>("colourBy");
        QTest::addColumn<bool>("preview");
        // whether the range is rotated, which makes its points depend on the up axis
        QTest::addColumn<bool>("isTurned");
        for (const char* backend : {"cpu", "cuda"}) {
            for (const char* show : {"points", "voxels", "mesh"})
                for (const char* colourBy : {"height", "point_distance"})
                    for (const bool preview : {false, true})
                        QTest::addRow("%s %s %s%s", backend, show, colourBy, preview ? " preview" : "")
                            << backend << show << colourBy << preview << false;
            QTest::addRow("%s mesh height, turned range", backend) << backend << "mesh"
                                                                   << "height" << false << true;
        }
    }
    void everyParameterMakesStaleWhatReadsIt() {
        QFETCH(QString, backend);
        QFETCH(QString, show);
        QFETCH(QString, colourBy);
        QFETCH(bool, preview);
        QFETCH(bool, isTurned);
        if (backend == "cuda")
            SCANLOUPE_NEEDS_CUDA();
        const Backend where = backend == "cuda" ? Backend::cuda : Backend::cpu;
        const auto cloud = bumpyCloud(preview ? 40'000 : 6'000);
        Recipe start = fullRecipe(show.toUtf8(), colourBy.toUtf8());
        if (isTurned) {
            setFromText(start, parameter("range"), "-0.9,-0.5,-1.1,0.9,0.6,0.7");
            setFromText(start, parameter("range_rotation"), "30");
        }
        const RunOptions options{.preview = preview, .quality = true};
        for (const Parameter& p : parameters()) {
            Run run(cloud, where);
            run.recipe = start;
            const Snapshot before = run(options);
            QCOMPARE(before.preview, preview);
            move(run.recipe, p, before.resolved);
            const Snapshot after = run(options);
            QCOMPARE(after.preview, preview);
            QVERIFY2(!p.isSame(before.resolved, after.resolved), p.key.c_str());
            const Stages expected = staleAfter(before.resolved, after.resolved),
                         ran = ranBetween(before, after);
            QVERIFY2(ran == expected,
                     qPrintable(QString("%1: ran %2; declared %3")
                                    .arg(QString::fromStdString(p.key), text(ran), text(expected))));
            Run fresh(cloud, where);
            fresh.recipe = run.recipe;
            QVERIFY2(sameResults(after, fresh(options)), p.key.c_str());
        }
    }
    void viewsFollowWhatIsSwitchedOff() {
        Run run(bumpyCloud(6'000));
        run.recipe = fullRecipe("mesh", "height");
        const Snapshot cleaned = run(kNoPicture);
        run.set("min_component_triangles", "0");
        run.set("decimate_to", "0");
        run.set("smooth_steps", "0");
        const Snapshot whole = run(kNoPicture);
        QVERIFY(!looksTheSame(Stage::meshView, whole, cleaned));
        QVERIFY(!looksTheSame(Stage::meshView, cleaned, whole));
        QVERIFY(looksTheSame(Stage::voxelView, whole, cleaned));
        Snapshot volume;
        volume.volume = std::make_shared<const Volume>();
        volume.resolved = whole.resolved;
        QVERIFY(!looksTheSame(Stage::voxelView, volume, whole));
        QVERIFY(!looksTheSame(Stage::voxelView, whole, volume));
    }
    void theSameViewInOtherWordsIsNotDrawnAgain() {
        Run run(bumpyCloud(6'000));
        run.recipe = fullRecipe("mesh", "height");
        const Snapshot before = run();
        run.recipe.camera = before.picture->camera;
        const Snapshot again = run();
        QCOMPARE(again.picture, before.picture);
        for (const char* stage : {"rasterize", "resolve"}) { // a reused stage reports no time
            const StageTiming* timing = again.timings.find(stage);
            QVERIFY(timing && timing->reused);
            QCOMPARE(timing->wallMs, 0.0);
        }
        run.recipe.camera->eye = run.recipe.camera->eye + Vec3d{0.5, 0, 0};
        const Snapshot moved = run();
        QVERIFY(!moved.timings.find("rasterize")->reused);
        QVERIFY(moved.timings.find("rasterize")->wallMs > 0);
    }
    void changesMakeOnlyTheseStagesStale_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("stages");
        QTest::newRow("iso")
            << "iso"
            << "extract clean smooth topology triangle_tree quality scene rasterize mesh_view ";
        QTest::newRow("view") << "view"
                              << "rasterize ";
        QTest::newRow("size") << "image_width"
                              << "rasterize ";
        QTest::newRow("up") << "up"
                            << "scene rasterize voxel_view mesh_view ";
        QTest::newRow("light") << "light"
                               << "scene rasterize ";
        QTest::newRow("colour map") << "colour_map"
                                    << "scene rasterize voxel_view mesh_view ";
        QTest::newRow("colour limits") << "colour_limits"
                                       << "scene rasterize voxel_view mesh_view ";
        QTest::newRow("triangles")
            << "decimate_to"
            << "clean smooth topology triangle_tree quality scene rasterize mesh_view ";
        QTest::newRow("smoothing") << "smooth_steps"
                                   << "smooth topology triangle_tree quality scene rasterize mesh_view ";
        QTest::newRow("pass band") << "smooth_pass_band"
                                   << "smooth topology triangle_tree quality scene rasterize mesh_view ";
        QTest::newRow("samples") << "samples"
                                 << "";
    }
    void changesMakeOnlyTheseStagesStale() {
        QFETCH(QString, key);
        QFETCH(QString, stages);
        Recipe before = fullRecipe("mesh", "height"), after = before;
        move(after, parameter(key.toStdString()), before);
        QCOMPARE(text(staleAfter(before, after)), stages);
    }
    void cameraMovesRenderOnly() {
        Run run(bumpyCloud(6'000));
        run.recipe = fullRecipe("mesh", "height");
        const Snapshot before = run();
        run.recipe.camera = before.picture->camera;
        run.recipe.camera->eye.x += 1;
        QCOMPARE(ran(run()), QString("rasterize,resolve,"));
        move(run.recipe, parameter("view"), run.recipe);
        QCOMPARE(ran(run()), QString()); // an explicit camera takes precedence over a view preset
    }
    void stagesInWrongOrderAreRefused() {
        StageCache cache;
        Recipe recipe;
        QVERIFY_EXCEPTION_THROWN(cache.store(Stage::voxelize, 1, recipe, kCloud), Fault);
        cache.store(Stage::upload, 1, recipe, kCloud);
        cache.store(Stage::voxelize, 2, recipe, kCloud);
        QVERIFY(cache.isFresh(Stage::voxelize, recipe, kCloud));
        recipe.voxelSize = Vec3d{1, 1, 1};
        QVERIFY(cache.isFresh(Stage::upload, recipe, kCloud));
        QVERIFY(!cache.isFresh(Stage::voxelize, recipe, kCloud));
        QVERIFY_EXCEPTION_THROWN(cache.store(Stage::field, 3, recipe, kCloud), Fault);
    }
    void everyRowOfTheTimingsIsDeclared() {
        Run run(bumpyCloud(6'000));
        run.recipe = fullRecipe("mesh", "point_distance");
        parameter("section").set(run.recipe, std::vector<double>{0, 0, 0, 1, 0.5, 0, 0.5});
        Snapshot last = run({.quality = true});
        last = run.pipeline.refine(last, 2, {});
        std::set<std::string> names;
        for (const StageTiming& timing : last.timings.stages) {
            const TimingRow* row = timingRow(timing.stage);
            QVERIFY2(row && row->name == timing.stage && *row->label, timing.stage.c_str());
            QVERIFY2(names.insert(timing.stage).second, timing.stage.c_str());
        }
        for (const char* name : {"read", "upload", "voxelize", "section", "distances", "resolve", "refine"})
            QVERIFY2(names.contains(name), name);
        QVERIFY(!timingRow("auto_iso")); // its time is part of the stage that requests it
        QCOMPARE(stageOfRow("resolve")->stage, Stage::picture);
        QVERIFY(!stageOfRow("read"));
    }
    void stagesReportTheirSteps_data() {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("steps"); // steps of the field stage
        for (const char* strategy : {"bitmap-rank", "brick-hash", "hash", "radix-sort", "dense-grid"})
            QTest::newRow(strategy) << strategy << "occupancy"
                                    << "group,bricks,splat,";
        QTest::newRow("density") << "auto"
                                 << "density"
                                 << "group,bricks,splat,";
        QTest::newRow("distance") << "auto"
                                  << "distance"
                                  << "group,cells,normals,gather,close,";
    }
    void stagesReportTheirSteps() {
        QFETCH(QString, strategy);
        QFETCH(QString, field);
        QFETCH(QString, steps);
        Run run(bumpyCloud(6'000));
        run.recipe = fullRecipe("mesh", "point_distance");
        run.set("voxel_strategy", strategy.toUtf8());
        run.set("field", field.toUtf8());
        const Snapshot first = run(kNoPicture), again = run(kNoPicture);
        const auto stepsOf = [&](const char* stage) {
            const StageTiming& timing = *first.timings.find(stage);
            QString names;
            double sum = 0;
            for (const auto& [name, ms] : timing.steps) {
                names += QString::fromStdString(name) + ',';
                sum += ms;
            }
            return sum <= timing.wallMs ? names : QString("more than the stage: ") + names;
        };
        QCOMPARE(stepsOf("voxelize"), QString("insert,number,average,"));
        QCOMPARE(stepsOf("field"), steps);
        QCOMPARE(stepsOf("extract"), QString("classify,scan,compact,generate,"));
        QCOMPARE(stepsOf("clean"), QString("remove,decimate,"));
        QCOMPARE(stepsOf("smooth"), QString("neighbours,move,normals,"));
        QCOMPARE(stepsOf("distances"), QString("tree,distances,"));
        for (const StageTiming& timing : again.timings.stages)
            QVERIFY2(timing.steps.empty(), timing.stage.c_str());
    }
    void freshnessComparesEachStageOnce() {
        StageCache cache;
        const Recipe recipe = fullRecipe("mesh", "height");
        std::size_t held = 0;
        for (const StageDeclaration& one : stageDeclarations()) {
            if (!isWanted(one.stage, recipe, kCloud))
                continue;
            cache.store(one.stage, 1, recipe, kCloud);
            ++held;
        }
        Freshness fresh(cache, recipe, kCloud);
        for (const StageDeclaration& one : stageDeclarations())
            QCOMPARE(fresh.of(one.stage), isWanted(one.stage, recipe, kCloud));
        QCOMPARE(fresh.compared(), held);
        Freshness ofTheLast(cache, recipe, kCloud);
        QVERIFY(ofTheLast.of(Stage::meshView));
        QVERIFY(ofTheLast.compared() <= held);
    }
    void sceneAndPictureAreReleasedBeforeWhatTheyDependOn() {
        StageCache cache;
        const Recipe recipe;
        for (const StageDeclaration& one : stageDeclarations()) {
            if (isWanted(one.stage, recipe, kCloud))
                cache.store(one.stage, 1, recipe, kCloud);
        }
        cache.releaseDependants(Stage::voxelize, false);
        QVERIFY(cache.last(Stage::voxelize) && cache.last(Stage::extract));
        QVERIFY(!cache.last(Stage::scene) && !cache.last(Stage::picture));
        cache.releaseDependants(Stage::voxelize, true);
        QVERIFY(cache.last(Stage::upload) && cache.last(Stage::voxelize));
        QVERIFY(!cache.last(Stage::field) && !cache.last(Stage::extract) && !cache.last(Stage::quality));
    }
    void resultsOfAnOlderSnapshotAreComputedAgain() {
        Run run(bumpyCloud(6'000));
        run.recipe = fullRecipe("points", "point_distance");
        Snapshot first = run({.quality = true});
        Recipe other = run.recipe;
        setFromText(other, parameter("voxel_size"), "0.2");
        run.pipeline.run(other, {}, {});
        const Snapshot measured = run.pipeline.measure(first, QualityEffort::full, {});
        QCOMPARE(measured.quality->topology.area, first.quality->topology.area);
        run.pipeline.run(other, {}, {});
        const PictureSource source = run.pipeline.pictureSource(first, {});
        const DrawnPixels drawn = source.scene->draw(source.scene->projection(source.camera, 64, 48), {});
        QVERIFY(sameBytes(drawn.image.pixels, first.picture->image.host().pixels));
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestStages)
#include "test_stages.moc"
