// Reports of inspections: every region with a picture is visible in it, even where other points occlude it.
#include "engine/edit/edit_list.h"
#include "engine/inspect/reference.h"
#include "engine/inspect/report/inspection_report.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/synth/synthetic_part.h"
#include "engine/io/writers.h"
#include "engine/results/snapshot.h"
#include "kernels/raster/colours/colour_map.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/pipeline_run.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr Vec3d kHalf{1, 0.6, 0.4}; // half extent of the box, metres
constexpr double kRadius = 0.08;    // radius of a fault
constexpr double kTolerance = 0.005;

enum class Around { nothing, plates, room };

/// The triangles of a closed box, facing outwards, or inwards for a room.
TriangleMesh boxModel(Around around = Around::nothing) {
    TriangleMesh mesh;
    mesh.positions = Buffer<Vec3f>::host(8);
    mesh.normals = Buffer<Vec3f>::host(8); // normals are not written to STL
    std::ranges::fill(mesh.normals.span(), Vec3f{0, 0, 1});
    for (std::size_t i = 0; i < 8; ++i)
        mesh.positions[i] =
            Vec3d{i & 1 ? kHalf.x : -kHalf.x, i & 2 ? kHalf.y : -kHalf.y, i & 4 ? kHalf.z : -kHalf.z}
                .as<float>();
    constexpr std::array<std::uint32_t, 36> corners{0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                                    2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    mesh.indices = hostCopy(std::span<const std::uint32_t>(corners));
    if (around == Around::room)
        std::ranges::reverse(mesh.indices.span());
    return mesh;
}

/// A scan of the box with a fault in the middle of each face: bumps and dents in turn, all different.
/// @param around plates in front of all faces but one, close enough to occlude them from a camera in front;
/// or a room with wide faults, which are only visible from beyond the opposite walls through their windows
std::shared_ptr<const PointCloud> boxScan(Around around) {
    constexpr double step = 0.01, gap = 0.2, window = 0.08;
    const double radius = around == Around::room ? 0.25 : kRadius;
    std::vector<Vec3f> points;
    for (int face = 0; face < 6; ++face) {
        const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        const double side = face % 2 == 0 ? 1 : -1, height = (face % 2 == 0 ? 0.02 : -0.02) - 0.002 * face;
        for (double a = -kHalf[u]; a <= kHalf[u]; a += step)
            for (double b = -kHalf[v]; b <= kHalf[v]; b += step) {
                const double r2 = (a * a + b * b) / (radius * radius);
                if (around == Around::room && std::hypot(a - 0.7 * kHalf[u], b - 0.7 * kHalf[v]) < window)
                    continue;
                Vec3d p;
                p[u] = a;
                p[v] = b;
                p[axis] = side * (kHalf[axis] + (r2 < 1 ? height * (1 - r2) : 0));
                points.push_back(p.as<float>());
                p[axis] = side * (kHalf[axis] + gap);
                if (around == Around::plates && face > 0)
                    points.push_back(p.as<float>());
            }
    }
    return std::make_shared<const PointCloud>(FloatPositions{hostCopy(std::span<const Vec3f>(points))},
                                              std::vector<Attribute>{}, std::stop_token{});
}

/// The shares of red, green and blue in a colour, which shading does not change.
Vec3d hueOf(std::uint32_t rgba) {
    const Vec3d c{double(rgba & 255), double(rgba >> 8 & 255), double(rgba >> 16 & 255)};
    return c / std::max(1.0, c.x + c.y + c.z);
}

/// The number of pixels out of tolerance near the centre of a picture, within a tenth of its height.
int pixelsOutside(const Image& image, bool above) {
    const Vec3d wanted = hueOf(toleranceMap()[above ? 255 : 0]);
    int count = 0;
    for (int y = image.height * 2 / 5; y < image.height * 3 / 5; ++y)
        for (int x = image.width / 2 - image.height / 10; x < image.width / 2 + image.height / 10; ++x)
            count += norm(hueOf(image.pixels[std::size_t(y) * std::size_t(image.width) + std::size_t(x)]) -
                          wanted) < 0.08;
    return count;
}

InspectionReport reportOf(const std::shared_ptr<const PointCloud>& scan, const std::string& model,
                          double tolerance, double largest) {
    Run run(scan);
    run.recipe.edits = withLayerOfSelectedOrAll({}, CompareAction{model, 1, largest}, "Compare");
    run.recipe.colourBy = kDeviationAttribute;
    run.recipe.tolerance = tolerance;
    ReportOptions how;
    how.unit = LengthUnit::metre;
    how.width = 480;
    how.height = 300;
    return inspectionReport(run(kNoPicture), how, {});
}

/// Explains why a region is not visible in its picture; empty if all regions are visible.
std::string notSeen(const InspectionReport& report) {
    const std::size_t places = std::min<std::size_t>(6, report.figures.worst.size());
    std::string text;
    for (std::size_t i = 0; i < places; ++i) {
        const ReportPicture& picture = report.pictures[report.pictures.size() - places + i];
        const int pixels = pixelsOutside(picture.image, report.figures.worst[i].largest > 0);
        if (const QString folder = qEnvironmentVariable("SCANLOUPE_SCREENSHOTS"); !folder.isEmpty())
            writeImage((folder + QString("/place%1.png").arg(i + 1)).toStdString(), picture.image);
        if (pixels < 25) // of 3,600
            text += fmt::format("{}: {} pixels; ", picture.caption, pixels);
    }
    return text;
}

} // namespace

