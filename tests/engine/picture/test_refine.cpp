// Refinement of a still picture with more samples per pixel: the result, which data is reused, and
// cancellation.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/picture/picture_bands.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <algorithm>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

bool sameImage(const Snapshot& a, const Snapshot& b) {
    return std::ranges::equal(a.picture->image.host().pixels.span(), b.picture->image.host().pixels.span());
}

/// The mean of the first samples of a picture, each drawn separately.
Image meanOf(Run& run, Snapshot& s, int samples) {
    const PictureSource source = run.pipeline.pictureSource(s, {});
    const Projection p = source.scene->projection(source.camera, 320, 240);
    SampleSums sums;
    for (int i = 0; i < samples; ++i)
        cpu::addSample(sums, source.scene->draw(p.sampledAt(sampleOffset(i).x, sampleOffset(i).y), {}).image,
                       {});
    return cpu::meanOfSamples(sums, {});
}

} // namespace

class TestRefine : public QObject {
    Q_OBJECT
private slots:
    void refinedIsTheMeanOfItsSamples_data() {
        QTest::addColumn<QString>("show");
        for (const char* show : {"points", "voxels", "mesh"})
            QTest::newRow(show) << show;
    }
    void refinedIsTheMeanOfItsSamples() {
        QFETCH(QString, show);
        Run run(bumpyCloud(20'000));
        run.set("show", qPrintable(show));
        Snapshot s = run();
        QCOMPARE(s.picture->samples, 1);
        const Snapshot few = run.pipeline.refine(s, 4, {}), all = run.pipeline.refine(few, 16, {});
        QCOMPARE(few.picture->samples, 4);
        QCOMPARE(all.picture->samples, 16);
        QVERIFY(!sameImage(s, few) && !sameImage(few, all));
        QCOMPARE(all.timings.count("samples"), std::uint64_t(16));
        Run fresh(bumpyCloud(20'000));
        fresh.recipe = run.recipe;
        Snapshot again = fresh();
        // the same result in one step as in two
        QVERIFY(sameImage(fresh.pipeline.refine(again, 16, {}), all));
        const Image expected = meanOf(run, s, 16);
        QVERIFY(std::ranges::equal(all.picture->image.host().pixels.span(), expected.pixels.span()));
        // picking still uses the pixels' centres
        QVERIFY(all.picture->visibility == s.picture->visibility);
    }
    void refinedPicturesAreTakenAgain() {
        Run run(bumpyCloud(20'000));
        const Snapshot all = run.pipeline.refine(run(), 16, {});
        const Snapshot again = run();
        QVERIFY(again.picture == all.picture);
        QVERIFY(run.pipeline.refine(again, 16, {}).picture == all.picture); // the picture is complete already
        run.set("samples", "1");
        const Snapshot plain = run();
        QCOMPARE(plain.picture->samples, 1);
        QVERIFY(!sameImage(plain, all));
        run.set("samples", "16");
        QVERIFY(sameImage(run.pipeline.refine(run(), 16, {}), all));
        run.set("view", "top");
        QCOMPARE(run().picture->samples, 1); // another camera starts again with one sample
    }
    void cancelLeavesWhatWasThere() {
        Run run(bumpyCloud(20'000));
        Snapshot s = run();
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(run.pipeline.refine(s, 16, stop.get_token()), Cancelled);
        QVERIFY(run().picture == s.picture);
        const Snapshot whole = run.pipeline.refine(s, 16, {});
        const Image mean = meanOf(run, s, 16);
        QVERIFY(std::ranges::equal(whole.picture->image.host().pixels.span(), mean.pixels.span()));
    }
    void previewsCanBeRefinedToo() {
        Run run(bumpyCloud(20'000));
        RunOptions options;
        options.preview = true;
        const Snapshot coarse = run(options);
        QVERIFY(coarse.preview);
        QCOMPARE(run.pipeline.refine(coarse, 4, {}).picture->samples, 4);
    }
    void bandsHaveTheSameSamples() {
        Run run(bumpyCloud(20'000));
        run.set("show", "points");
        Snapshot s = run();
        const PictureSource source = run.pipeline.pictureSource(s, {});
        BandOptions options;
        options.samples = 16;
        options.maxPixels = 320 * 31;
        PictureBands bands(*source.scene, source.camera, 320, 240, options, {});
        const Image expected = meanOf(run, s, 16);
        for (int row = 0; row < 240;) {
            const auto rows = bands.rowsFrom(row);
            QVERIFY(std::ranges::equal(rows,
                                       expected.pixels.span().subspan(std::size_t(row) * 320, rows.size())));
            row += int(rows.size() / 320);
        }
        QVERIFY(bands.refineMs() > 0);
    }
    void manyPointsAreDrawnInTheTimeThereIs() {
        const auto cloud = bumpyCloud(1'300'000);
        Run run(cloud), whole(cloud);
        for (Run* r : {&run, &whole}) {
            r->set("show", "points");
            r->set("voxel_size", "0.1"); // a coarse surface suffices for this test
            r->set("field", "occupancy");
            r->set("point_size", "1");
        }
        RunOptions hurried;
        hurried.pictureMs = 1e-3;
        const Snapshot first = run(hurried), all = whole();
        QVERIFY(all.picture->isWhole());
        QCOMPARE(first.picture->parts, (PointParts{1, 4}));
        QVERIFY(!first.picture->isWhole());
        QVERIFY(first.picture->stats.drawnPixels < all.picture->stats.drawnPixels);
        QVERIFY(first.picture->stats.drawnPixels >
                // the drawn quarter of the points is spread over the whole picture
                all.picture->stats.drawnPixels / 4);
        QCOMPARE(first.timings.count("percent_of_points"), std::uint64_t(25));
        // at rest, the picture equals the complete one
        const Snapshot rest = run.pipeline.refine(first, 1, {});
        QVERIFY(rest.picture->isWhole());
        QVERIFY(sameImage(rest, all));
        QVERIFY(std::ranges::equal(rest.picture->visibility.host().pixels.span(),
                                   all.picture->visibility.host().pixels.span()));
        QCOMPARE(rest.picture->stats.drawnPixels, all.picture->stats.drawnPixels);
        QVERIFY(sameImage(run.pipeline.refine(rest, 4, {}), whole.pipeline.refine(all, 4, {})));
        // triangles that were visible last are drawn first: up close, these are nearly all visible ones
        Camera camera = first.picture->camera;
        camera.eye = camera.eye + (camera.target - camera.eye) * 1e-4;
        run.recipe.camera = whole.recipe.camera = camera;
        const Snapshot next = run(hurried), expected = whole();
        QCOMPARE(next.picture->parts.drawn, 1u);
        QVERIFY(next.picture->stats.drawnPixels > expected.picture->stats.drawnPixels * 9 / 10);
        // with a generous time limit, nothing is left out
        hurried.pictureMs = 1e6;
        run.recipe.camera->eye.z += 0.01;
        QVERIFY(run(hurried).picture->isWhole());
    }
    void averagedPointsAreWholeAtRest() {
        const auto cloud = bumpyCloud(1'300'000);
        Run run(cloud), whole(cloud);
        for (Run* r : {&run, &whole}) {
            r->set("show", "points");
            r->set("voxel_size", "0.1");
            r->set("field", "occupancy");
            r->set("colour_by", "intensity");
        }
        const Snapshot nearest = whole();
        run.set("points", "averaged");
        whole.set("points", "averaged");
        const Snapshot averaged = whole();
        QVERIFY(!sameImage(nearest, averaged));
        QVERIFY(std::ranges::equal(nearest.picture->visibility.host().pixels.span(),
                                   averaged.picture->visibility.host().pixels.span()));
        RunOptions hurried;
        hurried.pictureMs = 1e-3;
        QVERIFY(sameImage(run.pipeline.refine(run(hurried), 1, {}), averaged));
    }
    void memoryIsAskedFor() {
        Run run(bumpyCloud(20'000));
        const Snapshot s = run();
        run.pipeline.setMemoryLimit(pictureBytes(320 * 240, 1, false));
        QVERIFY_EXCEPTION_THROWN(run.pipeline.refine(s, 4, {}), EngineError);
    }
};

SCANLOUPE_TEST(TestRefine)
#include "test_refine.moc"
