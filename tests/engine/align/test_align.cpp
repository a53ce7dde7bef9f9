// Alignment of a series of scans, through the engine and the command line.
#include "engine/align/align_scans.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/io/writers.h"
#include "kernels/core/devices.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/engine/io/test_io_support.h"

#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace fs = std::filesystem;

namespace {

constexpr double kDegree = std::numbers::pi / 180;

using CloudPtr = std::shared_ptr<const PointCloud>;

/// Frames of a generated drive, and their true poses relative to the first frame.
struct Drive {
    explicit Drive(std::uint64_t frames, std::uint64_t points, std::uint64_t step = 1) {
        const SyntheticDrive drive({}, frames, points);
        for (std::uint64_t f = 0; f < frames; f += step) {
            clouds.push_back(std::make_shared<const PointCloud>(drive.cloud(f, false, {})));
            truth.push_back(drive.pose(0).inverse() * drive.pose(f));
        }
    }
    std::vector<CloudPtr> clouds;
    std::vector<RigidTransform> truth;

    AlignJob job(AlignTo to) const {
        AlignJob job;
        job.scans.resize(clouds.size());
        job.params.to = to;
        job.read = [this](std::size_t i) { return clouds[i]; };
        return job;
    }
    double path() const {
        double length = 0;
        for (std::size_t i = 1; i < truth.size(); ++i)
            length += norm(truth[i].translation - truth[i - 1].translation);
        return length;
    }
};

/// The drive that several tests follow, generated once.
const Drive& driveOf100() {
    static const Drive drive(100, 16384);
    return drive;
}

double metresApart(const RigidTransform& a, const RigidTransform& b) {
    return norm(a.translation - b.translation);
}
double degreesApart(const RigidTransform& a, const RigidTransform& b) {
    return rotationAngle(a.inverse() * b) / kDegree;
}

/// The message of an EngineError or KernelError that `run` throws.
std::string sentenceOf(const std::function<void()>& run) {
    try {
        run();
    } catch (const Error& error) {
        return error.nextStep().empty() ? "no next step" : error.what();
    }
    return "no error";
}

} // namespace

class TestAlign : public QObject {
    Q_OBJECT
private slots:
    void posesOfADriveAreRecovered_data() {
        QTest::addColumn<int>("to");
        QTest::addColumn<double>("drift"); // allowed drift as a share of the path length
        QTest::newRow("to the map") << int(AlignTo::map) << 0.003;
        QTest::newRow("to the scan before") << int(AlignTo::previous) << 0.015;
        QTest::newRow("to the first scan") << int(AlignTo::first) << 0.003;
    }
    void posesOfADriveAreRecovered() {
        QFETCH(int, to);
        QFETCH(double, drift);
        const Drive& drive = driveOf100();
        const AlignOutcome outcome = alignScans(drive.job(AlignTo(to)), {});
        QCOMPARE(outcome.scans.size(), std::size_t(100));
        // frames from 19 m on hardly overlap the first one
        QVERIFY(outcome.countOf(PoseWord::right) >= (AlignTo(to) == AlignTo::first ? 65U : 100U));
        QCOMPARE(outcome.countOf(PoseWord::wrong), std::size_t(0));
        double worst = 0, turned = 0;
        for (std::size_t i = 0; i < 100; ++i) {
            worst = std::max(worst, metresApart(outcome.scans[i]->alignment.pose, drive.truth[i]));
            turned = std::max(turned, degreesApart(outcome.scans[i]->alignment.pose, drive.truth[i]));
        }
        const double end = metresApart(outcome.scans.back()->alignment.pose, drive.truth.back());
        std::printf("%s: %.1f m driven, at the end %.4f m off (%.3f %%), at most %.4f m and %.3f degrees\n",
                    QTest::currentDataTag(), drive.path(), end, 100 * end / drive.path(), worst, turned);
        QVERIFY(end < drift * drive.path());
        QVERIFY(worst < 2 * drift * drive.path());
        QVERIFY(turned < 1);
        QCOMPARE(outcome.trajectory().poses.size(), std::size_t(100));
    }

