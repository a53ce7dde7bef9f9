// Edits as values: lists, JSON, and the steps that remain to be computed after an extension.
#include "engine/cloud/error.h"
#include "engine/edit/edit_list.h"
#include "engine/edit/edits_json.h"
#include "engine/edit/moved_positions.h"
#include "engine/edit/pending_edits.h"
#include "engine/edit/sculpt_dabs.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <nlohmann/json.hpp>

using namespace scanloupe;
using namespace scanloupe::test;
using Json = nlohmann::ordered_json;

namespace {

OutlineRegion someOutline() {
    OutlineRegion region;
    region.camera.eye = {1.25, -7, 3};
    region.width = 640;
    region.height = 480;
    region.corners = {{10, 20}, {300.5, 20}, {200, 400}};
    region.visibleOnly = true;
    region.spacing = 0.1;
    return region;
}

StrokeRegion stroke(std::vector<Vec3d> path, double radius = 0.5) {
    return {std::move(path), radius};
}
SelectionStep added(SelectionRegion region) {
    return stepOf(SetOperation::add, std::move(region));
}

/// Edits with a region and an action of each kind.
Edits manyEdits() {
    Edits edits;
    edits = withStep(edits, stepOf(SetOperation::replace, someOutline()));
    edits = withStep(edits, added(stroke({{0, 0, 0}, {1, 2, 3}})));
    edits = withStep(edits, stepOf(SetOperation::subtract, HalfSpaceRegion{{0, 0, 1}, {0, 0, 2}}));
    edits = withStep(edits, stepOf(SetOperation::intersect, SlabRegion{{0, 0, 1}, {0, 1, 0}, 0.5}));
    edits = withStep(edits, stepOf(SetOperation::replace, GrowRegion{0.2, -3}));
    edits = withLayer(edits, SetClassAction{6}, "Class 6");
    edits = withNamed(edits, "Roof \"A\"");
    edits = withStep(edits, stepOf(SetOperation::replace, ClassRegion{"classification", {2, 64}}));
    edits = withStep(edits, added(ColourRegion{{255, 128, 0}, 20}));
    edits = withStep(edits, added(AttributeRegion{"scan angle", -3.5, 12}));
    edits = withStep(edits, added(FormulaRegion{"height > 2 && intensity < 0.1", {0, 1, 0}}));
    edits = withLayer(edits, ComputeAction{"ndvi", "(nir - red) / (nir + red)", {0, 0, 1}}, "ndvi");
    edits = withLayer(edits, RemoveAction{}, "Delete");
    edits = withStep(edits, stepOf(SetOperation::replace, ConnectedRegion{{3, 2, 1}, 0.15}));
    edits = withStep(edits, stepOf(SetOperation::replace, InvertRegion{}));
    edits = withLayer(edits, KeepAction{}, "Keep");
    edits = withStep(edits, stepOf(SetOperation::replace, InvertRegion{}));
    MoveAction move;
    move.motion = fromRollPitchYaw({0, 0, 0.5}, {1, 2, 3});
    edits = withLayer(edits, move, "Move");
    edits = withErased(edits, added(stroke({{5, 5, 5}})), "Erase");
    edits = withChangedLayer(edits, 1, [](EditLayer& layer) { layer.isHidden = true; });
    edits = withStep(edits, stepOf(SetOperation::replace, someOutline()));
    return edits;
}

} // namespace

