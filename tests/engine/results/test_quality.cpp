// Clean-up, quality figures and distances as stages of the pipeline.
#include "engine/cloud/point_cloud.h"
#include "engine/io/volume/read_volume.h"
#include "engine/picture/colouring.h"
#include "engine/picture/picture_scene.h"
#include "engine/picture/vertex_channels.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/quality.h"
#include "engine/results/voxel_attributes.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"
#include "tests/support/time_limits.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

using namespace scanloupe;
using test::kNoPicture;
using test::ran;

namespace {

std::shared_ptr<const PointCloud> roomCloud(std::uint64_t points = 40'000) {
    synth::ScanParams params;
    params.scene = synth::Scene::room;
    params.points = points;
    return std::make_shared<const PointCloud>(syntheticCloud(params, false, {}, {}));
}

/// 32^3 samples: negative inside a ball, and inside a separate speck.
std::shared_ptr<const Volume> ballAndSpeck() {
    auto volume = std::make_shared<Volume>();
    volume->lattice = {{0, 0, 0}, {1, 1, 1}, {32, 32, 32}};
    volume->values = Buffer<float>::host(32 * 32 * 32);
    for (int z = 0, i = 0; z < 32; ++z)
        for (int y = 0; y < 32; ++y)
            for (int x = 0; x < 32; ++x, ++i)
                volume->values[std::size_t(i)] = float(std::max(9 - std::hypot(x - 14.3, y - 15.1, z - 14.9),
                                                                1.2 - std::hypot(x - 28, y - 28, z - 28)));
    return volume;
}

struct Run : test::Run {
    explicit Run(std::shared_ptr<const PointCloud> cloud = roomCloud()) : test::Run(std::move(cloud)) {}
    explicit Run(std::shared_ptr<const Volume> volume) : test::Run(std::move(volume)) { recipe.iso = 0; }
};

bool noted(const Snapshot& snapshot, const char* words) {
    return std::any_of(snapshot.notes.begin(), snapshot.notes.end(),
                       [&](const RunNote& note) { return note.text.find(words) != std::string::npos; });
}

template <class F>
QString refusal(F&& action) {
    try {
        action();
    } catch (const Error& error) {
        return QString::fromStdString(std::string(error.what()) + " | " + error.nextStep());
    }
    return {};
}

bool sameDistances(const MeshQuality& a, const MeshQuality& b) {
    return a.distances.stats == b.distances.stats && a.stride == b.stride;
}

} // namespace