    void realPairsAgreeWithOtherPrograms_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("source");
        // name of a file, or a translation x y z and a rotation matrix
        QTest::addColumn<QString>("reference");
        QTest::addColumn<double>("yaw");
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        const QString a = "ndt/251370668.pcd", b = "ndt/251371071.pcd";
        QTest::newRow("street, fast_gicp") << a << b << "ndt/fast_gicp_relative.txt" << 0.0 << 0.0 << 0.0;
        QTest::newRow("street, small_gicp")
            << a << b << "ndt/small_gicp_T_target_source.txt" << 0.0 << 0.0 << 0.0;
        // the result of NDT in PCL 1.13 with an epsilon of 1e-4, refined by PCL's ICP
        QTest::newRow("room, looked for") << "ndt/room_scan1.pcd"
                                          << "ndt/room_scan2.pcd"
                                          << "" << 0.0 << 0.0 << 0.0;
        QTest::newRow("room, PCL") << "ndt/room_scan1.pcd"
                                   << "ndt/room_scan2.pcd"
                                   << "" << 0.6931 << 1.794 << 0.720;
    }
    void realPairsAgreeWithOtherPrograms() {
        QFETCH(QString, target);
        QFETCH(QString, source);
        QFETCH(QString, reference);
        QFETCH(double, yaw);
        QFETCH(double, x);
        QFETCH(double, y);
        SCANLOUPE_REAL_SCAN(first, target.toStdString());
        SCANLOUPE_REAL_SCAN(second, source.toStdString());
        RigidTransform expected{{{0.757097, -0.653101, 0.0162154},
                                 {0.652933, 0.757271, 0.014824},
                                 {-0.021961, -0.000636, 0.999759}},
                                {1.97772, 0.0608436, 0.024656}};
        if (!reference.isEmpty())
            expected = readTrajectory(scansFolder() / reference.toStdString()).poses.front();
        std::vector<RigidTransform> found;
        using Way = std::pair<AlignMethod, NdtNeighbours>;
        for (const auto& [method, neighbours] :
             {Way{AlignMethod::gicp, NdtNeighbours::direct7}, Way{AlignMethod::vgicp, NdtNeighbours::direct7},
              Way{AlignMethod::plane, NdtNeighbours::direct7}, Way{AlignMethod::ndt, NdtNeighbours::direct7},
              Way{AlignMethod::ndt, NdtNeighbours::direct27}}) {
            AlignJob job;
            job.scans = {first, second};
            job.params.method = method;
            job.params.ndt.neighbours = neighbours;
            if (x != 0)
                job.starts = {fromRollPitchYaw({0, 0, yaw}, {x, y, 0})};
            else if (reference.isEmpty())
                job.params.searchRadius = 3;
            job.read = [&](std::size_t i) { return readScan(job.scans[i], {}, {}); };
            const AlignOutcome outcome = alignScans(job, {});
            QVERIFY(outcome.scans[1]->alignment.ndt.converged());
            found.push_back(outcome.scans[1]->alignment.pose);
            std::printf("%s, method %d: %.4f m and %.3f degrees from the reference\n",
                        QTest::currentDataTag(), int(method), metresApart(found.back(), expected),
                        degreesApart(found.back(), expected));
            QVERIFY(metresApart(found.back(), expected) < 0.05);
            QVERIFY(degreesApart(found.back(), expected) < 1);
            QVERIFY(metresApart(found.back(), found.front()) < 0.03);
            QVERIFY(degreesApart(found.back(), found.front()) < 0.5);
        }
    }

    void aSearchFindsADistantPose_data() {
        QTest::addColumn<double>("far");
        QTest::newRow("around the origin") << 0.0;
        QTest::newRow("in coordinates of a country") << 5403550.0;
    }
    void aSearchFindsADistantPose() {
        QFETCH(double, far);
        const Drive drive(100, 16384, 40); // steps of 10 m
        const RigidTransform place = fromRollPitchYaw({}, {far / 10, far, 0});
        const RigidTransform turn = fromRollPitchYaw({0, 0, 2.5}, {1, -1, 0});
        const auto moved = [](const CloudPtr& cloud, const RigidTransform& to) {
            const std::vector<PosedCloud> one{{cloud, to}};
            return std::make_shared<const PointCloud>(mergeClouds(one, {}, {}));
        };
        AlignJob job = drive.job(AlignTo::first);
        job.scans.resize(2);
        job.read = [&](std::size_t i) -> CloudPtr {
            return i == 0 ? moved(drive.clouds[0], place) : moved(drive.clouds[1], place * turn);
        };
        const RigidTransform truth = place * drive.truth[1] * (place * turn).inverse();
        const Vec3d middle = place.translation;
        const auto off = [&](const AlignOutcome& outcome) {
            return norm(outcome.scans[1]->alignment.pose(middle) - truth(middle));
        };
        QVERIFY(off(alignScans(job, {})) > 5); // without a search, the pose is wrong
        job.params.searchRadius = 25;
        const AlignOutcome found = alignScans(job, {});
        QVERIFY(off(found) < 0.05);
        QVERIFY(degreesApart(found.scans[1]->alignment.pose, truth) < 0.3);
    }

    void theDeviceFindsTheSamePoses() {
        SCANLOUPE_NEEDS_CUDA();
        const Drive drive(100, 16384, 25);
        for (const AlignTo to : {AlignTo::first, AlignTo::map}) {
            AlignJob job = drive.job(to);
            job.params.method = AlignMethod::ndt; // the device computes in single precision
            job.params.ndt.epsilon = 1e-8;
            job.params.searchRadius = 8;
            const AlignOutcome cpu = alignScans(job, {});
            job.backend = Backend::cuda;
            const AlignOutcome cuda = alignScans(job, {});
            for (std::size_t i = 0; i < cpu.scans.size(); ++i) {
                const ScanAlignment &here = cpu.scans[i]->alignment, &there = cuda.scans[i]->alignment;
                QCOMPARE(int(there.verdict.word), int(here.verdict.word));
                QVERIFY2(metresApart(there.pose, here.pose) < 1e-4,
                         qPrintable(QString("scan %1: %2 m").arg(i).arg(metresApart(there.pose, here.pose))));
            }
            job.params.searchRadius = 0;
            job.starts = drive.truth;
            const AlignOutcome near = alignScans(job, {});
            for (std::size_t i = 0; i < near.scans.size(); ++i)
                QVERIFY(metresApart(near.scans[i]->alignment.pose, drive.truth[i]) < 0.05);
        }
    }

    void shiftsOfLargeCoordinatesAreToldAmidTheScan() {
        Drive drive = driveOf100();
        drive.clouds.resize(2);
        const Vec3d far{2'600'123, 1'200'456, 412};
        std::vector<CloudPtr> clouds;
        for (const CloudPtr& near : drive.clouds) {
            std::vector<Vec3d> points;
            for (std::size_t i = 0; i < near->size(); ++i)
                points.push_back(near->position(i) + far);
            clouds.push_back(std::make_shared<const PointCloud>(DoublePositions{hostCopy(std::span(points))},
                                                                std::vector<Attribute>{}, std::stop_token{}));
        }
        AlignJob job = drive.job(AlignTo::first);
        job.read = [&](std::size_t i) { return clouds[i]; };
        const AlignOutcome outcome = alignScans(job, {});
        const ScanAlignment& found = outcome.scans[1]->alignment;
        QVERIFY(found.placed());
        const Vec3d amid = found.reference - far;
        const Vec3d expected = drive.truth[1](amid) - amid;
        // near the origin, the shift is the translation of the pose
        const AlignOutcome nearby = alignScans(drive.job(AlignTo::first), {});
        const ScanAlignment& near = nearby.scans[1]->alignment;
        QVERIFY2(
            norm(found.shift() - expected) < 0.1,
            qPrintable(QString("%1 m apart of %2").arg(norm(found.shift() - expected)).arg(norm(expected))));
        QVERIFY(near.shift() == near.pose.translation);
    }

    void givenStartsAreUsed() {
        const Drive drive(100, 16384, 33); // steps of 8.5 m: too far apart without start poses
        AlignJob job = drive.job(AlignTo::first);
        job.starts = drive.truth;
        for (RigidTransform& start : job.starts)
            start.translation.x += 0.2;
        job.starts.front() = fromRollPitchYaw({}, {100, 0, 0}); // the first start moves the whole drive
        for (std::size_t i = 1; i < job.starts.size(); ++i)
            job.starts[i] = job.starts.front() * job.starts[i];
        const AlignOutcome outcome = alignScans(job, {});
        for (std::size_t i = 0; i < outcome.scans.size(); ++i)
            QVERIFY(metresApart(outcome.scans[i]->alignment.pose, job.starts.front() * drive.truth[i]) < 0.1);
    }

    void scansAreSharedOut() {
        const Drive& drive = driveOf100();
        AlignJob job = drive.job(AlignTo::first);
        job.starts = drive.truth;
        for (RigidTransform& start : job.starts)
            start.translation.x += 0.2;
        const auto read = job.read;
        job.read = [&](std::size_t i) {
            if (i == 2)
                throw EngineError("the scan is broken", "Mend it.");
            return read(i);
        };
        const AlignOutcome one = alignScans(job, {});
        std::vector<std::size_t> order;
        job.onAligned = [&](std::size_t i, const AlignedScanPtr&) { order.push_back(i); };
        job.workers = {{}, {}, {}};
        const AlignOutcome shared = alignScans(job, {});
        QVERIFY(shared.givenUp.empty());
        QCOMPARE(shared.scans.size(), one.scans.size());
        for (std::size_t i = 0; i < one.scans.size(); ++i) {
            QCOMPARE(shared.scans[i]->problem, one.scans[i]->problem);
            QCOMPARE(shared.scans[i]->failed, i == 2);
            QVERIFY(shared.scans[i]->alignment.pose == one.scans[i]->alignment.pose);
            QCOMPARE(order.at(i), i);
        }
        QVERIFY(shared.params == one.params);
        job.onAligned = {};
        job.workers = {{7}, {}}; // the host replaces the missing device 7
        for (int device = 0; device < deviceCount(); ++device)
            job.workers.push_back({device});
        const AlignOutcome mixed = alignScans(job, {});
        QCOMPARE(mixed.givenUp.size(), std::size_t(1));
        for (std::size_t i = 0; i < one.scans.size(); ++i)
            QVERIFY(metresApart(mixed.scans[i]->alignment.pose, one.scans[i]->alignment.pose) < 1e-4);
        job.params.searchRadius = -1; // invalid for every scan, so the whole job fails
        QVERIFY_EXCEPTION_THROWN(alignScans(job, {}), EngineError);
        job.params.searchRadius = 0;
        job.params.to = AlignTo::map;
        QVERIFY_EXCEPTION_THROWN(alignScans(job, {}), EngineError);
    }

    void aScanWithoutAPlaceIsLeftOut() {
        const Drive& drive = driveOf100();
        AlignJob job = drive.job(AlignTo::map);
        job.scans.resize(8);
        job.keepClouds = true;
        const std::vector<Vec3f> far(500, {900, 900, 900});
        const PointCloud elsewhere(FloatPositions{hostCopy(std::span(far))}, {}, {});
        std::size_t told = 0;
        job.onAligned = [&](std::size_t i, const AlignedScanPtr& scan) {
            QCOMPARE(i, told++);
            QCOMPARE(scan->problem.empty(), i != 3 && i != 5);
        };
        job.read = [&](std::size_t i) -> CloudPtr {
            if (i == 3)
                throw EngineError("'f.ply' is broken", "Take another.");
            return i == 5 ? CloudPtr(CloudPtr(), &elsewhere) : drive.clouds[i];
        };
        const AlignOutcome outcome = alignScans(job, {});
        QCOMPARE(told, std::size_t(8));
        QCOMPARE(outcome.failedCount(), std::size_t(1));
        QCOMPARE(outcome.countOf(PoseWord::wrong), std::size_t(1));
        QCOMPARE(outcome.scans[5]->alignment.verdict.reason, PoseReason::noPose);
        QCOMPARE(outcome.scans[3]->problem, std::string("'f.ply' is broken"));
        QCOMPARE(outcome.scans[5]->alignment.ndt.end, NdtEnd::noOverlap);
        QCOMPARE(outcome.posedClouds(false).size(), std::size_t(6));
        QCOMPARE(outcome.posedClouds(true).size(), std::size_t(6));
        for (const std::size_t i : {2, 4, 6, 7}) // the predicted motion bridges the gaps at scans 3 and 5
            QVERIFY(metresApart(outcome.scans[i]->alignment.pose, drive.truth[i]) < 0.05);
        // scan 3 has its predicted pose
        QVERIFY(metresApart(outcome.scans[3]->alignment.pose, drive.truth[3]) < 0.05);
    }

    void whatCantBeAlignedIsReported() {
        const Drive drive(4, 4096);
        const auto sentence = [&](const std::function<void(AlignJob&)>& change) {
            AlignJob job = drive.job(AlignTo::map);
            change(job);
            return sentenceOf([&] { alignScans(job, {}); });
        };
        const auto has = [](const std::string& text, const char* words) {
            return text.find(words) != std::string::npos;
        };
        QVERIFY(has(sentence([](AlignJob& job) { job.scans.clear(); }), "got 0"));
        QVERIFY(has(sentence([](AlignJob& job) { job.scans.resize(1); }), "got 1"));
        QVERIFY(has(sentence([](AlignJob& job) { job.starts.resize(3); }),
                    "initial poses (3) must be 1 or the number of scans (4)"));
        const auto nothing =
            std::make_shared<const PointCloud>(FloatPositions{}, std::vector<Attribute>{}, std::stop_token{});
        QVERIFY(has(sentence([&](AlignJob& job) { job.read = [&](std::size_t) { return nothing; }; }),
                    "first scan has no extent"));
        for (const double resolution : {-1.0, 0.0, std::nan("")})
            QVERIFY(sentence([&](AlignJob& job) { job.params.resolution = resolution; }) != "no error");
        QVERIFY(has(sentence([](AlignJob& job) { job.params.searchRadius = -1; }), "1000 m (got -1)"));
        QVERIFY(has(sentence([](AlignJob& job) { job.params.thinning = -1; }), "at least 0 (got -1)"));
        QVERIFY(sentence([&](AlignJob& job) { job.params.ndt.maxIterations = -1; }) != "no error");
    }

    void alignmentCanBeCancelled() {
        const Drive drive(4, 4096);
        std::stop_source stop;
        AlignJob job = drive.job(AlignTo::map);
        job.onAligned = [&](std::size_t i, const AlignedScanPtr&) {
            if (i == 1)
                stop.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN(alignScans(job, stop.get_token()), Cancelled);
    }

    void theCommandLineWritesPosesAndOneCloud() {
        const Scratch scratch;
        const auto at = [&](const char* name) { return (scratch / name).string(); };
        QCOMPARE(
            cli({"synth", at("f.ply"), "--frames", "100", "--points", "16384", "--poses", at("truth.tum")})
                .code,
            0);
        std::vector<std::string> arguments{"align"};
        for (int i = 1; i <= 6; ++i)
            arguments.push_back(at(fmt::format("f_{:04}.ply", i).c_str()));
        const std::vector<std::string> six = arguments;
        arguments.insert(arguments.end(), {"--poses", at("poses.txt"), "--merged", at("all.ply"), "--json"});
        const CliResult result = cli(arguments);
        QVERIFY2(result.code == 0, result.err.c_str());
        const Json json = Json::parse(result.out);
        QVERIFY(json["to"] == "map");
        QCOMPARE(json["scans"].size(), std::size_t(6));
        const Json& last = json["scans"][5];
        QVERIFY(last["placed"].get<bool>() && last["ndt"]["converged"].get<bool>());
        QVERIFY(json["method"] == "gicp" && last["ndt"]["iteration"].empty());
        QCOMPARE(last["ndt"]["covariance"].size(), std::size_t(6));
        const Trajectory truth = readTrajectory(at("truth.tum")), poses = readTrajectory(at("poses.txt"));
        QCOMPARE(truth.poses.size(), std::size_t(100));
        QCOMPARE(poses.poses.size(), std::size_t(6));
        QVERIFY(metresApart(poses.poses[5], truth.poses[5]) < 0.05);
        QCOMPARE(last["pose"][0][3].get<double>(), poses.poses[5].translation.x);
        const CloudPtr merged = readScan(at("all.ply"), {}, {});
        QCOMPARE(merged->size(), std::size_t(6 * 16384));
        QVERIFY(merged->attribute("scan") && merged->attribute("sensor_x"));

        QVERIFY(fs::create_directory(scratch / "six"));
        for (std::size_t i = 1; i < six.size(); ++i)
            fs::rename(six[i], scratch / "six" / fs::path(six[i]).filename());
        const CliResult run = cli({"run", at("six"), "--poses", at("poses.txt"), "--voxel-size", "0.3",
                                   "--mesh", at("six.ply"), "--timings", at("t.json")});
        QVERIFY2(run.code == 0, run.err.c_str());
        QVERIFY(fs::exists(at("six.ply")));
        QVERIFY(readFile(at("t.json")).find("98304") != std::string::npos); // the points of all six scans
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", at("six"), "--poses", at("truth.tum")}), "100 poses");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", at("all.ply"), "--poses", at("poses.txt")}), "folder");

        arguments = {"align", at("six")};
        arguments.insert(arguments.end(), {"--start-poses", at("poses.txt"), "--to", "first"});
        const CliResult table = cli(arguments);
        QVERIFY2(table.code == 0, table.err.c_str());
        QVERIFY(table.out.find("f_0006.ply") != std::string::npos &&
                table.out.find("overlap") != std::string::npos);
    }

    void theCommandLineReportsADoubtfulPose() {
        const Scratch scratch;
        const auto at = [&](const char* name) { return (scratch / name).string(); };
        QCOMPARE(cli({"synth", at("f.ply"), "--frames", "100", "--points", "16384"}).code, 0);
        const std::string first = at("f_0001.ply"), second = at("f_0002.ply"), far = at("f_0041.ply"),
                          apart = at("f_0021.ply");
        const CliResult right = cli({"align", first, second, "--json", "--merged", at("right.ply")});
        QCOMPARE(right.code, int(exitOk));
        QVERIFY(fs::exists(at("right.ply")));
        const Json verdict = Json::parse(right.out)["scans"][1]["verdict"];
        QVERIFY(verdict["word"] == "right" && verdict["chance"].get<double>() > 0.99);
        QVERIFY(verdict["evidence"]["agreement"].get<double>() > 0.8);

        // the final pose is right, but the iteration ended before convergence
        std::vector<std::string> stopped{"align", first,       second, "--max-iterations",
                                         "4",     "--epsilon", "1e-9"};
        const auto with = [&](std::vector<std::string> more) {
            more.insert(more.begin(), stopped.begin(), stopped.end());
            return cli(more);
        };
        const CliResult table = with({"--merged", at("m.ply"), "--poses", at("p.txt")});
        QCOMPARE(table.code, int(exitDoubtful));
        QVERIFY2(table.out.find("doubtful: it was stopped") != std::string::npos, table.out.c_str());
        QVERIFY(table.err.find("1 is doubtful") != std::string::npos);
        QVERIFY(table.err.find("--max-iterations") != std::string::npos);
        QVERIFY(table.err.find("--merge-doubtful") != std::string::npos);
        QVERIFY(!fs::exists(at("m.ply")));
        // the poses are written nevertheless
        QCOMPARE(readTrajectory(at("p.txt")).poses.size(), std::size_t(2));
        // with an unreadable scan in addition, its failure determines the exit code, and the doubtful pose is
        // still reported
        const CliResult both = with({at("none.ply"), "--merged", at("m.ply")});
        QCOMPARE(both.code, int(exitUserError));
        QVERIFY2(both.err.find("--merge-doubtful") != std::string::npos, both.err.c_str());
        QVERIFY(!fs::exists(at("m.ply")));
        const CliResult json = with({"--json", "--merged", at("m.ply"), "--merge-doubtful"});
        QCOMPARE(json.code, int(exitDoubtful));
        QCOMPARE(readScan(at("m.ply"), {}, {})->size(), std::size_t(2 * 16384));
        const Json scan = Json::parse(json.out)["scans"][1];
        QVERIFY(!scan["placed"].get<bool>() && !scan["ndt"]["converged"].get<bool>());
        QVERIFY(scan["verdict"]["word"] == "doubtful");
        QVERIFY(scan["verdict"]["next_step"].get<std::string>().find("--search") != std::string::npos);

        const CliResult wrong =
            cli({"align", first, far, "--json", "--merged", at("w.ply"), "--merge-doubtful"});
        QCOMPARE(wrong.code, int(exitDoubtful));
        QVERIFY(Json::parse(wrong.out)["scans"][1]["verdict"]["word"] == "wrong");
        // the scan with the wrong pose is left out
        QCOMPARE(readScan(at("w.ply"), {}, {})->size(), std::size_t(16384));
        QVERIFY2(wrong.err.find("does not contain 1 scan with a wrong pose") != std::string::npos,
                 wrong.err.c_str());
        const CliResult text = cli({"align", first, far, "--merged", at("w.ply"), "--merge-doubtful"});
        QVERIFY2(text.out.find("16,384 points of 1 of 2 scans") != std::string::npos, text.out.c_str());
        // without a search, this start does not converge; a search around it finds the pose
        const std::vector<std::string> begun{"align", first, apart, "--start=4,2,0,0,0,120", "--json"};
        QCOMPARE(cli(begun).code, int(exitDoubtful));
        std::vector<std::string> searched = begun;
        searched.insert(searched.end(), {"--search", "3"});
        const CliResult found = cli(searched);
        QVERIFY2(found.code == exitOk, found.err.c_str());
        QVERIFY(Json::parse(found.out)["scans"][1]["verdict"]["evidence"].contains("alternatives"));
    }

    void theCommandLineReportsErrors() {
        const CliFixture f(5000);
        SCANLOUPE_VERIFY_USER_ERROR(cli({"align", f.scan()}), "at least 2 scans (got 1)");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"align", f.scan(), f.path("none.ply")}), "could not be aligned");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"align", f.path("none.ply"), f.scan()}), "none.ply");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"align", f.scan(), f.scan(), "--start", "1,2"}),
                                    "3 or 6 numbers (got 2)");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"align", f.scan(), f.scan(), "--poses", f.scan()}), "scan.ply");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"align", f.scan(), f.scan(), "--merged", f.path("a.stl")}), ".stl");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"align", f.scan(), f.scan(), "--start-poses", f.path("no.txt")}),
                                    "no.txt");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"align", f.scan(), f.scan(), "--resolution", "-1"}), "resolution");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"synth", f.path("s.ply"), "--poses", f.path("p.txt")}), "--frames");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"synth", f.path("s.ply"), "--frames", "1000000000"}), "frames");
    }
};

SCANLOUPE_TEST(TestAlign)
#include "test_align.moc"
