// Parameter sweeps: the grid of recipes, the results of its runs, and the command line's sweep.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/results/snapshot.h"
#include "engine/run/sweep/parameter_sweep.h"

#include "engine/edit/edit_list.h"
#include "engine/recipe/recipe_file.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/support/pipeline_run.h"

#include <QTemporaryDir>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

SweepGrid sizesAndIsos() {
    SweepGrid grid;
    grid.base->imageWidth = 64;
    grid.base->imageHeight = 48;
    grid.base->field = FieldKind::occupancy;
    grid.columns = {&parameter("iso"), {0.3, 0.6}};
    grid.rows = {&parameter("voxel_size"), {0.1, 0.2, 0.4}};
    return grid;
}

} // namespace

class TestParameterSweep : public QObject {
    Q_OBJECT
private slots:
    void valuesAreSpacedAndRounded() {
        QCOMPARE(sweepValues(parameter("voxel_size"), 0.05, 0.4, 4),
                 (std::vector<double>{0.05, 0.1, 0.2, 0.4}));
        QCOMPARE(sweepValues(parameter("iso"), -0.1, 0.1, 3), (std::vector<double>{-0.1, 0, 0.1}));
        QCOMPARE(sweepValues(parameter("field"), 0, 2, 6), (std::vector<double>{0, 1, 2}));
        QCOMPARE(sweepValues(parameter("point_size"), 0, 1000, 2),
                 (std::vector<double>{1, 64})); // the limits of the parameter
        QCOMPARE(sweepValues(parameter("iso"), 1. / 3, 1, 1), std::vector<double>{0.333});
        QCOMPARE(sweepValueText(parameter("field"), 2), std::string("distance"));
        QVERIFY(canBeSwept(parameter("voxel_size"), false) && !canBeSwept(parameter("voxel_size"), true));
        QVERIFY(!canBeSwept(parameter("range"), false) && !canBeSwept(parameter("colour_by"), false));
        QVERIFY(!canBeSwept(parameter("quality"), false) && !canBeSwept(parameter("image_width"), false));
        QVERIFY(canBeSwept(parameter("iso"), true));
        QVERIFY(canBeSwept(parameter("inside"), true) && !canBeSwept(parameter("inside"), false));
    }