class TestQuality : public QObject {
    Q_OBJECT
private slots:
    void cleanUpIsAStageThatCanBeOff() {
        Run run(ballAndSpeck());
        const Snapshot before = run();
        QVERIFY(!before.cleanUp);
        QVERIFY(!before.timings.find("clean"));
        QCOMPARE(analyseTopology(before.mesh.host()).components, std::uint64_t{2});
        run.set("min_component_triangles", "100");
        const Snapshot sifted = run();
        QCOMPARE(ran(sifted), QString("clean,rasterize,resolve,"));
        QCOMPARE(sifted.cleanUp->removedComponents, std::uint64_t{1});
        QCOMPARE(analyseTopology(sifted.mesh.host()).components, std::uint64_t{1});
        QCOMPARE(sifted.timings.count("triangles"), std::uint64_t(sifted.mesh->triangleCount()));
        QCOMPARE(sifted.timings.find("extract")->counts[2].second,
                 std::uint64_t(before.mesh->triangleCount()));
        QVERIFY(noted(sifted, "fewer than 100 triangles"));
        QVERIFY(sifted.picture != before.picture);
        QCOMPARE(ran(run()), QString());
        run.set("decimate_to", "300");
        const Snapshot small = run();
        QVERIFY(small.mesh->triangleCount() <= 300 && small.mesh->triangleCount() > 150);
        QVERIFY(analyseTopology(small.mesh.host()).closed());
        QVERIFY(noted(small, "Decimated from"));
        run.set("iso", "1"); // a smaller ball requires a new clean-up
        QCOMPARE(ran(run()), QString("shown_voxels,extract,clean,rasterize,resolve,"));
        run.set("iso", "0");
        run.set("min_component_triangles", "0");
        run.set("decimate_to", "0");
        const Snapshot after = run();
        QVERIFY(!after.cleanUp);
        QCOMPARE(after.mesh->triangleCount(), before.mesh->triangleCount());
    }
    void smoothingIsAStageThatCanBeOff() {
        Run run(ballAndSpeck());
        const Snapshot before = run();
        QVERIFY(!before.timings.find("smooth") && !noted(before, "Smoothed"));
        run.set("smooth_steps", "5");
        const Snapshot smooth = run();
        QCOMPARE(ran(smooth), QString("smooth,rasterize,resolve,"));
        QVERIFY(noted(smooth, "Smoothed in 5 steps"));
        const TriangleMesh &rough = before.mesh.host(), &mesh = smooth.mesh.host();
        QVERIFY(std::ranges::equal(mesh.indices.span(), rough.indices.span()));
        QVERIFY(!std::ranges::equal(mesh.positions.span(), rough.positions.span()));
        QVERIFY(std::abs(analyseTopology(mesh).volume / analyseTopology(rough).volume - 1) < 0.02);
        run.set("smooth_pass_band", "0.05");
        const Snapshot smoother = run();
        QCOMPARE(ran(smoother), QString("smooth,rasterize,resolve,"));
        QVERIFY(!std::ranges::equal(mesh.positions.span(), smoother.mesh.host().positions.span()));
        run.set("min_component_triangles", "100"); // smoothing follows clean-up, and measures take both
        const Snapshot both = run({.quality = true});
        QVERIFY2(ran(both).startsWith("clean,smooth,rasterize,"), qPrintable(ran(both)));
        QCOMPARE(both.quality->topology.components, std::uint64_t{1});
        QCOMPARE(both.quality->topology.volume, analyseTopology(both.mesh.host()).volume);
        QVERIFY(noted(both, "fewer than 100 triangles") && noted(both, "Smoothed in 5 steps"));
        run.set("smooth_steps", "0");
        QVERIFY(!noted(run(), "Smoothed"));
        QVERIFY(refusal([&] { run.set("smooth_steps", "51"); }).contains("smooth-steps"));
    }
    void limitsOfCleanUpAreReported() {
        Run run(ballAndSpeck());
        run.set("min_component_triangles", "1000000");
        const Snapshot nothing = run();
        QCOMPARE(nothing.mesh->triangleCount(), std::size_t{0});
        QVERIFY(noted(nothing, "removed the whole surface"));
        QVERIFY(!noted(nothing, "There is no surface"));
        run.set("min_component_triangles", "0");
        run.set("decimate_to", "1");
        const Snapshot least = run();
        QVERIFY(least.mesh->triangleCount() > 1);
        QVERIFY(noted(least, "be decimated below"));
        run.set("decimate_to", "4000000000"); // few enough already: the same mesh object
        QCOMPARE(run().cleanUp->cellSize, 0.0f);
        QVERIFY(refusal([&] { run.set("decimate_to", "-1"); }).contains("decimate-to"));
    }

