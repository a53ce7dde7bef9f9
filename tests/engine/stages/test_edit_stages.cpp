// Edits in the pipeline: their effect on points, voxels and files, on either backend.
#include "engine/cloud/categories.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/edit/edit_list.h"
#include "engine/edit/edits_json.h"
#include "engine/io/points_in_range.h"
#include "engine/picture/colouring.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/chosen_points.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/same_results.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "engine/stages/edit.h"
#include "tests/support/each_backend.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <QElapsedTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

SelectionStep sphere(Vec3d at, double radius, SetOperation operation = SetOperation::add) {
    return stepOf(operation, StrokeRegion{{at}, radius});
}

/// Number of points of a cloud near a position.
std::size_t countNear(const PointCloud& cloud, Vec3d at, double radius) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < cloud.size(); ++i)
        count += norm(cloud.position(i) - at) <= radius;
    return count;
}

} // namespace

class TestEditStages : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (SuiteBackend::current().backend == Backend::cuda) {
            SCANLOUPE_NEEDS_CUDA();
        }
    }
    void init() {
        if (SuiteBackend::current().backend == Backend::cuda) {
            SCANLOUPE_NEEDS_CUDA();
        }
    }

    void removedPointsAreGone() {
        const auto cloud = classedStreet(30'000);
        Run run(cloud, SuiteBackend::current().backend);
        run.set("colour_by", "intensity");
        const Snapshot before = run();
        const Vec3d at = cloud->position(1000);
        const std::size_t near = countNear(*cloud, at, 1.5);
        QVERIFY(near > 10);
        run.recipe.edits = withErased({}, sphere(at, 1.5), "Erase");
        const Snapshot after = run();
        QCOMPARE(before.voxels->stats.pointsInRange - after.voxels->stats.pointsInRange, near);
        QCOMPARE(countNear(*after.cloud, at, 1.5), std::size_t(0));
        QCOMPARE(after.cloud->size(), cloud->size()); // removed points stay in the cloud as rows
        QVERIFY(after.input == cloud);
        QCOMPARE(countNear(*cloud, at, 1.5), near); // the scan is unchanged
        const auto rows = rowsInRange(*after.cloud, after.cloud->bounds(), {}, {});
        for (const std::size_t row : rows)
            QVERIFY(norm(cloud->position(row) - at) > 1.5);
        run.recipe.edits = {};
        const Snapshot undone = run();
        QVERIFY(compareResults(before, undone, {}).isIdentical());
    }

    void keepingRemovesTheOthers() {
        const auto cloud = classedStreet(30'000);
        Run run(cloud, SuiteBackend::current().backend);
        const Vec3d at = cloud->position(1000);
        run.recipe.edits = withLayer(withStep({}, sphere(at, 4)), KeepAction{}, "Keep");
        QCOMPARE(run(kNoPicture).voxels->stats.pointsInRange, countNear(*cloud, at, 4));
    }

    void classesAreSet() {
        const auto cloud = classedStreet(30'000);
        QVERIFY(cloud->attribute(kClassAttribute));
        Run run(cloud, SuiteBackend::current().backend);
        run.set("colour_by", kClassAttribute);
        const Vec3d at = cloud->position(1000);
        run.recipe.edits = withLayer(withStep({}, sphere(at, 2)), SetClassAction{17}, "Class");
        const Snapshot after = run();
        const Attribute& edited = *after.cloud->attribute(kClassAttribute);
        const Attribute& read = *cloud->attribute(kClassAttribute);
        QCOMPARE(int(edited.type), int(read.type));
        for (std::size_t i = 0; i < cloud->size(); ++i)
            QCOMPARE(edited.value(i), norm(cloud->position(i) - at) <= 2 ? 17.0 : read.value(i));
        QVERIFY(after.cloud->attribute("intensity")->sharesValuesOf(*cloud->attribute("intensity")));
        // a later layer selects by the new class
        run.recipe.edits = withLayer(
            withStep(run.recipe.edits, stepOf(SetOperation::replace, ClassRegion{kClassAttribute, {17}})),
            RemoveAction{}, "Delete");
        QCOMPARE(countNear(*run(kNoPicture).cloud, at, 2), std::size_t(0));
        run.recipe.edits = withLayer(withStep({}, sphere(at, 2)), SetClassAction{300}, "Class");
        QVERIFY_EXCEPTION_THROWN(run(kNoPicture), EngineError);
    }

    /// Classes are added to a scan without any.
    void classesAreAdded() {
        const auto cloud = bumpyCloud(5000);
        QVERIFY(!cloud->attribute(kClassAttribute));
        Run run(cloud, SuiteBackend::current().backend);
        run.recipe.edits =
            withLayer(withStep({}, sphere(cloud->position(7), 0.3)), SetClassAction{2}, "Class");
        run.set("colour_by", kClassAttribute);
        const Snapshot after = run();
        QVERIFY(after.picture->classes && after.picture->classes->count == 2);
        QCOMPARE(after.cloud->attribute(kClassAttribute)->value(7), 2.0);
    }

    void formulasSelectAndCompute() {
        const auto cloud = classedStreet(30'000);
        Run run(cloud, SuiteBackend::current().backend);
        run.recipe.edits = withStep(
            {}, stepOf(SetOperation::replace, FormulaRegion{"height > 2 && intensity < 0.3", {0, 0, 1}}));
        const Snapshot selected = run(kNoPicture);
        const Attribute& intensity = *cloud->attribute("intensity");
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < cloud->size(); ++i)
            count += float(cloud->position(i).z) > 2 && intensity.value(i) < 0.3;
        QVERIFY(count > 100);
        QCOMPARE(selected.chosen->count, count);
        run.recipe.edits =
            withLayer(run.recipe.edits, ComputeAction{"shade", "1 - intensity", {0, 0, 1}}, "shade");
        run.set("colour_by", "shade");
        const Snapshot computed = run();
        const Attribute& shade = *computed.cloud->attribute("shade");
        const PointSet& chosen = computed.chosen->set.host();
        for (std::size_t i = 0; i < cloud->size(); ++i) {
            if (chosen.has(i))
                QCOMPARE(float(shade.value(i)), float(1 - intensity.value(i)));
            else
                QVERIFY(std::isnan(shade.value(i)));
        }
        // the attribute is computed from itself and replaced
        run.recipe.edits =
            withLayer(run.recipe.edits, ComputeAction{"shade", "shade * 2", {0, 0, 1}}, "shade");
        const Snapshot twice = run(kNoPicture);
        for (std::size_t i = 0; i < cloud->size(); ++i)
            if (chosen.has(i))
                QCOMPARE(float(twice.cloud->attribute("shade")->value(i)), 2 * float(shade.value(i)));
        run.recipe.edits = withStep({}, stepOf(SetOperation::replace, FormulaRegion{"hight > 2", {0, 0, 1}}));
        QVERIFY_EXCEPTION_THROWN(run(kNoPicture), EngineError);
        // the device gives the host's points, bit for bit
        Run onHost(cloud);
        for (const char* formula : {"height / 3 + 0.1 < intensity * 7",
                                    "sqrt(abs(x * y)) - floor(time / 0.3) > 1 ? z > 1 : !(intensity < 0.5)",
                                    "min(x, y) / 0 > max(z, -z) || x != x", "round(x) == round(y)",
                                    "sin(x) > cos(y)", "ring > 5 && sign(x)"}) {
            run.recipe.edits = onHost.recipe.edits =
                withStep({}, stepOf(SetOperation::replace, FormulaRegion{formula, {0, 0, 1}}));
            const Snapshot here = run(kNoPicture), there = onHost(kNoPicture);
            QVERIFY2(std::ranges::equal(here.chosen->set.host().words.span(),
                                        there.chosen->set.host().words.span()),
                     formula);
            const StageTiming* timing = here.timings.find("selection");
            std::printf("%s: %s %s\n", formula, timing->backend.c_str(), timing->why.c_str());
        }
        run.recipe.edits = withStep({}, stepOf(SetOperation::replace, FormulaRegion{"1 / 0 > 1", {0, 0, 1}}));
        QCOMPARE(run(kNoPicture).chosen->count, cloud->size());
    }

    void pointsAreMoved() {
        const auto cloud = bumpyCloud(5000);
        Run run(cloud, SuiteBackend::current().backend);
        MoveAction move;
        move.motion = fromRollPitchYaw({0, 0, 0.3}, {0.1, 0, 0});
        run.recipe.edits = withLayer(withStep({}, sphere(cloud->position(7), 0.3)), move, "Move");
        const Snapshot after = run(kNoPicture);
        const Vec3d expected = move.motion(cloud->position(7));
        QVERIFY(norm(after.cloud->position(7) - expected) < 1e-6);
        QVERIFY(norm((*after.points)[7].as<double>() + after.origin() - expected) < 1e-6);
        // farther than the scan's extent: an automatic range follows the data
        move.motion.translation = {20, 0, 0};
        run.recipe.edits = withLayer(withStep({}, sphere(cloud->position(7), 0.3)), move, "Move");
        const Snapshot far = run(kNoPicture);
        QCOMPARE(far.voxels->stats.pointsInRange, std::uint64_t(cloud->size()));
        QVERIFY(far.resolved->rangeMax->x > 19);
    }

    void sensorsGoAlong() {
        const auto plain = bumpyCloud(2000);
        CloudEdits columns;
        for (const char* name : {"sensor_x", "sensor_y", "sensor_z"}) {
            auto values = Buffer<std::byte>::host(plain->size() * sizeof(float));
            std::ranges::fill(std::span(reinterpret_cast<float*>(values.data()), plain->size()), 1.5f);
            columns.attributes.emplace_back(name, ScalarType::float32, std::move(values));
        }
        auto cloud = std::make_shared<PointCloud>(*plain, columns, std::stop_token());
        cloud->sensor = SensorPose{{1, 2, 3}, {}};
        Run run(cloud, SuiteBackend::current().backend);
        MoveAction move;
        move.motion = fromRollPitchYaw({0, 0, 0.5}, {10, 0, 0});
        run.recipe.edits = withLayer(withStep({}, sphere(cloud->position(7), 0.3)), move, "Some");
        const Snapshot some = run(kNoPicture);
        QVERIFY(some.cloud->sensor->position == cloud->sensor->position);
        run.recipe.edits = withLayerOfSelectedOrAll({}, move, "All");
        const Snapshot all = run(kNoPicture);
        QVERIFY(norm(all.cloud->sensor->position - move.motion({1, 2, 3})) < 1e-12);
        QVERIFY(norm(*all.resolved->sensor - move.motion(*some.resolved->sensor)) < 1e-12);
        const Vec3d seenFrom = move.motion({1.5, 1.5, 1.5});
        QCOMPARE(all.cloud->attribute("sensor_x")->value(7), seenFrom.x);
        QCOMPARE(all.cloud->attribute("sensor_y")->value(7), seenFrom.y);
    }

    // A scan in a local frame is moved to map coordinates, where single precision has steps of half a metre.
    void pointsAreMovedIntoMapCoordinates_data() {
        QTest::addColumn<bool>("integers");
        QTest::newRow("floats") << false;
        QTest::newRow("integers of a millimetre") << true;
    }
    void pointsAreMovedIntoMapCoordinates() {
        QFETCH(bool, integers);
        auto cloud = bumpyCloud(5000);
        if (integers) {
            ScaledPositions held;
            held.scale = {0.001, 0.001, 0.001};
            held.xyz = Buffer<Vec3i>::host(cloud->size());
            for (std::size_t i = 0; i < cloud->size(); ++i)
                for (int axis = 0; axis < 3; ++axis)
                    held.xyz[i][axis] = std::int32_t(std::lround(cloud->position(i)[axis] * 1000));
            cloud = std::make_shared<const PointCloud>(std::move(held), std::vector<Attribute>{},
                                                       std::stop_token{});
        }
        Run run(cloud, SuiteBackend::current().backend);
        // removed points are moved, too: else they would determine the frame
        run.recipe.edits =
            withLayer(withStep({}, sphere(cloud->position(11), 0.5)), RemoveAction{}, "Remove");
        const Snapshot here = run(kNoPicture);
        const std::uint64_t removed = cloud->size() - here.voxels->stats.pointsInRange;
        QVERIFY2(removed > cloud->size() / 20 && removed < cloud->size() / 2,
                 qPrintable(QString::number(removed)));
        MoveAction move;
        move.motion.translation = {449'000.25, 5'411'000.5, 312};
        Edits moving = run.recipe.edits;
        moving.selection = {};
        run.recipe.edits = withLayerOfSelectedOrAll(moving, move, "Move");
        const Snapshot there = run(kNoPicture);
        QVERIFY(norm(there.cloud->bounds().min - cloud->bounds().min - move.motion.translation) < 1e-5);
        std::vector<std::size_t> present;
        for (std::size_t i = 0; i < cloud->size() && present.size() < 50; i += 37)
            if (isFinite(there.cloud->position(i)))
                present.push_back(i);
        QVERIFY(present.size() > 10);
        const std::size_t last = present.back();
        for (const std::size_t i : present) {
            const Vec3d expected = move.motion(cloud->position(i));
            QVERIFY(norm(there.cloud->position(i) - expected) < 1e-6);
            QVERIFY(norm((*there.points)[i].as<double>() + there.origin() - expected) < 1e-4);
        }
        QCOMPARE(there.voxels->stats.pointsInRange, here.voxels->stats.pointsInRange);
        const double before = double(here.mesh->triangleCount()), after = double(there.mesh->triangleCount());
        QVERIFY2(std::abs(after - before) < 0.05 * before, qPrintable(QString::number(after / before)));
        // automatic parameters moved along
        QVERIFY(norm(*there.resolved->rangeMin - *here.resolved->rangeMin - move.motion.translation) < 1e-3);
        // removing points afterwards does not move the others
        run.recipe.edits = withLayer(withStep(run.recipe.edits, sphere(there.cloud->position(last), 0.1)),
                                     RemoveAction{}, "Remove");
        const Snapshot fewer = run(kNoPicture);
        QVERIFY(fewer.origin() == there.origin());
        QVERIFY(fewer.voxels->stats.pointsInRange < there.voxels->stats.pointsInRange);
    }

    void selectionIsCountedAndShown() {
        const auto cloud = classedStreet(30'000);
        Run run(cloud, SuiteBackend::current().backend);
        const Vec3d at = cloud->position(1000);
        const Snapshot before = run();
        run.recipe.edits = withStep({}, sphere(at, 2));
        const Snapshot after = run();
        QCOMPARE(after.chosen->count, countNear(*cloud, at, 2));
        const auto rows = rowsOf(after.chosen->set.host());
        QCOMPARE(rows.size(), std::size_t(after.chosen->count));
        for (const std::size_t row : rows)
            QVERIFY(norm(cloud->position(row) - at) <= 2.001);
        QVERIFY(before.voxels == after.voxels); // only the colours have changed
        QVERIFY(before.mesh == after.mesh);
        for (const char* content : {"points", "voxels", "mesh"}) {
            run.set("show", content);
            run.recipe.edits = {};
            const auto plain = run().picture;
            run.recipe.edits = withStep({}, sphere(at, 2));
            const auto tinted = run().picture;
            QVERIFY(
                !std::ranges::equal(plain->image.host().pixels.span(), tinted->image.host().pixels.span()));
            QVERIFY(plain->mapped == tinted->mapped);
        }
    }

    /// A stroke is applied in parts while it is drawn, with the same result as when it is applied at once.
    void strokesInPartsAreTheWhole() {
        const auto cloud = classedStreet(30'000);
        const Vec3d at = cloud->position(5000);
        StrokeRegion whole{{at, at + Vec3d{0.5, 0, 0}, at + Vec3d{1, 0.3, 0}, at + Vec3d{1, 1, 0.2}}, 0.8};
        whole.pressures = {0.2, 0.5, 1, 0.7};
        for (const SculptTool tool : {SculptTool::fill, SculptTool::raise, SculptTool::smooth}) {
            SculptAction action;
            action.tool = tool;
            action.slope = -1;
            const auto with = [&](Edits edits, StrokeRegion stroke) {
                return withSculpted(std::move(edits), stepOf(SetOperation::add, std::move(stroke)), action,
                                    "Brush");
            };
            const auto part = [&](std::size_t first, std::size_t last) {
                StrokeRegion stroke = whole;
                stroke.path = {whole.path.begin() + std::ptrdiff_t(first),
                               whole.path.begin() + std::ptrdiff_t(last) + 1};
                stroke.pressures = {whole.pressures.begin() + std::ptrdiff_t(first),
                                    whole.pressures.begin() + std::ptrdiff_t(last) + 1};
                stroke.continues = last > 0;
                return stroke;
            };
            Run live(cloud, SuiteBackend::current().backend), anew(cloud, SuiteBackend::current().backend);
            for (Run* run : {&live, &anew}) {
                run->set("field", "distance");
                run->set("voxel_size", "0.4");
            }
            Edits edits;
            for (const auto& [first, last] : {std::pair<std::size_t, std::size_t>{0, 0}, {0, 2}, {2, 3}}) {
                edits = with(edits, part(first, last));
                live.recipe.edits = edits;
                live();
            }
            live.recipe.edits = anew.recipe.edits = with({}, whole);
            const Snapshot now = live();
            const StageTiming* timing = now.timings.find("sculpt");
            QVERIFY(timing && timing->counts.back().second == 0); // no remaining work
            QVERIFY(compareResults(now, anew(), {}).isIdentical());
        }
    }

    /// A mirrored stroke has the same effect as one stroke on each side of the plane, also after it was
    /// stored as JSON.
    void mirroredStrokesWorkOnBothSides() {
        const auto cloud = classedStreet(30'000);
        const Vec3d at = cloud->position(5000);
        const MirrorPlane plane{at + Vec3d{3, 0, 0}, {1, 0, 0}};
        const std::vector<Vec3d> path{at, at + Vec3d{0.5, 0.25, 0}};
        for (const SculptTool tool : {SculptTool::fill, SculptTool::flatten, SculptTool::clone}) {
            SculptAction action;
            action.tool = tool;
            action.slope = -1;
            if (tool == SculptTool::flatten) {
                action.planeAt = at;
                action.planeNormal = {0.6, 0, 0.8};
            }
            if (tool == SculptTool::clone)
                action.cloneFrom = {1.6, -0.8, 0};
            const auto with = [&](Edits edits, const std::vector<Vec3d>& places, const SculptAction& what) {
                return withSculpted(std::move(edits), stepOf(SetOperation::add, StrokeRegion{places, 0.8}),
                                    what, "Brush");
            };
            SculptAction mirrored = action, other = action;
            mirrored.mirror = plane;
            other.planeAt = plane.mirrored(action.planeAt);
            other.planeNormal.x = -action.planeNormal.x;
            other.cloneFrom.x = -action.cloneFrom.x;
            const std::vector<Vec3d> otherPath{plane.mirrored(path[0]), plane.mirrored(path[1])};
            QCOMPARE(otherPath[0].x, at.x + 6);
            Run once(cloud, SuiteBackend::current().backend), twice(cloud, SuiteBackend::current().backend);
            for (Run* run : {&once, &twice}) {
                run->set("field", "distance");
                run->set("voxel_size", "0.4");
            }
            once.recipe.edits = editsFromJson(toJson(with({}, path, mirrored)));
            if (tool != SculptTool::flatten) // flatten's normal is normalized again when it is read
                QVERIFY(once.recipe.edits == with({}, path, mirrored));
            twice.recipe.edits = with(with({}, path, action), otherPath, other);
            QVERIFY(compareResults(once(), twice(), {}).isIdentical());
        }
    }

    /// Shown voxels are those with points, and those added by brushes, which get the attributes of the
    /// nearest voxels with points. Exports only have the voxels of the scan, which are also shown while the
    /// layers are hidden.
    void voxelsOfBrushesAreShown() {
        const auto cloud = classedStreet(30'000);
        Run run(cloud, SuiteBackend::current().backend);
        run.set("field", "distance");
        run.set("voxel_size", "0.4");
        run.set("show", "voxels");
        run.set("colour_by", kClassAttribute);
        const Snapshot before = run();
        QVERIFY(before.shownVoxels == before.voxels);
        SculptAction action;
        action.slope = -1;
        const Vec3d at = cloud->position(5000);
        run.recipe.edits = withSculpted(
            {}, stepOf(SetOperation::add, StrokeRegion{{at + Vec3d{0, 0, 2}}, 1.5}), action, "Fill");
        action.tool = SculptTool::carve;
        run.recipe.edits = withSculpted(std::move(run.recipe.edits),
                                        stepOf(SetOperation::add, StrokeRegion{{cloud->position(900)}, 1.5}),
                                        action, "Carve");
        const Snapshot now = run();
        QVERIFY(std::ranges::equal(now.voxels.host().keys.span(), before.voxels.host().keys.span()));
        const auto keys = now.shownVoxels.host().keys.span(), old = before.voxels.host().keys.span();
        const Attribute& classes = *now.cloud->attribute(kClassAttribute);
        const auto shown = now.shownAttributes->onHost(classes, {}),
                   points = now.attributes->onHost(classes, {});
        std::size_t added = 0, kept = 0;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto same = std::ranges::lower_bound(old, keys[i]);
            if (same == old.end() || *same != keys[i]) {
                ++added;
                QCOMPARE(now.shownVoxels.host().counts[i], 0u);
                QVERIFY(shown->modes[i] < shown->category->values.size());
                continue;
            }
            ++kept;
            QCOMPARE(shown->modes[i], points->modes[std::size_t(same - old.begin())]);
        }
        QVERIFY(added > 50);
        QVERIFY(kept < old.size() && kept + 2000 > old.size());
        QVERIFY(!std::ranges::equal(now.picture->image.host().pixels.span(),
                                    before.picture->image.host().pixels.span()));
        Run other(cloud, Backend::cpu);
        other.recipe = run.recipe;
        QVERIFY(compareResults(now, other(), {}).isIdentical());
        run.recipe.edits = {};
        QVERIFY(compareResults(before, run(), {}).isIdentical());
    }

    /// Strokes with absurd numbers are rejected at once, with a message.
    void absurdStrokesAreRefused() {
        Run run(classedStreet(30'000), SuiteBackend::current().backend);
        run.set("field", "distance");
        run.set("voxel_size", "0.4");
        SculptAction action;
        action.slope = -1;
        const auto refuses = [&](SculptTool tool, StrokeRegion stroke) {
            action.tool = tool;
            run.recipe.edits =
                withSculpted({}, stepOf(SetOperation::add, std::move(stroke)), action, "Brush");
            try {
                run(kNoPicture);
            } catch (const EngineError& error) {
                return std::string(error.what()).find("brush stroke") != std::string::npos;
            } catch (const KernelError& error) {
                return std::string(error.what()).find("brush") != std::string::npos;
            }
            return false;
        };
        QElapsedTimer timer;
        timer.start();
        QVERIFY(refuses(SculptTool::smooth, {{{0, 0, 0}, {100, 0, 0}}, 1e-6}));
        QVERIFY(refuses(SculptTool::smooth, {{{0, 0, 0}, {1e308, 0, 0}}, 1}));
        QVERIFY(refuses(SculptTool::fill, {{{0, 0, 0}, {1e300, 0, 0}}, 1}));
        QVERIFY(refuses(SculptTool::raise, {{{0, 0, 0}}, 1e9}));
        QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
        // the brush is larger than the whole scan
        action.tool = SculptTool::smooth;
        run.recipe.edits =
            withSculpted({}, stepOf(SetOperation::add, StrokeRegion{{{0, 0, 0}}, 1000}), action, "Brush");
        QVERIFY(run(kNoPicture).mesh->triangleCount() > 0);
    }

    void coloursAreSet() {
        const auto cloud = classedStreet(30'000);
        Run run(cloud, SuiteBackend::current().backend);
        const Vec3d at = cloud->position(5000);
        SetColourAction red;
        red.rgb = {250, 10, 20};
        run.recipe.edits = withLayer(withStep({}, sphere(at, 2)), red, "Red");
        const Snapshot painted = run(kNoPicture);
        const auto channel = [&](const char* name, std::size_t i) {
            return painted.cloud->attribute(name)->value(i);
        };
        std::size_t inside = 0;
        for (std::size_t i = 0; i < cloud->size(); ++i) {
            const bool isNear = norm(cloud->position(i) - at) <= 2;
            inside += isNear;
            QCOMPARE(channel("red", i), isNear ? 250.0 : 200.0);
            QCOMPARE(channel("blue", i), isNear ? 20.0 : 200.0);
        }
        QCOMPARE(inside, countNear(*cloud, at, 2));
        QVERIFY(recipeFromJson(toJson(run.recipe)).edits == run.recipe.edits);
        // a second layer recolours points that a layer below has coloured
        SetColourAction green;
        green.rgb = {0, 255, 0};
        run.recipe.edits = withLayer(withStep(run.recipe.edits, sphere(at, 1)), green, "Green");
        const Snapshot more = run(kNoPicture);
        QCOMPARE(more.cloud->attribute("green")->value(5000), 255.0);
        QCOMPARE(more.cloud->attribute("red")->value(0), 200.0);
    }

    /// A hundred thousand strokes are applied in seconds, and another one in an instant.
    void veryManyStrokes() {
        auto random = seededRandom("veryManyStrokes");
        const auto cloud = classedStreet(100'000);
        Edits edits;
        for (int i = 0; i < 100'000; ++i)
            edits = withErased(std::move(edits), sphere(cloud->position(random() % cloud->size()), 0.01),
                               "Erase");
        Run run(cloud, SuiteBackend::current().backend);
        run.recipe.edits = edits;
        QElapsedTimer timer;
        timer.start();
        const Snapshot first = run(kNoPicture);
        QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed())));
        run.recipe.edits = withErased(edits, sphere(cloud->position(5), 1), "Erase");
        timer.start();
        QVERIFY(run(kNoPicture).voxels->stats.pointsInRange < first.voxels->stats.pointsInRange);
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
    }

    void allGoneIsSaid() {
        Run run(classedStreet(30'000), SuiteBackend::current().backend);
        run.recipe.edits =
            withLayer(withStep({}, stepOf(SetOperation::replace, InvertRegion{})), RemoveAction{}, "Delete");
        try {
            run(kNoPicture);
            QFAIL("an empty scan gave results");
        } catch (const EngineError& error) {
            QVERIFY(std::string(error.what()).find("Edits have removed all points") != std::string::npos);
        }
        run.recipe.edits = withStep({}, stepOf(SetOperation::replace, AttributeRegion{"reflectance", 0, 1}));
        QVERIFY_EXCEPTION_THROWN(run(kNoPicture), EngineError);
    }
};

SCANLOUPE_TEST_BY(TestEditStages, [](int argc, char** argv) {
    return runOnEachBackend<SuiteBackend, TestEditStages>(argc, argv);
})
#include "test_edit_stages.moc"