class TestEdits : public QObject {
    Q_OBJECT
private slots:
    /// In map coordinates, dabs are the same as near the origin.
    void dabsAreInTheFieldsFrame() {
        const LatticeShape lattice{{}, {0.5f, 0.5f, 0.5f}, {64, 64, 64}};
        const auto dabsAt = [&](Vec3d origin) {
            SculptAction action;
            action.tool = SculptTool::flatten;
            action.planeAt = origin + Vec3d{1, 2, 3};
            action.planeNormal = {0, 0, 1};
            action.mirror = MirrorPlane{origin + Vec3d{4, 0, 0}, {1, 0, 0}};
            const Edits edits = withSculpted(
                {}, added(stroke({origin + Vec3d{1, 1, 1}, origin + Vec3d{2, 1, 1}})), action, "Brush");
            return sculptDabs(edits.layers, origin, lattice, {});
        };
        const auto near = dabsAt({}), far = dabsAt({512'000.5, 5'403'000.25, 300});
        // includes dabs on the mirrored side
        QVERIFY(std::ranges::any_of(near, [](const SculptDab& dab) { return dab.from.x > 5; }));
        QCOMPARE(far.size(), near.size());
        for (std::size_t i = 0; i < near.size(); ++i)
            for (const auto place : {&SculptDab::from, &SculptDab::to, &SculptDab::planeAt})
                QVERIFY(norm(far[i].*place - near[i].*place) < 1e-4f);
    }

    /// On both sides of an oblique mirror, the shifts of a smear add up to the length of the stroke.
    void smearsAddUpToTheirWay() {
        const LatticeShape lattice{{}, {0.5f, 0.5f, 0.5f}, {64, 64, 64}};
        SculptAction action;
        action.tool = SculptTool::smear;
        action.mirror = MirrorPlane{{30, 0, 0}, {std::cos(0.4), std::sin(0.4), 0}};
        const Vec3d from{2, 3, 4}, to{8, 4, 4.5};
        const Edits edits = withSculpted({}, added(stroke({from, to})), action, "Smear");
        Vec3d own, mirrored;
        for (const SculptDab& dab : sculptDabs(edits.layers, {}, lattice, {})) {
            const Vec3d moved = dab.shift.as<double>() * -0.5;
            const double ownOff = norm(dab.from.as<double>() - from), across = norm(to - from);
            (ownOff <= across + 0.1 ? own : mirrored) += moved;
        }
        const Vec3d way = to - from, reflected = way - action.mirror->direction(way);
        QVERIFY2(norm(own - way) < 0.9, qPrintable(QString::number(norm(own - way))));
        QVERIFY2(norm(mirrored - reflected) < 0.9, qPrintable(QString::number(norm(mirrored - reflected))));
        const Edits click = withSculpted({}, added(stroke({from})), action, "Smear");
        QVERIFY(sculptDabs(click.layers, {}, lattice, {}).empty());
    }

    void jsonGoesRound() {
        const Edits edits = manyEdits();
        const Json json = toJson(edits);
        QVERIFY(editsFromJson(json) == edits);
        QCOMPARE(toJson(editsFromJson(Json::parse(json.dump()))).dump(), json.dump());
        RegionTable table;
        Edits other = withErased(edits, added(stroke({{6, 6, 6}})), "Erase");
        const Json first = toJson(edits, &table), second = toJson(other, &table);
        QCOMPARE(table.regions.size(), std::size_t(15)); // regions used by both are stored once
        const RegionTable read = regionTableFromJson(Json::parse(toJson(table).dump()));
        QVERIFY(editsFromJson(first, &read) == edits);
        QVERIFY(editsFromJson(second, &read) == other);
    }

    void badJsonIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        const auto layer = [](const char* region, const char* action = R"({"kind":"remove"})") {
            return QByteArray(R"({"layers":[{"name":"a","action":)") + action +
                   R"(,"selection":[{"operation":"add","region":)" + region + "}]}]}";
        };
        QTest::newRow("kind") << layer(R"({"kind":"circle"})");
        QTest::newRow("number without a table") << layer("3");
        QTest::newRow("radius") << layer(R"({"kind":"stroke","radius":0,"path":[]})");
        QTest::newRow("direction") << layer(R"({"kind":"half_space","at":[0,0,0],"normal":[0,0,0]})");
        QTest::newRow("cell") << layer(R"({"kind":"connected","seed":[0,0,0],"cell":-1})");
        QTest::newRow("steps") << layer(R"({"kind":"grow","cell":1,"steps":100000})");
        QTest::newRow("action") << layer(R"({"kind":"invert"})", R"({"kind":"explode"})");
        QTest::newRow("motion") << layer(R"({"kind":"invert"})",
                                         R"({"kind":"move","motion":[[2,0,0,0],[0,1,0,0],[0,0,1,0]]})");
        const char* stroke = R"({"kind":"stroke","radius":1,"path":[[0,0,0]]})";
        const auto brush = [&](const char* changed) {
            const QByteArray action =
                QByteArray(R"({"kind":"sculpt","tool":"fill","strength":1,"falloff":0,)") +
                R"("level":0,"slope":1,)" + changed + "}";
            return layer(stroke, action.constData());
        };
        QTest::newRow("brush") << brush(R"("tool":"explode")");
        QTest::newRow("strength") << brush(R"("strength":2)");
        QTest::newRow("slope") << brush(R"("slope":0)");
        QTest::newRow("slope that is no float") << brush(R"("slope":1e-60)");
        QTest::newRow("level") << brush(R"("level":1e300)");
        QTest::newRow("plane") << brush(R"("tool":"flatten","plane":{"at":[0,0,0],"normal":[0,0,0]})");
        QTest::newRow("mirror") << brush(R"("mirror":{"at":[0,0,0],"normal":[0,0,0]})");
        QTest::newRow("brush of an outline")
            << layer(R"({"kind":"invert"})",
                     R"({"kind":"sculpt","tool":"fill","strength":1,"falloff":0,"level":0,"slope":1})");
        QTest::newRow("pressures") << layer(
            R"({"kind":"stroke","radius":1,"path":[[0,0,0]],"pressures":[0.5,0.5]})");
        QTest::newRow("colour") << layer(stroke, R"({"kind":"set_colour","rgb":[1,2,256]})");
        QTest::newRow("operation") << QByteArray(
            R"({"selection":[{"operation":"xor","region":{"kind":"invert"}}]})");
        QTest::newRow("pixels") << layer(
            R"({"kind":"outline","camera":{"eye":[0,0,0],"target":[1,0,0]},"width":99999,"height":5,"corners":[]})");
    }
    void badJsonIsRefused() {
        QFETCH(QByteArray, text);
        QVERIFY_EXCEPTION_THROWN(editsFromJson(Json::parse(text.toStdString())), EngineError);
    }

    void selectionsAreReplaced() {
        Edits edits = withStep({}, added(stroke({{0, 0, 0}})));
        edits = withStep(edits, stepOf(SetOperation::replace, InvertRegion{}));
        // an inversion keeps the step before it, which it inverts
        QCOMPARE(edits.selection.steps.size(), std::size_t(2));
        edits = withStep(edits, stepOf(SetOperation::replace, someOutline()));
        QCOMPARE(edits.selection.steps.size(), std::size_t(1));
        QVERIFY(withLayer(edits, RemoveAction{}, "").selection.empty());
        QVERIFY(!withLayer(edits, SetClassAction{1}, "").selection.empty());
    }

    /// A thousand strokes are stored in a few layers.
    void strokesShareALayer() {
        Edits edits;
        for (int i = 0; i < 1000; ++i)
            edits = withErased(std::move(edits), added(stroke({{double(i), 0, 0}})), "Erase");
        QVERIFY(edits.layers.size() < 10);
        std::size_t strokes = 0;
        for (const auto& layer : edits.layers)
            strokes += layer->selection.steps.size();
        QCOMPARE(strokes, std::size_t(1000));
    }

    void namesHaveNoEffect() {
        const Edits edits = manyEdits();
        Edits other = withChangedLayer(edits, 0, [](EditLayer& layer) { layer.name = "another"; });
        QVERIFY(!(edits == other));
        QVERIFY(haveSameEffect(edits.layers, other.layers));
        other = withoutLayer(edits, 1); // removes a hidden layer
        QVERIFY(haveSameEffect(edits.layers, other.layers));
        other = withMovedLayer(edits, 0, 2);
        QVERIFY(!haveSameEffect(edits.layers, other.layers));
    }

    void pendingStepsExtendTheSelection() {
        const Vec3d a{0, 0, 0}, b{1, 0, 0}, c{2, 0, 0}, d{3, 0, 0};
        const SelectionStep first = stepOf(SetOperation::replace, someOutline());
        const auto pending = [&](std::vector<SelectionStep> before, std::vector<SelectionStep> after) {
            return pendingSteps({std::move(before)}, {std::move(after)});
        };
        QCOMPARE(pending({}, {first})->size(), std::size_t(1));
        QVERIFY(pending({first}, {first})->empty());
        QVERIFY(!pending({first}, {}));
        // a stroke computed in parts, then the complete stroke
        const auto goingOn = [](std::vector<Vec3d> path) {
            StrokeRegion region = stroke(std::move(path));
            region.continues = true;
            return region;
        };
        const std::vector<SelectionStep> parts{first, added(stroke({a})), added(goingOn({a, b})),
                                               added(goingOn({b, c}))};
        QVERIFY(pending(parts, {first, added(stroke({a, b, c}))})->empty());
        const auto rest = pending(parts, {first, added(stroke({a, b, c, d})), first});
        QVERIFY(rest && rest->size() == 2);
        QVERIFY(std::get<StrokeRegion>(*rest->front().region) == goingOn({c, d}));
        // two strokes with the same first point are not parts of one stroke
        QVERIFY(!pending({first, added(stroke({a})), added(stroke({a, b}))}, {first, added(stroke({a, b}))}));
        QVERIFY(!pending(parts, {first, added(stroke({a, c, d}))}));
        QVERIFY(!pending(parts, {first, added(stroke({a, b, c}, 0.7))}));
        QVERIFY(!pending(parts, {first, stepOf(SetOperation::subtract, stroke({a, b, c}))}));
        // pressures of a pen must match, too
        const auto pressed = [](StrokeRegion region, std::vector<double> pressures) {
            region.pressures = std::move(pressures);
            return region;
        };
        const auto whole = [&](std::vector<double> pressures) {
            return std::vector{first, added(pressed(stroke({a, b, c}), std::move(pressures)))};
        };
        const std::vector<SelectionStep> soft{first, added(pressed(stroke({a, b}), {0.5, 0.75}))};
        const auto soften = pending(soft, whole({0.5, 0.75, 1}));
        QVERIFY(soften && soften->size() == 1);
        QVERIFY(std::get<StrokeRegion>(*soften->front().region) == pressed(goingOn({b, c}), {0.75, 1}));
        QVERIFY(!pending(soft, whole({0.5, 0.7, 1})));
        QVERIFY(!pending(soft, whole({0.25, 0.75, 1})));
        QVERIFY(!pending(soft, whole({})));
        const std::vector<SelectionStep> softer{soft[0], soft[1], added(pressed(goingOn({b, c}), {0.75, 1}))};
        QVERIFY(pending(softer, whole({0.5, 0.75, 1}))->empty());
        QVERIFY(!pending(softer, whole({0.5, 0.75, 0.9})));
        const std::vector<SelectionStep> hard{first, added(stroke({a, b}))}; // a pressure of 1 at all points
        QVERIFY(pending(hard, whole({1, 1, 0.5})));
        QVERIFY(!pending(hard, whole({1, 0.5, 1})));
    }

    void pendingLayersExtendTheEdits() {
        const auto erased = [](const Edits& edits, double x) {
            return withErased(edits, added(stroke({{x, 0, 0}})), "Erase");
        };
        const Edits one = erased(manyEdits(), 1), two = erased(one, 2);
        const auto rest = pendingLayers(one.layers, two.layers);
        QVERIFY(rest && rest->size() == 1 && rest->front()->selection.steps.size() == 1);
        QVERIFY(pendingLayers(two.layers, two.layers)->empty());
        QVERIFY(!pendingLayers(two.layers, one.layers)); // after an undo, everything is recomputed
        const Edits layered = withLayer(withStep(two, added(stroke({{0, 0, 0}}))), KeepAction{}, "Keep");
        QCOMPARE(pendingLayers(two.layers, layered.layers)->size(), std::size_t(1));
        QCOMPARE(pendingLayers({}, layered.layers)->size(), std::size_t(6)); // all but the hidden layer
        const Edits hidden = withChangedLayer(two, 0, [](EditLayer& layer) { layer.isHidden = true; });
        QVERIFY(!pendingLayers(two.layers, hidden.layers));
        // keeping A and then B leaves their intersection, not their union
        const Edits keep = withLayer(withStep({}, added(stroke({{0, 0, 0}}))), KeepAction{}, "");
        const Edits more = withChangedLayer(keep, 0, [](EditLayer& layer) {
            layer.selection.steps.push_back(added(stroke({{9, 0, 0}})));
        });
        QVERIFY(!pendingLayers(keep.layers, more.layers));
    }

    void integerCoordinatesStayIntegers() {
        ScaledPositions held;
        held.xyz = Buffer<Vec3i>::host(2);
        held.xyz[0] = {100, 200, 300};
        held.xyz[1] = {7, 8, 9};
        held.scale = {0.01, 0.01, 0.01};
        held.offset = {1000, 0, 0};
        const Positions positions(std::move(held));
        PointSet set = PointSet::none(2);
        set.words[0] = 1;
        RigidTransform motion;
        motion.translation = {0.5, -2, 0.004};
        const auto moved = std::get<ScaledPositions>(movedPositions(positions, set, motion, {}));
        QVERIFY((moved.xyz[0] == Vec3i{150, 0, 300}));
        QVERIFY((moved.xyz[1] == Vec3i{7, 8, 9}));
        motion.translation.x = 1e9;
        QVERIFY_EXCEPTION_THROWN(movedPositions(positions, set, motion, {}), EngineError);
    }
};

SCANLOUPE_TEST(TestEdits)
#include "test_edits.moc"
