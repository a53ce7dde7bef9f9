// Item models over the engine's results, each under Qt's own tester while its rows change.
#include "engine/cloud/point_cloud.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/quality.h"
#include "engine/results/snapshot.h"
#include "gui/models/align_model.h"
#include "gui/models/attribute_model.h"
#include "gui/models/history_export.h"
#include "gui/models/layer_model.h"
#include "gui/models/partial_result.h"
#include "gui/models/pick_properties.h"
#include "gui/models/quality_properties.h"
#include "gui/models/run_history_model.h"
#include "gui/models/scan_properties.h"
#include "gui/models/stage_timing_model.h"
#include "gui/text/number_text.h"
#include "gui/tools/picked_point.h"
#include "gui/tools/similar_points.h"
#include "tests/gui/panels/panel_test_support.h"
#include "tests/support/kept_documents.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::QtTest;

QString cell(const QAbstractItemModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

/// Results of the first 2000 of `points` points.
std::shared_ptr<Snapshot> partOf(std::uint64_t points) {
    const auto cloud = sheetCloud(Held::floats);
    cloud->subsampledFrom = points;
    return cloudSnapshot(cloud);
}

QString valueOf(const Properties& properties, const QString& name) {
    for (const Property& p : properties) {
        if (p.name == name)
            return p.value;
    }
    return QStringLiteral("(none)");
}

Properties propertiesOf(const Hit& hit, const Snapshot& snapshot) {
    return pickProperties(hit, snapshot, pickedPoint(hit, snapshot, {}), {});
}

} // namespace

