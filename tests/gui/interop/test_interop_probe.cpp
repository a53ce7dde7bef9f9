// The check whether CUDA and OpenGL share memory: its messages have the reason and the next step.
#include "gui/interop/interop_choice.h"
#include "gui/interop/interop_probe.h"
#include "gui/opengl/opengl_probe.h"
#include "kernels/core/stream.h"
#include "tests/support/test_support.h"

#include <QApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::gui;

namespace {

/// The result on a machine without problems.
InteropProbeResult goodFinding() {
    InteropProbeResult finding;
    finding.cudaBuilt = true;
    finding.device.usable = true;
    finding.device.name = "NVIDIA H200";
    finding.glVendor = "NVIDIA Corporation";
    finding.glRenderer = "NVIDIA H200/PCIe/SSE2";
    finding.write = {0, true, {}, 0.07, 0.05};
    finding.textureArrived = finding.bufferArrived = true;
    return finding;
}

void addFinding(const char* name, void (*change)(InteropProbeResult&), const QString& problem,
                const QString& fix) {
    InteropProbeResult finding = goodFinding();
    change(finding);
    QTest::newRow(name) << finding << problem << fix;
}

} // namespace
Q_DECLARE_METATYPE(InteropProbeResult)

class TestInteropProbe : public QObject {
    Q_OBJECT

private slots:
    void probeIsRepeatable() {
        const InteropState first = probeInterop(), second = probeInterop();
        qInfo("%s", qPrintable(first.usable ? first.facts : first.problem + " " + first.fix));
        QCOMPARE(first.usable, second.usable);
        QCOMPARE(first.problem, second.problem);
        QCOMPARE(first.fix, second.fix);
        QCOMPARE(first.facts.isEmpty(), !first.usable);
        QCOMPARE(first.problem.isEmpty(), first.usable);
        QCOMPARE(first.fix.isEmpty(), first.usable);
        for (const QString& text : {first.facts, first.problem, first.fix}) // a line of "scanloupe --check"
            QVERIFY(!text.contains('\t') && !text.contains('\n'));
    }
    void softwareOpenGlIsNotUsable() {
        if (!openGlState().renderer.contains("llvmpipe"))
            QSKIP("OpenGL is not drawn by llvmpipe here");
        const InteropState state = probeInterop();
        QVERIFY(!state.usable);
        QVERIFY(state.problem.endsWith("pictures go through host memory."));
        if (probeDevice().usable)
            QVERIFY(state.problem.contains("llvmpipe") && state.fix.contains("__GLX_VENDOR_LIBRARY_NAME"));
    }
    void writingWithoutADeviceIsReported() {
        if (probeDevice().usable)
            QSKIP("this machine has a device");
        for (int times = 0; times < 2; ++times) {
            const GlWrite write = writeToGl({1, 1, 2, 2}, std::vector<std::uint8_t>(16));
            QVERIFY(!write.problem.empty() && write.drawingDevice < 0 && !write.sameDevice);
        }
    }
    void theGpuThatDrawsIsUsable() {
        SCANLOUPE_NEEDS_CUDA();
        if (!openGlState().version.contains("NVIDIA"))
            QSKIP("OpenGL is not drawn by the NVIDIA driver here");
        const InteropState state = probeInterop();
        QVERIFY2(state.usable, qPrintable(state.problem + " " + state.fix));
    }
    void cudaWorksAfterTheProbe() {
        SCANLOUPE_NEEDS_CUDA();
        static_cast<void>(probeInterop());
        QVERIFY(probeDevice().usable);
        const Stream stream; // an error that was not cleared would appear here
        stream.view().synchronize();
    }

    void theWayIsChosenBeforehand() {
        InteropChoice choice;
        choice.setEnabled(false);
        QCOMPARE(choice.problem(), QString("It is turned off."));
        choice.setEnabled(true);
        QOpenGLContext context; // context of a view that queries while drawing
        QOffscreenSurface surface;
        context.setFormat(viewFormat());
        if (context.create()) {
            surface.setFormat(context.format());
            surface.create();
            QVERIFY(context.makeCurrent(&surface));
        }
        const QString problem = choice.problem();
        if (context.isValid())
            QCOMPARE(QOpenGLContext::currentContext(), &context);
        if (openGlState().software)
            QCOMPARE(problem, QString("OpenGL is drawn on the CPU."));
        else
            QCOMPARE(problem.isEmpty(), probeInterop().usable);
        if (probeDevice().usable) { // an error that was not cleared would appear here
            const Stream stream;
            stream.view().synchronize();
        }
    }

