// Random sequences of edits, as a user makes them. Applying only the added edits gives the same bytes as one
// run of all edits, on both backends. Undoing them restores the first results.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/edit/edit_list.h"
#include "engine/io/common/read_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/same_results.h"
#include "engine/results/snapshot.h"
#include "tests/support/each_backend.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A grid to paint in.
std::shared_ptr<const Volume> emptyGrid() {
    Volume grid;
    grid.lattice = {{}, {0.1f, 0.1f, 0.1f}, {90, 80, 70}};
    return std::make_shared<const Volume>(std::move(grid));
}

SelectionStep sphere(Vec3d at, double radius) {
    return stepOf(SetOperation::add, StrokeRegion{{at}, radius});
}

Camera lookingDown(const PointCloud& cloud) {
    Camera camera;
    const Vec3d middle = 0.5 * (cloud.bounds().min + cloud.bounds().max);
    camera.target = middle;
    camera.eye = middle + Vec3d{0, 0, 60};
    camera.up = {0, 1, 0};
    return camera;
}

/// A brush stroke at the surface, added in parts as while drawing; the parts are then joined.
Edits withSomeStroke(Edits edits, Vec3d from, Vec3d to, std::mt19937_64& random) {
    std::uniform_real_distribution<double> share(0, 1);
    SculptAction action;
    action.tool = SculptTool(random() % kSculptTools);
    action.strength = share(random);
    action.falloff = share(random);
    action.slope = -1;
    if (action.tool == SculptTool::flatten) {
        action.planeAt = from;
        action.planeNormal = {share(random) - 0.5, share(random) - 0.5, 1};
    }
    if (action.tool == SculptTool::clone)
        action.cloneFrom = to - from;
    if (random() % 4 == 0)
        action.mirror = MirrorPlane{from + Vec3d{share(random), 0, 0}, {1, share(random) - 0.5, 0}};
    StrokeRegion stroke{{from}, 0.2 + 0.8 * share(random)};
    const Vec3d way = normalized(to - from + Vec3d{1e-9, 0, 0}) * (stroke.radius * share(random));
    for (int place = 1; place < int(random() % 5); ++place)
        stroke.path.push_back(from + way * place);
    if (random() % 2)
        for (std::size_t i = 0; i < stroke.path.size(); ++i)
            stroke.pressures.push_back(share(random));
    return withSculpted(std::move(edits), stepOf(SetOperation::add, stroke), action, "Brush");
}

/// A random edit, as a user would make it.
Edits someEdit(const Edits& edits, const PointCloud& cloud, std::mt19937_64& random) {
    const auto place = [&] {
        Vec3d p;
        do
            p = cloud.position(random() % cloud.size());
        while (!isFinite(p));
        return p;
    };
    std::uniform_real_distribution<double> share(0, 1);
    const auto operation = SetOperation(random() % 4);
    const double radius = 0.3 + 2 * share(random);
    switch (random() % 28) {
    case 0:
    case 1:
    case 2:
        return withErased(edits, sphere(place(), radius), "Erase");
    case 3: {
        OutlineRegion outline;
        outline.camera = lookingDown(cloud);
        outline.width = 300, outline.height = 200;
        const double x = 250 * share(random), y = 150 * share(random);
        outline.corners = {{x, y}, {x + 40, y}, {x + 50, y + 60}, {x, y + 30}};
        outline.visibleOnly = random() % 2;
        outline.spacing = outline.visibleOnly ? 0.2 : 0;
        return withStep(edits, stepOf(operation, outline));
    }
    case 4:
        return withStep(edits, stepOf(operation, StrokeRegion{{place(), place()}, radius}));
    case 5:
        return withStep(edits, stepOf(operation, HalfSpaceRegion{place(), {share(random), 1, 0}}));
    case 6:
        return withStep(edits, stepOf(operation, ConnectedRegion{place(), 0.4}));
    case 7:
        return withStep(edits, stepOf(SetOperation::replace, GrowRegion{0.5, random() % 2 ? 1 : -1}));
    case 8:
        return withStep(edits, stepOf(SetOperation::replace, InvertRegion{}));
    case 9:
        return withStep(edits, stepOf(operation, AttributeRegion{"intensity", 0.2, 0.2 + share(random)}));
    case 10:
        return withStep(edits, stepOf(operation, ClassRegion{kClassAttribute, {std::int64_t(random() % 4)}}));
    case 11: {
        MoveAction move;
        move.motion = fromRollPitchYaw({0, 0, share(random)}, {share(random), 0, 0});
        return withLayer(edits, move, "Move");
    }
    case 12:
    case 13:
        return withLayer(edits, SetClassAction{std::int64_t(random() % 4)}, "Class");
    case 15:
        return withStep(edits,
                        stepOf(operation, FormulaRegion{"height < 3 && intensity > ring / 100", {0, 0, 1}}));
    case 16:
        return withLayer(edits, ComputeAction{"shade", "intensity * 2 - height / 10", {0, 0, 1}}, "Compute");
    case 14:
        if (!edits.layers.empty())
            return withChangedLayer(edits, random() % edits.layers.size(),
                                    [](EditLayer& layer) { layer.isHidden = !layer.isHidden; });
        return edits;
    case 18:
        return withLayer(edits, SetColourAction{{std::uint8_t(random() % 256), 7, 9}}, "Colour");
    case 17:
        return withLayer(withStep({edits.layers, {}, {}}, sphere(place(), radius)), RemoveAction{}, "Delete");
    default:
        return withSomeStroke(edits, place(), place(), random);
    }
}