    void everyRecipeIsRunOnce() {
        const auto cloud = bumpyCloud(20'000);
        Pipeline pipeline(chooseBackend(Backend::cpu));
        pipeline.setInput(cloud, 0);
        const SweepGrid grid = sizesAndIsos();
        std::vector<SweepCell> cells;
        runSweep(pipeline, grid, [&](SweepCell cell) { cells.push_back(std::move(cell)); }, {});
        QCOMPARE(cells.size(), std::size_t(6));
        QCOMPARE(cells[1].row, std::size_t(0)); // the voxel size varies slowest: its results are reused
        QCOMPARE(cells[1].column, std::size_t(1));
        std::optional<Camera> camera;
        for (const SweepCell& cell : cells) {
            QVERIFY2(cell.problem.empty(), cell.problem.c_str());
            QVERIFY(cell.ms > 0 && cell.meanDistance && *cell.meanDistance < 1);
            Run alone(cloud);
            alone.recipe = grid.recipeAt(cell.column, cell.row);
            alone.recipe.camera = camera;
            const Snapshot run = alone();
            camera = run.picture->camera; // the first run's camera, as in the sweep
            QCOMPARE(cell.voxels, std::uint64_t(run.voxels->size()));
            QCOMPARE(cell.triangles, std::uint64_t(run.mesh->triangleCount()));
            const auto pixels = cell.image.pixels.span(), expected = run.picture->image.host().pixels.span();
            QVERIFY(std::ranges::equal(pixels, expected));
        }
        const std::string csv = toCsv(grid, cells, LengthUnit::metre);
        QCOMPARE(std::ranges::count(csv, '\n'), 7);
        QVERIFY(csv.starts_with("iso,voxel_size,ms,voxels,triangles,mean_distance_m,problem\n0.3,0.1,"));
        ContactSheet contacts(grid);
        for (const SweepCell& cell : cells)
            contacts.add(cell);
        const Image& sheet = contacts.image();
        QCOMPARE(sheet.width, 2 * 64 + 2);
        QCOMPARE(sheet.height, 3 * 48 + 2 * 2);
        QCOMPARE(sheet.pixels[66], cells[1].image.pixels[0]); // the first pixel of the second column
    }

    void allPicturesHaveOneCamera() {
        Pipeline pipeline(chooseBackend(Backend::cpu));
        pipeline.setInput(bumpyCloud(5'000), 0);
        SweepGrid grid = sizesAndIsos();
        grid.base->colourBy = "none";
        grid.columns.values = {0.5};
        grid.rows = {&parameter("up"), {0, 4}}; // the up axes x and z, for which automatic views would differ
        std::vector<SweepCell> cells;
        runSweep(pipeline, grid, [&](SweepCell cell) { cells.push_back(std::move(cell)); }, {});
        QVERIFY(cells[0].problem.empty() && cells[1].problem.empty());
        QVERIFY(std::ranges::equal(cells[0].image.pixels.span(), cells[1].image.pixels.span()));
    }

    void aRecipeThatFailsIsACell() {
        Pipeline pipeline(chooseBackend(Backend::cpu));
        pipeline.setInput(bumpyCloud(5'000), 0);
        SweepGrid grid = sizesAndIsos();
        grid.rows.values = {0.2, 1000}; // all points in one voxel
        std::vector<SweepCell> cells;
        runSweep(pipeline, grid, [&](SweepCell cell) { cells.push_back(std::move(cell)); }, {});
        QCOMPARE(cells.size(), std::size_t(4));
        QVERIFY(cells[0].problem.empty());
        QVERIFY(cells[2].problem.find("one voxel") != std::string::npos);
        QVERIFY(!cells[2].nextStep.empty());
        QVERIFY(toCsv(grid, cells, LengthUnit::metre).find("one voxel") != std::string::npos);
    }

    void timesAreWholeAfterAFailure() {
        const auto cloud = bumpyCloud(1'000'000);
        SweepGrid grid = sizesAndIsos();
        grid.base->quality = QualityChoice::off;
        grid.base->iso = 0.5;
        // no field reaches as far as the first radius: its voxels, which take most of the time, are cached
        grid.columns = {&parameter("radius"), {100, 0.1}};
        grid.rows = {&parameter("voxel_size"), {0.1, 0.09}};
        double fastest = 1e9; // shortest time of the voxels alone
        for (int i = 0; i < 5; ++i) {
            Run alone(cloud);
            alone.recipe = grid.recipeAt(1, 0);
            for (const StageTiming& timing : alone().timings.stages)
                if (timing.stage == "voxelize")
                    fastest = std::min(fastest, timing.wallMs);
        }
        Pipeline pipeline(chooseBackend(Backend::cpu));
        pipeline.setInput(cloud, 0);
        std::vector<SweepCell> cells;
        runSweep(pipeline, grid, [&](SweepCell cell) { cells.push_back(std::move(cell)); }, {});
        QCOMPARE(cells.size(), std::size_t(4));
        for (const SweepCell& cell : cells) {
            QCOMPARE(cell.problem.empty(), cell.column == 1);
            std::printf("column %zu: %.1f ms, voxels alone %.1f ms\n", cell.column, cell.ms, fastest);
            // slack, since other tests run at the same time
            QVERIFY(cell.column == 0 || cell.ms > 0.5 * fastest);
        }
    }

    void eachFieldHasItsOwnIsoValue() {
        Pipeline pipeline(chooseBackend(Backend::cpu));
        const auto cloud = bumpyCloud(20'000);
        pipeline.setInput(cloud, 0);
        SweepGrid grid = sizesAndIsos();
        grid.base->iso = 0.3; // in metres of a distance, far from the surface; as a density, near zero
        grid.columns = {&parameter("field"), {0, 1, 2}};
        grid.rows = {&parameter("voxel_size"), {0.1}};
        std::vector<SweepCell> cells;
        runSweep(pipeline, grid, [&](SweepCell cell) { cells.push_back(std::move(cell)); }, {});
        QCOMPARE(cells.size(), std::size_t(3));
        for (const SweepCell& cell : cells) {
            Run alone(cloud);
            alone.recipe = grid.base;
            alone.recipe.iso.reset();
            alone.recipe.voxelSize = Vec3d{0.1, 0.1, 0.1};
            alone.recipe.field = FieldKind(cell.column);
            QCOMPARE(cell.triangles, std::uint64_t(alone().mesh->triangleCount()));
        }
        grid.rows = {&parameter("iso"), {0.4}}; // the axis overrides the base
        QCOMPARE(grid.recipeAt(2, 0).iso, std::optional(0.4));
    }

    void badGridsAreRefusedAndSweepsCancelled() {
        Pipeline pipeline(chooseBackend(Backend::cpu));
        pipeline.setInput(bumpyCloud(5'000), 0);
        SweepGrid grid = sizesAndIsos();
        const auto none = [](SweepCell) {};
        std::stop_source stop;
        int cells = 0;
        QVERIFY_EXCEPTION_THROWN(runSweep(
                                     pipeline, grid,
                                     [&](SweepCell) {
                                         if (++cells == 2)
                                             stop.request_stop();
                                     },
                                     stop.get_token()),
                                 Cancelled);
        QCOMPARE(cells, 2);
        grid.columns = grid.rows;
        QVERIFY_EXCEPTION_THROWN(runSweep(pipeline, grid, none, {}), EngineError);
        grid = sizesAndIsos();
        grid.rows.values.clear();
        QVERIFY_EXCEPTION_THROWN(runSweep(pipeline, grid, none, {}), EngineError);
    }

    void theCommandLineSweeps() {
        QTemporaryDir folder;
        const auto path = [&](const char* name) {
            return folder.filePath(QString::fromLatin1(name)).toStdString();
        };
        QCOMPARE(cli({"synth", path("b.ply"), "--scene", "bumpy", "--points", "5000"}).code, 0);
        const auto run = cli({"sweep", path("b.ply"), "--across", "voxel_size=0.1:0.4:3", "--down",
                              "field=occupancy,distance", "--size", "64x48", "--sheet", path("s.png"),
                              "--csv", path("s.csv"), "--backend", "cpu"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const std::string csv = readFile(path("s.csv"));
        QCOMPARE(std::ranges::count(csv, '\n'), 7);
        QVERIFY(csv.find("\n0.2,distance,") != std::string::npos);
        QVERIFY(readFile(path("s.png")).size() > 1000);
        QVERIFY(run.err.find("--iso") == std::string::npos);
        const auto passedOver = cli({"sweep", path("b.ply"), "--across", "voxel_size=0.2", "--down",
                                     "field=occupancy,distance", "--iso", "0.3", "--backend", "cpu"});
        QVERIFY2(passedOver.code == 0 && passedOver.err.find("--iso 0.3 is ignored") != std::string::npos,
                 passedOver.err.c_str());
        for (const char* axis :
             {"iso", "iso=a", "range=1:2:3", "iso=1:2", "nothing=1:2:3", "voxel_size=-1,1"}) {
            const auto bad = cli({"sweep", path("b.ply"), "--across", axis, "--down", "field=occupancy"});
            QVERIFY2(bad.code != 0 && !bad.err.empty(), axis);
        }
    }

    /// Failures and damage lead to exit code 2, also with --quiet; the other outputs are written.
    void theCommandLineReportsFailuresAndDamage() {
        QTemporaryDir folder;
        const auto path = [&](const char* name) {
            return folder.filePath(QString::fromLatin1(name)).toStdString();
        };
        QCOMPARE(cli({"synth", path("b.ply"), "--scene", "bumpy", "--points", "5000"}).code, 0);
        const auto sweep = [&](const std::string& sizes, const std::vector<std::string>& more) {
            std::filesystem::remove(path("s.csv"));
            std::vector<std::string> arguments{"sweep",   path("b.ply"), "--across",  "voxel_size=" + sizes,
                                               "--down",  "iso=0.3,0.6", "--csv",     path("s.csv"),
                                               "--field", "occupancy",   "--backend", "cpu",
                                               "--quiet"};
            arguments.insert(arguments.end(), more.begin(), more.end());
            return cli(arguments);
        };
        const auto failed = sweep("0.2,1000", {}); // all points in one voxel
        QCOMPARE(failed.code, int(exitUserError));
        QVERIFY2(
            failed.err.find("2 of 4 recipes failed. The first failure, at voxel_size 1000 and iso 0.3: ") !=
                std::string::npos,
            failed.err.c_str());
        QVERIFY(readFile(path("s.csv")).find("\n0.2,0.6,") != std::string::npos);

        QCOMPARE(cli({"run", path("b.ply"), "--voxel-size", "0.2", "--mesh", path("m.ply")}).code, 0);
        const std::string model = readFile(path("m.ply"));
        writeFile(path("half.ply"), model.substr(0, model.size() - 100));
        Recipe recipe;
        recipe.edits = withLayerOfSelectedOrAll({}, CompareAction{path("half.ply")}, "Compare");
        writeRecipe(path("r.json"), recipe);
        const auto damaged = sweep("0.2,0.4", {"--recipe", path("r.json")});
        QCOMPARE(damaged.code, int(exitUserError));
        QVERIFY2(damaged.err.find("half.ply: Incomplete: ") != std::string::npos, damaged.err.c_str());
        QVERIFY(std::filesystem::exists(path("s.csv")));
        QCOMPARE(sweep("0.2,0.4", {"--recipe", path("r.json"), "--strict"}).code, int(exitUserError));
        QVERIFY(!std::filesystem::exists(path("s.csv")));
    }
};

SCANLOUPE_TEST(TestParameterSweep)
#include "test_parameter_sweep.moc"
