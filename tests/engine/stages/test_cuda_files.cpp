// CUDA files as layers: colours, values and fields; files that are rejected or stopped, and systems without a
// GPU.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/edit/cuda_files.h"
#include "engine/edit/edit_list.h"
#include "engine/edit/edits_json.h"
#include "engine/io/volume/read_volume.h"
#include "engine/results/same_results.h"
#include "engine/results/snapshot.h"
#include "engine/stages/edit.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTest>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr Vec3d kUp{0, 0, 1};

/// The edits with a file over all points.
Edits withFile(Edits edits, const std::string& source, const std::string& name = "blend.cu") {
    edits.selection.steps = {stepOf(SetOperation::replace, InvertRegion{})};
    edits = withLayer(std::move(edits), cudaFileAction("/tmp/" + name, source, kUp), name);
    edits.selection = {};
    return edits;
}

/// Edits with a file for a field. `slope` is the change of the field per metre inwards.
Edits withFieldFile(Edits edits, const std::string& source, double level, double slope) {
    CudaFileAction action = cudaFileAction("/tmp/body.cu", source, kUp);
    action.level = level;
    action.slope = slope;
    edits.layers.push_back(std::make_shared<const EditLayer>(EditLayer{"body.cu", false, {}, action}));
    return edits;
}

/// A grid of cubes to paint in.
std::shared_ptr<const Volume> emptyGrid(int nodes, float edge) {
    Volume grid;
    grid.lattice = {{}, {edge, edge, edge}, {nodes, nodes, nodes}};
    return std::make_shared<const Volume>(std::move(grid));
}

/// The error message of a rejected run; empty: it succeeded.
QString refusalOf(Run& run) {
    try {
        run(kNoPicture);
    } catch (const EngineError& error) {
        return QString::fromStdString(error.what()) + " " + QString::fromStdString(error.nextStep());
    }
    return {};
}

} // namespace