bool sameBytes(const ScalarField& a, const ScalarField& b) {
    const auto same = [](const auto& x, const auto& y) {
        return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.bytes()) == 0);
    };
    return same(a.brickKeys, b.brickKeys) && same(a.values, b.values) && same(a.cellMask, b.cellMask) &&
           a.minValue == b.minValue && a.maxValue == b.maxValue;
}

/// Number of edits for each scan: $SCANLOUPE_EDITS if set. Ten thousand edits take a while.
int editsOfEach() {
    const int wanted = qEnvironmentVariableIntValue("SCANLOUPE_EDITS");
    return wanted > 0 ? wanted : 160;
}

} // namespace

/// Changes a parameter between two edits: incremental updates must take it into account.
void changeLook(Recipe& recipe, std::mt19937_64& random) {
    switch (random() % 6) {
    case 0:
        recipe.iso = recipe.iso ? std::nullopt : std::optional(0.02);
        break;
    case 1:
        recipe.backFaces = !recipe.backFaces;
        break;
    case 2:
        recipe.colourBy = recipe.colourBy == "height" ? "auto" : "height";
        break;
    case 3:
        recipe.light = !recipe.light;
        break;
    case 4:
        recipe.minComponentTriangles = recipe.minComponentTriangles > 0 ? 0 : 30;
        break;
    default:
        recipe.show = recipe.show == PictureContent::mesh ? PictureContent::voxels : PictureContent::mesh;
        break;
    }
}

