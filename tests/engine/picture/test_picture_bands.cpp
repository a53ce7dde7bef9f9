// Pictures drawn in bands: the same pixels as in one piece, within a memory limit.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/picture/picture_bands.h"
#include "engine/picture/picture_sheet.h"
#include "engine/results/kernel_points.h"
#include "kernels/mesh/distance/triangle_distance.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <algorithm>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Renders all bands and joins their rows.
std::vector<std::uint32_t> joined(PictureBands& bands) {
    std::vector<std::uint32_t> all;
    while (all.size() < std::size_t(bands.width()) * std::size_t(bands.height())) {
        const auto rows = bands.rowsFrom(int(all.size() / std::size_t(bands.width())));
        all.insert(all.end(), rows.begin(), rows.end());
    }
    return all;
}

} // namespace

class TestPictureBands : public QObject {
    Q_OBJECT
private slots:
    void bandsAreThePicture_data() {
        QTest::addColumn<QString>("show");
        QTest::addColumn<int>("rows"); // rows of a band
        for (const char* show : {"points", "voxels", "mesh", "averaged points"})
            for (const int rows : {1, 7, 64, 240, 1000})
                QTest::newRow(qPrintable(QStringLiteral("%1, %2 rows").arg(QLatin1String(show)).arg(rows)))
                    << show << rows;
    }
    void bandsAreThePicture() {
        QFETCH(QString, show);
        QFETCH(int, rows);
        Run run(bumpyCloud(20'000));
        run.set("show", qPrintable(show.section(' ', -1)));
        run.set("points", show.startsWith("averaged") ? "averaged" : "nearest");
        run.set("point_size", "9");
        Snapshot s = run();
        const PictureSource source = run.pipeline.pictureSource(s, {});
        QCOMPARE(source.camera, s.picture->camera);
        BandOptions options;
        options.maxPixels = 320 * std::uint64_t(rows);
        PictureBands bands(*source.scene, source.camera, 320, 240, options, {});
        QCOMPARE(bands.count(), (240 + std::min(rows, 240) - 1) / std::min(rows, 240));
        QVERIFY(std::ranges::equal(joined(bands), s.picture->image.host().pixels.span()));
        QCOMPARE(bands.drawnPixels(), s.picture->stats.drawnPixels);
    }
    void memoryBoundsABand() {
        Run run(bumpyCloud(2'000));
        Snapshot s = run();
        const PictureSource source = run.pipeline.pictureSource(s, {});
        BandOptions options;
        options.memory = pictureBytes(16384, 1, false) * 40;
        const PictureBands bands(*source.scene, source.camera, 16384, 16384, options, {});
        QVERIFY(bands.bytes() <= options.memory / 2);
        QVERIFY(bands.count() > 16384 / 20);
        options.memory = pictureBytes(16384, 1, false); // a picture may only use half of the memory
        QVERIFY_EXCEPTION_THROWN(
            PictureBands(*source.scene, source.camera, 16384, 16384, options, std::stop_token{}),
            EngineError);
    }
    void aSheetHoldsEachPictureAtItsOwnSize_data() {
        QTest::addColumn<int>("rows"); // rows of a band of a panel
        for (const int rows : {1, 10, 1000})
            QTest::newRow(qPrintable(QString::number(rows))) << rows;
    }
    void aSheetHoldsEachPictureAtItsOwnSize() {
        QFETCH(int, rows);
        Run run(bumpyCloud(20'000));
        Snapshot s = run();
        const PictureSource source = run.pipeline.pictureSource(s, {});
        Recipe look = s.resolved;
        look.show = PictureContent::voxels;
        const PictureScene voxels(s, look, {}, {});
        constexpr int width = 300, height = 240;
        // two panels with a gap between them; the second one is lower
        const std::vector<SheetPanel> panels{{*source.scene, 0, 0, 160, 240}, {voxels, 170, 100, 130, 140}};
        BandOptions options;
        options.maxPixels = 2 * 160 * std::uint64_t(rows);
        std::vector<double> shares;
        options.progress = [&](double share) { shares.push_back(share); };
        PictureSheet sheet(panels, source.camera, width, height, options, {});
        std::vector<std::uint32_t> all;
        while (all.size() < std::size_t(width * height)) {
            const auto next = sheet.rowsFrom(int(all.size()) / width);
            QVERIFY(!next.empty() && next.size() % width == 0);
            all.insert(all.end(), next.begin(), next.end());
        }
        QCOMPARE(all.size(), std::size_t(width * height));
        QVERIFY(std::ranges::is_sorted(shares) && shares.back() == 1);
        std::vector<bool> covered(all.size());
        for (const SheetPanel& panel : panels) {
            PictureBands alone(panel.scene, source.camera, panel.width, panel.height, {}, {});
            const auto expected = joined(alone);
            for (int y = 0; y < panel.height; ++y)
                for (int x = 0; x < panel.width; ++x) {
                    const auto at = std::size_t((panel.y + y) * width + panel.x + x);
                    covered[at] = true;
                    QVERIFY(all[at] == expected[std::size_t(y * panel.width + x)]);
                }
        }
        for (std::size_t i = 0; i < all.size(); ++i)
            QVERIFY(covered[i] || all[i] == 0xff808080u);
    }
    void cancelEndsIt() {
        Run run(bumpyCloud(20'000));
        Snapshot s = run();
        const PictureSource source = run.pipeline.pictureSource(s, {});
        std::stop_source stop;
        BandOptions options;
        options.maxPixels = 320;
        double done = 0;
        options.progress = [&](double share) {
            done = share;
            if (share > 0.5)
                stop.request_stop();
        };
        PictureBands bands(*source.scene, source.camera, 320, 240, options, stop.get_token());
        QVERIFY_EXCEPTION_THROWN(joined(bands), Cancelled);
        QVERIFY(done > 0.5 && done < 0.6);
    }
};

SCANLOUPE_TEST(TestPictureBands)
#include "test_picture_bands.moc"