class TestReport : public QObject {
    Q_OBJECT
private slots:
    void placesAreSeen_data() {
        QTest::addColumn<Around>("around");
        QTest::newRow("on all sides") << Around::nothing;
        QTest::newRow("behind plates") << Around::plates;
        QTest::newRow("in a room") << Around::room;
    }
    void placesAreSeen() {
        QFETCH(Around, around);
        const std::string model = (m_scratch / "box.stl").string();
        writeMesh(model, boxModel(around), {}, {}, {});
        const InspectionReport report = reportOf(boxScan(around), model, kTolerance, 0.1);
        QCOMPARE(report.figures.regions, std::uint64_t{6});
        QCOMPARE(report.pictures.size(), std::size_t{10});
        QCOMPARE(notSeen(report), std::string());
    }

    /// The region of a missing hole faces the opposite wall of the hole, from where it is hidden.
    void placesOfThePartAreSeen() {
        const std::string model = (m_scratch / "part.stl").string();
        writeMesh(model, partModel({}), {}, {}, {});
        const auto scan = std::make_shared<const PointCloud>(partScan({.points = 200'000}, false, {}, {}));
        for (const double tolerance : {0.0002, 0.00008})
            QCOMPARE(notSeen(reportOf(scan, model, tolerance, 0)), std::string());
    }

    void picturesKeepTheirShape() {
        const std::string model = (m_scratch / "box.stl").string();
        writeMesh(model, boxModel(), {}, {}, {});
        const InspectionReport report = reportOf(boxScan(Around::nothing), model, kTolerance, 0.1);
        const QString html = QString::fromStdString(toHtml(report, PictureLinks::named));
        const QRegularExpression picture(
            R"re(<img src="picture\d+\.png"[^>]* width="(\d+)" height="(\d+)")re");
        int pictures = 0;
        for (auto found = picture.globalMatch(html); found.hasNext(); ++pictures) {
            const auto size = found.next();
            QVERIFY2(std::abs(size.captured(1).toDouble() / size.captured(2).toDouble() - 960.0 / 600) < 0.01,
                     qPrintable(size.captured(0)));
        }
        QCOMPARE(pictures, 10);
    }

    /// Names and sentences may contain text from files.
    void textIsPrintable() {
        const std::string model = (m_scratch / "box.stl").string();
        writeMesh(model, boxModel(), {}, {}, {});
        InspectionReport report = reportOf(boxScan(Around::nothing), model, kTolerance, 0.1);
        report.scan.path = std::string("a\x1b[2J\nb\0c\xe4<.ply", 15);
        report.warnings = {"odd\x07 name"};
        report.recipe = "{\n \"a\": \"\x1b\"\n}\n";
        const std::string html = toHtml(report, PictureLinks::named);
        const auto has = [&](const char* text) { return html.find(text) != std::string::npos; };
        QVERIFY(has("a [2J b c\u00e4&lt;.ply") && has("odd  name") &&
                has("{\n &quot;a&quot;: &quot; &quot;\n}"));
        for (const char c : html)
            QVERIFY(c == '\n' || std::uint8_t(c) >= ' ');
        QVERIFY(QString::fromStdString(html).toStdString() == html);
    }

private:
    Scratch m_scratch;
};

SCANLOUPE_TEST(TestReport)
#include "test_report.moc"
