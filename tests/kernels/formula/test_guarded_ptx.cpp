// Users' functions, as NVRTC compiles them: inserted guards, and rejected code with its line. Runs without a
// GPU, but needs NVRTC.
#include "kernels/core/error.h"
#include "tests/support/test_support.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <fstream>
#include <stop_token>
#include <string>
#include <sys/stat.h>
#include <thread>

#ifdef SCANLOUPE_TEST_NVRTC
#include "kernels/formula/compile_apart.h"
#include "kernels/formula/compile_guarded.h"
#include "kernels/formula/nvrtc.h"
#include "kernels/formula/source_check.h"

using namespace scanloupe;
using namespace scanloupe::cuda;

namespace {

/// Kernels that call a function of an argument with `x` and `k`.
ModuleSource sourceOf(const std::string& result = "float") {
    return {.types = "struct Point { float x; int k; };\n",
            .result = result,
            .parameter = "Point",
            .function = "value",
            .kernels =
                "extern \"C\" __global__ void scanloupe_run(unsigned long long first, const Point* in, " +
                result +
                "* out) {\n    out[first + threadIdx.x] = scanloupe_function(in[threadIdx.x]);\n}\n"};
}

/// A module with code that has the function `value`.
GuardedPtx guardedCode(const std::string& code, const std::stop_token& stop = {}) {
    return compileGuarded(sourceOf(), code, "compute_90", stop);
}

/// A module around a body of `float value(Point)`, which starts in line 3.
std::string guardedBody(const std::string& body, const std::string& before = {}) {
    return guardedCode(before + "\n__device__ float value(Point p) { float x = p.x; int k = p.k;\n" + body +
                       "\n}\n")
        .ptx;
}

/// The error message; empty if the code is accepted.
QString refusalOfCode(const std::string& code) {
    try {
        static_cast<void>(guardedCode(code));
    } catch (const KernelError& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

/// The beginning of the error message; empty if the code is accepted.
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
            static_cast<void>(compiledToPtx("", "compute_90"));
        } catch (const KernelError& error) {
            QSKIP(error.what());
        }
    }

    void straightCodeStaysAsItIs() {
        const std::string ptx = guardedBody("return x * 2 + sqrtf(x);");
        // the time is read once, at the start of the thread
        QCOMPARE(count(ptx, "%globaltimer"), std::size_t(1));
        QCOMPARE(count(ptx, "setp.gt.u64 %scan_p"), std::size_t(0));
    }

    void loopsAreBounded() {
        for (const char* body : {"while (x > 0) x = x * 0.5f + k; return x;",
                                 "again: x = x * x + k; if (x != 3) goto again; return x;",
                                 "do { x += sinf(x); } while (x < k); return x;"})
            QVERIFY2(guardedBody(body).find("setp.gt.u64 %scan_p, %scan_t, %scan_d") != std::string::npos,
                     body);
        const std::string far = guardedBody("\nfor (int i = 0; i < k; ++i)\n  x = x * x + i;\nreturn x;");
        QVERIFY(far.find("mov.u32 %scan_f, " + std::to_string((1u << 24) + 5)) !=
                std::string::npos); // the message has the line of the code
    }

    /// Recursive or repeated calls can take as long as loops.
    void functionsAreBounded() {
        const std::string ptx =
            guardedBody("return a(x) + a(x + 1);",
                        "__device__ __noinline__ float b(float x) { return sinf(x); } "
                        "__device__ __noinline__ float a(float x) { return b(x) + b(x + 1); }");
        QVERIFY(count(ptx, "ld.shared.u64 %scan_d") >= 2);
        QVERIFY(count(ptx, "setp.gt.u64 %scan_p, %scan_t, %scan_d") >= 2);
        QCOMPARE(count(ptx, "add.s64 %scan_d, %scan_d, 2000000000"), std::size_t(1));
    }

    /// Functions that are not called are removed.
    void uncalledFunctionsAreRemoved() {
        const std::string ptx =
            guardedBody("return x;", "__device__ int n; __device__ void f() { atomicAdd(&n, 1); }");
        QCOMPARE(count(ptx, "atom"), std::size_t(0));
        QCOMPARE(count(ptx, ".func"), std::size_t(1));
    }

