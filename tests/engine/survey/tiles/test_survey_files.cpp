// Surveys of several files: information from headers, slices of large files, and common attributes.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/formats.h"
#include "engine/io/writers.h"
#include "engine/survey/source/survey_files.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <tuple>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

namespace fs = std::filesystem;

struct Row {
    Vec3d place;
    double intensity = 0;
    auto operator<=>(const Row& other) const {
        return std::tie(place.x, place.y, place.z, intensity) <=>
               std::tie(other.place.x, other.place.y, other.place.z, other.intensity);
    }
    bool operator==(const Row&) const = default;
};

/// All points of a survey with their first attribute, sorted.
std::vector<Row> rowsOf(const SurveyFiles& survey) {
    std::vector<Row> rows;
    for (std::size_t part = 0; part < survey.parts().size(); ++part) {
        std::uint64_t points = 0;
        survey.read(part,
                    [&](const SurveyPiece& piece) {
                        for (std::size_t i = 0; i < piece.points.size(); ++i) {
                            const Bounds& box = survey.parts()[part].bounds;
                            const Vec3d p = piece.points[i];
                            if (min(p, box.min) != box.min || max(p, box.max) != box.max)
                                throw Fault("a point lies outside of its part's box");
                            rows.push_back(
                                {p, survey.attributes().list.empty()
                                        ? 0
                                        : scalarAt(piece.values[0], survey.attributes().list[0].type, i)});
                        }
                        points += piece.points.size();
                    },
                    {});
        if (points != survey.parts()[part].points)
            throw Fault("a part has another number of points than it says");
    }
    std::ranges::sort(rows);
    return rows;
}

template <class T>
Attribute attribute(const char* name, ScalarType type, const std::vector<T>& values) {
    Attribute made;
    made.name = name;
    made.type = type;
    made.allocate(values.size());
    std::memcpy(made.dataToFill(), values.data(), values.size() * sizeof(T));
    return made;
}

/// A cloud on a wavy square, with attributes of its points' numbers.
PointCloud square(std::size_t side, std::vector<Attribute> attributes, double low = 0) {
    DoublePositions positions{Buffer<Vec3d>::host(side * side), 3};
    for (std::size_t i = 0; i < side * side; ++i)
        positions.xyz[i] = {low + double(i % side) / 8, double(i / side) / 8, std::round(double(i % 97)) / 8};
    return PointCloud(std::move(positions), std::move(attributes), std::stop_token());
}

std::string sentenceOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return std::string(error.what()) + " " + error.nextStep();
    }
    return {};
}

} // namespace

class TestSurveyFiles : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    fs::path path(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }

private slots:
    void largeFilesAreReadInSlices_data() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".las", ".laz"})
            QTest::newRow(ending) << ending;
    }
    void largeFilesAreReadInSlices() {
        QFETCH(QString, ending);
        const auto endings = cloudEndings();
        if (std::ranges::find(endings, ending.toStdString()) == endings.end())
            QSKIP("this build has no LASzip");
        const fs::path file = path(("large" + ending).toUtf8());
        constexpr std::size_t side = 400;
        std::vector<std::uint16_t> intensities(side * side);
        std::iota(intensities.begin(), intensities.end(), std::uint16_t(0));
        writeCloud(file, square(side, {attribute("intensity", ScalarType::uint16, intensities)}), {}, {});
        const SurveyFiles whole({file}, {"intensity"}, 0, {}, {});
        QCOMPARE(whole.parts().size(), std::size_t(1));
        const std::vector<Row> rows = rowsOf(whole);
        QCOMPARE(rows.size(), side * side);
        for (const std::uint64_t most :
             {std::uint64_t(7000), std::uint64_t(60'000), std::uint64_t(side * side)}) {
            const SurveyFiles sliced({file}, {"intensity"}, most, {}, {});
            QVERIFY2((sliced.parts().size() > 1) == (most < side * side),
                     qPrintable(QString::number(sliced.parts().size())));
            QVERIFY(rowsOf(sliced) == rows);
        }
    }

    void cutFilesAreReadAsFarAsTheyGo() {
        const fs::path file = path("cut.las");
        constexpr std::size_t side = 200;
        writeCloud(file, square(side, {}), {}, {});
        const std::uintmax_t all = fs::file_size(file);
        fs::resize_file(file, all * 6 / 10);
        const SurveyFiles survey({file}, {}, 5000, {}, {});
        QVERIFY(survey.parts().size() > 3);
        const std::size_t rows = rowsOf(survey).size();
        QVERIFY(rows > side * side / 2 && rows < side * side * 6 / 10 + 1);
        const auto warningsOf = [&](std::size_t part) {
            return survey.read(part, [](const SurveyPiece&) {}, {});
        };
        QVERIFY(warningsOf(0).empty());
        QVERIFY(!warningsOf(survey.parts().size() - 1).empty()); // damage is reported once
    }

    /// Slices of COPC are disjoint, except the first ones.
    void slicesOfCopcLieApart() {
        SCANLOUPE_REAL_SCAN(scan, "las/laspy_simple_with_page.copc.laz");
        const SurveyFiles whole({scan}, {"intensity"}, 0, {}, {});
        const std::vector<Row> rows = rowsOf(whole);
        QCOMPARE(rows.size(), std::size_t(1065));
        const auto areaOf = [](const Bounds& box) {
            return (box.max.x - box.min.x) * (box.max.y - box.min.y);
        };
        const double all = areaOf(whole.parts().front().bounds);
        for (const std::uint64_t most : {std::uint64_t(50), std::uint64_t(300)}) {
            const SurveyFiles sliced({scan}, {"intensity"}, most, {}, {});
            QVERIFY(rowsOf(sliced) == rows);
            double area = 0;
            std::size_t apart = 0; // slices with points of a part of the file
            for (const SurveyPart& part : sliced.parts())
                if (areaOf(part.bounds) < 0.6 * all) {
                    ++apart;
                    area += areaOf(part.bounds);
                }
            QVERIFY2(apart > 2 && area < 1.5 * all, qPrintable(QString("%1 of %2, %3 times the area")
                                                                   .arg(apart)
                                                                   .arg(sliced.parts().size())
                                                                   .arg(area / all)));
        }
    }

    void attributesHoldForAllFiles() {
        constexpr std::size_t side = 60, count = side * side;
        const auto filled = [&](auto value) { return std::vector<decltype(value)>(count, value); };
        const float none = std::nanf("");
        const auto write = [&](const char* name, std::vector<Attribute> attributes, double low) {
            writeCloud(path(name), square(side, std::move(attributes), low), {}, {});
            return path(name);
        };
        std::vector<std::uint16_t> red(count), green = filled(std::uint16_t(300)),
                                               blue = filled(std::uint16_t(7));
        for (std::size_t i = 0; i < count; ++i)
            red[i] = std::uint16_t(i * 17);
        const fs::path a =
            write("a.ply",
                  {attribute("red", ScalarType::uint16, red), attribute("green", ScalarType::uint16, green),
                   attribute("blue", ScalarType::uint16, blue),
                   attribute("height", ScalarType::float32, filled(-3.5f)),
                   attribute("classification", ScalarType::uint8, filled(std::uint8_t(4)))},
                  0);
        const fs::path b =
            write("b.ply",
                  {attribute("classification", ScalarType::uint8, filled(std::uint8_t(9))),
                   attribute("height", ScalarType::float32, filled(12.25f)),
                   attribute("blue", ScalarType::uint16, blue), attribute("green", ScalarType::uint16, green),
                   attribute("red", ScalarType::uint16, red)},
                  50);
        const fs::path empty =
            write("empty.ply", {attribute("height", ScalarType::float32, filled(none))}, 100);
        const fs::path other =
            write("other.ply", {attribute("height", ScalarType::float64, filled(1.0))}, 150);
        const SurveyFiles both({a, b}, {"height", "rgb", "classification"}, 0, {}, {});
        const SurveyAttributes& found = both.attributes();
        QVERIFY(found.colours == (ValueRange{0, 65'535}));
        QCOMPARE(found.list.size(), std::size_t(5));
        QCOMPARE(found.list[0].name, std::string("red"));
        // the range of the data type, because not all values are read
        QVERIFY(found.list[0].range == (ValueRange{0, 65'535}));
        QCOMPARE(found.list[3].name, std::string("height"));
        QVERIFY(found.list[3].range == (ValueRange{-3.5, 12.25}) && !found.list[3].isClasses);
        QVERIFY(found.list[4].isClasses && found.list[4].range == (ValueRange{0, 255}));
        QCOMPARE(found.bytesPerPoint(), std::size_t(3 * 2 + 4 + 1));
        // a file without numbers does not affect the range
        for (const auto& files : {std::vector{empty, a}, std::vector{a, empty}})
            QVERIFY(SurveyFiles(files, {"height"}, 0, {}, {}).attributes().list[0].range ==
                    (ValueRange{-3.5, -3.5}));
        // unsupported requests are reported
        const auto said = [&](const std::vector<fs::path>& files, const std::vector<std::string>& names) {
            return sentenceOf([&] { SurveyFiles(files, names, 0, {}, {}); });
        };
        QVERIFY(said({a, b}, {"intensity"}).find("The scan 'a.ply' has no attribute 'intensity'") == 0);
        // lists the available attributes
        QVERIFY(said({a, b}, {"intensity"}).find("height") != std::string::npos);
        QVERIFY(said({a, other}, {"height"}).find("Attribute 'height' has type float64 in 'other.ply'") == 0);
        for (const std::string name : {"normal_x", "red", "alpha", "x", ""})
            QVERIFY2(!said({a}, {name}).empty(), name.c_str());
        QVERIFY(!said({a}, {"height", "Height"}).empty());
        QVERIFY(said({a}, {"height", "rgb"}).empty());
    }
};

SCANLOUPE_TEST(TestSurveyFiles)
#include "test_survey_files.moc"