    void decimationMakesNoBranchingEdges() {
        Run run;
        run.set("field", "occupancy"); // a crust with two sides, thinner than the merging distance
        run.set("decimate_to", "3000");
        RunOptions options;
        options.quality = true;
        const Snapshot s = run(options);
        QVERIFY(s.cleanUp->partedEdges > 0);
        QVERIFY(noted(s, "non-manifold edges; they were split"));
        QCOMPARE(s.timings.count("parted_edges"), s.cleanUp->partedEdges);
        QCOMPARE(s.quality->topology.nonManifoldEdges, std::uint64_t{0});
        QVERIFY(s.quality->topology.closed());
    }
    void figuresComeAfterThePicture() {
        Run run;
        const Snapshot s = run();
        QVERIFY(!s.quality);
        QVERIFY(!s.timings.find("quality"));
        const Snapshot measured = run.pipeline.measure(s, QualityEffort::full, {});
        QVERIFY(measured.picture == s.picture && measured.mesh == s.mesh);
        QCOMPARE(measured.timings.totalMs, s.timings.totalMs);
        QVERIFY(measured.finished > s.finished); // the views did not wait for the figures
        QCOMPARE(measured.timings.stages.back().stage, std::string("quality"));
        const MeshQuality& q = *measured.quality;
        const MeshTopology topology = analyseTopology(s.mesh.host());
        QCOMPARE(q.triangles, std::uint64_t(s.mesh->triangleCount()));
        QCOMPARE(q.topology.euler, topology.euler);
        QCOMPARE(q.topology.holes(), topology.holes());
        QCOMPARE(q.distances.stats.count, s.voxels->stats.pointsInRange);
        QVERIFY(q.ofAllPoints());
        // the room's walls have a few millimetres of noise, voxels are larger
        QVERIFY(q.distances.stats.mean > 0 && q.distances.stats.mean < 0.2 * s.resolved->voxelSize->x);
        QVERIFY(q.distances.stats.p95 >= q.distances.stats.mean &&
                q.distances.stats.max >= q.distances.stats.p95);
        QVERIFY(run.pipeline.measure(s, QualityEffort::full, {}).timings.stages.back().reused);
        RunOptions both;
        both.quality = true;
        QVERIFY(run(both).quality == measured.quality);
        run.set("quality", "off");
        QVERIFY(!run(both).quality);
    }
    void surfacesAreCalledWhatTheyAre() {
        RunOptions options;
        options.quality = true;
        const auto figures = [&](Run& run) { return run(options).quality; };
        Run solid(ballAndSpeck());
        QCOMPARE(figures(solid)->kind(), SurfaceKind::solid);
        Run room;
        QCOMPARE(figures(room)->kind(), SurfaceKind::sheet);
        room.set("field", "occupancy");
        const auto crust = figures(room);
        QCOMPARE(crust->kind(), SurfaceKind::crust);
        // where voxels are smaller than the point spacing, the surface has holes
        QVERIFY(crust->topology.tunnels > 0);
        QCOMPARE(crust->topology.boundaryEdges, std::uint64_t{0});
        const double voxel = room(kNoPicture).resolved->voxelSize->x;
        QVERIFY(crust->thickness() > 0.5 * voxel && crust->thickness() < 2 * voxel);
        room.set("field", "density");
        QCOMPARE(figures(room)->kind(), SurfaceKind::crust);
        room.recipe.radius = 5 * voxel;
        QCOMPARE(figures(room)->kind(), SurfaceKind::crust);
        const auto json =
            QJsonDocument::fromJson(QByteArray::fromStdString(toJson(*crust, LengthUnit::metre))).object();
        QCOMPARE(json["surface"].toString(), QString("crust"));
        QCOMPARE(json["thickness_m"].toDouble(), crust->thickness());
        QCOMPARE(json["holes"].toObject()["count"].toInt(), int(crust->topology.holes()));
        QCOMPARE(json["holes"].toObject()["tunnels"].toInt(), int(crust->topology.tunnels));
        QCOMPARE(json["rims"].toObject()["count"].toInt(), 0);
        solid.set("iso", "1000");
        QCOMPARE(figures(solid)->kind(), SurfaceKind::none);
    }
    void pointsOutOfRangeAreNotMeasured() {
        Run run;
        const Vec3d low = run().cloud->bounds().min, high = run().cloud->bounds().max;
        run.recipe.rangeMin = low;
        run.recipe.rangeMax = Vec3d{(low.x + high.x) / 2, high.y, high.z};
        const Snapshot s = run.pipeline.measure(run(), QualityEffort::full, {});
        QCOMPARE(s.quality->distances.stats.count, s.voxels->stats.pointsInRange);
        QVERIFY(s.quality->distances.stats.count < s.cloud->size());
        std::uint64_t none = 0;
        for (const float d : s.quality->distances.values.span())
            none += std::isnan(d);
        QCOMPARE(none, s.cloud->size() - s.voxels->stats.pointsInRange);
    }
    void quickFiguresAreRefined() {
        Run run(roomCloud(100'000));
        const Snapshot s = run();
        const auto quick = run.pipeline.measure(s, QualityEffort::quick, {}).quality;
        QCOMPARE(quick->stride, std::size_t{13});
        QCOMPARE(quick->distances.values.size(), std::size_t{7'693});
        const auto full = run.pipeline.measure(s, QualityEffort::full, {}).quality;
        QVERIFY(full->ofAllPoints());
        QVERIFY(std::abs(quick->distances.stats.mean / full->distances.stats.mean - 1) < 0.05);
        for (std::size_t i = 0; i < quick->distances.values.size(); ++i) {
            const float a = quick->distances.values[i], b = full->distances.values[13 * i];
            QVERIFY(a == b || (std::isnan(a) && std::isnan(b)));
        }
        // full figures exist already and are returned
        QVERIFY(run.pipeline.measure(s, QualityEffort::quick, {}).quality == full);
    }
    void sameFiguresEveryTime() {
        Run first, second;
        for (Run* run : {&first, &second})
            run->set("decimate_to", "5000");
        const Snapshot a = first.pipeline.measure(first(), QualityEffort::full, {}),
                       b = second.pipeline.measure(second(), QualityEffort::full, {});
        QVERIFY(sameDistances(*a.quality, *b.quality));
        QCOMPARE(toJson(*a.quality, LengthUnit::metre), toJson(*b.quality, LengthUnit::metre));
        QVERIFY(std::ranges::equal(a.mesh->positions.span(), b.mesh->positions.span()));
        QVERIFY(std::ranges::equal(a.mesh->indices.span(), b.mesh->indices.span()));
    }
    void cancelLeavesWhatWasThere() {
        Run run(roomCloud(300'000));
        const Snapshot s = run();
        for (const int delay : {0, 5, 20, 60}) {
            std::stop_source stop;
            WallTimer timer;
            double asked = 0;
            std::jthread asks([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(delay));
                asked = timer.elapsedMs();
                stop.request_stop();
            });
            bool cancelled = false;
            try {
                run.pipeline.measure(s, QualityEffort::full, stop.get_token());
            } catch (const Cancelled&) {
                cancelled = true;
            }
            const double ended = timer.elapsedMs();
            asks.join();
            QVERIFY2(!cancelled || ended - asked < test::kStopMs, qPrintable(QString::number(ended - asked)));
        }
        const Snapshot after = run.pipeline.measure(run(), QualityEffort::full, {});
        QVERIFY(after.mesh == s.mesh);
        QCOMPARE(after.quality->distances.stats.count, s.voxels->stats.pointsInRange);
    }
    void previewsAreMeasuredAsTheyAre() {
        Run run;
        run.set("min_component_triangles", "80");
        RunOptions preview;
        preview.preview = true;
        const Snapshot coarse = run(preview);
        QVERIFY(coarse.preview);
        const Snapshot measured = run.pipeline.measure(coarse, QualityEffort::quick, {});
        QCOMPARE(measured.quality->triangles, std::uint64_t(coarse.mesh->triangleCount()));
        const Snapshot whole = run.pipeline.measure(run(), QualityEffort::quick, {});
        QVERIFY(whole.quality->triangles > measured.quality->triangles);
    }
    void figuresOfAVolumeAndOfNothing() {
        Run run(ballAndSpeck());
        RunOptions options;
        options.quality = true;
        const Snapshot s = run(options);
        const MeshQuality& q = *s.quality;
        QVERIFY(q.topology.closed());
        QVERIFY(std::abs(q.topology.volume - 4.0 / 3 * 3.14159 * (9 * 9 * 9 + 1.2 * 1.2 * 1.2)) < 60);
        QCOMPARE(q.stride, std::size_t{0});
        const auto json =
            QJsonDocument::fromJson(QByteArray::fromStdString(toJson(q, LengthUnit::metre))).object();
        QVERIFY(json["closed"].toBool() && json["volume_m3"].isDouble() && json["distance_m"].isNull());
        QCOMPARE(json["components"].toInt(), 2);
        run.set("iso", "1000");
        const auto none = run(options).quality;
        QCOMPARE(none->triangles, std::uint64_t{0});
        const auto empty =
            QJsonDocument::fromJson(QByteArray::fromStdString(toJson(*none, LengthUnit::metre))).object();
        QVERIFY(!empty["closed"].toBool() && empty["volume_m3"].isNull());
        run.set("colour_by", "point_distance");
        QVERIFY(refusal([&] { run(); }).contains("point_distance")); // no distances without points
    }
    void shortMemoryIsToldBefore() {
        Run run;
        const Snapshot s = run();
        run.pipeline.setMemoryLimit(100'000);
        QVERIFY(refusal([&] { run.pipeline.measure(s, QualityEffort::full, {}); }).contains("--quality off"));
        run.set("decimate_to", "1000");
        QVERIFY(refusal([&] { run(); }).contains("--decimate-to 0"));
        run.set("decimate_to", "0");
        run.set("colour_by", "point_distance");
        QVERIFY(refusal([&] { run(); }).contains("--colour-by"));
    }

    void meshIsColouredByItsDistanceToThePoints() {
        Run run;
        run.set("colour_by", "point_distance");
        const Snapshot s = run();
        QVERIFY(ran(s).endsWith("extract,distances,rasterize,resolve,"));
        QCOMPARE(s.vertexDistances->size(), s.mesh->vertexCount());
        for (std::size_t v = 0; v < s.mesh->vertexCount(); v += s.mesh->vertexCount() / 20) {
            float nearest = std::numeric_limits<float>::max();
            for (std::size_t i = 0; i < s.points->size(); ++i) {
                if (s.voxels->pointVoxel[i] != kNoVoxel)
                    nearest = std::min(nearest, norm((*s.points)[i] - s.mesh->positions[v]));
            }
            QVERIFY(std::abs((*s.vertexDistances)[v] - nearest) < 1e-5f);
        }
        const ColourValues colours = colourMesh(s.resolved, colourSource(s), s.mesh.host(), {});
        QCOMPARE(colours.low, 0.0f);
        QVERIFY(colours.high > 0 && colours.high <= *std::ranges::max_element(colours.values.span()));
        QVERIFY(std::ranges::equal(colours.values.span(), s.vertexDistances->span()));
        run.set("iso", "0.01");
        const Snapshot moved = run();
        QCOMPARE(ran(moved), QString("extract,distances,rasterize,resolve,"));
        QVERIFY(moved.vertexDistances != s.vertexDistances);
        run.set("colour_by", "height");
        QVERIFY(!run().vertexDistances);
        QCOMPARE(meshVertexColours(moved, {}).size(), moved.mesh->vertexCount());
    }
    void pointsAndVoxelsAreColouredByTheirDistanceToTheMesh() {
        Run run;
        run.set("colour_by", "point_distance");
        run.set("show", "points");
        const Snapshot points = run();
        QVERIFY(ran(points).endsWith("distances,quality,rasterize,resolve,"));
        const ColourValues colours = colourPoints(points.resolved, colourSource(points), {});
        QCOMPARE(colours.values.size(), points.cloud->size());
        QCOMPARE(colours.values[7], points.quality->distances.values[7]);
        run.set("show", "voxels");
        const Snapshot voxels = run();
        const ColourValues means = colourVoxels(voxels.resolved, colourSource(voxels), {});
        double sum = 0, count = 0;
        for (std::size_t i = 0; i < voxels.cloud->size(); ++i) {
            if (voxels.voxels->pointVoxel[i] == 5)
                sum += double(voxels.quality->distances.values[i]), count += 1;
        }
        QVERIFY(count > 0 && std::abs(double(means.values[5]) - sum / count) < 1e-6);
        Snapshot unmeasured = voxels; // the window computes figures later
        unmeasured.quality = nullptr;
        QVERIFY(colourVoxels(unmeasured.resolved, colourSource(unmeasured), {}).values.empty());
    }
    void picturesOfOtherSizesHaveTheirDistances() {
        Run run;
        run.set("colour_by", "point_distance");
        run.set("show", "points");
        // a run without a picture, as for one that is drawn in bands
        Snapshot s = run(scanloupe::test::kNoPicture);
        const PictureSource source = run.pipeline.pictureSource(s, {});
        QVERIFY(source.scene->mapped());
    }
    void verticesHaveTheValuesOfTheirVoxels() {
        Run run;
        run.set("decimate_to", "800"); // includes vertices outside of all occupied voxels
        const Snapshot s = run();
        const auto channels = meshVertexChannels(s, {});
        const VoxelTable table = voxelTable(*s.attributes, {});
        QCOMPARE(channels.size(), s.cloud->attributes().size());
        const auto intensity = std::find_if(channels.begin(), channels.end(), [](const MeshChannel& c) {
            return c.channel.name == "intensity";
        });
        QVERIFY(intensity != channels.end());
        const float* means = table.grid.mean(std::size_t(table.channelOf("intensity")));
        const auto [least, most] = std::minmax_element(means, means + s.voxels->size());
        for (std::size_t v = 0; v < s.mesh->vertexCount(); ++v) {
            const float value = intensity->values[v];
            QVERIFY(value >= *least && value <= *most);
            const GridShape& grid = s.voxels->shape;
            const Vec3f at = (s.mesh->positions[v] - grid.origin) / grid.voxelSize;
            const Vec3i cell{int(std::floor(at.x)), int(std::floor(at.y)), int(std::floor(at.z))};
            const auto keys = s.voxels->keys.span();
            const auto found = std::lower_bound(keys.begin(), keys.end(), grid.key(cell));
            if (min(cell, Vec3i{}) == Vec3i{} && found != keys.end() && *found == grid.key(cell))
                QCOMPARE(value, means[found - keys.begin()]);
        }
        QVERIFY(meshVertexChannels(Run(ballAndSpeck())(), {}).empty());
    }
};

SCANLOUPE_TEST(TestQuality)
#include "test_quality.moc"
