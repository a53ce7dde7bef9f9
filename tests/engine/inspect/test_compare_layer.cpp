// Layers that compare points with a model, on both backends: deviations as an attribute, their colours, and
// messages about references.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/edit/edit_list.h"
#include "engine/inspect/inspection.h"
#include "engine/inspect/reference.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/mesh_reader.h"
#include "engine/io/writers.h"
#include "engine/picture/colouring.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/kernel_points.h"
#include "engine/results/same_results.h"
#include "engine/results/snapshot.h"
#include "engine/stages/edit.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/each_backend.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A mesh file of a ball with a radius of `radius` about the origin, in units of `scale` metres.
std::string ballFile(const Scratch& scratch, const char* name, double scale = 1, float radius = 1) {
    TriangleMesh ball = surfaceOf(33, 1.3f, unitSphere);
    for (Vec3f& p : ball.positions.span())
        p = p * float(radius / scale);
    writeMesh(scratch / name, ball, {}, {}, {});
    return (scratch / name).string();
}

Edits compared(const std::string& file, double scale = 1, double largest = 0) {
    return withLayerOfSelectedOrAll({}, CompareAction{file, scale, largest}, "Compare");
}

double deviation(const Snapshot& snapshot, std::size_t i) {
    return snapshot.cloud->attribute(kDeviationAttribute)->value(i);
}

} // namespace

class TestCompareLayer : public QObject {
    Q_OBJECT
private slots:
    void init() {
        if (SuiteBackend::current().backend == Backend::cuda) {
            SCANLOUPE_NEEDS_CUDA();
        }
    }