    void arraysAreChecked() {
        const std::string local =
            guardedBody("float a[8]; for (int i = 0; i < 8; ++i) a[i] = x * i;\na[k] = 1; return a[k + 1];");
        QVERIFY(local.find("mov.u32 %scan_f, " + std::to_string((2u << 24) + 4)) != std::string::npos);
        QVERIFY(count(guardedBody("return table[k];", "__constant__ float table[5] = {1, 2, 3, 4, 5};"),
                      "setp.le.u64 %scan_p, %scan_a, 16") == 1);
        // the check rounds down to multiples of four
        QVERIFY(local.find("and.b64 %scan_a, %scan_t, 3") != std::string::npos);
        QVERIFY(count(guardedBody("return table[k] + other[k];", "__device__ float table[5], other[70];"),
                      "or.pred") == 4);
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
                                   << "line 1 calls a function recursively";
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
                                << "has shared memory";
        QTest::newRow("large") << "float a[2000]; for (int i = 0; i < 2000; ++i) a[i] = x * i; return a[k];"
                               << ""
                               << "has arrays of more than 4096 bytes";
        QTest::newRow("assembly") << "asm volatile(\"trap;\"); return x;"
                                  << ""
                                  << "line 3 has inline assembly";
        QTest::newRow("include") << "return x;"
                                 << "#include <cstdio>"
                                 << "line 1 has #include: a CUDA file must not read other files";
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

    /// Ways for code to escape from its guard.
    void attacks_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("message");
        const QString value = "__device__ float value(Point p) { return 1; }\n";
        QTest::newRow("kernel of ours")
            << "extern \"C\" __global__ void scanloupe_run(float* x) { *x = 1; }\n"
               "#define scanloupe_run unused\n" +
                   value
            << "declares a kernel";
        QTest::newRow("kernel") << "__global__ void other(float* x) { *x = 1; }\n" + value
                                << "declares a kernel";
        QTest::newRow("assembly of the module") << value + "asm(\".visible .entry other() { ret; }\");\n"
                                                << "line 2 has inline assembly";
        const auto addRow = [&](const char* name, const char* code, const char* message) {
            QTest::newRow(name) << QString(code) + value << message;
        };
        const QString call = "__device__ float value(Point p) { return f(p.k); }\n";
        const auto addCalled = [&](const char* name, const char* code, const char* message) {
            QTest::newRow(name) << QString(code) + call << message;
        };
        addRow("pasted assembly", "#define P(a, b) a##b\nP(as, m)(\".global .b32 scanloupe_x;\");\n",
               "line 1 contains '#'");
        addRow("pasted by digraphs", "#define P(a, b) a%:%:b\n", "line 1 contains '#'");
        addRow("pasted by trigraphs", "#define P(a, b) a?\?=?\?=b\n", "line 1 has a trigraph");
        addRow("pasted behind a splice", "#define P(a, b) a#\\\n#b\n", "line 1 contains '#'");
        addRow("pasted in text left out", "#if 0\nit's \"\n#endif\n#define Q(a, b) a?\?/\n##b\n",
               "line 4 has a tri");
        addRow("pasted pragma", "#define P(a, b) a##b\nP(_Pra, gma)(\"nv_abi preserve_n_data(4)\")\n",
               "line 1 contains");
        addRow("comment in a character",
               "#define A 1'/*'\n__device__ void junk() { asm volatile(\"exit;\"); }\n"
               "#define B '*/'\n",
               "line 1 has a quote directly after");
        addRow("line in a character", "#define A 1'/*'\n#line 5 \"a\\nb\"\n#define B '*/'\n",
               "line 1 has a quote");
        addRow("quote in a character", "#define A 1'\"'\n", "line 1 has a quote directly after");
        addRow("exponent", "#define A 1e+'0'/*'\n", "line 1 has a quote directly after");
        addRow("comment in an error", "#if 0\n#error /*\n\" */ asm(\"exit;\") //\"\n#endif\n",
               "line 3 has inline assembly");
        addRow("apostrophe left out", "#ifdef A\n'\n#endif\n", "line 2 has a '");
        addRow("spelled name", "#define A \\u0061sm\n", "line 1 has a backslash");
        addRow("helper of assemblers",
               "extern \"C\" __device__ __noinline__ long long __cuda_sm20_div_s64(long long a, "
               "long long b) { return a; }\n",
               "line 1 has '__cuda_sm20_div_s64'");
        addRow("registers as parameters", "__nv_register_params__ __device__ int f(int i) { return i; }\n",
               "line 1 has '__nv_register_params__'");
        addRow("attribute", "__attribute__((section(\"a\"))) __device__ int t[4];\n",
               "line 1 has '__attribute__'");
        addRow("managed", "__managed__ int t[4];\n", "line 1 has '__managed__'");
        addRow("another word for attribute", "__location__(section(\"a\")) __device__ int t[4];\n",
               "line 1 has '__location__'");
        addRow("no return", "[[noreturn]] __device__ void f() { for (;;); }\n", "line 1 has 'noreturn'");
        addCalled("alignment",
                  "__device__ __align__(1 << 20) int t[4];\n__device__ float f(int i) { return t[i]; }\n",
                  "aligned to more than 16 bytes");
        addCalled("name of a parameter",
                  "extern \"C\" { __device__ int f_param_0[1 << 20];\n__device__ __noinline__ "
                  "int f(int i) { f_param_0[i] = 4; return f_param_0[i + 1]; } }\n",
                  "with the name 'f_param_0'");
        addCalled("name of a result",
                  "extern \"C\" { __device__ int func_retval0[64]; }\n__device__ int f(int i) { "
                  "return func_retval0[i]; }\n",
                  "with the name 'func_retval0'");
        addCalled("name of an argument",
                  "extern \"C\" { __device__ int param0[64]; }\n__device__ int f(int i) { "
                  "return param0[i]; }\n",
                  "with the name 'param0'");
        addCalled("name of a register",
                  "extern \"C\" { __device__ int temp_param_reg[64]; }\n__device__ int f(int i) { "
                  "return temp_param_reg[i]; }\n",
                  "with the name 'temp_param_reg'");
        addCalled("name of local arrays",
                  "extern \"C\" { __device__ int __local_depot1[64]; }\n__device__ int f(int i) { "
                  "return __local_depot1[i]; }\n",
                  "with the name '__local_depot1'");
        addCalled("name of a label",
                  "extern \"C\" { __device__ int $L__BB1_2[64]; }\n__device__ int f(int i) { "
                  "return $L__BB1_2[i]; }\n",
                  "?");
        addCalled("name of the guard",
                  "extern \"C\" { __device__ int $scan_stop_9[64]; }\n__device__ int f(int i) { "
                  "return $scan_stop_9[i]; }\n",
                  "?");
        addCalled("name of a number",
                  "extern \"C\" { __device__ int WARP_SZ[64]; }\n__device__ int f(int i) { "
                  "return WARP_SZ[i]; }\n",
                  "with the name 'WARP_SZ'");
        addCalled("function of drivers",
                  "extern \"C\" __device__ __noinline__ void free(void* a) {}\n__device__ int f(int i) "
                  "{ free((void*)(long long)i); return i; }\n",
                  "with the name 'free'");
        addCalled("traps elsewhere",
                  "__device__ __noinline__ void g() { __trap(); }\n__device__ int f(int i) { "
                  "return i; }\n",
                  "line 1 has inline assembly");
        {
            QString deep = "__device__ __noinline__ int f0(int i) { return i * i; }\n", arrays, live, divided;
            for (int i = 1; i < 100; ++i)
                deep += QStringLiteral("__device__ __noinline__ int f%1(int i) { return f%2(i ^ %1) * 3; }\n")
                            .arg(i)
                            .arg(i - 1);
            QTest::newRow("depth") << deep + "__device__ float value(Point p) { return f99(p.k); }\n"
                                   << "64 deep";
            for (int i = 0; i < 300; ++i)
                arrays += QStringLiteral("__device__ int t%1[4];\n").arg(i);
            QTest::newRow("arrays") << arrays + value << "more than 256 arrays";
            for (int i = 0; i < 3900; ++i)
                live += QStringLiteral("double a%1 = x * %1.5 + y; x = a%1 * y - %1;\n").arg(i);
            QTest::newRow("registers")
                << "__device__ float value(Point p) { double x = p.x, y = p.k;\n" + live + "return x; }\n"
                << "registers";
            for (int i = 0; i < 1100; ++i)
                divided += QStringLiteral("x = y / x + %1.5f;\n").arg(i);
            QTest::newRow("divisions")
                << "__device__ float value(Point p) { float x = p.k, y = p.k * p.k;\n" + divided +
                       "return x; }\n"
                << "1000 divisions";
            QTest::newRow("source") << value + "//" + QString(1 << 20, ' ') << "more than 1 MiB";
        }
        QTest::newRow("alias") << "extern \"C\" __device__ float other(Point p) { return 1; }\nextern \"C\" "
                                  "__device__ float more(Point p) __attribute__((alias(\"other\")));\n"
                                  "__device__ float value(Point p) { return more(p); }\n"
                               << "?";
        QTest::newRow("shared memory")
            << "__shared__ float s[64];\n__device__ float value(Point p) { s[p.k] = 1; "
               "return s[p.k + 1]; }\n"
            << "?";
        QTest::newRow("external")
            << "extern __device__ float other(float x);\n__device__ float value(Point p) { "
               "return other(1); }\n"
            << "line 2 calls '";
        QTest::newRow("external variable")
            << "extern __device__ float other;\n__device__ float value(Point p) { return other; }\n"
            << "declares a variable";
        QTest::newRow("pointers among the values") << "__device__ float a; __device__ float* b[2] = {&a, "
                                                      "&a};\n__device__ float value(Point p) { return "
                                                      "*b[p.k & 1]; }\n"
                                                   << "?";
        QTest::newRow("other form") << "#define Point int\n__device__ float value(int p) { return 1; }\n"
                                    << "no function with the required signature";
        QTest::newRow("no function") << "#define __device__ static\n" + value << "?";
        QTest::newRow("cut off") << value + "/*"
                                 << "?";
        QTest::newRow("open") << value + "#if 0\n"
                              << "?";
        QTest::newRow("nanosleep") << "__device__ float value(Point p) { __nanosleep(1000000); return 1; }\n"
                                   << "?";
        QTest::newRow("malloc") << "__device__ float value(Point p) { return *(float*)malloc(4); }\n"
                                << "?";
        QTest::newRow("alloca")
            << "__device__ float value(Point p) { float* a = (float*)__builtin_alloca(p.k); "
               "a[p.k - 1] = 1; return a[0]; }\n"
            << "?";
        QTest::newRow("large array")
            << "__device__ float t[1 << 28];\n__device__ float value(Point p) { return "
               "t[p.k]; }\n"
            << "more than 64 MiB";
        QTest::newRow("cluster")
            << "__device__ float value(Point p) { return *(float*)__cvta_shared_to_generic(0); }\n"
            << "?";
        QTest::newRow("warp")
            << "__device__ float value(Point p) { return __shfl_sync(0xffffffffu, p.x, 0); }\n"
            << "uses 'shfl'";
        QTest::newRow("mutual recursion") << "__device__ __noinline__ float b(float x, int n);\n__device__ "
                                             "__noinline__ float a(float x, int n) "
                                             "{ return n ? b(x + 1, n - 1) : x; }\n__device__ __noinline__ "
                                             "float b(float x, int n) { return n "
                                             "> 2 ? a(x * 3, n - 1) * 2 : x; }\n__device__ float value(Point "
                                             "p) { return a(p.x, p.k) + 1; }\n"
                                          << "calls a function recursively";
    }
    void attacks() {
        QFETCH(QString, code);
        QFETCH(QString, message);
        const QString refusal = refusalOfCode(code.toStdString());
        if (message == "?")
            QVERIFY(!refusal.isEmpty());
        else
            QVERIFY2(message.isEmpty() ? refusal.isEmpty() : refusal.contains(message), qPrintable(refusal));
        qInfo("%s", qPrintable(refusal));
    }

