// Volumes between two scans with known truth: the coverage of confidence intervals, and how often noise
// counts as a change. SCANLOUPE_CHANGE_SEEDS sets the number of pairs of large scans. A full run uses 100,
// with QTEST_FUNCTION_TIMEOUT=3600000 on a slow machine.
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/cut_and_fill.h"
#include "engine/inspect/scan_change.h"
#include "engine/inspect/spread_prior.h"
#include "kernels/change/student_quantile.h"
#include "tests/support/test_support.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <numbers>
#include <oneapi/tbb/global_control.h>
#include <random>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr double kEdge = 60; // metres

using Ground = std::function<double(double x, double y)>;

double flat(double, double) {
    return 100;
}
double tilted(double x, double y) {
    return 0.3 * x - 0.15 * y;
}
/// Ground with hills that are 20 and 12 m apart, and furrows of 5 cm.
double rough(double x, double y) {
    return 0.8 * std::sin(x / 3.2) + 0.5 * std::cos(y / 1.9) + 0.05 * std::sin(1.9 * x) * std::sin(2.3 * y);
}
/// Height of a mound of 25.13 m³ and a pit of 9.60 m³.
double built(double x, double y) {
    const auto bump = [&](double atX, double atY, double height, double width) {
        return height * std::exp(-(std::pow(x - atX, 2) + std::pow(y - atY, 2)) / (2 * width * width));
    };
    return rough(x, y) + bump(20, 25, 1, 2) - bump(42, 38, 0.679, 1.5);
}
const double kMound = 2 * std::numbers::pi * 4, kPit = 2 * std::numbers::pi * 0.679 * 2.25;

PointCloud scanOf(const Ground& ground, std::size_t points, double noise, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> along(0, kEdge);
    std::normal_distribution<double> off(0, noise);
    DoublePositions positions{Buffer<Vec3d>::host(points)};
    for (std::size_t i = 0; i < points; ++i) {
        const double x = along(random), y = along(random);
        positions.xyz[i] = {x, y, ground(x, y) + (noise > 0 ? off(random) : 0)};
    }
    return PointCloud(std::move(positions), {}, {});
}

/// Distribution of the measured volumes of many pairs of scans about the true volume.
struct Trial {
    int seeds = 0, held = 0;
    double cells = 0, significant = 0;
    double sum = 0, squares = 0, intervals = 0; ///< sums over net volumes, their squares and their
                                                ///< uncertainties
    double gained = 0, lost = 0, rawGained = 0, rawLost = 0;

    void add(const CutAndFill& volume, double truth) {
        ++seeds;
        held += std::abs(volume.net.value - truth) <= volume.net.uncertainty;
        cells += double(volume.judged);
        significant += double(volume.significant);
        sum += volume.net.value;
        squares += volume.net.value * volume.net.value;
        intervals += volume.net.uncertainty;
        gained += volume.gained.value, lost += volume.lost.value;
        rawGained += volume.rawGained, rawLost += volume.rawLost;
    }
    double share() const { return significant / cells; }
    double spread() const { return std::sqrt(squares / seeds - std::pow(sum / seeds, 2)); }
    /// Ratio of the mean interval to the scatter of the net volumes; 1 is ideal.
    double width() const { return intervals / seeds / (1.96 * spread()); }
    std::string text() const {
        return fmt::format(
            "held {} of {}, significant {:.2f} %, net {:+.3f}, scatter {:.3f}, mean interval {:.3f} "
            "({:.2f} of 1.96 sigma), gained {:.2f} lost {:.2f}, raw {:.2f} and {:.2f}, {:.0f} cells",
            held, seeds, 100 * share(), sum / seeds, spread(), intervals / seeds, width(), gained / seeds,
            lost / seeds, rawGained / seeds, rawLost / seeds, cells / seeds);
    }
};