    void deviationsAreThoseOfTheReference() {
        const Scratch scratch;
        const auto cloud = bumpyCloud(20'000);
        const std::string file = ballFile(scratch, "ball.stl", 0.001);
        Run run(cloud, SuiteBackend::current().backend);
        run.recipe.edits = compared(file, 0.001);
        const Snapshot s = run(kNoPicture);
        QVERIFY(s.reference != nullptr);
        QCOMPARE(s.reference->name, std::string("ball.stl"));
        const Reference reference = makeReference(readMesh(file, {}, {}), "ball", 0.001, cloud->origin(), {});
        const HostPoints points(cloud, 1);
        const SignedDistances expected = distancesFrom(points.all({}).positions, {}, reference, {}, {});
        for (std::size_t i = 0; i < cloud->size(); ++i) {
            QCOMPARE(deviation(s, i), double(expected.values[i]));
            // the triangles of the ball deviate from it by less than this
            QVERIFY(std::abs(deviation(s, i) - (norm(cloud->position(i)) - 1)) < 0.05);
        }
        run.recipe.edits = {};
        QVERIFY(run(kNoPicture).reference == nullptr);
    }

    void scansAreReferences() {
        const Scratch scratch;
        const auto cloud = bumpyCloud(20'000);
        auto random = seededRandom("scansAreReferences");
        std::vector<Vec3f> ball;
        for (const Vec3f p : randomPoints(random, 60'000, 1))
            if (norm(p) > 0.1f)
                ball.push_back(p / norm(p));
        const std::string file = (scratch / "ball.ply").string();
        writeCloud(file,
                   PointCloud(FloatPositions{hostCopy(std::span<const Vec3f>(ball))}, {}, std::stop_token{}),
                   {}, {});
        Run run(cloud, SuiteBackend::current().backend);
        double last = 1;
        for (const LocalModel model : {LocalModel::none, LocalModel::plane, LocalModel::quadric}) {
            CompareAction action{file};
            action.model = model;
            run.recipe.edits = withLayerOfSelectedOrAll({}, action, "Compare");
            QCOMPARE(std::get<CompareAction>(recipeFromJson(toJson(run.recipe)).edits.layers[0]->action),
                     action);
            const Snapshot s = run(kNoPicture);
            QVERIFY(s.reference && s.reference->scan() && !s.reference->hasSigns());
            double error = 0;
            for (std::size_t i = 0; i < cloud->size(); ++i)
                error += std::abs(deviation(s, i) - std::abs(norm(cloud->position(i)) - 1));
            error /= double(cloud->size());
            QVERIFY2(error < last / 2, qPrintable(QStringLiteral("%1 after %2").arg(error).arg(last)));
            last = error;
        }
    }

    /// Half of a floor that faces up is turned over before the comparison.
    void normalsAreTurnedWithTheirPoints() {
        const Scratch scratch;
        std::vector<Vec3f> places;
        std::vector<Attribute> normals(3);
        for (int i = 0; i < 400; ++i)
            places.push_back({0.5f + float(i % 20) / 5, 0.5f + float(i / 20) / 5, 0});
        for (std::size_t axis = 0; axis < 3; ++axis) {
            normals[axis].name = std::array{"normal_x", "normal_y", "normal_z"}[axis];
            normals[axis].type = ScalarType::float32;
            normals[axis].allocate(places.size());
            std::fill_n(reinterpret_cast<float*>(normals[axis].dataToFill()), places.size(),
                        axis == 2 ? 1.0f : 0.0f);
        }
        const auto cloud = std::make_shared<const PointCloud>(
            FloatPositions{hostCopy(std::span<const Vec3f>(places))}, std::move(normals), std::stop_token{});
        const std::string floor = (scratch / "floor.ply").string();
        writeMesh(floor, sheet(5, 5), {}, {}, {});
        CompareAction compare{floor};
        compare.largestAngle = 60;
        MoveAction over;
        // half a turn about the x axis; the second motion reverts it
        over.motion = fromRollPitchYaw({std::numbers::pi, 0, 0}, {0, 4, 0});
        Run run(cloud, SuiteBackend::current().backend);
        Edits edits =
            withLayer(withStep({}, stepOf(SetOperation::replace, HalfSpaceRegion{{2.45, 0, 0}, {1, 0, 0}})),
                      over, "Over");
        edits.selection = {};
        run.recipe.edits = withLayerOfSelectedOrAll(std::move(edits), compare, "Compare");
        const Snapshot s = run(kNoPicture);
        for (std::size_t i = 0; i < cloud->size(); ++i)
            QCOMPARE(std::isnan(deviation(s, i)), cloud->position(i).x > 2.45);
    }

    void selectedPointsAlone() {
        const Scratch scratch;
        const auto cloud = bumpyCloud(20'000);
        const std::string ball = ballFile(scratch, "ball.ply"), large = ballFile(scratch, "large.ply", 1, 2);
        Run run(cloud, SuiteBackend::current().backend);
        const SelectionStep right = stepOf(SetOperation::replace, HalfSpaceRegion{{0, 0, 0}, {1, 0, 0}});
        run.recipe.edits = withLayer(withStep({}, right), CompareAction{ball}, "Right");
        Snapshot s = run(kNoPicture);
        for (std::size_t i = 0; i < cloud->size(); ++i)
            QCOMPARE(std::isnan(deviation(s, i)), cloud->position(i).x < 0);
        // another reference for the other half of the points
        run.recipe.edits = withLayer(
            withStep(run.recipe.edits, stepOf(SetOperation::replace, HalfSpaceRegion{{0, 0, 0}, {-1, 0, 0}})),
            CompareAction{large}, "Left");
        s = run(kNoPicture);
        for (std::size_t i = 0; i < cloud->size(); ++i)
            QVERIFY(std::abs(deviation(s, i) + (cloud->position(i).x > 0 ? 0 : 1)) < 0.4);
        QCOMPARE(s.reference->name, std::string("large.ply"));
        // a later layer selects points by their deviations
        run.recipe.edits =
            withLayer(withStep(run.recipe.edits,
                               stepOf(SetOperation::replace, AttributeRegion{kDeviationAttribute, -2, -0.5})),
                      RemoveAction{}, "Delete");
        QVERIFY(run(kNoPicture).voxels->stats.pointsInRange < cloud->size() * 6 / 10);
    }

    void farPointsHaveNone() {
        const Scratch scratch;
        const auto cloud = bumpyCloud(5000);
        Run run(cloud, SuiteBackend::current().backend);
        run.recipe.edits = compared(ballFile(scratch, "ball.ply"), 1, 0.03);
        run.set("colour_by", "deviation");
        const Snapshot s = run(kNoPicture);
        std::size_t none = 0;
        for (std::size_t i = 0; i < cloud->size(); ++i) {
            none += std::isnan(deviation(s, i));
            QVERIFY(!(std::abs(deviation(s, i)) > 0.03 + 1e-6));
        }
        QVERIFY(none > 0 && none < cloud->size());
        // a second comparison with a larger limit fills the missing deviations
        run.recipe.edits.layers.push_back(compared((scratch / "ball.ply").string()).layers.front());
        const Snapshot all = run(kNoPicture);
        for (std::size_t i = 0; i < cloud->size(); ++i)
            QVERIFY(!std::isnan(deviation(all, i)));
    }

    void coloursAreBandsOfTheTolerance() {
        const Scratch scratch;
        const auto cloud = bumpyCloud(20'000);
        Run run(cloud, SuiteBackend::current().backend);
        run.recipe.edits = compared(ballFile(scratch, "ball.ply"));
        run.set("colour_by", "deviation");
        run.set("show", "points");
        const double tolerance = 0.05;
        run.recipe.tolerance = tolerance;
        const Snapshot s = run();
        const ColourValues colours = colourPoints(s.resolved, colourSource(s), {});
        const std::vector<std::uint32_t> rgba = colours.toRgba(cloud->size());
        const auto map = toleranceMap();
        std::array<int, 5> counts{};
        for (std::size_t i = 0; i < cloud->size(); ++i) {
            const double d = deviation(s, i) / tolerance;
            if (std::abs(std::abs(d) - 1) < 1e-5 || std::abs(std::abs(d) - 0.75) < 1e-5)
                continue; // too close to the border between two bands to decide
            const int band = d < -1 ? 0 : d < -0.75 ? 1 : d < 0.75 ? 2 : d < 1 ? 3 : 4;
            const int first[] = {0, 64, 80, 176, 192};
            ++counts[std::size_t(band)];
            QCOMPARE(rgba[i], map[std::size_t(first[band])]);
        }
        for (const int count : counts)
            QVERIFY(count > 0);
        run.recipe.tolerance = 0;
        const Snapshot smooth = run();
        const ColourValues about = colourPoints(smooth.resolved, colourSource(smooth), {});
        QCOMPARE(about.low, -about.high);                         // symmetric about zero
        QVERIFY(smooth.voxels.identity() == s.voxels.identity()); // only the colours were recomputed
        QVERIFY(smooth.mesh.identity() == s.mesh.identity());
    }

    void referencesAreReadOnce() {
        const Scratch scratch;
        const auto cloud = bumpyCloud(5000);
        const std::string file = ballFile(scratch, "ball.ply");
        Run run(cloud, SuiteBackend::current().backend);
        run.recipe.edits = compared(file);
        const Snapshot first = run(kNoPicture);
        run.recipe.edits =
            withErased(run.recipe.edits, stepOf(SetOperation::add, StrokeRegion{{{1, 0, 0}}, 0.2}), "Erase");
        const Snapshot second = run(kNoPicture);
        QVERIFY(second.reference == first.reference);
        ballFile(scratch, "ball.ply", 1, 3); // replaces the file by a larger ball
        std::filesystem::last_write_time(file,
                                         std::filesystem::last_write_time(file) + std::chrono::hours(1));
        run.recipe.edits.layers.erase(run.recipe.edits.layers.begin());
        run.recipe.edits.layers.push_back(compared(file).layers.front());
        const Snapshot third = run(kNoPicture);
        QVERIFY(third.reference != first.reference);
        QVERIFY(std::abs(third.reference->bounds.max.x - 3) < 0.1);
    }

    void figuresFollowAToleranceThatMoves() {
        const Scratch scratch;
        Run run(bumpyCloud(20'000), SuiteBackend::current().backend);
        Inspector inspector; // caches all results that do not depend on the tolerance
        for (const char* file : {"ball.ply", "larger.ply"}) {
            run.recipe.edits = compared(ballFile(scratch, file, 1, file[0] == 'b' ? 1 : 1.1f));
            for (const double tolerance : {0.0, 0.02, 0.005, 0.05}) {
                run.recipe.tolerance = tolerance;
                const Snapshot results = run(kNoPicture);
                const std::optional<Inspection> all = inspector.inspect(results, {});
                const std::optional<Inspection> expected = inspect(results, {});
                QVERIFY(all && expected);
                const DeviationFigures &a = all->figures, &b = expected->figures;
                QCOMPARE(all->tolerance, tolerance);
                QVERIFY(all->reference == results.reference && all->without == expected->without);
                QVERIFY(a.points == b.points && a.mean == b.mean && a.median == b.median &&
                        a.gauss == b.gauss && a.largest == b.largest);
                QVERIFY(a.within == b.within && a.above == b.above && a.below == b.below &&
                        a.within + a.above + a.below == a.points);
                QCOMPARE(a.regions, b.regions);
                QCOMPARE(a.worst.size(), b.worst.size());
                for (std::size_t i = 0; i < a.worst.size(); ++i)
                    QVERIFY(a.worst[i].points == b.worst[i].points && a.worst[i].at == b.worst[i].at &&
                            a.worst[i].facing == b.worst[i].facing);
                QVERIFY(*all->histogram == *expected->histogram);
                QCOMPARE(all->deviationLines.size(), expected->deviationLines.size());
                QVERIFY(tolerance > 0 || a.regions == 0);
            }
        }
    }

    void removedPointsDontCount() {
        const Scratch scratch;
        const auto cloud = bumpyCloud(20'000);
        Run run(cloud, SuiteBackend::current().backend);
        run.recipe.edits = compared(ballFile(scratch, "ball.ply"));
        run.recipe.tolerance = 0.02;
        const std::optional<Inspection> all = inspect(run(kNoPicture), {});
        QVERIFY(all && all->figures.above > 0);
        const SelectionStep above =
            stepOf(SetOperation::replace, AttributeRegion{kDeviationAttribute, 0.02, 9});
        run.recipe.edits = withLayer(withStep(run.recipe.edits, above), RemoveAction{}, "Delete");
        const std::optional<Inspection> rest = inspect(run(kNoPicture), {});
        QVERIFY(rest.has_value());
        QVERIFY(rest->figures.above <= 2 &&
                // up to two points remain above, because the limit of the selection is rounded
                rest->figures.points < all->figures.points);
        QCOMPARE(rest->figures.points + rest->without, std::uint64_t(cloud->size()));
        for (const DeviationRegion& region : rest->figures.worst)
            QVERIFY(norm(region.at) < 2);
        // a layer before the comparison removes most points; averages use only the remaining ones
        run.recipe.edits =
            withLayer(withStep({}, stepOf(SetOperation::replace, HalfSpaceRegion{{0.6, 0, 0}, {1, 0, 0}})),
                      KeepAction{}, "Keep");
        run.recipe.edits.layers.push_back(compared((scratch / "ball.ply").string()).layers.front());
        const std::optional<Inspection> own = inspect(run(kNoPicture), {});
        run.recipe.edits = withChangedLayer(run.recipe.edits, 1, [](EditLayer& layer) {
            std::get<CompareAction>(layer.action).average = 0.5;
        });
        const std::optional<Inspection> averaged = inspect(run(kNoPicture), {});
        QVERIFY(own->figures.points > 100 && own->figures.points < cloud->size() / 2);
        QCOMPARE(averaged->figures.points, own->figures.points);
        QVERIFY(averaged->figures.standardDeviation < 0.8 * own->figures.standardDeviation);
    }

    void hiddenComparisonsLeaveTheScanItsColours() {
        const Scratch scratch;
        Run run(bumpyCloud(5000), SuiteBackend::current().backend);
        run.recipe.edits = compared(ballFile(scratch, "ball.ply"));
        run.set("colour_by", "deviation");
        QCOMPARE(run(kNoPicture).resolved->colourBy, std::string("deviation"));
        run.recipe.edits =
            withChangedLayer(run.recipe.edits, 0, [](EditLayer& layer) { layer.isHidden = true; });
        const Snapshot hidden = run();
        QCOMPARE(hidden.resolved->colourBy, std::string("height"));
        QVERIFY(std::ranges::any_of(hidden.notes, [](const RunNote& note) {
            return note.text.find("not compared with a model") != std::string::npos;
        }));
    }

    void whatIsWrongIsSaid() {
        const Scratch scratch;
        const auto cloud = bumpyCloud(5000);
        Run run(cloud, SuiteBackend::current().backend);
        // a missing model, for example after moving a project, leaves the scan unchanged
        run.recipe.edits = compared((scratch / "none.stl").string());
        run.set("colour_by", "deviation");
        const Snapshot without = run();
        QVERIFY(without.reference == nullptr);
        QVERIFY(std::ranges::any_of(without.notes, [](const RunNote& note) {
            return note.stage == "edit" && note.isWarning && note.text.find("none.stl") != std::string::npos;
        }));
        run.recipe.edits = compared(scratch.file("faces.obj", "v 0 0 0\nv 1 0 0\nf 1 2 9\n").string());
        QVERIFY_EXCEPTION_THROWN(run(kNoPicture), EngineError);
        run.recipe.edits =
            compared(ballFile(scratch, "mm.stl", 0.001)); // a model in millimetres whose unit is not declared
        bool isSaid = false;
        for (const RunNote& note : run(kNoPicture).notes)
            isSaid = isSaid || note.text.find("millimetres") != std::string::npos;
        QVERIFY(isSaid);
    }

    void layersAreKeptInRecipes() {
        Recipe recipe;
        recipe.edits = compared("/some where/part.stl", 0.0254, 0.5);
        recipe.tolerance = 0.002;
        const Recipe read = recipeFromJson(toJson(recipe));
        QVERIFY(read == recipe);
        const QString wrong = QString::fromStdString(toJson(recipe)).replace("0.0254", "-1");
        QVERIFY_EXCEPTION_THROWN(recipeFromJson(wrong.toStdString()), EngineError);
    }
};

SCANLOUPE_TEST_BY(TestCompareLayer, [](int argc, char** argv) {
    return runOnEachBackend<SuiteBackend, TestCompareLayer>(argc, argv);
})
#include "test_compare_layer.moc"