    /// Macros that redefine our names or C++ keywords only affect the user's code.
    void macrosDoNotReachKernels() {
        const GuardedPtx guarded = guardedCode(
            "__device__ float value(Point p) { return p.x; }\n#define scanloupe_run unused\n#define "
            "scanloupe_function unused\n#define __global__ __device__\n#define threadIdx blockIdx\n#define "
            "if "
            "while\n#define first 7\n");
        QCOMPARE(count(guarded.ptx, ".entry"), std::size_t(1));
        QCOMPARE(count(guarded.ptx, ".visible .entry scanloupe_run("), std::size_t(1));
        QCOMPARE(count(guarded.ptx, ".extern"), std::size_t(0));
        QCOMPARE(count(guarded.ptx, ".visible"), std::size_t(2)); // visible are the kernel and the fault flag
        QVERIFY(guarded.ptx.find(".func ( .param .b32 func_retval0 ) " + guarded.names.function + " (") !=
                std::string::npos);
        // random names differ each time
        const GuardedPtx again = guardedCode("__device__ float value(Point p) { return p.x; }\n");
        QVERIFY(again.names.function != guarded.names.function);
        QCOMPARE(again.names.function.size(), std::string("scanloupe_function_").size() + 32);
    }

    /// A function that is declared not to return, and one without a return.
    void functionsEndWithAFault() {
        QVERIFY(guardedBody("if (x > 1) __builtin_unreachable(); return x;")
                    .find("mov.u32 %scan_f, " + std::to_string(3u << 24 | 3)) != std::string::npos);
    }