/// @param points, noises numbers of points and noise in metres, of the first and the second scan
Trial trialOf(const Ground& before, const Ground& after, std::array<std::size_t, 2> points,
              std::array<double, 2> noises, int seeds, double truth, double cell = 0) {
    const std::string name = fmt::format("{} {} {}", QTest::currentTestFunction(),
                                         QTest::currentDataTag() ? QTest::currentDataTag() : "", points[0]);
    auto random = seededRandom(name.c_str());
    for (const char letter : name)
        random.seed(random() + std::uint64_t(letter)); // each test gets different scans
    Trial trial;
    for (int seed = 0; seed < seeds; ++seed) {
        const PointCloud first = scanOf(before, points[0], noises[0], random()),
                         second = scanOf(after, points[1], noises[1], random());
        if (cell == 0)
            cell = changeOptionsFor(first, {}).cell;
        trial.add(cutAndFill(first, second, {cell, 0, {0, 0, 1}}, {}), truth);
    }
    std::printf("%s\n", trial.text().c_str());
    return trial;
}

constexpr int kSeeds = 400; // number of pairs of small scans

int seedsOfLargeScans() {
    const char* wanted = std::getenv("SCANLOUPE_CHANGE_SEEDS");
    return wanted ? std::max(1, std::atoi(wanted)) : 4;
}

/// Verifies that about 95 of 100 intervals contain the net volume, and that they are not wider than
/// necessary.
void requireHonest(const Trial& trial) {
    const double expected = 0.95 * trial.seeds; // fewer occur by chance in one of 200 trials
    const double fewest = expected - 2.6 * std::sqrt(0.05 * expected);
    QVERIFY2(trial.held >= int(fewest), trial.text().c_str());
    if (trial.seeds >= 100)
        QVERIFY2(trial.width() > 0.8 && trial.width() < 1.3, trial.text().c_str());
}

} // namespace

