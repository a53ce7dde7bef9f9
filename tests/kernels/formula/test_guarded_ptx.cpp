// Functions that people write, as NVRTC compiles them: what is guarded, and what is refused, with its line.
// Runs without a GPU; NVRTC is needed.
#include "kernels/core/error.h"
#include "tests/support/test_support.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <string>

#ifdef SCANLOUPE_TEST_NVRTC
#include "kernels/formula/guarded_ptx.h"
#include "kernels/formula/nvrtc.h"

using namespace scanloupe;
using namespace scanloupe::cuda;

namespace {

constexpr const char* kFile = "my file.cu";

/// A module around a body of `float value(float x, int k)`, which begins in line 2.
std::string guardedBody(const std::string& body, const std::string& before = {}) {
    const std::string source = "#line 1 \"" + std::string(kFile) + "\"\n" + before +
                               "\n__device__ float value(float x, int k) {\n" + body + "\n}\n" + R"(
#line 1 "scanloupe.cu"
extern "C" __device__ unsigned long long scanloupe_deadline;
__device__ unsigned long long scanloupe_deadline;
extern "C" __device__ unsigned int scanloupe_fault;
__device__ unsigned int scanloupe_fault;
extern "C" __global__ void scanloupe_begin(unsigned long long t) { scanloupe_deadline = t, scanloupe_fault = 0; }
extern "C" __device__ __noinline__ float scanloupe_function(float x, int k) { return value(x, k); }
extern "C" __global__ void scanloupe_run(const float* x, float* y) { y[threadIdx.x] = scanloupe_function(x[threadIdx.x], threadIdx.x); }
)";
    return guardedPtx(compiledToPtx(source, kFile, "compute_90"), kFile);
}

/// What the message of an error begins with; empty: there is none.
QString refusalOf(const std::string& body, const std::string& before = {}) {
    try {
        static_cast<void>(guardedBody(body, before));
    } catch (const KernelError& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++found;
    return found;
}

} // namespace