    /// Switches that compilers turn into tables, also within loops.
    void jumpsAreBounded() {
        const GuardNames names = GuardNames::random();
        const std::string head =
            ".func (.param .b32 func_retval0) " + names.function + "(\n.param .b32 p0\n)\n";
        const std::string header = ".version 8.0\n.target sm_90\n.address_size 64\n\n";
        const std::string kernels =
            header + ".extern " + head + ";\n.visible .entry run(\n.param .u64 p\n)\n{\nret;\n}\n";
        const auto moduleOf = [&](const std::string& body) {
            return guardedModule(kernels,
                                 header + ".visible " + head + "{\n.reg .b32 %r<3>;\n.reg .pred %p<2>;\n" +
                                     "ld.param.u32 %r1, [p0];\n" + body + "ret;\n}\n",
                                 "file.cu", names);
        };
        const std::string table = "$L_brx_0: .branchtargets\n$L__BB0_1,\n$L__BB0_2;\n";
        const std::string ptx =
            moduleOf(table + "$L__BB0_1:\nadd.s32 %r1, %r1, 1;\n@!%p1 brx.idx %r1, $L_brx_0;\n"
                             "$L__BB0_2:\nst.param.b32 [func_retval0+0], %r1;\n");
        QVERIFY(
            ptx.find("\tsetp.ge.u32 %scan_p, %r1, 2;\n\tnot.pred %scan_q, %p1;\n\tand.pred %scan_p, %scan_p, "
                     "%scan_q;\n\t@%scan_p mov.u32 %scan_f, 50331648;") != std::string::npos);
        QVERIFY(ptx.find("$L__BB0_1:\n\tmov.u64 %scan_t, %globaltimer;") != std::string::npos);
        const auto refusal = [&](const std::string& body) {
            try {
                static_cast<void>(moduleOf(body));
            } catch (const KernelError& error) {
                return QString::fromStdString(error.what());
            }
            return QString();
        };
        for (const char* body : {"brx.idx %r1, $L_brx_1;\n",
                                 "brx.idx %r1, elsewhere;\n",
                                 "call (x), %r1, ();\n",
                                 "exit;\n",
                                 "trap;\n",
                                 "ret; exit;\n",
                                 "bra.uni $L__BB0_1; exit;\n",
                                 "st.global.u32 [%r1], %r1;\n",
                                 "st.u32 [%r1], %r1;\n",
                                 "st.shared.u32 [%r1], %r1;\n",
                                 "ld.param.u32 %r1, [%r1];\n",
                                 "cp.async.bulk.wait_all;\n",
                                 "st.async.shared.u32 [%r1], %r1;\n",
                                 "red.global.add.u32 [%r1], %r1;\n",
                                 "$scan_stop_5:\n",
                                 "label:\n",
                                 "$L__BB0_1:\n$L__BB0_1:\n",
                                 ".pragma \"other\";\n",
                                 "stacksave.u64 %rd1;\n",
                                 "griddepcontrol.wait;\n",
                                 "ld.global.u32 %r1, [names];\n",
                                 "/* ret; */\n",
                                 "setmaxnreg.inc.sync.aligned.u32 200;\n",
                                 "ld.volatile.param.u32 %r1, [%r1];\n",
                                 "ld.param.u32 %r1, [p0+4];\n",
                                 "st.param.u64 [func_retval0], %r1;\n",
                                 "ld.param.u32 %r1, [p0+-4];\n",
                                 "multimem.red.u32 [%r1], %r1;\n",
                                 ".local .b8 a[5000];\n",
                                 "ld.local.u32 %r1, [a];\n",
                                 "createpolicy.fractional.b64 %r1;\n",
                                 "$a: st.global.u32 [%r1], %r1; $b:\n",
                                 "mov.u32 %scan_f, 0;\n",
                                 "mov.u32 %r1, $scan_a;\n",
                                 "@%p1|%p2 mov.u32 %r1, 0;\n",
                                 "mov.u32 %r1,\n}\n0;\n",
                                 ".reg .b32 %r<3>, %s;\n",
                                 ".reg .b32 %q<9000>;\n",
                                 ".reg .b64 %globaltimer;\n",
                                 ".pragma \"nounroll\"; exit;\n",
                                 ".maxntid 1;\n",
                                 ".param .align 32 .b8 a[4];\n",
                                 "// begin inline asm\n// end inline asm\n"})
            QVERIFY2(!refusal(body).isEmpty(), body);
        QVERIFY(refusal("").isEmpty());
        // text before and after the function
        const auto refusalAround = [&](const std::string& before, const std::string& after = {}) {
            try {
                static_cast<void>(guardedModule(kernels,
                                                header + before + ".visible " + head + after + "{\nret;\n}\n",
                                                "file.cu", names));
            } catch (const KernelError& error) {
                return QString::fromStdString(error.what());
            }
            return QString();
        };
        QVERIFY(refusalAround(".visible .global .align 4 .b8 t[8] = {1, 2};\n.const .align 16 .f32 c[4];\n")
                    .isEmpty());
        for (const char* before :
             {".global .align 4 .u32 a; .func b () { trap; } .global .align 4 .u32 c;\n",
              ".global .attribute(.managed) .align 4 .b8 t[8];\n", ".extern .global .align 4 .b8 t[8];\n",
              ".common .global .align 4 .b8 t[8];\n", ".global .align 32 .b8 t[8];\n",
              ".global .align 4 .b8 t[8] = {1}; .global .u32 x = {2};\n", ".global .texref t;\n",
              ".pragma \"abi\";\n", ".func __cuda_sm20_div_s64 ()\n{\nret;\n}\n", "// end inline asm\n"})
            QVERIFY2(!refusalAround(before).isEmpty(), before);
        for (const char* after :
             {".noreturn\n", ".pragma \"a\"\n", ".abi_preserve 4\n", ".maxntid 1\n", ".unique\n"})
            QVERIFY2(!refusalAround({}, after).isEmpty(), after);
    }

