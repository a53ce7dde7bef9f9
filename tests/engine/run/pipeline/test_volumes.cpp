// Runs of raw volumes: which side is inside, and iso-values outside of the range of values.
#include "engine/compute/backend.h"
#include "engine/io/common/read_options.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/defaults.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/snapshot.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr int kEdge = 32;                        // samples
constexpr Vec3f kMiddle{15.3f, 16.1f, 14.7f};    // centre of the ball, in samples
constexpr float kSpacing = 0.5f, kRadius = 9.2f; // metres; samples

/// The distance from the centre of a ball, times `sign`, in samples.
std::shared_ptr<const Volume> distances(float sign) {
    auto volume = std::make_shared<Volume>();
    volume->lattice = {{}, {kSpacing, kSpacing, kSpacing}, {kEdge, kEdge, kEdge}};
    volume->values = Buffer<float>::host(std::size_t{kEdge} * kEdge * kEdge);
    for (int i = 0; i < kEdge * kEdge * kEdge; ++i) {
        const Vec3i node{i % kEdge, i / kEdge % kEdge, i / kEdge / kEdge};
        volume->values[std::size_t(i)] = sign * norm(node.as<float>() - kMiddle);
    }
    return volume;
}

/// A volume of two values.
std::shared_ptr<const Volume> halves(float one, float other, float divisor = 1) {
    auto volume = std::make_shared<Volume>();
    volume->lattice = {{}, {1, 1, 1}, {8, 8, 8}};
    volume->values = Buffer<float>::host(512);
    volume->divisor = divisor;
    for (std::size_t i = 0; i < 512; ++i)
        volume->values[i] = i % 8 < 4 ? one : other;
    return volume;
}

/// The volume that the triangles enclose, from their orientation; negative if they face inwards.
double enclosed(const TriangleMesh& mesh) {
    double sum = 0;
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
        const auto corner = [&](std::size_t k) {
            return mesh.positions[mesh.indices[3 * t + k]].as<double>();
        };
        sum += dot(corner(0), cross(corner(1), corner(2))) / 6;
    }
    return sum;
}

/// The smallest cosine between a normal and the direction away from the ball's centre.
float leastOutward(const TriangleMesh& mesh) {
    float least = 1;
    for (std::size_t v = 0; v < mesh.vertexCount(); ++v)
        least = std::min(least, dot(mesh.normals[v], normalized(mesh.positions[v] - kMiddle * kSpacing)));
    return least;
}

QString notesOf(const Snapshot& snapshot) {
    QStringList notes;
    for (const RunNote& note : snapshot.notes)
        notes << QString::fromStdString(note.text);
    return notes.join('\n');
}

} // namespace

class TestVolumes : public QObject {
    Q_OBJECT
private slots:
    void theSurfaceFacesOutwards_data() {
        QTest::addColumn<QString>("backend");
        QTest::addColumn<QString>("inside");
        for (const char* backend : {"cpu", "cuda"})
            for (const char* inside : {"above", "below"})
                QTest::addRow("%s, %s", backend, inside) << backend << inside;
    }
    void theSurfaceFacesOutwards() {
        QFETCH(QString, backend);
        QFETCH(QString, inside);
        if (backend == "cuda")
            SCANLOUPE_NEEDS_CUDA();
        const float sign = inside == "below" ? 1.0f : -1.0f; // small or large values in the ball
        Run run(distances(sign), backend == "cuda" ? Backend::cuda : Backend::cpu);
        run.set("iso", qPrintable(QString::number(double(sign * kRadius))));
        run.set("inside", qPrintable(inside));
        const Snapshot snapshot = run(kNoPicture);
        const TriangleMesh& mesh = snapshot.mesh.host();
        const double radius = double(kRadius * kSpacing);
        const double ball = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
        QVERIFY2(std::abs(enclosed(mesh) / ball - 1) < 0.02, qPrintable(QString::number(enclosed(mesh))));
        QVERIFY2(leastOutward(mesh) > 0.95f, qPrintable(QString::number(double(leastOutward(mesh)))));
        QVERIFY(snapshot.shownVoxels->size() > 500); // the shown voxels contain the surface
        run.set("inside", inside == "below" ? "above" : "below");
        const Snapshot turned = run(kNoPicture);
        QVERIFY(enclosed(turned.mesh.host()) < 0); // the rest of the volume is inside
        QVERIFY(leastOutward(turned.mesh.host()) < -0.95f);
    }

    void theSideIsKept() {
        Recipe recipe;
        QVERIFY(recipe.inside == InsideSide::above);
        setFromText(recipe, parameter("inside"), "below");
        QVERIFY(toJson(recipe).find("\"inside\": \"below\"") != std::string::npos);
        QVERIFY(recipeFromJson(toJson(recipe)).inside == InsideSide::below);
        QVERIFY(recipeFromJson(R"({"scanloupe_recipe": 1, "iso": 0.3})").inside == InsideSide::above);
        QVERIFY(forAnotherScan(recipe, true).inside == InsideSide::above);
    }

    void gridsToPaintInHaveTheirSide() {
        auto grid = std::make_shared<Volume>();
        grid->lattice = {{}, {1, 1, 1}, {16, 16, 16}};
        Run run(std::shared_ptr<const Volume>(std::move(grid)));
        run.set("inside", "below");
        QVERIFY(!run(kNoPicture).field->insideBelow);
    }

    void anIsoValueOutsideOfTheValuesIsExplained() {
        QTemporaryDir folder;
        const std::string path = folder.path().toStdString() + "/ct_8x8x8_uint8.raw";
        std::string bytes(512, '\0');
        for (int i = 0; i < 512; ++i)
            bytes[std::size_t(i)] = char(i % 8 < 4 ? 0 : 255);
        std::ofstream(path, std::ios::binary) << bytes;
        const auto volume = std::make_shared<const Volume>(readVolume(path, {}, {}));
        QCOMPARE(volume->divisor, 255.0f);
        QVERIFY(volume->format.find("divided by 255") != std::string::npos);
        Run run(volume);
        run.set("iso", "128");
        QString notes = notesOf(run(kNoPicture));
        QVERIFY2(notes.contains("between the volume's values, 0 to 1 (got 128)."), qPrintable(notes));
        QVERIFY2(notes.contains("divided by 255: use 0.501961 instead of 128 (--iso)"), qPrintable(notes));
        run.set("iso", "0.501961");
        const Snapshot found = run(kNoPicture);
        QVERIFY(found.mesh->triangleCount() > 0);
        QVERIFY(!notesOf(found).contains("must be between"));
        Run metres(distances(1));
        metres.set("iso", "-3");
        notes = notesOf(metres(kNoPicture));
        QVERIFY2(notes.contains("(got -3)") && notes.contains("between the volume's values, 0.") &&
                     notes.contains("Use, for example, 1"),
                 qPrintable(notes));
    }

    void aVolumeOfOneValueHasNoIsoValueToTake() {
        Run run(halves(5, 5));
        for (const char* iso : {"3", "5"}) {
            run.set("iso", iso);
            const QString notes = notesOf(run(kNoPicture));
            QVERIFY2(notes.contains("all values of the volume are 5.") && !notes.contains("Take"),
                     qPrintable(notes));
        }
    }

    void theLowestValueIsNoneToTake() {
        Run run(halves(0.5f, 1, 255));
        run.set("iso", "127.5");
        const QString notes = notesOf(run(kNoPicture));
        QVERIFY2(notes.contains("for example, 0.75") && !notes.contains("divided by"), qPrintable(notes));
    }
};

SCANLOUPE_TEST(TestVolumes)
#include "test_volumes.moc"