class TestCutAndFill : public QObject {
    Q_OBJECT
private slots:
    void unchangedGround_data() {
        QTest::addColumn<int>("ground");
        QTest::addColumn<int>("points");
        for (const int points : {4'000, 400'000}) {
            QTest::addRow("flat, %d points", points) << 0 << points;
            QTest::addRow("tilted, %d points", points) << 1 << points;
            QTest::addRow("rough, %d points", points) << 2 << points;
        }
    }
    void unchangedGround() {
        QFETCH(int, ground);
        QFETCH(int, points);
        const Ground grounds[] = {flat, tilted, rough};
        const auto count = std::size_t(points);
        const Trial trial = trialOf(grounds[ground], grounds[ground], {count, count}, {0.02, 0.02},
                                    points > 10'000 ? seedsOfLargeScans() : kSeeds, 0);
        requireHonest(trial);
        QVERIFY2(trial.share() > 0.04 && trial.share() < 0.06, trial.text().c_str());
        QVERIFY2(trial.gained + trial.lost < 0.25 * (trial.rawGained + trial.rawLost), trial.text().c_str());
    }

    void scansOfOtherNoiseAndDensity() {
        for (const auto& [points, noises] :
             {std::pair{std::array<std::size_t, 2>{20'000, 3'000}, std::array{0.005, 0.05}},
              std::pair{std::array<std::size_t, 2>{2'500, 30'000}, std::array{0.01, 0.04}}}) {
            const Trial trial = trialOf(tilted, tilted, points, noises, kSeeds, 0);
            requireHonest(trial);
            QVERIFY2(trial.share() > 0.04 && trial.share() < 0.06, trial.text().c_str());
        }
    }

    /// With one to four points in most cells, the estimated spread relies on the common prior.
    void cellsOfFewPoints() {
        const Trial trial = trialOf(tilted, tilted, {4'000, 4'000}, {0.02, 0.02}, kSeeds, 0, 1.5);
        requireHonest(trial);
        QVERIFY2(trial.share() > 0.04 && trial.share() < 0.06, trial.text().c_str());
    }

    void moundAndPit() {
        const std::size_t points = 400'000;
        const Trial trial =
            trialOf(rough, built, {points, points}, {0.01, 0.01}, seedsOfLargeScans(), kMound - kPit);
        requireHonest(trial);
        const double seeds = trial.seeds;
        // not exact, because 5 % of the unchanged ground is significant by chance
        const auto isCloser = [](double found, double raw, double truth) {
            return std::abs(found - truth) < 0.25 * std::abs(raw - truth) && std::abs(found - truth) < 0.5;
        };
        QVERIFY2(isCloser(trial.gained / seeds, trial.rawGained / seeds, kMound), trial.text().c_str());
        QVERIFY2(isCloser(trial.lost / seeds, trial.rawLost / seeds, kPit), trial.text().c_str());
    }

    void registrationErrorCountsForAllCellsAtOnce() {
        const PointCloud first = scanOf(flat, 20'000, 0.01, 1), second = scanOf(flat, 20'000, 0.01, 2);
        const CutAndFill without = cutAndFill(first, second, {2, 0, {0, 0, 1}}, {}),
                         with = cutAndFill(first, second, {2, 0.01, {0, 0, 1}}, {});
        QCOMPARE(with.net.value, without.net.value);
        QCOMPARE(with.net.uncertainty, std::hypot(without.net.uncertainty, 2 * 0.01 * with.area));
        QCOMPARE(with.meanDetection, without.meanDetection + 1.959963984540054 * 0.01);
        QCOMPARE(with.significant, std::uint64_t{0});
        QVERIFY(without.significant > 0);
        QCOMPARE(with.cells, std::uint64_t{900});
        QCOMPARE(with.area, 3600.0);
    }

    void anyAxisIsUp() {
        const PointCloud first = scanOf(rough, 5'000, 0.01, 1), second = scanOf(built, 5'000, 0.01, 2);
        const CutAndFill upright = cutAndFill(first, second, {3, 0, {0, 0, 1}}, {}),
                         upside = cutAndFill(first, second, {3, 0, {0, 0, -1}}, {});
        QCOMPARE(upside.gained.value, upright.lost.value);
        QCOMPARE(upside.lost.uncertainty, upright.gained.uncertainty);
        QCOMPARE(upside.net.value, -upright.net.value);
    }

    void pointsThatSayNothingOfTheirSpread() {
        // one point of each scan in each cell
        DoublePositions low{Buffer<Vec3d>::host(100)}, high{Buffer<Vec3d>::host(100)};
        for (std::size_t i = 0; i < 100; ++i) {
            low.xyz[i] = {double(i % 10) + 0.5, double(i / 10) + 0.5, 0};
            high.xyz[i] = low.xyz[i] + Vec3d{0, 0, 0.25};
        }
        const PointCloud first(std::move(low), {}, {}), second(std::move(high), {}, {});
        const CutAndFill volume = cutAndFill(first, second, {1, 0, {0, 0, 1}}, {});
        QCOMPARE(volume.cells, std::uint64_t{100});
        QCOMPARE(volume.judged, std::uint64_t{0});
        QCOMPARE(volume.net.value, 25.0);
        QCOMPARE(volume.rawGained, 25.0);
        QCOMPARE(volume.gained.value, 0.0);
        QVERIFY(std::isnan(volume.net.uncertainty) && std::isnan(volume.gained.uncertainty));
        // two points of each scan, which are fully explained by their common slope
        DoublePositions along{Buffer<Vec3d>::host(2)}, across{Buffer<Vec3d>::host(2)};
        along.xyz[0] = {0.25, 0.5, 0}, along.xyz[1] = {0.75, 0.5, 0.1};
        across.xyz[0] = {0.5, 0.25, 1}, across.xyz[1] = {0.5, 0.75, 1.2};
        const CutAndFill sloped = cutAndFill(PointCloud(std::move(along), {}, {}),
                                             PointCloud(std::move(across), {}, {}), {1, 0, {0, 0, 1}}, {});
        QCOMPARE(sloped.cells, std::uint64_t{1});
        QVERIFY(std::abs(sloped.net.value - 1.05) < 1e-9 && std::isnan(sloped.net.uncertainty));
        // a scan compared with itself, and with a higher scan without noise
        const CutAndFill same = cutAndFill(first, first, {3, 0, {0, 0, 1}}, {});
        QCOMPARE(same.net.value, 0.0);
        QCOMPARE(same.significant, std::uint64_t{0});
        const CutAndFill higher = cutAndFill(first, second, {5, 0, {0, 0, 1}}, {});
        QCOMPARE(higher.significant, std::uint64_t{4});
        QCOMPARE(higher.gained.value, 25.0);
    }

    /// A tilted plane without noise: rounding is not a change; where points are too few for a slope, the
    /// spread of their heights counts.
    void groundWithoutNoise() {
        const CutAndFill many =
            cutAndFill(scanOf(tilted, 4'000, 0, 1), scanOf(tilted, 4'000, 0, 2), {3, 0, {0, 0, 1}}, {});
        QCOMPARE(many.significant, std::uint64_t{0});
        QVERIFY(std::abs(many.net.value) < 1e-6 && many.net.uncertainty < 1e-5);
        const CutAndFill few =
            cutAndFill(scanOf(tilted, 300, 0, 1), scanOf(tilted, 300, 0, 2), {2.5, 0, {0, 0, 1}}, {});
        QVERIFY(few.judged < few.cells);
        QVERIFY2(std::abs(few.net.value) < few.net.uncertainty,
                 fmt::format("{} {}", few.net.value, few.net.uncertainty).c_str());
        QCOMPARE(few.significant, std::uint64_t{0});
    }

    void sameBytesOnAnyNumberOfThreads() {
        const PointCloud first = scanOf(rough, 50'000, 0.01, 1), second = scanOf(built, 50'000, 0.01, 2);
        const CutAndFill all = cutAndFill(first, second, {1, 0.001, {0, 0, 1}}, {});
        for (const std::size_t threads : {1, 3}) {
            const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                                    threads);
            const CutAndFill again = cutAndFill(first, second, {1, 0.001, {0, 0, 1}}, {});
            QVERIFY(again.net.value == all.net.value && again.net.uncertainty == all.net.uncertainty &&
                    again.gained.value == all.gained.value && again.lost.uncertainty == all.lost.uncertainty);
        }
    }