    void directives_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<bool>("isRefused");
        const auto add = [](const char* code, bool isRefused) {
            QTest::newRow(QString(code).replace('\n', ' ').toUtf8().constData())
                << QString::fromLatin1(code) << isRefused;
        };
        for (const char* code : {"#include <cstdio>",
                                 "#include \"/etc/passwd\"",
                                 "  #  include MACRO",
                                 "#inc\\\nlude <a>",
                                 "#inc\\ \t\nlude <a>",
                                 "'\\ \f\n#include <a>\n",
                                 "#inc\\\r\nlude <a>",
                                 "// a\r#include <a>",
                                 "%:include <a>",
                                 "?\?=include <a>",
                                 "/* a */ #include <a>",
                                 "/* a\n b */ # /* c\n */ include <a>",
                                 "#include_next <a>",
                                 "#import <a>",
                                 "#embed <a>",
                                 "#line 5 \"a\"",
                                 "# 5 \"a\"",
                                 "#ident \"a\"",
                                 "#warning a",
                                 "#pragma nv_exec_check_disable",
                                 "#if __has_include(<a>)\n#endif",
                                 "#define A __has_include",
                                 "_Pragma(\"unroll\")",
                                 "const char* s = R\"(\n)\";",
                                 "const char* s = u8R\"x(\n)x\";",
                                 "__asm__(\"\");",
                                 "#ifdef A\n#include <a>\n#endif",
                                 "#define A \"\\\"\n#include <a>\n//\"",
                                 "'\\'\n#include <a>\n'",
                                 "const char* s = \"/*\";\n#include <a>\n// */",
                                 "// \\\n\n#include <a>",
                                 "int a = 1'000;\n#include <a>\n'",
                                 "int a = 1'000;",
                                 "int include = 1 # 2;",
                                 "#if 0\n#error don't\n#endif",
                                 "%:define A 3",
                                 "char c = L'a';",
                                 "#define S(a) #a",
                                 "// hidden ?\?/\n",
                                 "#if 0\n\"\n#endif"})
            add(code, true);
        for (const char* code :
             {"// #include <a>", "/*\n#include <a>\n*/", "// a \\\n#include <a>", "#define A 1\n#undef A",
              "#if 1\n#elif 2\n#else\n#endif\n#ifdef A\n#endif\n#ifndef B\n#endif",
              "#pragma unroll 4\nint a;", "#", "const char* s = \"#include <a>\";",
              "#error /*\n#include <a>\n*/", "#if 0\n#error none\n// it's\n#endif", "char c = '\"'; // \"",
              "const char* s = \"\\\n#include <a>\";"})
            add(code, false);
    }
    void directives() {
        QFETCH(QString, code);
        QFETCH(bool, isRefused);
        try {
            static_cast<void>(checkedSource(code.toStdString()));
            QVERIFY(!isRefused);
        } catch (const KernelError& error) {
            QVERIFY2(isRefused, error.what());
        }
    }

    /// The compiler can't open files, even if an include directive passed the check.
    void compilerOpensNoFiles() {
        const QTemporaryDir folder;
        const QString pipe = folder.filePath("pipe"), file = folder.filePath("file");
        QCOMPARE(mkfifo(qPrintable(pipe), 0600), 0);
        std::ofstream(file.toStdString()) << "42\n";
        for (const QString& path : {pipe, file}) {
            QElapsedTimer clock;
            clock.start();
            try {
                static_cast<void>(compiledApart("#line 1 \"file.cu\"\n__device__ int n =\n#include \"" +
                                                    path.toStdString() + "\"\n;",
                                                "file.cu", "compute_90", {}));
                QFAIL("a file was read");
            } catch (const KernelError& error) {
                QVERIFY2(QString(error.what()).contains("line 2: cannot open source file"), error.what());
            }
            QVERIFY(clock.elapsed() < 10'000);
        }
    }

    void compilerHasLimits() {
        // ten billion terms
        std::string code = "#define A0 p.x\n";
        for (int i = 1; i <= 10; ++i) {
            code += "#define A" + std::to_string(i);
            for (int j = 0; j < 10; ++j)
                code += (j ? " + A" : " A") + std::to_string(i - 1);
            code += '\n';
        }
        code += "__device__ float value(Point p) { return A10; }\n";
        QElapsedTimer clock;
        clock.start();
        const QString refusal = refusalOfCode(code);
        QVERIFY2(refusal.contains("GiB") || refusal.contains("took longer than"), qPrintable(refusal));
        QVERIFY2(clock.elapsed() < 65'000, qPrintable(QString::number(clock.elapsed())));
        qInfo("%s after %lld ms", qPrintable(refusal), static_cast<long long>(clock.elapsed()));
        // cancelling the run stops it
        std::stop_source stop;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            stop.request_stop();
        });
        clock.restart();
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(guardedCode(code, stop.get_token())), Cancelled);
        QVERIFY(clock.elapsed() < 2'000);
    }

    /// The guarded code is still valid PTX.
    void isAssembled() {
        const QString ptxas =
            QStandardPaths::findExecutable("ptxas", {"/usr/local/cuda/bin", "/usr/bin", "/usr/local/bin"});
        if (ptxas.isEmpty())
            QSKIP("ptxas was not found: it comes with the CUDA toolkit");
        const QTemporaryDir folder;
        int number = 0;
        for (const char* body :
             {"float a[8]; for (int i = 0; i < 8; ++i) a[i] = x * i; a[k] = 1; while (x > "
              "a[k + 1]) x = sinf(x * "
              "1e6f) + table[k]; return x;",
              "switch (k) { case 0: x = 1; break; case 1: x = 5; break; case 2: x = 2; "
              "break; case 3: x = 9; break; "
              "case 4: x = table[k]; } for (int i = 0; i < k; ++i) for (int j = 0; j < i; "
              "++j) x += powf(x, j); "
              "return x;",
              "double s = 0; for (int i = 0; i < k; ++i) s += pow(double(x), double(i)) + "
              "lgamma(s); return s;",
              "double s = k; for (int i = 0; i < k; ++i) s += tgamma(x) + erf(s) + j0(s) + "
              "sin(x) + cbrt(x) + normcdfinv(s) + (long long)s / (k + 1); return s;",
              "float4 q[2] = {{x, 1, 2, 3}, {x, 4, 5, 6}}; double2 d[3] = {}; d[k].y = x; "
              "return q[k].z + d[k + 1].y + table[k] + 'a';"}) {
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

SCANLOUPE_TEST_IN(QCoreApplication, TestGuardedPtx)
#include "test_guarded_ptx.moc"