class TestGuardedPtx : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        try {
            static_cast<void>(compiledToPtx("", kFile, "compute_90"));
        } catch (const KernelError& error) {
            QSKIP(error.what());
        }
    }

    void straightCodeStaysAsItIs() {
        const std::string ptx = guardedBody("return x * 2 + sqrtf(x);");
        QCOMPARE(count(ptx, "%globaltimer"), std::size_t(0));
        QCOMPARE(count(ptx, "setp.gt.u64 \t%scan_p"), std::size_t(0));
    }

    void loopsAreBounded() {
        QVERIFY(guardedBody("while (x > 0) x = x * 0.5f + k; return x;").find("%globaltimer") !=
                std::string::npos);
        QVERIFY(guardedBody("again: x = x * x + k; if (x != 3) goto again; return x;").find("%globaltimer") !=
                std::string::npos);
        QVERIFY(guardedBody("do { x += sinf(x); } while (x < k); return x;").find("%globaltimer") !=
                std::string::npos);
        const std::string far = guardedBody("\nfor (int i = 0; i < k; ++i)\n  x = x * x + i;\nreturn x;");
        QVERIFY(far.find("mov.u32 %scan_f, " + std::to_string((1u << 24) + 5)) !=
                std::string::npos); // its line
    }

    void arraysAreChecked() {
        const std::string local =
            guardedBody("float a[8]; for (int i = 0; i < 8; ++i) a[i] = x * i;\na[k] = 1; return a[k + 1];");
        QVERIFY(local.find("mov.u32 %scan_f, " + std::to_string((2u << 24) + 4)) != std::string::npos);
        QVERIFY(count(guardedBody("return table[k];", "__constant__ float table[5] = {1, 2, 3, 4, 5};"),
                      "setp.le.u64 %scan_p, %scan_a, 16") == 1);
        QVERIFY(count(guardedBody("return table[k] + other[k];", "__device__ float table[5], other[70];"),
                      "or.pred") == 2);
    }

    void refused_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("message");
        QTest::newRow("syntax") << "return x +;"
                                << ""
                                << "line 3: expected an expression";
        QTest::newRow("name") << "\nreturn y;"
                              << ""
                              << "line 4: identifier \"y\" is undefined";
        QTest::newRow("recursion") << "return f(k);"
                                   << "__device__ int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }"
                                   << "line 1 calls a function that is still at work";
        QTest::newRow("atomic") << "atomicAdd(&n, 1); return n;"
                                << "__device__ int n;"
                                << "line 3 uses 'atom'";
        QTest::newRow("barrier") << "__syncthreads(); return x;"
                                 << ""
                                 << "line 3 uses 'bar";
        QTest::newRow("printf") << "printf(\"%f\", x); return x;"
                                << ""
                                << "line 3 calls 'vprintf'";
        QTest::newRow("assert") << "__trap(); return x;"
                                << ""
                                << "line 3 has inline assembly";
        QTest::newRow("pointer") << "return *(float*)(size_t)k;"
                                 << ""
                                 << "line 3 reads or writes by a pointer";
        QTest::newRow("null") << "*(volatile int*)0 = 1; return x;"
                              << ""
                              << "line 3 reads or writes by a pointer";
        QTest::newRow("shared") << "__shared__ float s[32]; s[k] = x; return s[31 - k];"
                                << ""
                                << "line 3 reads or writes by a pointer";
        QTest::newRow("large") << "float a[2000]; for (int i = 0; i < 2000; ++i) a[i] = x * i; return a[k];"
                               << ""
                               << "has arrays of more than 4096 bytes";
        QTest::newRow("assembly") << "asm volatile(\"trap;\"); return x;"
                                  << ""
                                  << "line 3 has inline assembly";
        QTest::newRow("include") << "return x;"
                                 << "#include <cstdio>"
                                 << "line 1: ";
        QTest::newRow("function pointer")
            << "return both[k & 1](x);"
            << "__device__ float a(float x) { return x; } __device__ float b(float x) { return -x; } "
               "__device__ float (*both[2])(float) = {a, b};"
            << "line 3 calls a function by a pointer";
    }
    void refused() {
        QFETCH(QString, body);
        QFETCH(QString, before);
        QFETCH(QString, message);
        const QString refusal = refusalOf(body.toStdString(), before.toStdString());
        QVERIFY2(refusal.contains(message), qPrintable(refusal));
    }

    /// What is guarded is still PTX.
    void isAssembled() {
        const QString ptxas =
            QStandardPaths::findExecutable("ptxas", {"/usr/local/cuda/bin", "/usr/bin", "/usr/local/bin"});
        if (ptxas.isEmpty())
            QSKIP("ptxas was not found: it comes with the CUDA toolkit");
        const QTemporaryDir folder;
        int number = 0;
        for (const char* body : {"float a[8]; for (int i = 0; i < 8; ++i) a[i] = x * i; a[k] = 1; while (x > "
                                 "a[k + 1]) x = sinf(x * "
                                 "1e6f) + table[k]; return x;",
                                 "switch (k) { case 0: x = 1; break; case 1: x = 5; break; case 2: x = 2; "
                                 "break; case 3: x = 9; break; "
                                 "case 4: x = table[k]; } for (int i = 0; i < k; ++i) for (int j = 0; j < i; "
                                 "++j) x += powf(x, j); "
                                 "return x;",
                                 "double s = 0; for (int i = 0; i < k; ++i) s += pow(double(x), double(i)) + "
                                 "lgamma(s); return s;"}) {
            const std::string path = folder.filePath(QStringLiteral("%1.ptx").arg(number++)).toStdString();
            std::ofstream(path) << guardedBody(body, "__constant__ float table[5] = {1, 2, 3, 4, 5};");
            QProcess process;
            process.setProcessChannelMode(QProcess::MergedChannels);
            process.start(ptxas, {"-arch=sm_90", QString::fromStdString(path), "-o",
                                  QString::fromStdString(path) + ".cubin"});
            QVERIFY(process.waitForFinished(60'000));
            QVERIFY2(process.exitCode() == 0, process.readAll().constData());
        }
    }
};

#else

class TestGuardedPtx : public QObject {
    Q_OBJECT
private slots:
    void skipped() { QSKIP("this build has no CUDA backend"); }
};

#endif

QTEST_GUILESS_MAIN(TestGuardedPtx)
#include "test_guarded_ptx.moc"