    void findingsBecomeSentences_data() {
        QTest::addColumn<InteropProbeResult>("finding");
        QTest::addColumn<QString>("problem");
        QTest::addColumn<QString>("fix");
        addFinding(
            "no CUDA in the build", [](InteropProbeResult& f) { f.cudaBuilt = f.device.usable = false; },
            "This build has no CUDA backend", "use a build with CUDA");
        addFinding(
            "no GPU", [](InteropProbeResult& f) { f.device.usable = false; }, "CUDA has found no GPU",
            "the line GPU");
        addFinding(
            "no OpenGL", [](InteropProbeResult& f) { f.glVendor = f.glRenderer = QString(); },
            "No OpenGL is available", "the line OpenGL");
        addFinding(
            "software",
            [](InteropProbeResult& f) {
                f.glVendor = "Mesa/X.org";
                f.glRenderer = "llvmpipe (LLVM 15.0.6, 256 bits)";
                f.write = {-1, false, "cudaGLGetDevices failed", 0, 0};
            },
            "drawn by llvmpipe (LLVM 15.0.6, 256 bits), not by CUDA's GPU (NVIDIA H200)",
            "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia");
        addFinding(
            "a laptop's other GPU",
            [](InteropProbeResult& f) {
                f.glVendor = "Intel";
                f.glRenderer = "Mesa Intel(R) UHD Graphics 620";
                f.write = {-1, false, "cudaGLGetDevices names no GPU", 0, 0};
            },
            "drawn by Mesa Intel", "prime-run");
        addFinding(
            "the second of two",
            [](InteropProbeResult& f) {
                f.write = {1, false, "it failed", 0, 0};
            },
            "not by CUDA's GPU", "CUDA_VISIBLE_DEVICES=1");
        addFinding(
            "a driver that knows no GPU for it",
            [](InteropProbeResult& f) {
                f.write = {-1, false, "cudaGLGetDevices failed", 0, 0};
            },
            "cannot access the GPU that draws OpenGL (cudaGLGetDevices failed)", "Update");
        addFinding(
            "a call fails",
            [](InteropProbeResult& f) { f.write.problem = "cudaGraphicsMapResources failed"; },
            "cudaGraphicsMapResources failed", "Update");
        addFinding(
            "the texture stays black", [](InteropProbeResult& f) { f.textureArrived = false; },
            "into an OpenGL texture does not arrive", "Update");
        addFinding(
            "the buffer stays black", [](InteropProbeResult& f) { f.bufferArrived = false; },
            "into an OpenGL buffer does not arrive", "Update");
    }
    void findingsBecomeSentences() {
        QFETCH(InteropProbeResult, finding);
        QFETCH(QString, problem);
        QFETCH(QString, fix);
        const InteropState state = describeInterop(finding);
        QVERIFY(!state.usable && state.facts.isEmpty());
        QVERIFY2(state.problem.contains(problem), qPrintable(state.problem));
        QVERIFY2(state.problem.endsWith(", so pictures go through host memory."), qPrintable(state.problem));
        QVERIFY2(state.fix.contains(fix), qPrintable(state.fix));
    }
    void successIsReportedWithItsTimes() {
        InteropProbeResult finding = goodFinding();
        InteropState state = describeInterop(finding);
        QVERIFY(state.usable && state.problem.isEmpty() && state.fix.isEmpty());
        QCOMPARE(state.facts,
                 "texture and buffer written by NVIDIA H200 and read back by OpenGL, 0.07 and 0.05 ms");
        finding.write.drawingDevice = 1;
        finding.write.sameDevice = false;
        state = describeInterop(finding);
        QVERIFY(state.usable && state.facts.endsWith("drawn by another GPU"));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestInteropProbe)
#include "test_interop_probe.moc"