    void quantilesOfStudent() {
        const std::pair<double, double> table[] = {{1, 12.7062},  {2, 4.30265},  {3, 3.18245},
                                                   {4, 2.77645},  {5, 2.57058},  {8, 2.30600},
                                                   {10, 2.22814}, {30, 2.04227}, {100, 1.98397}};
        for (const auto& [freedom, quantile] : table)
            QVERIFY2(std::abs(studentQuantile95(freedom) / quantile - 1) < 0.003,
                     qPrintable(QString::number(freedom)));
        QVERIFY(std::abs(studentQuantile95(INFINITY) - 1.959964) < 1e-6);
        for (double n = 1; n < 10; n += 0.01)
            QVERIFY(studentQuantile95(n) > studentQuantile95(n + 0.01));
    }

    void spreadsOfGroupsAreFoundAgain() {
        auto random = seededRandom("spreadsOfGroupsAreFoundAgain");
        const auto chiSquared = [&](double freedom) {
            return std::gamma_distribution<double>(freedom / 2, 2)(random);
        };
        for (const double freedom : {4.0, 12.0, 1e9}) { // degrees of freedom of the common variance
            std::vector<NoiseSpread> groups;
            for (int i = 0; i < 20'000; ++i) {
                const double own = 1 + double(random() % 20);
                const double variance = freedom > 1e6 ? 9 : 9 * freedom / chiSquared(freedom);
                groups.push_back({variance * chiSquared(own) / own, own});
            }
            const SpreadPrior prior = spreadPrior(groups);
            if (freedom > 1e6)
                QVERIFY2(prior.common.freedom > 60, qPrintable(QString::number(prior.common.freedom)));
            else
                QVERIFY2(std::abs(prior.common.freedom / freedom - 1) < 0.2,
                         qPrintable(QString::number(prior.common.freedom)));
            QVERIFY2(std::abs(prior.common.variance / 9 - 1) < 0.05,
                     qPrintable(QString::number(prior.common.variance)));
        }
        QCOMPARE(spreadPrior({}).total, 0.0);
    }
};

SCANLOUPE_TEST(TestCutAndFill)
#include "test_cut_and_fill.moc"