class TestCudaFiles : public QObject {
    Q_OBJECT
private slots:
    void functionsAreFound() {
        const CudaFileAction blend = cudaFileAction(
            "/tmp/a/blend.cu",
            "// float value(Point p)\n/* field(Node */ __device__ float3 colour(Point p) { }", kUp);
        QCOMPARE(blend.file.function, CudaFunction::colour);
        QCOMPARE(blend.file.name(), std::string("blend.cu"));
        const CudaFileAction value =
            cudaFileAction("my value.cu", "__device__ float value ( const Point& p) { return 1; }", kUp);
        QCOMPARE(value.file.function, CudaFunction::value);
        QCOMPARE(value.attribute, std::string("my_value"));
        std::string apart = "__device__ float value";
        for (int i = 0; i < 100'000; ++i)
            apart += "/**/";
        QCOMPARE(cudaFileAction("a.cu", apart + "(Point p) { return 1; }", kUp).file.function,
                 CudaFunction::value);
        QVERIFY_EXCEPTION_THROWN(cudaFileAction("a.cu", "__device__ float other(Point p) { return 1; }", kUp),
                                 EngineError);
        QVERIFY_EXCEPTION_THROWN(cudaFileAction("a.cu", "float value(Point p); float field(Node n);", kUp),
                                 EngineError);
    }

    void newFilesHaveTheirFunction() {
        for (const CudaFunction function : {CudaFunction::colour, CudaFunction::value, CudaFunction::field}) {
            const std::string source = cudaFileTemplate(function, nullptr);
            QCOMPARE(cudaFileAction("new.cu", source, kUp).file.function, function);
        }
    }

    void areKeptAsJson() {
        Edits edits = withFile({}, "__device__ float value(Point p) { return 1; } // \xff\"\\");
        edits = withFile(std::move(edits), "__device__ float3 colour(Point p) { return {}; }");
        edits = withFieldFile(std::move(edits), "__device__ float field(Node n) { return 1; }", 0.5, -2);
        QVERIFY(editsFromJson(nlohmann::ordered_json::parse(toJson(edits, nullptr).dump()), nullptr) ==
                edits);
        auto json = toJson(edits, nullptr);
        auto other = json;
        other["layers"][0]["action"]["function"] = "other";
        QVERIFY_EXCEPTION_THROWN(editsFromJson(other, nullptr), EngineError);
        json["layers"][0]["action"]["source"] = std::string(kMaxCudaFileBytes + 1, ' ');
        QVERIFY_EXCEPTION_THROWN(editsFromJson(json, nullptr), EngineError);
    }

    void aMachineWithoutGpuSaysSo() {
        Run run(bumpyCloud(5000));
        const Snapshot before = run();
        run.recipe.edits = withFile({}, "__device__ float value(Point p) { return 1; }");
        QVERIFY2(refusalOf(run).contains("blend.cu needs a GPU"), qPrintable(refusalOf(run)));
        run.recipe.edits = withFieldFile({}, "__device__ float field(Node n) { return 1; }", 0, 1);
        QVERIFY2(refusalOf(run).contains("body.cu needs a GPU"), qPrintable(refusalOf(run)));
        run.recipe.edits =
            withChangedLayer(run.recipe.edits, 0, [](EditLayer& layer) { layer.isHidden = true; });
        QVERIFY(compareResults(before, run(), {}).isIdentical());
    }

    /// Code paths without approval are rejected.
    void codeThatWasNotApprovedIsRefused() {
        SCANLOUPE_NEEDS_CUDA();
        Pipeline pipeline(chooseBackend(Backend::cuda));
        pipeline.setInput(bumpyCloud(5000), 0);
        Recipe recipe;
        for (const Edits& edits : {withFile({}, "__device__ float value(Point p) { return 1; }"),
                                   withFieldFile({}, "__device__ float field(Node n) { return 1; }", 0, 1)}) {
            recipe.edits = edits;
            const auto trusted = std::make_shared<TrustedCode>();
            for (const auto& code : {std::shared_ptr<TrustedCode>(), trusted}) {
                pipeline.setTrustedCode(code);
                try {
                    static_cast<void>(pipeline.run(recipe, kNoPicture, {}));
                    QFAIL("code ran that was not approved");
                } catch (const EngineError& error) {
                    QVERIFY2(QString(error.what()).contains("was not approved"), error.what());
                }
            }
            trusted->add(std::get<CudaFileAction>(recipe.edits.layers[0]->action).file.source);
            static_cast<void>(pipeline.run(recipe, kNoPicture, {}));
        }
    }

    /// The limit of two seconds applies to each thread: many may take longer together.
    void eachThreadHasItsTime() {
        SCANLOUPE_NEEDS_CUDA();
        Run run(emptyGrid(400, 0.1f), Backend::cuda);
        run.recipe.iso = 0;
        const std::string field = "__device__ float field(Node n) {\n float s = n.x;\n"
                                  " for (int i = 0; i < COUNT; ++i) s = s * 0.999f + sinf(s);\n"
                                  " return s > 1e30f ? 1 : n.depth; }";
        // doubles the work until it takes longer than two seconds in total
        for (int count = 1000;; count *= 2) {
            std::string source = field;
            source.replace(source.find("COUNT"), 5, std::to_string(count));
            run.recipe.edits = withFieldFile({}, source, 0, 1);
            QElapsedTimer clock;
            clock.start();
            static_cast<void>(run(kNoPicture));
            qInfo("%d turns: %lld ms", count, static_cast<long long>(clock.elapsed()));
            if (clock.elapsed() > 4000)
                break;
        }
    }

    /// A launch of many threads ends soon after cancellation, even where each takes about a second.
    void launchesAreCancelled() {
        SCANLOUPE_NEEDS_CUDA();
        Pipeline pipeline(chooseBackend(Backend::cuda));
        pipeline.setInput(emptyGrid(400, 0.1f), 0);
        const auto trusted = std::make_shared<TrustedCode>();
        pipeline.setTrustedCode(trusted);
        Recipe recipe;
        recipe.iso = 0;
        // the first nodes are fast, so that launches become large before they reach the slow ones
        recipe.edits = withFieldFile({},
                                     "__device__ float field(Node n) {\n float s = n.x;\n"
                                     " if (n.z > 20) for (int i = 0; i < 3000000; ++i)\n"
                                     "  s = s * 0.999f + sinf(s);\n"
                                     " return s > 1e30f ? 1 : n.depth; }",
                                     0, 1);
        trusted->add(std::get<CudaFileAction>(recipe.edits.layers[0]->action).file.source);
        std::stop_source stop;
        QElapsedTimer sinceStop;
        const std::jthread canceller([&] {
            std::this_thread::sleep_for(std::chrono::seconds(3));
            sinceStop.start();
            stop.request_stop();
        });
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(pipeline.run(recipe, kNoPicture, stop.get_token())),
                                 Cancelled);
        qInfo("%lld ms after the stop", static_cast<long long>(sinceStop.elapsed()));
        QVERIFY(sinceStop.isValid() && sinceStop.elapsed() < 2500);
    }