class TestRandomEdits : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (SuiteBackend::current().backend == Backend::cuda) {
            SCANLOUPE_NEEDS_CUDA();
        }
    }
    void init() { initTestCase(); }

    void editsGoOn_data() {
        QTest::addColumn<QString>("scan");
        QTest::addColumn<QString>("voxelSize");
        QTest::newRow("street") << QString() << "0.4";
        QTest::newRow("room") << QString("ndt/room_scan1.pcd") << "0.3";
        QTest::newRow("trees") << QString("las/laspy_vegetation_1_3.las") << "0.5";
    }
    void editsGoOn() {
        QFETCH(QString, scan);
        QFETCH(QString, voxelSize);
        auto random = seededRandom("editsGoOn");
        std::shared_ptr<const PointCloud> cloud = classedStreet(12'000);
        if (!scan.isEmpty()) {
            SCANLOUPE_REAL_SCAN(path, scan.toStdString().c_str());
            cloud = readScan(path, {}, {});
        }
        goOn(cloud, qPrintable(voxelSize),
             [&](const Edits& edits) { return someEdit(edits, *cloud, random); });
    }

    void paintingGoesOn() {
        auto random = seededRandom("paintingGoesOn");
        const auto grid = emptyGrid();
        const auto place = [&] {
            std::uniform_real_distribution<double> share(0.1, 0.9);
            return Vec3d{9, 8, 7} * Vec3d{share(random), share(random), share(random)};
        };
        goOn(grid, nullptr, [&](const Edits& edits) {
            const Vec3d at = place();
            Edits more = withSomeStroke(edits, at, at + place() * 0.2, random);
            auto layer = std::make_shared<EditLayer>(*more.layers.back());
            std::get<SculptAction>(layer->action).slope = 1; // values above the iso-value are inside
            more.layers.back() = layer;
            return more;
        });
    }

    /// With another iso-value, no part of the previous surface is reused, even if a stroke has changed few
    /// bricks.
    void isoValuesChangeWithStrokes() {
        auto random = seededRandom("isoValuesChangeWithStrokes");
        const auto cloud = classedStreet(12'000);
        SculptAction raise;
        raise.tool = SculptTool::raise;
        raise.strength = 0.5;
        raise.slope = -1;
        for (int round = 0; round < 4; ++round) {
            Run live(cloud, SuiteBackend::current().backend);
            live.set("voxel_size", "0.4");
            live.set("field", "distance");
            for (const double iso : {0.0, 0.06, 0.0, -0.05, -0.05, 0.02}) {
                const Vec3d at = cloud->position(random() % cloud->size());
                live.recipe.edits = withSculpted(live.recipe.edits, sphere(at, 0.6), raise, "Brush");
                live.recipe.iso = iso;
                const Snapshot now = live(kNoPicture);
                Run anew(cloud, SuiteBackend::current().backend, live.recipe);
                const Snapshot whole = anew(kNoPicture);
                QVERIFY(whole.mesh->triangleCount() > 100);
                QVERIFY2(compareResults(whole, now, {}).sameMesh, qPrintable(QString::number(iso)));
            }
        }
    }

private:
    template <class Input, class Next>
    void goOn(const std::shared_ptr<const Input>& input, const char* voxelSize, Next&& next) {
        const auto begin = [&](Backend backend) {
            auto run = std::make_unique<Run>(input, backend);
            if (voxelSize) {
                run->set("voxel_size", voxelSize);
                run->set("field", "distance");
            }
            return run;
        };
        const auto live = begin(SuiteBackend::current().backend);
        const Snapshot first = (*live)();
        live->recipe.camera = first.picture->camera; // pictures reuse the previous picture
        const Recipe begun = live->recipe;
        auto looks = seededRandom("looks");
        std::vector<Edits> history{{}};
        const int all = editsOfEach(), each = all > 1000 ? 100 : 20;
        int compared = 0, refused = 0;
        for (int step = 1; step <= all; ++step) {
            history.push_back(next(history.back()));
            live->recipe.edits = history.back();
            if (step % 7 == 3)
                changeLook(live->recipe, looks);
            try {
                RunOptions options;
                options.preview = step % 5 == 0;
                Snapshot now = (*live)(options);
                if (step % each != 0)
                    continue;
                now = (*live)();
                for (const Backend backend : {Backend::cpu, SuiteBackend::current().backend}) {
                    const auto anew = begin(backend);
                    anew->recipe = live->recipe;
                    const Snapshot whole = (*anew)();
                    const ResultDifference difference = compareResults(whole, now, {});
                    QVERIFY(difference.sameVoxels);
                    QVERIFY(sameBytes(whole.field.host(), now.field.host()));
                    QVERIFY(difference.isIdentical());
                    QVERIFY(std::ranges::equal(whole.picture->visibility.host().pixels.span(),
                                               now.picture->visibility.host().pixels.span()));
                    QCOMPARE(now.picture->stats.drawnPixels, whole.picture->stats.drawnPixels);
                }
                ++compared;
            } catch (const EngineError&) { // no points are left, they were moved too far, or an attribute is
                                           // missing
                history.pop_back();
                ++refused;
            }
        }
        std::printf("%d edits, %d times compared, %d refused\n", all, compared, refused);
        QVERIFY(compared >= 4);
        live->recipe = begun;
        QVERIFY(compareResults(first, (*live)(), {}).isIdentical());
        // edits from a recipe file
        live->recipe.edits = history.back();
        const Recipe read = recipeFromJson(toJson(live->recipe));
        QVERIFY(read.edits == live->recipe.edits);
    }
};

SCANLOUPE_TEST_BY(TestRandomEdits, [](int argc, char** argv) {
    return runOnEachBackend<SuiteBackend, TestRandomEdits>(argc, argv);
})
#include "test_random_edits.moc"