class TestModels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void coordinatesHaveTheDigitsOfTheirFile() {
        const auto text = [](std::int32_t stored, double scale, double offset) {
            ScaledPositions positions{Buffer<Vec3i>::host(1), {scale, scale, scale}, {offset, 0, -offset}};
            positions.xyz[0] = {stored, stored, stored};
            const PointCloud cloud(std::move(positions), {}, {});
            return coordinateText(cloud, 0, 0) + ' ' + coordinateText(cloud, 0, 1) + ' ' +
                   coordinateText(cloud, 0, 2);
        };
        QCOMPARE(text(63649609, 0.01, 0), QStringLiteral("636496.09 636496.09 636496.09"));
        QCOMPARE(text(3'649'609, 0.01, 600'000), QStringLiteral("636496.09 36496.09 -563503.91"));
        QCOMPARE(text(12, 0.01, 500'000.005), QStringLiteral("500000.125 0.12 -499999.885"));
        QCOMPARE(text(3, 0.005, 0), QStringLiteral("0.015 0.015 0.015"));
        QCOMPARE(text(91'234'567, 1e-7, 0), QStringLiteral("9.1234567 9.1234567 9.1234567"));
    }

    void pointsOfPreviewsArePicked() {
        const auto cloud = sheetCloud(Held::floats);
        const auto snapshot = cloudSnapshot(cloud);
        snapshot->points = std::make_shared<const HostPoints>(cloud, 667); // every third of 2000 points
        QCOMPARE(snapshot->points->size(), std::size_t(3));
        Hit hit;
        hit.kind = PrimitiveKind::point;
        hit.index = 2;
        QCOMPARE(pickedPoint(hit, *snapshot, {}), std::optional(std::size_t(1334)));
    }

    void coloursOfSixteenBitsAreAlike() {
        std::vector<Attribute> colours;
        for (const char* name : {"red", "green", "blue"}) {
            auto bytes = Buffer<std::byte>::host(4); // 0 and 65535
            for (std::size_t i = 0; i < 4; ++i)
                bytes[i] = std::byte(i < 2 ? 0 : 255);
            colours.emplace_back(name, ScalarType::uint16, std::move(bytes));
        }
        const PointCloud cloud(FloatPositions{Buffer<Vec3f>::host(2)}, std::move(colours), {});
        QVERIFY((std::get<ColourRegion>(similarTo(cloud, 1, {})).rgb == std::array{255.0, 255.0, 255.0}));
    }

    void thousandsAreGrouped_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QLocale>("locale");
        QTest::addColumn<double>("value");
        const QLocale english(QLocale::English, QLocale::UnitedStates), german(QLocale::German);
        for (const auto& [name, locale] : {std::pair{"English", english}, {"German", german}}) {
            const auto row = [&, name = name, locale = locale](const char* text, double value) {
                QTest::addRow("%s, %s", text, name) << text << locale << value;
            };
            // two groups can only be read in one way
            row("1,234,567", 1'234'567);
            row("1.234.567", 1'234'567);
            row("-1,234,567.25", -1'234'567.25);
            row("1.234.567,25", 1'234'567.25);
            row("1,234.5", 1234.5);
            row("1.234,5", 1234.5);
            row("1'234'567.5", 1'234'567.5);
        }
    }
    void thousandsAreGrouped() {
        QFETCH(QString, text);
        QFETCH(QLocale, locale);
        const TypedNumber number = parseNumber(text, locale);
        QVERIFY(number.value && !number.isAmbiguous);
        QTEST(*number.value, "value");
        for (const QString& wrong : {text + ",1,1", text + "..", QString("1,23,456"), QString("1.2.3")})
            QVERIFY2(!parseNumber(wrong, locale).value, qPrintable(wrong));
    }

    void scansToBeAligned() {
        AlignModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        model.setScans({"first", "second"});
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(model.setData(model.index(0, AlignModel::scan), Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(model.checkedRows(), std::vector{1});
        model.setRead(1, {}, {});
        QCOMPARE(cell(model, 1, AlignModel::scan), QStringLiteral("second"));
        const auto head = [&](int column) {
            return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        };
        QCOMPARE(head(AlignModel::y), QStringLiteral("y m"));
        QCOMPARE(head(AlignModel::roll), QStringLiteral("roll °"));
        QCOMPARE(head(AlignModel::columns), QString());
    }

    void layersOfEdits() {
        LayerModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        EditLayers layers;
        for (const char* name : {"lower", "upper"}) {
            EditLayer layer;
            layer.name = name;
            layers.push_back(std::make_shared<const EditLayer>(layer));
        }
        model.setLayers(layers);
        QCOMPARE(cell(model, 0, 0), QStringLiteral("upper"));
        layers.pop_back();
        model.setLayers(layers);
        QCOMPARE(model.rowCount(), 1);
        model.setLayers({});
        QCOMPARE(model.rowCount(), 0);
    }

    void attributesOfACloud() {
        AttributeModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        QCOMPARE(model.rowCount(), 0);
        model.setCloud(sheetCloud(Held::floats));
        QCOMPARE(model.rowCount(), 6);
        QCOMPARE(cell(model, 0, AttributeModel::name), QStringLiteral("intensity"));
        QCOMPARE(cell(model, 0, AttributeModel::type), QStringLiteral("float32"));
        QCOMPARE(cell(model, 0, AttributeModel::highest), QStringLiteral("1"));
        QCOMPARE(cell(model, 1, AttributeModel::highest), QStringLiteral("49"));
        QCOMPARE(cell(model, 2, AttributeModel::lowest), QStringLiteral("1688000000.25"));
        model.setCloud(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void stagesOfARun() {
        StageTimingModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        model.setTimings(sampleTimings());
        QCOMPARE(model.rowCount(), 7);
        QCOMPARE(cell(model, 1, StageTimingModel::wall), QStringLiteral("reused"));
        QCOMPARE(cell(model, 2, StageTimingModel::wall), QStringLiteral("41.3 ms"));
        QCOMPARE(cell(model, 2, StageTimingModel::device), QStringLiteral("18.2 ms"));
        QCOMPARE(cell(model, 3, StageTimingModel::device), QString());
        const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.setTimings(sampleTimings(2)); // the same stages: a view keeps its scroll position
        QCOMPARE(resets.count(), 0);
        QCOMPARE(changes.count(), 1);
        QCOMPARE(cell(model, 2, StageTimingModel::wall), QStringLiteral("82.6 ms"));
        model.setTimings({});
        QCOMPARE(resets.count(), 1);
        QCOMPARE(model.rowCount(), 0);
    }

    void historyKeepsTheLastRuns() {
        RunHistoryModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        for (int run = 1; run <= RunHistoryModel::kRuns + 5; ++run)
            model.add(sampleTimings(run), run % 2 == 0);
        QCOMPARE(model.rowCount(), RunHistoryModel::kRuns);
        QCOMPARE(cell(model, 0, RunHistoryModel::run), QStringLiteral("205"));
        QCOMPARE(cell(model, 1, RunHistoryModel::run), QStringLiteral("204 (preview)"));
        QCOMPARE(cell(model, RunHistoryModel::kRuns - 1, RunHistoryModel::run),
                 QStringLiteral("6 (preview)"));
        QCOMPARE(cell(model, 0, RunHistoryModel::voxels), QStringLiteral("301,224"));
        QCOMPARE(cell(model, 0, RunHistoryModel::upload), QString()); // the stage was reused
        const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        RunTimings later = sampleTimings();
        later.stages.push_back({"quality", "cpu", false, 99, 0, 0, {}, {}});
        model.amend(later);
        QCOMPARE(changes.count(), 1);
        QCOMPARE(model.rowCount(), RunHistoryModel::kRuns);
        QCOMPARE(cell(model, 0, RunHistoryModel::quality), QStringLiteral("99.0 ms"));
        QCOMPARE(cell(model, 1, RunHistoryModel::quality), QString());
        model.clear();
        QCOMPARE(model.rowCount(), 0);
        model.amend(later); // the new run has no previous run
        model.add(sampleTimings(), false);
        QCOMPARE(cell(model, 0, RunHistoryModel::run), QStringLiteral("1"));
        QCOMPARE(cell(model, 0, RunHistoryModel::total), QStringLiteral("123 ms"));
    }

    void historyAsTableAndAsJson() {
        RunHistoryModel model;
        model.add(sampleTimings(), false);
        model.add(sampleTimings(2), true);
        const QStringList lines = QString::fromStdString(historyCsv(model)).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 1 + 2 * 7);
        QCOMPARE(lines[0], QStringLiteral("run,preview,stage,backend,reused,wall_ms,device_ms,bytes"));
        QCOMPARE(lines[3], QStringLiteral("1,0,voxelize,cuda,0,41.300,18.200,3400000"));
        QCOMPARE(lines[10], QStringLiteral("2,1,voxelize,cuda,0,82.600,36.400,3400000"));

        QJsonParseError error;
        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(historyJson(model)), &error);
        QCOMPARE(error.error, QJsonParseError::NoError);
        const QJsonArray runs = json.object()["runs"].toArray();
        QCOMPARE(runs.size(), 2);
        const QJsonObject second = runs[1].toObject();
        QCOMPARE(second["run"].toInt(), 2);
        QCOMPARE(second["preview"].toBool(), true);
        QCOMPARE(second["timings"].toObject()["voxels"].toInt(), 301224);
        const std::string none = historyJson(RunHistoryModel());
        QVERIFY(QJsonDocument::fromJson(QByteArray::fromStdString(none)).object()["runs"].isArray());
        keepDocument("history.json", historyJson(model));
        keepDocument("history_empty.json", none);
    }

    void propertiesKeepTheirPlace() {
        PropertyModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.setProperties({{"a", "1"}, {"b", "2"}});
        model.setProperties({{"a", "1"}, {"b", "3"}});
        QCOMPARE(resets.count(), 1);
        QCOMPARE(cell(model, 1, 1), QStringLiteral("3"));
        QCOMPARE(model.text(), QStringLiteral("a\t1\nb\t3\n"));
        model.setProperties({{"a", "1"}});
        QCOMPARE(resets.count(), 2);
        model.setProperties({});
        QCOMPARE(model.rowCount(), 0);
    }

    void partsSayWhatIsMissing() {
        const auto sample = partOf(5'000'000), preview = sheetSnapshot();
        preview->preview = true;
        QVERIFY(noteOfPart(*sample, true, true).contains("when all are loaded"));
        QVERIFY(noteOfPart(*sample, false, true).contains("Open the file again"));
        QVERIFY(noteOfPart(*preview, false, true).contains("still a preview"));
        QVERIFY(noteOfPart(*preview, true, false).contains("Move a slider"));
    }

    void factsOfScanAndVolume() {
        const Properties facts = scanProperties(*sheetSnapshot(), LengthUnit::metre);
        QCOMPARE(valueOf(facts, "Points"), QStringLiteral("2,000"));
        QCOMPARE(valueOf(facts, "y"), QStringLiteral("0.000 to 9.800"));
        QVERIFY(noteOfPart(*sheetSnapshot(), true, true).isEmpty());
        QCOMPARE(valueOf(scanProperties(*partOf(5'000'000), LengthUnit::metre), "Points"),
                 QStringLiteral("2,000 of 5,000,000"));
        QCOMPARE(valueOf(facts, "Local origin"), QStringLiteral("(none)"));
        QVERIFY(valueOf(scanProperties(*sheetSnapshot(Held::texts), LengthUnit::metre), "Local origin") !=
                QStringLiteral("(none)"));
        const auto volume = volumeSnapshot();
        QCOMPARE(valueOf(scanProperties(*volume, LengthUnit::metre), "Samples"), QStringLiteral("4 × 5 × 6"));
        QCOMPARE(scanName(*volume), QStringLiteral("engine.raw"));
        const Properties counts = countProperties(sampleTimings());
        QCOMPARE(valueOf(counts, "points in range"), QStringLiteral("998,004"));
    }

    void figuresOfAMesh() {
        auto snapshot = sheetSnapshot();
        TriangleMesh mesh;
        mesh.positions = Buffer<Vec3f>::host(4);
        mesh.indices = Buffer<std::uint32_t>::host(6);
        snapshot->mesh = DeviceOrHost(std::move(mesh));
        PropertyModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        model.setProperties(
            qualityProperties(*snapshot, nullptr, LengthUnit::metre)); // the figures are being computed
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(valueOf(model.properties(), "Triangles"), QStringLiteral("2"));
        MeshQuality figures;
        figures.triangles = 2;
        figures.topology = {1234, 0, 2, -3, 17.25, 0, {5, 12.5, 7}, 4, 3};
        figures.stride = 4;
        figures.distances.stats = {1'000'000, 0.00643, 0.0096, 0.0196, 1.5};
        model.setProperties(qualityProperties(*snapshot, &figures, LengthUnit::metre));
        const Properties& open = model.properties();
        QCOMPARE(valueOf(open, "Parts"), QStringLiteral("2"));
        QCOMPARE(valueOf(open, "Euler number"), QStringLiteral("-3"));
        QCOMPARE(valueOf(open, "Boundary edges"), QStringLiteral("1,234"));
        QCOMPARE(valueOf(open, "Surface"), QStringLiteral("open sheet"));
        QCOMPARE(valueOf(open, "Holes"), QStringLiteral("7"));
        QCOMPARE(valueOf(open, "Boundary loops"), QStringLiteral("5"));
        QCOMPARE(valueOf(open, "Longest loop"), QStringLiteral("7.00 m"));
        QCOMPARE(valueOf(open, "Area"), QStringLiteral("17.25 m²"));
        QCOMPARE(valueOf(open, "Volume"), QStringLiteral("none (open surface)"));
        QCOMPARE(valueOf(open, "Points to mesh, mean"), QStringLiteral("6.43 mm"));
        QCOMPARE(valueOf(open, "Maximum"), QStringLiteral("1.50 m"));
        QCOMPARE(valueOf(open, "Measured points"), QStringLiteral("1,000,000, 1 in 4"));
        const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        figures.topology.boundaryEdges = 0;
        figures.topology.volume = 4.5;
        figures.stride = 1;
        model.setProperties(qualityProperties(*snapshot, &figures, LengthUnit::metre));
        QCOMPARE(resets.count(), 0); // rows are kept while figures change
        QCOMPARE(valueOf(model.properties(), "Volume"), QStringLiteral("4.5 m³"));
        QCOMPARE(valueOf(model.properties(), "Surface"), QStringLiteral("closed solid"));
        figures.thickestCrust = 1; // twice the volume divided by the area is less
        QCOMPARE(valueOf(qualityProperties(*snapshot, &figures, LengthUnit::metre), "Surface"),
                 QStringLiteral("two-sided crust, 522 mm thick"));
        QCOMPARE(valueOf(model.properties(), "Measured points"), QStringLiteral("1,000,000"));
        figures.distances = {};
        model.setProperties(
            qualityProperties(*snapshot, &figures, LengthUnit::metre)); // a volume has no points
        QCOMPARE(valueOf(model.properties(), "Measured points"), QStringLiteral("(none)"));
        model.setProperties({});
    }

    void pickedPointHasTheFilesDigits() {
        const Hit hit{PrimitiveKind::point, 43, {}}; // x = 3 * 0.2, y = 1 * 0.2
        const Properties floats = propertiesOf(hit, *sheetSnapshot(Held::floats));
        QCOMPARE(valueOf(floats, "x"), QStringLiteral("0.6"));
        QCOMPARE(valueOf(floats, "y"), QStringLiteral("0.2"));
        QCOMPARE(valueOf(floats, "ring"), QStringLiteral("1"));
        QCOMPARE(valueOf(floats, "intensity"), QStringLiteral("1")); // 43 % 11 = 10
        QCOMPARE(valueOf(floats, "time"), QStringLiteral("1688000000.2543"));
        const Properties texts = propertiesOf(hit, *sheetSnapshot(Held::texts));
        QCOMPARE(valueOf(texts, "x"), QStringLiteral("652000.60"));
        QCOMPARE(valueOf(texts, "y"), QStringLiteral("5408000.20"));
        const Properties scaled = propertiesOf(hit, *sheetSnapshot(Held::scaled));
        QCOMPARE(valueOf(scaled, "x"), QStringLiteral("652000.600"));
        QCOMPARE(valueOf(scaled, "z").section('.', 1).size(), 2);
    }

    void pickedPointOfAPreviewIsTheCloudsOwn() {
        auto snapshot = sheetSnapshot();
        snapshot->preview = true;
        snapshot->points = std::make_shared<HostPoints>(snapshot->cloud, 8);
        const Properties facts = propertiesOf({PrimitiveKind::point, 5, {}}, *snapshot);
        QCOMPARE(valueOf(facts, "Point"), QStringLiteral("40"));
        QCOMPARE(valueOf(facts, "y"), QStringLiteral("0.2"));
    }

    void pickedVoxelHasItsMeans() {
        const auto snapshot = sheetSnapshot(Held::texts);
        const VoxelGrid& grid = snapshot->voxels.host();
        const std::uint32_t v = grid.pointVoxel[43];
        const Properties facts = propertiesOf({PrimitiveKind::voxel, v, {}}, *snapshot);
        QCOMPARE(valueOf(facts, "Points in voxel"), QString::number(grid.counts[v]));
        double time = 0;
        std::map<int, int> rings;
        for (std::size_t i = 0; i < snapshot->cloud->size(); ++i) {
            if (grid.pointVoxel[i] == v) {
                ++rings[int(snapshot->cloud->attribute("ring")->value(i))];
                time += snapshot->cloud->attribute("time")->value(i) / grid.counts[v];
            }
        }
        const auto most = std::max_element(rings.begin(), rings.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        const QString ring = QString::number(most->first);
        QVERIFY(rings.size() > 1);
        QCOMPARE(valueOf(facts, "ring"), ring); // the most frequent one: a mean would be meaningless
        QCOMPARE(valueOf(facts, "Mean ring"), QStringLiteral("(none)"));
        QCOMPARE(valueOf(facts, "Mean time"), numberText(time));
        QVERIFY(valueOf(facts, "x").startsWith(QStringLiteral("652000.")));
        // the triangle in the voxel shows the same means
        Hit triangle{PrimitiveKind::triangle, 0, snapshot->cloud->position(43)};
        QCOMPARE(valueOf(propertiesOf(triangle, *snapshot), "ring"), ring);
        triangle.position = {0, 0, 0}; // the hit is far outside of the grid
        QCOMPARE(valueOf(propertiesOf(triangle, *snapshot), "ring"), QStringLiteral("(none)"));
    }

    void pickedClassesHaveTheirNames() {
        std::vector<Vec3f> positions;
        Attribute classes{"classification", ScalarType::uint8, Buffer<std::byte>::host(9)};
        constexpr std::array<std::uint8_t, 9> values{2, 2, 5, 5, 5, 2, 40, 2, 40}; // three points per voxel
        for (std::size_t i = 0; i < values.size(); ++i) {
            positions.push_back({float(i / 3), 0.01f * float(i % 3), 0});
            classes.dataToFill()[i] = std::byte(values[i]);
        }
        std::vector<Attribute> attributes;
        attributes.push_back(std::move(classes));
        const auto snapshot = cloudSnapshot(std::make_shared<const PointCloud>(
            FloatPositions{hostCopy(std::span(positions))}, std::move(attributes), std::stop_token()));
        QCOMPARE(snapshot->voxels->size(), std::size_t(3));
        const auto shown = [&](std::uint32_t v) {
            return valueOf(propertiesOf({PrimitiveKind::voxel, v, {}}, *snapshot), "classification");
        };
        QCOMPARE(shown(0), QStringLiteral("2 Ground"));
        QCOMPARE(shown(1), QStringLiteral("5 High vegetation"));
        QCOMPARE(shown(2), QStringLiteral("40"));
    }

    void picksOfOtherResultsAreNothing() {
        const auto snapshot = sheetSnapshot();
        QVERIFY(propertiesOf({PrimitiveKind::none, 0, {}}, *snapshot).empty());
        QVERIFY(propertiesOf({PrimitiveKind::point, 2000, {}}, *snapshot).empty());
        QVERIFY(propertiesOf({PrimitiveKind::voxel, 1u << 29, {}}, *snapshot).empty());
        QVERIFY(propertiesOf({PrimitiveKind::triangle, 1, {}}, *snapshot).empty());
        QVERIFY(propertiesOf({PrimitiveKind::point, 0, {}}, *volumeSnapshot()).empty());
    }

    void numbersAreFormattedForReaders() {
        QCOMPARE(countText(1234567), QStringLiteral("1,234,567"));
        QCOMPARE(timeText(3.417), QStringLiteral("3.42 ms"));
        QCOMPARE(timeText(1250), QStringLiteral("1.25 s"));
        QCOMPARE(bytesText(1'400'000'000), QStringLiteral("1.4 GB"));
        QCOMPARE(floatText(0.1f), QStringLiteral("0.1"));
        QCOMPARE(floatText(16777216.0f).toFloat(), 16777216.0f);
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestModels)
#include "test_models.moc"