    /// Calls without loops are limited like loops.
    void callsWithoutLoopsAreStopped() {
        SCANLOUPE_NEEDS_CUDA();
        std::string source = "__device__ __noinline__ float f0(float x) { return sinf(x); }\n";
        for (int i = 1; i <= 40; ++i)
            source += "__device__ __noinline__ float f" + std::to_string(i) + "(float x) { return f" +
                      std::to_string(i - 1) + "(x) + f" + std::to_string(i - 1) + "(x + 1); }\n";
        Run run(bumpyCloud(5000), Backend::cuda);
        run.recipe.edits = withFile({}, source + "__device__ float value(Point p) { return f40(p.x); }");
        QElapsedTimer clock;
        clock.start();
        QVERIFY2(refusalOf(run).contains("ran longer than two seconds"), qPrintable(refusalOf(run)));
        QVERIFY(clock.elapsed() < 20'000);
    }

    /// Code that would stop all kernels of the program only stops itself.
    void badCodeHarmsNothing() {
        SCANLOUPE_NEEDS_CUDA();
        Run run(bumpyCloud(5000), Backend::cuda);
        const Snapshot before = run(kNoPicture);
        for (const char* source :
             {"__device__ float value(Point p) { char a[64]; for (int i = 0; i < 64; ++i) a[i] = char(p.x * "
              "i); "
              "return *(int*)(a + 1 + (int(p.y) & 2)); }",
              "__device__ float value(Point p) { if (p.x == p.x) __builtin_unreachable(); return 1; }",
              "__device__ float value(Point p) { float x = p.x; switch (int(p.x * 100)) { case 0: x = "
              "sinf(x); "
              "break; case 1: x = 5 / x; break; case 2: x = cosf(x); break; case 3: x = x * x; break; case "
              "4: x += "
              "8; break; case 5: x = sqrtf(x); break; default: __builtin_unreachable(); } return x; }"}) {
            run.recipe.edits = withFile({}, source);
            qInfo("%s", qPrintable(refusalOf(run)));
            run.recipe.edits = {};
            const ResultDifference difference = compareResults(before, run(kNoPicture), {});
            QVERIFY(difference.sameVoxels && difference.sameMesh);
            run.recipe.edits = withFile({}, "__device__ float value(Point p) { return 7; }", "seven.cu");
            QCOMPARE(run(kNoPicture).cloud->attribute("seven")->value(0), 7.0);
        }
    }

    void pointsGetColours() {
        SCANLOUPE_NEEDS_CUDA();
        const auto cloud = classedStreet(30'000);
        Run run(cloud, Backend::cuda);
        run.set("colour_by", "rgb");
        run.recipe.edits = withFile({}, R"(
            __device__ float3 colour(Point p) {
                if (p.height < 1)
                    return make_float3(NAN, NAN, NAN);
                return make_float3(p.classification / 2, p.intensity, 2);
            })");
        const Snapshot painted = run();
        const Attribute &red = *painted.cloud->attribute("red"), &green = *painted.cloud->attribute("green"),
                        &blue = *painted.cloud->attribute("blue");
        std::size_t count = 0;
        for (std::size_t i = 0; i < cloud->size(); ++i) {
            const bool isPainted = cloud->position(i).z >= 1;
            count += isPainted;
            if (!isPainted)
                continue;
            QCOMPARE(red.value(i), std::round(double(i % 3) / 2 * 255));
            QVERIFY(std::abs(green.value(i) - 255 * cloud->attribute("intensity")->value(i)) <= 0.51);
            QCOMPARE(blue.value(i), 255.0);
        }
        QVERIFY(count > 1000 && count < cloud->size());
    }

    void pointsGetValues() {
        SCANLOUPE_NEEDS_CUDA();
        const auto cloud = classedStreet(30'000);
        Run run(cloud, Backend::cuda);
        const Snapshot before = run();
        run.recipe.edits =
            withFile({}, "__device__ float value(Point p) { return p.x + 2 * p.height; }", "sum.cu");
        run.set("colour_by", "sum");
        const Snapshot computed = run();
        const Attribute& sum = *computed.cloud->attribute("sum");
        for (std::size_t i = 0; i < cloud->size(); ++i)
            QVERIFY(std::abs(sum.value(i) - (cloud->position(i).x + 2 * cloud->position(i).z)) < 1e-3);
        // a later layer selects by the new values; a layer for selected points leaves the others unchanged
        Edits edits =
            withStep(run.recipe.edits, stepOf(SetOperation::replace, AttributeRegion{"sum", 5, 1e9}));
        edits =
            withLayer(std::move(edits),
                      cudaFileAction("sum.cu", "__device__ float value(Point p) { return -7; }", kUp), "sum");
        run.recipe.edits = edits;
        const Snapshot twice = run(kNoPicture);
        for (std::size_t i = 0; i < cloud->size(); ++i)
            QCOMPARE(twice.cloud->attribute("sum")->value(i), sum.value(i) >= 5 ? -7.0 : sum.value(i));
        run.recipe.edits = {};
        run.set("colour_by", "auto");
        QVERIFY(compareResults(before, run(), {}).isIdentical());
    }

    /// Infinite loops and out-of-bounds accesses are stopped, and the device remains usable.
    void faultsAreStopped() {
        SCANLOUPE_NEEDS_CUDA();
        Run run(classedStreet(200'000), Backend::cuda);
        const Snapshot before = run();
        const auto refusal = [&](const char* source) {
            run.recipe.edits = withFile({}, source);
            QElapsedTimer timer;
            timer.start();
            const QString message = refusalOf(run);
            std::printf("%lld ms: %s\n", static_cast<long long>(timer.elapsed()), qPrintable(message));
            if (timer.elapsed() > 8000)
                return QStringLiteral("too slow: ") + message;
            return message;
        };
        QVERIFY(
            refusal("__device__ float value(Point p) {\n float s = 1;\n while (s > 0)\n  s += p.x * p.x;\n"
                    " return s; }")
                .contains(QRegularExpression("line [34]: the code ran longer")));
        QVERIFY(refusal("__device__ float value(Point p) {\n float s = 1;\nagain:\n s = s * 2 + sinf(s);\n "
                        "if (s != 3) "
                        "goto again;\n return s; }")
                    .contains("ran longer than two seconds"));
        QVERIFY(refusal("__device__ float value(Point p) {\n float a[4] = {1, 2, 3, 4};\n"
                        " return a[int(p.x * 1e6)]; }")
                    .contains("line 3: an array is accessed out of bounds"));
        QVERIFY(refusal("__device__ float value(Point p) {\n float a[4] = {1, 2, 3, 4};\n"
                        " a[int(p.x * 1e6)] = 1;\n return a[1] + a[int(p.y) & 3]; }")
                    .contains("an array is accessed out of bounds"));
        QVERIFY(refusal("__constant__ float t[3] = {1, 2, 3};\n__device__ float value(Point p) {\n"
                        " return t[int(p.x * 100)]; }")
                    .contains("line 3: an array"));
        QVERIFY(refusal("__device__ float value(Point p) {\n return p.colour;\n}")
                    .contains("line 2: class \"Point\" has no member \"colour\""));
        QVERIFY(refusal("__device__ float value(Point p) {\n return *(float*)(size_t)p.x;\n}")
                    .contains("line 2"));
        // neither memory out of bounds nor the rest of the device is affected
        run.recipe.edits = {};
        QVERIFY(compareResults(before, run(), {}).isIdentical());
        run.recipe.edits =
            withFile({},
                     "__device__ float value(Point p) {\n float a[4] = {1, 2, 3, 4};\n float s = 0; for "
                     "(int i = 0; i < 4; ++i) s += a[(i + int(p.x * 10)) & 3]; return s; }",
                     "ten.cu");
        const Snapshot right = run(kNoPicture);
        for (std::size_t i = 0; i < right.cloud->size(); ++i)
            QCOMPARE(right.cloud->attribute("ten")->value(i), 10.0);
    }

    /// Starts with an empty grid: adds a ball, and removes half of it.
    void fieldsAreFunctions() {
        SCANLOUPE_NEEDS_CUDA();
        Run run(emptyGrid(100, 0.1f), Backend::cuda);
        run.recipe.iso = 0;
        const std::string ball =
            "return max(n.depth, 3 - sqrt((n.x - 5) * (n.x - 5) + (n.y - 5) * (n.y - 5) + (n.z - 5) "
            "* (n.z - 5))); }";
        run.recipe.edits = withFieldFile({}, "__device__ float field(Node n) { " + ball, 0, 1);
        const Snapshot whole = run();
        const auto verticesOf = [](const Snapshot& s) { return s.mesh.host().positions.size(); };
        QVERIFY(verticesOf(whole) > 5000);
        for (const Vec3f v : whole.mesh.host().positions.span()) {
            const double r = norm(v.as<double>() - Vec3d{5, 5, 5});
            QVERIFY2(std::abs(r - 3) < 0.01, qPrintable(QString::number(r)));
        }
        Edits half = withFieldFile(run.recipe.edits,
                                   "__device__ float field(Node n) { return min(n.depth, 5 - n.x); }", 0, 1);
        run.recipe.edits = half;
        const Snapshot cut = run();
        std::size_t onCut = 0;
        for (const Vec3f v : cut.mesh.host().positions.span()) {
            QVERIFY(v.x < 5.01f);
            onCut += std::abs(v.x - 5) < 0.001f;
        }
        QVERIFY2(onCut > 2000, qPrintable(QString::number(onCut)));
        QVERIFY(compareResults(cut, run(), {}).isIdentical());
        Run fresh(emptyGrid(100, 0.1f), Backend::cuda);
        fresh.recipe = run.recipe;
        QVERIFY(compareResults(cut, fresh(), {}).isIdentical());
        run.recipe.edits = withChangedLayer(half, 1, [](EditLayer& layer) { layer.isHidden = true; });
        QVERIFY(compareResults(whole, run(), {}).isIdentical());
        // a function without effect changes nothing, and an infinite loop is stopped
        run.recipe.edits =
            withFieldFile(run.recipe.edits, "__device__ float field(Node n) { return n.depth; }", 0, 1);
        QVERIFY(compareResults(whole, run(), {}).isIdentical());
        run.recipe.edits =
            withFieldFile({},
                          "__device__ float field(Node n) {\n float s = 1;\n while (s > 0) s += n.x;\n "
                          "return s; }",
                          0, 1);
        QVERIFY(refusalOf(run).contains("line 3: the code ran longer"));
        Run large(emptyGrid(2000, 0.1f), Backend::cuda);
        large.recipe.iso = 0;
        large.recipe.edits = withFieldFile({}, "__device__ float field(Node n) { return n.depth; }", 0, 1);
        QVERIFY(refusalOf(large).contains("a function of the whole field allows at most"));
    }

    /// Functions over the field of a scan, near the surface and far from it.
    void fieldsOfScansAreChanged() {
        SCANLOUPE_NEEDS_CUDA();
        Run run(bumpyCloud(), Backend::cuda);
        run.set("field", "distance");
        const Snapshot before = run();
        run.recipe.edits = withFieldFile({}, "__device__ float field(Node n) { return n.depth; }", 0, -1);
        QVERIFY(compareResults(before, run(), {}).isIdentical());
        const Vec3d middle = 0.5 * (before.cloud->bounds().min + before.cloud->bounds().max);
        const std::string at = std::to_string(middle.x) + ", n.y - " + std::to_string(middle.y) + ", n.z - " +
                               std::to_string(middle.z);
        run.recipe.edits = withFieldFile(
            {}, "__device__ float field(Node n) { return max(n.depth, 0.4 - norm3d(n.x - " + at + ")); }", 0,
            -1);
        const Snapshot with = run();
        std::size_t inside = 0;
        const Vec3d origin = before.cloud->origin();
        for (const Vec3f v : with.mesh.host().positions.span()) {
            const double r = norm(v.as<double>() + origin - middle);
            inside += std::abs(r - 0.4) < 0.02;
        }
        QVERIFY2(inside > 500, qPrintable(QString::number(inside)));
        QVERIFY(with.mesh.host().positions.size() >= before.mesh.host().positions.size());
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestCudaFiles)
#include "test_cuda_files.moc"
